package UnixBench::Stats;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(geometric_mean mean);

# Takes numbers, at least one, returns their arithmetic mean.
sub mean {
    my (@values) = @_;
    my $sum = 0;
    $sum += $_ for @values;
    return $sum / @values;
}

# Takes numbers above 0, at least one, returns their geometric mean by way of logarithms; dies on a
# number that has no logarithm.
sub geometric_mean {
    my (@values) = @_;
    return exp mean(map { log $_ } @values);
}

1;
