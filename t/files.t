use strict;
use warnings;

use File::Temp ();
use POSIX      ();
use Test::More;

use UnixBench::Files;

my $NOON = POSIX::mktime(0, 0, 12, 20, 10, 126);    # 2026-11-20, local time

sub place { return File::Temp->newdir }

sub touch {
    my @paths = @_;
    for my $path (@paths) { open my $file, '>', $path or die "$path: $!\n" }
    return;
}

sub names_in {
    my ($directory) = @_;
    return [sort map { s{.*/}{}r } glob "$directory/* $directory/.[!.]*"];
}

sub base_in { my ($directory, @more) = @_; return (UnixBench::Files::reserve("$directory", 'box', $NOON, @more))[0] }

subtest 'names of reports' => sub {
    my $place = place();
    is(base_in($place), "$place/box-2026-11-20-01", 'the first');
    is(base_in($place), "$place/box-2026-11-20-02", 'the next');
    is_deeply(names_in($place), [map { "box-2026-11-20-0$_.log" } 1, 2], 'nothing but logs');
    touch(map { "$place/box-2026-11-20-$_" } qw(03.html 04 05.csv 06.json));
    symlink '/nowhere/at/all', "$place/box-2026-11-20-07.log" or die "symlink: $!\n";
    is(base_in($place), "$place/box-2026-11-20-08", 'one that no file of the family has, not even a dangling link');
    my ($base, $log) = UnixBench::Files::reserve("$place", 'box', $NOON);
    print {$log} "caf\xe9\n";
    close $log;
    is(UnixBench::Files::content("$base.log"), "caf\xe9\n", 'the log takes bytes');
};

subtest 'host names' => sub {
    my %base = (
        'a.b-c'       => 'a.b-c',
        '../../x'     => '_._.._x',
        "a b\n\$(id)" => 'a_b___id_',
        '-rf'         => '_rf',
        '.hidden'     => '_hidden'
    );
    for my $host (sort keys %base) {
        my $place = place();
        is(
            (UnixBench::Files::reserve("$place", $host, $NOON))[0],
            "$place/$base{$host}-2026-11-20-01",
            $host =~ s/\n/?/r
        );
        is_deeply([map { !!/\A[A-Za-z0-9_]/ } @{ names_in($place) }], [1], 'and nothing elsewhere');
    }
};

subtest 'a name that was given' => sub {
    my $place  = place();
    my @family = map { "mine$_" } q{}, qw(.csv .html .journal .json .log);
    touch(map { "$place/$_" } @family, 'mine2', 'mine.other');
    is(base_in($place, 'mine'), "$place/mine", 'is taken');
    is_deeply(names_in($place), [qw(mine.log mine.other mine2)], 'the whole family is replaced, nothing else');
    is(-s "$place/mine.log", 0, 'the log is new');
    symlink "$place/mine2", "$place/linked.log" or die "symlink: $!\n";
    base_in($place, 'linked');
    ok(!-l "$place/linked.log", 'a link is replaced, not followed');
    mkdir "$place/taken" or die "mkdir: $!\n";
    is(eval { base_in($place, 'taken') }, undef, 'a directory of that name is refused before anything is measured');
    like($@, qr/\Acan't write [^\n]+\n\z/, 'in one line');
};

subtest 'two at the same moment' => sub {
    my $place = place();
    pipe my $gate, my $open or die "pipe: $!\n";
    my @pids = map { reserver($place, $gate, $open) } 1 .. 8;
    close $open;
    waitpid $_, 0 for @pids;
    is(scalar(grep { /[.]log\z/ } @{ names_in($place) }), 8 * 10, 'each gets names of its own');
};

# A process that waits for the gate and reserves ten names.
sub reserver {
    my ($place, $gate, $open) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    close $open;
    sysread $gate, my $nothing, 1;
    my @own = map { base_in($place) } 1 .. 10;
    POSIX::_exit(@own == 10 ? 0 : 1);
}

subtest 'directories' => sub {
    my $place = place();
    UnixBench::Files::make_directory("$place/a b/\"c\"/d\xc3\xa9");
    ok(-d "$place/a b/\"c\"/d\xc3\xa9", 'made with those above');
    is(eval { UnixBench::Files::make_directory("$place/a b"); 1 }, 1, 'may be there');
    touch("$place/file");
    is(eval { UnixBench::Files::make_directory("$place/file/x"); 1 }, undef, 'below a file');
    like($@, qr{\Acan't make directory \Q$place\E/file/x: [^\n]+\n\z}, 'says which and why');
    is(eval { UnixBench::Files::make_directory("$place/file"); 1 }, undef, 'a file in its place');
    like($@, qr/\Acan't make directory [^\n]+\n\z/, 'says so');
};

subtest 'a directory that cannot be written to' => sub {
    plan skip_all => 'everything can be written to by root, and nobody else is known' if $> == 0 && !getpwnam 'nobody';
    my $place = place();
    chmod 0555, "$place" or die "chmod: $!\n";
    local $> = getpwnam 'nobody' if $> == 0;
    is(eval { UnixBench::Files::make_directory("$place"); 1 }, undef,                       'is refused');
    is($@,                          "can't write to directory $place: Permission denied\n", 'says so');
    is(eval { base_in($place); 1 }, undef,                                                  'holds no reports');
    like($@, qr/\Acan't write .*: Permission denied\n\z/, 'says so');
};

subtest 'whole files' => sub {
    my $place = place();
    my $path  = "$place/report";
    UnixBench::Files::write_whole($path, $_) for 'first', "second\n";
    is(UnixBench::Files::content($path), "second\n", 'replaced');
    is_deeply(names_in($place), ['report'], 'nothing else is left');
    mkdir "$place/folder" or die "mkdir: $!\n";
    is(eval { UnixBench::Files::write_whole("$place/folder", 'x'); 1 }, undef, 'fails on a directory');
    like($@, qr{\Acan't write \Q$place\E/folder: [^\n]+\n\z}, 'says so');
    is_deeply(names_in($place), [qw(folder report)], 'and leaves nothing');
    is(UnixBench::Files::content("$place/absent"), undef, 'no content');
    is(UnixBench::Files::content("$place/folder"), undef, 'nor of a directory');
};

subtest 'scratch' => sub {
    my $place = place();
    my ($one, $two) = map { UnixBench::Files::make_scratch("$place") } 1, 2;
    isnt($one, $two, 'another one each time');
    is((stat $one)[2] & 0777,                                    0700,  'private');
    is(eval { UnixBench::Files::make_scratch("$place/absent") }, undef, 'fails where there is no directory');
    like($@, qr/\Acan't make directory/, 'says so');
    mkdir "$place/outside" or die "mkdir: $!\n";
    touch("$place/outside/kept", "$one/file");
    symlink "$place/outside", "$one/link" or die "symlink: $!\n";
    UnixBench::Files::remove($one);
    ok(!-e $one,                 'removed');
    ok(-e "$place/outside/kept", 'without following links');
    my ($copy) = @{ UnixBench::Files::make_copies_scratch($two, 1) };
    UnixBench::Files::write_whole("$place/outside/kept", "text");
    touch("$copy/file", "$copy.out");
    symlink "$place/outside/kept", "$two/link" or die "symlink: $!\n";
    UnixBench::Files::clear_copies_scratch($two);
    is_deeply(names_in($copy), [], 'a copy\'s is emptied');
    is(UnixBench::Files::content("$place/outside/kept"), 'text', 'without following links');
};

done_testing();
