package UnixBench::Report::GainChart;

# What several copies gain, as a picture: each test a bar from once to as many times as the most copies do, with a dot
# for each number of copies.

use strict;
use warnings;

use UnixBench::Report::GainWording qw(copies_heading line_title);
use UnixBench::Report::Page        qw(quiet);
use UnixBench::Report::PageTable   qw(badge drawing number row table);
use UnixBench::Report::Picture     qw(axis bar dot picture rule);
use UnixBench::Report::Scale       ();

use constant LEGEND =>
    'A bar tells how many times as much the most copies do together as the fewest; each dot is a number of copies. At '
    . 'the dashed line no copy would do less than one of the fewest.';
use constant { HEIGHT => 26, BAR_AT => 7, BAR_HEIGHT => 12, DOTS_AT => 13 };

# Takes a gain, see UnixBench::Score::Scaling; returns the picture, a table with a drawing in each row, and how to read
# it.
sub of_gain {
    my ($gain)  = @_;
    my $copies  = $gain->{copies};
    my $ideal   = $copies->[-1] / $copies->[0];
    my @lines   = grep { _known($_) } @{ $gain->{tests} } or return;
    my @sums    = grep { _known($_) } @{ $gain->{indexes} };
    my $scale   = UnixBench::Report::Scale::logarithmic(1, $ideal, map { _times($_) } map { _known($_) } @lines, @sums);
    my $caption = 'How many times as much as ' . copies_heading($copies->[0]);
    my @headings = ('Test', ['the bar: ' . copies_heading($copies->[-1]), axis($scale)], '*Times');
    my ($rows, $foot) = map {
        [map { _row($_, $scale, $ideal, $copies->[-1]) } @$_]
    } \@lines, \@sums;
    return (table($caption, \@headings, $rows, @$foot), quiet(LEGEND));
}

sub _known {
    my ($line) = @_;
    return grep { defined $_->{gain} } @{ $line->{at} };
}

sub _times {
    my ($at) = @_;
    return $at->{times};
}

# The bar is of the most copies for which something is known; where that is not the most of all, the title says so.
sub _row {
    my ($line, $scale, $ideal, $most) = @_;
    my @known = _known($line);
    my $times = _times($known[-1]);
    my @parts = (
        (map { rule('grid', $scale, $_) } @{ $scale->{ticks} }),
        bar($times < 1 ? 'bar weak' : 'bar strong', $scale, 1, $times, BAR_AT, BAR_HEIGHT),
        rule('mean',  $scale, 1),
        rule('ideal', $scale, $ideal),
        (map { dot('count', $scale, _times($_), DOTS_AT, _words($_)) } @known),
    );
    my $words = join ', ', map { _words($_) } @known;
    my $title = line_title($line);
    my @title = ($title, $known[-1]{copies} == $most ? () : badge(copies_heading($known[-1]{copies})));
    return row(\@title, drawing(picture($words, HEIGHT, @parts)), number(sprintf '%.2f', $times));
}

sub _words {
    my ($at) = @_;
    return copies_heading($at->{copies}) . sprintf ' %.2f times', _times($at);
}

1;
