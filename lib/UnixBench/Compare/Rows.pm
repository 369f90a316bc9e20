package UnixBench::Compare::Rows;

# The rows of a comparison: the tests and indexes that two runs have in common, with their ratios and verdicts, and
# those that they do not.

use strict;
use warnings;

use UnixBench::Base::Result      qw(is_measured tests_by_title);
use UnixBench::Compare::Kind     ();
use UnixBench::Compare::Repeated ();
use UnixBench::Score::Bounds     ();
use UnixBench::Score::ByWork     ();
use UnixBench::Score::Estimate   ();
use UnixBench::Score::OtherLoad  ();
use UnixBench::Score::Repeat     ();
use UnixBench::Score             ();
use UnixBench::Score::Stats      qw(geometric_mean);
use UnixBench::Score::Turns      ();
use UnixBench::Score::Work       qw(is_by_work);

use constant MIN_EFFECT => 0.02;    # the usual least difference that matters
use constant SEVERAL    => 3;       # runs of a side, which show how much they differ
use constant FALSE      => 0.05;    # the chance of a false "slower" that all rows share of which any one decides
use constant SURE       => 0.99;    # the confidence that states in turns differ, or work: they have many rows

my $IS_APART = qr/\A(?:slower|faster)\z/;

# Compares the second of two runs with the first. Takes two runs of summaries; min_effect, the least difference that
# matters, a fraction of 1, and is_usual, whether it is the usual one; is_mixed, whether only one of them is quick;
# states, how many states were measured in turns if both runs are of such a run, else undef; and is_alike, whether their
# work can be compared, see UnixBench::Score::ByWork. Returns
#   tests    [{ name, title, unit, and the keys of a row }, ...] measured in both
#   lacking  [{ name, title, reasons => [text or undef, ...] }, ...] the other tests, with the reasons of each run
#   indexes  [{ category, title, complete, and either why_not or the keys of a row }, ...]
#   mean     a row for the geometric mean of the tests' ratios, or undef if there are none
# A row has ratio, verdict and min_effect. That of a test or an index also has
#   is_trimmed   whether it compares classic scores
#   items        [the test or index of each run] of each side
#   values       [estimate, estimate]
#   places       if an index is compared without context1: [the places that its processes had] in each side
#   turns        if they were measured in turns, see UnixBench::Score::Turns, or else
#   estimates    [estimates of the runs] of each side
#   deviation    if a side has several runs: the standard deviation of their logarithms
#   runs_needed  if only the scatter leaves it open, see UnixBench::Compare::Repeated
#   shares       if other load disturbed passes, and the others decide: [their number, that of all] of each side
#   load         if it leaves the row open: the causes on each side, see UnixBench::Score::OtherLoad
#   bound        instead of load, if there is a verdict anyway: { ratio (the limit without other load), load }
#   work         what the cycles of a loop say, in turns, or if other load leaves it open: what found() of
#                UnixBench::Score::ByWork returns, is_open (whether other load leaves the rates open, not only their
#                scatter), is_against (whether they contradict the rates), decides (whether the verdict is theirs; then
#                there is no load), and load
sub of_runs {
    my ($first, $second, %with) = @_;
    my @tests = map { _row(score => $_, %with) } _common($first, $second);
    return {
        tests   => \@tests,
        lacking => [_lacking($first, $second)],
        indexes => [map { _row(index => $_, %with) } _indexes($first, $second)],
        mean    => scalar _mean(\@tests, %with),
    };
}

# Takes a ratio, see UnixBench::Score::Estimate, the least difference that matters, and perhaps that beyond which a
# ratio is "slower" or "faster", by default the same. Returns "slower" or "faster" if the whole 95 % interval of the
# ratio differs from 1 by more; else "equal" if no part of it differs by more than what matters; "inconclusive" if a
# part does; and "unknown" if the ratio has no interval.
sub verdict {
    my ($ratio, $min_effect, $beyond) = @_;
    my ($low, $high) = @$ratio{qw(low high)};
    $beyond //= $min_effect;
    return 'unknown' if !defined $low || !defined $high;
    return 'slower' if $high < 1 - $beyond;
    return 'faster' if $low > 1 + $beyond;
    return $low >= 1 - $min_effect && $high <= 1 + $min_effect ? 'equal' : 'inconclusive';
}

# Takes the ratio of states that were measured in turns, and the least difference that matters. Returns the verdict: it
# is also "slower" or "faster" if the 99 % interval does not contain 1.
sub verdict_of_turns {
    my ($ratio, $min_effect) = @_;
    my $sure = verdict(_surely($ratio), 0);
    return $sure =~ $IS_APART ? $sure : verdict($ratio, $min_effect);
}

# Takes a share in the chance of a false "slower", and rows of which any one decides; returns them. One that is slower
# by its own interval is inconclusive if it is not by an interval that has its part of that share. How many runs each of
# them needs, is not said.
sub sharing {
    my ($share, @rows) = @_;
    my $is_slower = sub {
        my ($row) = @_;
        my $at    = sub { UnixBench::Score::Estimate::surer($_[0], 1 - FALSE * $share / @rows) };
        my $sure  = is_by_work($row) ? UnixBench::Score::ByWork::rates($row->{work}, $at) : $at->($row->{ratio});
        return $row->{bound} || verdict($sure, 0) eq 'slower';
    };
    my @open = map { $_->{verdict} ne 'slower' || $is_slower->($_) ? {} : { verdict => 'inconclusive' } } @rows;
    return map { +{ %{ $rows[$_] }, runs_needed => undef, %{ $open[$_] } } } 0 .. $#rows;
}

# Takes the key of the classic value and what is compared: about, the first keys of the row; both, the test or index of
# each side, or undef if they can't be compared; and tests, [its tests] of each side. Returns the row.
sub _row {
    my ($key,   $compared, %with)  = @_;
    my ($about, $both,     $tests) = @$compared{qw(about both tests)};
    return $about if !$both;
    my $is_trimmed = (grep { !$_->{estimate} } @$both) ? 1 : 0;
    my @items      = map { $_->{of_runs} || [$_] } @$both;
    my $turns      = _turns($with{states}, @$tests);
    my $alike      = $turns ? \@items                   : UnixBench::Compare::Kind::in_one_place(@items);
    my %known      = $turns ? _of_turns($turns, @items) : _of_estimates($key, $is_trimmed, @$alike);
    my %row        = (%$about, is_trimmed => $is_trimmed, items => $alike, tests => $tests, %known);
    my @places     = $alike->[0][0] == $items[0][0] ? () : (places => [map { [map { $_->{place} // () } @$_] } @items]);
    return { %row, @places, _decided(\%row, %with) };
}

# Takes the number of states or undef, and the same tests of each side. If they were measured in turns, returns their
# ratio, which is that of pairs, see UnixBench::Score::Turns.
sub _turns {
    my ($states, @sides) = @_;
    return if !$states;
    my $turns = UnixBench::Score::Turns::ratio((map { [map { $_->{turns} } @$_] } @sides), $states);
    return $turns->{ratio} && $turns;
}

# Takes such a ratio and the items of each side; returns what a row has. Other load is judged by pairs, too.
sub _of_turns {
    my ($turns, @items) = @_;
    return (
        turns  => $turns,
        ratio  => $turns->{ratio},
        values => [map { _together(map { $_->{estimate} } @$_) } @items],
        $turns->{is_open} ? (load => _load(@items)) : (),
    );
}

# Takes the key of the classic value, whether it is compared, and the items of each side; returns what a row has. If one
# side has classic scores only, these are used for both, without intervals. They include disturbed passes.
sub _of_estimates {
    my ($key, $is_trimmed, @items) = @_;
    my $decision = UnixBench::Score::OtherLoad::decision(@items);
    my $quiet    = $decision && !$is_trimmed ? $decision->{estimates} : undef;
    my $value_of = sub { $is_trimmed ? UnixBench::Score::Estimate::known($_[0]{$key}) : $_[0]{estimate} };
    my @of_sides = $quiet ? @$quiet : map { [map { $value_of->($_) } @$_] } @items;
    return (
        estimates => \@of_sides,
        _with_ratio(\@of_sides, [map { _repeats_of($is_trimmed, @$_) } @items]),
        $quiet ? (shares => $decision->{shares}) : $decision ? (load => $decision->{load}) : (),
    );
}

# With one run of each side, the values keep their own intervals.
sub _with_ratio {
    my ($of_sides, $repeats) = @_;
    my @all    = map { @$_ } @$of_sides;
    my $values = [map { _together(@$_) } @$of_sides];
    return (values => $values, ratio => UnixBench::Score::Estimate::ratio(reverse @$values))
        if @all == 2 && !_has_errors(@all);
    my $states = UnixBench::Score::Repeat::of_states($of_sides, $repeats);
    return (values => $values, ratio => $states->{ratio}) if @all == 2;
    return ((map { $_ => $states->{$_} } qw(values ratio)), deviation => $states->{scatter});
}

sub _decided {
    my ($row, %with) = @_;
    my $ratio   = _of_kinds($row->{ratio}, $with{is_mixed});
    my %decided = (ratio => $ratio, min_effect => $with{min_effect}, verdict => 'inconclusive');
    my %row     = (%$row, %decided);
    return (%decided, $row->{turns} ? _decided_in_turns(\%row, %with) : _decided_of_results(\%row, %with));
}

sub _decided_in_turns {
    my ($row, %with) = @_;
    my ($turns, $ratio, $least) = @$row{qw(turns ratio min_effect)};
    my %by_work = _by_work($row, $ratio, %with);
    my %work    = $by_work{work} ? (work => { %{ $by_work{work} }, decides => 0 }) : ();
    return %work if UnixBench::Score::Turns::is_start_long($turns);
    return (%work, _in_spite_of_load($row, %with)) if $row->{load};
    my $verdict = $with{is_usual} ? verdict_of_turns($ratio, $least) : verdict($ratio, $least);
    return $verdict eq 'inconclusive' && $turns->{rounds} < $turns->{of} ? %by_work : (%work, verdict => $verdict);
}

sub _decided_of_results {
    my ($row, %with) = @_;
    return _in_spite_of_load($row, %with) if $row->{load};
    my @items = @{ $row->{items} || [] };
    my ($ratio, $least) = @$row{qw(ratio min_effect)};
    my @effects = ($least, $with{is_usual} && _shows_repeat(@items) ? 0 : ());
    my $verdict = verdict($ratio, @effects);
    if ($verdict =~ $IS_APART && _is_of_slight_load($ratio, \@effects, @items)) {
        my $load = _load(@items);
        return (load => $load, _by_work({ %$row, load => $load }, $ratio, %with));
    }
    return (verdict => $verdict) if $verdict ne 'inconclusive' || $with{is_mixed};
    my @runs   = map { scalar @$_ } @{ $row->{estimates} };
    my $needed = UnixBench::Compare::Repeated::runs_needed($ratio, \@runs, $least);
    return $needed ? (runs_needed => $needed) : ();
}

# Takes the items of each side. Returns whether all show how much they vary, so that an interval needs no margin: a side
# has several runs, or rounds that were spread over a day.
sub _shows_repeat {
    my (@sides) = @_;
    my $is_day = sub { (($_[0]{repeat} || {})->{assumed} // q{}) eq 'days' };
    return !grep {
        @$_ < SEVERAL && grep { !$is_day->($_) }
            @$_
    } @sides;
}

# Returns whether slight other load may be the reason for the verdict. States in turns meet the same load.
sub _is_of_slight_load {
    my ($ratio, $effects, $first, $second) = @_;
    return verdict(UnixBench::Score::Bounds::beside_slight($ratio, $second, $first), @$effects) !~ $IS_APART;
}

sub _of_kinds {
    my ($ratio, $is_mixed) = @_;
    return $is_mixed ? UnixBench::Compare::Kind::widened($ratio) : $ratio;
}

# Takes a row that other load leaves open. Returns its verdict, and why it has it, if it is slower or faster whatever
# the other load was, or if the work decides. Classic scores and means have no limits.
sub _in_spite_of_load {
    my ($row, %with) = @_;
    return _by_work($row, {}, %with) if $row->{is_trimmed} || !$row->{items};
    my $turns = $row->{turns};
    my ($to, $of) = map { $turns ? UnixBench::Score::Bounds::factors(@$_) : _side(@$_) } @{ $row->{items} };
    my $ratio_of = sub { _of_kinds($turns ? $turns->{ratio} : UnixBench::Score::Estimate::ratio(@_), $with{is_mixed}) };
    my $limits   = UnixBench::Score::Bounds::limits($of, $to, $ratio_of);
    my %by_work  = _by_work($row, $turns ? $row->{ratio} : $limits, %with);
    my ($low, $high) = @$limits{qw(low high)};
    my ($verdict, $ratio) =
          defined $low  && $low > 1 + $with{min_effect}  ? (faster => $low)
        : defined $high && $high < 1 - $with{min_effect} ? (slower => $high)
        :                                                  return %by_work;
    my $work = $by_work{work} && { %{ $by_work{work} }, decides => 0 };
    return (verdict => $verdict, load => undef, bound => { ratio => $ratio, load => $row->{load} }, work => $work);
}

sub _by_work {
    my ($row, $allowed, %with) = @_;
    return if !$row->{tests} || $with{is_mixed} || !$with{states} && !$with{is_alike};
    my $found   = UnixBench::Score::ByWork::found(@{ $row->{tests} }, $with{states}) || return;
    my %work    = (%$found, load => $row->{load}, is_open => $row->{load} ? 1 : 0);
    my $rates   = UnixBench::Score::ByWork::rates($found);
    my $verdict = verdict(UnixBench::Score::ByWork::rates($found, \&_surely), $with{min_effect});
    my $limit   = $verdict eq 'equal' ? undef : 1;
    $work{is_against} = 1 if UnixBench::Score::ByWork::contradicts($rates, $allowed, $limit);
    return (work    => \%work) if $work{is_against} || $verdict eq 'inconclusive';
    return (verdict => $verdict, load => undef, work => { %work, decides => 1 });
}

sub _surely { my ($ratio) = @_; return UnixBench::Score::Estimate::at($ratio, SURE) }

sub _side {
    my (@items) = @_;
    return UnixBench::Score::Bounds::side(
        \@items,
        sub {
            my ($used, $estimates) = @_;
            return _together(@$estimates) if !_has_errors(@$estimates);
            return UnixBench::Score::Repeat::of_states([$estimates], [_repeats_of(0, @$used)])->{values}[0];
        }
    );
}

sub _has_errors {
    my (@estimates) = @_;
    return !grep { !defined $_->{log_se} } @estimates;
}

sub _repeats_of {
    my ($is_trimmed, @items) = @_;
    return [
        map { !$is_trimmed && $_->{repeat} || UnixBench::Score::Repeat::of_unknown(@{ $_->{tests} || [$_->{name}] }) }
            @items
    ];
}

sub _together {
    my (@estimates) = @_;
    return @estimates == 1 ? $estimates[0] : UnixBench::Score::Estimate::geometric_mean(@estimates);
}

sub _load {
    my (@items) = @_;
    return [map { UnixBench::Score::OtherLoad::together(@$_) } @items];
}

sub _common {
    my ($first, $second) = @_;
    my $others = _by_name($second);
    my @common;
    for my $test (grep { is_measured($_) } tests_by_title($first->{tests})) {
        my $other = $others->{ $test->{name} };
        next if !$other || !is_measured($other) || _is_other_unit($test, $other);
        my %about = (_named($test), unit => $test->{unit});
        push @common, { about => \%about, both => [$test, $other], tests => [[$test], [$other]] };
    }
    return @common;
}

sub _named {
    my ($test) = @_;
    return map { $_ => $test->{$_} } qw(name title);
}

sub _by_name {
    my ($run) = @_;
    return { map { $_->{name} => $_ } @{ $run->{tests} } };
}

# Returns whether tests have different units: a capacity is not compared with a load.
sub _is_other_unit {
    my (@tests) = @_;
    my @units = grep { defined } map { $_->{unit} } @tests;
    return @units == 2 && $units[0] ne $units[1];
}

sub _lacking {
    my (@runs)  = @_;
    my @of_runs = map { _by_name($_) } @runs;
    my %all     = map { %$_ } reverse @of_runs;
    my @tests   = map { +{ _named($_), reasons => _reasons($_->{name}, @of_runs) } } tests_by_title([values %all]);
    return grep {
        grep { defined }
            @{ $_->{reasons} }
    } @tests;
}

sub _reasons {
    my ($name, @of_runs) = @_;
    my @tests   = map { $_->{$name} } @of_runs;
    my @reasons = map { scalar _why_lacking($_) } @tests;
    return \@reasons if grep({ defined } @reasons) || !_is_other_unit(@tests);
    return [map { "in $_->{unit}" } @tests];
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
    my ($any)   = sort { !!$a->{lacking} <=> !!$b->{lacking} } grep { defined } @indexes;
    my %about   = map  { $_ => $any->{$_} } qw(category title complete);
    my $why_not = _why_not($first, $second, @indexes);
    $about{complete} = $any->{lacking}{is_all_asked} if $any->{lacking};
    return { about => { %about, why_not => $why_not } } if defined $why_not;
    my @tests = map { [@{ _by_name($_) }{ @{ $indexes[0]{tests} } }] } $first, $second;
    return { about => \%about, both => \@indexes, tests => \@tests };
}

# Returns the reason why two indexes are not comparable, or nothing. An index is a mean of certain tests with certain
# baselines.
sub _why_not {
    my ($first, $second, @indexes) = @_;
    my @none = grep { $_ && $_->{lacking} } @indexes;
    return 'a side has none (' . join('; ', map { UnixBench::Score::lacking($_) } @none) . ')' if @none;
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
    my @items = _of_sides(items => @$tests);
    my $turns = _turns($with{states}, @items);
    my $ratio =
          $turns
        ? $turns->{ratio}
        : UnixBench::Score::Estimate::known(geometric_mean(map { $_->{ratio}{value} } @$tests));
    my $is_open = $turns ? $turns->{is_open} : grep { $_->{load} || $_->{bound} || $_->{work} } @$tests;
    my %row     = (tests => [_of_sides(tests => @$tests)], turns => $turns);
    $row{load} = _load(@items) if $is_open;
    return { %row, _decided({ %row, ratio => $ratio }, %with) };
}

sub _of_sides {
    my ($key, @rows) = @_;
    return map { [map { @$_ } @$_] } [map { $_->{$key}[0] } @rows], [map { $_->{$key}[1] } @rows];
}

1;
