package Plausible;

# Checks whether the statistics in a row of a table can belong together.

use strict;
use warnings;

use Exporter   qw(import);
use List::Util qw(sum);

our @EXPORT_OK = qw(fewest_values is_plausible least_deviation rank_correlation);

# Takes a number of values, their mean and maximum; returns their least possible standard deviation. It is reached if
# all other values are equal.
sub least_deviation {
    my ($count, $mean, $max) = @_;
    return ($max - $mean) * sqrt($count) / ($count - 1);
}

# Returns whether that number of values can have that mean, standard deviation and maximum.
sub is_plausible {
    my ($count, $mean, $deviation, $max) = @_;
    return $deviation >= least_deviation($count, $mean, $max) * (1 - 1e-9);
}

# Returns the smallest number of values that can have that mean, standard deviation and maximum.
sub fewest_values {
    my ($mean, $deviation, $max) = @_;
    my $ratio = ($max - $mean) / $deviation;
    my $root  = ($ratio + sqrt($ratio**2 + 4)) / 2;
    my $count = int $root**2;
    $count++ while !is_plausible($count, $mean, $deviation, $max);
    return $count;
}

sub _ranks {
    my ($values) = @_;
    my @ranks;
    for my $value (@$values) {
        my $below = grep { $_ < $value } @$values;
        my $same  = grep { $_ == $value } @$values;
        push @ranks, $below + ($same + 1) / 2;
    }
    return @ranks;
}

# Takes two lists; returns Spearman's rank correlation. Equal values share their ranks.
sub rank_correlation {
    my (@lists) = @_;
    my @ranks   = map { [_ranks($_)] } @lists;
    my $middle  = (@{ $ranks[0] } + 1) / 2;
    my @pairs   = map { [$ranks[0][$_] - $middle, $ranks[1][$_] - $middle] } 0 .. $#{ $ranks[0] };
    my $scale   = sqrt(sum(map { $_->[0]**2 } @pairs) * sum(map { $_->[1]**2 } @pairs));
    return sum(map { $_->[0] * $_->[1] } @pairs) / $scale;
}

1;
