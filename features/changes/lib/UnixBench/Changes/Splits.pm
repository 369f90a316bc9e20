package UnixBench::Changes::Splits;

# The ways to split a segment in two: the Student statistic of each, the largest one, and its threshold. Student's t
# alone takes a few values of a long tail, or of a second mode, for a step. So nearly all values on one side of a step
# must be beyond those on the other side: their ranks, which do not know how far such values are.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(first max min);

use UnixBench::Changes::Segment qw(DENSE FIRST SIDE);
use UnixBench::Score::Stats     qw(t_quantile);

our @EXPORT_OK = qw(FEW);

use constant {
    BESIDE     => 14,        # days on each side of a step whose values have to show it, too, at least two of them
    STEEP      => 0.5,       # the part of it that they show, at least; else the values wander
    PER_VALUES => 1000,      # one false alarm in this number of values of all series
    FEW        => 16,        # values: fewer do not show whether there are two modes
    OF_FEW     => 1 / 16,    # the part of the probability that they have
    SERIES     => 64,        # series of which the number of splits is known
    ENOUGH     => 3.6,       # standard errors of the rank sum that a step needs,
    OF_LARGEST => 0.96,      # or this part of the largest number that so few values can have
    ROUNDING   => 1e-9,
    NONE       => 1e-12,     # a part of a sum of squares that comes from rounding
    INFINITE   => 1e9,
};

# The number of independent splits with the same probability of a false alarm: at values 5 to 12 of a segment; later
# for 64 series, and what each doubling of the series adds. Simulated with 40,076,144 series.
my @SPLITS = (1.98, 2.88, 3.45, 4.05, 4.6, 5.15, 5.65, 6.3);
use constant { SPLITS => 6.73, SPLITS_OF_DOUBLED => 0.4 };

my (%threshold, @tried);

# Takes the number of values in a segment, at least 5, and of series; returns the threshold of the statistic. With few
# values, values that alternate between two modes look like a step; so the first ones have a smaller probability.
sub threshold {
    my ($count, $series) = @_;
    return $threshold{"$count $series"} ||= do {
        my $splits =
            min($SPLITS[$count - FIRST] // INFINITE, SPLITS + SPLITS_OF_DOUBLED * log($series / SERIES) / log 2);
        my $probability = 1 / (PER_VALUES * $series) * ($count < FEW ? OF_FEW : 1);
        t_quantile(1 - $probability / (2 * $splits), $count - 2);
    };
}

# Takes a segment. Returns the split with the largest statistic: { place (of the first value of the new side), t, by
# (the difference of the means), from, end (the places that count), within (the sum of squares about both means),
# parts (of both sides, see UnixBench::Changes::Segment::part) }. Returns undef if there are too few values.
sub best {
    my ($segment) = @_;
    my $end = $segment->count;
    return if $end < FIRST;
    my $from = $segment->from($end);
    my ($square, $size) = largest($segment);
    ($square, $size) = _best_of($segment, $from, $end, _near($size, $end - $from)) if $size > DENSE;
    my $place = $end - $size;
    my ($old, $new) = ($segment->part($from, $place), $segment->part($place, $end));
    return {
        place  => $place,
        t      => sqrt $square,
        by     => $new->{mean} - $old->{mean},
        from   => $from,
        end    => $end,
        within => $old->{within} + $new->{within},
        parts  => [$old, $new]
    };
}

# Takes a segment, its split, and perhaps the days of runs; returns whether the values next to it show most of the
# change.
sub is_steep {
    my ($segment, $split, $days) = @_;
    my $place = $split->{place};
    my @days  = $days ? @$days[@{ $segment->runs }] : 0 .. $split->{end} - 1;
    my $from  = first { $_ >= $place - SIDE || $days[$place - 1] - $days[$_] < BESIDE } $split->{from} .. $place - 1;
    my $end   = first { $_ < $place + SIDE  || $days[$_] - $days[$place] < BESIDE } reverse $place .. $split->{end} - 1;
    my ($old, $new) = ($segment->part($from, $place), $segment->part($place, $end + 1));
    return ($new->{mean} - $old->{mean}) / $split->{by} >= STEEP;
}

# Takes a segment, its split, by what a standard error is too small because neighbours are alike, and perhaps the part
# of the largest z of few values that is enough. Returns whether the ranks show the change, too.
sub ranks_differ {
    my ($segment, $split, $inflation, $part) = @_;
    my ($used, $place) = ($segment->used, $split->{place});
    return differ([@$used[$split->{from} .. $place - 1]], [@$used[$place .. $split->{end} - 1]], $inflation, $part);
}

# Takes two lists of values, and the rest of that; returns the same.
sub differ {
    my ($old, $new, $inflation, $part) = @_;
    my $largest = _largest_z(scalar @$old, scalar @$new) * (1 - ROUNDING);
    return abs z($old, $new) >= min(ENOUGH * $inflation, ($part // OF_LARGEST) * $largest) ? 1 : 0;
}

# Takes two lists of values; returns the z of H. Mann and D. Whitney (Annals of Mathematical Statistics 18, 1947): how
# many standard errors the number of pairs in which the second value is larger is above half of all pairs. Equal
# values are half a pair.
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
    return ($pairs / ($first * $second) * 2 - 1) * _largest_z($first, $second);
}

# Takes the numbers of values of two lists; returns the largest z: that of lists without a common range.
sub _largest_z {
    my ($first, $second) = @_;
    return sqrt(3 * $first * $second / ($first + $second + 1));
}

# Takes a segment with enough values. Returns the square of the largest statistic, and the size of its new side.
sub largest {
    my ($segment) = @_;
    my $end       = $segment->count;
    my $from      = $segment->from($end);
    return _best_of($segment, $from, $end, $tried[$end - $from] ||= _sizes($end - $from));
}

# Takes the size of a segment. Returns [[size of the new side, factor of the square of its deviation], ...], for all
# sizes that are tried.
sub _sizes {
    my ($count) = @_;
    my @sizes;
    for (my $size = SIDE; $size <= $count - SIDE; $size = $size < DENSE ? $size + 1 : int($size * 5 / 4)) {
        push @sizes, $size;
    }
    return _weighted($count, @sizes);
}

sub _near {
    my ($size, $count) = @_;
    return _weighted($count, max(SIDE, int($size * 3 / 4)) .. min($count - SIDE, int($size * 4 / 3)));
}

sub _weighted {
    my ($count, @sizes) = @_;
    return [map { [$_, 1 / ($_ * ($count - $_))] } @sizes];
}

# The sum of squares between both sides is the square of the new side's deviation from the common mean, times the
# number of all values, by the sizes of both.
sub _best_of {
    my ($segment, $from, $end, $sizes) = @_;
    my ($sums, $squared) = $segment->sums;
    my $total = $sums->[$end];
    my ($count, $sum) = ($end - $from, $total - $sums->[$from]);
    my $mean = $sum / $count;
    my ($most, $of) = (-1, 0);
    for my $size (@$sizes) {
        my $deviation = $total - $sums->[$end - $size->[0]] - $size->[0] * $mean;
        my $between   = $deviation * $deviation * $size->[1];
        ($most, $of) = ($between, $size->[0]) if $between > $most;
    }
    my $squares = $squared->[$end] - $squared->[$from];
    my $between = $most * $count;
    my $within  = $squares - $sum * $mean - $between;
    return (($count - 2) * $between / $within,         $of) if $within > NONE * $squares;
    return ($between > NONE * $squares ? INFINITE : 0, $of);
}

1;
