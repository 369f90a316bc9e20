package UnixBench::Fleet::Outliers;

# Finds the values of one measure that stand out among those of many machines.
#
# The distance from the median is the modified z-score of B. Iglewicz and D. Hoaglin, How to Detect and Handle Outliers
# (ASQC, 1993), with their limit of 3.5. It is that of logarithms: speeds differ by factors, and with linear values no
# machine can be slow as soon as the deviation exceeds 19 % of the median. A deviation below 1 % is taken as 1 %, so
# machines that are nearly equal do not stand out.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Compare::Kind ();
use UnixBench::Score::Stats  qw(median);

our @EXPORT_OK = qw(KINDS);

# How a value can stand out. Reports have this order.
use constant KINDS => qw(slow fast doubtful noisy unusual);

use constant {
    Z_LIMIT   => 3.5,
    QUARTILE  => 0.6745,    # of the normal distribution,
    TO_SD     => 1.4826,    # and its reciprocal
    MAD_LEAST => 0.01,
    MAD_MOST  => 0.18,      # of logarithms: above it, machines are too uneven to be judged
    TINY      => 1e-12,
    NOISY_OF  => 8,         # the smallest number of machines of which one can be noisy
};

# The least difference from the median that matters, as a fraction of the median.
my %PART = (index => 0.05, test => 0.10);

# Takes the smallest number of readings that are judged, "index" or "test", and a reading for each machine, { label,
# value, spread, is_disturbed, kind (of its procedure) }. The spread is a coefficient of variation, or undef. Returns
# the outliers, each { label, is, value, median, z }, where is tells how:
#   slow, fast  its index, compared with those that were not disturbed
#   unusual     a test alone
#   doubtful    one of these, but only while other load disturbed this machine or the others
#   noisy       value and median are spreads. Spreads of fewer than eight machines are not judged: that of a few passes
#               is too uncertain
# If machines are too uneven, none is called fast. If procedures are mixed, a value has to be further from the median.
sub outliers {
    my ($fewest, $kind, @readings) = @_;
    return (_slow_and_fast($fewest, $kind, @readings), _noisy(grep { $_->{spread} } @readings));
}

# Takes the smallest number of readings that are judged, and the readings; returns those with which all are compared:
# those that were not disturbed, if they are enough.
sub basis {
    my ($fewest, @readings) = @_;
    my @steady = grep { !$_->{is_disturbed} } @readings;
    return @steady >= $fewest ? @steady : @readings;
}

# Takes the same; returns by what fraction the readings typically differ from their median, if they are too uneven to be
# judged, else undef.
sub unevenness {
    my ($fewest, @readings) = @_;
    my @basis = basis($fewest, @readings);
    return if @basis < $fewest;
    my $mad = _mad(map { log $_->{value} } @basis);
    return $mad > MAD_MOST ? exp($mad) - 1 : undef;
}

# Takes the same as outliers(). Returns two fractions of the median: a machine below the first is slow, a machine above
# the second is fast. If the machines are too uneven, there is no second one. Returns nothing if there are too few
# readings.
sub limits {
    my ($fewest, $kind, @readings) = @_;
    my @basis = basis($fewest, @readings);
    return if @basis < $fewest;
    my @values = map { $_->{value} } @basis;
    my @logs   = map { log } @values;
    my ($middle, $far)  = (exp(median(@logs)) / median(@values), exp(Z_LIMIT * _deviation(_least(), @logs)));
    my ($slow,   $fast) = _parts($kind, @readings);
    my $low = List::Util::min($slow, $middle / $far);
    return defined unevenness($fewest, @readings) ? $low : ($low, List::Util::max($fast, $middle * $far));
}

# Takes "index" or "test", and the readings; returns the fractions of the median beyond which a difference matters.
sub _parts {
    my ($kind, @readings) = @_;
    my %part     = (low => 1 - $PART{$kind}, high => 1 + $PART{$kind});
    my $is_mixed = UnixBench::Compare::Kind::are_mixed(map { $_->{kind} } @readings);
    return @{ $is_mixed ? UnixBench::Compare::Kind::widened(\%part) : \%part }{qw(low high)};
}

sub _slow_and_fast {
    my ($fewest, $kind, @readings) = @_;
    my @steady   = grep { !$_->{is_disturbed} } @readings;
    my @sure     = _outliers($fewest, $kind, @steady);
    my %is_sure  = map  { $_->{label} => 1 } @sure;
    my @doubtful = grep { !$is_sure{ $_->{label} } } @steady < @readings ? _outliers($fewest, $kind, @readings) : ();
    return (@sure, map { +{ %$_, is => 'doubtful' } } @doubtful);
}

sub _outliers {
    my ($fewest, $kind, @readings) = @_;
    return if @readings < $fewest;
    my $is_uneven = defined unevenness($fewest, @readings);
    my @parts     = _parts($kind, @readings);
    return map { +{ %$_, is => $kind eq 'test' ? 'unusual' : $_->{z} < 0 ? 'slow' : 'fast' } }
        grep { _is_outlier($is_uneven, $_, @parts) } _placed('value', _least(), @readings);
}

sub _is_outlier {
    my ($is_uneven, $reading, $slow, $fast) = @_;
    my $part = $reading->{value} / $reading->{median};
    return $part < $slow if $reading->{z} < -Z_LIMIT;
    return !$is_uneven && $reading->{z} > Z_LIMIT && $part > $fast;
}

# Returns the noisy machines.
sub _noisy {
    my (@readings) = @_;
    return if @readings < NOISY_OF;
    my $least = _least(median(map { log $_->{spread} } @readings));
    return map { +{ %$_, is => 'noisy' } } grep { $_->{z} > Z_LIMIT } _placed('spread', $least, @readings);
}

# Takes a key and the least deviation of its logarithms; returns { label, value, median, z } for each reading. z is the
# distance from the median.
sub _placed {
    my ($key, $least, @readings) = @_;
    my @values = map { $_->{$key} } @readings;
    my $median = median(@values);
    my @zs     = robust_z($least, map { log } @values);
    return
        map { +{ label => $readings[$_]{label}, value => $values[$_], median => $median, z => $zs[$_] } } 0 .. $#values;
}

# Takes the least median absolute deviation, and numbers, at least one; returns the distance of each from their median.
# The unit is the standard deviation of a normal distribution that has the same median absolute deviation.
sub robust_z {
    my ($least, @values) = @_;
    my $median = median(@values);
    my $one    = _deviation($least, @values);
    return map { ($_ - $median) / $one } @values;
}

sub _deviation {
    my ($least, @values) = @_;
    return List::Util::max(_mad(@values), $least, TINY) / QUARTILE;
}

sub _mad {
    my (@values) = @_;
    my $median = median(@values);
    return median(map { abs $_ - $median } @values);
}

# Returns the least median absolute deviation: 1 % of a number, by default of 1, as a standard deviation.
sub _least {
    my ($of) = @_;
    return MAD_LEAST * abs($of // 1) / TO_SD;
}

1;
