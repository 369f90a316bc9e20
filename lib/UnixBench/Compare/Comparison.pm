package UnixBench::Compare::Comparison;

# Compares results with the first of them, for each number of copies.

use strict;
use warnings;

use UnixBench::Base::Result       qw(is_measured tests_by_title);
use UnixBench::Base::Text         qw(counted);
use UnixBench::Compare::Decision  ();
use UnixBench::Compare::Facts     ();
use UnixBench::Compare::Kind      ();
use UnixBench::Compare::Repeated  ();
use UnixBench::Compare::Runs      ();
use UnixBench::Compare::UserLoads ();
use UnixBench::Score::Estimate    ();
use UnixBench::Score::OtherLoad   ();
use UnixBench::Score::Procedure   ();
use UnixBench::Score::RunsNeeded  ();
use UnixBench::Score::Score       ();
use UnixBench::Score::Stats       qw(geometric_mean);

# Takes [sides], two or more, each { label (its file), summary, loads (see UnixBench::Compare::UserLoads) }; min_effect,
# the least difference that matters, a fraction of 1 (0.02); is_forced, whether to compare sides of different kinds;
# perhaps sets, [number, number]: that many of the given sides are results of one state, and the others of another one;
# and perhaps fail_on, [words], see UnixBench::Compare::Decision. Returns
#   sides        [{ letter => "A", label, summary }, ...]; with sets, two, see UnixBench::Compare::Repeated
#   obstacles    [sentences: why the sides are not of one kind]
#   refusals     [sentences: why nothing was compared]; if there are any, all that follows is empty
#   omissions    [sentences: which runs are not compared]
#   differences  [{ label, texts => [a text or undef for each side] }, ...] between the machines
#   other_files  [sentences: which measured programs, scripts and input files differ]
#   within       [sentences: which facts and files differ between the results of one state]
#   unknown      [sentences: what is unknown about the machines]
#   pairs        [{ sides => [first, second], runs => [run, run], is_same_count, is_mixed (whether one side is a quick
#                estimate and the other an official result), decisive => [the rows that decide], and the keys of
#                of_runs() }, ...]
#   loads        [comparisons of multi-user loads], see UnixBench::Compare::UserLoads, for the sides that have one
#   is_open      whether other load leaves a decisive row undecided, in a pair with the same number of copies
#   is_worse     whether a decisive row is slower, in such a pair, and none is undecided
#   undecided    [sentences: which words of fail_on can't decide]
sub of {
    my ($given, %with) = @_;
    my $has_sets   = grep { $_ > 1 } @{ $with{sets} || [] };
    my @sides      = _lettered($has_sets ? _sets($given, @{ $with{sets} }) : @$given);
    my @lettered   = map { +{ %$_, label => $_->{letter} } } @sides;
    my @obstacles  = UnixBench::Compare::Kind::obstacles(map { [_members($_)] } @sides);
    my %comparison = (sides => \@sides, obstacles => \@obstacles, min_effect => $with{min_effect});
    return { %comparison, _refused(@obstacles) } if @obstacles && !$with{is_forced};
    my ($first, @others) = @sides;
    my @pairs    = map { [_pairs($first, $_, %with)] } @others;
    my @refusals = map { _refusal($first, $others[$_], @{ $pairs[$_] }) } 0 .. $#others;
    return { %comparison, _refused(@refusals) } if @refusals;
    my @undecided = UnixBench::Compare::Decision::undecided($with{fail_on}, @pairs);
    @pairs = map { @$_ } @pairs;
    my $is_open  = grep { UnixBench::Compare::Decision::is_open($_) } @pairs;
    my $is_worse = grep { UnixBench::Compare::Decision::is_worse($_) } @pairs;
    return {
        %comparison, _machines(@lettered),
        refusals  => [],
        pairs     => \@pairs,
        loads     => [map { UnixBench::Compare::UserLoads::of($first, $_) } @others],
        is_open   => $is_open               ? 1 : 0,
        is_worse  => !$is_open && $is_worse ? 1 : 0,
        undecided => \@undecided,
    };
}

sub _lettered {
    my (@sides) = @_;
    my $letter = 'A';
    return map { +{ %$_, letter => $letter++ } } @sides;
}

# Returns the two states as sides.
sub _sets {
    my ($given, $first) = @_;
    my @sides = @$given;
    return map { UnixBench::Compare::Repeated::together(@$_) } [splice @sides, 0, $first], \@sides;
}

# Returns the results of a side, with labels such as "A", or "A1" and "A2".
sub _members {
    my ($side)  = @_;
    my $letter  = $side->{letter};
    my @members = @{ $side->{members} || [] };
    return { %$side, label => $letter } if @members < 2;
    return map { +{ %{ $members[$_ - 1] }, label => "$letter$_" } } 1 .. @members;
}

sub _machines {
    my (@sides) = @_;
    my @omissions = (
        UnixBench::Compare::Runs::unmatched(@sides),
        UnixBench::Compare::Runs::repeated(@sides),
        (map { UnixBench::Compare::Runs::incomplete($_) } @sides),
    );
    my @summaries = map { $_->{summary} } @sides;
    return (
        omissions   => \@omissions,
        differences => [UnixBench::Compare::Facts::differences(@summaries)],
        other_files => [UnixBench::Compare::Facts::other_files(@summaries)],
        within      => [map { UnixBench::Compare::Facts::within($_) } @sides],
        unknown     => [UnixBench::Compare::Facts::unknown(@sides)],
    );
}

sub _refused {
    my (@refusals) = @_;
    return (
        refusals => \@refusals,
        is_open  => 0,
        is_worse => 0,
        map { $_ => [] } qw(omissions differences other_files within unknown pairs loads undecided)
    );
}

# Takes two sides and the arguments of of(); returns a pair for each two runs that match.
sub _pairs {
    my ($first, $second, %with) = @_;
    my @kinds    = map  { $_->{summary}{procedure}{kind} } map { @{ $_->{members} || [$_] } } $first, $second;
    my $is_quick = grep { ($_ // q{}) eq 'quick' } @kinds;
    my %of_both  = (
        sides    => [$first, $second],
        is_mixed => UnixBench::Score::Procedure::are_mixed(@kinds),
    );
    my @matching = UnixBench::Compare::Runs::matching(map { $_->{summary}{runs} } $first, $second);
    return map { _pair($_, \%of_both, %with, is_quick => $is_quick) } @matching;
}

sub _pair {
    my ($runs, $of_both, %with) = @_;
    my $is_same_count = $runs->[0]{copies} == $runs->[1]{copies} ? 1 : 0;
    my %compared      = %{ of_runs(@$runs, %with, is_mixed => $of_both->{is_mixed}) };
    my @decisive      = UnixBench::Compare::Decision::rows(\%compared, $with{fail_on});
    return { %$of_both, runs => $runs, is_same_count => $is_same_count, %compared, decisive => \@decisive };
}

# Takes two sides and their pairs; returns the reason why there is nothing to compare, or nothing.
sub _refusal {
    my ($first, $second, @pairs) = @_;
    return 'no number of copies in common: ' . join ', ', map { _counts($_) } $first, $second if !@pairs;
    return if grep { @{ $_->{tests} } } @pairs;
    return "no test was measured both in $first->{letter} and in $second->{letter}";
}

sub _counts {
    my ($side) = @_;
    my @counts = map { counted($_->{copies}, 'copy', 'copies') } @{ $side->{summary}{runs} };
    my $none   = @{ $side->{members} || [] } > 1 ? 'none in every result' : 'no run';
    return "$side->{letter} has " . (@counts ? join ' and ', @counts : $none);
}

# Compares the second of two runs with the first. Takes two runs of summaries; min_effect as above; is_quick, whether
# one of them belongs to a quick run; and is_mixed, whether the other one is official. Returns
#   tests    [{ name, title, unit, is_trimmed, values => [estimate, estimate], and the keys of a row }, ...] measured in
#            both
#   lacking  [{ name, title, reasons => [text or undef, ...] }, ...] the other tests, with the reasons of each run
#   indexes  [{ category, title, complete, and either why_not or the other keys of a test }, ...]
#   mean     a row for the geometric mean of the tests' ratios, or undef if there are none
# A row has ratio, verdict and min_effect. If other load disturbed passes of a row, it also has either shares, [passes
# that decide, all passes] of each side, or load, the causes on each side, and is inconclusive: see
# UnixBench::Score::OtherLoad. A row of repeated runs has deviation, see UnixBench::Score::Estimate::of_states; runs,
# [number, number]; and, if it is inconclusive without other load, runs_needed, see UnixBench::Score::RunsNeeded.
sub of_runs {
    my ($first, $second, %with) = @_;
    my @tests = map { _with_ratio($_, %with) } _common($first, $second);
    return {
        tests   => \@tests,
        lacking => [_lacking($first, $second)],
        indexes => [map { _with_ratio($_, %with) } _indexes($first, $second)],
        mean    => scalar _mean(\@tests, %with),
    };
}

# Takes a ratio, see UnixBench::Score::Estimate, and the least difference that matters. Returns "slower" or "faster" if
# the whole 95 % interval of the ratio differs from 1 by more than that; "equal" if no part of it does; "inconclusive"
# if a part does; and "unknown" if the ratio has no interval.
sub verdict {
    my ($ratio, $min_effect) = @_;
    my ($low,   $high)       = @$ratio{qw(low high)};
    return 'unknown' if !defined $low || !defined $high;
    return 'slower' if $high < 1 - $min_effect;
    return 'faster' if $low > 1 + $min_effect;
    return $low >= 1 - $min_effect && $high <= 1 + $min_effect ? 'equal' : 'inconclusive';
}

# Takes what was compared, { ratio, load, samples, deviation }, of which only the ratio is always there, and the
# arguments of of_runs(). Returns keys of a row.
sub _judged {
    my ($compared, %with) = @_;
    my $min_effect = $with{min_effect};
    my $ratio      = $with{is_mixed}   ? UnixBench::Score::Procedure::widened($compared->{ratio}) : $compared->{ratio};
    my $verdict    = $compared->{load} ? 'inconclusive' : verdict($ratio, $min_effect);
    my %row        = (ratio => $ratio, verdict => $verdict, min_effect => $min_effect);
    return %row if !defined $compared->{deviation};
    my @runs   = map { scalar @$_ } @{ $compared->{samples} };
    my $is_due = $verdict eq 'inconclusive' && !$compared->{load} && !$with{is_mixed};
    my $needed = $is_due ? UnixBench::Score::RunsNeeded::of_states($compared, \@runs, $min_effect) : undef;
    return (%row, deviation => $compared->{deviation}, runs => \@runs, $needed ? (runs_needed => $needed) : ());
}

sub _with_ratio {
    my ($row, %with) = @_;
    return $row if !$row->{values};
    my %compared = $row->{samples} ? %{ UnixBench::Score::Estimate::of_states(@{ $row->{samples} }) } : ();
    my $ratio    = $compared{ratio} || UnixBench::Score::Estimate::ratio(reverse @{ $row->{values} });
    return { %$row, %compared, _judged({ %$row, %compared, ratio => $ratio }, %with) };
}

# Returns the tests that were measured in both runs, in the order of reports.
sub _common {
    my ($first, $second) = @_;
    my $others = _by_name($second);
    my @common = grep { is_measured($_) && _is_measured_in($others, $_) } tests_by_title($first->{tests});
    return map { +{ _named($_), unit => $_->{unit}, _values(score => $_, $others->{ $_->{name} }) } } @common;
}

sub _named {
    my ($test) = @_;
    return map { $_ => $test->{$_} } qw(name title);
}

sub _by_name {
    my ($run) = @_;
    return { map { $_->{name} => $_ } @{ $run->{tests} } };
}

# Returns whether the other run has measured the test with the same unit: a capacity is not compared with a load.
sub _is_measured_in {
    my ($tests, $test) = @_;
    my $other = $tests->{ $test->{name} } or return;
    return is_measured($other) && !_is_other_unit($test, $other);
}

sub _is_other_unit {
    my (@tests) = @_;
    my @units = grep { defined } map { $_->{unit} } @tests;
    return @units == 2 && $units[0] ne $units[1];
}

# Returns the keys of a row that follow from two tests or indexes. Classic scores are compared only with each other. If
# one side has no other score, this kind is used for both, without intervals: these would be of all passes. Such a score
# includes disturbed passes.
sub _values {
    my ($key, @sides) = @_;
    my $is_trimmed = grep { !$_->{estimate} } @sides;
    my @items      = map  { $_->{of_runs} || [$_] } @sides;
    my $decision   = UnixBench::Score::OtherLoad::decision(@items);
    my $quiet      = $decision && !$is_trimmed ? $decision->{estimates} : undef;
    my $samples    = $quiet || [
        map {
            [map { $is_trimmed ? UnixBench::Score::Estimate::known($_->{$key}) : $_->{estimate} } @$_]
        } @items
    ];
    return (
        is_trimmed => $is_trimmed ? 1 : 0,
        items      => \@items,
        values     => [map { _together(@$_) } @$samples],
        (2 < map { @$_ } @$samples) ? (samples => $samples) : (),
        $quiet ? (shares => $decision->{shares}) : $decision ? (load => $decision->{load}) : (),
    );
}

sub _together {
    my (@estimates) = @_;
    return @estimates == 1 ? $estimates[0] : UnixBench::Score::Estimate::geometric_mean(@estimates);
}

sub _lacking {
    my (@runs)  = @_;
    my @of_runs = map { _by_name($_) } @runs;
    my %all     = map { %$_ } reverse @of_runs;
    my @tests   = map { +{ _named($_), reasons => _reasons($_->{name}, @of_runs) } } tests_by_title([values %all]);
    return grep { _is_any_defined(@{ $_->{reasons} }) } @tests;
}

sub _reasons {
    my ($name, @of_runs) = @_;
    my @tests   = map { $_->{$name} } @of_runs;
    my @reasons = map { scalar _why_lacking($_) } @tests;
    return \@reasons if _is_any_defined(@reasons) || !_is_other_unit(@tests);
    return [map { "in $_->{unit}" } @tests];
}

sub _is_any_defined {
    my (@values) = @_;
    return scalar grep { defined } @values;
}

sub _why_lacking {
    my ($test) = @_;
    return 'not run' if !$test;
    return if is_measured($test);
    return defined $test->{reason} && length $test->{reason} ? $test->{reason} : $test->{status};
}

sub _indexes {
    my ($first, $second) = @_;
    my %other = map { $_->{category} => $_ } @{ $second->{indexes} };
    my @pairs = map { [$_, delete $other{ $_->{category} }] } @{ $first->{indexes} };
    push @pairs, map { [undef, $_] } grep { $other{ $_->{category} } } @{ $second->{indexes} };
    return map { _index($first, $second, @$_) } @pairs;
}

sub _index {
    my ($first, $second, @indexes) = @_;
    my ($any) = sort { !!$a->{lacking} <=> !!$b->{lacking} } grep { defined } @indexes;
    my %index = map  { $_ => $any->{$_} } qw(category title complete);
    $index{complete} = $any->{lacking}{is_all_asked} if $any->{lacking};
    my $why_not = _why_not($first, $second, @indexes);
    return { %index, defined $why_not ? (why_not => $why_not) : _values(index => @indexes) };
}

# Returns the reason why two indexes are not comparable, or nothing. An index is a mean of certain tests with certain
# baselines.
sub _why_not {
    my ($first, $second, @indexes) = @_;
    my @none = grep { $_ && $_->{lacking} } @indexes;
    return 'a side has none (' . join('; ', map { UnixBench::Score::Score::lacking($_) } @none) . ')' if @none;
    return 'only one side has it' if grep                                         { !defined } @indexes;
    return 'its tests or baselines differ between runs of the same state' if grep { $_->{is_mixed} } @indexes;
    my @tests = map { join "\n", sort @{ $_->{tests} } } @indexes;
    return 'its tests differ' if $tests[0] ne $tests[1];
    my @of_runs = map { _by_name($_) } $first, $second;
    my @based = grep { defined $of_runs[0]{$_}{baseline} && defined $of_runs[1]{$_}{baseline} } @{ $indexes[0]{tests} };
    return 'its baselines differ' if grep { $of_runs[0]{$_}{baseline} != $of_runs[1]{$_}{baseline} } @based;
    return;
}

# Returns the mean ratio and its verdict, or nothing. In a quick run a disturbance affects all tests of its round. So
# the ratios of the tests do not show how precise their mean is, and it has no interval. Neither has it if other load
# left runs of some tests out.
sub _mean {
    my ($tests, %with) = @_;
    return if !@$tests;
    my $mean   = _mean_of_sets(@$tests);
    my $ratio  = $mean ? $mean->{ratio} : UnixBench::Score::Estimate::geometric_mean(map { $_->{ratio} } @$tests);
    my $is_set = grep { $_->{samples} } @$tests;
    $ratio = UnixBench::Score::Estimate::known($ratio->{value}) if ($with{is_quick} || $is_set) && !$mean;
    my %load = _load_of_all(@$tests);
    return { %load, _judged({ %{ $mean || {} }, load => $load{load}, ratio => $ratio }, %with) };
}

sub _items_of_side {
    my ($side, @tests) = @_;
    return [map { @{ $_->{items}[$side] } } @tests];
}

# Returns the load or the shares of the mean of tests.
sub _load_of_all {
    my (@tests) = @_;
    my @items   = map { _items_of_side($_, @tests) } 0, 1;
    return (load => [map { UnixBench::Score::OtherLoad::together(@$_) } @items]) if grep { $_->{load} } @tests;
    my $decision = UnixBench::Score::OtherLoad::decision(@items) or return;
    return (shares => $decision->{shares});
}

# Returns the mean of tests of repeated runs, see UnixBench::Score::Estimate::of_states, or nothing. A slow run is slow
# in many tests, so the mean of each run is one value.
sub _mean_of_sets {
    my (@tests) = @_;
    return if grep { !$_->{samples} } @tests;
    my %sizes = map {
        join(q{ }, map { scalar @$_ } @{ $_->{samples} }) => 1
    } @tests;
    return if keys %sizes > 1;
    my @samples = map { _means_of_runs($_, @tests) } 0, 1;
    return { %{ UnixBench::Score::Estimate::of_states(@samples) }, samples => \@samples };
}

# Takes the number of a side, and tests; returns, for each run of that side, the mean of all tests.
sub _means_of_runs {
    my ($side, @tests) = @_;
    my @samples = map { $_->{samples}[$side] } @tests;
    return [map { _mean_of_run($_, @samples) } 0 .. $#{ $samples[0] }];
}

sub _mean_of_run {
    my ($run, @samples) = @_;
    return UnixBench::Score::Estimate::known(geometric_mean(map { $_->[$run]{value} } @samples));
}

1;
