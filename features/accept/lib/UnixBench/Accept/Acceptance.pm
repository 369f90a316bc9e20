package UnixBench::Accept::Acceptance;

# Verdicts: whether each criterion was met.
#
# A verdict about a machine needs a measurement of that machine, see UnixBench::Score::Cases. So a requirement is not
# met only if a value is too low, or if its test is FAIL, because a program crashed.
#
# The case of a requirement is plain data, as that of a test:
#   kind, verdict, reason, brief, name, copies, is_missing  see UnixBench::Score::Cases; the kind is 'requirement', and
#            the name that of a test or of an index
#   title    the text of the requirement
#   run      the number of the run in the result, from 0, or undef if it was not begun, or if several results are judged
#   results  how many results are judged together; undef if it is one
#   number, file, reference, trust, limit  as in its criterion, see UnixBench::Accept::Requirement
#   is_mixed          whether a quick estimate is compared with an official reference, or the other way round. Then the
#                     requirement never fails, see UnixBench::Compare::Kind
#   is_final          whether it is inconclusive for that reason alone, so that more passes would not change it
#   half_width        that of the interval of the reference, see UnixBench::Score::Estimate, or undef
#   value, low, high  the value with its interval, if there is one
#   at_least          the floor that decides instead of that interval, because other load disturbed the passes, or undef
#   more_runs         how many more runs would decide, together with these, if the limit is in the interval; undef in a
#                     bisection
#   needs_runs        whether more passes of this run could not decide, however precise they are
#   covered           the confidence of the interval, in a bisection; else undef: 0.95
#   advice            what to do about the reason, or more about it; undef without any
#   classic           the value that tables show, undef if several results are judged
#   shares            [passes that decide, all passes] if other load disturbed the others
#   other_load        [{ cause, worst, passes, of }, ...], the other load that may be the reason why the requirement was
#                     not met
#   base_load         the same during the passes of the reference, if it leaves the verdict open
#   is_ratio          whether the value is a ratio of two states
# If several results are judged together, the case of a test also has result, the number of its result from 0, and
# label, how the user has named that.
#
# A verdict is about the machine, so its interval has the deviation from run to run, see UnixBench::Score::Repeat. Only
# in a bisection it does not: that asks about the passes of one boot. Several runs show that deviation themselves.
#
# UnixBench::Score::OtherLoad decides which passes count, and what other load can explain: a requirement that a floor
# meets is met, and one that a ceiling does not meet is not.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Ratio       ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Number        qw(significant);
use UnixBench::Base::Result        qw(is_measured);
use UnixBench::Base::Text          qw(counted);
use UnixBench::Catalog             ();
use UnixBench::Compare::Kind       ();
use UnixBench::Features            qw(loaded);
use UnixBench::Report::Plain       qw(in_plain);
use UnixBench::Report::Wording     qw(from_run_to_run);
use UnixBench::Score::Cases        ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::OtherLoad    ();
use UnixBench::Score::Repeat       ();

use constant MORE_MOST => 50;

# Reasons, and what is said about them in detail.
use constant {
    OF_QUICK  => 'a quick estimate never fails against an official result',
    MEASURE   => 'it is below the limit: measure both by the same procedure',
    WITHIN    => 'the limit is within the interval',
    ONE_PASS  => 'one pass does not show the spread',
    EXPLAINED => 'other load explains at most a factor of %s',
    UNWATCHED => '%s could not watch for other load',
    MAY_BE    => 'it is below the limit, and other load may be the reason',
};

# Takes a result, its summary, and criteria, see UnixBench::Accept::Requirement. Returns the cases, run by run, tests
# before requirements. Requirements for runs that were not begun come last. A run of the summary may have covered, the
# confidence of its intervals in a bisection. A run of the result may have looked: this is one of several looks at an
# unfinished run, and its passes have to be as certain as that confidence asks for.
sub cases {
    my ($result, $summary, @criteria) = @_;
    my @of_tests = UnixBench::Score::Cases::by_run($result);
    my (@cases, %is_begun);
    for my $number (0 .. $#{ $result->{runs} }) {
        my $run = $result->{runs}[$number];
        $is_begun{ $run->{copies} } = 1;
        my %is_broken = map { $_->{name} => 1 } grep { $_->{verdict} eq 'FAIL' } @{ $of_tests[$number] };
        my %of        = (
            %{ $summary->{runs}[$number] },
            measured     => $run,
            experiment   => $result->{experiment},
            is_broken    => \%is_broken,
            procedure    => $summary->{procedure}{kind},
            looked       => $run->{looked},
            unwatched_by => defined $summary->{trust}{disturbed} ? undef : $result->{procedure}{runner},
        );
        push @cases, @{ $of_tests[$number] }, map { _case_of_criterion($_, $number, \%of) }
            grep { $_->{copies} == $run->{copies} } @criteria;
    }
    return (@cases,
        map { _case_of_criterion($_, undef, { tests => [], is_broken => {} }) }
        grep { !$is_begun{ $_->{copies} } } @criteria);
}

# Takes runs of one machine as UnixBench::Compare::Repeated::together() returns them, whose members also have result,
# and criteria. Returns the cases, the tests of each result before requirements. A requirement is judged by all these
# runs.
sub cases_of_several {
    my ($together, @criteria) = @_;
    my ($summary,  $members)  = @$together{qw(summary members)};
    my %run_with = map { $_->{copies} => $_ } reverse @{ $summary->{runs} };
    my (@cases, %is_broken, $unwatched_by);
    for my $number (0 .. $#$members) {
        my ($label, $result, $trust) =
            (@{ $members->[$number] }{qw(label result)}, $members->[$number]{summary}{trust});
        my @tests = map { @$_ } UnixBench::Score::Cases::by_run($result);
        $is_broken{ $_->{copies} }{ $_->{name} } = 1 for grep { $_->{verdict} eq 'FAIL' } @tests;
        $unwatched_by //= $result->{procedure}{runner} if !defined $trust->{disturbed};
        push @cases, map { +{ %$_, result => $number, label => $label } } @tests;
    }
    for my $criterion (@criteria) {
        my %of = (
            %{ $run_with{ $criterion->{copies} } },
            is_broken    => $is_broken{ $criterion->{copies} } || {},
            procedure    => $summary->{procedure}{kind},
            unwatched_by => $unwatched_by,
        );
        push @cases, { %{ _case_of_criterion($criterion, undef, \%of) }, results => scalar @$members };
    }
    return @cases;
}

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

# Takes cases; returns whether one shows a machine that is too slow or broken.
sub has_bad_machine {
    my (@cases) = @_;
    return scalar grep { $_->{verdict} eq 'FAIL' } @cases;
}

# Takes cases; returns whether a requirement was not met.
sub has_unmet_requirement {
    my (@cases) = @_;
    return _has(requirement => 'FAIL', @cases);
}

# Takes cases; returns whether one can't be decided by any run like this one: something that a test needs is missing, a
# value or its reference has no interval, or a quick estimate is below the limit of an official result.
sub has_undecidable {
    my (@cases) = @_;
    return scalar grep { $_->{verdict} ne 'PASS' && _is_undecidable($_) } @cases;
}

sub _is_undecidable {
    my ($case) = @_;
    return $case->{is_missing} && $case->{verdict} ne 'SKIP' if !defined $case->{value};
    return $case->{is_final} || !defined $case->{low} || defined $case->{reference} && !defined $case->{half_width};
}

# Takes cases; returns whether the verdict on a requirement is inconclusive.
sub has_open_requirement {
    my (@cases) = @_;
    return _has(requirement => 'INCONCLUSIVE', @cases);
}

sub _has {
    my ($kind, $verdict, @cases) = @_;
    return scalar grep { $_->{kind} eq $kind && $_->{verdict} eq $verdict } @cases;
}

sub _case_of_criterion {
    my ($given, $number, $run) = @_;
    my $base      = $given->{base};
    my $is_mixed  = $base && UnixBench::Compare::Kind::are_mixed($given->{procedure}, $run->{procedure});
    my $criterion = { %$given, is_mixed => $is_mixed ? 1 : 0, map { $_ => $run->{$_} } qw(covered looked) };
    return {
        kind    => 'requirement',
        title   => $criterion->{text},
        run     => $number,
        covered => $run->{covered},
        (map { $_ => $criterion->{$_} } qw(name copies number file reference trust limit is_mixed)),
        half_width => $base && UnixBench::Score::Estimate::half_width($base->{estimate}),
        _decided($criterion, $run),
    };
}

# Takes a criterion and a run of a summary. Returns verdict and reason of the case, and its value if there is one. If
# other load may be the reason, the verdict is inconclusive.
sub _decided {
    my ($criterion, $run) = @_;
    my $test = _first_unmeasured($criterion, $run);
    return _undecided($test, $run) if $test;
    my $found = UnixBench::Accept::Requirement::named($criterion, $run);
    return (verdict => 'INCONCLUSIVE', reason => 'the run has no complete index') if !$found;
    return (verdict => 'INCONCLUSIVE', reason => 'the runs have different tests or baselines') if $found->{is_mixed};
    my $of_other = _other_kind($criterion);
    return $of_other->($criterion, $found, $run) if $of_other;
    my @base = grep { defined } $criterion->{base};
    my @runs = @{ $found->{of_runs} || [$found] };
    my @both = (\@runs, map { [$_] } @base);
    my @all  = map {
        _of_machine($_, [map { $_->{estimate} } @$_], $criterion)
    } @both;
    my $load = UnixBench::Score::OtherLoad::decision(@both);
    my %case = (classic => _classic($found), _judged($criterion, scalar @runs, @all));
    $case{needs_runs} = _needs_runs($criterion, @both);
    return %case if !$load && $case{verdict} eq 'PASS';
    my ($verdict, $reason, $floor) = $load ? _in_spite_of_load($criterion, @both) : q{};
    $case{at_least} = $floor if $load && !$load->{estimates};
    return (%case, verdict => $verdict, reason => undef, advice => undef) if $verdict eq 'PASS';
    return (%case, _failed($criterion, $reason)) if $verdict eq 'FAIL' && !$load->{estimates};
    return (%case, _open($load)) if $load                              && !$load->{estimates};
    @all  = map { _of_machine($both[$_], $load->{estimates}[$_], $criterion) } 0 .. $#both if $load;
    %case = (%case, _judged($criterion, scalar @runs, @all), shares => $load->{shares}[0]) if $load;
    return (%case, _open({ load => [UnixBench::Score::OtherLoad::together(@runs)] }))
        if $case{verdict} eq 'FAIL' && _may_be_slowed(\@runs, _compared($criterion, @all));
    return (
        %case,
        verdict => 'INCONCLUSIVE',
        reason  => sprintf(UNWATCHED, $run->{unwatched_by}{name}),
        advice  => MAY_BE
    ) if $case{verdict} eq 'FAIL' && $run->{unwatched_by};
    return %case;
}

# Returns the function for a criterion on something else than a value, or nothing. It takes the criterion, its test or
# index, and the run of a summary, and returns what _decided() does.
sub _other_kind {
    my ($criterion) = @_;
    return \&_of_ratio if defined $criterion->{state};
    return defined $criterion->{quantity} ? \&_of_quantity : ();
}

# For a criterion on a ratio. The interval is that of the pairs of passes, as in the tables of the run. If other load
# leaves the ratio open, its bound may decide, but never a bisection.
sub _of_ratio {
    my ($criterion, undef, $run) = @_;
    my ($covered, $limit) = @$criterion{qw(covered limit)};
    my $found   = UnixBench::Accept::Ratio::found($criterion, @$run{qw(experiment measured)});
    my @remarks = @{ $found->{remarks} };
    my $ratio   = $found->{ratio} or return (verdict => 'INCONCLUSIVE', reason => join '; ', @remarks);
    $ratio = UnixBench::Score::Estimate::surer($ratio, $criterion->{looked});
    $ratio = UnixBench::Score::Estimate::at($ratio, $covered) if defined $ratio->{log_se};
    my ($verdict, $reason) = verdict($ratio, $limit);
    $reason = 'the limit is within the interval: more rounds (--max-time) narrow it' if $verdict eq 'INCONCLUSIVE';
    ($verdict, $reason) = _by_bound($found->{bound} || {}, $limit, @remarks) if @remarks;
    return (
        (map { $_ => $ratio->{$_} } qw(value low high)),
        verdict    => $verdict,
        reason     => $reason,
        is_ratio   => 1,
        is_final   => 0,
        needs_runs => 0,
        more_runs  => undef,
    );
}

# Takes the bound of a ratio, see UnixBench::Compare::Rows::of_runs, or {}, the limit, and why the ratio is open.
# Returns verdict and reason.
sub _by_bound {
    my ($bound, $limit, @why) = @_;
    my ($ratio, $explains) = @$bound{qw(ratio explains)};
    return 'PASS' if defined $ratio && $ratio > 1 && $ratio >= $limit;
    return (INCONCLUSIVE => join '; ', @why) if !defined $ratio || $ratio > 1 || $ratio >= $limit;
    return (FAIL         => defined $explains ? sprintf EXPLAINED, significant($explains, 3) : undef);
}

# For a criterion on a quantity. It is of this run, so it has no deviation from run to run. If the rounds without other
# load would meet the requirement, it is open.
sub _of_quantity {
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

# Takes a test or an index; returns the value that tables show, or undef if it is of several runs.
sub _classic {
    my ($found) = @_;
    return $found->{of_runs} ? undef : $found->{index} // $found->{score};
}

# Takes a criterion, its test or index in each run, and perhaps that of its file. Returns the verdict that holds
# whatever other load did, or an empty text; its reason or undef; and the floor of the value, or undef.
sub _in_spite_of_load {
    my ($criterion, @both) = @_;
    my ($of,        $to)   = map { UnixBench::Score::OtherLoad::side($both[$_], $_ == 0) } 0 .. $#both;
    my @compared;
    for my $key (qw(estimates steady)) {
        my @values = map { $_->{$key} || $_->{estimates} } grep { $_ } $of, $to;
        push @compared, (_compared($criterion, map { _of_machine($both[$_], $values[$_], $criterion) } 0 .. $#both))[0];
    }
    my $limit  = $to ? $criterion->{number} : $criterion->{limit};
    my %limits = %{ UnixBench::Score::OtherLoad::limits(\@compared, $of, $to) };

    # With a file, the limit is the number times the reference, and the floor is that of the ratio.
    my $floor = defined $limits{low} ? $limits{low} * $criterion->{limit} / $limit : undef;
    return (PASS => undef,             $floor) if defined $floor && $limits{low} >= $limit;
    return (FAIL => sprintf EXPLAINED, significant($limits{by_high}, 3))
        if defined $limits{high} && $limits{high} < $limit;
    return (q{}, undef, $floor);
}

# Takes a criterion, and why it is not met in spite of other load. Returns verdict and reason. A quick estimate never
# fails against an official result.
sub _failed {
    my ($criterion, $reason) = @_;
    return (verdict => 'FAIL', reason => $reason, advice => undef) if !$criterion->{is_mixed};
    return (verdict => 'INCONCLUSIVE', reason => OF_QUICK, advice => MEASURE, is_final => 1);
}

# Takes a criterion, the number of runs, the estimate of their value and, if it has a file, that in the file. Returns
# verdict, reason, and the value with its interval.
sub _judged {
    my ($criterion, $runs, $estimate, $base) = @_;
    my @compared = _compared($criterion, $estimate, $base);
    my $more     = defined $criterion->{covered} ? undef : _more_runs($criterion, $runs, $estimate, $base);
    my ($verdict, $reason, $advice) =
        $base && !defined $base->{low}
        ? (INCONCLUSIVE => 'the reference has one pass, which does not show the spread', 'measure it longer')
        : verdict(@compared, $more, $estimate->{varies});
    my $is_final = $verdict eq 'FAIL' && $criterion->{is_mixed} ? 1 : 0;
    ($verdict, $reason, $advice) = (INCONCLUSIVE => OF_QUICK, MEASURE) if $is_final;
    my %value = map { $_ => $estimate->{$_} } qw(value low high);
    my %why   = (reason => $reason, advice => $advice);
    return (verdict => $verdict, is_final => $is_final, more_runs => $more, %why, %value);
}

# Takes a criterion, its test or index in each run, and perhaps that of its file; returns whether the limit is in the
# interval even if nothing varies within the runs.
sub _needs_runs {
    my ($criterion, @both) = @_;
    return 0 if defined $criterion->{covered} || grep { !$_->{repeat} } map { @$_ } @both;
    my @exact;
    for my $items (@both) {
        my @estimates = map { UnixBench::Score::Estimate::exact($_->{estimate}{value}) } @$items;
        push @exact, _of_machine($items, \@estimates, $criterion);
    }
    my ($verdict) = verdict(_compared($criterion, @exact));
    return $verdict eq 'INCONCLUSIVE' ? 1 : 0;
}

# Takes [a test or an index in the summary of each run], [estimates of it, of the runs that decide], and a criterion;
# returns the estimate of the machine, perhaps with varies: how much runs differ, see UnixBench::Score::Repeat. If a run
# has no interval, this has none, either.
sub _of_machine {
    my ($items, $estimates, $criterion) = @_;
    my @sure    = map  { UnixBench::Score::Estimate::surer($_, $criterion->{looked}) } @$estimates;
    my @repeats = grep { defined } map { $_->{repeat} } @$items;
    return UnixBench::Score::Estimate::geometric_mean(@sure)
        if @sure > 1 && (@repeats < @$items || grep { !defined $_->{log_se} } @sure);
    return $sure[0] if defined $criterion->{covered} || !@repeats || !defined $sure[0]{log_se};
    my $of = UnixBench::Score::Repeat::of_states([\@sure], [\@repeats]);
    return { %{ $of->{values}[0] }, varies => $of->{varies} };
}

# Takes a criterion, the number of runs, the estimate of their value and, if it has a file, that in the file. Returns
# how many more such runs would put the limit outside of the interval, MORE_MOST + 1 if that many would not, or undef if
# the limit is outside already or the interval is unknown. More runs leave the error of the file as it is.
sub _more_runs {
    my ($criterion, $runs, $estimate, $base) = @_;
    my ($value, $log_se, $df) = @$estimate{qw(value log_se df)};
    my $is_open = sub {
        my ($verdict) = verdict(_compared($criterion, $_[0], $base));
        return $verdict eq 'INCONCLUSIVE';
    };
    return if !defined $log_se || $base && !defined $base->{low} || !$is_open->($estimate);
    for my $more (1 .. MORE_MOST) {
        my $error = $log_se * sqrt($runs / ($runs + $more));
        return $more if !$is_open->(UnixBench::Score::Estimate::around($value, $error, $df + $more));
    }
    return MORE_MOST + 1;
}

# Takes the same. Returns the estimate that decides, and its limit. The value in the file has an interval, too, so the
# ratio of both values is compared with the number.
sub _compared {
    my ($criterion, $estimate, $base) = @_;
    return ($estimate, $criterion->{limit}) if !$base;
    my $ratio =
        UnixBench::Score::Estimate::at(UnixBench::Score::Estimate::ratio($estimate, $base), $criterion->{covered});
    return ($criterion->{is_mixed} ? UnixBench::Compare::Kind::widened($ratio) : $ratio, $criterion->{number});
}

# Takes the other load of the value and perhaps of the reference. Returns what a case has that it leaves open.
sub _open {
    my ($decision) = @_;
    my ($own, $base) = @{ $decision->{load} };
    return (
        verdict    => 'INCONCLUSIVE',
        reason     => undef,
        advice     => undef,
        is_final   => 0,
        other_load => $own,
        $base && @$base ? (base_load => $base) : ()
    );
}

# Takes [the index or test of a requirement in each run], the estimate that decides, and its limit. Returns whether it
# may be high enough without the slight other load that notes report.
sub _may_be_slowed {
    my ($runs, $estimate, $limit) = @_;
    my $slowed = List::Util::max(map { ($_->{quiet} || {})->{slowed} // () } @$runs) // return;
    return $estimate->{high} * (1 + $slowed) >= $limit;
}

# Returns a test of the criterion that was not measured, or undef. A broken test is preferred, then one that failed.
sub _first_unmeasured {
    my ($criterion, $run) = @_;
    my %found      = map  { $_->{name} => $_ } @{ $run->{tests} };
    my @unmeasured = grep { !is_measured($_) } map { $found{$_} || _not_begun($_) } @{ $criterion->{tests} };
    my ($broken)   = grep { _is_broken($_, $run) } @unmeasured;
    my ($failed)   = grep { $_->{status} eq 'failed' } @unmeasured;
    return $broken || $failed || $unmeasured[0];
}

# Takes a test that was not measured, and its run. Returns what the case of a requirement on it has.
sub _undecided {
    my ($test, $run) = @_;
    return (
        verdict    => _is_broken($test, $run) ? 'FAIL' : 'INCONCLUSIVE',
        reason     => "\"$test->{title}\": " . ($test->{reason} // $test->{status}),
        brief      => "\"$test->{title}\": $test->{status}",
        is_missing => $test->{status} eq 'skipped' ? 1 : 0,
    );
}

sub _is_broken {
    my ($test, $run) = @_;
    return $run->{is_broken}{ $test->{name} };
}

sub _not_begun {
    my ($name) = @_;
    return { name => $name, title => UnixBench::Catalog::test($name)->{title}, status => 'not begun' };
}

1;
