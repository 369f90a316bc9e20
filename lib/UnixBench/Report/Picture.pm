package UnixBench::Report::Picture;

# Pictures as inline SVG, as wide as their place is: along them places are in percent, so that they follow any width and
# nothing in them is distorted; up and down they are pixels.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format   qw(short_number);
use UnixBench::Report::Markup qw(element);
use UnixBench::Report::Scale  ();

our @EXPORT_OK = qw(axis bar dot picture rule span);

use constant { TEXT_AT => 14, AXIS_HEIGHT => 20, DOT_RADIUS => 3 };

# Takes what a picture shows, in words, its height, and its parts; returns it.
sub picture {
    my ($words, $height, @parts) = @_;
    return element('svg', { role => 'img', 'aria-label' => $words, height => $height }, @parts);
}

# Takes a scale, see UnixBench::Report::Scale; returns a picture of its ticks' values, for the head of a table.
sub axis {
    my ($scale) = @_;
    my @ticks   = map { _tick($scale, $_) } @{ $scale->{ticks} };
    my %about   = (class => 'axis', height => AXIS_HEIGHT, 'data-scale' => 'log', 'aria-hidden' => 'true');
    return element('svg', \%about, @ticks);
}

sub _tick {
    my ($scale, $value) = @_;
    my %about = (class => 'tick', x => _place($scale, $value), y => TEXT_AT, 'data-value' => $value);
    return element('text', \%about, short_number($value));
}

# Takes a class, a scale, two values, how far from the top and how high, and perhaps what it is in words; returns the
# bar between them.
sub bar {
    my ($class, $scale, $from, $to, $y, $height, $words) = @_;
    my ($begin, $end) = sort { $a <=> $b } map { UnixBench::Report::Scale::place($scale, $_) } $from, $to;
    my %about = (class => $class, x => _percent($begin), width => _percent($end - $begin));
    my @title = defined $words ? element('title', $words) : ();
    return element('rect', { %about, y => $y, height => $height }, @title);
}

# Takes the same but for the height; returns the line between the values.
sub span {
    my ($class, $scale, $from, $to, $y) = @_;
    my %about = (class => $class, x1 => _place($scale, $from), x2 => _place($scale, $to));
    return element('line', { %about, y1 => $y, y2 => $y });
}

# Takes a class, a scale and a value; returns the line through the whole height there.
sub rule {
    my ($class, $scale, $value) = @_;
    my $x = _place($scale, $value);
    return element('line', { class => $class, x1 => $x, x2 => $x, y1 => 0, y2 => '100%' });
}

# Takes a class, a scale, a value, how far from the top, and what it is in words; returns the dot.
sub dot {
    my ($class, $scale, $value, $y, $words) = @_;
    my %about = (class => $class, cx => _place($scale, $value), cy => $y, r => DOT_RADIUS);
    return element('circle', \%about, element('title', $words));
}

sub _place {
    my ($scale, $value) = @_;
    return _percent(UnixBench::Report::Scale::place($scale, $value));
}

sub _percent {
    my ($number) = @_;
    return sprintf '%.3f%%', $number;
}

1;
