package UnixBench::Report::Comparison;

# The report of a comparison: the findings, then a table of all tests of each pair of runs, or of all groups, then what
# was compared. For several results, one table has all of them, and only a page has the tests of each.
#
# On a page each row of a table has a picture: the ratio with its interval. All pairs have one scale.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Result  qw(floor_bounds has_passes);
use UnixBench::Base::Text    qw(counted listed);
use UnixBench::Features      ();
use UnixBench::Report::Block qw(
    at_most cell column document fold headline in_detail in_full joined list name not_in_full notices paragraphs quiet
    row section strong table
);
use UnixBench::Report::Chart               qw(dots dots_column);
use UnixBench::Report::Comparison::Wording qw(
    are_states copies_of findings first_lines heading_of next_step not_compared other_load pair_title
    rows_of runs_needed short_names side_facts  sum_of sums trust_of_sides verdict_in_brief
);
use UnixBench::Report::Groups ();
use UnixBench::Report::Notes  ();
use UnixBench::Report::Title  qw(next_run texts_of_number titles);
use UnixBench::Report::Reference
    qw(by_letters compared_columns compared_values is_around short_verdict slower_text verdict_text AXIS);

use constant {
    SIDES_MOST  => 10,     # for which a terminal has the tables of all numbers of copies
    NAMED_MOST  => 3,      # sides of a note
    NEEDED_MOST => 3,      # sentences about runs that are needed
    LINES_MOST  => 5,      # tests that stand out
    STANDS_OUT  => 1.1,    # the factor between a test and the index from which on it does
    FAR         => 4,      # factor: no interval is drawn further beyond the ratios than this
};
use constant HOLLOW      => 'A hollow dot is inconclusive, or has no interval.';
use constant ALL_EQUAL   => 'All known facts about the machines are equal.';
use constant MORE_COPIES => 'Other numbers of copies: on the page (--html FILE).';

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; and perhaps { key of a pair => whether
# the user asked for what a feature compares there }. Returns its report.
sub report_of {
    my ($comparison, $asked) = @_;
    my @sides  = @{ $comparison->{sides} };
    my @given  = @{ $comparison->{pairs} };
    my $groups = $comparison->{groups};
    my @pairs  = map { +{ %{ $given[$_] }, id => "pair-$_", title => pair_title($given[$_]) } } 0 .. $#given;
    $_->{id} = UnixBench::Report::Groups::id_of($_->{runs}[0]) for $groups ? @pairs : ();
    my $title  = _title(\@sides, @pairs);
    my %titles = titles(comparison => $title);
    my @needed = at_most(NEEDED_MOST, sub { "$_[0] more verdicts need more runs." }, runs_needed($comparison));
    my @trust  = (@needed, trust_of_sides($comparison), other_load($comparison));
    my $scale  = _scale($comparison);
    my @lists  = @sides > 2 && !$groups ? (_overview($scale, \@sides, @pairs), _standing_out(@pairs)) : ();
    my $only   = @lists                 ? \&in_full                                                   : sub { @_ };
    return document(
        { %titles, is_folded => 1, block => [[Next => next_step($comparison, $asked)]] },
        notices(first_lines($comparison)),
        in_full(_headline($comparison, \@trust, @pairs)),
        (@lists ? in_detail(paragraphs($title)) : ()),
        not_in_full(list(undef, @lists ? () : findings(@pairs), @trust)),
        not_in_full(list('Not compared:', @{ $comparison->{omissions} })),
        @lists,
        @lists
        ? not_in_full(list(undef, _notes(grep { !has_passes($_->{summary}) } @sides)))
        : not_in_full(list(undef, _side_texts($comparison)), _differences($comparison)),
        ($groups ? UnixBench::Report::Groups::sections_of($groups) : map { _pair($_, $scale, $asked, $only) } @pairs),
        _of_features($comparison),
        in_full(
            section('Differences between the machines', _differences($comparison)),
            section('Not compared',                     list(undef, @{ $comparison->{omissions} })),
        ),
    );
}

sub _of_features {
    my ($comparison) = @_;
    my $of = UnixBench::Features::having(of_comparisons => 'section_of');
    my @sections;
    for my $key (sort keys %$of) {
        push @sections, map { $of->{$key}->section_of($_) } @{ $comparison->{$key} || [] };
    }
    return @sections;
}

# Returns the headline: the first verdict, and what was compared. A verdict on one of several sides is not that on the
# others: then the headline says which are the first and the last.
sub _title {
    my ($sides, @pairs) = @_;
    return _title_of_several($sides, @pairs) if @$sides > 2;
    my ($first, @others) = short_names(@$sides);
    my $sum   = sum_of($pairs[0]);
    my @words = $sum ? (strong((verdict_in_brief($sum))[0]), ': ') : ();
    return [@words, listed(@others), ' against ', $first, slower_text(map { $_->{name} } @{ $pairs[0]{slower} })];
}

sub _title_of_several {
    my ($sides, @pairs) = @_;
    my @names = short_names(@$sides);
    my $begin = @$sides . q{ } . _noun_of($sides, \@names);
    my ($first_ones, @others) = _by_copies(@pairs);
    my @sums = grep { defined } map { sum_of($_) } @$first_ones;
    return "$begin against $names[0]" if @sums < @$sides - 1 || grep { $_->{load} } @sums;
    my $which = @others ? ' (' . copies_of($pairs[0]) . ')' : q{};
    return "$begin: none differs for certain$which"
        if !grep { !is_around($_->{verdict}) && $_->{ratio}{value} != 1 } @sums;
    my %ratio   = ($sides->[0]{letter} => 1, map { $_->{sides}[1]{letter} => sum_of($_)->{ratio}{value} } @$first_ones);
    my %name    = map  { $sides->[$_]{letter} => $names[$_] } 0 .. $#$sides;
    my @ordered = sort { $ratio{$b} <=> $ratio{$a} || $a cmp $b } keys %ratio;
    return "$begin: $name{$ordered[0]} first, $name{$ordered[-1]} last$which";
}

sub _noun_of {
    my ($sides, $names) = @_;
    return 'groups' if defined $sides->[0]{group};
    my @hosts = map { $_->{summary}{name} // () } @$sides;
    return "@hosts" eq "@$names" ? 'machines' : 'results';
}

sub _headline {
    my ($comparison, $trust, @pairs) = @_;
    my @sides   = @{ $comparison->{sides} };
    my @numbers = @sides == 2 ? map { _numbers($_) } @pairs : ();
    my @texts   = list(undef, _side_texts($comparison));
    return headline(
        numbers => \@numbers,
        blocks  => [
            paragraphs(@$trust), @sides > 2 && !$comparison->{groups} ? fold('Where the results are', @texts) : @texts,
        ],
    );
}

# With many sides, a terminal has the first section only. The tests follow in sections of their own.
sub _overview {
    my ($scale, $sides, @pairs) = @_;
    my @names = short_names(@$sides);
    my %name  = map { $sides->[$_]{letter} => "$sides->[$_]{letter}: $names[$_]" } 0 .. $#$sides;
    my ($first, @others) =
        map { [section("All against $names[0], " . copies_of($_->[0]), _overview_of($scale, \%name, @$_))] }
        _by_copies(@pairs);
    my $is_long = @$sides > SIDES_MOST && @others;
    return (@{ $first || [] },
        $is_long ? (map({ in_full(@$_) } @others), not_in_full(quiet(MORE_COPIES))) : map { @$_ } @others);
}

sub _by_copies {
    my (@pairs) = @_;
    my (%of, @all);
    for my $pair (@pairs) {
        my $key = join q{ }, map { $_->{copies} // '?' } @{ $pair->{runs} };
        push @all, $of{$key} = [] if !$of{$key};
        push @{ $of{$key} }, $pair;
    }
    return @all;
}

sub _overview_of {
    my ($scale, $name, @pairs) = @_;
    my @known = grep { sum_of($_) } @pairs or return;
    my @sums  = map  { sum_of($_) } @known;
    my @rows  = (
        row($name->{A}, _index($sums[0], $known[0], 0)),
        map { _row($scale, $name->{ $known[$_]{sides}[1]{letter} }, $sums[$_], %{ _index($sums[$_], $known[$_], 1) }) }
            0 .. $#known
    );
    return table(
        caption => copies_of($pairs[0]),
        corner  => copies_of($pairs[0]),
        columns => [
            column(Result => title => 'text'),
            dots_column(AXIS, @$scale{qw(low high)}),
            column(Index        => index => 'cells'),
            column(cell('sign') => sure  => 'cells', is_optional => 1, spare => 1),
            compared_columns('Ratio', ratio => { in => 'detail brief' }, verdict => {}),
        ],
        rows   => \@rows,
        legend => [_legend('the ratio to A', $scale, @sums)],
    );
}

# If other load disturbed it, it is a floor. A side of several runs has half of its interval instead.
sub _index {
    my ($row, $pair, $number) = @_;
    my $value   = $row->{values}[$number] // return {};
    my @found   = grep { $_->{title} eq ($row->{title} // q{}) } @{ $pair->{runs}[$number]{indexes} };
    my ($floor) = map { floor_bounds($_) // () } @found;
    return { index => [(texts_of_number(undef, undef, $floor))[0]] } if $floor;
    my @repeats = $row->{turns} || $row->{is_trimmed} ? () : map { $_->{repeat} } @{ $row->{items}[$number] };
    my $sure    = @repeats == 1 && $repeats[0]        ? next_run($repeats[0]) : cell(half => $value);
    return { index => [cell(rate => $value->{value})], sure => defined $value->{low} ? [$sure] : undef };
}

sub _standing_out {
    my (@pairs) = @_;
    my @found;
    for my $pair (@pairs) {
        my $sum = sum_of($pair) // next;
        for my $row (grep { !is_around($_->{verdict}) } @{ $pair->{tests} }) {
            my $apart = abs log $row->{ratio}{value} / $sum->{ratio}{value};
            push @found, [$apart, $pair, $row] if $apart > log STANDS_OUT;
        }
    }
    @found = sort { $b->[0] <=> $a->[0] } @found;
    return list(
        'The tests that stand out:',
        map { ["$_->[1]{sides}[1]{letter}: $_->[2]{title}, ", copies_of($_->[1]), ': ', verdict_text($_->[2])] }
            splice @found,
        0,
        LINES_MOST
    );
}

sub _numbers {
    my ($pair) = @_;
    my @about = (copies => copies_of($pair), link => $pair->{id});
    my @numbers;
    for my $sum (sums($pair)) {
        my ($title, $row)  = @$sum;
        my ($words, $more) = verdict_in_brief($row);
        my $class = join q{ }, 'verdict', $row->{verdict} // ();
        my %known = (is_known => $row->{ratio} ? 1 : 0);
        push @numbers, { @about, %known, title => $title, number => $words, sure => $more, class => $class };
    }
    return @numbers;
}

sub _side_texts {
    my ($comparison) = @_;
    my @sides = @{ $comparison->{sides} };
    return (UnixBench::Report::Groups::legend($comparison->{groups}), _notes(@sides)) if $comparison->{groups};
    my @texts;
    for my $side (@sides) {
        my @notes = map { "; Note: $_" } UnixBench::Report::Notes::beyond_kind($side->{summary});
        push @texts,
            [strong("$side->{letter}:"), q{ }, name($side->{label}), join q{}, ', ', side_facts($side), @notes];
    }
    return @texts;
}

sub _notes {
    my (@sides) = @_;
    my (@notes, %letters);
    for my $side (@sides) {
        for my $note (UnixBench::Report::Notes::beyond_kind($side->{summary})) {
            push @notes,               $note if !$letters{$note};
            push @{ $letters{$note} }, $side->{letter};
        }
    }
    my $named = sub { @_ > NAMED_MOST ? counted(scalar @_, 'result', 'results') : listed(@_) };
    return map { 'Note on ' . $named->(@{ $letters{$_} }) . ": $_" } @notes;
}

sub _differences {
    my ($comparison) = @_;
    my @files        = map { @$_ } @$comparison{qw(other_files within)};
    my @more         = (@files, @{ $comparison->{unknown} });
    if (my $groups = $comparison->{groups}) {
        my @texts = (UnixBench::Report::Groups::also_differs($groups), @more);
        return list(undef, @texts ? @texts : 'All other facts that are known are equal.');
    }
    my @differences = @{ $comparison->{differences} };
    my ($what, $equal) =
        are_states($comparison)
        ? ('The states differ:', 'The states were measured in turns, on one machine.')
        : ('What differs:', join(q{ }, @{ $comparison->{unknown} }) || ALL_EQUAL);
    return quiet($equal) if !@differences && !@files;
    my @letters = map { $_->{letter} } @{ $comparison->{sides} };
    my @lines;
    for my $difference (@differences) {
        my @texts = by_letters(map { [$letters[$_], $difference->{texts}[$_]] } 0 .. $#letters);
        push @lines, "$difference->{label}: " . join '; ', @texts;
    }
    return list($what, @lines, @more);
}

sub _pair {
    my ($pair, $scale, $asked, $only) = @_;
    my $of = UnixBench::Features::having(of_comparisons => 'blocks_of');
    return section(
        { map { $_ => $pair->{$_} } qw(id title) },
        $only->(
            @{ $pair->{tests} } ? _table($pair, $scale) : quiet('They have no measured test in common.'),
            list('Not compared:', not_compared($pair)),
        ),
        (map { $of->{$_}->blocks_of($pair->{$_}, $asked->{$_}) } sort keys %$of),
    );
}

# Returns the table of a pair. All data of a row, see UnixBench::Compare::Comparison, may be in columns.
sub _table {
    my ($pair, $scale) = @_;
    my @sides = @{ $pair->{sides} };
    my @tests = rows_of($pair);
    my @sums  = @tests == 1 ? () : grep { $_->[1]{ratio} } sums($pair);
    my $ratio = "$sides[1]{letter}/$sides[0]{letter}";
    return table(
        caption => 'Tests',
        corner  => copies_of($pair),
        columns => [
            column(Test => title => 'word'),
            dots_column(AXIS, @$scale{qw(low high)}),
            (map { _columns_of($sides[$_], $_) } 0, 1),
            compared_columns(
                $ratio,
                ratio     => { in => 'detail brief', spare => 1 },
                deviation => { in => 'detail brief', is_optional => 1, spare => 3 },
                verdict   => {}
            ),
        ],
        rows   => [map { _row($scale, @$_) } @tests],
        foot   => [map { _row($scale, @$_) } @sums],
        legend => [_legend($ratio, $scale, map { $_->[1] } @tests, @sums)],
    );
}

# Returns the columns of the values of a side. On a page each value has its interval in the same cell.
sub _columns_of {
    my ($side, $number) = @_;
    return (
        column($side->{letter}   => "estimate_$number" => 'brief', in => 'full'),
        column(heading_of($side) => "value_$number"    => 'rate',  in => 'detail brief', spare => 2),
    );
}

sub _row {
    my ($scale, $title, $row, @more) = @_;
    my %item   = (compared_values($row), verdict => verdict_text($row), @more);
    my @values = @{ $row->{values} || [] };
    @item{ "estimate_$_", "value_$_" } = ($values[$_], $values[$_]{value}) for 0 .. $#values;
    return row($title, \%item, shapes => [_shapes($row, $scale)], words => _words_of_picture($row));
}

sub _words_of_picture {
    my ($row)    = @_;
    my $ratio    = $row->{ratio};
    my @interval = defined $ratio->{low} ? ['95 % interval ', cell(ratios => $ratio)] : ();
    return joined(', ', ['ratio ', cell(ratio => $ratio->{value})], @interval, short_verdict($row));
}

# Returns the common data of all pictures: the limits of the band, and the lowest and the highest value on the scale. A
# single wide interval does not make all others small.
sub _scale {
    my ($comparison) = @_;
    my $min_effect   = $comparison->{min_effect};
    my @rows         = grep { $_->{ratio} } map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    my @values       = map  { $_->{ratio}{value} } @rows;
    my ($low, $high) = (min(1, @values) / FAR, max(1, @values) * FAR);
    my @limits = $min_effect > 0 ? (1 - $min_effect, 1 + $min_effect) : ();
    my @ends   = grep { defined } map { @{ $_->{ratio} }{qw(low high)} } @rows;
    push @values, 1, @limits, map { max($low, min($high, $_)) } @ends;
    return {
        band       => @limits ? \@limits : undef,
        min_effect => $min_effect,
        low        => min(@values),
        high       => max(@values)
    };
}

# Returns the picture of a ratio, with the part of its interval that is on the scale.
sub _shapes {
    my ($row, $scale) = @_;
    my $ratio = $row->{ratio};
    my %point = (value => $ratio->{value}, class => $row->{verdict});
    @point{qw(low high)} = (max($scale->{low}, $ratio->{low}), min($scale->{high}, $ratio->{high}))
        if defined $ratio->{low};
    return dots(band => $scale->{band}, rules => { mean => 1 }, points => [\%point]);
}

sub _legend {
    my ($ratio, $scale, @rows) = @_;
    my %verdict = map { $_->{verdict} => 1 } @rows;
    return joined(
        q{ },
        "A large dot is $ratio with its 95 % interval: to the right of 1 if the second side is faster.",
        ($scale->{band} ? ['The pale band is ', cell(limit => $scale->{min_effect}), ' to each side of 1.'] : ()),
        ($verdict{inconclusive} || $verdict{unknown} ? HOLLOW                                               : ()),
    );
}

1;
