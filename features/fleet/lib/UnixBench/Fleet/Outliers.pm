package UnixBench::Fleet::Outliers;

# Finds the hosts of one kind whose index stands out.
#
# The distance from the median is that of logarithms, since speeds differ by factors. Its unit is the deviation between
# healthy hosts. The median absolute deviation (MAD) shows it, as in B. Iglewicz and D. Hoaglin, How to Detect and
# Handle Outliers (ASQC, 1993). With a few hosts that says little, so the errors of the single values count as eight
# degrees of freedom, as in UnixBench::Score::Repeat.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Score::Stats qw(median);

our @EXPORT_OK = qw(JUDGED);

# The smallest number of hosts among which one can stand out. Two values do not tell which of them is usual.
use constant JUDGED => 3;

use constant {
    Z_LIMIT    => 3.5,       # Iglewicz and Hoaglin
    QUARTILE   => 0.6745,    # of the normal distribution
    LEAST      => 0.01,      # the smallest deviation: hosts that are nearly equal do not stand out
    EFFICIENCY => 0.37,      # of the MAD
    ERROR_DF   => 8,         # what the errors of single values count
    PART       => 0.05,      # the least difference from the median that matters, as a fraction of it
};

# By what the MAD of a few values has to be multiplied: C. Croux and P. Rousseeuw, Time-Efficient Algorithms for Two
# Highly Robust Estimators of Scale (1992). For n values, ten or more, it is n / (n - OF_MORE).
use constant OF_MORE => 0.8;
my @OF_FEW = (1, 1, 1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107);

# Takes a reading for each host of a kind, { host, value, error, limit, is_disturbed, at_least, at_most }. The error is
# that of the logarithm of the value, or undef. Without other load, the value is at least and at most between these two;
# if they are undef, it is of any size if other load disturbed it, else what it is. The limit of its CPU time is a text,
# if most others have none. Returns nothing if there are too few hosts, else
#   median    the median of those that were not disturbed, if these are enough, else of all
#   of        how many these are
#   findings  [{ host, is, value, median, z }, ...] about those that stand out: "slow", "fast", or "not reliable", if
#             other load may be the reason. A limit is the reason of a slow host, whatever other load did
sub outliers {
    my (@readings) = @_;
    return if @readings < JUDGED;
    my @steady    = grep { !$_->{is_disturbed} } @readings;
    my $is_steady = @steady >= JUDGED;
    my @basis     = $is_steady ? @steady : @readings;
    my %kind      = (
        median    => median(map { $_->{value} } @basis),
        middle    => median(map { log $_->{value} } @basis),
        deviation => deviation(@basis)->{log_se},
    );
    my @findings;
    for my $reading (@readings) {
        my $found   = _finding(\%kind, $reading) or next;
        my $is_sure = $is_steady ? _is_in_spite_of_load(\%kind, $found, $reading) : 0;
        $is_sure ||= defined $reading->{limit} && $found->{is} eq 'slow';
        push @findings, $is_sure ? $found : { %$found, is => 'not reliable' };
    }
    return { median => $kind{median}, of => scalar @basis, findings => \@findings };
}

# This is the only place where the interval of a single host enters its verdict: a host of which little is known has to
# be further off. If a recorded limit makes it slow and uneven, its interval does not excuse it.
sub _finding {
    my ($kind, $reading) = @_;
    my $error = defined $reading->{limit} ? 0 : $reading->{error} // 0;
    my $z     = (log($reading->{value}) - $kind->{middle}) / List::Util::max($kind->{deviation}, $error);
    my $off   = $reading->{value} / $kind->{median} - 1;
    return if abs $z <= Z_LIMIT || abs $off <= PART || $z * $off < 0;
    my %values = (value => $reading->{value}, median => $kind->{median}, z => $z);
    return { host => $reading->{host}, is => $z < 0 ? 'slow' : 'fast', %values };
}

# Returns whether a host stands out whatever other load did to it: its ceiling is too low, or its floor too high.
sub _is_in_spite_of_load {
    my ($kind, $found, $reading) = @_;
    my $bound = $reading->{ $found->{is} eq 'slow' ? 'at_most' : 'at_least' } // return !$reading->{is_disturbed};
    my $at    = _finding($kind, { host => $reading->{host}, value => $bound });
    return $at && $at->{is} eq $found->{is};
}

# Takes readings of a kind, { value, and error or log_se or neither }. Returns the deviation between healthy hosts, of
# logarithms: log_se, what the MAD and the errors of single values show together, and at least what the MAD shows; df,
# its degrees of freedom; and usual, the median of these errors.
sub deviation {
    my (@readings) = @_;
    my $factor     = $OF_FEW[@readings] // @readings / (@readings - OF_MORE);
    my @logs       = map { log $_->{value} } @readings;
    my $middle     = median(@logs);
    my $shown      = $factor * median(map { abs $_ - $middle } @logs) / QUARTILE;
    my @errors     = grep { defined } map { $_->{error} // $_->{log_se} } @readings;
    my $error      = @errors ? median(@errors) : LEAST;
    my $df         = EFFICIENCY * (@readings - 1);
    my $together   = sqrt((ERROR_DF * $error**2 + $df * $shown**2) / (ERROR_DF + $df));
    return { log_se => List::Util::max(LEAST, $shown, $together), df => ERROR_DF + $df, usual => $error };
}

1;
