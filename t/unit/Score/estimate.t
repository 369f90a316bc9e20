use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(has_known_estimate in_rounds known);
use UnixBench::Score::Estimate;
use UnixBench::Score;

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
