package UnixBench::Score::RunsNeeded;

# How many runs of each of two states show a difference between them.
#
# A difference is shown if the 95 % interval of the ratio of both states lies on one side of 1. The interval is
# Student's t over the runs (see UnixBench::Score::Estimate::of_states). The number of runs is the smallest one with
# which four of five such comparisons show the difference, if it is as large as asked for. The same number gives four of
# five comparisons the verdict "slower" or "faster" if the true difference is twice as large, because that verdict needs
# an interval beyond the least difference that matters.

use strict;
use warnings;

use UnixBench::Score::Stats qw(t_quantile);

use constant { POWER => 0.8, COVERED => 0.95, RANGE => 0.8 };
use constant { STATES => 2, RUNS_LEAST => 4, MOST => 1000, NORMAL => 1e6 };    # degrees of freedom of a normal one

# Takes a comparison of repeated runs, { ratio, deviation } of UnixBench::Score::Estimate::of_states; [the number of
# runs of each state]; and the difference to show, a fraction of 1. Returns the range of the number, { least, most }. It
# follows from the 80 % interval of the variance between runs. Returns nothing if a state has fewer than four runs: then
# hardly anything is known about that variance. MOST means that or more.
sub of_states {
    my ($compared, $runs, $difference) = @_;
    return if $difference <= 0 || grep { $_ < RUNS_LEAST } @$runs;
    my $df      = $runs->[0] + $runs->[1] - STATES;
    my $squares = $df * _deviation($compared, @$runs)**2;
    my @limits  = map { _chi_squared((1 + $_ * RANGE) / 2, $df) } 1, -1;
    my ($least, $most) = map { runs(sqrt($squares / $_), $difference) } @limits;
    return { least => $least, most => $most };
}

# Takes the standard deviation of the logarithms of runs of the same state, and the difference to show. Returns the
# number of runs of each state, at most MOST.
sub runs {
    my ($deviation, $difference) = @_;
    my $shift = log 1 + $difference;
    for my $runs (STATES .. MOST) {
        my $error = $deviation * sqrt(STATES / $runs);
        return $runs if $shift >= $error * _distance(STATES * ($runs - 1));
    }
    return MOST;
}

# Takes the same as of_states(). Returns the deviation between runs. If the interval of the ratio is that of the errors
# within the runs, these are larger, and more runs have to lower them.
sub _deviation {
    my ($compared, $first, $second) = @_;
    my $by_error = ($compared->{ratio}{log_se} // 0) / sqrt(1 / $first + 1 / $second);
    return $by_error > $compared->{deviation} ? $by_error : $compared->{deviation};
}

# Takes degrees of freedom; returns how many standard errors the true value has to be away from 0, so that the test
# rejects 0 with the wanted power. That is the parameter of the noncentral t distribution, by 26.7.10 in Abramowitz and
# Stegun, Handbook of Mathematical Functions.
sub _distance {
    my ($df) = @_;
    my $t = t_quantile((1 + COVERED) / 2, $df);
    return $t * (1 - 1 / (4 * $df)) + t_quantile(POWER, NORMAL) * sqrt(1 + $t * $t / (2 * $df));
}

# Takes a probability and degrees of freedom; returns the quantile of the chi-squared distribution: E. Wilson and M.
# Hilferty, The Distribution of Chi-Square, Proceedings of the National Academy of Sciences 17 (1931).
sub _chi_squared {
    my ($probability, $df) = @_;
    my $tail   = $probability > 0.5 ? $probability : 1 - $probability;
    my $normal = t_quantile($tail, NORMAL) * ($probability > 0.5 ? 1 : -1);
    my $part   = 2 / (9 * $df);
    return $df * (1 - $part + $normal * sqrt $part)**3;
}

1;
