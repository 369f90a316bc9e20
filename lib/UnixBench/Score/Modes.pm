package UnixBench::Score::Modes;

# Rates that gather around two values instead of one: a pipe between two processes on one CPU, or on two.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Stats qw(geometric_mean standard_deviation);

use constant {
    SIDE_MIN => 2,
    GAP_MIN  => log 1.3,    # less is noise, not another way of working
    GAP_SDS  => 4,
};

# Takes rates, each above 0; returns their two modes, [{ rate, share }, { rate, share }], the lower first, the rate a
# geometric mean, the share a part of 1; undef where there is but one.
sub of {
    my (@rates) = @_;
    my @sorted = sort { $a <=> $b } @rates;
    return if @sorted < 2 * SIDE_MIN;
    my ($at, $gap) = _largest_gap(map { log } @sorted);
    my @sides = ([@sorted[0 .. $at - 1]], [@sorted[$at .. $#sorted]]);
    return if $gap <= GAP_MIN || grep { @$_ < SIDE_MIN } @sides;
    return if $gap <= GAP_SDS * _deviation_of_larger(@sides);
    return [map { +{ rate => geometric_mean(@$_), share => @$_ / @sorted } } @sides];
}

# Takes numbers in ascending order; returns where the one behind the largest gap is, and that gap.
sub _largest_gap {
    my (@values) = @_;
    my @gaps     = map { $values[$_] - $values[$_ - 1] } 1 .. $#values;
    my $first    = List::Util::reduce { $gaps[$b] > $gaps[$a] ? $b : $a } 0 .. $#gaps;
    return ($first + 1, $gaps[$first]);
}

# Of sides of the same size, the deviation that is the larger.
sub _deviation_of_larger {
    my (@sides) = @_;
    my $size = List::Util::max(map { scalar @$_ } @sides);
    return List::Util::max(map { _log_deviation(@$_) } grep { @$_ == $size } @sides);
}

sub _log_deviation {
    my (@rates) = @_;
    return standard_deviation(map { log } @rates);
}

1;
