package UnixBench::Report::Comparison;

# The report of a comparison: the findings, then a table of all tests of each pair of runs, or of all groups, then what
# was compared.
#
# On a page each row of a table has a picture: the ratio with its interval, and the repeated runs of both sides as dots
# above and below it. All pairs have one scale.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Result  qw(floor_bounds);
use UnixBench::Base::Text    qw(counted cut listed);
use UnixBench::Report::Block qw(
    cell column document fold group headline in_brief in_detail in_full joined list name not_in_detail
    not_in_full notices paragraphs quiet row section strong table
);
use UnixBench::Report::Chart              qw(dots dots_column);
use UnixBench::Report::Comparison::Advice qw(
    block_of first_lines limited_trust other_load runs_needed trust_of_sides
);
use UnixBench::Report::Comparison::Wording qw(
    copies_of findings heading_of legend machines_are_equal not_compared pair_title rows_of
    short_names side_facts sums sums_below verdict_in_brief without_interval
);
use UnixBench::Base::Value       ();
use UnixBench::Report::Groups    ();
use UnixBench::Report::Notes     ();
use UnixBench::Report::Numbers   qw(texts_of_number);
use UnixBench::Report::Title     qw(titles);
use UnixBench::Report::Reference qw(by_letters compared_columns compared_values short_verdict verdict_text AXIS);

use constant NUMBERS_MOST => 4;     # verdicts in the headline
use constant CARD_MOST    => 30;    # characters of a name in the headline
use constant SIDES_MOST   => 4;     # results that a page lists without a fold
use constant FAR          => 4;     # factor: no interval is drawn further beyond the ratios than this
use constant {
    DASHED => 'A dashed interval continues beyond the picture.',
    PALE   => 'The pale parts of an interval add how much runs differ.',
    HOLLOW => 'A hollow dot is inconclusive, or has no interval.',
    RUNS   => 'Small dots are runs, those of A above and those of B below, compared with the mean of A.',
    NONE   => 'They have no measured test in common.',
};

# What features compare: { key of the comparison => module }, and { key of a pair => module }.

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; and perhaps { key of a pair => whether
# the user asked for what a feature compares there }. Returns its report.
sub report_of {
    my ($comparison, $asked) = @_;
    my @sides  = @{ $comparison->{sides} };
    my @given  = @{ $comparison->{pairs} };
    my $groups = $comparison->{groups};
    my @pairs  = map { +{ %{ $given[$_] }, id => "pair-$_", title => pair_title($given[$_]) } } 0 .. $#given;
    $_->{id} = UnixBench::Report::Groups::id_of($_->{runs}[0]) for $groups ? @pairs : ();
    my $title     = _title(\@sides, @pairs);
    my %titles    = titles(comparison => $title);
    my @legend    = legend($comparison);
    my @trust     = (runs_needed($comparison), trust_of_sides(@sides), other_load($comparison));
    my @findings  = findings(@pairs);
    my @omissions = list('Not compared:', @{ $comparison->{omissions} });
    my $scale     = _scale($comparison);
    my @for_all   = @sides > 2 && !$groups ? $title : ();
    return document(
        { %titles, how => \@legend, is_folded => 1, block => [block_of($comparison, $asked)] },
        notices(first_lines($comparison)),
        in_detail(paragraphs(@for_all)),
        in_full(_headline($comparison, \%titles, \@trust, @pairs), @for_all ? _overview($scale, \@sides, @pairs) : ()),
        in_detail(group(list(undef, @findings), paragraphs(@trust))),
        in_brief(list(undef, @findings, @trust)),
        not_in_full(@omissions),
        in_detail($groups ? group(paragraphs(_side_texts($comparison))) : group(map { _side_lines($_) } @sides)),
        in_brief(list('Compared:', _side_texts($comparison))),
        not_in_full(_differences($comparison)),
        ($groups ? UnixBench::Report::Groups::sections_of($groups) : map { _pair($_, $scale, $asked) } @pairs),
        _of_features($comparison),
        in_full(
            section('Differences between the machines', _differences($comparison)),
            section('Not compared',                     list(undef, @{ $comparison->{omissions} })),
        ),
        in_detail(paragraphs(@legend)),
        in_brief(quiet(@legend)),
    );
}

# Takes a comparison; returns the sections of features.
sub _of_features {
    my ($comparison) = @_;
    my $of = UnixBench::Base::Value::with('section_of');
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
    my ($pair) = @pairs;
    my ($first, @others) = short_names(@$sides);
    my ($sum) = sort { !$a->[1]{ratio} <=> !$b->[1]{ratio} } sums($pair);
    my @words = $sum ? (strong((verdict_in_brief($sum->[1], $pair))[0]), ': ') : ();
    return [@words, listed(@others), ' against ', $first];
}

sub _title_of_several {
    my ($sides, @pairs) = @_;
    my $names   = [short_names(@$sides)];
    my @hosts   = map { $_->{summary}{name} // () } @$sides;
    my $noun    = defined $sides->[0]{group} ? 'groups' : "@hosts" eq "@$names" ? 'machines' : 'results';
    my $begin   = @$sides . " $noun";
    my %sum     = _first_sums(@pairs);
    my @order   = sort { $sum{$b}{ratio}{value} <=> $sum{$a}{ratio}{value} || $a cmp $b } keys %sum;
    my %name    = map  { $sides->[$_]{letter} => $names->[$_] } 0 .. $#$sides;
    my %copies  = map  { copies_of($_)        => 1 } @pairs;
    my $which   = keys %copies > 1 ? ' (' . copies_of($pairs[0]) . ')' : q{};
    my $differs = grep { $_->{verdict} ne 'equal' && $_->{ratio}{value} != 1 } values %sum;
    return "$begin against $names->[0]" if @order < @$sides - 1 || grep { $_->{load} } values %sum;
    return "$begin: equal$which" if !$differs;
    my $is_any = grep { $_->{verdict} !~ /\A(?:equal|inconclusive)\z/ } values %sum;
    return "$begin: none differs for certain$which" if !$is_any;
    my $first = $sum{ $order[0] }{ratio}{value} > 1  ? $name{ $order[0] }  : $names->[0];
    my $last  = $sum{ $order[-1] }{ratio}{value} < 1 ? $name{ $order[-1] } : $names->[0];
    return "$begin: $first first, $last last$which";
}

# Takes the pairs of several sides; returns { letter of a side => its row } of the first index of the first runs, or of
# the mean of their tests, as far as the sides have it.
sub _first_sums {
    my (@pairs)    = @_;
    my ($wanted)   = map { $_->[0] } grep { $_->[1]{ratio} } sums($pairs[0]);
    my ($of_first) = _by_copies(@pairs);
    my %sum;
    for my $pair (@$of_first) {
        my ($row) = map { $_->[1] } grep { $_->[1]{ratio} && $_->[0] eq ($wanted // q{}) } sums($pair);
        $sum{ $pair->{sides}[1]{letter} } //= $row if $row;
    }
    return %sum;
}

# Takes a comparison, its titles, the sentences about trust, and the pairs; returns what is seen first: the verdicts,
# how far both sides can be trusted, and what the sides are. If the title has the first verdict, it replaces that.
sub _headline {
    my ($comparison, $titles, $trust, @pairs) = @_;
    my @sides   = @{ $comparison->{sides} };
    my @names   = map { cut($_, CARD_MOST) . ': ' } short_names(@sides);
    my %card    = map { $sides[$_]{letter} => $names[$_] } @sides > 2 ? 1 .. $#sides : ();
    my @numbers = map { _numbers($_, $card{ $_->{sides}[1]{letter} } // q{}) } map { @$_ } _by_copies(@pairs);
    my @texts   = list(undef, _side_texts($comparison));
    my @more    = splice @numbers, @numbers > NUMBERS_MOST ? NUMBERS_MOST - 1 : @numbers;
    $numbers[0] = { %{ $numbers[0] }, heading => $titles->{title}, says => [] }
        if @sides == 2 && @numbers && $numbers[0]{is_known};
    return headline(
        numbers => \@numbers,
        chips   => [map { _chip($_) } @sides],
        blocks  => [
            (@more ? quiet(counted(scalar @more, 'more verdict', 'more verdicts') . ' below') : ()),
            paragraphs(@$trust),
            @sides > SIDES_MOST && !$comparison->{groups} ? fold('Where the results are', @texts) : @texts,
        ],
    );
}

# Takes the scale, [sides] and all pairs; returns a section for each number of copies, with a row for each side that is
# compared with the first one. The tests follow in sections of their own.
sub _overview {
    my ($scale, $sides, @pairs) = @_;
    my @names = short_names(@$sides);
    my %name  = map { $sides->[$_]{letter} => "$sides->[$_]{letter}: $names[$_]" } 0 .. $#$sides;
    return
        map { section("All against $names[0], " . copies_of($_->[0]), _overview_of($scale, \%name, @$_)) }
        _by_copies(@pairs);
}

# Takes pairs of runs; returns them as ([those with one number of copies], ...), in the order of the first ones.
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

# Takes the scale, { letter => name }, and the pairs with one number of copies; returns their table.
sub _overview_of {
    my ($scale, $name, @pairs) = @_;
    my (@rows, @sums);
    for my $pair (@pairs) {
        my ($sum) = map { $_->[1] } grep { $_->[1]{ratio} } sums($pair) or next;
        push @sums, $sum;
        push @rows, _row($scale, $name->{ $pair->{sides}[1]{letter} }, $sum, index => _index($sum, $pair));
    }
    return if !@rows;
    return table(
        title   => copies_of($pairs[0]),
        columns => [
            column(Result => title => 'text'),
            dots_column(AXIS, @$scale{qw(low high)}),
            column(Index => index => 'cells'),
            compared_columns(q{}, verdict => {}),
        ],
        rows   => \@rows,
        legend => [_legend('the ratio to A', $scale, @sums)],
    );
}

# Takes the row of an index, and its pair; returns the index of the second side, which is a floor if other load
# disturbed it.
sub _index {
    my ($row, $pair) = @_;
    my ($floor) =
        map { floor_bounds($_) // () } grep { $_->{title} eq ($row->{title} // q{}) } @{ $pair->{runs}[1]{indexes} };
    return [$floor ? (texts_of_number(undef, undef, $floor))[0] : cell(rate => $row->{values}[1]{value})];
}

# Takes a pair of runs, and what its titles begin with, the name of a side or nothing; returns the verdict on each index
# or, if it has none, on the mean of its tests.
sub _numbers {
    my ($pair, $name) = @_;
    my @about = (copies => copies_of($pair), link => $pair->{id});
    my @sums  = sums($pair);
    my @numbers;
    for my $sum (@sums) {
        my ($title, $row)  = @$sum;
        my ($words, $more) = verdict_in_brief($row, $pair, @sums == 1);
        my $class = join q{ }, 'verdict', $row->{verdict} // ();
        my %known = (is_known => $row->{ratio} ? 1 : 0);
        push @numbers, { @about, %known, title => "$name$title", number => $words, sure => $more, class => $class };
    }
    return @numbers;
}

# Returns the trust in a side, if the reader must know of it.
sub _chip {
    my ($side) = @_;
    my $level = limited_trust($side) // return;
    return ["trust $level", "$side->{letter}: $level"];
}

sub _side_lines {
    my ($side) = @_;
    return list("$side->{letter}: $side->{label}",
        side_facts($side), map { "Note: $_" } UnixBench::Report::Notes::beyond_kind($side->{summary}));
}

sub _side_texts {
    my ($comparison) = @_;
    my @sides = @{ $comparison->{sides} };
    return map { _side_text($_) } @sides if !$comparison->{groups};
    return (UnixBench::Report::Groups::legend($comparison->{groups}), map { _notes($_) } @sides);
}

sub _notes {
    my ($side) = @_;
    return map { "Note on $side->{letter}: $_" } UnixBench::Report::Notes::beyond_kind($side->{summary});
}

sub _side_text {
    my ($side) = @_;
    my @notes = map { "; Note: $_" } UnixBench::Report::Notes::beyond_kind($side->{summary});
    return [strong("$side->{letter}:"), q{ }, name($side->{label}), join q{}, ', ', side_facts($side), @notes];
}

# Returns the differences between the machines, and which facts are unknown.
sub _differences {
    my ($comparison) = @_;
    my @files        = map { @$_ } @$comparison{qw(other_files within)};
    my @more         = (@files, @{ $comparison->{unknown} });
    if (my $groups = $comparison->{groups}) {
        my @texts = (UnixBench::Report::Groups::also_differs($groups), @more);
        return list(undef, @texts ? @texts : 'All other facts that are known are equal.');
    }
    my @differences = @{ $comparison->{differences} };
    return quiet(machines_are_equal($comparison)) if !@differences && !@files;
    return list('The machines differ:', (map { _values($_, @{ $comparison->{sides} }) } @differences), @more);
}

# Takes a difference, and the sides; returns a line with its values, each after the letters of its sides.
sub _values {
    my ($difference, @sides) = @_;
    my @texts = by_letters(map { [$sides[$_]{letter}, $difference->{texts}[$_]] } 0 .. $#sides);
    return "$difference->{label}: " . join '; ', @texts;
}

# Takes a pair of runs, the scale, and what the user asked for; returns the section of the pair.
sub _pair {
    my ($pair, $scale, $asked) = @_;
    my $main   = @{ $pair->{tests} } ? _table($pair, $scale) : quiet(NONE);
    my @others = list('Not compared:', not_compared($pair));
    my $of     = UnixBench::Base::Value::with('blocks_of');
    return section(
        { map { $_ => $pair->{$_} } qw(id title) },
        in_detail(group(paragraphs(without_interval($pair)), $main, @others)),
        not_in_detail(paragraphs(without_interval($pair)), $main, @others),
        (map { $of->{$_}->blocks_of($pair->{$_}, $asked->{$_}) } sort keys %$of),
    );
}

# Returns the table of a pair. All data of a row, see UnixBench::Compare::Comparison, may be in columns.
sub _table {
    my ($pair, $scale) = @_;
    my @sides = @{ $pair->{sides} };
    my @tests = rows_of($pair);
    my @sums  = @tests == 1 ? () : sums_below($pair);
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

# Returns the columns of the values of a side. On a page each value has its interval in the same cell: a page with two
# more columns would be too wide.
sub _columns_of {
    my ($side, $number) = @_;
    my $heading = heading_of($side);
    return (
        column($side->{letter} => "estimate_$number" => 'brief', in => 'full'),
        column($heading        => "value_$number"    => 'rate',  in => 'detail brief', spare => 2),
        column(cell('sign')    => "interval_$number" => 'half',  in => 'detail brief', is_optional => 1, spare => 4),
    );
}

sub _row {
    my ($scale, $title, $row, @more) = @_;
    my %item   = (compared_values($row), verdict => verdict_text($row), @more);
    my @values = @{ $row->{values} || [] };
    for my $number (0 .. $#values) {
        my $estimate = $values[$number];
        @item{ "estimate_$number", "value_$number" } = ($estimate, $estimate->{value});
        $item{"interval_$number"} = $estimate if defined $estimate->{low};
    }
    return row($title, \%item, shapes => [_shapes($row, $scale)], words => _words_of_picture($row));
}

sub _words_of_picture {
    my ($row)    = @_;
    my $ratio    = $row->{ratio};
    my @interval = defined $ratio->{low} ? ['95 % interval ', cell(ratios => $ratio)] : ();
    return joined(', ', ['ratio ', cell(ratio => $ratio->{value})], @interval, short_verdict($row));
}

# Returns the common data of all pictures: the limits of the band, and the values that determine the scale, with the
# lowest and the highest of them. A single wide interval does not make all others small.
sub _scale {
    my ($comparison) = @_;
    my $min_effect   = $comparison->{min_effect};
    my @rows         = grep { $_->{ratio} } map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    my @values       = map  { ($_->{ratio}{value}, _runs($_)) } @rows;
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

# Takes a row of repeated runs; returns the runs of each side as multiples of the mean of the first side, two lists.
# With one run of each side, there are none.
sub _runs_of_sides {
    my ($row) = @_;
    return ([], []) if !defined $row->{deviation};
    my $mean = $row->{values}[0]{value};
    return map {
        [map { $_->{value} / $mean } @$_]
    } @{ $row->{estimates} };
}

sub _runs {
    my ($row) = @_;
    return map { @$_ } _runs_of_sides($row);
}

sub _shapes {
    my ($row,   $scale) = @_;
    my ($above, $below) = map {
        [map { ['run', $_, [cell(ratio => $_)]] } @$_]
    } _runs_of_sides($row);
    my ($drawn, $machine) = map { _within($_ || {}, $scale) } $row->{within} ? @$row{qw(within ratio)} : $row->{ratio};
    my %point = (%$drawn, value => $row->{ratio}{value}, class => $row->{verdict}, machine => $machine);
    return dots(band => $scale->{band}, rules => { mean => 1 }, points => [\%point], above => $above, below => $below);
}

# Takes a ratio; returns the part of its interval that is on the scale, { low, high, is_open }, or {} if it has none.
sub _within {
    my ($ratio, $scale) = @_;
    return {} if !defined $ratio->{low};
    my ($low, $high) = (max($scale->{low}, $ratio->{low}), min($scale->{high}, $ratio->{high}));
    return { low => $low, high => $high, is_open => _is_open($ratio, $scale) };
}

sub _is_open {
    my ($ratio, $scale) = @_;
    return defined $ratio->{low} && ($ratio->{low} < $scale->{low} || $ratio->{high} > $scale->{high});
}

sub _legend {
    my ($ratio, $scale, @rows) = @_;
    my %verdict = map { $_->{verdict} => 1 } @rows;
    return joined(
        q{ },
        "A large dot is $ratio with its 95 % interval: to the right of 1 if the second side is faster.",
        ((grep { $_->{within} } @rows) ? PALE                                                               : ()),
        ($scale->{band} ? ['The pale band is ', cell(limit => $scale->{min_effect}), ' to each side of 1.'] : ()),
        ((grep { defined $_->{deviation} } @rows)       ? RUNS                                              : ()),
        ($verdict{inconclusive} || $verdict{unknown}    ? HOLLOW                                            : ()),
        ((grep { _is_open($_->{ratio}, $scale) } @rows) ? DASHED                                            : ()),
    );
}

1;
