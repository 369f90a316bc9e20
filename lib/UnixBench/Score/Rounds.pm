package UnixBench::Score::Rounds;

# What is known of scores and indexes that were measured in rounds. What disturbs a round disturbs all its tests alike,
# so that an index is held to be no surer than its rounds agree.

use strict;
use warnings;

use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(geometric_mean);

# Takes a test's score and its rate in each round; returns the estimate of the score: Student's t over the rounds.
sub of_test {
    my ($score, @rates) = @_;
    return _as_sure_as(UnixBench::Score::Estimate::of_rates(@rates), $score);
}

# Takes an index, and for each of its tests { round => rate }, at least one; returns the estimate of the index. Of the
# two intervals, over whole rounds and over tests, it is the wider one, and so are log_se and df.
sub of_index {
    my ($index, @tests) = @_;
    my @known    = grep { defined $_->{log_se} } _over_rounds(@tests), _over_tests(@tests);
    my ($widest) = sort { _half_width($b) <=> _half_width($a) } @known;
    return $widest ? _as_sure_as($widest, $index) : UnixBench::Score::Estimate::known($index);
}

# What the rounds tell that have a rate of each test.
sub _over_rounds {
    my (@tests) = @_;
    my %tests_in;
    $tests_in{$_}++ for map { keys %$_ } @tests;
    my @whole = grep { $tests_in{$_} == @tests } sort { $a <=> $b } keys %tests_in;
    return if !@whole;
    return UnixBench::Score::Estimate::of_rates(map { _mean_of_round($_, @tests) } @whole);
}

sub _mean_of_round {
    my ($round, @tests) = @_;
    return geometric_mean(map { $_->{$round} } @tests);
}

# What the tests tell, each for itself: Satterthwaite, An approximate distribution of estimates of variance components,
# Biometrics Bulletin 2 (1946).
sub _over_tests {
    my (@tests) = @_;
    return UnixBench::Score::Estimate::geometric_mean(map { UnixBench::Score::Estimate::of_rates(_in_order($_)) }
            @tests);
}

sub _in_order {
    my ($test) = @_;
    return map { $test->{$_} } sort { $a <=> $b } keys %$test;
}

sub _as_sure_as {
    my ($estimate, $value) = @_;
    return UnixBench::Score::Estimate::around($value, @$estimate{qw(log_se df)});
}

sub _half_width {
    my ($estimate) = @_;
    return UnixBench::Score::Estimate::half_width($estimate);
}

1;
