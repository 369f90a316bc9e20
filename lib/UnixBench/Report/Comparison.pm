package UnixBench::Report::Comparison;

# The report of a comparison: the findings, then a table of all tests with a chart, then what was compared.
#
# In the chart each test is a bar that begins at 1 and ends at its ratio, with the interval across that end.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Number  qw(fixed);
use UnixBench::Base::Text    qw(listed);
use UnixBench::Report::Block qw(
    bar card cards chart document drawn grid group in_brief in_detail in_full list name not_in_detail not_in_full
    notices paragraphs quiet row rule said section span strong table
);
use UnixBench::Report::Comparison::Wording qw(
    copies_of findings forced heading_of interval legend machines_are_equal not_compared pair_title ratio_text rows_of
    run_to_run short_verdict side_facts side_names sums sums_below trust_of_sides verdict_text
);
use UnixBench::Report::Comparison::UserLoads ();
use UnixBench::Report::Wording               qw(half_width with_half_width);

use constant { HEIGHT => 28, BAR_AT => 8, BAR_HEIGHT => 12, INTERVAL_AT => 14 };
use constant FAR => 4;    # factor: no interval is drawn further beyond the ratios than this
use constant {
    AXIS       => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    DASHED     => 'A dashed interval continues beyond the picture.',
    PLUS_MINUS => "\xc2\xb1",
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
    my @pairs        = @{ $comparison->{pairs} };
    my @legend       = legend($comparison);
    return document(
        { title => 'Comparison of ' . listed(side_names(@{ $comparison->{sides} })), is_folded => 1 },
        notices(grep { defined } forced($comparison)),
        in_full(sub { _cards($comparison) }),
        in_full(paragraphs(trust_of_sides(@{ $comparison->{sides} }))),
        _findings($comparison),
        not_in_full(_sides($comparison), _differences($comparison)),
        (map { _pair($pairs[$_], "pair-$_", $comparison->{min_effect}) } 0 .. $#pairs),
        (map { UnixBench::Report::Comparison::UserLoads::section_of($_) } @{ $comparison->{loads} }),
        in_full(
            section('Differences between the machines', _differences($comparison)),
            section('Compared results', _compared($comparison), quiet(map { s/\A[+]-/PLUS_MINUS/er } @legend)),
        ),
        in_detail(paragraphs(@legend)),
        in_brief(quiet(@legend)),
    );
}

# Returns a card for each index of each pair of runs. A pair without an index has a card for the mean of its tests. Each
# card leads to the section of its pair.
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
    my $is_compared = !defined $row->{why_not};
    my ($words, $more) =
        $is_compared ? _card_words($row, $pair, $min_effect) : ('not compared', ucfirst $row->{why_not});
    my @sides  = @{ $pair->{sides} };
    my @names  = side_names(@sides);
    my @labels = map { "$sides[$_]{letter}: $names[$_]" } 1, 0;
    my @blocks = (said('title', $title), said('words', $words), said('sure', $more), quiet(@labels));
    return card(@$about, class => $row->{verdict} // 'unknown', blocks => \@blocks);
}

# Returns the verdict on a row in a word or two, and the reason or the interval.
sub _card_words {
    my ($row, $pair, $min_effect) = @_;
    my $text = verdict_text($row, $pair, $min_effect);
    return ('inconclusive', ucfirst $text =~ s/\Ainconclusive: //r) if $row->{load};
    my ($words, $more, $by) = $text =~ /\A([^(,]*[^(, ])[, ]*[(]?(.*?)[)]?(, by .*)?\z/;
    return ($words, ucfirst $more) if $row->{verdict} eq 'unknown';
    return ($words, "95 % interval: $more" . ($by // q{}) . ($words eq 'inconclusive' ? ': measure longer' : q{}));
}

sub _findings {
    my ($comparison) = @_;
    my @findings = (findings($comparison), trust_of_sides(@{ $comparison->{sides} }));
    return not_in_full(list(undef, @findings), list('Not compared:', @{ $comparison->{omissions} }));
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
        in_full(
            sub { @{ $pair->{tests} } ? _chart($pair, $min_effect) : quiet('They have no measured test in common.') }
        ),
        in_brief(@rows ? _scores($pair, $min_effect) : ()),
        not_in_detail(@why_not),
        in_detail(group(_scores($pair, $min_effect), @why_not)),
    );
}

# Returns the table of a pair for a terminal or a ticket. The mean of the tests has no values of its own.
sub _scores {
    my ($pair,  $min_effect) = @_;
    my ($first, $second)     = @{ $pair->{sides} };
    my @columns = (
        word => copies_of($pair),
        map({ (number => $_) } heading_of($first),
            '+-', heading_of($second), '+-', "$second->{letter}/$first->{letter}"),
        _has_sets($pair) ? (number => 'run to run') : (),
        word => 'Verdict',
    );
    my ($rows, $foot) = map {
        [map { row($_->[0], [_cells($_->[1], $pair, $min_effect)]) } @$_]
    } [rows_of($pair)], [sums_below($pair)];
    return table(columns => \@columns, rows => $rows, foot => $foot);
}

sub _has_sets {
    my ($pair) = @_;
    return scalar grep { $_->{members} } @{ $pair->{sides} };
}

sub _cells {
    my ($row, $pair, $min_effect) = @_;
    my @values = map { (fixed($_->{value}), half_width($_)) } @{ $row->{values} || [] };
    return (
        @values[0 .. 3],
        ratio_text($row->{ratio}{value}),
        (_has_sets($pair) ? run_to_run($row) : ()),
        verdict_text($row, $pair, $min_effect)
    );
}

# Returns the table of a pair for a page, with a chart.
sub _chart {
    my ($pair, $min_effect) = @_;
    my ($first, $second)    = @{ $pair->{sides} };
    my $ratio  = "$second->{letter}/$first->{letter}";
    my @tests  = rows_of($pair);
    my @sums   = sums_below($pair);
    my @ratios = map { $_->[1]{ratio} } @tests, @sums;
    my $drawn  = _drawn($min_effect, @ratios);
    my @cells  = (number => heading_of($first), number => heading_of($second), number => $ratio);
    push @cells, number => 'Run to run' if _has_sets($pair);
    my ($rows, $foot) = map {
        [map { _bar(@$_, $pair, $min_effect, $drawn) } @$_]
    } \@tests, \@sums;
    return chart(
        title   => 'Tests',
        axis    => AXIS,
        values  => $drawn->{values},
        height  => HEIGHT,
        columns => [word => 'Test', @cells, word => 'Verdict'],
        rows    => $rows,
        foot    => $foot,
        legend  => [join q{ }, _chart_legend($ratio, $min_effect), _exceptions($drawn, @ratios)],
    );
}

# Returns the common data of all rows: the limits of the band, and the values that determine the scale, with the lowest
# and the highest of them. A single wide interval does not make all bars small.
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
    my ($title, $row, $pair, $min_effect, $drawn) = @_;
    my $ratio  = $row->{ratio};
    my @limits = @{ $drawn->{limits} };
    my @shapes = (
        (@limits ? bar('band', @limits, 0, '100%') : ()),
        grid(),
        (map { rule('limit', $_) } @limits),
        bar("bar $BAR{ $row->{verdict} }", 1, $ratio->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', 1),
        _interval($ratio, $drawn),
    );
    my @values = map { with_half_width($_) } @{ $row->{values} || [] };
    my @cells  = (@values[0, 1], ratio_text($ratio->{value}));
    push @cells, run_to_run($row) if _has_sets($pair);
    my $words = _bar_words(ratio_text($ratio->{value}), interval($ratio), short_verdict($row, $min_effect));
    return drawn($title, \@shapes, $words, [@cells, verdict_text($row, $pair, $min_effect)]);
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
    my ($ratio, $interval, $verdict) = @_;
    return join ', ', "ratio $ratio", (length $interval ? "95 % interval $interval" : ()), $verdict;
}

sub _chart_legend {
    my ($ratio, $min_effect) = @_;
    my $band = $min_effect > 0 ? sprintf ' The shaded band is %g %% to each side of 1.', 100 * $min_effect : q{};
    return
          "The bar goes from 1 to $ratio: to the right if the second side is faster, to the left if it is slower. The "
        . "line across its end is the 95 % interval.$band A hollow bar is inconclusive, or has no interval.";
}

sub _exceptions {
    my ($drawn, @ratios) = @_;
    return (grep { _is_open($_, $drawn) } @ratios) ? DASHED : ();
}

1;
