use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(failed);
use QuickRun qw(in_rounds run_of_rounds);
use UnixBench::Progress::Estimate;

# Four rounds. The logarithms of the rates of pipe have a standard deviation of 1 %, those of execl have none.
my $APART = 0.01 * sqrt 0.75;
my @RATES = map { 1000 * exp $_ } ($APART, -$APART) x 2;
my $PIPE  = in_rounds('pipe', @RATES);
my $EXECL = in_rounds('execl', (500) x 4);
my $HANOI = in_rounds('hanoi', @RATES);

sub needed { return UnixBench::Progress::Estimate::rounds_needed(@_) }

# By hand: t(4) / sqrt(5) = 1.2417, t(5) / sqrt(6) = 1.0494, t(6) / sqrt(7) = 0.9248, t(99) / sqrt(100) = 0.1984, t(100)
# / sqrt(101) = 0.1974.
my $run    = run_of_rounds($PIPE);
my %needed = (0.02 => 5, 0.0125 => 5, 0.012 => 6, 0.0105 => 6, 0.01 => 7, 0.00198 => 101);
is(needed($run,                         $_),    $needed{$_}, "rounds for a precision of $_") for sort keys %needed;
is(needed(run_of_rounds($HANOI),        0.01),  7,           'rounds for a test without an index');
is(needed(run_of_rounds($PIPE, $EXECL), 0.005), 7,           'rounds for an index of two tests');
is(needed(run_of_rounds($EXECL),        0.01),  5,           'five rounds without any spread');
is(
    needed(run_of_rounds(in_rounds('pipe', @RATES[0 .. 2])), 0.5),
    UnixBench::Progress::Estimate::NEVER,
    'three rounds are not enough for an estimate'
);
is(
    needed(run_of_rounds(failed('pipe', 'no')), 0.01),
    UnixBench::Progress::Estimate::NEVER,
    'a failed test has no estimate'
);
is(needed($run, 1e-9), UnixBench::Progress::Estimate::NEVER, 'a precision that takes too many rounds is never reached');

my $two = { %$run, indexes => [map { @{ run_of_rounds($_)->{indexes} } } $EXECL, $PIPE, $EXECL] };
$two->{tests} = [$EXECL, $PIPE];
is(needed($two, 0.01), 7, 'the least precise index counts');

done_testing();
