package UnixBench::Report::Comparison;

# The report of a comparison: the findings, then a chart and a table of all tests, then the compared results.
#
# In the chart, each test is a bar from 1 to its ratio. A line across the end of the bar is its interval.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Format  qw(fixed);
use UnixBench::Report::Block qw(
    bar card cards chart document drawn grid group in_brief in_detail in_full list name not_in_detail not_in_full
    notices paragraphs quiet row rule said section span strong table
);
use UnixBench::Report::Comparison::Wording qw(
    alike copies_of difference_words findings forced found interval interval_words legend not_compared pair_title
    ratio_text side_facts sums sums_below
);
use UnixBench::Report::Wording qw(half_width);

use constant {
    PLUS_MINUS => "\xc2\xb1 is half of the 95 % interval.",
    IN_ASCII   => '+- is half of the 95 % interval.',
};

use constant { HEIGHT => 28, BAR_AT => 8, BAR_HEIGHT => 12, INTERVAL_AT => 14 };
use constant FAR => 4;    # times the extreme ratios: intervals are cut off there
use constant {
    AXIS   => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    UNSURE => 'A bar without such a line is hollow, too: nothing is known of the spread.',
    ON     => 'Where that line is dashed it goes on beyond the picture.',
};

my %MARK     = (same   => q{~},     unknown => q{?},   worse => 'worse',   better  => 'better');
my %STRENGTH = (better => 'strong', worse   => 'weak', same  => 'neutral', unknown => 'neutral');

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; returns its report.
sub report_of {
    my ($comparison) = @_;
    my @pairs = @{ $comparison->{pairs} };
    my (undef, @about_scores) = legend($comparison);    # the first text explains marks of a terminal
    return document(
        'Comparison of ' . join(' and ', map { $_->{label} } @{ $comparison->{sides} }),
        notices(grep { defined } forced($comparison)),
        in_full(sub { _cards($comparison) }),
        _findings($comparison),
        not_in_full(_sides($comparison), _differences($comparison)),
        (map { _pair($pairs[$_], "pair-$_", $comparison->{min_effect}) } 0 .. $#pairs),
        in_full(
            section('What differs between the machines', _differences($comparison)),
            section('What was compared', _compared($comparison), quiet(PLUS_MINUS, @about_scores)),
        ),
        in_detail(paragraphs(legend($comparison))),
        in_brief(quiet(IN_ASCII, @about_scores)),
    );
}

# Returns a card for each index of each pair of runs, or for the mean of its tests. A card links to the section of its
# pair.
sub _cards {
    my ($comparison) = @_;
    my @pairs = @{ $comparison->{pairs} };
    my @cards;
    for my $place (0 .. $#pairs) {
        my ($pair, @about) = ($pairs[$place], title => pair_title($pairs[$place]), link => "pair-$place");
        push @cards, map { _card(\@about, $pair, @$_, $comparison->{min_effect}) } sums($pair);
    }
    return cards(@cards);
}

sub _card {
    my ($about, $pair, $title, $row, $min_effect) = @_;
    my ($first, $second) = @{ $pair->{sides} };
    my ($found, $sure) =
        defined $row->{why_not} ? ('not compared', ucfirst $row->{why_not}) : _found($row, $min_effect);
    my @labels = map { "$_->{letter}: $_->{label}" } $second, $first;
    my @blocks = (said('title', $title), said('words', $found), said('sure', $sure), quiet(@labels));
    return card(@$about, class => $row->{verdict} // 'unknown', blocks => \@blocks);
}

sub _found {
    my ($row, $min_effect) = @_;
    my $interval = interval_words($row->{ratio});
    return (found($row, $min_effect), length $interval ? "95 % interval: $interval" : 'Nothing tells how sure that is');
}

sub _findings {
    my ($comparison) = @_;
    my @findings = findings($comparison);
    return (
        in_detail(paragraphs(@findings)),
        in_brief(list(undef, @findings)),
        not_in_full(list('Not compared:', @{ $comparison->{omissions} })),
    );
}

sub _sides {
    my ($comparison) = @_;
    my @sides = @{ $comparison->{sides} };
    return (in_detail(group(map { _side_lines($_) } @sides)),
        in_brief(list('Compared:', map { _side_text($_) } @sides)));
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

sub _compared {
    my ($comparison) = @_;
    my @rows = map { _side_row($_) } @{ $comparison->{sides} };
    return (
        table(caption => 'Sides', columns => [word => 'Side', text => 'File and result'], rows => \@rows),
        list('Not compared:', @{ $comparison->{omissions} }),
    );
}

sub _side_row {
    my ($side) = @_;
    my @notes = map { "Note: $_" } @{ $side->{summary}{notes} };
    return row($side->{letter}, ["$side->{label}: " . join '; ', side_facts($side), @notes]);
}

# Returns the differences between the machines, and which facts are unknown.
sub _differences {
    my ($comparison) = @_;
    my @differences  = @{ $comparison->{differences} };
    my @files        = @{ $comparison->{other_files} };
    my @unknown      = @{ $comparison->{unknown} };
    return quiet(alike($comparison)) if !@differences && !@files;
    my @letters = map { $_->{letter} } @{ $comparison->{sides} };
    my @lists   = map { _difference($_, @letters) } @differences;
    return (
        in_detail(list('The machines differ:', @lists, @files, @unknown)),
        not_in_detail(@differences ? _table_of_differences(\@differences, @letters) : ()),
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
    my @rows = map {
        row($_->{label}, [map { $_ // 'unknown' } @{ $_->{texts} }])
    } @$differences;
    return table(
        caption => 'The machines differ',
        corner  => 'The machines differ',
        columns => [map { (text => $_) } 'Fact', @letters],
        rows    => \@rows,
    );
}

sub _pair {
    my ($pair, $id, $min_effect) = @_;
    my @why_not = list('Not compared:', not_compared($pair));
    my @rows    = (@{ $pair->{tests} }, sums_below($pair));
    return section(
        { id => $id, title => pair_title($pair) },
        in_full(sub { paragraphs(findings({ pairs => [$pair], min_effect => $min_effect })) }),
        in_full(sub { _tests($pair, $min_effect) }),
        in_brief(@rows ? _scores($pair, 0) : ()),
        not_in_detail(@why_not),
        in_detail(group(_lines($pair), @why_not)),
    );
}

sub _tests {
    my ($pair, $min_effect) = @_;
    return quiet('They have no measured test in common.') if !@{ $pair->{tests} };
    return (_chart($pair, $min_effect), _scores($pair, 1));
}

# Takes a pair and whether there is room for units; returns its table. A mean of tests has a ratio, but no values.
sub _scores {
    my ($pair,  $has_units) = @_;
    my ($first, $second)    = map { $_->{letter} } @{ $pair->{sides} };
    my @columns = (word => 'Test', map { (number => $_) } $first, '+-', $second, '+-');
    push @columns, word => 'Unit' if $has_units;
    push @columns, number => "$second/$first", number => '95 % interval', word => 'Difference';
    my ($rows, $foot) = map {
        [map { row($_->[0], [_cells($_->[1], $has_units)]) } @$_]
    } _rows($pair);
    return table(caption => 'Scores', columns => \@columns, rows => $rows, foot => $foot);
}

# Returns two lists of [title, row]: one for the tests, one for the indexes and the mean below them.
sub _rows {
    my ($pair) = @_;
    return ([map { [$_->{title}, $_] } @{ $pair->{tests} }], [sums_below($pair)]);
}

sub _cells {
    my ($row, $has_units) = @_;
    my @values = map { (fixed($_->{value}), half_width($_)) } @{ $row->{values} || [] };
    my $ratio  = $row->{ratio};
    return (
        @values[0 .. 3],
        ($has_units ? $row->{unit} : ()),
        ratio_text($ratio->{value}),
        interval($ratio), difference_words($row)
    );
}

# Returns the table of a pair for a terminal: a value and its interval share a column.
sub _lines {
    my ($pair) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    my @headings = ("$first   +-", "$second   +-", "$second/$first", 'interval', q{});
    my ($rows, $foot) = map {
        [map { row($_->[0], [_short_cells($_->[1])]) } @$_]
    } _rows($pair);
    my @columns = (word => copies_of($pair), map { (number => $_) } @headings);
    return table(columns => \@columns, rows => $rows, foot => $foot);
}

sub _short_cells {
    my ($row)  = @_;
    my @values = map { fixed($_->{value}) . sprintf ' %4s', half_width($_) } @{ $row->{values} || [] };
    my $ratio  = $row->{ratio};
    return (@values[0, 1], ratio_text($ratio->{value}), interval($ratio), $MARK{ $row->{verdict} });
}

# Returns the chart of a pair, the fastest test first.
sub _chart {
    my ($pair, $min_effect) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    my @tests  = sort { $b->{ratio}{value} <=> $a->{ratio}{value} || $a->{title} cmp $b->{title} } @{ $pair->{tests} };
    my @sums   = sums_below($pair);
    my @ratios = map { $_->{ratio} } @tests, map { $_->[1] } @sums;
    my $drawn  = _drawn($min_effect, @ratios);
    return chart(
        title   => "$second against $first, test by test",
        axis    => AXIS,
        values  => $drawn->{values},
        height  => HEIGHT,
        columns => [word => 'Test', number => "$second/$first", number => '95 % interval', word => 'Difference'],
        rows    => [map { _bar($_->{title}, $_, $drawn) } @tests],
        foot    => [map { _bar(@$_, $drawn) } @sums],
        legend  => [join q{ }, _chart_legend("$second/$first", $min_effect), _exceptions($drawn, @ratios)],
    );
}

# Takes min_effect and ratios; returns { limits, values, low, high }, which all rows share. The limits are those of the
# band. The values have to be on the scale, from low to high. Wide intervals are cut off, so that they do not make all
# bars small.
sub _drawn {
    my ($min_effect, @ratios) = @_;
    my @limits = $min_effect > 0 ? (1 - $min_effect, 1 + $min_effect) : ();
    my @values = map { $_->{value} } @ratios;
    my ($low, $high) = (min(@values) / FAR, max(@values) * FAR);
    push @values, 1, @limits, map { max($low, min($high, $_)) } map { _ends($_) } @ratios;
    return { limits => \@limits, values => \@values, low => min(@values), high => max(@values) };
}

sub _ends {
    my ($ratio) = @_;
    return grep { defined } @$ratio{qw(low high)};
}

sub _bar {
    my ($title, $row, $drawn) = @_;
    my $ratio  = $row->{ratio};
    my @limits = @{ $drawn->{limits} };
    my @shapes = (
        (@limits ? bar('band', @limits, 0, '100%') : ()),
        grid(),
        (map { rule('limit', $_) } @limits),
        bar("bar $STRENGTH{ $row->{verdict} }", 1, $ratio->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', 1),
        _interval($ratio, $drawn),
    );
    my @cells = (ratio_text($ratio->{value}), interval($ratio), difference_words($row));
    return drawn($title, \@shapes, _bar_words(@cells), \@cells);
}

sub _interval {
    my ($ratio, $drawn) = @_;
    my ($low,   $high)  = _ends($ratio) or return;
    my $class = _is_open($ratio, $drawn) ? 'interval open' : 'interval';
    return span($class, max($drawn->{low}, $low), min($drawn->{high}, $high), INTERVAL_AT);
}

sub _is_open {
    my ($ratio, $drawn) = @_;
    return defined $ratio->{low} && ($ratio->{low} < $drawn->{low} || $ratio->{high} > $drawn->{high});
}

sub _bar_words {
    my ($ratio, $interval, $difference) = @_;
    return join ', ', "ratio $ratio", (length $interval ? "95 % interval $interval" : ()), "difference: $difference";
}

sub _chart_legend {
    my ($ratio, $min_effect) = @_;
    my $into = $min_effect > 0 ? sprintf 'reaches into the shaded band of %g %%', 100 * $min_effect : 'holds 1';
    return "The bar goes from 1 to $ratio; right is faster, left is slower. The line across its end is the 95 % "
        . "interval: where it $into, no difference is shown, and the bar is hollow.";
}

sub _exceptions {
    my ($drawn, @ratios) = @_;
    my $is_unsure = grep { !defined $_->{low} } @ratios;
    my $is_open   = grep { _is_open($_, $drawn) } @ratios;
    return (($is_unsure ? UNSURE : ()), ($is_open ? ON : ()));
}

1;
