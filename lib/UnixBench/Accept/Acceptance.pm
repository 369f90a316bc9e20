package UnixBench::Accept::Acceptance;

# Verdicts: whether each test was measured completely, and whether each criterion was met.
#
# A case is one such verdict, plain data:
#   kind     'test' or 'requirement'; in a verdict file also 'run', a doubt: see UnixBench::Report::VerdictBlock
#   verdict  'PASS', 'FAIL', 'SKIP' or 'INCONCLUSIVE'
#   reason   a text or undef
#   name     the name of the test or of the index
#   title    the title of the test, or the text of the requirement
#   copies   the number of copies
#   run      the number of the run in the result, from 0, or undef if it was not begun
#
# Only a test has
#   score, unit  as in the result
#   seconds      the time of its passes
#
# Only a requirement has
#   number, file, reference, limit  as in its criterion, see UnixBench::Accept::Requirement
#   value, low, high                the value with its interval, if there is one
#   classic                         the value that tables show
#   other_load                      [{ cause, worst, passes, of }, ...], the other load that may be the reason why the
#                                   requirement was not met
#
# Steal and quotas are not other load: they belong to the machine as delivered.

use strict;
use warnings;

use List::Util ();

use UnixBench::Accept::Requirement ();
use UnixBench::Base::Result        qw(is_measured unmeasured);
use UnixBench::Catalog             ();
use UnixBench::Score::MultiUser    ();
use UnixBench::Score::Spread       ();

my %VERDICT = (measured => 'PASS', failed => 'FAIL', skipped => 'SKIP', interrupted => 'INCONCLUSIVE');

# The causes of disturbances that are other load, the most important first.
my @CAUSES   = qw(others run_queue pressure_cpu pressure_io pressure_memory);
my %IS_CAUSE = map { $_ => 1 } @CAUSES;

# The causes whose value, at the level "note", is the fraction by which a pass may be too slow. "run_queue" is not among
# them: processes that waited before a pass did no harm unless they used CPU time during it, and "others" shows that.
my %IS_PART = map { $_ => 1 } grep { $_ ne 'run_queue' } @CAUSES;

# Takes a result, its summary, and criteria, see UnixBench::Accept::Requirement. Returns the cases, run by run, tests
# before requirements. Requirements for runs that were not begun come last.
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

# Takes an estimate, see UnixBench::Score::Estimate, and a limit; returns the verdict and its reason or undef.
sub verdict {
    my ($estimate, $limit) = @_;
    my ($low,      $high)  = @$estimate{qw(low high)};
    return (INCONCLUSIVE => 'one pass does not show the spread: measure more (-i, --max-time)')
        if !defined $low;
    return ('PASS', undef) if $low >= $limit;
    return ('FAIL', undef) if $high < $limit;
    return (INCONCLUSIVE => 'the limit is within the interval: more passes (-i, --max-time) narrow it');
}

# Takes cases; returns whether a test failed, was interrupted or has a shortfall. A test that could not be measured also
# counts if it was asked for by its name or by an alias other than "all".
sub has_failed_test {
    my (@cases) = @_;
    return _has(test => 'FAIL', @cases) || _has(test => 'INCONCLUSIVE', @cases);
}

# Takes cases; returns whether a requirement was not met.
sub has_unmet_requirement {
    my (@cases) = @_;
    return _has(requirement => 'FAIL', @cases);
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

sub _wanted {
    my ($result) = @_;
    return { map { $_ => 1 } map { UnixBench::Catalog::expand($_) } grep { $_ ne 'all' } @{ $result->{asked} } };
}

sub _case_of_test {
    my ($test, $number, $copies, $is_wanted) = @_;
    my $is_missed = $is_wanted->{ $test->{name} } && _lacks_requisite($test, $copies);
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

# Returns whether a test was skipped because something that it needs is missing. A test may also be skipped because it
# makes no sense with this number of copies.
sub _lacks_requisite {
    my ($test, $copies) = @_;
    my $most = UnixBench::Catalog::category($test->{category})->{copies_max};
    return $test->{status} eq 'skipped' && (!$most || $copies <= $most);
}

# Returns the seconds of a pass: those of its longest copy.
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

# Takes a criterion, a run of a summary and, if it was begun, the same run of the result. Returns verdict and reason of
# the case, and its value if there is one. If other load may be the reason, the verdict is inconclusive.
sub _decided {
    my ($criterion, $run, $measured) = @_;
    my $test = _first_unmeasured($criterion, $run);
    return (verdict => _verdict_without($test), reason => "\"$test->{title}\": " . unmeasured($test)) if $test;
    my $found = UnixBench::Accept::Requirement::named($criterion, $run);
    return (verdict => 'INCONCLUSIVE', reason => 'the run has no complete index') if !$found;
    my $estimate = $found->{estimate};
    my ($verdict, $reason) = verdict($estimate, $criterion->{limit});
    my %value = (classic => $found->{index} // $found->{score}, map { $_ => $estimate->{$_} } qw(value low high));
    my @load  = $verdict eq 'FAIL' ? _other_load($measured, $criterion) : ();
    return (%value, verdict => 'INCONCLUSIVE', reason => undef, other_load => \@load) if @load;
    return (%value, verdict => $verdict, reason => $reason);
}

# Returns a test of the criterion that was not measured, or undef. A test that failed is preferred.
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

# Takes a run of a result and a criterion that its value does not meet. Returns the other load, { cause, worst, passes,
# of } each, if the machine may meet the criterion without it. Returns nothing if there was none, or if even the passes
# without other load are too slow.
sub _other_load {
    my ($run, $criterion) = @_;
    my %is_own = map  { $_ => 1 } @{ $criterion->{tests} };
    my @tests  = grep { $is_own{ $_->{name} } } @{ $run->{tests} };
    my @found  = _causes(map { @{ $_->{passes} } } @tests) or return;
    my @left   = map {
        +{ %$_, passes => [grep { !_is_disturbed($_) } @{ $_->{passes} }] }
    } @tests;
    my $high   = _upper_end($run, $criterion, @left) // return @found;
    my $slowed = List::Util::max(0, map { _slowed($_) } map { @{ $_->{passes} } } @left);
    return $high * (1 + $slowed) < $criterion->{limit} ? () : @found;
}

sub _causes {
    my (@passes) = @_;
    my %tags;
    push @{ $tags{ $_->{cause} } }, $_ for map { _tags($_) } @passes;
    return map { +{ cause => $_, worst => _worst($tags{$_}), passes => scalar @{ $tags{$_} }, of => scalar @passes } }
        grep { $tags{$_} } @CAUSES;
}

sub _worst {
    my ($tags) = @_;
    return List::Util::max(map { $_->{value} } @$tags);
}

# Returns the disturbances of a pass that are other load.
sub _tags {
    my ($pass) = @_;
    return grep { $IS_CAUSE{ $_->{cause} } } @{ $pass->{tags} || [] };
}

sub _is_disturbed {
    my ($pass) = @_;
    return scalar grep { $_->{level} eq 'disturbed' } _tags($pass);
}

sub _slowed {
    my ($pass) = @_;
    return map { $_->{value} } grep { $IS_PART{ $_->{cause} } } _tags($pass);
}

# Takes the run, the criterion, and its tests with some of their passes; returns the upper end of the interval of the
# value. Returns undef if there are too few passes for an interval.
sub _upper_end {
    my ($run, $criterion, @tests) = @_;
    return if grep { !@{ $_->{passes} } } @tests;
    my $category = $criterion->{category};
    return UnixBench::Score::Spread::of_test($tests[0], $run->{rounds})->{estimate}{high} if !defined $category;
    my $index = List::Util::first { $_->{category} eq $category } @{ $run->{indexes} };
    return UnixBench::Score::Spread::of_index($index, { %$run, tests => \@tests })->{estimate}{high};
}

1;
