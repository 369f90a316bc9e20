package UnixBench::Compare::Fleet::Outliers;

# Finds the values of one measure that stand out among those of many machines.
#
# The distance from the median is the modified z-score of B. Iglewicz and D. Hoaglin, How to Detect and Handle Outliers
# (ASQC, 1993), with their limit of 3.5. A deviation below 1 % of the median is taken as 1 %, so machines that are
# nearly equal do not stand out.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Stats qw(median);

use constant {
    Z_LIMIT   => 3.5,
    QUARTILE  => 0.6745,    # of the normal distribution,
    TO_SD     => 1.4826,    # and its reciprocal
    MAD_LEAST => 0.01,
    TINY      => 1e-12,
    NOISY_OF  => 8,         # the smallest number of machines of which one can be noisy
};

# The least difference from the median that matters, as a fraction of the median.
my %PART = (index => 0.05, test => 0.10);

# Takes the smallest number of readings that are judged, "index" or "test", and a reading for each machine, { label,
# value, spread }. The spread is a coefficient of variation, or undef. Returns the outliers, each { label, is => "slow",
# "fast" or "noisy", value, median, z }. If it is noisy, value and median are spreads. Spreads of fewer than eight
# machines are not judged: that of a few passes is too uncertain.
sub outliers {
    my ($fewest, $kind, @readings) = @_;
    return (_slow_and_fast($fewest, $kind, @readings), _noisy(grep { $_->{spread} } @readings));
}

# Takes the same. Returns two fractions of the median: a machine below the first is slow, a machine above the second is
# fast. If the first is not above 0, no machine can be slow. Returns nothing if there are too few readings.
sub limits {
    my ($fewest, $kind, @readings) = @_;
    return if @readings < $fewest;
    my @values = map { $_->{value} } @readings;
    my $part   = List::Util::max($PART{$kind}, Z_LIMIT * _deviation(@values) / median(@values));
    return (1 - $part, 1 + $part);
}

sub _slow_and_fast {
    my ($fewest, $kind, @readings) = @_;
    return if @readings < $fewest;
    return map { +{ %$_, is => $_->{z} < 0 ? 'slow' : 'fast' } }
        grep { _is_outlier($kind, $_) } _placed('value', @readings);
}

sub _is_outlier {
    my ($kind, $reading) = @_;
    my $part = $reading->{value} / $reading->{median};
    return $part < 1 - $PART{$kind} if $reading->{z} < -Z_LIMIT;
    return $reading->{z} > Z_LIMIT && $part > 1 + $PART{$kind};
}

# Returns the noisy machines. Spreads differ by factors, so their logarithms are compared.
sub _noisy {
    my (@readings) = @_;
    return if @readings < NOISY_OF;
    return map { +{ %$_, is => 'noisy' } } grep { $_->{z} > Z_LIMIT } _placed('spread', @readings);
}

# Returns { label, value, median, z } for each reading. z is the distance from the median.
sub _placed {
    my ($key, @readings) = @_;
    my @values = map { $_->{$key} } @readings;
    my $median = median(@values);
    my @zs     = robust_z($key eq 'spread' ? map { log } @values : @values);
    return
        map { +{ label => $readings[$_]{label}, value => $values[$_], median => $median, z => $zs[$_] } } 0 .. $#values;
}

# Takes numbers, at least one; returns the distance of each from their median. The unit is the standard deviation of a
# normal distribution that has the same median absolute deviation.
sub robust_z {
    my (@values) = @_;
    my $median   = median(@values);
    my $one      = _deviation(@values);
    return map { ($_ - $median) / $one } @values;
}

sub _deviation {
    my (@values) = @_;
    my $median   = median(@values);
    my $mad      = median(map { abs $_ - $median } @values);
    return List::Util::max($mad, MAD_LEAST * abs($median) / TO_SD, TINY) / QUARTILE;
}

1;
