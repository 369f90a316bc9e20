package UnixBench::Accept::Limit;

# What an estimate says about a limit. Requirements on values, ratios and quantities are all decided here. Criteria are
# those of UnixBench::Accept::Requirement, with is_mixed, covered and looked of UnixBench::Accept::Acceptance.

use strict;
use warnings;

use Exporter qw(import);

use UnixBench::Compare::Kind     ();
use UnixBench::Score::Bounds     ();
use UnixBench::Score::ByWork     ();
use UnixBench::Score::Estimate   ();
use UnixBench::Score::OtherLoad  ();
use UnixBench::Score::Repeat     ();
use UnixBench::Warnings::Wording qw(OTHER_LOAD);

our @EXPORT_OK = qw(beside_load beside_slight_load by_work compared failed machines of_machine side sure verdict);

# Reasons why a verdict is open.
use constant {
    OF_QUICK => 'a quick estimate never fails against an official result',
    WITHIN   => 'the limit is within the interval',
    ONE_PASS => 'one pass does not show the spread; measure more (-i, --max-time)',
    OWN_LOAD => OTHER_LOAD . '; measure again in a quiet moment',
    ITS_LOAD => 'the reference was measured beside ' . OTHER_LOAD,
};

# Takes an estimate, see UnixBench::Score::Estimate, and a limit. Returns the verdict and its reason or undef.
sub verdict {
    my ($estimate, $limit) = @_;
    my ($low,      $high)  = @$estimate{qw(low high)};
    return (INCONCLUSIVE => ONE_PASS) if !defined $low;
    return ('PASS', undef) if $low >= $limit;
    return ('FAIL', undef) if $high < $limit;
    return (INCONCLUSIVE => WITHIN);
}

# Takes a criterion that is not met. Returns what its case has. A quick estimate never fails against an official result.
sub failed {
    my ($criterion) = @_;
    return (verdict => 'FAIL', reason => undef) if !$criterion->{is_mixed};
    return (verdict => 'INCONCLUSIVE', reason => OF_QUICK, is_final => 1);
}

sub _left_open {
    my ($own) = @_;
    my $reason = @$own ? OWN_LOAD : ITS_LOAD;
    return (verdict => 'INCONCLUSIVE', reason => $reason, is_final => 0, more_runs => undef, other_load => $own);
}

# Takes a criterion, limits (see UnixBench::Score::Bounds), the limit, and the other load of the value. Returns what
# the case has: the verdict holds whatever other load did, or is inconclusive.
sub beside_load {
    my ($criterion, $limits, $limit, $load) = @_;
    my ($low, $high) = @$limits{qw(low high)};
    return (verdict => 'PASS', reason => undef) if defined $low && $low >= $limit;
    return defined $high && $high < $limit ? failed($criterion) : _left_open($load);
}

# Takes a verdict, the estimate that it is about, the limit, [the test or index in each run] and, if the estimate is a
# ratio, [that of the file]. Returns what the case has if slight other load may be the reason why it fails, or why the
# value is larger than that in the file; else nothing.
sub beside_slight_load {
    my ($verdict, $estimate, $limit, $of, $to) = @_;
    my $slight = UnixBench::Score::Bounds::beside_slight($estimate, $of, $to);
    return _left_open(UnixBench::Score::OtherLoad::together(@$of)) if $verdict eq 'FAIL' && $slight->{high} >= $limit;
    return _left_open([]) if $verdict eq 'PASS' && $to && $limit > 1 && $slight->{low} < $limit;
    return;
}

# Takes a criterion, what the work says (see UnixBench::Score::ByWork::found) and what the rates allow, { low, high }.
# Returns what the case has if the work decides, or nothing.
sub by_work {
    my ($criterion, $found, $allowed) = @_;
    my $number    = $criterion->{number};
    my $rates     = UnixBench::Score::ByWork::rates($found, sub { sure($criterion, @_) });
    my ($verdict) = verdict($rates, $number);
    return if $verdict eq 'INCONCLUSIVE' || UnixBench::Score::ByWork::contradicts($rates, $allowed, $number);
    my $reason = sprintf 'by work, %.2f times the cycles of a loop', $found->{cycles}{value};
    my %ends   = (at_least => $rates->{low}, at_most => $rates->{high});
    $_ *= $criterion->{limit} / $number for values %ends;    # of the value in a file
    return (%ends, verdict => $verdict, reason => $reason, is_final => 0, more_runs => undef);
}

# Takes a criterion and an estimate; returns the estimate with an interval of the confidence that the criterion needs.
sub sure {
    my ($criterion, $estimate) = @_;
    my $surer = UnixBench::Score::Estimate::surer($estimate, $criterion->{looked});
    return defined $surer->{log_se} ? UnixBench::Score::Estimate::at($surer, $criterion->{covered}) : $surer;
}

# Takes a criterion, the estimate of its value and, if it has a file, that in the file, and perhaps their ratio. Returns
# the estimate that decides, and its limit. The value in the file has an interval, too, so the ratio of both values is
# compared with the number.
sub compared {
    my ($criterion, $estimate, $base, $given) = @_;
    return ($estimate, $criterion->{limit}) if !$base;
    my $ratio = UnixBench::Score::Estimate::at($given // UnixBench::Score::Estimate::ratio($estimate, $base),
        $criterion->{covered});
    return ($criterion->{is_mixed} ? UnixBench::Compare::Kind::widened($ratio) : $ratio, $criterion->{number});
}

# Takes a criterion, [[its test or index in each run], perhaps [that in each result of its file]], and perhaps
# [estimates] of each. Returns the estimate of either machine and, if one has several results, their ratio: what these
# show of the deviation from run to run is that of both.
sub machines {
    my ($criterion, $both, $given) = @_;
    my @estimates = $given ? @$given : map { [map { $_->{estimate} } @$_] } @$both;
    my @machines  = map                    { of_machine($both->[$_], $estimates[$_], $criterion) } 0 .. $#$both;
    my @all       = map                    { @$_ } @$both;
    return @machines
        if @machines < 2
        || @all == 2
        || defined $criterion->{covered}
        || grep({ !$_->{repeat} } @all)
        || grep { !defined $_->{log_se} } @machines;
    my @sure    = map { [map { UnixBench::Score::Estimate::surer($_, $criterion->{looked}) } @$_] } reverse @estimates;
    my @repeats = map { [map { $_->{repeat} } @$_] } reverse @$both;
    my $states  = UnixBench::Score::Repeat::of_states(\@sure, \@repeats);
    return (reverse(@{ $states->{values} }), $states->{ratio});
}

# Takes [a test or an index in the summary of each run], [estimates of it, of the runs that decide], and a criterion;
# returns the estimate of the machine. If a run has no interval, this has none, either.
sub of_machine {
    my ($items, $estimates, $criterion) = @_;
    my @sure    = map  { UnixBench::Score::Estimate::surer($_, $criterion->{looked}) } @$estimates;
    my @repeats = grep { defined } map { $_->{repeat} } @$items;
    return @sure > 1 ? UnixBench::Score::Estimate::geometric_mean(@sure) : $sure[0]
        if defined $criterion->{covered} || !@repeats || @repeats < @$items || grep { !defined $_->{log_se} } @sure;
    return UnixBench::Score::Repeat::of_states([\@sure], [\@repeats])->{values}[0];
}

# Takes [a test or an index in the summary of each run], and a criterion; returns them as a side, see
# UnixBench::Score::Bounds.
sub side {
    my ($items, $criterion) = @_;
    my $machine = sub { of_machine(@_, $criterion) };
    return UnixBench::Score::Bounds::side($items, $machine, $criterion->{looked});
}

1;
