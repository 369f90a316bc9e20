package Equivalence;

# Statistics of equivalence: whether two programs, or the indexes of two suites, have the same rate up to a margin.
# They are two one-sided tests, see lab/equivalence.md.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(geometric_mean);

our @EXPORT_OK = qw(INDEX_MARGIN TEST_MARGIN in_words ratio verdict);

# The largest ratio that counts as equal; the smallest one is its inverse.
use constant { TEST_MARGIN => 1.03, INDEX_MARGIN => 1.01 };

use constant COVERED => 0.9;

# Takes the rates of two suites in the same tests, one or all tests of an index: for each suite,
# [{ round => rate }, ...]. Returns the estimate of the second suite divided by the first (see
# UnixBench::Score::Estimate), the mean of the logarithms of the ratios in each round, with the 90 % interval of
# Student's t over the rounds. Returns undef if no round has all rates. One round has no interval.
sub ratio {
    my ($first, $second) = @_;
    my @ratios;
    for my $round (sort { $a <=> $b } keys %{ $first->[0] }) {
        my @ratios_now =
            map { $first->[$_]{$round} && ($second->[$_]{$round} // 0) / $first->[$_]{$round} } 0 .. $#$first;
        push @ratios, geometric_mean(@ratios_now) if !grep { !$_ } @ratios_now;
    }
    return @ratios ? UnixBench::Score::Estimate::at(UnixBench::Score::Estimate::of_rates(@ratios), COVERED) : undef;
}

# Takes an estimate, or { low, high }, and a margin. Returns "equivalent" if the interval lies within the margins,
# "different" if it lies wholly outside, else "not decided". Without an interval, nothing is decided.
sub verdict {
    my ($estimate, $margin) = @_;
    my ($low,      $high)   = @$estimate{qw(low high)};
    return 'not decided' if !defined $low;
    return 'equivalent' if $low >= 1 / $margin && $high <= $margin;
    return 'different' if $low > $margin || $high < 1 / $margin;
    return 'not decided';
}

# Takes the same. Returns the verdict in words. They say whether the interval excludes 1.
sub in_words {
    my ($estimate, $margin) = @_;
    my ($low,      $high)   = @$estimate{qw(low high)};
    my $verdict = verdict($estimate, $margin);
    my $words   = $verdict eq 'not decided' ? "$verdict: measure longer" : $verdict;
    return defined $low && ($low > 1 || $high < 1) ? "$words; the interval excludes 1" : $words;
}

1;
