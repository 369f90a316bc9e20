package UnixBench::Accept::Limit;

# What an estimate says about a limit. Requirements on values, ratios and quantities are all decided here. Criteria are
# those of UnixBench::Accept::Requirement, with is_mixed, covered and looked of UnixBench::Accept::Acceptance.

use strict;
use warnings;

use Exporter qw(import);

use UnixBench::Base::Number     qw(significant);
use UnixBench::Base::Text       qw(counted);
use UnixBench::Compare::Kind    ();
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Report::Wording  qw(from_run_to_run);
use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Repeat    ();

our @EXPORT_OK = qw(MORE_MOST WITHIN compared explained failed left_open of_machine side verdict without_spread);

use constant MORE_MOST => 50;

# Reasons, and what is said about them in detail.
use constant {
    OF_QUICK => 'a quick estimate never fails against an official result',
    MEASURE  => 'it is below the limit: measure both by the same procedure',
    WITHIN   => 'the limit is within the interval',
    ONE_PASS => 'one pass does not show the spread',
};

# Takes an estimate, see UnixBench::Score::Estimate, a limit, and how many more runs could decide, or undef; with such a
# number also how much runs differ, see UnixBench::Score::Repeat. Returns the verdict, its reason or undef, and perhaps
# the advice.
sub verdict {
    my ($estimate, $limit, $more, $varies) = @_;
    my ($low, $high) = @$estimate{qw(low high)};
    return (INCONCLUSIVE => ONE_PASS, 'measure more (-i, --max-time)') if !defined $low;
    return ('PASS', undef) if $low >= $limit;
    return ('FAIL', undef) if $high < $limit;
    my @varies = $varies ? (', with ', from_run_to_run(@$varies{qw(by is_known)})) : ();
    my $narrower =
          !defined $more    ? 'more passes (-i, --max-time) narrow it'
        : $more > MORE_MOST ? 'it is so near that ' . MORE_MOST . ' more runs may not decide'
        :                     'about ' . counted($more, 'more run', 'more runs') . ' would decide';
    return (INCONCLUSIVE => WITHIN, in_plain([$narrower, @varies]));
}

# Returns the verdict, reason and advice if the reference has no interval.
sub without_spread {
    return (INCONCLUSIVE => 'the reference has one pass, which does not show the spread', 'measure it longer');
}

# Takes a criterion that is not met, and the reason or undef. Returns what its case has. A quick estimate never fails
# against an official result.
sub failed {
    my ($criterion, $reason) = @_;
    return (verdict => 'FAIL', reason => $reason, advice => undef) if !$criterion->{is_mixed};
    return (verdict => 'INCONCLUSIVE', reason => OF_QUICK, advice => MEASURE, is_final => 1);
}

# Takes the other load of the value and perhaps that of the reference, see together() of UnixBench::Score::OtherLoad.
# Returns what a case has that it leaves open.
sub left_open {
    my ($own, $base) = @_;
    return (
        verdict    => 'INCONCLUSIVE',
        reason     => undef,
        advice     => undef,
        is_final   => 0,
        other_load => $own,
        $base && @$base ? (base_load => $base) : ()
    );
}

# Takes the factor that other load explains at most; returns the reason why a requirement is not met anyway.
sub explained {
    my ($factor) = @_;
    return 'other load explains at most a factor of ' . significant($factor, 3);
}

# Takes a criterion, the estimate of its value and, if it has a file, that in the file. Returns the estimate that
# decides, and its limit. The value in the file has an interval, too, so the ratio of both values is compared with the
# number.
sub compared {
    my ($criterion, $estimate, $base) = @_;
    return ($estimate, $criterion->{limit}) if !$base;
    my $ratio =
        UnixBench::Score::Estimate::at(UnixBench::Score::Estimate::ratio($estimate, $base), $criterion->{covered});
    return ($criterion->{is_mixed} ? UnixBench::Compare::Kind::widened($ratio) : $ratio, $criterion->{number});
}

# Takes [a test or an index in the summary of each run], [estimates of it, of the runs that decide], and a criterion;
# returns the estimate of the machine, perhaps with varies: how much runs differ, see UnixBench::Score::Repeat. If a run
# has no interval, this has none, either.
sub of_machine {
    my ($items, $estimates, $criterion) = @_;
    my @sure    = map  { UnixBench::Score::Estimate::surer($_, $criterion->{looked}) } @$estimates;
    my @repeats = grep { defined } map { $_->{repeat} } @$items;
    return UnixBench::Score::Estimate::geometric_mean(@sure)
        if @sure > 1 && (@repeats < @$items || grep { !defined $_->{log_se} } @sure);
    return $sure[0] if defined $criterion->{covered} || !@repeats || !defined $sure[0]{log_se};
    my $of = UnixBench::Score::Repeat::of_states([\@sure], [\@repeats]);
    return { %{ $of->{values}[0] }, varies => $of->{varies} };
}

# Takes [a test or an index in the summary of each run], and a criterion; returns them as a side, see
# UnixBench::Score::OtherLoad.
sub side {
    my ($items, $criterion) = @_;
    my $machine = sub { of_machine(@_, $criterion) };
    return UnixBench::Score::OtherLoad::side($items, $machine, $criterion->{looked});
}

1;
