package UnixBench::Accept::Quantity;

# Requirements on another quantity of a run than its value, such as "index:p5>=0.9*index": see quantities in
# UnixBench::Features. A quantity is of its run, so it has no deviation from run to run.

use strict;
use warnings;

use UnixBench::Accept::Limit qw(WITHIN verdict);
use UnixBench::Features      qw(loaded);

# Takes a criterion on a quantity, its test or index, and the run of a summary, all as in UnixBench::Accept::Acceptance.
# Returns what the case has. If the rounds without other load would meet the requirement, it is open.
sub decided {
    my ($criterion, $found, $run) = @_;
    my ($word, @rows) = $criterion->{quantity};
    my $measured = $run->{measured};
    my $is_index = defined $criterion->{category};
    @rows = grep { defined $_->{baseline} }
        map { @{ $_->{rows} } } grep { $_->{category} eq $criterion->{category} } @{ $measured->{indexes} }
        if $is_index && $measured;
    @rows = ({ name => $criterion->{name}, baseline => 1 }) if !$is_index;
    my $limit  = $criterion->{limit} * ($criterion->{is_own} ? $found->{estimate}{value} : 1);
    my $module = loaded(UnixBench::Features::first(quantities => $word));
    my ($all, $quiet) = map { $measured && $module->can('quantity')->($word, $measured, \@rows, $_) } 0, 1;
    return (verdict => 'INCONCLUSIVE', reason => "$word is not known: too few rounds, or several results") if !$all;
    my ($verdict) = verdict($all, $limit);
    my ($why, @advice) = $verdict eq 'INCONCLUSIVE' ? (WITHIN, 'measure over a longer time') : ();
    ($verdict, $why, @advice) = ('INCONCLUSIVE', 'below the limit, but other load in some rounds')
        if $verdict eq 'FAIL' && !($quiet && $quiet->{high} < $limit);
    push @advice, sprintf 'the limit is %.4g', $limit if $criterion->{is_own};
    return (
        (map { $_ => $all->{$_} } qw(value low high)),
        verdict    => $verdict,
        reason     => $why,
        advice     => @advice ? join('; ', @advice) : undef,
        limit      => $limit,
        is_final   => 0,
        needs_runs => 0,
        more_runs  => undef,
    );
}

1;
