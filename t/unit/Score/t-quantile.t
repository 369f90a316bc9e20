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

for my $known (@KNOWN) {
    my ($probability, $df, $t) = @$known;
    my $quantile = UnixBench::Score::Stats::t_quantile($probability, $df);
    cmp_ok(abs($quantile / $t - 1), '<', 1e-9, "t for $probability and $df degrees of freedom: $quantile");
}

for my $known (known('quantiles')) {
    my $quantile = UnixBench::Score::Stats::t_quantile(0.975, $known->{df});
    cmp_ok(abs($quantile / $known->{t} - 1), '<', 1e-9, "t for 0.975 and $known->{df} degrees of freedom: $quantile");
}

done_testing;
