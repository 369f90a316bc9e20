use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun                qw(known);
use UnixBench::Score::Stats qw(autocorrelation geometric_mean inflation mean median standard_deviation t_above);

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

done_testing();

# Takes a tolerance, a probability, degrees of freedom, and the known quantile; tests that it is found.
sub is_quantile {
    my ($tolerance, $probability, $df, $t) = @_;
    my $quantile = UnixBench::Score::Stats::t_quantile($probability, $df);
    return cmp_ok(abs($quantile / $t - 1), '<', $tolerance, "t for $probability and $df degrees of freedom: $quantile");
}
