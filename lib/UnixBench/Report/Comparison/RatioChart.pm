package UnixBench::Report::Comparison::RatioChart;

# A run against another one as a picture: each test a bar from 1 to its ratio, to the right where it is faster, with its
# interval, before a band of what is taken for no difference.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Report::Comparison::Wording qw(difference_words interval ratio_text sums_below);
use UnixBench::Report::Page                qw(quiet);
use UnixBench::Report::PageTable           qw(drawing number row table word);
use UnixBench::Report::Picture             qw(axis bar picture rule span);
use UnixBench::Report::Scale               ();

use constant { HEIGHT => 28, BAR_AT => 8, BAR_HEIGHT => 12, INTERVAL_AT => 14 };
use constant FAR => 4;    # times the ratios that there are: no interval is drawn further
use constant {
    HEADING => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    UNSURE  => 'A bar without such a line is hollow, too: nothing is known of the spread.',
    ON      => 'Where that line is dashed it goes on beyond the picture.',
};

my %STRENGTH = (better => 'strong', worse => 'weak', same => 'neutral', unknown => 'neutral');

# Takes a pair of runs, see UnixBench::Compare::Comparison, with tests, and min_effect; returns the picture, a table
# with a drawing in each row.
sub of_pair {
    my ($pair, $min_effect) = @_;
    my ($first, $second)    = map { $_->{letter} } @{ $pair->{sides} };
    my @lines    = _tests($pair);
    my @sums     = sums_below($pair);
    my @ratios   = map { $_->[1]{ratio} } @lines, @sums;
    my $drawn    = _drawn($min_effect, @ratios);
    my @headings = ('Test', [HEADING, axis($drawn->{scale})], "*$second/$first", '*95 % interval', 'Difference');
    my @rows     = map { _row(@$_, $drawn) } @lines;
    my @foot     = map { _row(@$_, $drawn) } @sums;
    my @legend   = (_legend("$second/$first", $min_effect), _exceptions($drawn->{scale}, @ratios));
    return (table("$second against $first, test by test", \@headings, \@rows, @foot), quiet("@legend"));
}

# [title, row] each, the fastest first.
sub _tests {
    my ($pair) = @_;
    my @tests  = sort { $b->{ratio}{value} <=> $a->{ratio}{value} || $a->{title} cmp $b->{title} } @{ $pair->{tests} };
    return map { [$_->{title}, $_] } @tests;
}

# What all rows have in common. A single wide interval does not make all bars small.
sub _drawn {
    my ($min_effect, @ratios) = @_;
    my @limits = $min_effect > 0 ? (1 - $min_effect, 1 + $min_effect) : ();
    my @values = map { $_->{value} } @ratios;
    my ($low, $high) = (min(@values) / FAR, max(@values) * FAR);
    my @ends = map { max($low, min($high, $_)) } grep { defined } map { @$_{qw(low high)} } @ratios;
    return { limits => \@limits, scale => UnixBench::Report::Scale::logarithmic(1, @limits, @values, @ends) };
}

sub _row {
    my ($title, $row, $drawn) = @_;
    my $ratio = $row->{ratio};
    my ($scale, @limits) = ($drawn->{scale}, @{ $drawn->{limits} });
    my @parts = (
        (@limits ? bar('band', $scale, @limits, 0, '100%') : ()),
        (map { rule('grid',  $scale, $_) } @{ $scale->{ticks} }),
        (map { rule('limit', $scale, $_) } @limits),
        bar("bar $STRENGTH{ $row->{verdict} }", $scale, 1, $ratio->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', $scale, 1),
        _interval($scale, $ratio),
    );
    my @texts = (ratio_text($ratio->{value}), interval($ratio), difference_words($row));
    return row($title, drawing(picture(_words(@texts), HEIGHT, @parts)),
        number($texts[0]), number($texts[1]), word($texts[2]));
}

sub _interval {
    my ($scale, $ratio) = @_;
    return if !defined $ratio->{low};
    my $class = _is_open($scale, $ratio) ? 'interval open' : 'interval';
    return span($class, $scale, max($scale->{low}, $ratio->{low}), min($scale->{high}, $ratio->{high}), INTERVAL_AT);
}

sub _is_open {
    my ($scale, $ratio) = @_;
    return defined $ratio->{low} && ($ratio->{low} < $scale->{low} || $ratio->{high} > $scale->{high});
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
    my ($scale, @ratios) = @_;
    my $is_unsure = grep { !defined $_->{low} } @ratios;
    my $is_open   = grep { _is_open($scale, $_) } @ratios;
    return (($is_unsure ? UNSURE : ()), ($is_open ? ON : ()));
}

1;
