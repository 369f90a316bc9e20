package UnixBench::Compare::Fleet::Outliers;

# Which of many machines are far from the others in a test or an index. How far is the modified z-score of B. Iglewicz
# and D. Hoaglin, How to Detect and Handle Outliers (ASQC, 1993), with their limit of 3.5. A deviation of less than a
# hundredth is taken for one, so that machines that are all but equal stay so.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Stats qw(median);

use constant {
    FAR       => 3.5,
    QUARTILE  => 0.6745,    # of the normal distribution,
    TO_SD     => 1.4826,    # and 1 over it
    MAD_LEAST => 0.01,
    TINY      => 1e-12,
    FEWEST    => 8,         # machines that make a fleet
};

my %PART = (index => 0.05, test => 0.10);    # what a difference from the median has to exceed

# Takes "index" or "test", and readings, one of each machine: { label, value, spread (a coefficient of variation, or
# undef) }. Returns those that stand out, each { label, is => "slow", "fast" or "noisy", value, median, z }; value and
# median of a noisy one are spreads. Among fewer than eight nobody stands out.
sub among {
    my ($kind, @readings) = @_;
    return (_slow_and_fast($kind, @readings), _noisy(grep { $_->{spread} } @readings));
}

# Takes the same. Returns below which part of the median a machine is slow, and above which it is fast; the first is not
# above 0 where none can be slow. Nothing among fewer than eight.
sub limits {
    my ($kind, @readings) = @_;
    return if @readings < FEWEST;
    my @values = map { $_->{value} } @readings;
    my $part   = List::Util::max($PART{$kind}, FAR * _deviation(@values) / median(@values));
    return (1 - $part, 1 + $part);
}

sub _slow_and_fast {
    my ($kind, @readings) = @_;
    return
        map { +{ %$_, is => $_->{z} < 0 ? 'slow' : 'fast' } } grep { _is_far($kind, $_) } _placed('value', @readings);
}

sub _is_far {
    my ($kind, $reading) = @_;
    my $part = $reading->{value} / $reading->{median};
    return $part < 1 - $PART{$kind} if $reading->{z} < -FAR;
    return $reading->{z} > FAR && $part > 1 + $PART{$kind};
}

# Spreads vary by factors.
sub _noisy {
    my (@readings) = @_;
    return map { +{ %$_, is => 'noisy' } } grep { $_->{z} > FAR } _placed('spread', @readings);
}

# Readings with what is looked at, its median, and how far it is from that.
sub _placed {
    my ($key, @readings) = @_;
    return if @readings < FEWEST;
    my @values = map { $_->{$key} } @readings;
    my $median = median(@values);
    my @zs     = robust_z($key eq 'spread' ? map { log } @values : @values);
    return
        map { +{ label => $readings[$_]{label}, value => $values[$_], median => $median, z => $zs[$_] } } 0 .. $#values;
}

# Takes numbers, at least one; returns for each how far it is from their median, in standard deviations of a normal
# distribution with their median absolute deviation.
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
