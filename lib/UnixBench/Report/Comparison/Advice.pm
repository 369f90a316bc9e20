package UnixBench::Report::Comparison::Advice;

# How far a comparison reaches: sentences that procedures or other facts differ, how far results can be trusted, and how
# many runs could decide what is open; and the block at its end on a terminal, which leads to the next step.

use strict;
use warnings;

use Exporter 'import';

use List::Util ();

use UnixBench::Base::Text                  qw(counted listed);
use UnixBench::Compare::Kind               ();
use UnixBench::Compare::Repeated           ();
use UnixBench::Base::Value                 ();
use UnixBench::Report::Block               qw(at_most cell joined);
use UnixBench::Report::Comparison::Wording qw(are_states copies_of distance findings forced pair_title sums);
use UnixBench::Report::EndBlock            qw(trust_words);
use UnixBench::Report::Groups              qw(confounded);
use UnixBench::Report::Reference           qw(is_around is_disturbed verdict_text DISTURBED);
use UnixBench::Report::Wording             qw(title_of);
use UnixBench::Score::OtherLoad            ();
use UnixBench::Warnings::Causes            qw(load_text);

our @EXPORT_OK = qw(block_of first_lines limited_trust other_load runs_needed trust_of_sides);

use constant TRUSTS_MOST => 8;                             # results of which each is named
use constant { TRUSTS_SHOWN => 4, NAMED_MOST    => 3 };    # results whose reasons are told; those that are named
use constant { TESTS_MOST   => 3, VERDICTS_MOST => 8 };    # in the block

# The levels of trust that a reader must know of.
my %IS_LIMITED = map { $_ => 1 } qw(poor fair);

use constant {
    ONE   => 'A quick estimate against an official result',
    MIXED => 'Quick estimates against official results',
};

# What features compare of pairs: { key => module }.

# Takes a comparison; returns its first lines: that it was forced, that it has quick estimates and official results, and
# that its groups differ in other facts.
sub first_lines {
    my ($comparison) = @_;
    my $is_mixed = grep { $_->{is_mixed} } @{ $comparison->{pairs} };
    my ($before, $after) = $is_mixed ? _mixed(@{ $comparison->{sides} }) : ();
    my $apart = cell(limit => UnixBench::Compare::Kind::APART);
    return (
        forced($comparison),
        defined $before       ? [$before, $apart, $after]         : (),
        $comparison->{groups} ? confounded($comparison->{groups}) : ()
    );
}

# Returns a sentence in two parts. Between them is how far the procedures may be apart.
sub _mixed {
    my (@sides) = @_;
    my @quick   = map { $_->{letter} } grep { ($_->{summary}{procedure}{kind} // q{}) eq 'quick' } @sides;
    my $which   = '(' . listed(@quick) . (@quick == 1 ? ' is' : ' are') . ' quick)';
    return (ONE . " $which: intervals are ",         ' wider, and the exit status is never 3.') if @sides == 2;
    return (MIXED . " $which: their intervals are ", ' wider, and they never make the exit status 3.');
}

# Takes sides; returns how far each of their results can be trusted, if one of them is fair or poor, else nothing. Many
# results have one sentence, with the reasons of the first of them.
sub trust_of_sides {
    my (@sides) = @_;
    my @known   = _trusts_of(@sides);
    my @limited = sort { ($b->[1]{level} eq 'poor') <=> ($a->[1]{level} eq 'poor') }
        grep { $IS_LIMITED{ $_->[1]{level} } } @known;
    return if !@limited;
    return _trust_of_many(@limited) if @known > TRUSTS_SHOWN;
    return ['Trust ', joined('; ', map { ["in $_->[0] is ", trust_words($_->[1], 1)] } @known)];
}

# Takes [letter, trust] of results that are fair or poor, the poor ones first; returns one sentence about them.
sub _trust_of_many {
    my (@limited) = @_;
    my ($letter, $trust) = @{ $limited[0] };
    my %letters;
    push @{ $letters{ $_->[1]{level} } }, $_->[0] for @limited;
    my @levels = map {
        "$_ in " . listed(at_most(NAMED_MOST, sub { "$_[0] more" }, @{ $letters{$_} }))
        }
        grep { $letters{$_} } qw(poor fair);
    return ['Trust is ', join('; ', @levels), ". $letter is ", trust_words($trust, 1), '.'];
}

# Takes a comparison. If a verdict has the mark of other load, returns a sentence about that load on each side, else
# nothing.
sub other_load {
    my ($comparison) = @_;
    my @rows         = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    return if !grep { is_disturbed($_) } @rows;
    my @texts = map { _load_of($_) } @{ $comparison->{sides} };
    return DISTURBED . ' Other load: ' . join('; ', at_most(TRUSTS_MOST, sub { "$_[0] more" }, @texts)) . q{.};
}

# Takes a side; returns its other load in words, or nothing if none disturbed it.
sub _load_of {
    my ($side) = @_;
    my @tests  = map  { @{ $_->{tests} } } map { @{ $_->{summary}{runs} } } @{ $side->{members} || [$side] };
    my @known  = grep { $_ } map               { $_->{quiet} } @tests;
    my $of     = List::Util::sum(0, map { $_->{of} } @known);
    my $quiet  = List::Util::sum(0, map { $_->{passes} } @known);
    return if $quiet == $of;
    my $load = load_text(@{ UnixBench::Score::OtherLoad::together(@tests) });
    return "$side->{letter}: $load (" . ($of - $quiet) . ' of ' . counted($of, 'pass', 'passes') . ')';
}

# Returns [letter, trust] of each of their results, as far as it is known, see UnixBench::Warnings::Trust.
# Results of the same state have a number after the letter. If there are more than eight results, returns only those
# that are fair or poor.
sub _trusts_of {
    my (@sides) = @_;
    my @known;
    for my $side (@sides) {
        my @members = @{ $side->{members} || [$side] };
        for my $number (1 .. @members) {
            my $summary = $members[$number - 1]{summary};
            my $trust   = $summary->{trust} or next;
            my $letter  = $side->{letter} . (@members > 1 ? $number : q{});
            push @known, [$letter, { %$trust, is_interrupted => $summary->{procedure}{interruption} ? 1 : 0 }];
        }
    }
    return @known > TRUSTS_MOST ? grep { $IS_LIMITED{ $_->[1]{level} } } @known : @known;
}

# Takes a side; returns the lowest trust of its results, if the reader must know of it, or undef.
sub limited_trust {
    my ($side) = @_;
    my %has = map { ($_->{summary}{trust} || {})->{level} // q{} => 1 } @{ $side->{members} || [$side] };
    return (grep { $has{$_} } qw(poor fair))[0];
}

# Takes a comparison; returns sentences about the number of runs that can show the least difference that matters, for
# each decisive row that is inconclusive because of the scatter.
sub runs_needed {
    my ($comparison) = @_;
    my @pairs = grep { !$_->{is_mixed} } @{ $comparison->{pairs} };
    my @texts;
    for my $pair (@pairs) {
        my @rows =
            grep { $_->{verdict} eq 'inconclusive' && !$_->{load} && $_->{min_effect} > 0 } @{ $pair->{decisive} };
        for my $row (grep { $_->{runs_needed} } @rows) {
            my $is_one = @{ $pair->{decisive} } == 1 && !defined $row->{name};
            my @about  = (@pairs > 1 ? pair_title($pair) : (), $is_one ? () : title_of($row));
            push @texts, [@about ? join(', ', @about) . ': to' : 'To', _needed($row)];
        }
    }
    return @texts;
}

# Takes a row; returns the end of its sentence. A ratio near the limit may stay inconclusive with any number of runs.
sub _needed {
    my ($row)     = @_;
    my %needed    = %{ $row->{runs_needed} };
    my $most      = UnixBench::Compare::Repeated::RUNS_MOST;
    my $is_enough = !grep { $_ < $needed{most} } @{ $row->{runs} };
    my $number =
          $needed{least} >= $most         ? "$most runs or more"
        : $needed{most} >= $most          ? "$needed{least} to more than $most runs"
        : $needed{least} == $needed{most} ? "$needed{least} runs"
        :                                   "$needed{least} to $needed{most} runs";
    return [
        ' show a difference of ',
        cell(limit => $row->{min_effect}),
        " with this scatter, about $number of each side are needed",
        $is_enough ? '. Each side has as many: the ratio is near the limit.' : q{.},
    ];
}

# Takes a comparison, see UnixBench::Compare::Comparison, and perhaps { key of a pair => whether the report has what a
# feature compares there }, and the title of the report if it is true for all sides. Returns the entries of its block,
# see UnixBench::Report::Plain::entry_lines.
sub block_of {
    my ($comparison, $asked, @title) = @_;
    my @pairs = @{ $comparison->{pairs} };
    my @trust = map { _trust(@$_) } _trusts_of(@{ $comparison->{sides} });
    return (
        [Verdict => (map { { text => $_ } } @title), _verdicts(@pairs)],
        _tests($comparison->{min_effect}, @pairs),
        (@trust ? [Trust => @trust] : ()),
        [Next => _next($comparison, $asked)],
    );
}

# Returns the verdicts on all pairs. The report begins with them, so that many are not repeated.
sub _verdicts {
    my (@pairs) = @_;
    return map { { text => $_ } } at_most(VERDICTS_MOST, sub { "$_[0] more at the top" }, findings(@pairs));
}

# Returns the entry of the tests with the largest differences. With a single test, the verdict is about it.
sub _tests {
    my ($min_effect, @pairs) = @_;
    my @tests;
    for my $pair (@pairs) {
        push @tests, map { [$_, $pair] } @{ $pair->{tests} };
    }
    return if @tests < 2;
    my @different = sort { distance($b->[0]) <=> distance($a->[0]) || $a->[0]{title} cmp $b->[0]{title} }
        grep { !is_around($_->[0]{verdict}) } @tests;
    my $equal = grep { $_->[0]{verdict} eq 'equal' } @tests;
    my $what  = $equal == @tests ? "all $equal are" : "none differs for sure, and $equal of " . @tests . ' are';
    return [Tests => ["$what equal within ", cell(limit => $min_effect)]] if !@different;
    my $last = @different < TESTS_MOST ? $#different : TESTS_MOST - 1;
    return [Tests => map { _test(@$_, @pairs) } @different[0 .. $last]];
}

# Takes a row, its pair of runs, and all pairs; returns the title of the test, what tells the pair apart, and the
# verdict.
sub _test {
    my ($row, $pair, @pairs) = @_;
    my @names = (sub { $_[0]{sides}[1]{letter} }, \&copies_of);
    my @which = map { $_->($pair) } grep { _differs($_, @pairs) } @names;
    return { text => [join(', ', $row->{title}, @which) . ': ', verdict_text($row)] };
}

sub _differs {
    my ($name, @pairs) = @_;
    my %seen = map { $name->($_) => 1 } @pairs;
    return keys %seen > 1;
}

sub _trust {
    my ($letter, $trust) = @_;
    return { level => $trust->{level}, text => ["$letter ", trust_words($trust, 1)] };
}

# Takes a comparison, and what the report has of features; returns the next steps.
sub _next {
    my ($comparison, $asked) = @_;
    my $sides  = $comparison->{sides};
    my %loaded = map  { $_ => 1 } map     { _loaded_sides($_) } @{ $comparison->{pairs} };
    my @loaded = grep { $loaded{$_} } map { $_->{letter} } @$sides;
    return 'stop the other load, and measure ' . listed(@loaded) . ' again' if @loaded;
    my @texts = grep { ($_->{summary}{source} // q{}) ne 'UnixBench' } @$sides;
    return 'measure ' . listed(map { $_->{letter} } @texts) . ' again, because a text report has no intervals'
        if @texts && !_are_machines(@$sides);
    my $others = sub { { text => "$_[0] more: they are inconclusive, too" } };
    my @needed = at_most(TESTS_MOST, $others, map { { text => $_ } } runs_needed($comparison));
    return @needed if @needed;
    my ($step) = _steps_of_features($comparison, $asked);
    return $step if defined $step;
    return 'measure again with a longer --max-time: more rounds narrow the interval' if are_states($comparison);
    return 'add --html comparison.html for a page with all runs' if grep { $_->{members} } @$sides;
    return 'measure each group again, in turns' if $comparison->{groups};
    return 'add --html comparison.html for a page with all tests' if _are_machines(@$sides);
    return 'measure each state again, in turns, and compare all runs: ./Run compare A1 A2 -- B1 B2';
}

# Returns whether more than two sides are those of different hosts.
sub _are_machines {
    my (@sides) = @_;
    my %hosts = map { $_->{summary}{name} // q{} => 1 } @sides;
    return @sides > 2 && keys %hosts == @sides;
}

# Takes a comparison and what is asked for; returns the next steps that features know. A table of groups has nothing of
# pairs.
sub _steps_of_features {
    my ($comparison, $asked) = @_;
    return if $comparison->{groups};
    my $of = UnixBench::Base::Value::with('next_step');
    my @steps;
    for my $key (grep { !$asked->{$_} } sort keys %$of) {
        push @steps, $of->{$key}->next_step(map { $_->{$key} } @{ $comparison->{pairs} });
    }
    return @steps;
}

# Takes a pair of runs; returns the letters of its sides on which other load leaves one of its indexes open.
sub _loaded_sides {
    my ($pair) = @_;
    my @rows   = grep { $_->{load} } map { $_->[1] } sums($pair);
    return map { $pair->{sides}[$_]{letter} } grep {
        my $side = $_;
        grep { $_->{badly} } map { @{ $_->{load}[$side] } } @rows;
    } 0, 1;
}

1;
