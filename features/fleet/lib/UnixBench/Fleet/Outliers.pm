package UnixBench::Fleet::Outliers;

# Finds the values of one measure that stand out among those of many machines of one kind.
#
# The distance from the median is that of logarithms: speeds differ by factors, and with linear values no machine can be
# slow as soon as the deviation exceeds 19 % of the median. Its unit, the deviation between healthy machines, has two
# sources. The median absolute deviation (MAD) shows it, as in the modified z-score of B. Iglewicz and D. Hoaglin, How
# to Detect and Handle Outliers (ASQC, 1993). With a few machines it says little: its efficiency is 0.37 (P. Rousseeuw
# and C. Croux, Alternatives to the Median Absolute Deviation, JASA 88, 1993). So the errors of the single values,
# within the run and from run to run, count as eight degrees of freedom, as in UnixBench::Score::Repeat.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Score::Stats qw(median t_quantile);

our @EXPORT_OK = qw(KINDS);

# How a value can stand out. Reports have this order.
use constant KINDS => qw(slow fast doubtful noisy unusual);

use constant {
    Z_LIMIT    => 3.5,       # Iglewicz and Hoaglin
    QUARTILE   => 0.6745,    # of the normal distribution
    LEAST      => 0.01,      # the smallest deviation: machines that are nearly equal do not stand out
    MAD_MOST   => 0.18,      # of logarithms: above it, machines are too uneven to be judged
    EFFICIENCY => 0.37,      # of the MAD
    ERROR_DF   => 8,         # what the errors of single values count
    TINY       => 1e-12,
    TESTS_OF   => 8,         # the smallest number of machines of which one can be noisy, or unusual by a test
};

# Tests take part in one level for the whole list: one healthy fleet in 20 may have an unusual test. Their values have
# heavy tails, as Student's t with four degrees of freedom, and a short list does not show these tails, so it counts as
# one of 600 values. features/fleet/lab/README.md has the simulated fleets with which both numbers were chosen.
use constant { LEVEL => 0.05, TAILS_DF => 4, VALUES_LEAST => 600 };

# By what the MAD of a few values has to be multiplied: C. Croux and P. Rousseeuw, Time-Efficient Algorithms for Two
# Highly Robust Estimators of Scale (1992). For n values, ten or more, it is n / (n - OF_MORE).
use constant OF_MORE => 0.8;
my @OF_FEW = (1, 1, 1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107);

# The least difference from the median that matters, as a fraction of the median. Tests have to be further off anyway.
use constant PART => 0.05;

# A noisy spread is at least this multiple of the median: smaller ones occur by chance in a list of many tests.
my %NOISY_FROM = (index => 1.5, test => 2.5);

# A rule is plain data: { judged, the smallest number of machines of a kind that are compared; tests, the number of
# values of tests in the whole list }.

# Takes a rule, "index" or "test", and a reading for each machine of a kind, { label, value, spread, error, limit,
# is_disturbed, at_least, at_most }. The spread is a coefficient of variation, or undef. The error is that of the
# logarithm of the value as one of the machine, or undef. If other load disturbed the value, it is at least and at most
# between these two, or of any size if they are undef. Returns the outliers, each { label, is, value, median, z },
# where is tells how:
#   slow, fast  its index, compared with those that were not disturbed
#   unusual     a test alone, among eight machines or more
#   doubtful    one of these, but only while other load disturbed this machine or the others, which may be the reason
#   noisy       value and median are spreads, of eight machines or more
# If machines are too uneven, none is called fast.
sub outliers {
    my ($rule, $kind, @readings) = @_;
    return (_slow_and_fast($rule, $kind, @readings), _noisy($kind, grep { $_->{spread} } @readings));
}

# Takes a rule and the readings; returns those with which all are compared: those that were not disturbed, if they are
# enough.
sub basis {
    my ($rule, @readings) = @_;
    my @steady = grep { !$_->{is_disturbed} } @readings;
    return @steady >= $rule->{judged} ? @steady : @readings;
}

# Takes the same; returns by what fraction the readings typically differ from their median, if they are too uneven to be
# judged, else undef.
sub unevenness {
    my ($rule, @readings) = @_;
    my @basis = basis($rule, @readings);
    return if @basis < $rule->{judged};
    my $mad = _mad(map { log $_->{value} } @basis);
    return $mad > MAD_MOST ? exp($mad) - 1 : undef;
}

# Takes the same as outliers(). Returns two fractions of the median: a machine below the first is slow, a machine above
# the second is fast, unless its own error is larger than the deviation of its kind. If the machines are too uneven,
# there is no second one. Returns nothing if there are too few readings.
sub limits {
    my ($rule, $kind, @readings) = @_;
    my @basis = basis($rule, @readings);
    return if @basis < _least_of($rule, $kind);
    my @values = map { $_->{value} } @basis;
    my $middle = exp(median(map { log } @values)) / median(@values);
    my $far    = exp(_z_limit($rule, $kind) * _deviation(@basis));
    my $low    = List::Util::min(1 - PART, $middle / $far);
    return defined unevenness($rule, @readings) ? $low : ($low, List::Util::max(1 + PART, $middle * $far));
}

# Returns the smallest number of machines that are judged.
sub _least_of {
    my ($rule, $kind) = @_;
    return $kind eq 'index' ? $rule->{judged} : List::Util::max(TESTS_OF, $rule->{judged});
}

# Returns the limit of z. That of tests grows with the number of values in the list (Bonferroni).
sub _z_limit {
    my ($rule, $kind) = @_;
    return Z_LIMIT if $kind eq 'index';
    return t_quantile(1 - LEVEL / 2 / List::Util::max(VALUES_LEAST, $rule->{tests}), TAILS_DF);
}

sub _slow_and_fast {
    my ($rule, $kind, @readings) = @_;
    my @steady = grep { !$_->{is_disturbed} } @readings;
    my %is_sure;
    my @sure = grep { !$is_sure{ $_->{label} }++ } (
        _outliers($rule, $kind, @steady),
        _limited($rule, $kind, \@steady, @readings),
        _in_spite_of_load($rule, $kind, \@steady, @readings)
    );
    my @doubtful   = grep { !$is_sure{ $_->{label} } } @steady < @readings ? _outliers($rule, $kind, @readings) : ();
    my %is_limited = map  { $_->{label} => 1 } grep { defined $_->{limit} } @readings;
    return (@sure, map { $is_limited{ $_->{label} } ? $_ : { %$_, is => 'doubtful' } } @doubtful);
}

sub _outliers {
    my ($rule, $kind, @readings) = @_;
    return _outliers_among($rule, $kind, \@readings, @readings);
}

# Takes a rule, the kind, [the readings that were not disturbed], and all readings. Returns those that are slow and have
# a limit of CPU time that others do not have: that is the reason, whatever other load did.
sub _limited {
    my ($rule, $kind, $steady, @readings) = @_;
    return grep { $_->{z} < 0 } _outliers_among($rule, $kind, $steady, grep { defined $_->{limit} } @readings);
}

# Takes a rule, the kind, [the readings that were not disturbed], and all readings. Returns those outliers among the
# disturbed ones that are outliers whatever other load did: their ceiling is too low, or their floor too high.
sub _in_spite_of_load {
    my ($rule, $kind, $steady, @readings) = @_;
    my @disturbed = map { +{ %$_, error => undef } } grep { $_->{is_disturbed} } @readings or return;
    my ($low, $high) = map { _at($_, @disturbed) } qw(at_most at_least);
    my %is_sure = map { $_->{label} => 1 } (
        grep({ $_->{z} < 0 } _outliers_among($rule, $kind, $steady, @$low)),
        grep({ $_->{z} > 0 } _outliers_among($rule, $kind, $steady, @$high)),
    );
    return _outliers_among($rule, $kind, $steady, grep { $is_sure{ $_->{label} } } @disturbed);
}

# Takes a key and readings; returns [those that have it, with it as their value].
sub _at {
    my ($key, @readings) = @_;
    return [map { +{ %$_, value => $_->{$key} } } grep { defined $_->{$key} } @readings];
}

# Takes a rule, the kind, [the readings with which all are compared], and readings; returns the outliers among these.
sub _outliers_among {
    my ($rule, $kind, $among, @readings) = @_;
    return if @$among < _least_of($rule, $kind);
    my $is_uneven = defined unevenness($rule, @$among);
    my $deviation = _deviation(@$among);
    my $limit     = _z_limit($rule, $kind);
    return map { +{ %$_, is => $kind eq 'test' ? 'unusual' : $_->{z} < 0 ? 'slow' : 'fast' } }
        grep   { _is_outlier($is_uneven, $_, $limit) }
        _placed(value => sub { _unit($deviation, $_[0]) }, $among, @readings);
}

sub _is_outlier {
    my ($is_uneven, $reading, $limit) = @_;
    my $off = $reading->{value} / $reading->{median} - 1;
    return $off < -(PART) if $reading->{z} < -$limit;
    return !$is_uneven && $reading->{z} > $limit && $off > PART;
}

# Takes the deviation between machines of a kind, and a reading; returns the unit of its distance from the median. This
# is the only place where the interval of a single host enters its verdict: a host of which little is known has to be
# further off. If a recorded limit makes it slow and uneven, its interval does not excuse it.
sub _unit {
    my ($deviation, $reading) = @_;
    return $deviation if defined $reading->{limit};
    return List::Util::max($deviation, $reading->{error} // 0);
}

# Takes readings of a kind; returns the deviation between healthy machines, of logarithms: what the MAD and the errors
# of single values show together, and at least what the MAD shows.
sub _deviation {
    my (@readings) = @_;
    my $factor     = $OF_FEW[@readings] // @readings / (@readings - OF_MORE);
    my $shown      = $factor * _mad(map { log $_->{value} } @readings) / QUARTILE;
    my @errors     = grep { defined } map { $_->{error} } @readings;
    my $error      = @errors ? median(@errors) : LEAST;
    my $df         = EFFICIENCY * (@readings - 1);
    return List::Util::max(LEAST, $shown, sqrt((ERROR_DF * $error**2 + $df * $shown**2) / (ERROR_DF + $df)));
}

# Returns the noisy machines. The spread of an index, that of many passes, varies little by chance.
sub _noisy {
    my ($kind, @readings) = @_;
    return if @readings < TESTS_OF;
    my @logs = map { log $_->{spread} } @readings;
    my $unit = List::Util::max(LEAST * abs median(@logs), _mad(@logs) / QUARTILE, TINY);
    return map { +{ %$_, is => 'noisy' } }
        grep   { $_->{z} > Z_LIMIT && $_->{value} > $NOISY_FROM{$kind} * $_->{median} }
        _placed(spread => sub { $unit }, \@readings, @readings);
}

# Takes a key, a function from a reading to the unit of its distance, [the readings with which all are compared], and
# readings. Returns { label, value, median, z } for each of the latter. z is the distance of its logarithm from the
# median of the former.
sub _placed {
    my ($key, $unit, $among, @readings) = @_;
    my $median = median(map { $_->{$key} } @$among);
    my $middle = median(map { log $_->{$key} } @$among);
    my @placed;
    for my $reading (@readings) {
        my $z = (log($reading->{$key}) - $middle) / $unit->($reading);
        push @placed, { label => $reading->{label}, value => $reading->{$key}, median => $median, z => $z };
    }
    return @placed;
}

sub _mad {
    my (@values) = @_;
    my $median = median(@values);
    return median(map { abs $_ - $median } @values);
}

1;
