# lab/equivalence-to: its statistics with known answers, and the script with two suites of fake programs.

use strict;
use warnings;

use File::Copy ();
use File::Path ();
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../lib ../../lab/lib);
use Equivalence;
use Place qw(content write_file write_program);

my $ROOT  = "$FindBin::Bin/../..";
my $PLACE = File::Temp->newdir;
my @NAMES = qw(dhry2reg whetstone-double execl fstime pipe context1 spawn syscall looper multi.sh tst.sh);

# The quantile of Student's t is 2.919986 for 95 % and two degrees of freedom. Three ratios with the logarithms 0, 0.01
# and 0.02 have the mean 0.01, with the standard error 0.01 / sqrt 3.
my $ratio =
    Equivalence::ratio([{ 1 => 100, 2 => 200, 3 => 300 }], [{ 1 => 100, 2 => 200 * exp 0.01, 3 => 300 * exp 0.02 }]);
my $half = 2.919986 * 0.01 / sqrt 3;
is_deeply(
    [map { sprintf '%.5f', $ratio->{$_} } qw(value low high)],
    [map { sprintf '%.5f', exp(0.01 + $_) } 0, -$half, $half],
    'the ratio and its 90 % interval'
);

is(Equivalence::in_words({ low => 0.975, high => 0.999 }, 1.03), 'equivalent; the interval excludes 1', 'equivalent');
is(Equivalence::in_words({ low => 0.97,  high => 1.02 },  1.03), 'not decided: measure longer',         'not decided');

# A fake program: it notes its start, and prints the lines of its file.
my $FAKE = <<'END_OF_SCRIPT';
#!/bin/sh
suite=${0%/pgms/*}
echo "${suite##*/} ${0##*/}" "$@" >> "$suite/../log"
words='COUNT|1000|1|lps TIME|1'
[ ! -r "$suite/says.${0##*/}" ] || read -r words < "$suite/says.${0##*/}"
case $words in exit*) exit "${words#exit}" ;; esac
for word in $words; do echo "$word" >&2; done
END_OF_SCRIPT

for my $suite (qw(other own)) {
    File::Path::make_path(map { "$PLACE/$suite/$_" } qw(pgms testdir lab tmp));
    write_program("$PLACE/$suite/pgms/$_", $FAKE) for @NAMES;
}
File::Copy::copy("$ROOT/lab/equivalence-to", "$PLACE/own/lab") or die "equivalence-to: $!\n";
symlink "$ROOT/$_", "$PLACE/own/$_" or die "symlink: $!\n" for qw(lib lab/lib);
File::Copy::copy("$ROOT/pgms/index.base", "$PLACE/own/pgms") or die "index.base: $!\n";

write_file("$PLACE/own/says.pipe",    "COUNT|1010|1|lps TIME|1\n");
write_file("$PLACE/own/says.spawn",   "COUNT|900|1|lps TIME|1\n");
write_file("$PLACE/own/says.syscall", "exit3\n");
local @ENV{qw(PATH PERL5OPT)} = ("$PLACE:/bin", "-I$FindBin::Bin/../lib -MToldTimes");    # no tracers, no sync
system "cd '$PLACE' && $^X own/lab/equivalence-to --rounds 2 other > out 2> err";
is($? >> 8, 1, 'a test is different: exit status 1') or diag content("$PLACE/err");
my $said = content("$PLACE/out");
my %row;
$row{$1} //= $2 while $said =~ /^[|] (\S+) [|] (.*) [|]$/mg;                              # the first table
is($row{pipe},  '1000.0 | 1010.0 | 1.0100 | 1.0100 to 1.0100 | equivalent; the interval excludes 1', 'a test');
is($row{spawn}, '1000.0 | 900.0 | 0.9000 | 0.9000 to 0.9000 | different; the interval excludes 1',   'a different one');
is($row{syscall}, 'none | none | none | none | own: exit status 3',                                  'one that failed');
is($row{index},   'none | none | none | none | incomplete: it needs all twelve tests',               'the index');
my @pipes = content("$PLACE/log") =~ /^(\S+) pipe 10$/mg;
is("@pipes", 'other own own other', 'passes alternate, with the arguments of the index');

done_testing;
