package UnixBench::Compare::Verdict;

use strict;
use warnings;

# Takes a ratio as an estimate (see UnixBench::Score::Estimate), and the part of the value below which a difference
# does not matter, 0.02 for 2 %. Returns "worse" or "better" when the whole 95 % interval of the ratio is further from
# 1 than that, "same" when it is not, and "unknown" for a ratio without an interval.
sub of {
    my ($ratio, $min_effect) = @_;
    return 'unknown' if !defined $ratio->{low} || !defined $ratio->{high};
    return 'worse' if $ratio->{high} < 1 - $min_effect;
    return 'better' if $ratio->{low} > 1 + $min_effect;
    return 'same';
}

1;
