package UnixBench::Report::HTML::Chart;

# Charts of pages, as inline SVG (see UnixBench::Report::Chart). Horizontal places are percentages of the width, so
# charts fit any width without distortion. Vertical places are pixels. Scales are logarithmic, because indexes and
# ratios are products; only parts of a whole have a linear one.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);

use UnixBench::Report::HTML::Scale qw(linear logarithmic percentage place position tick_text);
use UnixBench::Report::HTML::Text  qw(markup_of string_of);
use UnixBench::Report::Markup      qw(element);

our @EXPORT_OK = qw(axis_markup chart_markup drawing_markup picture_markup scale_of shape_markup tick_markup);

use constant { TEXT_AT => 14, AXIS_HEIGHT => 20, DOT_RADIUS => 3 };

# Labels: the narrowest width for which they are arranged, and sizes of their text, in pixels.
use constant { NARROW => 290, LETTER => 6.2, LINE => 14, GAP => 6 };

my %DRAW = (
    bar    => \&_bar,
    span   => \&_span,
    rule   => \&_rule,
    dot    => \&_dot,
    labels => \&_labels,
    grid   => sub {
        my (undef, $scale) = @_;
        return map { _rule({ class => 'grid', at => $_ }, $scale) } @{ $scale->{ticks} };
    },
);

# Takes a column of pictures or a chart; returns its scale, see UnixBench::Report::HTML::Scale, with the height of the
# drawing. The values of a linear one are its ends.
sub scale_of {
    my ($of) = @_;
    my ($values, $height) = @$of{qw(values height)};
    return { %{ $of->{is_linear} ? linear(@$values) : logarithmic(@$values) }, height => $height };
}

# Takes a block of the kind "chart"; returns it with its axis and its key.
sub chart_markup {
    my ($chart) = @_;
    my $scale   = scale_of($chart);
    my @axis    = defined $chart->{axis} ? (axis_markup($scale), element('figcaption', markup_of($chart->{axis}))) : ();
    my @key     = map { element('li', { class => "key $_->[0]" }, markup_of($_->[1])) } @{ $chart->{key} || [] };
    return element('figure', picture_markup($chart, $scale), @axis,
        @key ? element('ul', { class => 'keys' }, @key) : ());
}

# Takes a row or a chart, both with shapes, and a scale; returns the picture.
sub picture_markup {
    my ($row, $scale) = @_;
    return drawing_markup($row->{words}, $scale->{height}, map { shape_markup($_, $scale) } @{ $row->{shapes} });
}

# Takes a description, a height in pixels, and elements; returns the drawing that consists of them.
sub drawing_markup {
    my ($words, $height, @parts) = @_;
    return element('svg', { role => 'img', 'aria-label' => string_of($words), height => $height }, @parts);
}

# Takes a shape, see UnixBench::Report::Chart, and a scale; returns its elements.
sub shape_markup {
    my ($shape, $scale) = @_;
    return $DRAW{ $shape->{shape} }->($shape, $scale);
}

# Takes a scale; returns a picture of the ticks' values, for the head of a table.
sub axis_markup {
    my ($scale) = @_;
    my @ticks   = map { tick_markup($scale, $_, TEXT_AT) } @{ $scale->{ticks} };
    my %about   = (class => 'axis', height => AXIS_HEIGHT, 'data-scale' => 'log', 'aria-hidden' => 'true');
    return element('svg', \%about, @ticks);
}

# Takes a scale, the value of a tick, and y; returns the text of the tick.
sub tick_markup {
    my ($scale, $value, $y) = @_;
    my %about = (class => 'tick', x => position($scale, $value), y => $y, 'data-value' => $value);
    return element('text', \%about, tick_text($scale, $value));
}

sub _bar {
    my ($bar,   $scale) = @_;
    my ($begin, $end)   = sort { $a <=> $b } map { place($scale, $_) } @$bar{qw(from to)};
    my %about = (class => $bar->{class}, x => percentage($begin), width => percentage($end - $begin));
    return element('rect', { %about, y => $bar->{y}, height => $bar->{height} }, _said($bar));
}

sub _span {
    my ($span, $scale) = @_;
    my ($x1, $x2, $y) = ((map { position($scale, $_) } @$span{qw(from to)}), $span->{y});
    return element('line', { class => $span->{class}, x1 => $x1, x2 => $x2, y1 => $y, y2 => $y });
}

sub _rule {
    my ($rule, $scale) = @_;
    my $x = position($scale, $rule->{at});
    return element('line', { class => $rule->{class}, x1 => $x, x2 => $x, y1 => 0, y2 => '100%' }, _said($rule));
}

sub _dot {
    my ($dot, $scale) = @_;
    my %about = (class => $dot->{class}, cx => position($scale, $dot->{at}), cy => $dot->{y}, r => DOT_RADIUS);
    return element('circle', \%about, _said($dot));
}

# Draws names above the places of their values, each with a line down to it. Names that would overlap on a narrow screen
# are in different lines; as many lines as there is room for are used.
sub _labels {
    my ($labels, $scale) = @_;
    my @ends = (0) x int($labels->{to} / LINE);
    my @parts;
    for my $label (sort { $a->[0] <=> $b->[0] } @{ $labels->{labels} }) {
        my ($value, $name) = @$label;
        my $half   = LETTER * length($name) / 2;
        my $middle = max($half, min(NARROW - $half, place($scale, $value) * NARROW / 100));
        my ($line) = grep { $middle - $half >= $ends[$_] } 0 .. $#ends;
        $line //= $#ends;
        $ends[$line] = $middle + $half + GAP;
        push @parts, _label($scale, $value, $name, LINE * (1 + $line) - 2, $labels->{end});
    }
    return ((map { $_->[0] } @parts), map { $_->[1] } @parts);
}

# Returns the line and the text of a label. Near an end of the scale, the text does not go beyond it.
sub _label {
    my ($scale, $value, $name, $y, $end) = @_;
    my $place  = place($scale, $value);
    my $room   = LETTER * length($name) / 2 / NARROW * 100;
    my $anchor = $place < $room ? 'start' : $place > 100 - $room ? 'end' : 'middle';
    my $x      = percentage($place);
    return [
        element('line', { class => 'leader', x1 => $x, x2 => $x, y1 => $y + 2, y2 => $end }),
        element('text', { class => "label $anchor", x => $x, y => $y }, $name),
    ];
}

sub _said {
    my ($shape) = @_;
    return defined $shape->{words} ? element('title', string_of($shape->{words})) : ();
}

1;
