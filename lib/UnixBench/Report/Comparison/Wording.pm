package UnixBench::Report::Comparison::Wording;

# The texts of comparisons: the sides by host and date, the verdicts on rows, and what explains them; the trust in the
# sides, and what to do next.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Result      qw(has_passes without_suffix);
use UnixBench::Base::Text        qw(clean copies_text counted cut listed unique);
use UnixBench::Compare::Kind     ();
use UnixBench::Features          ();
use UnixBench::Report::Block     qw(capitalised cell joined);
use UnixBench::Report::EndBlock  qw(trust_words);
use UnixBench::Report::Groups    qw(confounded);
use UnixBench::Report::Reference qw(
    is_disturbed order_of slower_text verdict_interval verdict_numbers verdict_than verdict_words work_words OF_LOAD
);
use UnixBench::Report::Wording qw(label_texts title_of);
use UnixBench::Score::Work     qw(is_by_work);

our @EXPORT_OK = qw(
    are_states copies_of fact_text findings first_lines heading_of next_step not_compared
    other_load pair_title rows_of runs_needed short_names side_facts sum_of sums trust_of_sides
    verdict_in_brief
);

use constant {
    ROUNDING  => 1e4,    # equal ratios have equal logarithms to that part
    HOST_MOST => 20,     # characters of a host in the heading of a column
    TEXT_MOST => 30,     # and of a fact in a sentence
};

# Takes sides; returns a short name for each: its group, or the first of its host and the name of its file that no other
# side has, or its path.
sub short_names {
    my (@sides) = @_;
    my (%count, @names);
    for my $side (@sides) {
        my $file = @{ $side->{members} || [] } > 1 ? _host($side) : without_suffix($side->{label} =~ s{.*/}{}sr);
        my %own  = map { $_ => 1 } my @own = $side->{group} // (_host($side), $file);
        $count{$_}++ for keys %own;
        push @names, [@own, $side->{label}];
    }
    return map { (grep { ($count{$_} // 1) == 1 } @$_)[0] // $_->[0] } @names;
}

sub _host {
    my ($side) = @_;
    return $side->{summary}{name} // $side->{label} =~ s{.*/}{}sr;
}

# Takes a side; returns the heading of a column about it, such as "A (vm)", with the value of its group if it has one.
sub heading_of {
    my ($side) = @_;
    my $host = $side->{group} // _host($side);
    return length $host > HOST_MOST ? $side->{letter} : "$side->{letter} ($host)";
}

# Takes all pairs of runs of a comparison; returns its findings: a sentence for each index of each pair or, if none can
# be compared, for the mean of the tests.
sub findings {
    my (@pairs) = @_;
    my %is_side = map { $_->{sides}[1]{letter} => 1 } @pairs;
    my @texts;
    for my $pair (@pairs) {
        my @of   = keys %is_side > 1 ? (heading_of($pair->{sides}[1]), q{: }) : ();
        my @sums = map { [$_->[0], q{, }, copies_of($pair), q{: }, _found($_->[1], $pair, @of)] } sums($pair);
        push @{ $sums[0] }, slower_text(map { $_->{name} } @{ $pair->{slower} }) if @sums;
        push @texts,        @sums;
    }
    return @texts;
}

# Takes a row, its pair of runs, and what a sentence begins with that names no side.
sub _found {
    my ($row, $pair, @of) = @_;
    return [@of, 'not compared, because ',              $row->{why_not}] if defined $row->{why_not};
    return [@of, 'inconclusive, because of other load', _against($row)] if $row->{load};
    my ($verdict, $words, $interval) = ($row->{verdict}, verdict_words($row), verdict_interval($row));
    return [@of, $words, $interval] if $verdict eq 'inconclusive';
    my ($first, $second) = map { heading_of($_) } @{ $pair->{sides} };
    return [$first, ' and ', $second, ' are ', $words, $interval] if $verdict eq 'equal';
    my @than    = (q{ }, verdict_than($row), q{ }, $first);
    my $is_long = $row->{bound} || is_by_work($row) || $verdict eq 'unknown';
    return [$second, ' is ', $words, $is_long ? (@than, $interval) : ($interval, @than)];
}

# Takes a row that other load leaves open; returns that the cycles of a loop contradict the rates, or nothing.
sub _against {
    my ($row) = @_;
    my $work = $row->{work} || {};
    return if !$work->{is_against};
    return ('; ', work_words($work), ", but the rates differ otherwise: $work->{other}");
}

# Takes a row; returns two texts for a headline: the verdict in a few words, and its reason or interval.
sub verdict_in_brief {
    my ($row) = @_;
    return ('not compared',      capitalised($row->{why_not})) if defined $row->{why_not};
    return ('inconclusive',      'Other load') if $row->{load};
    return (verdict_words($row), 'Without an interval') if $row->{verdict} eq 'unknown';
    return (verdict_words($row), 'Whatever other load did') if $row->{bound};
    return (verdict_words($row), work_words($row->{work})) if is_by_work($row);
    return (verdict_words($row), ['95 % interval ', verdict_numbers($row)]);
}

# Takes a pair of runs; returns [title, row] for each test: by verdict, and the largest difference first.
sub rows_of {
    my ($pair) = @_;
    my @tests  = sort { _by_verdict($a, $b) } @{ $pair->{tests} };
    return map { [$_->{title}, $_] } @tests;
}

sub _by_verdict {
    my ($first, $second) = @_;
    return
           order_of($first->{verdict}) <=> order_of($second->{verdict})
        || _distance($second) <=> _distance($first)
        || $first->{title} cmp $second->{title};
}

# Takes a row; returns how far its ratio is from 1. Rounding errors of equal ratios do not count.
sub _distance {
    my ($row) = @_;
    return int 0.5 + ROUNDING * abs log $row->{ratio}{value};
}

# Takes a pair of runs; returns [title, row] of each of its indexes. If none can be compared, also returns the mean of
# its tests.
sub sums {
    my ($pair) = @_;
    my @sums   = map { [title_of($_), $_] } @{ $pair->{indexes} };
    return @sums if !$pair->{mean} || grep { $_->{ratio} } @{ $pair->{indexes} };
    my $tests = counted(scalar @{ $pair->{tests} }, 'test', 'tests');
    return (@sums, ["Mean of $tests in common", $pair->{mean}]);
}

# Takes a pair of runs; returns its first index, or the mean of its tests, if it was compared.
sub sum_of {
    my ($pair) = @_;
    my ($row)  = grep { $_->{ratio} } map { $_->[1] } sums($pair);
    return $row;
}

# Takes a pair of runs; returns its numbers of copies. Two that are unknown may differ, and have the same words.
sub copies_of {
    my ($pair) = @_;
    my ($first, $second) = map { copies_text($_->{copies}) } @{ $pair->{runs} };
    return $first eq $second ? $first : "$second against $first";
}

# Takes a pair of runs; returns its title, such as "B (new) against A (old), 4 copies".
sub pair_title {
    my ($pair) = @_;
    my ($first, $second) = map { heading_of($_) } @{ $pair->{sides} };
    return "$second against $first, " . copies_of($pair);
}

# Takes a side; returns a line with what is known of it.
sub side_facts {
    my ($side)  = @_;
    my $summary = $side->{summary};
    my $version = defined $summary->{version} ? "UnixBench $summary->{version}" : undef;
    my @texts   = (
        @$summary{qw(name system)},
        $summary->{date}, $version, _procedure($summary->{procedure}),
        label_texts($summary)
    );
    my @known = grep { defined && length } @texts;
    return @known ? join ', ', @known : 'nothing is known of it';
}

sub _procedure {
    my ($procedure) = @_;
    my $kind        = $procedure->{kind} // return;
    my @changed     = grep { defined && $_ != 1 } @$procedure{qw(time_factor work_factor)};
    return "$kind procedure" . (@changed ? ', changed' : q{});
}

# Takes a pair of runs; returns a sentence for each test that is not in its table, with the reasons.
sub not_compared {
    my ($pair) = @_;
    my @letters = map { $_->{letter} } @{ $pair->{sides} };
    my @lines;
    for my $lacking (@{ $pair->{lacking} }) {
        my $reasons = $lacking->{reasons};
        my @texts   = map { "$letters[$_]: $reasons->[$_]" } grep { defined $reasons->[$_] } 0, 1;
        push @lines, "$lacking->{title}: " . join '; ', @texts;
    }
    return @lines;
}

# Takes a comparison; returns whether its sides are states of one run, which were measured in turns.
sub are_states {
    my ($comparison) = @_;
    my @rows         = map { (@{ $_->{tests} }, grep { $_->{ratio} } @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    return @rows && !grep { !$_->{turns} } @rows;
}

# Takes a fact that differs, { label, first, second }; returns it in words: "Kernel (6.12 -> 6.18)". Texts that are cut
# show where they differ.
sub fact_text {
    my ($fact) = @_;
    my @texts  = map { clean($_ // 'unknown') } @$fact{qw(first second)};
    my @shown  = map { cut($_, TEXT_MOST) } @texts;
    @shown = map { cut($_, TEXT_MOST) } _without_same(@texts) if $shown[0] eq $shown[1];
    return "$fact->{label} (" . join(' -> ', @shown) . ')';
}

# Takes two texts that differ; returns them without the words with which both begin or end.
sub _without_same {
    my (@texts) = @_;
    my @words = map { [/(\S+)/g] } @texts;
    for my $end (0, -1) {
        while ((grep { @$_ > 1 } @words) == 2 && $words[0][$end] eq $words[1][$end]) {
            splice @$_, $end, 1 for @words;
        }
    }
    return map { join q{ }, @$_ } @words;
}

use constant TRUSTS_MOST => 4;    # results that are named
use constant AGAIN       => 'measure each state again, in turns, and compare all runs: ./Run compare A1 A2 -- B1 B2';

# The levels of trust that a reader must know of.
my %IS_LIMITED = map { $_ => 1 } qw(poor fair);

# Takes a comparison; returns its first lines: that it was forced, that it has quick estimates and official results, and
# that its groups differ in other facts.
sub first_lines {
    my ($comparison) = @_;
    my @kinds        = map { [$_->{letter}, $_->{summary}{procedure}{kind} // q{}] } @{ $comparison->{sides} };
    my @quick        = map { $_->[0] } grep { $_->[1] eq 'quick' } @kinds;
    my $which        = listed(@quick) . (@quick == 1 ? ' is' : ' are');
    my @obstacles    = @{ $comparison->{obstacles} };
    return (
        (@obstacles ? 'The procedures differ (--force): ' . join('; ', @obstacles) . q{.} : ()),
        (grep { $_->{is_mixed} } @{ $comparison->{pairs} })
        ? [
            "A quick estimate against an official result ($which quick): the interval is ",
            cell(limit => UnixBench::Compare::Kind::APART),
            ' wider, and never makes the exit status 3.'
            ]
        : (),
        $comparison->{groups} ? confounded($comparison->{groups}) : (),
        map { _places($_) } @{ $comparison->{pairs} }
    );
}

# Takes a pair; returns a sentence if an index of it is compared without context1.
sub _places {
    my ($pair)   = @_;
    my ($places) = map { $_->{places} // () } @{ $pair->{indexes} } or return;
    my @texts =
        map { listed(unique(@{ $places->[$_] })) . " in $pair->{sides}[$_]{letter}" } grep { @{ $places->[$_] } } 0, 1;
    return
          'The two processes of context1 had other places ('
        . join(', ', @texts)
        . '): the index is compared without it.';
}

# Takes a comparison; returns how far it can be trusted, one sentence, or nothing if nothing limits that. For states in
# turns, it is about the ratio. Otherwise it is about the results that are poor or fair, with the reasons of a few.
sub trust_of_sides {
    my ($comparison) = @_;
    my @sides = @{ $comparison->{sides} };
    return map { _trust_of_ratio($_) } @{ $comparison->{pairs} }[0 .. 0] if are_states($comparison);
    my @limited = sort { ($b->[1]{level} eq 'poor') <=> ($a->[1]{level} eq 'poor') } map { _limited($_) } @sides;
    my $of      = map  { @{ $_->{members} || [$_] } } @sides;
    return 'Trust is fair or poor in ' . @limited . " of $of results: ./Run report RESULT says why."
        if @limited > TRUSTS_MOST;
    my @texts = map { ["in $_->[0] is ", trust_words($_->[1])] } @limited;
    return @texts ? ['Trust ', joined('; ', @texts), q{.}] : ();
}

# Takes a pair of states that were measured in turns; returns a sentence if other load limits its ratio.
sub _trust_of_ratio {
    my ($pair)  = @_;
    my $row     = (sum_of($pair) || $pair->{tests}[0])->{turns};
    my $counted = $row->{is_open} ? 0 : $row->{rounds};
    return if $counted == $row->{of};
    return "The ratio is that of $counted of $row->{of} rounds: other load disturbed the others." if $counted;
    return "Other load disturbed all but a few of $row->{of} rounds, so the ratio is not certain.";
}

# Takes a comparison; returns what the mark of other load means, if a verdict has it, else nothing.
sub other_load {
    my ($comparison) = @_;
    my @rows = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    return (grep { is_disturbed($_) } @rows) ? OF_LOAD : ();
}

# Takes a side; returns [letter, trust] of each of its results that is poor or fair. Results of the same state have a
# number after the letter.
sub _limited {
    my ($side) = @_;
    my @members = @{ $side->{members} || [$side] };
    my @known;
    for my $number (1 .. @members) {
        my $summary = $members[$number - 1]{summary};
        my $trust   = $summary->{trust} || {};
        push @known, [$side->{letter} . (@members > 1 ? $number : q{}), $trust]
            if $IS_LIMITED{ $trust->{level} // q{} };
    }
    return @known;
}

# Takes a comparison; returns sentences about the number of runs that can show the least difference that matters, for
# each decisive row that is inconclusive because of the scatter.
sub runs_needed {
    my ($comparison) = @_;
    my @pairs = @{ $comparison->{pairs} };
    my @texts;
    for my $pair (@pairs) {
        for my $row (grep { $_->{runs_needed} } @{ $pair->{decisive} }) {
            my $is_one = @{ $pair->{decisive} } == 1 && !defined $row->{name};
            my @about  = (@pairs > 1 ? pair_title($pair) : (), $is_one ? () : title_of($row));
            push @texts,
                [
                @about ? join(', ', @about) . ': to' : 'To',
                ' show a difference of ',
                cell(limit => $row->{min_effect}),
                " with this scatter, about $row->{runs_needed} runs of each side are needed."
                ];
        }
    }
    return @texts;
}

# Takes a comparison, and { key of a pair => whether the report has what a feature compares there }; returns the next
# step.
sub next_step {
    my ($comparison, $asked) = @_;
    my ($sides,      $pairs) = @$comparison{qw(sides pairs)};
    return 'stop the other load, and measure again' if grep { $_->[1]{load} } map { sums($_) } @$pairs;
    my @texts = map { has_passes($_->{summary}) ? () : $_->{letter} } @$sides;
    return 'measure ' . listed(@texts) . ' again, because a text report has no intervals' if @texts && @$sides == 2;
    return AGAIN if runs_needed($comparison);
    my $of = $comparison->{groups} ? {} : UnixBench::Features::having(of_comparisons => 'next_step');
    for my $key (grep { !$asked->{$_} } sort keys %$of) {
        my ($step) = $of->{$key}->next_step(map { $_->{$key} } @$pairs);
        return $step if defined $step;
    }
    return 'measure again with a longer --max-time: more rounds narrow the interval' if are_states($comparison);
    return 'add --html comparison.html for a page with all tests' if @$sides > 2 || grep { $_->{members} } @$sides;
    return AGAIN;
}

1;
