package UnixBench::Score::Stats;

# Statistics: means, deviations, and Student's t distribution.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(are_sure autocorrelation autocorrelation_of geometric_mean inflation mean median median_of medians
    quantile standard_deviation t_above t_quantile);

use constant {
    PI         => 4 * atan2(1, 1),
    DF_MAX     => 1e6,               # with more degrees t equals the normal distribution in six digits
    STEPS_MAX  => 10_000,
    SMALL      => 0.1,
    TINY       => 1e-300,
    EXACT      => 1e-15,
    NEARER     => 0.75,
    NEAR       => 1e-8,              # of t: the next step would change no digit
    FEW        => 4,                 # degrees of freedom
    ALIKE_MOST => 0.95,              # a larger autocorrelation is that of a drift
};

my %t_of;                            # by "probability df"

# Takes numbers, at least one; returns their arithmetic mean.
sub mean {
    my (@values) = @_;
    my $sum = 0;
    $sum += $_ for @values;
    return $sum / @values;
}

# Takes numbers above 0, at least one; returns their geometric mean, computed with logarithms. Dies if a number is not
# above 0.
sub geometric_mean {
    my (@values) = @_;
    return exp mean(map { log $_ } @values);
}

# Takes numbers, at least one; returns the middle one, or the mean of the two in the middle.
sub median {
    my (@values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    return mean(@sorted[$#sorted / 2, @sorted / 2]);
}

# Takes numbers, some of which may be undef; returns the median of the defined ones, or undef if there are none.
sub median_of {
    my (@numbers) = @_;
    my @known = grep { defined } @numbers;
    return @known ? median(@known) : undef;
}

# Takes a fraction of 1 and numbers, at least one; returns their quantile: that fraction of the numbers is below it.
# Definition 7 of Hyndman and Fan, Sample Quantiles in Statistical Packages, The American Statistician 50 (1996).
sub quantile {
    my ($fraction, @values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    my $place  = $fraction * $#sorted;
    my $below  = int $place;
    my ($low, $high) = @sorted[$below, $below < $#sorted ? $below + 1 : $below];
    return $low + ($place - $below) * ($high - $low);
}

# Takes [hashes] and keys; returns the list of each key and the median of its values.
sub medians {
    my ($items, @keys) = @_;
    my %median;
    for my $key (@keys) {
        $median{$key} = median_of(map { $_->{$key} } @$items);
    }
    return %median;
}

# Takes numbers, a sample of at least two; returns the estimated standard deviation of their distribution.
sub standard_deviation {
    my (@values) = @_;
    my $mean = mean(@values);
    return sqrt(mean(map { ($_ - $mean)**2 } @values) * @values / (@values - 1));
}

# Takes numbers in the order of time, at least two; returns the estimated autocorrelation of neighbours, or 0 if all are
# equal.
sub autocorrelation {
    my (@values) = @_;
    my $mean = mean(@values);
    my ($lag, $within, $before) = (0, 0, 0);
    for my $value (@values) {
        my $off = $value - $mean;
        $lag    += $off * $before;
        $within += $off * $off;
        $before = $off;
    }
    return $within > 0 ? autocorrelation_of($lag / $within, scalar @values, 1) : 0;
}

# Takes the sum of the products of neighbours by the sum of squares, both about the mean; the number of values; and that
# of their means, if there are several. Returns the autocorrelation without its bias: in the mean, n values with their
# mean have r - (1 + 4 r) / n (F. Marriott and J. Pope, Biometrika 41, 1954).
sub autocorrelation_of {
    my ($r, $count, $means) = @_;
    return ($r + $means / $count) * (1 + 4 * $means / $count);
}

# Takes an autocorrelation; returns by what the standard error of a mean is too small if it ignores it: the square root
# of (1 + r) / (1 - r), as for a first-order autoregressive process. It stays finite.
sub inflation {
    my ($r) = @_;
    $r = ALIKE_MOST if $r > ALIKE_MOST;
    return $r > 0 ? sqrt((1 + $r) / (1 - $r)) : 1;
}

# Takes a probability above 0.5 and below 1, and degrees of freedom, at least 1, not necessarily whole. Returns the
# quantile of Student's t distribution: a value lies below it with that probability. It is exact to 9 digits up to a
# million degrees of freedom, and to 6 digits above that. A probability of 0.99999999 is itself known to 8 digits only.
sub t_quantile {
    my ($probability, $df) = @_;
    $df = DF_MAX if $df > DF_MAX;
    return $t_of{"$probability $df"} ||= _found(2 * (1 - $probability), $df);
}

# Takes a level, and the probabilities that statements are wrong; returns for each whether it is sure, at one level for
# all: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
sub are_sure {
    my ($level, @wrong) = @_;
    my ($left,  @sure)  = (scalar @wrong, (0) x @wrong);
    for my $place (sort { $wrong[$a] <=> $wrong[$b] } 0 .. $#wrong) {
        last if $wrong[$place] > $level / $left--;
        $sure[$place] = 1;
    }
    return @sure;
}

# Takes t and degrees of freedom; returns the probability of a value above t.
sub t_above {
    my ($t, $df) = @_;
    my $beyond = _beyond($t, $df) / 2;
    return $t > 0 ? $beyond : 1 - $beyond;
}

# Takes a probability and degrees of freedom. Returns the t for which a value lies below -t or above t with that
# probability. Newton's method, whose error is squared by each step: the probability falls ever more slowly with t, so
# only the first step can go too far, and no step goes too far if that begins below t.
sub _found {
    my ($probability, $df) = @_;
    my $t = _nearly($probability, $df);
    for (1 .. STEPS_MAX) {
        my $step = (_beyond($t, $df) - $probability) / (2 * _density($t, $df));
        $t += $step;
        last if abs $step <= NEAR * $t;
    }
    return $t;
}

# Takes a probability and degrees of freedom; returns a value near t: Abramowitz and Stegun, 26.2.23 and 26.7.5. That is
# of no use for few degrees of freedom. There it returns a value below t: the normal tail is at most exp(-t**2/2), and
# that of t is larger.
sub _nearly {
    my ($probability, $df) = @_;
    my $root = sqrt(-2 * log($probability / 2));
    return $probability < SMALL ? NEARER * sqrt(-2 * log $probability) : 0 if $df < FEW;
    my $z =
        $root -
        (2.515517 + $root * (0.802853 + $root * 0.010328)) /
        (1 + $root * (1.432788 + $root * (0.189269 + $root * 0.001308)));
    return $z + ($z**3 + $z) / (4 * $df) + (5 * $z**5 + 16 * $z**3 + 3 * $z) / (96 * $df**2);
}

# Returns the density at t: the derivative of 26.7.1 in Abramowitz and Stegun, Handbook of Mathematical Functions.
sub _density {
    my ($t, $df) = @_;
    my $half = ($df + 1) / 2;
    return exp(_log_gamma($half) - _log_gamma($df / 2) - $half * log(1 + $t * $t / $df)) / sqrt(PI * $df);
}

# Returns the probability of a value below -t or above t: Abramowitz and Stegun, 26.7.1 and 26.5.27.
sub _beyond {
    my ($t,      $df)    = @_;
    my ($square, $whole) = ($t * $t, $df + $t * $t);
    return $square < $df / ($df + 2)
        ? 1 - _incomplete_beta($square / $whole, $df / $whole, 0.5, $df / 2)
        : _incomplete_beta($df / $whole, $square / $whole, $df / 2, 0.5);
}

# Returns the incomplete beta function I_x(p, q). Takes x, 1 - x, p and q: 1 - x may be too small to be computed from x.
# It is quick for x below (p + 1) / (p + q + 2). Digital Library of Mathematical Functions, 8.17.22, evaluated as in
# Lentz, Applied Optics 15 (1976), p. 668.
sub _incomplete_beta {
    my ($x, $rest, $p, $q) = @_;
    return 0 if $x <= 0;
    my $factor = exp(_log_gamma($p + $q) - _log_gamma($p) - _log_gamma($q) + $p * log($x) + $q * log $rest) / $p;
    my ($fraction, $above, $below) = (2, 2, 1);    # after the first term, which is 1
    for my $half (0 .. STEPS_MAX) {
        my ($at, $next) = ($p + 2 * $half, $half + 1);
        my $odd  = -($p + $half) * ($p + $q + $half) * $x / ($at * ($at + 1));
        my $even = $next * ($q - $next) * $x / (($at + 1) * ($at + 2));
        for my $term ($odd, $even) {
            $below = 1 / (1 + $term * $below || TINY);
            $above = 1 + $term / $above || TINY;
            $fraction *= $above * $below;
        }
        last if abs($above * $below - 1) < EXACT;
    }
    return $factor * ($fraction - 1);
}

# Returns the logarithm of the gamma function. Stirling's series is exact enough above 10: Abramowitz and Stegun,
# 6.1.41.
sub _log_gamma {
    my ($x) = @_;
    my $shift = 0;
    $shift -= log $x++ while $x < 10;
    my $series = 1 / (12 * $x) - 1 / (360 * $x**3) + 1 / (1260 * $x**5) - 1 / (1680 * $x**7) + 1 / (1188 * $x**9);
    return $shift + ($x - 0.5) * log($x) - $x + 0.5 * log(2 * PI) + $series;
}

1;
