use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(known);
use UnixBench::Score::Stats;

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

done_testing;

# Takes a tolerance, a probability, degrees of freedom, and the known quantile; tests that it is found.
sub is_quantile {
    my ($tolerance, $probability, $df, $t) = @_;
    my $quantile = UnixBench::Score::Stats::t_quantile($probability, $df);
    return cmp_ok(abs($quantile / $t - 1), '<', $tolerance, "t for $probability and $df degrees of freedom: $quantile");
}
