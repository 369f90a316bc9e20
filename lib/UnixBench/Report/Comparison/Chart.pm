package UnixBench::Report::Comparison::Chart;

# A run against another one as a chart: each test a bar from 1 to its ratio, to the right where it is faster, with its
# interval, before a band of what is taken for no difference.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);

use UnixBench::Report::Block               qw(bar chart drawn grid rule span);
use UnixBench::Report::Comparison::Wording qw(difference_words interval ratio_text sums_below);

our @EXPORT_OK = qw(ratio_chart);

use constant { HEIGHT => 28, BAR_AT => 8, BAR_HEIGHT => 12, INTERVAL_AT => 14 };
use constant FAR => 4;    # times the ratios that there are: no interval is drawn further
use constant {
    AXIS   => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    UNSURE => 'A bar without such a line is hollow, too: nothing is known of the spread.',
    ON     => 'Where that line is dashed it goes on beyond the picture.',
};

my %STRENGTH = (better => 'strong', worse => 'weak', same => 'neutral', unknown => 'neutral');

# Takes a pair of runs, see UnixBench::Compare::Comparison, with tests, and min_effect; returns the chart, the fastest
# first.
sub ratio_chart {
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
        rows    => [map { _row($_->{title}, $_, $drawn) } @tests],
        foot    => [map { _row(@$_, $drawn) } @sums],
        legend  => [join q{ }, _legend("$second/$first", $min_effect), _exceptions($drawn, @ratios)],
    );
}

# What all rows have in common: the limits of the band, and the values that are drawn, from the lowest to the highest. A
# single wide interval does not make all bars small.
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

sub _row {
    my ($title, $row, $drawn) = @_;
    my $ratio  = $row->{ratio};
    my @limits = @{ $drawn->{limits} };
    my @shapes = (
        (@limits ? bar('band', @limits, 0, '100%') : ()),
        grid(),
        (map { rule('limit', $_) } @limits),
        bar("bar $STRENGTH{ $row->{verdict} }", 1, $ratio->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', 1),
        _line($ratio, $drawn),
    );
    my @cells = (ratio_text($ratio->{value}), interval($ratio), difference_words($row));
    return drawn($title, \@shapes, _words(@cells), \@cells);
}

sub _line {
    my ($ratio, $drawn) = @_;
    my ($low,   $high)  = _ends($ratio) or return;
    my $class = _is_open($ratio, $drawn) ? 'interval open' : 'interval';
    return span($class, max($drawn->{low}, $low), min($drawn->{high}, $high), INTERVAL_AT);
}

sub _is_open {
    my ($ratio, $drawn) = @_;
    return defined $ratio->{low} && ($ratio->{low} < $drawn->{low} || $ratio->{high} > $drawn->{high});
}

sub _words {
    my ($ratio, $interval, $difference) = @_;
    return join ', ', "ratio $ratio", (length $interval ? "95 % interval $interval" : ()), "difference: $difference";
}

sub _legend {
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
