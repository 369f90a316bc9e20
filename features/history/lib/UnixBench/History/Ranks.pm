package UnixBench::History::Ranks;

# The rank condition for a change: whether nearly all values on one side of a step are beyond those on the other side.
# Student's t alone takes a few values of a long tail, or of a second mode, for a step. Ranks do not know how far such
# values are.

use strict;
use warnings;

use List::Util qw(min);

# A step needs this many standard errors of the rank sum, or this part of the largest number that so few values can
# have. From features/history/lab/grid, history and real-series, see the README there.
use constant { ENOUGH => 3.6, OF_LARGEST => 0.96, ROUNDING => 1e-9 };

# Takes two lists of values; returns the z of H. Mann and D. Whitney (Annals of Mathematical Statistics 18, 1947): how
# many standard errors the number of pairs in which the second value is larger is above half of all pairs. Equal values
# are half a pair.
sub z {
    my ($old, $new) = @_;
    my @old = sort { $a <=> $b } @$old;
    my ($below, $upto, $pairs) = (0, 0, 0);
    for my $value (sort { $a <=> $b } @$new) {
        $below++ while $below < @old && $old[$below] < $value;
        $upto = $below if $upto < $below;
        $upto++ while $upto < @old && $old[$upto] <= $value;
        $pairs += ($below + $upto) / 2;
    }
    my ($first, $second) = (scalar @$old, scalar @$new);
    return ($pairs / ($first * $second) * 2 - 1) * largest_z($first, $second);
}

# Takes the numbers of values of two lists; returns the largest z: that of lists without a common range.
sub largest_z {
    my ($first, $second) = @_;
    return sqrt(3 * $first * $second / ($first + $second + 1));
}

# Takes two lists of values, by what a standard error is too small because neighbours are alike, and perhaps another
# part of the largest z that is enough. Returns whether the ranks differ enough for a change.
sub differ {
    my ($old, $new, $inflation, $part) = @_;
    my $largest = largest_z(scalar @$old, scalar @$new) * (1 - ROUNDING);
    return abs z($old, $new) >= min(ENOUGH * $inflation, ($part // OF_LARGEST) * $largest) ? 1 : 0;
}

1;
