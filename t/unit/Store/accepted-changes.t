# Tests of the accepted changes of a history: UnixBench::Store::AcceptedChanges.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(content write_file);
use UnixBench::Store::AcceptedChanges;

my $place = File::Temp->newdir;
my $path  = "$place/history-accepted.log";

sub accepted { return [UnixBench::Store::AcceptedChanges::of_directory($_[0] // "$place")] }

is_deeply(accepted(),           [], 'without a file, nothing is accepted');
is_deeply(accepted('/nowhere'), [], 'nor without a directory');

my %change = (started => 1_782_698_400, host => 'vm', reason => 'another kernel', series => '1 test spawn', by => -0.2);
UnixBench::Store::AcceptedChanges::add("$place", \%change);
is(content($path), "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t-20.00%\n", 'a change is a line');
is_deeply(accepted(), [\%change], 'which is read');

my %other = (host => 'other', reason => "a\nb\tc", series => "2 test \t", by => undef);
UnixBench::Store::AcceptedChanges::add("$place", { %other, started => 0.9 }, { %change, by => 0.25 });
is(
    content($path) =~ s/\A.*\n//r,
    "1970-01-01T00:00:00Z\tother\ta\\nb\\tc\t2 test \\t\n"
        . "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t+25.00%\n",
    'several changes are lines, with any reason'
);
is_deeply(
    [map { [@$_{qw(started by)}] } @{ accepted() }],
    [[1_782_698_400, -0.2], [0, undef], [1_782_698_400, 0.25]],
    'the start is in whole seconds'
);

my @others =
    ('', "vm\n", "2026-06-29T02:00:00Z\tvm\n", "yesterday\tvm\treason\n", "2026-13-29T02:00:00Z\tvm\treason\n");
write_file($path, join q{}, @others, "2026-06-29T02:00:00Z\tvm\tanother kernel\n");
is_deeply(
    accepted(),
    [{ %change, series => undef, by => undef }],
    'lines of another form are ignored; those of version 8.0.0 have no series'
);

is(eval { UnixBench::Store::AcceptedChanges::add("$place/none", \%change); 1 }, undef, 'no directory');
is($@, "can't write $place/none/history-accepted.log: No such file or directory\n",    'is one line');

done_testing;
