use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun                qw(has_known_estimate in_rounds known run_of_rounds);
use Fixture                 qw(@INDEX failed measured run);
use UnixBench::Score::Stats qw(autocorrelation geometric_mean inflation mean median standard_deviation t_above);
use UnixBench::Score::Spread;
use UnixBench::Score::Estimate;
use UnixBench::Score;

is(mean(1, 2, 6), 3, 'arithmetic mean');
is(sprintf('%.12g', geometric_mean(1, 10, 100)),     '10',     'geometric mean');
is(sprintf('%.12g', geometric_mean((1e300) x 100)),  '1e+300', 'geometric mean of huge numbers');
is(sprintf('%.9g',  geometric_mean((1e-300) x 100)), '1e-300', 'geometric mean of tiny numbers');
ok(!eval { geometric_mean(1, 0); 1 }, 'geometric mean of 0 is an error');

is(median(5),                                                    5,              'median of one number');
is(median(9, 1, 5),                                              5,              'median of three numbers');
is(median(9, 1, 5, 4),                                           4.5,            'median of four numbers');
is(sprintf('%.12g', standard_deviation(2, 4, 4, 4, 5, 5, 7, 9)), '2.1380899353', 'standard deviation of a sample');
is(standard_deviation(3, 3),                                     0,              'standard deviation of equal numbers');

# By hand: the products of neighbours and the squares of -2 to 2 have the sums 4 and 10.
is(sprintf('%.9f', autocorrelation(-2, -1, 0, 1, 2)), sprintf('%.9f', (4 / 10 + 1 / 5) * (1 + 4 / 5)), 'a drift');
is(sprintf('%.9f', autocorrelation(1, -1, 1, -1)), sprintf('%.9f', (-3 / 4 + 1 / 4) * 2), 'neighbours that alternate');
is(autocorrelation(3, 3, 3),                       0,                                     'equal numbers');
is(inflation(-0.5),                                1,                       'alternation makes no error smaller');
is(sprintf('%.9f', inflation(0.5)),                sprintf('%.9f', sqrt 3), 'an autocorrelation of a half');
is(inflation(1),                                   inflation(0.95),         'the error stays finite');

is(sprintf('%.4f', t_above(1.8595,  8)), '0.0500', 'a tail of Student t, from a printed table');
is(sprintf('%.4f', t_above(-1.8595, 8)), '0.9500', 'and the rest');

# [probability, degrees of freedom, t], computed by scipy.stats.t.ppf of SciPy 1.17.1.
my @KNOWN = (
    [0.975,  1,         12.7062047362],
    [0.975,  1.5,       6.01666310443],
    [0.975,  2,         4.30265272975],
    [0.975,  3,         3.18244630528],
    [0.975,  5,         2.57058183564],
    [0.975,  9,         2.2621571628],
    [0.975,  10,        2.22813885199],
    [0.975,  22.5,      2.07120428328],
    [0.975,  30,        2.0422724563],
    [0.975,  100,       1.98397151852],
    [0.975,  200,       1.97189622363],
    [0.975,  1_000_000, 1.95996635681],
    [0.95,   1,         6.31375151468],
    [0.95,   7,         1.89457860509],
    [0.995,  2,         9.92484320092],
    [0.995,  12,        3.05453958939],
    [0.9999, 3,         22.2037422732],
    [0.55,   4,         0.133830367112],
);

is_quantile(1e-9, @$_) for @KNOWN;

# The same for levels near 1, computed by mpmath 1.3.0 with 40 digits. The rest to 1 has fewer digits as a number.
my @NEAR_1 = (
    [0.9997,     1,   1061.032639787],
    [0.9997,     2,   40.80645557644],
    [0.99997,    2,   129.0936353259],
    [0.99997,    4,   17.68889707764],
    [0.999999,   7.5, 13.05216975982],
    [0.9999999,  29,  6.765160193277],
    [0.99999999, 2,   7071.067705799],
    [0.99999999, 99,  6.106880613903],
);

is_quantile(2e-8, @$_) for @NEAR_1;

is_quantile(1e-9, 0.975, @$_{qw(df t)}) for known('quantiles');

# Takes a tolerance, a probability, degrees of freedom, and the known quantile; tests that it is found.
sub is_quantile {
    my ($tolerance, $probability, $df, $t) = @_;
    my $quantile = UnixBench::Score::Stats::t_quantile($probability, $df);
    return cmp_ok(abs($quantile / $t - 1), '<', $tolerance, "t for $probability and $df degrees of freedom: $quantile");
}

sub near {
    my ($is, $should, $name) = @_;
    return cmp_ok(abs($is - $should), '<=', 1e-9 * $should, "$name is $should");
}

# Counts of one copy in passes of 30 s, each some microseconds longer than the one before: see Fixture.
my @COUNTS = (3030, 2985, 3097.5, 2940, 3015);
my $TEST   = measured('spawn', 1, @COUNTS);
my $SPREAD = UnixBench::Score::Spread::of_test($TEST);

is($SPREAD->{passes}, 5, 'all passes are included, also the third that the score leaves out');

# By NumPy 2, from the counts divided by 30: mean 100.45, standard deviation 1.9397164741270823.
cmp_ok(abs($SPREAD->{cv} - 1.93971647413 / 100.45), '<', 0.00002, 'coefficient of variation');
cmp_ok($TEST->{score}, '>', $SPREAD->{estimate}{value},           'the score leaves out a third of the passes');

is(UnixBench::Score::Spread::of_test(failed('spawn', 'killed by SIGSEGV', 3030)), undef, 'a failed test has no spread');

my $one = UnixBench::Score::Spread::of_test(measured('spawn', 1, 3030));
is_deeply([@$one{qw(passes cv)}, $one->{estimate}{low}], [1, undef, undef], 'one pass has no interval');

subtest 'an index has an estimate' => sub {
    my @tests   = ($TEST, measured('pipe', 1, 1e7, 1.01e7, 0.99e7));
    my $run     = run(1, @tests);
    my ($index) = @{ $run->{indexes} };
    my %spread  = map { $_->{name} => UnixBench::Score::Spread::of_test($_) } @tests;
    my $is      = UnixBench::Score::Spread::of_index($index, $run);
    my @values  = map { $spread{$_}{estimate}{value} } qw(spawn pipe);
    near($is->{value}, 10 * sqrt($values[0] / 126 * $values[1] / 12_440), 'the value');
    my @errors = map { $spread{$_}{estimate}{log_se} } qw(spawn pipe);
    near($is->{log_se}, sqrt($errors[0]**2 + $errors[1]**2) / 2, 'the standard error');
};

subtest 'a test may have two modes' => sub {
    my @counts = map { 1e6 * $_ } 10.1, 20, 10, 20.2, 9.9, 20.1, 10, 10.1;
    my $modes  = UnixBench::Score::Spread::of_test(measured('context1', 1, @counts))->{modes};
    is_deeply([map { $_->{share} } @$modes], [0.625, 0.375], 'five of eight passes are in the slower mode');
    cmp_ok($modes->[0]{rate}, '<', $modes->[1]{rate}, 'the slower mode comes first');
    is(UnixBench::Score::Spread::of_test(in_rounds('context1', @counts), 8)->{modes}[0]{share},
        0.625, 'a quick run has the same modes');
    is(UnixBench::Score::Spread::of_test(measured('context1', 1, @counts[0 .. 6]))->{modes},
        undef, 'seven passes are too few');
    my $loaded = sub {
        my ($level, @numbers) = @_;
        my $test = measured('context1', 1, @counts);
        $test->{passes}[$_]{tags} = [{ cause => 'load', value => 0.5, level => $level }] for @numbers;
        return UnixBench::Score::Spread::of_test($test)->{modes};
    };
    is($loaded->('disturbed', 1),                undef, 'other load may explain a mode with two undisturbed passes');
    is($loaded->('disturbed', 0, 2, 4),          undef, 'so it may with the slower one');
    is(scalar @{ $loaded->('disturbed', 0, 2) }, 2,     'three undisturbed passes in each mode are enough');
    is(scalar @{ $loaded->('slight', 0 .. 7) },  2,     'slight disturbances do not count');
    is($SPREAD->{modes},                         undef, 'a test with one mode has no modes');
};

subtest 'a quick run has a spread' => sub {
    my @slices = ({ count => 1000, time_s => 1 }, { count => 3030, time_s => 3 }, { count => 980, time_s => 1 });
    my $test   = in_rounds('pipe', @slices);
    my $spread = UnixBench::Score::Spread::of_run(run_of_rounds($test))->{pipe};
    near($spread->{estimate}{value}, 5010 / 5, 'all counts divided by all times');
    is($spread->{estimate}{df}, 2, 'the degrees of freedom are the rounds minus one');
};

for my $known (known('indexes')) {
    my @known_tests = @{ $known->{tests} };
    my @tests       = map { in_rounds($INDEX[$_], @{ $known_tests[$_]{slices} }) } 0 .. $#known_tests;
    my @rows        = map { +{ name => $INDEX[$_], baseline => $known_tests[$_]{baseline} } } 0 .. $#known_tests;
    push @rows, { name => 'hanoi', baseline => undef };
    my $is = UnixBench::Score::Spread::of_index({ rows => \@rows }, run_of_rounds(@tests, in_rounds('hanoi', 1 .. 5)));
    has_known_estimate($is, $known->{estimate}, "an index: $known->{name}");
}

for my $known (known('modes')) {
    my $modes    = UnixBench::Score::Spread::modes($known->{rates});
    my @is       = map { @$_{qw(rate share)} } @{ $modes          || [] };
    my @expected = map { @$_{qw(rate share)} } @{ $known->{modes} || [] };
    is(scalar @is, scalar @expected, "$known->{name}: " . (@expected ? 'two modes' : 'one mode')) or next;
    my @off = grep { abs($is[$_] / $expected[$_] - 1) > 1e-9 } 0 .. $#is;
    is("@is[@off]", q{}, "$known->{name}: rates and shares of the modes");
}

my @KEYS = qw(value low high log_se df);

# Tests that an estimate has these values, in the order of the keys.
sub is_estimate {
    my ($estimate, $expected, $name) = @_;
    subtest $name => sub {
        is_deeply([sort keys %$estimate], [sort @KEYS], 'an estimate has these keys');
        for my $number (0 .. $#KEYS) {
            my ($is, $should) = ($estimate->{ $KEYS[$number] }, $expected->[$number]);
            if (defined $should) { cmp_ok(abs($is - $should), '<=', 1e-9 * abs $should, "$KEYS[$number] is $should") }
            else                 { is($is, undef, "$KEYS[$number] is unknown") }
        }
    };
    return;
}

# By NumPy 2 and SciPy 1.17.1, from the logarithms of these rates: t.interval, and ttest_ind with unequal variances.
my $FIRST  = UnixBench::Score::Estimate::of_rates(101.0, 99.5, 103.25, 98.0, 100.5);
my $SECOND = UnixBench::Score::Estimate::of_rates(50.5,  49.0, 52.0);

is_estimate($FIRST, [100.435057019, 98.0600747673, 102.867560547, 0.00861930281673, 4], 'estimate of five rates');
is_estimate(
    UnixBench::Score::Estimate::ratio($FIRST, $SECOND),
    [1.98939824219, 1.87234397329, 2.11377045162, 0.0191983314527, 3.04038578102],
    'ratio of two estimates (Welch)'
);
is_estimate(
    UnixBench::Score::Estimate::geometric_mean($FIRST, $SECOND),
    [71.2072912756, 69.0806506106, 73.3994003529, 0.00959916572634, 3.04038578102],
    'geometric mean of two estimates'
);
is_estimate(
    UnixBench::Score::Estimate::multiple($SECOND, 10),
    [map({ 10 * $SECOND->{$_} } qw(value low high)), @$SECOND{qw(log_se df)}],
    'multiple of an estimate'
);
is_estimate(UnixBench::Score::Estimate::geometric_mean($FIRST), [@$FIRST{@KEYS}], 'mean of one estimate');
is_estimate(
    UnixBench::Score::Estimate::at($FIRST, 0.99),
    [$FIRST->{value}, 96.527431472, 104.500871147, @$FIRST{qw(log_se df)}],
    'the same with an interval of 99 %'
);
is_estimate(UnixBench::Score::Estimate::at($FIRST, undef), [@$FIRST{@KEYS}], 'no other confidence is asked for');

for my $known (known('intervals')) {
    my $estimate = UnixBench::Score::Estimate::of_rates(@{ $known->{rates} });
    has_known_estimate($estimate, $known->{estimate}, @{ $known->{rates} } . ' rates have a known estimate');
}

for my $known (known('satterthwaite')) {
    my @estimates = map { UnixBench::Score::Estimate::of_rates(@$_) } @{ $known->{samples} };
    my $mean      = UnixBench::Score::Estimate::geometric_mean(@estimates);
    has_known_estimate($mean, $known->{estimate}, 'the geometric mean of ' . @estimates . ' samples');
}

subtest 'around makes an estimate of a given value' => sub {
    is_estimate(UnixBench::Score::Estimate::around(8, 0, 3), [8, 8, 8, 0, 3], 'an exact value');
    my $around = UnixBench::Score::Estimate::around(1000, 0.01, 4);
    is_estimate($around, [1000, 972.617438836, 1028.15347543, 0.01, 4], 'a value with its interval');
    cmp_ok(abs(UnixBench::Score::Estimate::half_width($around) - 0.0277644510520), '<', 1e-12, 'half of its width');
    is(UnixBench::Score::Estimate::half_width(UnixBench::Score::Estimate::around(8)), undef, 'unknown width');
};

subtest 'the interval is unknown without a spread' => sub {
    my $one     = UnixBench::Score::Estimate::of_rates(17);
    my @unknown = (undef) x 4;
    is_estimate($one, [17, @unknown], 'one rate');
    is_estimate(
        UnixBench::Score::Estimate::ratio($FIRST, $one),
        [$FIRST->{value} / 17, @unknown],
        'a ratio to one rate'
    );
    is_estimate(
        UnixBench::Score::Estimate::geometric_mean($one, $FIRST),
        [sqrt(17 * $FIRST->{value}), @unknown],
        'a mean with one rate'
    );
    is_estimate(UnixBench::Score::Estimate::multiple($one, 2), [34, @unknown], 'a multiple of one rate');
};

# Estimates of quick runs: over rounds.

# Takes a test; returns the rate of each of its short passes, by round.
sub by_round {
    my ($test) = @_;
    return { map { $_->{number} => UnixBench::Score::rate($_) } @{ $test->{passes} } };
}

# Takes the rates of each test in rounds 1, 2 and so on, undef without a short pass; returns the estimate of the index.
sub index_of {
    my (@tests) = @_;
    return UnixBench::Score::Estimate::of_index_at(0.95, 100, map { in_turn(@$_) } @tests);
}

sub in_turn {
    my (@rates) = @_;
    return { map { $_ + 1 => $rates[$_] } grep { defined $rates[$_] } 0 .. $#rates };
}

for my $known (known('scores')) {
    my $test  = in_rounds('pipe', @{ $known->{slices} });
    my @rates = map { UnixBench::Score::rate($_) } @{ $test->{passes} };
    my $is    = UnixBench::Score::Estimate::of_rounds($test->{score}, @rates);
    has_known_estimate($is, $known->{estimate}, 'a test in ' . @rates . ' rounds');
    is($is->{value}, $test->{score}, 'the value of the estimate is exactly the score');
}

for my $known (known('indexes')) {
    my @tests = map { by_round(in_rounds('pipe', @{ $_->{slices} })) } @{ $known->{tests} };
    my $is    = UnixBench::Score::Estimate::of_index_at(0.95, $known->{estimate}{value}, @tests);
    has_known_estimate($is, $known->{estimate}, "an index: $known->{name}");
}

subtest 'an index has the wider one of two intervals' => sub {
    my $together = index_of([10, 11, 12, 13, 14], [20, 22, 24, 26, 28]);
    is($together->{df}, 4, 'rounds that are disturbed as a whole: the interval over rounds');
    my $torn = index_of([10, 11, 12, 13, 14], [20, undef, undef, undef, 28]);
    is($torn->{df}, 1, 'two complete rounds: the interval over rounds');
    my $once = index_of([10, 11, undef], [28, undef, 29]);
    is($once->{low}, undef, 'one complete round: none');
};

# The deviations of tests that vary independently: rows and columns of a Hadamard matrix.
my @NOISE = ([1, 1, -1, -1, 1, 1, -1, -1], [1, -1, -1, 1, 1, -1, -1, 1]);

# Takes the deviations of two tests, and those of what they have in common; returns the half-width of their index.
sub half_of {
    my ($of_tests, $in_common) = @_;
    my @tests = map {
        my $test = $_;
        [map { exp($of_tests->[$test] * $NOISE[$test][$_] + $in_common->[$_]) } 0 .. 7]
    } 0, 1;
    return UnixBench::Score::Estimate::half_width(index_of(@tests));
}

subtest 'noise that all tests have in common lasts until rounds show that it does not' => sub {
    my @common = (0.01, 0.01, -0.01, -0.01) x 2;
    my $quiet  = half_of([0.0001, 0.02], \@common);
    cmp_ok($quiet, '>', 1.9 * half_of([0.0001, 0.02], [(0) x 8]), 'a quiet test shows it');
    my @slow = map { 0.01 * $_ } -2, -1.5, -1, -0.3, 0.3, 1, 1.5, 2;
    my ($lasting, $brief) = map { half_of([0.0001, 0.0001], $_) } \@slow, [@slow[0, 7, 1, 6, 2, 5, 3, 4]];
    cmp_ok($lasting, '>', 1.4 * $brief, 'the same deviations in another order: neighbours that are alike widen it');
    my $one = UnixBench::Score::Estimate::half_width(index_of([map { exp } @common]));

    # Its own autocorrelation is (1/8 + 1/8) * 1.5 = 0.375, and (1 + r) / (1 - r) = 2.2.
    is(sprintf('%.6f', $one), sprintf('%.6f', 0.01 * sqrt(8 / 7) * 2.364624252 / sqrt(8) * sqrt 2.2), 'nothing common');
};

subtest 'the interval of a score knows noise that lasts for many rounds' => sub {
    my @noise = map { $_ % 2 ? 0.02 : -0.02 } 1 .. 64;
    my @slow  = map { 0.01 * sin($_ / 16) } 1 .. 64;
    my $half  = sub {
        my ($order) = @_;
        my @rates = map { exp($noise[$_] + $slow[$order->[$_]]) } 0 .. 63;
        return UnixBench::Score::Estimate::half_width(UnixBench::Score::Estimate::of_rounds(1, @rates));
    };
    my ($lasting, $brief) = map { $half->($_) } [0 .. 63], [map { $_ * 27 % 64 } 0 .. 63];
    cmp_ok($lasting, '>', 4 * $brief, 'also if the noise of each round is twice as large');
    is(UnixBench::Score::Estimate::of_rounds(1, map { exp } @noise[0 .. 30])->{df}, 30, '31 rounds are 31 batches');
    is(UnixBench::Score::Estimate::of_rounds(1, map { exp } @noise[0 .. 31])->{df}, 15, '32 rounds are 16 of two');
    is(UnixBench::Score::Estimate::of_rounds(1, map { exp } @noise[0 .. 36])->{df}, 17, '37 rounds are 18');
};

done_testing;
