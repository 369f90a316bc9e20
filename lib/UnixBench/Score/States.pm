package UnixBench::Score::States;

# What differs between states of a machine that were measured several times: the statistics of repeated runs and of
# turns.
#
# Repeated runs: a difference is shown if the 95 % interval of the ratio of both states lies on one side of 1. The
# interval is Student's t over the runs (of_states). The number of runs is the smallest one with which four of five such
# comparisons show the difference, if it is as large as asked for. The same number gives four of five comparisons the
# verdict "slower" or "faster" if the true difference is twice as large, because that verdict needs an interval beyond
# the least difference that matters (runs_needed).
#
# Turns: each round measures each test once in each state, one state directly after the other, so slow drift hardly
# changes the ratio within a round. The interval is Student's t over the rounds (of_turns).

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(geometric_mean mean t_quantile);

use constant { POWER => 0.8, COVERED => 0.95, RANGE => 0.8 };
use constant { STATES => 2, RUNS_LEAST => 4, RUNS_MOST => 1000, NORMAL => 1e6 };    # degrees of freedom of a normal one

# Takes the estimates of the same value in several runs of one state of a machine, and in several runs of another one,
# at least three in all. Returns
#   values      [estimate of the first, estimate of the second]: geometric means over the runs
#   ratio       the estimate of the second divided by the first
#   deviation   the standard deviation of the logarithms of runs of the same state, pooled over both
# The interval of the ratio is Student's t over the runs, with equal variances of both states, or that of the errors
# within the runs, if it is wider.
sub of_states {
    my (@states) = @_;
    my @logs = map {
        [map { log $_->{value} } @$_]
    } @states;
    my ($first, $second) = map { scalar @$_ } @logs;
    my $df        = $first + $second - STATES;
    my $deviation = sqrt(List::Util::sum(map { _sum_of_squares(@$_) } @logs) / $df);
    my $around    = sub { UnixBench::Score::Estimate::around(exp $_[0], $deviation * $_[1], $df) };
    my @over_runs = map { $around->(mean(@$_), 1 / sqrt @$_) } @logs;
    my @within    = map { UnixBench::Score::Estimate::geometric_mean(@$_) } @states;
    my $ratio     = $around->(mean(@{ $logs[1] }) - mean(@{ $logs[0] }), sqrt(1 / $first + 1 / $second));
    return {
        values    => [map { _wider($over_runs[$_], $within[$_]) } 0, 1],
        ratio     => _wider($ratio, UnixBench::Score::Estimate::ratio(reverse @within)),
        deviation => $deviation,
    };
}

sub _sum_of_squares {
    my (@values) = @_;
    my $mean = mean(@values);
    return List::Util::sum(map { ($_ - $mean)**2 } @values);
}

# Takes two estimates of the same value; returns the one with the wider interval. The second may have none.
sub _wider {
    my ($first, $second) = @_;
    my @half_widths = map { UnixBench::Score::Estimate::half_width($_) // 0 } $first, $second;
    return $half_widths[1] > $half_widths[0] ? $second : $first;
}

# Takes the rates of two states that were measured in turns: for each, [{ round => rate }, ...] of the same tests, one
# or all tests of an index; and [the numbers of the rounds that count]. Returns the estimate of the second state divided
# by the first, or undef if no such round has all rates. The unit is the round: the mean of the logarithms of the tests'
# ratios. With a single round there is no interval.
sub of_turns {
    my ($first, $second, $rounds) = @_;
    my @complete = grep { is_whole($_, @$first, @$second) } @$rounds;
    my @ratios   = map  { _ratio_in_round($_, $first, $second) } @complete;
    return @ratios ? UnixBench::Score::Estimate::of_rates(@ratios) : undef;
}

# Takes the number of a round, and { round => rate } of each test; returns whether the round has a rate of all tests.
sub is_whole {
    my ($round, @tests) = @_;
    return !grep { !defined $_->{$round} } @tests;
}

sub _ratio_in_round {
    my ($round, $first, $second) = @_;
    return geometric_mean(map { $second->[$_]{$round} / $first->[$_]{$round} } 0 .. $#$first);
}

# Takes a comparison of repeated runs, { ratio, deviation } of of_states(); [the number of runs of each state]; and the
# difference to show, a fraction of 1. Returns the range of the number, { least, most }. It follows from the 80 %
# interval of the variance between runs. Returns nothing if a state has fewer than four runs: then hardly anything is
# known about that variance. RUNS_MOST means that or more.
sub runs_needed {
    my ($compared, $runs, $difference) = @_;
    return if $difference <= 0 || grep { $_ < RUNS_LEAST } @$runs;
    my $df      = $runs->[0] + $runs->[1] - STATES;
    my $squares = $df * _deviation($compared, @$runs)**2;
    my @limits  = map { _chi_squared((1 + $_ * RANGE) / 2, $df) } 1, -1;
    my ($least, $most) = map { runs_that_show(sqrt($squares / $_), $difference) } @limits;
    return { least => $least, most => $most };
}

# Takes the standard deviation of the logarithms of runs of the same state, and the difference to show. Returns the
# number of runs of each state, at most RUNS_MOST.
sub runs_that_show {
    my ($deviation, $difference) = @_;
    my $shift = log 1 + $difference;
    for my $runs (STATES .. RUNS_MOST) {
        my $error = $deviation * sqrt(STATES / $runs);
        return $runs if $shift >= $error * _distance(STATES * ($runs - 1));
    }
    return RUNS_MOST;
}

# Takes the same as runs_needed(). Returns the deviation between runs. If the interval of the ratio is that of the
# errors within the runs, these are larger, and more runs have to lower them.
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
