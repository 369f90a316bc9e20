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

# By hand: t(23) / sqrt(24) = 0.4223, t(24) / sqrt(25) = 0.4128, t(35) / sqrt(36) = 0.3383, t(36) / sqrt(37) = 0.3334,
# t(99) / sqrt(100) = 0.1984, t(100) / sqrt(101) = 0.1974. Looks follow 24, 36, 54, 81 and 122 rounds.
my $run    = run_of_rounds($PIPE);
my %needed = (0.02 => 24, 0.0043 => 24, 0.0042 => 36, 0.0034 => 36, 0.00335 => 54, 0.00198 => 122);
is(needed($run,                         $_),    $needed{$_}, "rounds for a precision of $_") for sort keys %needed;
is(needed(run_of_rounds($HANOI),        0.004), 36,          'rounds for a test without an index');
is(needed(run_of_rounds($PIPE, $EXECL), 0.002), 36,          'rounds for an index of two tests');
is(needed(run_of_rounds($EXECL),        0.01),  24,          'the first look without any spread');
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
is(needed($two, 0.004), 36, 'the least precise index counts');

done_testing();
