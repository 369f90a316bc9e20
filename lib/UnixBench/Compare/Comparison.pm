package UnixBench::Compare::Comparison;

# Compares results with the first of them, for each number of copies, and says which rows decide the exit status.
#
# A word of --fail-on is { name, tests }: tests has the names of the tests that it stands for, and is undef for the
# indexes, and for "any": all tests and indexes. Those of all pairs share the chance of a false "slower". Without
# --fail-on the indexes decide. Only pairs of runs with the same number of copies do. A quick estimate is never slower
# than an official result in this sense, see UnixBench::Compare::Kind.
#
# What features compare. A feature declares of_comparisons => { key => class }. The class has some of these methods:
#   aspects          returns what must be equal in results that are compared, see UnixBench::Compare::Kind
#   change_in_words  takes a change, see UnixBench::Base::Result::changes; returns it in words, or undef
# A side of a comparison has at the key what these compare:
#   of_file          takes the path of a result and its summary; returns what is compared of it, or nothing
#   of_sides         takes two sides, which have a list of that at the key; returns their comparison, or nothing
#   section_of       takes that comparison; returns its section of the report
# A pair of runs that are compared has at the key what these find, and a change in a series. An option with the same key
# asks for it:
#   of_pair          takes the arguments of UnixBench::Compare::Comparison::of_features; returns the value
#   blocks_of        takes the value, and whether the option is given; returns blocks of the report
#   next_step        takes the values of all pairs; returns in words what the option would show, or nothing
#   explained        takes the value; returns { name of a test => { row, ratio } }: the reason of its change, as files
#                    have it, and what the reason alone makes of the rate
#   words_of         takes such a row; returns it in words

use strict;
use warnings;

use UnixBench::Base::Text        qw(copies_text listed);
use UnixBench::Compare::Facts    ();
use UnixBench::Compare::Kind     ();
use UnixBench::Compare::Repeated ();
use UnixBench::Compare::Rows     ();
use UnixBench::Features          ();
use UnixBench::Score::ByWork     ();
use UnixBench::Score::Stats      qw(geometric_mean);
use UnixBench::Score::Turns      ();
use UnixBench::Score::Work       qw(is_by_work);

use constant ANY => 'any';

# Why a word of --fail-on can't decide.
use constant UNDECIDED =>
    'both sides need it, measured in the same way and with the same number of copies, with an interval';

# Takes [sides], two or more, each { label (its file), summary, and what features compare }; min_effect,
# the least difference that matters, a fraction of 1 (by default 0.02, and 0 for the verdicts slower and faster if the
# measurements show how much they vary); is_forced, whether to compare sides of different kinds;
# perhaps sets, [numbers]: that many of the given sides are results of one state each, see UnixBench::Compare::Repeated;
# groups, [the name of each state]; and fail_on, [words], see above. Returns
#   sides        [{ letter => "A", label, summary, group (the name) }, ...]; with sets, one for each state
#   obstacles    [sentences: why the sides are not of one kind]
#   refusals     [sentences: why nothing was compared]; if there are any, all that follows is empty
#   omissions    [sentences: which runs are not compared]
#   differences  [{ label, texts => [a text or undef for each side] }, ...] between the machines
#   other_files  [sentences: which measured programs, scripts and input files differ]
#   within       [sentences: which facts and files differ between the results of one state]
#   unknown      [sentences: what is unknown about the machines]
#   pairs        [{ sides => [first, second], runs => [run, run], is_same_count, is_mixed (whether one side is a quick
#                estimate and the other an official result), decisive => [the rows that decide], slower => [the rows
#                of tests that are surely slower, as "any" decides, the slowest first], and the keys of of_runs() and
#                of features }, ...]
#   the keys of features   [their comparisons of the first side with each other one]
#   is_open      whether other load leaves a decisive row undecided, in a pair with the same number of copies
#   is_worse     whether a decisive row is slower, in such a pair, and none is undecided
#   undecided    [sentences: which words of fail_on can't decide]
sub of {
    my ($given, %asked) = @_;
    my $is_usual = !defined $asked{min_effect};
    my %with = (%asked, is_usual => $is_usual, $is_usual ? (min_effect => UnixBench::Compare::Rows::MIN_EFFECT()) : ());
    my $has_sets = grep { $_ > 1 } @{ $with{sets} || [] };
    my @given    = @$given;
    @given = map { UnixBench::Compare::Repeated::together(splice @given, 0, $_) } @{ $with{sets} } if $has_sets;
    my @sides      = _lettered($with{groups}, @given);
    my @lettered   = map { +{ %$_, label => $_->{letter} } } @sides;
    my @obstacles  = UnixBench::Compare::Kind::obstacles(map { [_members($_)] } @sides);
    my %comparison = (sides => \@sides, obstacles => \@obstacles, min_effect => $with{min_effect});
    return { %comparison, _refused(@obstacles) } if @obstacles && !$with{is_forced};
    my ($first, @others) = @sides;
    my @pairs    = map { [_pairs($first, $_, %with, others => scalar @others)] } @others;
    my @refusals = map { _refusal($first, $others[$_], @{ $pairs[$_] }) } 0 .. $#others;
    return { %comparison, _refused(@refusals) } if @refusals;
    my @undecided = _undecided($with{fail_on}, @pairs);
    @pairs = map { @$_ } @pairs;
    my @same     = grep { $_->{is_same_count} } @pairs;
    my $is_open  = grep { $_->{load} } map           { @{ $_->{decisive} } } @same;
    my @deciding = map  { @{ $_->{decisive} } } grep { !$_->{is_mixed} } @same;
    my $is_worse = grep { ($_->{category} || $_->{name}) && $_->{verdict} eq 'slower' } @deciding;    # no mean is
    return {
        %comparison, _machines(@lettered),
        refusals => [],
        pairs    => \@pairs,
        _of_sides($first, @others),
        is_open   => $is_open               ? 1 : 0,
        is_worse  => !$is_open && $is_worse ? 1 : 0,
        undecided => \@undecided,
    };
}

sub _of_sides {
    my ($first, @others) = @_;
    my $of = UnixBench::Features::having(of_comparisons => 'of_sides');
    my %found;
    for my $key (keys %$of) {
        $found{$key} = [map { $of->{$key}->of_sides($first, $_) } @others];
    }
    return %found;
}

sub _lettered {
    my ($groups, @sides) = @_;
    my $letter = 'A';
    return map { +{ %{ $sides[$_] }, letter => $letter++, $groups ? (group => $groups->[$_]) : () } } 0 .. $#sides;
}

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
        UnixBench::Compare::Kind::unmatched(map { +{ %$_, members => [_members($_)] } } @sides),
        UnixBench::Compare::Kind::repeated(@sides),
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
        (map { $_ => [] } qw(omissions differences other_files within unknown pairs undecided)),
        _of_sides(undef),
    );
}

sub _pairs {
    my ($first, $second, %with) = @_;
    my @kinds   = map { $_->{summary}{procedure}{kind} } map { @{ $_->{members} || [$_] } } $first, $second;
    my %of_both = (
        sides    => [$first, $second],
        is_mixed => UnixBench::Compare::Kind::are_mixed(@kinds),
    );
    my @matching = UnixBench::Compare::Kind::matching(map { $_->{summary}{runs} } $first, $second);
    $of_both{share} = 1 / ($with{others} * @matching) if @matching;
    my @summaries = map { $_->{summary} } $first, $second;
    my $states    = UnixBench::Score::Turns::states_of(@summaries);
    my $is_alike  = UnixBench::Score::ByWork::are_alike(@summaries);
    return map { _pair($_, \%of_both, %with, states => $states, is_alike => $is_alike) } @matching;
}

sub _pair {
    my ($runs, $of_both, %with) = @_;
    my @copies        = grep { defined } map { $_->{copies} } @$runs;
    my $is_same_count = @copies == 2 && $copies[0] == $copies[1] ? 1 : 0;
    my %compared = (%$of_both, %{ UnixBench::Compare::Rows::of_runs(@$runs, %with, is_mixed => $of_both->{is_mixed}) });
    my @decisive = _decisive(\%compared, $with{fail_on});
    my @slower   = grep { $_->{verdict} eq 'slower' && defined $_->{name} } _named(\%compared, { name => ANY });
    my %verdicts = map  { $_->{name} => _is_of_others($_) ? 'unknown' : $_->{verdict} } @{ $compared{tests} };
    my @of_features = of_features($of_both->{sides}, $runs, $with{min_effect}, \%verdicts);
    return {
        %compared, @of_features,
        runs          => $runs,
        is_same_count => $is_same_count,
        decisive      => \@decisive,
        slower        => [sort { $a->{ratio}{value} <=> $b->{ratio}{value} } @slower],
    };
}

# Takes the row of a test; returns whether all passes together do not have its ratio, because of other load: what they
# used does not explain it then.
sub _is_of_others {
    my ($row) = @_;
    return 1 if $row->{load}    || $row->{bound}  || is_by_work($row);
    return 0 if !$row->{shares} || !$row->{items} || !defined $row->{ratio}{low};
    my ($first, $second) = map { geometric_mean(map { $_->{estimate}{value} } @$_) } @{ $row->{items} };
    my $ratio = $second / $first;
    return $ratio < $row->{ratio}{low} || $ratio > $row->{ratio}{high} ? 1 : 0;
}

# Takes two sides, a run of each, the least difference that matters, and { name of a test => verdict }. A verdict beside
# other load is "unknown"; "changed" is that of a test that has another speed for certain. Returns what
# features compare of these runs, (key => value, ...), see of_pair above.
sub of_features {
    my (@runs) = @_;
    my $of = UnixBench::Features::having(of_comparisons => 'of_pair');
    return map { $_ => $of->{$_}->of_pair(@runs) } keys %$of;
}

sub _refusal {
    my ($first, $second, @pairs) = @_;
    return _without_pairs($first, $second) if !@pairs;
    return if grep { @{ $_->{tests} } } @pairs;
    return "no test was measured both in $first->{letter} and in $second->{letter}";
}

sub _without_pairs {
    my (@sides) = @_;
    my @unknown = grep { !defined $_->{copies} } map { @{ $_->{summary}{runs} } } @sides;
    my $reason  = 'no number of copies in common: ' . join ', ', map { _counts($_) } @sides;
    return $reason . (@unknown ? '; give an unknown number with --copies N' : q{});
}

sub _counts {
    my ($side) = @_;
    my @counts = map { copies_text($_->{copies}) } @{ $side->{summary}{runs} };
    my $none   = @{ $side->{members} || [] } > 1 ? 'none in every result' : 'no run';
    return "$side->{letter} has " . (@counts ? join ' and ', @counts : $none);
}

# Without --fail-on and without an index, the mean of the tests decides.
sub _decisive {
    my ($pair, $words) = @_;
    return map { _named($pair, $_) } @$words if $words;
    my @indexes = _named($pair, {});
    return @indexes ? @indexes : grep { $_ } $pair->{mean};
}

sub _named {
    my ($pair, $word) = @_;
    my @indexes = grep { $_->{ratio} } @{ $pair->{indexes} };
    return UnixBench::Compare::Rows::sharing($pair->{share} // 1, @{ $pair->{tests} }, @indexes)
        if ($word->{name} // q{}) eq ANY;
    return @indexes if !$word->{tests};
    my %is_named = map { $_ => 1 } @{ $word->{tests} };
    return grep { $is_named{ $_->{name} } } @{ $pair->{tests} };
}

# Returns sentences about words that can't decide: the caller must not report success.
sub _undecided {
    my ($words, @sides) = @_;
    my @sentences;
    for my $word (@{ $words || [] }) {
        my @letters = map { $_->[0]{sides}[1]{letter} } grep { !_can_decide($word, @$_) } @sides;
        push @sentences,
            "option --fail-on $word->{name}: it does not decide about " . listed(@letters) . ': ' . UNDECIDED
            if @letters;
    }
    return @sentences;
}

sub _can_decide {
    my ($word, @pairs) = @_;
    return if grep { _is_on_one_side($_, $word) } @pairs;
    my @rows = map { _named($_, $word) } grep { $_->{is_same_count} && !$_->{is_mixed} } @pairs;
    return @rows && !grep { $_->{verdict} eq 'unknown' } @rows;
}

sub _is_on_one_side {
    my ($pair, $word) = @_;
    return 0 if $word->{name} eq ANY;
    return scalar grep { defined $_->{why_not} } @{ $pair->{indexes} } if !$word->{tests};
    my %is_named = map  { $_ => 1 } @{ $word->{tests} };
    my @lacking  = grep { $is_named{ $_->{name} } } @{ $pair->{lacking} };
    return scalar grep { defined $_->{reasons}[0] xor defined $_->{reasons}[1] } @lacking;
}

1;
