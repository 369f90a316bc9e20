package UnixBench::Score::Spread;

# How much the passes of a test vary, and how precise its score and an index are. All passes are included. The score of
# an official run leaves out the third of the passes with the lowest counts, so it is mostly above its own interval.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result        qw(is_measured);
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score               ();
use UnixBench::Score::Stats        qw(geometric_mean mean standard_deviation);

# Two modes need at least SIDE_MIN passes each. The gap between them is at least GAP_MIN, a difference of logarithms,
# and GAP_SDS standard deviations. A smaller gap is noise.
use constant { SIDE_MIN => 2, GAP_MIN => log 1.3, GAP_SDS => 4 };

# The modes of a test are those of at least PASSES_MIN passes, of which each mode has at least UNDISTURBED_MIN that
# nothing disturbed: other load makes passes slow, too.
use constant { PASSES_MIN => 8, UNDISTURBED_MIN => 3 };

# Takes a test, the number of rounds of a quick run, or undef for an official one, and perhaps the confidence of
# intervals. Returns undef if the test was not measured, else a hash on the rates of its passes:
#   passes    their number
#   cv        the coefficient of variation: standard deviation / mean; undef for one pass
#   modes     see modes(); undef if there are too few passes, or too few undisturbed ones
#   estimate  see UnixBench::Score::Estimate
sub of_test {
    my ($test, $rounds, $covered) = @_;
    return if !is_measured($test);
    my $passes = $test->{passes};
    my @rates  = _rates($passes);
    return {
        passes   => scalar @rates,
        cv       => @rates > 1 ? standard_deviation(@rates) / mean(@rates) : undef,
        modes    => scalar modes_of($passes),
        estimate => UnixBench::Score::Estimate::at(_estimate_of_test($rounds, $passes), $covered),
    };
}

# Takes a run, and perhaps the confidence of intervals; returns { name => what of_test() returns } of its measured
# tests.
sub of_run {
    my ($run, $covered) = @_;
    return { map { $_->{name} => of_test($_, $run->{rounds}, $covered) } grep { is_measured($_) } @{ $run->{tests} } };
}

# Takes an index, its run, and perhaps the confidence of intervals; returns the estimate of the index or, if it has no
# number, of the mean of its measured tests.
sub of_index {
    my ($index, $run, $covered) = @_;
    my %passes    = map  { $_->{name} => $_->{passes} } @{ $run->{tests} };
    my @rows      = grep { defined $_->{baseline} } @{ $index->{rows} };
    my $factor    = 10 / geometric_mean(map { $_->{baseline} } @rows);
    my @of_passes = map { $passes{ $_->{name} } } @rows;
    return _estimate_of_index($run->{rounds}, $covered, $factor, @of_passes);
}

# Takes the number of rounds of a quick run, or undef for an official one, and [passes] of each test of a value,
# perhaps only some. Returns the standard deviation of its logarithm: from round to round, or from pass to pass; 0 if
# they do not show it. It is not derived from the error of a mean, which is wider if neighbours are alike.
sub deviation {
    my ($rounds, @of_passes) = @_;
    my $by_round = defined $rounds ? UnixBench::Score::Estimate::deviation_of_rounds(_by_round(@of_passes)) : undef;
    return $by_round if defined $by_round;
    my @variances = map { standard_deviation(@$_)**2 } grep { @$_ > 1 } map { [map { log } _rates($_)] } @of_passes;
    return sqrt(List::Util::sum(0, @variances)) / @of_passes;
}

# Takes [rates above 0]; returns their two modes, [{ rate, share }, { rate, share }], the lower one first, or undef
# if there is only one mode. Each rate is a geometric mean, each share a fraction of 1. For example, the rates of a pipe
# gather around two values: its two processes run on one CPU, or on two.
sub modes {
    my ($rates) = @_;
    my @sorted = sort { $a <=> $b } @$rates;
    return if @sorted < 2 * SIDE_MIN;
    my ($at, $gap) = _largest_gap(map { log } @sorted);
    my @sides = ([@sorted[0 .. $at - 1]], [@sorted[$at .. $#sorted]]);
    return if $gap <= GAP_MIN || grep { @$_ < SIDE_MIN } @sides;
    return if $gap <= GAP_SDS * _deviation_of_larger(@sides);
    return [map { +{ rate => geometric_mean(@$_), share => @$_ / @sorted } } @sides];
}

# Takes [passes]; returns their modes, if enough passes show them, else undef.
sub modes_of {
    my ($passes) = @_;
    return if @$passes < PASSES_MIN;
    my @rates = _rates($passes);
    my $modes = modes(\@rates) // return;
    my @order = sort { $rates[$a] <=> $rates[$b] } 0 .. $#rates;
    my @lower = splice @order, 0, sprintf '%.0f', $modes->[0]{share} * @rates;
    for my $side (\@lower, \@order) {
        my $undisturbed = grep { !UnixBench::Noise::Disturbances::is_disturbed($passes->[$_]) } @$side;
        return if $undisturbed < UNDISTURBED_MIN;
    }
    return $modes;
}

# Takes numbers in ascending order; returns the position of the number after the largest gap, and the gap.
sub _largest_gap {
    my (@values) = @_;
    my @gaps     = map { $values[$_] - $values[$_ - 1] } 1 .. $#values;
    my $first    = List::Util::reduce { $gaps[$b] > $gaps[$a] ? $b : $a } 0 .. $#gaps;
    return ($first + 1, $gaps[$first]);
}

# Returns the standard deviation of the logarithms of the larger side. If both have the same size, returns the larger
# deviation.
sub _deviation_of_larger {
    my (@sides) = @_;
    my $size    = List::Util::max(map { scalar @$_ } @sides);
    my @logs    = map { [map { log } @$_] } grep { @$_ == $size } @sides;
    return List::Util::max(map { standard_deviation(@$_) } @logs);
}

sub _rates {
    my ($passes) = @_;
    return map { UnixBench::Score::rate($_) } @$passes;
}

sub _estimate_of_test {
    my ($rounds, $passes) = @_;
    return UnixBench::Score::Estimate::of_rates(_rates($passes)) if !defined $rounds;
    return UnixBench::Score::Estimate::of_rounds(_score($passes), _rates($passes));
}

# Takes the number of rounds or undef, a confidence or undef, the factor by which the mean of the tests becomes an
# index, and [passes] of each test; returns the estimate of the index.
sub _estimate_of_index {
    my ($rounds, $covered, $factor, @of_passes) = @_;
    $covered //= UnixBench::Score::Estimate::COVERED;
    if (defined $rounds) {
        my $index = $factor * geometric_mean(map { _score($_) } @of_passes);
        return UnixBench::Score::Estimate::of_index_at($covered, $index, _by_round(@of_passes));
    }
    my @estimates = map { _estimate_of_test(undef, $_) } @of_passes;
    my $mean      = UnixBench::Score::Estimate::at(UnixBench::Score::Estimate::geometric_mean(@estimates), $covered);
    return UnixBench::Score::Estimate::multiple($mean, $factor);
}

# Takes [passes] of each test; returns { round => rate } of each.
sub _by_round {
    my (@of_passes) = @_;
    return map { +{ map { $_->{number} => UnixBench::Score::rate($_) } @$_ } } @of_passes;
}

sub _score {
    my ($passes) = @_;
    return UnixBench::Score::test_of_rounds($passes)->{score};
}

1;
