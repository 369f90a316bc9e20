package UnixBench::Score::Estimate;

# Estimates of a positive number that was measured several times. An estimate is plain data, { value, low, high, log_se,
# df }: the geometric mean, its confidence interval, the standard error of its logarithm, and the degrees of freedom of
# that error. After a single measurement the error is unknown, and all except the value are undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Stats qw(autocorrelation inflation mean standard_deviation t_quantile);

# Numbers of results end at 1e150, see UnixBench::Base::Shape.
use constant LOG_MAX => 340;

use constant COVERED => 0.95;    # the usual confidence of intervals

# Rounds are alike if noise lasts longer than a round. A series of more than 16 is divided into that many batches or
# more, whose means show noise that lasts for many rounds.
use constant { BATCHES => 16, ROUNDING => 1e-12 };

# Noise that all tests have in common lasts as a rule: it is that of the machine. Some rounds can't show how long. So
# its autocorrelation is 0.9 until rounds show another one, and that counts as much as 40 rounds.
use constant { LASTING => 0.9, LASTING_ROUNDS => 40 };

# Takes rates, at least one; returns the estimate of their geometric mean. For one rate it has no interval.
sub of_rates {
    my (@rates) = @_;
    my @logs    = map { log $_ } @rates;
    my $log     = mean(@logs);
    return known(exp $log) if @logs < 2;
    return _made($log, standard_deviation(@logs) / sqrt @logs, @logs - 1);
}

# Takes the score of a test in a quick run and its rate in each round, in the order of time; returns the estimate of the
# score. Its interval uses Student's t over the rounds, and is wider if neighbours are alike.
sub of_rounds {
    my ($score, @rates) = @_;
    return around($score, @{ _of_series(0, map { log } @rates) }{qw(log_se df)});
}

# Takes a confidence, an index of a quick run and, for each of its tests, at least one, { round => rate }. Returns the
# estimate of the index with an interval of that confidence: the wider one of that over complete rounds, and that over
# what all tests have in common, with its log_se and df.
sub of_index_at {
    my ($covered, $index, @tests) = @_;
    my ($rounds, @logs) = _complete_rounds(@tests);
    my @over    = $rounds ? _of_series(0, _means_by_round($rounds, @logs)) : ();
    my @known   = grep { defined $_->{log_se} } @over, _over_common($rounds, @logs);
    my ($wider) = sort { half_width($b) <=> half_width($a) } map { at($_, $covered) } @known;
    return $wider ? around($index, @$wider{qw(log_se df)}, $covered) : known($index);
}

# Takes, for each test, at least one, { round => rate }. Returns the standard deviation of the logarithm of their
# geometric mean from round to round, or undef if they have fewer than two complete rounds.
sub deviation_of_rounds {
    my (@tests) = @_;
    my ($rounds, @logs) = _complete_rounds(@tests);
    return $rounds < 2 ? undef : standard_deviation(_means_by_round($rounds, @logs));
}

# Takes a number about which nothing else is known; returns an estimate with that value and without an interval.
sub known {
    my ($value) = @_;
    return { value => $value, low => undef, high => undef, log_se => undef, df => undef };
}

# Takes a number; returns an estimate with that number and an error of 0.
sub exact {
    my ($value) = @_;
    return around($value, 0, UnixBench::Score::Stats::DF_MAX);
}

# Takes a number, the standard error of its logarithm and the degrees of freedom of that error (or undef for both), and
# perhaps a confidence; returns an estimate with that number as its value.
sub around {
    my ($value, $log_se, $df, $covered) = @_;
    return known($value) if !defined $log_se;
    my $made = _made(log $value, $log_se, $df, $covered);
    my ($low, $high) = (List::Util::min($value, $made->{low}), List::Util::max($value, $made->{high}));
    return { %$made, value => $value, low => $low, high => $high };    # log and exp may change the last digit
}

# Takes an estimate and a confidence, or undef; returns the estimate with an interval of that confidence.
sub at {
    my ($estimate, $covered) = @_;
    return defined $covered ? around(@$estimate{qw(value log_se df)}, $covered) : $estimate;
}

# Takes an estimate and a confidence, or undef; returns the estimate with an error by which its usual interval has that
# confidence.
sub surer {
    my ($estimate, $covered) = @_;
    return $estimate if !defined $covered || !defined $estimate->{log_se};
    my ($usual, $wider) = map { t_quantile((1 + $_) / 2, $estimate->{df}) } COVERED, $covered;
    return around($estimate->{value}, $estimate->{log_se} * $wider / $usual, $estimate->{df});
}

# Takes an estimate; returns half the width of its interval as a difference of logarithms, or undef if it has no
# interval.
sub half_width {
    my ($estimate) = @_;
    my $half       = defined $estimate->{high} ? log($estimate->{high} / $estimate->{value}) : undef;
    return defined $half && $half < ROUNDING ? 0 : $half;
}

# Takes a value and such a half, or undef; returns both ends of its interval, or undef for both.
sub ends {
    my ($value, $half) = @_;
    return defined $half ? ($value / exp $half, $value * exp $half) : (undef, undef);
}

# Takes independent estimates, at least one; returns the estimate of their geometric mean (by the delta method).
sub geometric_mean {
    my (@estimates) = @_;
    my $part = 1 / @estimates;
    return _combined(map { [$_, $part] } @estimates);
}

# Takes two independent estimates; returns the estimate of the first divided by the second.
sub ratio {
    my ($of, $to) = @_;
    return _combined([$of, 1], [$to, -1]);
}

# Takes an estimate and a factor without an error; returns the estimate of the product.
sub multiple {
    my ($estimate, $factor) = @_;
    my %product =
        (%$estimate, map { $_ => $estimate->{$_} * $factor } grep { defined $estimate->{$_} } qw(value low high));
    return \%product;
}

# Takes an autocorrelation by which nothing is known yet, which counts as much as LASTING_ROUNDS values, or 0 if there
# is none; and logarithms of rates in the order of time. Returns the estimate of their geometric mean. Its error is
# larger by the autocorrelation of the means of batches: G. Fishman, Grouping Observations in Digital Simulation,
# Management Science 24 (1978).
sub _of_series {
    my ($lasting, @logs) = @_;
    my $log = mean(@logs);
    return known(_exp($log)) if @logs < 2;
    my $size  = int(@logs / BATCHES) || 1;
    my @means = $size == 1 ? @logs : _means_of_batches($size, @logs);
    my $r     = autocorrelation(@means);
    $r = ($r * @means + $lasting * LASTING_ROUNDS) / (@means + LASTING_ROUNDS) if $lasting;
    my $deviation = standard_deviation(@means);
    $deviation = 0 if $deviation < ROUNDING;
    return _made($log, $deviation * sqrt($size / @logs) * inflation($r), @means - 1);
}

sub _means_of_batches {
    my ($size, @values) = @_;
    splice @values, 0, @values % $size;
    return map { mean(splice @values, 0, $size) } 1 .. @values / $size;
}

# Returns the number of the rounds that have a rate of each test, and for each test [logarithms of these rates].
sub _complete_rounds {
    my (@tests) = @_;
    my %tests_in;
    $tests_in{$_}++ for map { keys %$_ } @tests;
    my @whole = grep { $tests_in{$_} == @tests } sort { $a <=> $b } keys %tests_in;
    return (scalar @whole, map { [map { log } @$_{@whole}] } @tests);
}

sub _means_by_round {
    my ($rounds, @logs) = @_;
    return _sums_by_round($rounds, [(1 / @logs) x @logs], @logs);
}

sub _sums_by_round {
    my ($rounds, $weights, @logs) = @_;
    my @sums = (0) x $rounds;
    for my $test (0 .. $#logs) {
        my ($weight, $of) = ($weights->[$test], $logs[$test]);
        $sums[$_] += $weight * $of->[$_] for 0 .. $rounds - 1;
    }
    return @sums;
}

# Returns the estimate of what all tests have in common, or nothing if one test or a round can't show that. Quiet tests
# show it best: each has the inverse of its variance as its weight.
sub _over_common {
    my ($rounds, @logs) = @_;
    return if @logs < 2 || $rounds < 2;
    my @variances = map { standard_deviation(@$_)**2 } @logs;
    return if grep { !$_ } @variances;
    my $sum = List::Util::sum(map { 1 / $_ } @variances);
    return _of_series(LASTING, _sums_by_round($rounds, [map { 1 / $_ / $sum } @variances], @logs));
}

# Takes pairs [estimate, exponent]; returns the estimate of the product of these powers.
sub _combined {
    my (@powers) = @_;
    my $log = List::Util::sum(map { $_->[1] * log $_->[0]{value} } @powers);
    return known(_exp($log)) if grep { !defined $_->[0]{log_se} } @powers;
    return _made($log, error_of_sum(map { [$_->[1] * $_->[0]{log_se}, $_->[0]{df}] } @powers));
}

# Takes the errors of independent numbers, [standard error, degrees of freedom] each; returns those of their sum.
# Degrees of freedom: Welch, The generalization of "Student's" problem, Biometrika 34 (1947).
sub error_of_sum {
    my (@errors) = @_;
    my ($variance, $divisor) = (0, 0);
    for my $error (@errors) {
        my $square = $error->[0]**2;
        $variance += $square;
        $divisor  += $square**2 / $error->[1];
    }
    return (sqrt $variance, $divisor > 0 ? $variance**2 / $divisor : List::Util::min(map { $_->[1] } @errors));
}

sub _made {
    my ($log, $log_se, $df, $covered) = @_;
    my $half = $log_se > 0 ? $log_se * t_quantile((1 + ($covered // COVERED)) / 2, $df) : 0;
    return {
        value  => _exp($log),
        low    => _exp($log - $half),
        high   => _exp($log + $half),
        log_se => $log_se,
        df     => $df,
    };
}

sub _exp {
    my ($log) = @_;
    return exp $log if abs $log < LOG_MAX;
    return exp List::Util::max(-LOG_MAX, List::Util::min(LOG_MAX, $log));
}

1;
