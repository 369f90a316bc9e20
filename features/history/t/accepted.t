# Tests of the accepted changes of a history: UnixBench::History::Accepted.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(content write_file);
use UnixBench::Base::Result        qw(why_no_name);
use UnixBench::History::Accepted;

my $place = File::Temp->newdir;
my $path  = "$place/history-accepted.log";

sub accepted { return [UnixBench::History::Accepted::of_directory($_[0] // "$place")] }

is_deeply(accepted(),           [], 'without a file, nothing is accepted');
is_deeply(accepted('/nowhere'), [], 'nor without a directory');

my %change = (started => 1_782_698_400, host => 'vm', reason => 'another kernel', series => '1 test spawn', by => -0.2);
UnixBench::History::Accepted::add("$place", \%change);
is(content($path), "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t-20.00%\n", 'a change is a line');
is_deeply(accepted(), [\%change], 'which is read');

my %other = (host => 'other', reason => "a\nb\tc", series => "2 test \t", by => -0.5);
UnixBench::History::Accepted::add("$place", { %other, started => 0.9 }, { %change, by => 0.25 });
is(
    content($path) =~ s/\A.*\n//r,
    "1970-01-01T00:00:00Z\tother\ta\\nb\\tc\t2 test \\t\t-50.00%\n"
        . "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t+25.00%\n",
    'several changes are lines, with any reason'
);
my $read = [[1_782_698_400, -0.2], [0, -0.5], [1_782_698_400, 0.25]];
is_deeply([map { [@$_{qw(started by)}] } @{ accepted() }], $read, 'the start is in whole seconds');

my @others =
    ('', "vm\n", "2026-06-29T02:00:00Z\tvm\n", "yesterday\tvm\treason\n", "2026-13-29T02:00:00Z\tvm\treason\n");
push @others, "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\n";
write_file($path, join q{}, @others, "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t-20.00%\n");
is_deeply(accepted(), [\%change], 'lines of another form are ignored');

is(eval { UnixBench::History::Accepted::add("$place/none", \%change); 1 }, undef,   'no directory');
is($@, "can't write $place/none/history-accepted.log: No such file or directory\n", 'is one line');

subtest 'no result can have the name of the file' => sub {
    is(why_no_name('history'), undef, 'another name is free');
    for my $name (qw(history-accepted HISTORY-accepted)) {
        is(why_no_name($name), "be $name: $name.log has the changes that history --accept has accepted", $name);
    }
};

my $line = "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t-20.00%";
write_file($path, $line);
UnixBench::History::Accepted::add("$place", { %change, by => 0.3 });
is_deeply(accepted(), [\%change, { %change, by => 0.3 }], 'a last line needs no line break');

done_testing;
