package UnixBench::Store::ClassicReport::Table;

# The table of indexes in a text report: it has to agree with the results above it, and in itself.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format qw(clean);

use constant { HALF => 0.0501, LEAST => 1e-9, SHOWN_MAX => 60 };    # all numbers were rounded to one decimal

# Takes a row's title, the test of that title in the results, or undef, and the row's BASELINE, RESULT and INDEX, each a
# number or "---". Dies with one line when they contradict the test, or each other.
sub check_row {
    my ($title, $test, $baseline, $result, $index) = @_;
    my $shown = _shown($title);
    if ($test) {
        die "$shown has no score in the results, but $result in the table of indexes\n" if !defined $test->{score};
        die "$shown is $test->{score} in the results, but $result in the table of indexes\n"
            if abs($test->{score} - $result) > 2 * HALF + LEAST * $result;
    }
    return if grep { $_ eq '---' || $_ <= 0 } $baseline, $index;
    my ($low, $high) =
        (10 * ($result - HALF) / ($baseline + HALF), 10 * ($result + HALF) / List::Util::max(LEAST, $baseline - HALF));
    die "$shown has the index $index, but its result and baseline give " . sprintf("%.1f\n", 10 * $result / $baseline)
        if $index < $low - HALF || $index > $high + HALF;
    return;
}

# Takes the title of the table, its index score, and its rows, each with an index. Dies with one line when the score is
# not their geometric mean.
sub check_index {
    my ($title, $value, @rows) = @_;
    my @indexes = map { $_->{index} } @rows;
    return if !@indexes || grep { $_ eq '---' } @indexes;
    my ($low, $mean, $high) = map { _mean($_, @indexes) } -HALF(), 0, HALF;
    return if $value >= $low - HALF && $value <= $high + HALF;
    die _shown($title) . " has the index score $value, but the indexes of its tests give " . sprintf "%.1f\n", $mean;
}

# The geometric mean of numbers to each of which something is added.
sub _mean {
    my ($more, @numbers) = @_;
    return exp(List::Util::sum(map { log List::Util::max(LEAST, $_ + $more) } @numbers) / @numbers);
}

sub _shown {
    my ($title) = @_;
    return q{"} . substr(clean($title), 0, SHOWN_MAX) . q{"};
}

1;
