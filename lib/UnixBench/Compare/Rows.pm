package UnixBench::Compare::Rows;

# The rows of a comparison: the tests and indexes that two runs have in common, with their ratios and verdicts, and
# those that they do not.

use strict;
use warnings;

use UnixBench::Base::Result      qw(is_measured tests_by_title);
use UnixBench::Compare::Kind     ();
use UnixBench::Compare::Repeated ();
use UnixBench::Score::Estimate   ();
use UnixBench::Score::OtherLoad  ();
use UnixBench::Score::Repeat     ();
use UnixBench::Score::Score      ();
use UnixBench::Score::Stats      qw(geometric_mean);
use UnixBench::Score::Turns      ();

use constant MIN_EFFECT => 0.02;    # the usual least difference that matters

# Compares the second of two runs with the first. Takes two runs of summaries; min_effect, the least difference that
# matters, a fraction of 1; is_quick, whether one of them belongs to a quick run; is_mixed, whether the other one is
# official; letters, [those of the sides]; and states, how many states were measured in turns if both runs are of such a
# run, else undef. Returns
#   tests    [{ name, title, unit, is_trimmed, values => [estimate, estimate], and the keys of a row }, ...] measured in
#            both
#   lacking  [{ name, title, reasons => [text or undef, ...] }, ...] the other tests, with the reasons of each run
#   indexes  [{ category, title, complete, and either why_not or the other keys of a test }, ...]
#   mean     a row for the geometric mean of the tests' ratios, or undef if there are none
# A row has ratio, verdict and min_effect. If other load disturbed passes of a row, it also has either shares, [passes
# that decide, all passes] of each side, or load, the causes on each side, and is inconclusive: see
# UnixBench::Score::OtherLoad. If it has a verdict anyway, it has bound instead of load, { ratio (the limit that
# other load can't explain), explains (the factor of other load that this limit has, or undef), disturbed => [letters of
# the sides], load }. A row with an interval that was not measured in turns has runs, [number, number]; varies,
# { by (the standard deviation of the logarithms from run to run), is_known (whether runs show it) }; within, the ratio
# with the interval of these runs alone; and, if it is inconclusive without other load, runs_needed, see
# UnixBench::Compare::Repeated. It also has estimates, [those of each side]; and deviation, the same as varies by, if a
# side has several runs.
sub of_runs {
    my ($first, $second, %with) = @_;
    my @tests = map { _with_ratio($_, %with) } _common($first, $second, $with{states});
    return {
        tests   => \@tests,
        lacking => [_lacking($first, $second)],
        indexes => [map { _with_ratio($_, %with) } _indexes($first, $second, $with{states})],
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

# Takes what was compared, { ratio, load, estimates, varies, within }, of which only the ratio is always there, and the
# arguments of of_runs(). Returns keys of a row.
sub _judged {
    my ($compared, %with) = @_;
    my $min_effect = $with{min_effect};
    my ($ratio, $within) = map { _of_kinds($_, $with{is_mixed}) } @$compared{qw(ratio within)};
    my $is_open = $compared->{load} || UnixBench::Score::Turns::is_start_long($compared->{turns} || {});
    my $verdict = $is_open ? 'inconclusive' : verdict($ratio, $min_effect);
    my %row     = (ratio => $ratio, verdict => $verdict, min_effect => $min_effect);
    return %row if !$compared->{varies};
    my @runs   = map { scalar @$_ } @{ $compared->{estimates} };
    my $is_due = $verdict eq 'inconclusive' && !$compared->{load} && !$with{is_mixed};
    my $needed = $is_due ? UnixBench::Compare::Repeated::runs_needed($ratio, \@runs, $min_effect) : undef;
    my %varies = (varies => $compared->{varies}, within => $within, runs => \@runs);
    return (%row, %varies, $needed ? (runs_needed => $needed) : ());
}

# Takes a ratio, or undef, and whether the procedures of its sides are of two kinds; returns the ratio, wider if they
# are.
sub _of_kinds {
    my ($ratio, $is_mixed) = @_;
    return $ratio && $is_mixed ? UnixBench::Compare::Kind::widened($ratio) : $ratio;
}

sub _with_ratio {
    my ($row, %with) = @_;
    return $row if !$row->{values};
    my %compared = _compared($row);
    my %judged   = (%$row, %compared, _judged({ %$row, %compared }, %with));
    return \%judged if !$row->{load};
    return _in_spite_of_load({ %judged, limits => _limits($row, %with) }, %with);
}

sub _compared {
    my ($row) = @_;
    return
          $row->{turns}    ? (ratio => $row->{turns}{ratio})
        : _has_error($row) ? _of_states($row)
        :                    (ratio => UnixBench::Score::Estimate::ratio(reverse @{ $row->{values} }));
}

# Takes a row that other load leaves open, with its limits, see UnixBench::Score::OtherLoad::limits. Returns it with a
# verdict if it is slower or faster whatever the other load was.
sub _in_spite_of_load {
    my ($row, %with) = @_;
    my %limits = %{ $row->{limits} };
    return $row if UnixBench::Score::Turns::is_start_long($row->{turns} || {});
    my ($verdict, $ratio, $by) =
          ($limits{low}  // 0) > 1 + $row->{min_effect} ? ('faster', @limits{qw(low by_low)})
        : ($limits{high} // 1) < 1 - $row->{min_effect} ? ('slower', @limits{qw(high by_high)})
        :   return $row;
    my $load  = $row->{load};
    my %bound = (
        ratio     => $ratio,
        explains  => $by > 1 ? $by : undef,
        disturbed => [map { $with{letters}[$_] } grep { _is_disturbed($load->[$_]) } 0, 1],
        load      => $load,
    );
    return { %$row, load => undef, verdict => $verdict, bound => \%bound };
}

sub _is_disturbed {
    my ($load) = @_;
    return scalar grep { $_->{badly} } @$load;
}

# Takes a row that other load leaves open; returns the limits of its ratio. Classic scores have none.
sub _limits {
    my ($row, %with) = @_;
    return {} if $row->{is_trimmed};
    my ($to, $of) =
        map { $row->{turns} ? UnixBench::Score::OtherLoad::factors(@$_) : _side(@$_) } @{ $row->{items} };
    my $ratio = sub { $row->{turns} ? $row->{turns}{ratio} : UnixBench::Score::Estimate::ratio(@_) };
    return UnixBench::Score::OtherLoad::limits($of, $to, sub { _of_kinds($ratio->(@_), $with{is_mixed}) });
}

# Takes the same test or index in each run of a side; returns the side, see UnixBench::Score::OtherLoad.
sub _side {
    my (@items) = @_;
    return UnixBench::Score::OtherLoad::side(
        \@items,
        sub {
            my ($used, $estimates) = @_;
            return _together(@$estimates) if !_has_errors(@$estimates);
            return UnixBench::Score::Repeat::of_states([$estimates], [_repeats_of(0, @$used)])->{values}[0];
        }
    );
}

# Takes a row; returns what runs of both states show. A single run keeps its own interval.
sub _of_states {
    my ($row) = @_;
    my %of_states = %{ UnixBench::Score::Repeat::of_states(@$row{qw(estimates repeats)}) };
    return map { $_ => $of_states{$_} } qw(ratio varies within) if !_is_repeated($row);
    return (%of_states, deviation => $of_states{varies}{by});
}

# Takes a row; returns whether a side has several runs.
sub _is_repeated {
    my ($row) = @_;
    return 2 < map { @$_ } @{ $row->{estimates} };
}

# Takes a row; returns whether something is known of its error: each value has an interval, or there are several runs.
sub _has_error {
    my ($row) = @_;
    return _is_repeated($row) || _has_errors(map { @$_ } @{ $row->{estimates} });
}

sub _has_errors {
    my (@estimates) = @_;
    return !grep { !defined $_->{log_se} } @estimates;
}

# Returns the tests that were measured in both runs, in the order of reports.
sub _common {
    my ($first, $second, $states) = @_;
    my $others = _by_name($second);
    my @common = grep { is_measured($_) && _is_measured_in($others, $_) } tests_by_title($first->{tests});
    return map { _of_test($states, $_, $others->{ $_->{name} }) } @common;
}

sub _of_test {
    my ($states, $test, $other) = @_;
    my $values = _values(score => $test, $other);
    return { _named($test), unit => $test->{unit}, _in_turns($values, $states, [$test], [$other]) };
}

# Takes the keys of a row, the number of states or undef, and the tests of each side that belong to the row. Returns the
# keys. If the states were measured in turns, their ratio is that of pairs, and other load is judged by pairs, too.
sub _in_turns {
    my ($row, $states, @sides) = @_;
    return %$row if !$states;
    my @known = map {
        [map { $_->{turns} } @$_]
    } @sides;
    my $turns = UnixBench::Score::Turns::ratio(@known, $states);
    return %$row if !$turns->{ratio};
    delete @$row{qw(load shares estimates repeats)};
    my %turns = (%$row, turns => $turns, $row->{values} ? (values => _of_all_passes(@{ $row->{items} })) : ());
    return %turns if !$turns->{is_open};
    return (%turns, load => [map { UnixBench::Score::OtherLoad::together(@$_) } @{ $row->{items} }]);
}

# Takes the same test or index of both sides; returns [their values], those of the report.
sub _of_all_passes {
    my (@items) = @_;
    return [
        map {
            _together(map { $_->{estimate} } @$_)
        } @items
    ];
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
    return {
        is_trimmed => $is_trimmed ? 1 : 0,
        items      => \@items,
        values     => [map { _together(@$_) } @$samples],
        estimates  => $samples,
        repeats    => [map { _repeats_of($is_trimmed, @$_) } @items],
        $quiet ? (shares => $decision->{shares}) : $decision ? (load => $decision->{load}) : (),
    };
}

# Takes whether a side is a text report, and the same test or index in each run of a side; returns [their repeats].
sub _repeats_of {
    my ($is_trimmed, @items) = @_;
    return [map { !$is_trimmed && $_->{repeat} || UnixBench::Score::Repeat::of_unknown(_tests_of($_)) } @items];
}

# Takes a test or an index; returns the names of its tests.
sub _tests_of {
    my ($item) = @_;
    return @{ $item->{tests} || [$item->{name}] };
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
    my ($first, $second, $states) = @_;
    my %other = map { $_->{category} => $_ } @{ $second->{indexes} };
    my @pairs = map { [$_, delete $other{ $_->{category} }] } @{ $first->{indexes} };
    push @pairs, map { [undef, $_] } grep { $other{ $_->{category} } } @{ $second->{indexes} };
    return map { _index($first, $second, $states, @$_) } @pairs;
}

sub _index {
    my ($first, $second, $states, @indexes) = @_;
    my ($any) = sort { !!$a->{lacking} <=> !!$b->{lacking} } grep { defined } @indexes;
    my %index = map  { $_ => $any->{$_} } qw(category title complete);
    $index{complete} = $any->{lacking}{is_all_asked} if $any->{lacking};
    my $why_not = _why_not($first, $second, @indexes);
    return { %index, why_not => $why_not } if defined $why_not;
    my @tests = map { [@{ _by_name($_) }{ @{ $indexes[0]{tests} } }] } $first, $second;
    return { %index, _in_turns(_values(index => @indexes), $states, @tests) };
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

# Returns the mean ratio of the tests, without an interval, and its verdict, or nothing. If states were measured in
# turns, it has the interval of their pairs.
sub _mean {
    my ($tests, %with) = @_;
    return if !@$tests;
    my @items = map { _items_of_side($_, @$tests) } 0, 1;
    my %row   = _in_turns({ items => \@items }, $with{states}, @items);
    my $ratio =
          $row{turns}
        ? $row{turns}{ratio}
        : UnixBench::Score::Estimate::known(geometric_mean(map { $_->{ratio}{value} } @$tests));
    my $load = $row{turns} ? $row{load} : _load_of_all(@$tests);
    return { $load ? (load => $load) : (), _judged({ %row, load => $load, ratio => $ratio }, %with) };
}

sub _items_of_side {
    my ($side, @tests) = @_;
    return [map { @{ $_->{items}[$side] } } @tests];
}

# Returns the other load of both sides, if it leaves a test open, else undef.
sub _load_of_all {
    my (@tests) = @_;
    return if !grep { $_->{load} } @tests;
    return [map { UnixBench::Score::OtherLoad::together(@{ _items_of_side($_, @tests) }) } 0, 1];
}

1;
