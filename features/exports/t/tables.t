# Tests of comparisons as tables: one mechanism for all commands, with one form of dates and of numbers.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place qw(text_of);
use TestRun;
use UnixBench::Exports::CSV;

my $TEST   = TestRun->new;
my $REPORT = text_of("$FindBin::Bin/../../../t/data/classic/1-copy");
$TEST->write('results', 'old', $REPORT);
$TEST->write('results', 'new', $REPORT =~ s/2465754[.]7/2465000.7/gr =~ s/1643[.]8/1643.3/r);

is(
    UnixBench::Exports::CSV::table(
        [qw(name date value)],
        { name => 'a,b', date  => '2024-01-02T03:04:05', value => 2_465_754.74 },
        { name => '=x',  value => -0.012345678 }
    ),
    qq{name,date,value\n"a,b",2024-01-02T03:04:05,2465754.7\n'=x,,-0.0123457\n},
    'texts, dates and numbers'
);

my $run   = $TEST->run(qw(compare old new --export csv:-));
my @lines = split /\n/, $run->{out};
is(
    $lines[0],
    'first,second,first_copies,second_copies,kind,name,title,unit,first_value,second_value,ratio,low,high,verdict',
    'the columns of a comparison'
);
my ($row) = grep { /,syscall,/ } @lines;
like($row, qr/,1,1,test,syscall,System Call Overhead,lps,2465754[.]7,2465000[.]7,0[.]999694,,,unknown\z/, 'a row');
is(scalar @lines, 1 + 1 + 12 + 1, 'a row for the index, the mean and each test');
my $refusal = qr/\ARun: option --export openmetrics writes results, not a table$/m;
like($TEST->run(qw(compare old new --export openmetrics:-))->{err}, $refusal, 'other exports are refused');

done_testing;
