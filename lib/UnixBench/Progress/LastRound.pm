package UnixBench::Progress::LastRound;

# The last round of a quick run, as UnixBench::Score::StopRule will decide: when it ends, and how many rounds it takes
# to be precise. Times are seconds since the run began.

use strict;
use warnings;

use List::Util ();

use UnixBench::Plan::Plan      ();
use UnixBench::Score::Spread   ();
use UnixBench::Score::Stats    qw(t_quantile);
use UnixBench::Score::StopRule ();

use constant {
    NEVER           => 1_000_000,
    ROUNDS_TELLING  => 4,           # the spread of fewer rounds is too uncertain
    END_OF_INTERVAL => 0.975,
};

# Takes round, the number of a round; now_s; ahead_s, the seconds of its rest; round_s, those of a whole round;
# longest_s, those of the longest so far; repeats, the factor by which repeated passes make rounds longer; needed, the
# number of rounds that it takes to be precise; and max_time_s, the limit of the run. Returns when the last round ends.
sub end_s {
    my (%at) = @_;
    my $end_s = _end_of_round_s(%at);
    return $end_s if $at{round} >= UnixBench::Plan::Plan::ROUNDS_LEAST && _is_enough($end_s, %at);
    return end_s(%at, round => $at{round} + 1, now_s => $end_s, ahead_s => $at{round_s}) if _rounds_due(%at);
    return List::Util::min(_limit_s(%at), $end_s + _later_rounds_s($end_s, %at));
}

# No pass is repeated if there is hardly time for the rounds that are due.
sub _end_of_round_s {
    my (%at)    = @_;
    my $end_s   = $at{now_s} + $at{ahead_s};
    my $spare_s = _limit_s(%at) - _longest_s(%at) * _rounds_due(%at) - $end_s;
    my $again_s = $at{ahead_s} * ($at{repeats} - 1);
    return $end_s + List::Util::max(0, List::Util::min($again_s, $spare_s));
}

sub _is_enough {
    my ($end_s, %at) = @_;
    return $at{round} >= $at{needed} || $end_s + _longest_s(%at) > _limit_s(%at);
}

# Returns the seconds of the rounds after those that are due.
sub _later_rounds_s {
    my ($end_s, %at) = @_;
    my $each_s = $at{round_s} * $at{repeats} || return 0;
    my $rounds = 1 + int((_limit_s(%at) - _longest_s(%at) - $end_s) / $each_s);
    return $each_s * List::Util::min($rounds, $at{needed} - $at{round});
}

sub _rounds_due { my (%at) = @_; return List::Util::max(0, UnixBench::Score::StopRule::ROUNDS_TO_REACH - $at{round}) }
sub _longest_s  { my (%at) = @_; return List::Util::max(@at{qw(round_s longest_s)}) }
sub _limit_s    { my (%at) = @_; return $at{max_time_s} - UnixBench::Score::StopRule::RESERVE_S }

# Takes a quick run after a whole round, with its indexes, and a precision, see UnixBench::Score::StopRule; returns the
# number of rounds after which each index will be that precise. Returns NEVER if it takes as many, if nothing is known,
# and if there are too few rounds so far.
sub rounds_needed {
    my ($run, $precision) = @_;
    return NEVER if $run->{rounds} < ROUNDS_TELLING;
    my @indexes   = grep { @{ $_->{rows} } } UnixBench::Score::StopRule::indexes($run);
    my @estimates = map  { UnixBench::Score::Spread::of_index($_, $run)->{estimate} } @indexes;
    return NEVER if !@estimates || grep { !defined $_->{log_se} } @estimates;
    my ($few, $many) = (UnixBench::Score::StopRule::ROUNDS_TO_REACH - 1, NEVER);
    while ($many - $few > 1) {
        my $rounds    = int(($few + $many) / 2);
        my $is_enough = !grep { _half_width($_, $run->{rounds}, $rounds) > $precision } @estimates;
        ($is_enough ? $many : $few) = $rounds;
    }
    return $many;
}

# Returns the half-width of the interval after a number of rounds like those so far: the standard error falls with the
# root of the number, and the degrees of freedom grow with it.
sub _half_width {
    my ($estimate, $now, $then) = @_;
    my $log_se = $estimate->{log_se} * sqrt($now / $then);
    return 0 if !$log_se;
    my $df = $estimate->{df} * ($then - 1) / ($now - 1);
    return $log_se * t_quantile(END_OF_INTERVAL, $df);
}

1;
