package UnixBench::Report::Comparison;

# The report of a comparison: the findings, then a table of all tests of each pair of runs, then what was compared.
#
# On a page each row of a table has a bar that begins at 1 and ends at its ratio, with the interval across that end.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Text    qw(listed);
use UnixBench::Report::Block qw(
    bar card cards cell column document grid group in_brief in_detail in_full joined list name not_in_detail not_in_full
    notices paragraphs picture quiet row rule said section span strong table
);
use UnixBench::Report::Comparison::UserLoads ();
use UnixBench::Report::Comparison::Wording   qw(
    card_texts copies_of findings forced heading_of legend machines_are_equal not_compared pair_title rows_of
    short_verdict side_facts side_names sums sums_below trust_of_sides verdict_text
);

use constant { HEIGHT => 28, BAR_AT => 8, BAR_HEIGHT => 12, INTERVAL_AT => 14 };
use constant FAR => 4;    # factor: no interval is drawn further beyond the ratios than this
use constant {
    AXIS   => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    DASHED => 'A dashed interval continues beyond the picture.',
    HOLLOW => 'A hollow bar is inconclusive, or has no interval.',
    LINE   => 'The line across its end is the 95 % interval.',
    NONE   => 'They have no measured test in common.',
};

# The classes of bars.
my %BAR = (
    faster       => 'strong',
    slower       => 'weak',
    equal        => 'equal',
    inconclusive => 'neutral',
    unknown      => 'neutral',
);

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; returns its report.
sub report_of {
    my ($comparison) = @_;
    my @sides        = @{ $comparison->{sides} };
    my @given        = @{ $comparison->{pairs} };
    my @pairs        = map { +{ %{ $given[$_] }, id => "pair-$_", title => pair_title($given[$_]) } } 0 .. $#given;
    my @legend       = legend($comparison);
    my @trust        = trust_of_sides(@sides);
    my @findings     = map { findings($_) } @pairs;
    my @omissions    = list('Not compared:', @{ $comparison->{omissions} });
    return document(
        { title => 'Comparison of ' . listed(side_names(@sides)), is_folded => 1 },
        notices(forced($comparison)),
        in_full(cards(map { _cards($_) } @pairs), paragraphs(@trust)),
        in_detail(group(list(undef, @findings), paragraphs(@trust))),
        in_brief(list(undef, @findings, @trust)),
        not_in_full(@omissions),
        in_detail(group(map { _side_lines($_) } @sides)),
        in_brief(list('Compared:', map { _side_text($_) } @sides)),
        not_in_full(_differences($comparison)),
        (map { _pair($_, $comparison->{min_effect}) } @pairs),
        (map { UnixBench::Report::Comparison::UserLoads::section_of($_) } @{ $comparison->{loads} }),
        in_full(
            section('Differences between the machines', _differences($comparison)),
            section('Compared results', list(undef, map { _side_text($_) } @sides), @omissions, quiet(@legend)),
        ),
        in_detail(paragraphs(@legend)),
        in_brief(quiet(@legend)),
    );
}

# Returns a card for each index of a pair of runs or, if it has none, for the mean of its tests. Each card leads to the
# section of the pair.
sub _cards {
    my ($pair) = @_;
    my @sides  = @{ $pair->{sides} };
    my @names  = side_names(@sides);
    my @labels = map { "$sides[$_]{letter}: $names[$_]" } 1, 0;
    my @cards;
    for my $sum (sums($pair)) {
        my ($title, $row)  = @$sum;
        my ($words, $more) = card_texts($row, $pair);
        my @blocks = (said('title', $title), said('words', $words), said('sure', $more), quiet(@labels));
        my @about  = (title => $pair->{title}, link => $pair->{id}, class => $row->{verdict} // 'unknown');
        push @cards, card(@about, blocks => \@blocks);
    }
    return @cards;
}

sub _side_lines {
    my ($side) = @_;
    return list("$side->{letter}: $side->{label}", side_facts($side), map { "Note: $_" } @{ $side->{summary}{notes} });
}

sub _side_text {
    my ($side) = @_;
    my @notes = map { "; Note: $_" } @{ $side->{summary}{notes} };
    return [strong("$side->{letter}:"), q{ }, name($side->{label}), join q{}, ', ', side_facts($side), @notes];
}

# Returns the differences between the machines, and which facts are unknown.
sub _differences {
    my ($comparison) = @_;
    my @differences  = @{ $comparison->{differences} };
    my @files        = map { @$_ } @$comparison{qw(other_files within)};
    my @unknown      = @{ $comparison->{unknown} };
    return quiet(machines_are_equal($comparison)) if !@differences && !@files;
    my @headings = map { heading_of($_) } @{ $comparison->{sides} };
    my @lists    = map { _difference($_, @headings) } @differences;
    return (
        in_detail(list('The machines differ:', @lists, @files, @unknown)),
        not_in_detail(@differences ? _table_of_differences(\@differences, @headings) : ()),
        not_in_detail(map { quiet($_) } @files, @unknown),
    );
}

sub _difference {
    my ($difference, @letters) = @_;
    my @texts = map { $_ // 'unknown' } @{ $difference->{texts} };
    return list($difference->{label}, map { "$letters[$_]: $texts[$_]" } 0 .. $#letters);
}

sub _table_of_differences {
    my ($differences, @letters) = @_;
    my @columns = map { column($letters[$_], $_ => 'text', none => 'unknown') } 0 .. $#letters;
    return table(
        caption => 'The machines differ',
        corner  => 'The machines differ',
        columns => [column(Fact => title => 'text'), @columns],
        rows    => [map { row($_->{label}, _numbered($_->{texts})) } @$differences],
    );
}

sub _numbered {
    my ($texts) = @_;
    return { map { $_ => $texts->[$_] } 0 .. $#$texts };
}

# Returns the section of a pair of runs.
sub _pair {
    my ($pair, $min_effect) = @_;
    my $main   = @{ $pair->{tests} } ? _table($pair, $min_effect) : quiet(NONE);
    my @others = list('Not compared:', not_compared($pair));
    return section(
        { map { $_ => $pair->{$_} } qw(id title) },
        in_full(paragraphs(findings($pair))),
        in_detail(group($main, @others)),
        not_in_detail($main, @others),
    );
}

# Returns the table of a pair. All data of a row, see UnixBench::Compare::Comparison, may be in columns. The mean of the
# tests has no values of its own.
sub _table {
    my ($pair, $min_effect) = @_;
    my @sides = @{ $pair->{sides} };
    my ($tests, $sums) = ([rows_of($pair)], [sums_below($pair)]);
    my @ratios = map { $_->[1]{ratio} } @$tests, @$sums;
    my $scale  = _scale($min_effect, @ratios);
    my $ratio  = "$sides[1]{letter}/$sides[0]{letter}";
    return table(
        caption => 'Tests',
        corner  => copies_of($pair),
        columns => [
            column(Test => title => 'word'),
            picture(AXIS, $scale->{values}, HEIGHT),
            (map { _columns_of($sides[$_], $_) } 0, 1),
            column($ratio       => times     => 'ratio'),
            column('Run to run' => deviation => 'percent', is_optional => 1),
            column(Verdict      => words     => 'word'),
        ],
        rows   => [map { _row($pair, $scale, @$_) } @$tests],
        foot   => [map { _row($pair, $scale, @$_) } @$sums],
        legend => [_legend($ratio, $min_effect, (grep { _is_open($_, $scale) } @ratios) ? DASHED : ())],
    );
}

# Returns the columns of the values of a side. On a page each value has its interval in the same cell: a page with two
# more columns would be too wide.
sub _columns_of {
    my ($side, $number) = @_;
    my $heading = heading_of($side);
    return (
        column($heading     => "estimate_$number" => 'estimate', in => 'full'),
        column($heading     => "value_$number"    => 'rate',     in => 'detail brief'),
        column(cell('sign') => "interval_$number" => 'half',     in => 'detail brief', is_optional => 1),
    );
}

sub _row {
    my ($pair, $scale, $title, $row) = @_;
    my %item   = (%$row, times => $row->{ratio}{value}, words => verdict_text($row, $pair));
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
# lowest and the highest of them. A single wide interval does not make all bars small.
sub _scale {
    my ($min_effect, @ratios) = @_;
    my @limits = $min_effect > 0 ? (1 - $min_effect, 1 + $min_effect) : ();
    my @values = map { $_->{value} } @ratios;
    my ($low, $high) = (min(@values) / FAR, max(@values) * FAR);
    push @values, 1, @limits, map { max($low, min($high, $_)) } grep { defined } map { @$_{qw(low high)} } @ratios;
    return { limits => \@limits, values => \@values, low => min(@values), high => max(@values) };
}

sub _shapes {
    my ($row,   $scale)  = @_;
    my ($ratio, @limits) = ($row->{ratio}, @{ $scale->{limits} });
    return (
        (@limits ? bar('band', @limits, 0, '100%') : ()),
        grid(),
        (map { rule('limit', $_) } @limits),
        bar("bar $BAR{ $row->{verdict} }", 1, $ratio->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', 1),
        (defined $ratio->{low} ? _interval($ratio, $scale) : ()),
    );
}

sub _interval {
    my ($ratio, $scale) = @_;
    my $class = _is_open($ratio, $scale) ? 'interval open' : 'interval';
    return span($class, max($scale->{low}, $ratio->{low}), min($scale->{high}, $ratio->{high}), INTERVAL_AT);
}

sub _is_open {
    my ($ratio, $scale) = @_;
    return defined $ratio->{low} && ($ratio->{low} < $scale->{low} || $ratio->{high} > $scale->{high});
}

sub _legend {
    my ($ratio, $min_effect, @more) = @_;
    my $bar  = "The bar goes from 1 to $ratio: to the right if the second side is faster, to the left if it is slower.";
    my @band = $min_effect > 0 ? ['The shaded band is ', cell(limit => $min_effect), ' to each side of 1.'] : ();
    return joined(q{ }, $bar, LINE, @band, HOLLOW, @more);
}

1;
