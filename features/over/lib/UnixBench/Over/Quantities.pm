package UnixBench::Over::Quantities;

# What requirements may name of a run with --over, besides its values: the rate or index below which 5 % of the rounds
# are (p5), that in the middle (median), and the mean of the lowest hour (worst-hour).

use strict;
use warnings;

use List::Util qw(min);

use UnixBench::Over            ();
use UnixBench::Over::Figures   ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(quantile);

my %PART = (p5 => 0.05, median => 0.5);

# Takes such a word, and the key over of the procedure. Returns why the run will not show this quantity, or nothing.
sub why_no_quantity {
    my (undef, $word, $over) = @_;
    my $rounds = UnixBench::Over::Figures::HOUR_S * $over->{rounds} / $over->{over_s};
    return if $PART{$word} || $rounds >= UnixBench::Over::Figures::OF_HOUR;
    return sprintf 'an hour has %.1f rounds, and %s needs %d: measure fewer tests or copies', $rounds, $word,
        UnixBench::Over::Figures::OF_HOUR;
}

# Takes such a word, a result, its run, a factor, [rows of an index, or the row of a test, each { name, baseline }], and
# whether rounds that other load disturbed are left out. Returns the estimate, or undef if there are fewer than 48
# rounds, or if most hours have too few.
sub quantity {
    my (undef, $word, $result, @of) = @_;
    my @rounds = UnixBench::Over::Figures::rounds_of(@of);
    return if @rounds < UnixBench::Over::ROUNDS_LEAST;
    return { _of_order($PART{$word}, map { $_->{value} } @rounds) } if $PART{$word};
    return { UnixBench::Over::Figures::by_hour($result, @rounds) }->{lowest};
}

# Takes a part of 1, and values; returns the quantile with the interval between two of the values. It is about the time
# of the run: rounds are at random moments of its slots, so they tell more about it than as many independent ones would.
# Too few of them have no value that is low enough: the interval then begins with 0.
sub _of_order {
    my ($part, @values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    my ($below, $above) = _places($part, scalar @sorted);
    return (
        %{ UnixBench::Score::Estimate::known(quantile($part, @values)) },
        low  => $below ? $sorted[$below - 1] : 0,
        high => $sorted[min($#sorted, $above - 1)],
    );
}

# Takes a part of 1, and a number of independent values. Returns two places among the sorted values, from 1: with 97.5 %
# each, the value at the first is below the quantile, and that at the second is not. The first may be 0: none is.
sub _places {
    my ($part, $count) = @_;
    my ($below, $at_most, $exactly) = (0, 0, (1 - $part)**$count);
    my $rest = (1 - UnixBench::Score::Estimate::COVERED) / 2;
    for my $number (0 .. $count) {
        $at_most += $exactly;
        $below = $number + 1 if $at_most <= $rest;
        return ($below, $number + 1) if $at_most >= 1 - $rest;
        $exactly *= ($count - $number) / ($number + 1) * $part / (1 - $part);
    }
    return ($below, $count);
}

1;
