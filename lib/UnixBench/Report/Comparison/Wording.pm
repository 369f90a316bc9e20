package UnixBench::Report::Comparison::Wording;

# The texts of comparisons: the sides by host and date, the verdicts on rows, and what explains them.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Result      qw(without_suffix);
use UnixBench::Base::Text        qw(clean counted cut listed);
use UnixBench::Base::Time        qw(time_of_date);
use UnixBench::Compare::Facts    ();
use UnixBench::Report::Block     qw(capitalised cell);
use UnixBench::Report::Plain     qw(in_plain);
use UnixBench::Report::Reference qw(order_of verdict_interval verdict_numbers verdict_than verdict_words);
use UnixBench::Report::Wording   qw(copies_title from_run_to_run label_texts title_of);
use UnixBench::Score::Turns      ();
use UnixBench::Store::Summary    qw(has_date);

our @EXPORT_OK = qw(
    are_states copies_of distance fact_text findings forced heading_of legend machines_are_equal not_compared
    pair_title remark_of_row rows_of short_names side_facts sums sums_below verdict_in_brief without_interval
);

use constant {
    ROUNDING  => 1e4,    # equal ratios have equal logarithms to that part
    HOST_MOST => 20,     # characters of a host in the heading of a column
    TEXT_MOST => 30,     # and of a fact in a sentence
};
use constant {
    HALF    => ': half of the 95 % interval. inconclusive: the interval of B/A has values inside and outside of ',
    CLASSIC => 'The classic scores of both sides are compared if a text report is among the results: it has no others.',
    ONE_RUN => 'Each side is one run, so the interval also has how much runs differ. '
        . 'More runs of each state make it narrower.',
    QUIET  => 'Passes without other load decide, if each side has three of them.',
    BOUNDS =>
        'At least: other load lowers values by no more than the CPU time that the copies lost explains, with a margin, '
        . 'and raises them by no more than was measured.',
    ONE_MACHINE => 'The states were measured in turns, on one machine.',
    TURNS   => 'The ratio is the mean over pairs of passes, because the sides were measured in turns: drift cancels.',
    SEVERAL => 'Run to run: the standard deviation from run to run. It widens the interval.',
};

# Takes a comparison, or other data with obstacles; returns the first line if it was forced, or nothing.
sub forced {
    my ($view) = @_;
    my @obstacles = @{ $view->{obstacles} } or return;
    return 'The procedures differ (--force): ' . join('; ', @obstacles) . q{.};
}

# Takes sides; returns a short name for each: its group or host; if another side has the same, the name of its file; and
# if that is not its own, either, its path.
sub short_names {
    my (@sides) = @_;
    my @names = map { [_names_of($_)] } @sides;
    my %count;
    for my $of_side (@names) {
        my %is_name = map { $_ => 1 } @$of_side;
        $count{$_}++ for keys %is_name;
    }
    return map { _own_of(\%count, @{ $names[$_] }) // $sides[$_]{group} // $sides[$_]{label} } 0 .. $#sides;
}

# Takes how many sides have each name, and the names of a side; returns the first that no other side has, or undef.
sub _own_of {
    my ($count, @names) = @_;
    my ($own) = grep { $count->{$_} == 1 } @names;
    return $own;
}

# Returns the names of a side: its group, or its host and the name of its file without a suffix.
sub _names_of {
    my ($side) = @_;
    return $side->{group} if defined $side->{group};
    return (_host($side), @{ $side->{members} || [] } > 1 ? () : without_suffix($side->{label} =~ s{.*/}{}sr));
}

# Takes a side; returns its date; "no date" if the clock was wrong; undef if it has none.
sub _date_of {
    my ($side) = @_;
    my ($source, $date, $started) = @{ $side->{summary} }{qw(source date started)};
    $started //= time_of_date($date // q{});
    my $is_wrong = defined $started && !has_date({ source => $source, started => $started }, time);
    return $is_wrong ? 'no date' : $date;
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
# be compared, for the mean of the tests. If several results are compared with the first one, each sentence names its
# own.
sub findings {
    my (@pairs)  = @_;
    my %is_side  = map { $_->{sides}[1]{letter} => 1 } grep { !defined $_->{sides}[1]{group} } @pairs;
    my $are_many = keys %is_side > 1;
    my @texts;
    for my $pair (@pairs) {
        my @of = $are_many ? (heading_of($pair->{sides}[1]), q{: }) : ();
        push @texts, map { [$_->[0], q{, }, copies_of($pair), q{: }, _found($_->[1], $pair, @of)] } sums($pair);
    }
    return @texts;
}

# Takes a row, its pair of runs, and what a sentence begins with that names no side.
sub _found {
    my ($row, $pair, @of) = @_;
    return [@of, 'not compared, because ', $row->{why_not}] if defined $row->{why_not};
    my ($first, $second) = map { heading_of($_) } @{ $pair->{sides} };
    my @group = defined $pair->{sides}[1]{group} ? ($second, q{: }) : ();
    return [@of ? @of : @group, 'inconclusive, because of other load'] if $row->{load};
    my ($words, $interval, $shares) = (verdict_words($row), verdict_interval($row), _shares($row, $pair));
    return [$first, ' and ', $second, ' are ', $words, $interval, $shares, @of ? () : _basis($row)]
        if $row->{verdict} eq 'equal';
    return [@of, $words, $interval, $shares, _basis($row)] if $row->{verdict} eq 'inconclusive';
    my $than = q{ } . verdict_than($row) . q{ };
    return [$second, ' is ', $words, $than,     $first, $interval] if $row->{bound};
    return [$second, ' is ', $words, $than,     $first, $interval, $shares] if $row->{verdict} eq 'unknown';
    return [$second, ' is ', $words, $interval, $than,  $first,    $shares, @of ? () : _basis($row)];
}

# Takes a row; returns what its interval has: the runs of each side, and their deviation from run to run. States that
# were measured in turns have neither; if it is inconclusive, more rounds help.
sub _basis {
    my ($row) = @_;
    my $varies = $row->{varies} or return $row->{verdict} eq 'inconclusive' ? ': measure longer' : ();
    my ($first, $second) = @{ $row->{runs} };
    my $runs =
          $first != $second ? "$first and " . counted($second, 'run', 'runs')
        : $first == 1       ? 'one run each'
        :                     "$first runs each";
    return [": $runs, ", from_run_to_run(@$varies{qw(by is_known)})];
}

# Takes a row that was compared; returns a string for the table of groups, or undef: the start of a command, whose time
# could not be left out, may decide the ratio.
sub remark_of_row {
    my ($row) = @_;
    my $turns = $row->{turns} || {};
    return if !UnixBench::Score::Turns::is_start_long($turns);
    return in_plain(['the start of its command takes up to ', cell(percent => $turns->{start}), ' of a pass']);
}

# Takes a pair of runs; returns a sentence about the rows whose verdict has no interval, or nothing if all have one.
sub without_interval {
    my ($pair)  = @_;
    my @rows    = @{ $pair->{tests} };
    my @unknown = grep { $_->{verdict} eq 'unknown' } @rows or return;
    my $why     = (grep { $_->{is_trimmed} } @unknown) ? 'a classic report has none' : 'a side has too few passes';
    my $which   = @unknown == @rows ? 'No verdict' : @unknown . ' of ' . counted(scalar @rows, 'verdict', 'verdicts');
    return "$which has an interval: $why." if @unknown == @rows;
    return "$which have no interval: $why.";
}

# Takes a row, its pair of runs, and whether there is room for what the interval has; returns two texts for a headline:
# the verdict in a few words, and its reason or interval.
sub verdict_in_brief {
    my ($row, $pair, $has_room) = @_;
    return ('not compared',      capitalised($row->{why_not})) if defined $row->{why_not};
    return ('inconclusive',      'Other load') if $row->{load};
    return (verdict_words($row), 'Without an interval') if $row->{verdict} eq 'unknown';
    return (verdict_words($row), _because($row)) if $row->{bound};
    my @basis = $has_room ? _basis($row) : ();
    return (verdict_words($row), ['95 % interval ', verdict_numbers($row), _shares($row, $pair), @basis]);
}

# Takes a row with a verdict in spite of other load; returns why.
sub _because {
    my ($row)     = @_;
    my $explains  = $row->{bound}{explains};
    my @disturbed = @{ $row->{bound}{disturbed} };
    return ['Other load explains at most a factor of ', cell(most => $explains)] if defined $explains;
    return 'Other load disturbed ' . listed(@disturbed);
}

# Returns which passes decide, if other load disturbed some.
sub _shares {
    my ($row, $pair) = @_;
    return $row->{shares} ? ', ' . _deciding($row, $pair) : q{};
}

sub _deciding {
    my ($row, $pair) = @_;
    my @shares = @{ $row->{shares} };
    my @sides  = grep { $shares[$_][0] < $shares[$_][1] } 0, 1;
    return 'by ' . listed(map { _passes_of($pair, $_, @{ $shares[$_] }) } @sides) . ' without other load';
}

sub _passes_of {
    my ($pair, $number, $some, $all) = @_;
    return "$some of " . counted($all, 'pass', 'passes') . " of $pair->{sides}[$number]{letter}";
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
        || distance($second) <=> distance($first)
        || $first->{title} cmp $second->{title};
}

# Takes a row; returns how far its ratio is from 1. Rounding errors of equal ratios do not count.
sub distance {
    my ($row) = @_;
    return int 0.5 + ROUNDING * abs log $row->{ratio}{value};
}

# Takes a pair of runs; returns [title, row] for each row at the foot of its table: the indexes that can be compared.
# The mean of the tests is there only if it is not the same as an index.
sub sums_below {
    my ($pair)  = @_;
    my @indexes = grep { $_->{ratio} } @{ $pair->{indexes} };
    my @means   = !$pair->{mean} || @indexes && !@{ $pair->{lacking} } ? () : $pair->{mean};
    return map { [title_of($_), $_] } @indexes, @means;
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

# Takes a comparison without differences between the machines; returns sentences that say so, and what is unknown.
sub machines_are_equal {
    my ($comparison) = @_;
    return ONE_MACHINE if are_states($comparison);
    my @unknown = @{ $comparison->{unknown} } or return 'All known facts about the machines are equal.';
    return join q{ }, @unknown, 'It is unknown whether the machines differ.'
        if grep { !UnixBench::Compare::Facts::is_known($_->{summary}) } @{ $comparison->{sides} };
    return join q{ }, 'All facts that are known of each machine are equal.', @unknown;
}

# Takes a pair of runs; returns its numbers of copies.
sub copies_of {
    my ($pair) = @_;
    my ($first, $second) = map { copies_title($_->{copies}) } @{ $pair->{runs} };
    return $pair->{is_same_count} ? $first : "$first against $second";
}

# Takes a pair of runs; returns its title, such as "B (new) against A (old), 4 copies".
sub pair_title {
    my ($pair) = @_;
    my @sides = map { heading_of($_) } @{ $pair->{sides} };
    return "$sides[1] against $sides[0], " . copies_of($pair) if $pair->{is_same_count};
    my @copies = map { copies_title($_->{copies}) } @{ $pair->{runs} };
    return "$sides[1] with $copies[1] against $sides[0] with $copies[0]";
}

# Takes a side; returns a line with what is known of it.
sub side_facts {
    my ($side)  = @_;
    my $summary = $side->{summary};
    my $version = defined $summary->{version} ? "UnixBench $summary->{version}" : undef;
    my @texts   = (
        @$summary{qw(name system)},
        _date_of($side), $version, _procedure($summary->{procedure}),
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
    my ($pair)  = @_;
    my @letters = map { $_->{letter} } @{ $pair->{sides} };
    return map { "$_->{title}: " . _reasons($_->{reasons}, @letters) } @{ $pair->{lacking} };
}

sub _reasons {
    my ($reasons, @letters) = @_;
    return join '; ', map { "$letters[$_]: $reasons->[$_]" } grep { defined $reasons->[$_] } 0 .. 1;
}

# Takes a comparison; returns sentences that explain its tables.
sub legend {
    my ($comparison) = @_;
    my @rows         = _all_rows($comparison);
    my $is_trimmed   = grep { $_->{is_trimmed} } @rows;
    my @sets         = grep { $_->{members} } @{ $comparison->{sides} };
    return CLASSIC if !grep { defined $_->{ratio}{low} } @rows;
    return (
        [cell('sign'), HALF, cell(limit => $comparison->{min_effect}), '.'],
        ($is_trimmed                                 ? CLASSIC : ()),
        ((grep { $_->{load} || $_->{shares} } @rows) ? QUIET   : ()),
        ((grep { $_->{bound} } @rows)                ? BOUNDS  : ()),
        (are_states($comparison)                     ? TURNS   : @sets ? SEVERAL : ONE_RUN),
    );
}

# Returns all rows of a comparison that have a ratio.
sub _all_rows {
    my ($comparison) = @_;
    return map {
        (@{ $_->{tests} }, grep { $_->{ratio} } @{ $_->{indexes} })
    } @{ $comparison->{pairs} };
}

# Takes a comparison; returns whether its sides are states of one run, which were measured in turns.
sub are_states {
    my ($comparison) = @_;
    my @rows = _all_rows($comparison);
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

1;
