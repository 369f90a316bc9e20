package UnixBench::Progress::LastRound;

# When the last round of a quick run ends, as UnixBench::Score::StopRule will decide. Times are seconds since the run
# began.

use strict;
use warnings;

use List::Util ();

use UnixBench::Plan::Plan      ();
use UnixBench::Score::StopRule ();

# Takes round, the number of one, now_s, ahead_s, what of it is still to come, round_s, what a whole one takes,
# longest_s, the longest so far, repeats, by what their time grows since slices are made again, needed, the number of
# rounds that it takes to be precise, and max_time_s, the limit of the run. Returns when the last round ends.
sub end_s {
    my (%at) = @_;
    my $end_s = _end_of_round_s(%at);
    return $end_s if $at{round} >= UnixBench::Plan::Plan::ROUNDS_LEAST && _is_enough($end_s, %at);
    return end_s(%at, round => $at{round} + 1, now_s => $end_s, ahead_s => $at{round_s}) if _rounds_due(%at);
    return List::Util::min(_limit_s(%at), $end_s + _later_rounds_s($end_s, %at));
}

# No slice is made again where there is hardly time for the rounds that are due.
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

# Of the rounds behind those that are due.
sub _later_rounds_s {
    my ($end_s, %at) = @_;
    my $each_s = $at{round_s} * $at{repeats} || return 0;
    my $rounds = 1 + int((_limit_s(%at) - _longest_s(%at) - $end_s) / $each_s);
    return $each_s * List::Util::min($rounds, $at{needed} - $at{round});
}

sub _rounds_due { my (%at) = @_; return List::Util::max(0, UnixBench::Score::StopRule::ROUNDS_TO_REACH - $at{round}) }
sub _longest_s  { my (%at) = @_; return List::Util::max(@at{qw(round_s longest_s)}) }
sub _limit_s    { my (%at) = @_; return $at{max_time_s} - UnixBench::Score::StopRule::RESERVE_S }

1;
