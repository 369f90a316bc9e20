use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(names_in);
use UnixBench::Base::Files;
use UnixBench::Measure::Scratch;

my $PLACE = File::Temp->newdir;

sub touch { UnixBench::Base::Files::write_whole($_, 'text') for @_; return }

mkdir "$PLACE/outside" or die "mkdir: $!\n";
touch("$PLACE/outside/kept");

subtest 'a scratch directory is new and private' => sub {
    my ($one, $two) = map { UnixBench::Measure::Scratch->new(parent => "$PLACE") } 1, 2;
    isnt($one->path, $two->path, 'each has a path of its own');
    is((stat $one->path)[2] & 0777, 0700, 'the mode of a scratch directory is 0700');
    is(eval { UnixBench::Measure::Scratch->new(parent => "$PLACE/absent"); 1 }, undef, 'no parent directory');
    like($@, qr/\Acan't make directory/, "the error says what can't be made");
    $_->remove for $one, $two;
};

subtest 'a scratch directory is cleared and removed' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    my ($path, $copy) = ($scratch->path, @{ $scratch->for_copies(1) });
    touch("$copy/file", "$copy.out");
    symlink "$PLACE/outside/kept", "$path/link" or die "symlink: $!\n";
    symlink "$PLACE/outside",      "$copy/link" or die "symlink: $!\n";
    $scratch->clear;
    is_deeply(names_in($copy), [], 'the directory of a copy is emptied');
    is(-s "$copy.out", 0, 'the output of a copy is emptied');
    is_deeply($scratch->for_copies(2), [$copy, "$path/copy2"], 'directories are used again');
    symlink "$PLACE/outside", "$copy/link" or die "symlink: $!\n";
    $scratch->remove;
    ok(!-e $path, 'the directory is removed');
    is(UnixBench::Base::Files::content("$PLACE/outside/kept"), 'text', 'links are not followed');
};

subtest 'another directory in its place is not removed' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    rename $scratch->path, $scratch->path . '.moved' or die "rename: $!\n";
    mkdir $scratch->path or die "mkdir: $!\n";
    $scratch->remove;
    ok(-d $scratch->path, 'remove keeps the other directory');
};

subtest 'size_kb returns the size of all files' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    my $before  = $scratch->size_kb;
    my ($copy)  = @{ $scratch->for_copies(1) };
    UnixBench::Base::Files::write_whole("$copy/file", 'x' x 300_000);
    cmp_ok($scratch->size_kb, '>=', $before + 290, 'the file of a copy is included');
    $scratch->remove;
};

subtest 'is_full returns whether the disk is full' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    is($scratch->is_full, 0, 'the disk is not full');
    is_deeply(names_in($scratch->path), [], 'the check leaves no file');
    my $look = '$SIG{XFSZ} = "IGNORE"; print UnixBench::Measure::Scratch->new(parent => shift)->is_full';
    my $said = qx{ulimit -f 8; '$^X' '-I$FindBin::Bin/../../../lib' -MUnixBench::Measure::Scratch -e '$look' '$PLACE'};
    is($said, 0, 'a limit on file sizes is not a full disk');
    rmdir $scratch->path;
    is($scratch->is_full, 0, 'a directory that is gone is not a full disk');
};

done_testing;
