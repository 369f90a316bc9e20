package UnixBench::Accept::Acceptance;

# Verdicts: whether each criterion was met.
#
# A verdict about a machine needs a measurement of that machine, see UnixBench::Summary::Cases. So a requirement is not
# met only if a value is too low, or if its test is FAIL, because a program crashed.
#
# The case of a requirement is plain data, as that of a test:
#   kind, verdict, reason, brief, name, copies, is_missing  see UnixBench::Summary::Cases; the kind is 'requirement',
#            and the name that of a test or of an index
#   title    the text of the requirement
#   run      the number of the run in the result, from 0, or undef if it was not begun, or if several results are judged
#   results  how many results are judged together; undef if it is one
#   copies   also undef if it is about the trust of the whole result: then it has none of the following
#   trust, limit       as in its criterion, see UnixBench::Accept::Requirement
#   is_relative        whether the limit is a part of another value
#   references         of how many results, if its file names several
#   advice             what the user can do, if the only result of the file is the reason, see reason
#   is_final           whether it is inconclusive, and more passes or runs would not change it
#   value, low, high   the value with its interval, if there is one
#   at_least, at_most  the floor and the ceiling that decide instead of that interval, because other load disturbed the
#                      passes; each may be undef
#   more_runs          how many more runs would decide, together with these, in four of five cases, if the limit is in
#                      the interval; undef if its run has covered
#   needs_runs         whether more passes of this run could not decide, however precise they are
#   cpu_limit          the limit of the CPU time of the copies, a text, or undef if it is not known to be less than one
#                      CPU for each
#   other_load         [{ cause, worst, passes, of }, ...], the other load that may be the reason why the requirement
#                      was not met
# If several results are judged together, the case of a test also has result, the number of its result from 0, and
# label, how the user has named that.
#
# A verdict is about the machine, so its interval has the deviation from run to run, see UnixBench::Score::Repeat. Only
# in a bisection it does not: that asks about the passes of one boot. Several runs show that deviation themselves.
#
# UnixBench::Score::OtherLoad decides which passes count, and UnixBench::Score::Limits what other load can explain: a
# requirement that a floor meets is met, and one that a ceiling does not meet is not.

use strict;
use warnings;

use UnixBench::Accept::Limit       qw(beside_load beside_slight_load by_work compared failed machines side verdict);
use UnixBench::Accept::Quantity    ();
use UnixBench::Accept::Ratio       ();
use UnixBench::Accept::Requirement ();
use UnixBench::Accept::Times       ();
use UnixBench::Accept::Verdict     ();
use UnixBench::Base::Result        qw(is_measured);
use UnixBench::Catalog             ();
use UnixBench::Compare::Kind       ();
use UnixBench::Compare::Repeated   ();
use UnixBench::Host::FactList      ();
use UnixBench::Report::EndBlock    qw(trust_reasons);
use UnixBench::Report::Plain       qw(in_plain);
use UnixBench::Summary::Cases      ();
use UnixBench::Score::ByWork       ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Limits       ();
use UnixBench::Score::OtherLoad    ();
use UnixBench::Warnings::Trust     qw(LEVELS level_of_machine);
use UnixBench::Warnings::Wording   qw(OTHER_LOAD cause_title);

use constant {
    OF_REFERENCE => 'the reference has one pass, which does not show the spread',
    OF_TEXT      => 'a text report has no intervals',
    BY_REFERENCE => 'mostly by the one reference run',
};

# Takes a summary, its result or undef, and criteria, see UnixBench::Accept::Requirement. Returns the cases, run by run,
# tests before requirements. Requirements for runs that were not begun come last. A run of the summary may have covered,
# the confidence of its intervals in a bisection. A run of the result may have looked: this is one of several looks at
# an unfinished run, and its passes have to be as certain as that confidence asks for.
sub cases {
    my ($summary, $result, @given) = @_;
    my @criteria = grep { !$_->{level} } @given;
    my @of_tests = UnixBench::Summary::Cases::by_run($summary, $result);
    my (@cases, %is_begun);
    for my $number (0 .. $#{ $summary->{runs} }) {
        my $run      = $summary->{runs}[$number];
        my $measured = $result && $result->{runs}[$number];
        $is_begun{ $run->{copies} // q{} } = 1;
        my %is_broken = map { $_->{name} => 1 } grep { $_->{verdict} eq 'FAIL' } @{ $of_tests[$number] };
        my %of        = (
            %$run,
            summary      => $summary,
            result       => $result,
            measured     => $measured,
            experiment   => ($result || {})->{experiment},
            all          => $summary->{runs},
            is_broken    => \%is_broken,
            procedure    => $summary->{procedure}{kind},
            looked       => ($measured || {})->{looked},
            unwatched_by => scalar _unwatched_by($summary),
            cpu_limit    => scalar UnixBench::Host::FactList::cpu_limit($summary, $run->{copies} // 0),
        );
        push @cases, @{ $of_tests[$number] }, map { _case_of_criterion($_, $number, \%of) }
            grep { $_->{copies} == ($run->{copies} // 0) } @criteria;
    }
    push @cases, map { _case_of_criterion($_, undef, { tests => [], is_broken => {} }) }
        grep { !$is_begun{ $_->{copies} } } @criteria;
    return (@cases, map { _case_of_trust($_, $summary->{trust}) } grep { $_->{level} } @given);
}

# Takes a criterion on trust, and the trust of each result, undef if that is a text report; returns its case. The worst
# result decides. A machine whose result only other load made worse may have any trust.
sub _case_of_trust {
    my ($criterion, @given) = @_;
    my %place   = map  { (LEVELS)[$_] => $_ } 0 .. (LEVELS) - 1;
    my @trusts  = sort { $place{ $b->{level} } <=> $place{ $a->{level} } } map { $_ || { level => 'unknown' } } @given;
    my @known   = grep { $_->{level} =~ /\A(?:good|fair|poor)\z/ } @trusts;
    my @worse   = grep { $place{ $_->{level} } > $place{ $criterion->{level} } } @known;
    my ($own)   = grep { $place{ level_of_machine($_) } > $place{ $criterion->{level} } } @worse;
    my $worst   = $own // $worse[0] // $trusts[0];
    my $verdict = $own ? 'FAIL' : @worse || @known < @trusts ? 'INCONCLUSIVE' : 'PASS';
    my $by      = @worse             && !$own                    ? ' by ' . OTHER_LOAD                           : q{};
    my @limits  = $verdict ne 'PASS' && defined $worst->{passes} ? map { in_plain($_) } trust_reasons($worst, 1) : ();
    my @causes =
        (grep { /disturbed/ } @limits) ? map { cause_title($_->{cause}) } grep { defined } @$worst{qw(worst also)} : ();
    return {
        kind    => 'requirement',
        title   => $criterion->{text},
        name    => $criterion->{name},
        verdict => $verdict,
        reason  => join(': ', "$worst->{level}$by", @limits ? join '; ', @limits : ()),
        brief   => "trust is $worst->{level}" . ($by || join(', ', @causes) =~ s/(.+)/ ($1)/r),
        map { $_ => undef } qw(run copies),
    };
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
        my ($label, $own, $result) = @{ $members->[$number] }{qw(label summary result)};
        my @tests = map { @$_ } UnixBench::Summary::Cases::by_run($own, $result);
        $is_broken{ $_->{copies} }{ $_->{name} } = 1 for grep { $_->{verdict} eq 'FAIL' } @tests;
        $unwatched_by //= _unwatched_by($own);
        push @cases, map { +{ %$_, result => $number, label => $label } } @tests;
    }
    for my $criterion (@criteria) {
        my @trusts = map { $_->{summary}{trust} } @$members;
        push @cases, { %{ _case_of_trust($criterion, @trusts) }, results => scalar @$members } if $criterion->{level};
        next if $criterion->{level};
        my %of = (
            %{ $run_with{ $criterion->{copies} } },
            summary      => $summary,
            all          => $summary->{runs},
            is_broken    => $is_broken{ $criterion->{copies} } || {},
            procedure    => $summary->{procedure}{kind},
            unwatched_by => $unwatched_by,
        );
        push @cases, { %{ _case_of_criterion($criterion, undef, \%of) }, results => scalar @$members };
    }
    return @cases;
}

# Takes a summary; returns the name of the program that measured it, if that could not watch each pass.
sub _unwatched_by {
    my ($summary) = @_;
    return defined(($summary->{trust} || {})->{disturbed})
        ? undef
        : ($summary->{procedure}{runner} || { name => 'Run' })->{name};
}

# Takes a verdict, and cases; returns whether a requirement has that verdict.
sub has_requirement {
    my ($verdict, @cases) = @_;
    return scalar grep { $_->{kind} eq 'requirement' && $_->{verdict} eq $verdict } @cases;
}

sub _case_of_criterion {
    my ($given, $number, $run) = @_;
    my $is_mixed  = $given->{base} && UnixBench::Compare::Kind::are_mixed($given->{procedure}, $run->{procedure});
    my $criterion = { %$given, is_mixed => $is_mixed, map { $_ => $run->{$_} } qw(covered looked) };
    return {
        kind        => 'requirement',
        title       => $criterion->{text},
        run         => $number,
        cpu_limit   => $run->{cpu_limit},
        is_relative => defined $criterion->{file} || $criterion->{is_own} ? 1 : 0,
        (map { $_ => $criterion->{$_} } qw(name copies trust limit is_most)),
        references => $criterion->{results},
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
    return (verdict => 'INCONCLUSIVE', reason => 'the runs have different tests or baselines')
        if grep { ($_ || {})->{is_mixed} } $found, $criterion->{base};
    return (verdict => 'INCONCLUSIVE', reason => OF_TEXT, is_final => 1, _score_of($criterion, $found))
        if !$found->{estimate};
    return UnixBench::Accept::Ratio::decided($criterion, $run) if defined $criterion->{state} && !$criterion->{is_most};
    return _decided_by_times($criterion, $found, $run) if $criterion->{is_times};
    return UnixBench::Accept::Quantity::decided($criterion, $found, $run) if defined $criterion->{quantity};
    return _decided_by_value($criterion, $found, $run);
}

# Takes a criterion and its test or index in a text report; returns the value that the case has.
sub _score_of {
    my ($criterion, $found) = @_;
    return defined $criterion->{quantity} ? () : (value => $found->{score} // $found->{index});
}

# Takes a criterion on times or efficiency, its test or index, and the run; returns the same.
sub _decided_by_times {
    my ($criterion, $found, $run) = @_;
    my $fewest = { %{ UnixBench::Accept::Times::fewest(@{ $run->{all} }) }, is_broken => {} };
    my $test   = _first_unmeasured($criterion, $fewest);
    return _undecided($test, $fewest) if $test;
    my $times = UnixBench::Accept::Requirement::times_of($criterion, $found, $run, @{ $run->{all} })
        // return (verdict => 'INCONCLUSIVE', reason => 'the run with the fewest copies is missing');
    return _decided_by_value($criterion, $times, $run);
}

# Takes a criterion, its test or index, and the run; returns the same.
sub _decided_by_value {
    my ($criterion, $found, $run) = @_;
    my @runs = @{ $found->{of_runs} || [$found] };
    my @both = (\@runs, map { $_->{of_runs} || [$_] } grep { defined } $criterion->{base});
    @both = @{ UnixBench::Compare::Kind::in_one_place(@both) } if @both > 1;
    my @all  = machines($criterion, \@both);
    my $load = UnixBench::Score::OtherLoad::decision(@both);
    my %case = (_judged($criterion, scalar @runs, @all), needs_runs => _needs_runs($criterion, @both));
    return (%case, _in_spite_of_load($criterion, $load, $run, @both)) if $load && !$load->{estimates};
    @all  = machines($criterion, \@both, $load->{estimates}) if $load;
    %case = (%case, _judged($criterion, scalar @runs, @all)) if $load;
    my ($estimate, $limit) = compared($criterion, @all);
    my %slight = beside_slight_load($case{verdict}, $estimate, $limit, @both);
    %case = (%case, %slight, %slight ? _by_work($criterion, $run, $estimate) : ());
    return %case if $case{verdict} ne 'FAIL' || !$run->{unwatched_by};
    return (%case, verdict => 'INCONCLUSIVE', reason => "$run->{unwatched_by} could not watch for other load");
}

# Takes a criterion, what UnixBench::Score::OtherLoad::decision() returns, its run, its test or index in each result,
# and perhaps that of its file. Returns what the case has: the verdict holds whatever other load did, or by work, or is
# inconclusive.
sub _in_spite_of_load {
    my ($criterion, $load, $run, @both) = @_;
    my ($of, $to) = map { side($_, $criterion) } @both;
    my $limit  = $to ? $criterion->{number} : $criterion->{limit};
    my $limits = UnixBench::Score::Limits::of($of, $to, sub { compared($criterion, @_) });

    # With a file, the limit is the number times the reference, and both ends are those of the ratio.
    my ($low, $high) =
        map { UnixBench::Score::Limits::product($_, $criterion->{limit} / $limit) } @$limits{qw(low high)};
    my %ends = (at_least => $low, at_most => $high, more_runs => undef);
    my %case = (%ends, beside_load($criterion, $limits, $limit, $load->{load}[0]));
    return $case{verdict} eq 'INCONCLUSIVE' ? (%case, _by_work($criterion, $run, $limits)) : %case;
}

# Takes a criterion, its run, and what the rates allow of the ratio to its file. Returns what the case has if the work
# of both decides, or nothing.
sub _by_work {
    my ($criterion, $run, $allowed) = @_;
    my $reference = $criterion->{reference};
    return if !$reference || $criterion->{is_mixed} || $criterion->{is_times};
    my @both  = ($reference, { summary => $run->{summary}, run => $run });
    my $found = UnixBench::Score::ByWork::of_runs($criterion->{tests}, @both) || return;
    return by_work($criterion, $found, $allowed);
}

# Takes a criterion, the number of runs, and what machines() returns of them. Returns verdict, reason, and the value
# with its interval. If the only result of a file has most of the variance, that is the reason.
sub _judged {
    my ($criterion, $runs, $estimate, $base, @ratio) = @_;
    my %case = (is_final => 0, more_runs => undef, map { $_ => $estimate->{$_} } qw(value low high));
    return (%case, verdict => 'INCONCLUSIVE', reason => OF_REFERENCE, is_final => 1) if $base && !defined $base->{low};
    my ($verdict, $reason) = verdict(compared($criterion, $estimate, $base, @ratio));
    return (%case, failed($criterion)) if $verdict eq 'FAIL';
    return (%case, verdict => $verdict, reason => $reason) if $verdict eq 'PASS' || defined $criterion->{covered};
    my $compared = sub { compared($criterion, $_[0], $base) };
    $case{more_runs} =
        UnixBench::Compare::Repeated::more_runs($runs, $estimate, UnixBench::Accept::Verdict::MORE_MOST, $compared);
    my $is_one = $base && ($criterion->{results} // 1) == 1;
    return (%case, verdict => $verdict, reason => $reason)
        if !$is_one || !defined $estimate->{log_se} || $base->{log_se} <= $estimate->{log_se};
    return (%case, verdict => $verdict, reason => BY_REFERENCE, advice => _more_references($criterion));
}

# Takes a criterion with a file; returns what its user can do: "measure the reference more often: 0.95*base-*.json".
sub _more_references {
    my ($criterion) = @_;
    my ($number, $name, $suffix) = $criterion->{text} =~ /[<>]=\s*(.*?)[*]\s*(.*?)((?:[.]\w+)?)\z/s;
    return
          "measure the reference more often: $number*"
        . ($name =~ /[*?[]/ ? $name : $name =~ s/(?:-\d+)*\z/-*/r)
        . $suffix;
}

# Takes a criterion, its test or index in each run, and perhaps that of its file; returns whether the limit is in the
# interval even if nothing varies within the runs.
sub _needs_runs {
    my ($criterion, @both) = @_;
    return 0 if defined $criterion->{covered} || grep { !$_->{repeat} } map { @$_ } @both;
    my @exact     = map { [map { UnixBench::Score::Estimate::exact($_->{estimate}{value}) } @$_] } @both;
    my ($verdict) = verdict(compared($criterion, machines($criterion, \@both, \@exact)));
    return $verdict eq 'INCONCLUSIVE' ? 1 : 0;
}

# Returns a test of the criterion that was not measured, or undef. A broken test is preferred, then one that failed.
sub _first_unmeasured {
    my ($criterion, $run) = @_;
    my %test = map { $_ => { %{ UnixBench::Catalog::test($_) }, status => 'not begun' } } @{ $criterion->{tests} };
    $test{ $_->{name} } = $_ for @{ $run->{tests} };
    my @unmeasured = grep { !is_measured($_) } @test{ @{ $criterion->{tests} } };
    my ($broken)   = grep { $run->{is_broken}{ $_->{name} } } @unmeasured;
    my ($failed)   = grep { $_->{status} eq 'failed' } @unmeasured;
    return $broken || $failed || $unmeasured[0];
}

# Takes a test that was not measured, and its run. Returns what the case of a requirement on it has.
sub _undecided {
    my ($test, $run) = @_;
    return (
        verdict    => $run->{is_broken}{ $test->{name} } ? 'FAIL' : 'INCONCLUSIVE',
        reason     => "\"$test->{title}\": " . ($test->{reason} // $test->{status}),
        brief      => "\"$test->{title}\": $test->{status}",
        is_missing => $test->{status} eq 'skipped' ? 1 : 0,
    );
}

1;
