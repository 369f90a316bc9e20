package UnixBench::Over::Quantities;

# What requirements may name of a run with --over, besides its values: the rate or index below which 5 % of the rounds
# are (p5), that in the middle (median), and the mean of the lowest hour (worst-hour).

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Over::Figures   ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(autocorrelation inflation quantile);

use constant { LEAST => 48, NORMAL_95 => 1.96 };

my %PART = (p5 => 0.05, median => 0.5);

# Takes "p5", "median" or "worst-hour", a run, [rows of an index, or the row of a test, each { name, baseline }], and
# whether rounds that other load disturbed are left out. Returns the estimate, or undef if there are fewer than 48
# rounds, or only one hour.
sub quantity {
    my ($word, $run, $rows, $is_quiet) = @_;
    my $factor = grep({ $_->{baseline} != 1 } @$rows) ? 10 : 1;
    my @rounds = UnixBench::Over::Figures::rounds_of($run, $factor, $rows, $is_quiet);
    return if @rounds < LEAST;
    return _of_order($PART{$word}, map { $_->{value} } @rounds) if $PART{$word};
    my ($lowest) = UnixBench::Over::Figures::extreme_hours({ hours => [UnixBench::Over::Figures::hours(@rounds)] });
    return $lowest;
}

# Takes a part of 1, and values in the order of time; returns the quantile with the interval between two of the values:
# their places are those of a binomial distribution, farther apart if neighbours are alike.
sub _of_order {
    my ($part, @values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    my $wide   = inflation(max(0, autocorrelation(map { log } @values)));
    my $margin = NORMAL_95 * $wide * sqrt(@values * $part * (1 - $part));
    my ($low, $high) = map { max(0, min($#sorted, int($part * @values + $_))) } -$margin - 1, $margin;
    my $value = quantile($part, @values);
    return { %{ UnixBench::Score::Estimate::known($value) }, low => $sorted[$low], high => $sorted[$high] };
}

1;
