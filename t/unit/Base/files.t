use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use Place qw(names_in place touch);
use UnixBench::Base::Files;

subtest 'directories' => sub {
    my $place = place();
    UnixBench::Base::Files::make_directory("$place/a b/\"c\"/d\xc3\xa9");
    ok(-d "$place/a b/\"c\"/d\xc3\xa9", 'made with those above');
    is(eval { UnixBench::Base::Files::make_directory("$place/a b"); 1 }, 1, 'may be there');
    touch("$place/file");
    is(eval { UnixBench::Base::Files::make_directory("$place/file/x"); 1 }, undef, 'below a file');
    like($@, qr{\Acan't make directory \Q$place\E/file/x: [^\n]+\n\z}, 'says which and why');
    is(eval { UnixBench::Base::Files::make_directory("$place/file"); 1 }, undef, 'a file in its place');
    like($@, qr/\Acan't make directory [^\n]+\n\z/, 'says so');
};

subtest 'a directory that cannot be written to' => sub {
    skip_without(machine => 'the user nobody') if $> == 0 && !getpwnam 'nobody';
    my $place = place();
    chmod 0555, "$place" or die "chmod: $!\n";
    local $> = getpwnam 'nobody' if $> == 0;
    is(eval { UnixBench::Base::Files::make_directory("$place"); 1 }, undef, 'is refused');
    is($@, "can't write to directory $place: Permission denied\n",          'says so');
};

subtest 'whole files' => sub {
    my $place = place();
    my $path  = "$place/report";
    UnixBench::Base::Files::write_whole($path, $_) for 'first', "second\n";
    is(UnixBench::Base::Files::content($path), "second\n", 'replaced');
    is_deeply(names_in($place), ['report'], 'nothing else is left');
    mkdir "$place/folder" or die "mkdir: $!\n";
    is(eval { UnixBench::Base::Files::write_whole("$place/folder", 'x'); 1 }, undef, 'fails on a directory');
    like($@, qr{\Acan't write \Q$place\E/folder: [^\n]+\n\z}, 'says so');
    is_deeply(names_in($place), [qw(folder report)], 'and leaves nothing');
    is(UnixBench::Base::Files::content("$place/absent"), undef, 'no content');
    is(UnixBench::Base::Files::content("$place/folder"), undef, 'nor of a directory');
};

# Files that may be named, below a place => why they can't be written.
my %WHY_NOT = (
    'new'         => undef,
    'there'       => undef,
    'link'        => undef,
    'new by link' => undef,
    'fifo'        => undef,
    'folder'      => 'Is a directory',
    'to folder'   => 'Is a directory',
    'none/x'      => 'No such file or directory',
    'dangling'    => 'No such file or directory',
    'there/x'     => 'Not a directory',
    'round'       => 'Too many levels of symbolic links',
    'x' x 256     => 'File name too long',
);

sub place_of_all_kinds {
    my $place = place();
    touch("$place/there", "$place/target");
    mkdir "$place/folder"                or die "mkdir: $!\n";
    system('mkfifo', "$place/fifo") == 0 or die "mkfifo: $?\n";
    my %link =
        (link => 'target', 'new by link' => 'fresh', 'to folder' => 'folder', dangling => 'none/x', round => 'round');
    symlink $link{$_}, "$place/$_" or die "symlink: $!\n" for keys %link;
    return $place;
}

subtest 'files that the user names' => sub {
    my $place  = place_of_all_kinds();
    my $before = names_in($place);
    for my $name (sort keys %WHY_NOT) {
        my $expected = defined $WHY_NOT{$name} ? "can't write $place/$name: $WHY_NOT{$name}\n" : q{};
        is(eval { UnixBench::Base::Files::check_writable("$place/$name"); q{} } // $@, $expected, "before: $name");
    }
    is_deeply(names_in($place), $before, 'looking makes nothing');
    is(UnixBench::Base::Files::content("$place/there"), q{}, 'and empties nothing');
    for my $name (grep { $_ ne 'fifo' } sort keys %WHY_NOT) {
        my $is_written = eval { UnixBench::Base::Files::write_to("$place/$name", "text of $name"); 1 };
        is(!!$is_written,                                   !defined $WHY_NOT{$name}, $name) or diag $@;
        is(UnixBench::Base::Files::content("$place/$name"), "text of $name",          'its text') if $is_written;
        like($@, qr{\Acan't write \Q$place/$name\E: [^\n]+\n\z}, 'why not') if !$is_written;
    }
    is_deeply([map { readlink "$place/$_" } 'link', 'new by link'], [qw(target fresh)], 'links stay');
    is_deeply(names_in($place), [sort 'fresh', 'new', @$before],                        'and nothing else is left');
    is(
        eval { UnixBench::Base::Files::check_writable("$place/a\nb/c"); 1 } // $@,
        "can't write $place/a\\nb/c: No such file or directory\n",
        'in one line'
    );
};

subtest 'a file that cannot be written to' => sub {
    skip_without(machine => 'the user nobody') if $> == 0 && !getpwnam 'nobody';
    my $place = place();
    touch("$place/own", "$place/open");
    chmod 0444, "$place/own";
    chmod 0666, "$place/open";
    chmod 0555, "$place" or die "chmod: $!\n";
    local $> = getpwnam 'nobody' if $> == 0;
    for my $name (qw(own new)) {
        is(eval { UnixBench::Base::Files::check_writable("$place/$name"); 1 }, undef, "$name is refused");
        is($@, "can't write $place/$name: Permission denied\n",                       'says so');
    }
    UnixBench::Base::Files::check_writable("$place/open");
    UnixBench::Base::Files::write_to("$place/open", 'text');
    is(UnixBench::Base::Files::content("$place/open"),
        'text', 'one that can, in a directory that cannot, is written to');
};

subtest "the user's own files" => sub {
    my $place = place();
    touch("$place/a.new");
    UnixBench::Base::Files::check_writable("$place/a");
    UnixBench::Base::Files::write_to("$place/a", 'text');
    is_deeply(names_in($place), [qw(a a.new)], 'are left alone');
};

subtest 'no room' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    is(eval { UnixBench::Base::Files::check_writable('/dev/full'); 1 }, 1,     'is not known before');
    is(eval { UnixBench::Base::Files::write_to('/dev/full', 'x');  1 }, undef, 'but then');
    is($@, "can't write /dev/full: No space left on device\n", 'says so');
};

subtest 'a file that something is mounted on' => sub {
    my $place = place();
    touch("$place/inside", "$place/outside");
    my $mount = qq{mount --bind '$place/outside' '$place/inside'};
    skip_without(machine => 'a file system to mount') if system qq{unshare -m sh -c "$mount" 2>/dev/null};
    my $write =
          qq{UnixBench::Base::Files::check_writable(q{$place/inside}); }
        . qq{UnixBench::Base::Files::write_to(q{$place/inside}, q{text})};
    is(
        system(
            qq{unshare -m sh -c "$mount && '$^X' '-I$FindBin::Bin/../../../lib' -MUnixBench::Base::Files -e '$write'"}),
        0,
        'written'
    );
    is_deeply([map { UnixBench::Base::Files::content("$place/$_") } qw(inside outside)], [q{}, 'text'], 'there');
    is_deeply(names_in($place), [qw(inside outside)], 'and nothing else is left');
};

done_testing();
