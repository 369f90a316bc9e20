use strict;
use warnings;

use File::Path ();
use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use UnixBench::Base::Files;
use UnixBench::Base::Halt;
use UnixBench::Measure::Scratch;

my $PLACE = File::Temp->newdir;

sub names_in {
    my ($directory) = @_;
    return [sort map { s{.*/}{}r } glob "$directory/*"];
}

sub touch { UnixBench::Base::Files::write_whole($_, 'text') for @_; return }

mkdir "$PLACE/outside" or die "mkdir: $!\n";
touch("$PLACE/outside/kept");

subtest 'private and new' => sub {
    my ($one, $two) = map { UnixBench::Measure::Scratch->new(parent => "$PLACE") } 1, 2;
    isnt($one->path, $two->path, 'another one each time');
    is((stat $one->path)[2] & 0777, 0700, 'private');
    is(eval { UnixBench::Measure::Scratch->new(parent => "$PLACE/absent"); 1 },
        undef, 'fails where there is no directory');
    like($@, qr/\Acan't make directory/, 'says so');
    $_->remove for $one, $two;
};

subtest 'a link planted in its place' => sub {
    my $next = UnixBench::Measure::Scratch->new(parent => "$PLACE")->path =~ s/([0-9]+)\z/$1 + 1/er;
    symlink "$PLACE/outside", $next or die "symlink: $!\n";
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    isnt($scratch->path, $next, 'is passed over');
    $scratch->remove;
    is_deeply(names_in("$PLACE/outside"), ['kept'], 'and not followed');
};

subtest 'cleared and removed' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    my ($path, $copy) = ($scratch->path, @{ $scratch->for_copies(1) });
    touch("$copy/file", "$copy.out");
    symlink "$PLACE/outside/kept", "$path/link" or die "symlink: $!\n";
    symlink "$PLACE/outside",      "$copy/link" or die "symlink: $!\n";
    $scratch->clear;
    is_deeply(names_in($copy), [], 'a copy\'s is emptied');
    is(-s "$copy.out", 0, 'a file is emptied');
    is_deeply($scratch->for_copies(2), [$copy, "$path/copy2"], 'and serve again');
    symlink "$PLACE/outside", "$copy/link" or die "symlink: $!\n";
    $scratch->remove;
    ok(!-e $path, 'removed');
    is(UnixBench::Base::Files::content("$PLACE/outside/kept"), 'text', 'without following links');
};

subtest 'removed meanwhile' => sub {
    my $parent = "$PLACE/below/deep";
    UnixBench::Base::Files::make_directory($parent);
    my $scratch = UnixBench::Measure::Scratch->new(parent => $parent);
    $scratch->directory('tracer');
    $scratch->for_copies(2);
    ok($scratch->is_there, 'there');
    $scratch->renew;
    is_deeply(names_in($scratch->path), [qw(copy1 copy2 tracer)], 'and left as it is');
    my $inode = (stat $scratch->path)[1];
    File::Path::remove_tree("$PLACE/below");
    ok(!$scratch->is_there, 'gone');
    $scratch->renew;
    ok($scratch->is_there, 'made anew');
    is_deeply(names_in($scratch->path), ['tracer'], 'with what others than copies use');
    is((stat $scratch->path)[2] & 0777, 0700, 'private');
    $scratch->remove;
    symlink "$PLACE/outside", $scratch->path or die "symlink: $!\n";
    ok(!$scratch->is_there, 'a link in its place is another');
    is(eval { $scratch->renew; 1 }, undef, 'and not taken for it');
    ok(UnixBench::Base::Halt::is_thrown($@), 'which ends the run');
    is("$@", "can't make directory @{[$scratch->path]}: File exists\n", 'says why');
};

subtest 'moved meanwhile' => sub {
    skip_without(machine => 'links to open files in /proc') if !-e '/proc/self/fd';
    mkdir "$PLACE/$_" or die "mkdir: $!\n" for qw(here there);
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE/here");
    my $moved   = $scratch->path =~ s{/here/}{/there/}r;
    $scratch->for_copies(1);
    rename $scratch->path, $moved or die "rename: $!\n";
    $scratch->renew;
    ok($scratch->is_there, 'made anew');
    ok(!-e $moved,         'and removed where it was moved to');
    rename $scratch->path, $moved or die "rename: $!\n";
    mkdir $scratch->path or die "mkdir: $!\n";
    $scratch->remove;
    ok(!-e $moved,        'in the end, too');
    ok(-d $scratch->path, 'what is in its place is left alone');
};

subtest 'size' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    my $before  = $scratch->size_kb;
    my ($copy)  = @{ $scratch->for_copies(1) };
    UnixBench::Base::Files::write_whole("$copy/file", 'x' x 300_000);
    cmp_ok($scratch->size_kb, '>=', $before + 290, 'of all that is in it');
    $scratch->remove;
};

subtest 'full or not' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    is($scratch->is_full, 0, 'there is room');
    is_deeply(names_in($scratch->path), [], 'looking leaves nothing');
    my $look = '$SIG{XFSZ} = "IGNORE"; print UnixBench::Measure::Scratch->new(parent => shift)->is_full';
    my $said = qx{ulimit -f 8; '$^X' '-I$FindBin::Bin/../../../lib' -MUnixBench::Measure::Scratch -e '$look' '$PLACE'};
    is($said, 0, 'a limit on file sizes is no full disk');
    rmdir $scratch->path;
    is($scratch->is_full, 0, 'a directory that is gone is another matter');
};

done_testing;
