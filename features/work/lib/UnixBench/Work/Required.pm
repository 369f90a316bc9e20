package UnixBench::Work::Required;

# Requirements on work, of which less is better: "pipe:work<=2600", in cycles of a loop; "pipe:work<=1.05*base.json";
# and "b/a:pipe:work<=1.03" or "b/a:index:work<=1.03", for a state in turns. An index has the mean of the tests whose
# work other load hardly changes, and only as a ratio. See UnixBench::Accept::Quantity.

use strict;
use warnings;

use UnixBench::Accept::Limit qw(sure verdict);
use UnixBench::Accept::Ratio ();
use UnixBench::Score::ByWork ();
use UnixBench::Score::Repeat ();
use UnixBench::Score::Work   qw(changed_by_load);

# Returns why work will not be known, or nothing.
sub why_no_quantity {
    my (undef, undef, undef, $requirement) = @_;
    return if !defined $requirement->{category} || defined $requirement->{state} || defined $requirement->{file};
    return "the work of an index is a ratio, such as b/a:$requirement->{name}:work<=1.03";
}

# Takes a criterion, its test or index, and the run of a summary, as in UnixBench::Accept::Acceptance. Returns what the
# case has.
sub decided {
    my (undef, $criterion, $found, $run) = @_;
    my $is_ratio = defined $criterion->{state} || $criterion->{reference};
    my $limit    = $criterion->{ $is_ratio ? 'number' : 'limit' };
    my $own      = { summary => $run->{summary}, run => $run };
    my $work =
        defined $criterion->{state}
        ? (UnixBench::Accept::Ratio::found($criterion, @$run{qw(experiment measured)}) || {})->{work}
        : $is_ratio ? UnixBench::Score::ByWork::of_runs(@$criterion{qw(tests reference)}, $own)
        :             _of_loop($found, $run);
    return (verdict => 'INCONCLUSIVE', reason => 'its work is not known', limit => $limit) if !$work;
    my $rates = UnixBench::Score::ByWork::rates($work, sub { sure($criterion, @_) });
    my ($verdict, $reason) = verdict($rates, 1 / $limit);
    return (
        limit   => $limit,
        value   => 1 / $rates->{value},
        low     => 1 / $rates->{high},
        high    => 1 / $rates->{low},
        verdict => $verdict,
        reason  => $reason
    );
}

# Returns the cycles of a loop in the form of a ratio: with what they vary from run to run, and what load may change.
sub _of_loop {
    my ($found, $run) = @_;
    my @runs   = @{ $found->{of_runs} || [$found] };
    my @known  = map { UnixBench::Score::Work::cycles_of_loop($run->{summary}, $_) // () } @runs;
    my $margin = (grep { @{ $_->{other_load} || [] } } @runs) ? changed_by_load($found->{name}) : 1;
    return if @known < @runs || !defined $margin;
    my @repeats = map { $_->{work}{repeat} } @runs;
    return { cycles => UnixBench::Score::Repeat::of_states([\@known], [\@repeats])->{values}[0], margin => $margin };
}

1;
