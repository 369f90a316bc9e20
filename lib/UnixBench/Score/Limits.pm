package UnixBench::Score::Limits;

# What a value that is compared can be without other load: a value alone, or a ratio of two. Comparisons, requirements
# and histories decide by these limits if too few passes are quiet. A limit that is not known is undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad qw(estimate_of has_enough is_disturbed slight);
use UnixBench::Score::Stats     qw(geometric_mean mean);

# Takes the same test or index in each run; returns what other load did to all their passes:
#   is_open           whether it disturbed one; if it did not, both factors are 1
#   raised, explains  the factors by which it raised and lowered them at most
sub factors {
    my (@items) = @_;
    my @bounds = map { $_->{bounds} || () } grep { is_disturbed($_) } @items;
    return {
        is_open => @bounds ? 1 : 0,
        map { $_ => _most($_, @bounds) } qw(raised explains)
    };
}

sub _most {
    my ($key, @bounds) = @_;
    my @known = grep { defined } map { $_->{$key} } @bounds;
    return @known == @bounds ? List::Util::max(1, @known) : undef;
}

# Takes [the same test or index in each run of a side], a function that takes some of them and [their estimates] and
# returns the estimate of their machine, and perhaps the confidence of the floor. Returns factors() with the estimates
# from which of() takes the limits, floor and ceiling. Runs with enough quiet passes decide alone, and both are the
# estimate of these.
sub side {
    my ($items, $machine, $covered) = @_;
    my @kept = grep { !is_disturbed($_) || has_enough($_) } @$items;
    my @used = @kept ? @kept : @$items;
    my $all  = $machine->(\@used, [map { @kept ? estimate_of($_) : $_->{estimate} } @used]);
    return { %{ factors() }, explains => slight(@kept), floor => $all, ceiling => $all } if @kept;
    my @floors = map { $_->{bounds}{floor} } @used;
    my @error  = (mean(map { $_->{log_se} } @floors), mean(map { $_->{df} } @floors));
    my $floor  = UnixBench::Score::Estimate::around(geometric_mean(map { $_->{value} } @floors), @error);
    return { %{ factors(@used) }, floor => UnixBench::Score::Estimate::surer($floor, $covered), ceiling => $all };
}

# Takes the side of a value, that of its reference if the value is a ratio, or undef, and a function that takes an
# estimate of each and returns what is compared. Returns what that is without other load, with its confidence: between
# low and high.
sub of {
    my ($of, $to, $compared) = @_;
    $to ||= factors();
    my ($low)  = $compared->($of->{floor},   $to->{ceiling});
    my ($high) = $compared->($of->{ceiling}, $to->{floor});
    return {
        low  => quotient($low->{low}, $of->{raised}, $to->{explains}),
        high => product($high->{high}, $of->{explains}, $to->{raised}),
    };
}

# Takes one or more factors; returns their product, or undef if one of them is.
sub product {
    my (@factors) = @_;
    return (grep { !defined } @factors) ? undef : List::Util::reduce { $a * $b } @factors;
}

# Takes a number and one or more divisors; returns the quotient, or undef if one of them is.
sub quotient {
    my ($number, @divisors) = @_;
    return (grep { !defined } $number, @divisors) ? undef : $number / product(@divisors);
}

# Takes an estimate of what is compared with a limit, [its test or index in each run] and, if it is a ratio, [that of
# its reference]. Returns it with the interval that it may have without the slight other load that notes report, which
# can only have lowered rates.
sub beside_slight {
    my ($estimate, $of, $to) = @_;
    return $estimate if !defined $estimate->{low};
    my ($low, $high) = ($estimate->{low} / slight(@{ $to || [] }), $estimate->{high} * slight(@$of));
    return { %$estimate, low => $low, high => $high };
}

1;
