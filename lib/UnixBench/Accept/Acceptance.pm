package UnixBench::Accept::Acceptance;

# Verdicts: of each test, whether it was measured, and all of it; of each criterion, whether it was met.
#
# A case is one such verdict, plain data: kind, 'test' or 'requirement'; verdict, 'PASS', 'FAIL', 'SKIP' or
# 'INCONCLUSIVE'; reason, or undef; name; title, a requirement's is its text; copies; run, its number in the result
# from 0, or undef where it was not begun. A test has also score, unit and seconds, the time that its passes took; a
# requirement the number, file, reference and limit of its criterion and, where it has a value, value, low and high, and
# classic, the number of the table. Where other load may be why it was not met there is also other_load, what was found
# of that, see UnixBench::Accept::OtherLoad.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::OtherLoad   ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Result        qw(is_measured unmeasured);
use UnixBench::Catalog             ();
use UnixBench::Score::MultiUser    ();

my %VERDICT = (measured => 'PASS', failed => 'FAIL', skipped => 'SKIP', interrupted => 'INCONCLUSIVE');

# Takes a result, its summary, and criteria, see UnixBench::Accept::Criteria; returns the cases, run by run, those
# of tests first.
sub cases {
    my ($result, $summary, @criteria) = @_;
    my $is_wanted = _wanted($result);
    my (@cases, %is_begun);
    for my $number (0 .. $#{ $result->{runs} }) {
        my $run = $result->{runs}[$number];
        $is_begun{ $run->{copies} } = 1;
        push @cases, map { _case_of_test($_, $number, $run->{copies}, $is_wanted) } @{ $run->{tests} };
        push @cases, map { _case_of_criterion($_, $number, $summary->{runs}[$number], $run) }
            grep { $_->{copies} == $run->{copies} } @criteria;
    }
    return (@cases,
        map { _case_of_criterion($_, undef, { tests => [] }) } grep { !$is_begun{ $_->{copies} } } @criteria);
}

# Takes an estimate, see UnixBench::Score::Estimate, and a limit; returns the verdict and, where it needs one, a reason.
sub verdict {
    my ($estimate, $limit) = @_;
    my ($low,      $high)  = @$estimate{qw(low high)};
    return (INCONCLUSIVE => 'one pass tells nothing of the spread: take more (-i, --max-time)')
        if !defined $low;
    return ('PASS', undef) if $low >= $limit;
    return ('FAIL', undef) if $high < $limit;
    return (INCONCLUSIVE => 'the interval holds the limit: more passes (-i, --max-time) narrow it');
}

# Takes cases, tells whether a test failed, was interrupted, falls short of what it was to do, or was asked for by more
# than the word "all" and could not be measured.
sub has_failed_test {
    my (@cases) = @_;
    return _has(test => 'FAIL', @cases) || _has(test => 'INCONCLUSIVE', @cases);
}

# Takes cases, tells whether a requirement was not met.
sub has_unmet_requirement {
    my (@cases) = @_;
    return _has(requirement => 'FAIL', @cases);
}

# Takes cases, tells whether it stays open of a requirement if it was met.
sub has_open_requirement {
    my (@cases) = @_;
    return _has(requirement => 'INCONCLUSIVE', @cases);
}

sub _has {
    my ($kind, $verdict, @cases) = @_;
    return scalar grep { $_->{kind} eq $kind && $_->{verdict} eq $verdict } @cases;
}

sub _wanted {
    my ($result) = @_;
    return { map { $_ => 1 } map { UnixBench::Catalog::expand($_) } grep { $_ ne 'all' } @{ $result->{asked} } };
}

sub _case_of_test {
    my ($test, $number, $copies, $is_wanted) = @_;
    my $is_missed = $is_wanted->{ $test->{name} } && _is_lacking($test, $copies);
    my $shortfall = is_measured($test) ? UnixBench::Score::MultiUser::shortfall($test) : undef;
    return {
        kind => 'test',
        (map { $_ => $test->{$_} } qw(name title score unit)),
        run     => $number,
        copies  => $copies,
        verdict => $is_missed || defined $shortfall ? 'FAIL' : $VERDICT{ $test->{status} },
        reason  => is_measured($test) ? $shortfall           : ($test->{reason} // $test->{status}) =~ s/\Askipped: //r,
        seconds => List::Util::sum(0, map { _seconds($_) } @{ $test->{passes} }),
    };
}

# Whether something is lacking to measure it: a test that is skipped because it makes no sense with so many copies is as
# it should be.
sub _is_lacking {
    my ($test, $copies) = @_;
    my $most = UnixBench::Catalog::category($test->{category})->{copies_max};
    return $test->{status} eq 'skipped' && (!$most || $copies <= $most);
}

# How long a pass took: as long as the copy that ended last.
sub _seconds {
    my ($pass) = @_;
    return List::Util::max(0, map { $_->{elapsed_s} // 0 } @{ $pass->{copies} });
}

sub _case_of_criterion {
    my ($criterion, $number, $run, $measured) = @_;
    return {
        kind  => 'requirement',
        title => $criterion->{text},
        run   => $number,
        (map { $_ => $criterion->{$_} } qw(name copies number file reference limit)),
        _decided($criterion, $run, $measured),
    };
}

# Takes a criterion, a run of a summary and, if it was begun, the same of the result; returns verdict and reason, and
# the value where there is one. What others do to the machine fails no requirement.
sub _decided {
    my ($criterion, $run, $measured) = @_;
    my $test = _first_unmeasured($criterion, $run);
    return (verdict => _verdict_without($test), reason => "\"$test->{title}\": " . unmeasured($test)) if $test;
    my $found = UnixBench::Accept::Requirement::named($criterion, $run);
    return (verdict => 'INCONCLUSIVE', reason => 'the index is of other tests') if !$found;
    my $estimate = $found->{estimate};
    my ($verdict, $reason) = verdict($estimate, $criterion->{limit});
    my %value = (classic => $found->{index} // $found->{score}, map { $_ => $estimate->{$_} } qw(value low high));
    my @load  = $verdict eq 'FAIL' ? UnixBench::Accept::OtherLoad::found($measured, $criterion) : ();
    return (%value, verdict => 'INCONCLUSIVE', reason => undef, other_load => \@load) if @load;
    return (%value, verdict => $verdict, reason => $reason);
}

# Of the tests that the value is made of, one that was not measured, rather one that failed; or undef.
sub _first_unmeasured {
    my ($criterion, $run) = @_;
    my %found      = map  { $_->{name} => $_ } @{ $run->{tests} };
    my @unmeasured = grep { !is_measured($_) } map { $found{$_} || _not_begun($_) } @{ $criterion->{tests} };
    my ($failed)   = grep { $_->{status} eq 'failed' } @unmeasured;
    return $failed || $unmeasured[0];
}

sub _verdict_without {
    my ($test) = @_;
    return $test->{status} eq 'failed' ? 'FAIL' : 'INCONCLUSIVE';
}

sub _not_begun {
    my ($name) = @_;
    return { title => UnixBench::Catalog::test($name)->{title}, status => 'not begun' };
}

1;
