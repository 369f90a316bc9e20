package UnixBench::Score::Procedure;

# Quick estimates that are compared with official results. Reports of UnixBench 5 and 6 are official. Comparisons
# and features all ask this module. A quick estimate is never a reason for exit status 3 against an official
# result.

use strict;
use warnings;

# How far the values of both procedures may be apart on the same machine, as a part of 1. lab/equivalence measured both
# in turns, and lab/quick-runs.md has its table: the indexes agreed within 1 %, and nine of twelve tests within 3 %. Two
# more have intervals that contain 1. Shell Scripts (8 concurrent) is known to be 5 % faster in short passes.
use constant APART => 0.03;

# Takes the procedures of two or more results, "quick", "official" or undef; returns whether only some of them are
# quick.
sub are_mixed {
    my (@kinds) = @_;
    my $quick = grep { ($_ // q{}) eq 'quick' } @kinds;
    return $quick && $quick < @kinds ? 1 : 0;
}

# Takes the estimate of the ratio of a quick estimate and an official result, or the other way round. Returns it with an
# interval that also has the difference between the procedures.
sub widened {
    my ($ratio) = @_;
    return $ratio if !defined $ratio->{low};
    return { %$ratio, low => $ratio->{low} / (1 + APART), high => $ratio->{high} * (1 + APART) };
}

1;
