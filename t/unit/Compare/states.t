# Tests of the ratio of two states: of repeated runs, by UnixBench::Compare::Repeated, and of turns, by
# UnixBench::Score::Turns.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Compare::Repeated;
use UnixBench::Score::Estimate;
use UnixBench::Score::Turns;

# Student's t for 95 %, by degrees of freedom, from tables.
my %T = (1 => 12.7062047362, 2 => 4.3026527297, 3 => 3.1824463053, 8 => 2.3060041352, 16 => 2.1199052992);

# The logarithm of 1.1: the rates of these tests are powers of 1.1.
use constant STEP => log 1.1;

sub of_states { return UnixBench::Compare::Repeated::of_states(@_) }
sub of_turns  { return UnixBench::Score::Turns::of_turns(@_) }

# Takes numbers; returns an estimate of each, without an interval.
sub known {
    return [map { UnixBench::Score::Estimate::known($_) } @_];
}

# Takes an estimate, its value, half of the width of its interval as a logarithm, and a name; tests it.
sub is_estimate {
    my ($estimate, $value, $half, $name) = @_;
    my %wanted = (value => $value, low => $value * exp(-$half), high => $value * exp $half);
    for my $key (sort keys %wanted) {
        my ($got, $should) = ($estimate->{$key}, $wanted{$key});
        cmp_ok(abs($got / $should - 1), '<', 1e-9, "$name: $key") || diag "$got, not $should";
    }
    return;
}

sub is_near {
    my ($got, $wanted, $name) = @_;
    return cmp_ok(abs($got - $wanted), '<', 1e-12, $name) || diag "$got, not $wanted";
}

subtest 'three runs of a state and two of another, by hand' => sub {

    # In steps, the logarithms are 0, 1, 2 above that of 100, and 0, 2 above that of 200. The means are 1 and 1, so the
    # values are 110 and 220, and the ratio is 2. The sums of squares are 2 and 2, with 3 degrees of freedom: the pooled
    # variance is 4/3. The variance of the ratio is 4/3 * (1/3 + 1/2) = 10/9.
    my $got = of_states(known(100, 110, 121), known(200, 242));
    is_near($got->{deviation}, STEP * sqrt(4 / 3), 'the deviation is pooled');
    is_estimate($got->{ratio},     2,   STEP * sqrt(10 / 9) * $T{3},    'ratio');
    is_estimate($got->{values}[0], 110, STEP * sqrt(4 / 3 / 3) * $T{3}, 'first state');
    is_estimate($got->{values}[1], 220, STEP * sqrt(4 / 3 / 2) * $T{3}, 'second state');
    is($got->{ratio}{df}, 3, 'degrees of freedom');
};

subtest 'the ratio is that of the second state to the first' => sub {
    my @states = (known(100, 110, 121), known(200, 242));
    my ($there, $back) = (of_states(@states), of_states(reverse @states));
    is_near($back->{ratio}{value} * $there->{ratio}{value}, 1, 'the other way round, it is the inverse');
    is_near($back->{ratio}{low} * $there->{ratio}{high},    1, 'so are the ends of its interval');
    is_near($back->{deviation},                             $there->{deviation}, 'the deviation stays the same');
};

subtest 'one run of a state has the deviation of the other state' => sub {

    # The logarithms are 0; 0 and 2 steps. The only sum of squares is 2, with 1 degree of freedom. The variance of the
    # ratio is 2 * (1/1 + 1/2) = 3.
    my $got = of_states(known(100), known(100, 121));
    is_near($got->{deviation}, STEP * sqrt 2, 'the deviation is that of the state with two runs');
    is_estimate($got->{ratio},     1.1, STEP * sqrt(3) * $T{1}, 'ratio');
    is_estimate($got->{values}[0], 100, STEP * sqrt(2) * $T{1}, 'the state with one run');
    is_estimate($got->{values}[1], 110, STEP * $T{1},           'the state with two runs');
    my $other = of_states(known(100, 121), known(100));
    is_estimate($other->{ratio}, 1 / 1.1, STEP * sqrt(3) * $T{1}, 'the other way round');
};

subtest 'runs of each state that are equal have a known ratio' => sub {
    my $got = of_states(known(100, 100), known(110, 110));
    is($got->{deviation}, 0, 'the deviation is 0');
    is_estimate($got->{ratio}, 1.1, 0, 'the interval has no width');
};

subtest 'the interval from within the runs is used if it is wider' => sub {

  # Each run has a standard error of 0.1 with 4 degrees of freedom. That of the mean of two is 0.1 / sqrt(2) with 8, and
  # that of the ratio of two such means is 0.1 with 16.
    my $run = sub { return UnixBench::Score::Estimate::around($_[0], 0.1, 4) };
    my $got = of_states([$run->(100), $run->(100)], [$run->(110), $run->(110)]);
    is_estimate($got->{ratio}, 1.1, 0.1 * $T{16}, 'equal runs');
    is($got->{deviation}, 0, 'the deviation between equal runs is 0');
    is_estimate($got->{values}[0], 100, 0.1 / sqrt(2) * $T{8}, 'each state');

    # Runs that are 2 steps apart have a pooled variance of (2 + 2) / 2, so the variance of the ratio is 2.
    $got = of_states([$run->(100), $run->(121)], [$run->(100), $run->(121)]);
    is_estimate($got->{ratio}, 1, STEP * sqrt(2) * $T{2}, 'different runs');
};

subtest 'the intervals hold the truth in 95 of 100 cases' => sub {
    srand 1995;
    my $normal = sub { my $sum = -6; $sum += rand for 1 .. 12; return $sum };
    my $runs   = sub {
        my ($log, $count) = @_;
        return known(map { exp($log + 0.03 * $normal->()) } 1 .. $count);
    };
    for my $counts ([2, 2], [1, 4], [3, 3]) {
        my $holds = 0;
        for (1 .. 2000) {
            my $ratio = of_states($runs->(3, $counts->[0]), $runs->(3.1, $counts->[1]))->{ratio};
            $holds++ if $ratio->{low} <= exp 0.1 && exp 0.1 <= $ratio->{high};
        }
        cmp_ok(abs($holds / 2000 - 0.95), '<', 0.02, "@$counts runs: $holds of 2000 intervals hold the ratio");
    }
};

subtest 'turns: the ratio of one test, by hand' => sub {

    # The ratios are 2 times 1, 1.1 and 1.21: 0, 1 and 2 steps of log 1.1. Their mean is 1 step, their standard
    # deviation is 1 step, and the standard error of the mean is 1 / sqrt(3) steps with 2 degrees of freedom.
    my ($first, $second) = ({ 1 => 100, 2 => 50, 3 => 200 }, { 1 => 200, 2 => 110, 3 => 484 });
    my $ratio = of_turns([$first], [$second], [1 .. 3]);
    is_estimate($ratio, 2.2, log(1.1) / sqrt(3) * $T{2}, 'three rounds');
    is($ratio->{df}, 2, 'degrees of freedom');

    # 0 and 2 steps: the standard error is 1 step with 1 degree of freedom.
    is_estimate(of_turns([$first],  [$second], [1, 3]), 2.2,     log(1.1) * $T{1}, 'only the rounds that count');
    is_estimate(of_turns([$second], [$first],  [1, 3]), 1 / 2.2, log(1.1) * $T{1}, 'the other way round');
};

subtest 'turns: the ratio of an index, by hand' => sub {

    # The tests' ratios are 1.1 and 1.21 / 1.1 in round 1, so their mean is 1 step; in round 2 they are 1.331 and 1.331,
    # 3 steps. The mean is 2 steps, and its standard error is 1 step. In the other rounds a rate is missing.
    my @first  = ({ 1 => 10, 2 => 10,    3 => 10, 4 => 10 }, { 1 => 1.1,  2 => 1,     3 => 1 });
    my @second = ({ 1 => 11, 2 => 13.31, 3 => 90, 4 => 90 }, { 1 => 1.21, 2 => 1.331, 4 => 1 });
    my $ratio  = of_turns(\@first, \@second, [1 .. 5]);
    is_estimate($ratio, 1.21, log(1.1) * $T{1}, 'two complete rounds');
    is($ratio->{df}, 1, 'degrees of freedom');
};

subtest 'turns: too few rounds' => sub {
    my ($first, $second) = ([{ 1 => 100, 2 => 100 }], [{ 1 => 110, 3 => 110 }]);
    my $ratio = of_turns($first, $second, [1 .. 3]);
    cmp_ok(abs($ratio->{value} - 1.1), '<', 1e-12, 'one round has a ratio');
    is_deeply([@$ratio{qw(low high log_se df)}], [(undef) x 4], 'but no interval');
    is_deeply([of_turns($first, $second, [2, 3])], [undef], 'without a round with both states there is no ratio');
    is_deeply([of_turns($first, $second, [])],     [undef], 'nor is there one without rounds');
};

subtest 'turns: a drift that all states see does not widen the interval' => sub {
    my $drift = sub { 100 * 0.5**$_[0] };
    my ($first, $second) = map {
        my $by = $_;
        +{ map { $_ => $by * $drift->($_) } 1 .. 6 }
    } 1, 1.25;
    is_estimate(of_turns([$first], [$second], [1 .. 6]), 1.25, 0, 'six rounds');
};

done_testing;
