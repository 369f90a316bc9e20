use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(has_known_estimate known);
use UnixBench::Score::Estimate;

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

done_testing;
