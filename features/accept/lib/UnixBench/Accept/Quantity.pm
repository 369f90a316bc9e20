package UnixBench::Accept::Quantity;

# Requirements on another quantity of a run than its value, such as "index:p5>=0.9*index": see quantities in
# UnixBench::Features. A quantity is of its run, so it has no deviation from run to run; its reference has one.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Limit    qw(WITHIN compared explained failed of_machine verdict without_spread);
use UnixBench::Features         qw(loaded);
use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Stats     qw(t_quantile);

use constant COVERED => 0.95;

# Takes a criterion on a quantity, its test or index, and the run of a summary, all as in UnixBench::Accept::Acceptance.
# Returns what the case has.
sub decided {
    my ($criterion, $found, $run) = @_;
    my ($all, $quiet) = _quantities($criterion, $run->{measured});
    return (
        verdict => 'INCONCLUSIVE',
        reason  => "$criterion->{quantity} is not known: too few rounds, or several results"
    ) if !$all;
    my $own     = $criterion->{is_own} ? $found->{estimate}{value} : 1;
    my %decided = (
        (map { $_ => $all->{$_} } qw(value low high)),
        limit => $criterion->{limit} * $own,
        map({ $_ => 0 } qw(is_final needs_runs)),
        more_runs => undef,
    );
    my ($verdict, $why, @advice) = _verdict($criterion, $own, $found, grep { $_ } $all, $quiet);
    push @advice, sprintf 'the limit is %.4g', $decided{limit} if $criterion->{is_own};
    return (%decided, failed($criterion, $why)) if $verdict eq 'FAIL' && $criterion->{is_mixed};
    return (%decided, verdict => $verdict, reason => $why, advice => @advice ? join('; ', @advice) : undef);
}

# Takes a criterion and its measured run, or undef. Returns the quantity of all rounds, and that of the rounds without
# other load; each is undef if it is not known.
sub _quantities {
    my ($criterion, $measured) = @_;
    return if !$measured;
    my ($word, $name, $category) = @$criterion{qw(quantity name category)};
    my @rows = { name => $name, baseline => 1 };
    @rows = grep { defined $_->{baseline} }
        map { @{ $_->{rows} } } grep { $_->{category} eq $category } @{ $measured->{indexes} }
        if defined $category;
    my $of = loaded(UnixBench::Features::first(quantities => $word))->can('quantity');
    return map { scalar $of->($word, $measured, \@rows, $_) } 0, 1;
}

# Takes a criterion, the value of the same run by which its number is multiplied or 1, its test or index, the quantity
# of all rounds, and perhaps that of the rounds without other load. Returns verdict and reason, and perhaps the advice.
# Beside other load, the rounds without it must have the same verdict, or other load must not explain it.
sub _verdict {
    my ($criterion, $own, $found, @quantities) = @_;
    my $base      = $criterion->{base};
    my $reference = $base && of_machine([$base], [$base->{estimate}], $criterion);
    return without_spread() if $reference && !defined $reference->{low};
    my @even  = $reference ? map { _even($_) } @quantities : @quantities;
    my @sides = map              { [compared($criterion, $_, $reference)] } @even;
    my ($all, $limit) = ($sides[0][0], $sides[0][1] * $own);
    my @verdicts = map { (verdict($_->[0], $limit))[0] } @sides;
    return (INCONCLUSIVE => WITHIN, 'measure over a longer time') if $verdicts[0] eq 'INCONCLUSIVE';

    my ($of, $to) = map { UnixBench::Score::OtherLoad::side([$_], 1) } $found, $base // ();
    return $verdicts[0] if !grep { $_->{is_open} } $of, $to // ();
    return $verdicts[0] if !($to && $to->{is_open}) && ($verdicts[1] // q{}) eq $verdicts[0];
    my %limits = %{ UnixBench::Score::OtherLoad::limits([$all], $criterion->{is_own} ? _as_own($of) : $of, $to) };
    return 'PASS' if defined $limits{low} && $limits{low} >= $limit;
    return (FAIL         => explained($limits{by_high})) if defined $limits{high} && $limits{high} < $limit;
    return (INCONCLUSIVE => 'below the limit, but other load in some rounds') if $verdicts[0] eq 'FAIL';
    return (INCONCLUSIVE => 'above the limit, but other load in some rounds may be the reason');
}

# Takes the estimate of a quantity; returns one whose error is the same on both sides, the larger one.
sub _even {
    my ($estimate) = @_;
    my ($value, $low, $high) = @$estimate{qw(value low high)};
    my $half = List::Util::max(log($value / $low), log($high / $value));
    my $df   = UnixBench::Score::Stats::DF_MAX;
    return UnixBench::Score::Estimate::around($value, $half / t_quantile((1 + COVERED) / 2, $df), $df);
}

# Takes what other load did to a run, see side() of UnixBench::Score::OtherLoad; returns the same for a quantity that is
# compared with the value of the same run. This may be too high by the factor by which other load has raised it.
sub _as_own {
    my ($load) = @_;
    my ($raised, $explains) = @$load{qw(raised explains)};
    return { %$load, raised => 1, explains => defined $raised && defined $explains ? $raised * $explains : undef };
}

1;
