package UnixBench::Report::ResponseChart;

# Response times as a picture: for each class of lines a bar from p50 to p95, and a line from there to the longest.

use strict;
use warnings;

use UnixBench::Report::MultiUserTables qw(ms);
use UnixBench::Report::Page            qw(quiet);
use UnixBench::Report::PageTable       qw(drawing number row table);
use UnixBench::Report::Picture         qw(axis bar dot picture rule span);
use UnixBench::Report::Scale           ();

use constant LEGEND =>
    'A bar goes from p50, which half of the responses do not exceed, to p95; the line behind it goes '
    . 'to the longest. On the scale equal steps are equal multiples.';
use constant { HEIGHT => 26, BAR_AT => 7, BAR_HEIGHT => 12, MIDDLE => 13, MS_IN_S => 1000 };

# Heading and key of what is drawn.
my @DRAWN = ([p50 => 'p50_s'], [p95 => 'p95_s'], [Max => 'max_s']);

# Takes response times, see UnixBench::Score::MultiUser; returns the picture, a table with a drawing in each row, and
# how to read it, or nothing where there is nothing to draw.
sub of_responses {
    my (@responses) = @_;
    my @drawn       = grep { _is_drawn($_) } @responses or return;
    my $scale       = UnixBench::Report::Scale::logarithmic(map { _values($_) } @drawn);
    my @headings    = ('Class', ['ms, from p50 to p95 to the longest', axis($scale)], map { "*$_->[0]" } @DRAWN);
    return (table('Multi-user: response times, class by class', \@headings, [map { _row($_, $scale) } @drawn]),
        quiet(LEGEND));
}

sub _is_drawn {
    my ($response) = @_;
    return @DRAWN == grep { $response->{ $_->[1] } } @DRAWN;
}

sub _values {
    my ($response) = @_;
    return map { MS_IN_S * $response->{ $_->[1] } } @DRAWN;
}

sub _row {
    my ($response, $scale) = @_;
    my ($p50, $p95, $max) = _values($response);
    my @texts = map { ms($response->{ $_->[1] }) } @DRAWN;
    my @words = map { "$DRAWN[$_][0] $texts[$_] ms" } 0 .. $#DRAWN;
    my @parts = (
        (map { rule('grid', $scale, $_) } @{ $scale->{ticks} }),
        span('tail', $scale, $p95, $max, MIDDLE),
        bar('bar strong', $scale, $p50, $p95, BAR_AT, BAR_HEIGHT),
        dot('response', $scale, $max, MIDDLE, $words[-1]),
    );
    return row($response->{class}, drawing(picture(join(', ', @words), HEIGHT, @parts)), map { number($_) } @texts);
}

1;
