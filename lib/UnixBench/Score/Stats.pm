package UnixBench::Score::Stats;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(geometric_mean mean median standard_deviation);

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

# Takes numbers, at least one, returns the middle one, or the mean of the two in the middle.
sub median {
    my (@values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    return mean(@sorted[$#sorted / 2, @sorted / 2]);
}

# Takes numbers, at least two, returns the standard deviation of what they are a sample of.
sub standard_deviation {
    my (@values) = @_;
    my $mean = mean(@values);
    return sqrt(mean(map { ($_ - $mean)**2 } @values) * @values / (@values - 1));
}

1;
