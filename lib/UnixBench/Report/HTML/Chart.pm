package UnixBench::Report::HTML::Chart;

# Charts of pages, as inline SVG (see UnixBench::Report::Chart). Horizontal places are percentages of the width, so
# charts fit any width without distortion. Vertical places are pixels. Scales are logarithmic, because indexes and
# ratios are products; only times have a linear one.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);

use UnixBench::Base::Number        qw(significant);
use UnixBench::Report::Cell        qw(cell cell_text);
use UnixBench::Report::Chart       qw(dot grid rule);
use UnixBench::Report::HTML::Scale qw(dates logarithmic part percentage place position tick_text upward);
use UnixBench::Report::Markup      qw(element markup_of string_of);

our @EXPORT_OK = qw(axis_markup chart_markup picture_markup scale_of timelines_markup);

use constant { TEXT_AT => 14, AXIS_HEIGHT => 20, DOT_RADIUS => 3 };

# Labels: the narrowest width for which they are arranged, and sizes of their text, in pixels.
use constant { NARROW => 290, LETTER => 6.2, LINE => 14, GAP => 6 };

# Small pictures, in pixels, and the digits of the value of a mean.
use constant { PANEL => 120, TOP => 10, BOTTOM => 98, BESIDE => 4, DIGITS => 6 };

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
# drawing.
sub scale_of {
    my ($of) = @_;
    my ($values, $height) = @$of{qw(values height)};
    return { %{ logarithmic(@$values) }, height => $height };
}

# Takes a block of the kind "chart"; returns it with its axis.
sub chart_markup {
    my ($chart) = @_;
    my $scale   = scale_of($chart);
    my @axis    = defined $chart->{axis} ? (axis_markup($scale), element('figcaption', markup_of($chart->{axis}))) : ();
    return element('figure', picture_markup($chart, $scale), @axis);
}

# Takes a row or a chart, both with shapes, and a scale; returns the picture.
sub picture_markup {
    my ($row, $scale) = @_;
    return _drawing_of($row->{words}, $scale->{height}, map { _shape_of($_, $scale) } @{ $row->{shapes} });
}

# Takes a description, a height in pixels, and elements; returns the drawing that consists of them.
sub _drawing_of {
    my ($words, $height, @parts) = @_;
    return element('svg', { role => 'img', 'aria-label' => string_of($words), height => $height }, @parts);
}

# Takes a shape, see UnixBench::Report::Chart, and a scale; returns its elements.
sub _shape_of {
    my ($shape, $scale) = @_;
    return $DRAW{ $shape->{shape} }->($shape, $scale);
}

# Takes a scale; returns a picture of the ticks' values, for the head of a table.
sub axis_markup {
    my ($scale) = @_;
    my @ticks   = map { _tick_of($scale, $_, TEXT_AT) } @{ $scale->{ticks} };
    my %about   = (class => 'axis', height => AXIS_HEIGHT, 'data-scale' => 'log', 'aria-hidden' => 'true');
    return element('svg', \%about, @ticks);
}

# Takes a scale, the value of a tick, and y; returns the text of the tick.
sub _tick_of {
    my ($scale, $value, $y) = @_;
    my %about = (class => 'tick', x => position($scale, $value), y => $y, 'data-value' => $value);
    return element('text', \%about, tick_text($scale, $value));
}

# Draws the part of a bar that is within the picture.
sub _bar {
    my ($bar,   $scale) = @_;
    my ($begin, $end)   = sort { $a <=> $b } map { max(0, min(100, place($scale, $_))) } @$bar{qw(from to)};
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
# are in different lines; as many lines as there is room for are used. A name without room in any of them is left out.
sub _labels {
    my ($labels, $scale) = @_;
    my @lines = map { [] } 1 .. $labels->{to} / LINE;
    my @parts;
    for my $label (@{ $labels->{labels} }) {
        my ($value, $name) = @$label;
        my $half   = LETTER * length($name) / 2;
        my $at     = place($scale, $value) * NARROW / 100;
        my $middle = $at < $half ? $at + $half : $at > NARROW - $half ? $at - $half : $at;
        my $place  = [$middle - $half, $middle + $half + GAP];
        my ($line) = grep { !_is_taken($place, @{ $lines[$_] }) } 0 .. $#lines;
        next if !defined $line;
        push @{ $lines[$line] }, $place;
        push @parts,             _label($scale, $value, $name, LINE * (1 + $line) - 2, $labels->{end});
    }
    return ((map { $_->[0] } @parts), map { $_->[1] } @parts);
}

# Takes the place of a name, [begin, end], and those in a line; returns whether they overlap.
sub _is_taken {
    my ($place, @others) = @_;
    return grep { $place->[0] < $_->[1] && $_->[0] < $place->[1] } @others;
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

# Takes a block of the kind "timelines"; returns its panels. What has to be known before they are compared stands above
# them.
sub timelines_markup {
    my ($chart) = @_;
    my $across  = dates(@$chart{qw(from to are_wide clock_of)});
    my $class   = 'multiples timelines' . ($chart->{are_wide} ? ' wide' : q{});
    my @items   = map { element('li', _timeline($_, $across)) } @{ $chart->{panels} };
    return (
        defined $chart->{above} ? element('p', { class => 'quiet' }, markup_of($chart->{above})) : (),
        element('figure', element('ul', { class => $class }, @items), element('figcaption', markup_of($chart->{axes})))
    );
}

# Takes a panel and the scale of time; returns its elements. It has a vertical scale of its own.
sub _timeline {
    my ($panel, $across) = @_;
    my $up     = { %{ upward(@{ $panel->{y} }) }, text_of => \&_round };
    my @points = @{ $panel->{points} };
    my @parts  = (
        _shape_of(grid(), $across),
        (map { _level($_, $up) } @{ $up->{ticks} }),
        (map { _shape_of(rule(@$_), $across) } @{ $panel->{marks} }),
        (map { _interval($across, $up, @$_[1, 3, 4]) } grep { defined $_->[3] } @points),
        (map { _spot($across, $up, @$_[0 .. 2, 5]) } @points),
        (map { _step($across, $up, @$_) } @{ $panel->{steps} }),
        (map { _tick_of($across, $_, PANEL - BESIDE) } @{ $across->{ticks} }),
    );
    return (
        $panel->{is_wide} ? { class => 'whole' } : (),
        element('p', markup_of($panel->{title})),
        _drawing_of($panel->{words}, PANEL, @parts),
        defined $panel->{note} ? element('p', { class => 'quiet' }, markup_of($panel->{note})) : ()
    );
}

# Takes the value of a tick; returns its text.
sub _round {
    my ($value) = @_;
    return cell_text(cell(round => $value), {});
}

sub _step {
    my ($across, $up, $class, $from, $to, $value) = @_;
    my ($x1, $x2, $y) = ((map { position($across, $_) } $from, $to), _height($up, $value));
    my %about = (class => $class, x1 => $x1, x2 => $x2, y1 => $y, y2 => $y);
    return element('line', { %about, 'data-value' => significant($value, DIGITS) });
}

sub _interval {
    my ($across, $up, $time, @ends) = @_;
    my ($x, @y) = (position($across, $time), map { _height($up, $_) } @ends);
    return element('line', { class => 'interval', x1 => $x, y1 => $y[0], x2 => $x, y2 => $y[1] });
}

# Returns a horizontal line with its value.
sub _level {
    my ($value, $up) = @_;
    my $y     = _height($up, $value);
    my %about = (class => 'tick up', x => 0, y => $y - BESIDE, 'data-value' => $value);
    return (element('line', { class => 'grid', x1 => 0, x2 => '100%', y1 => $y, y2 => $y }),
        element('text', \%about, tick_text($up, $value)));
}

sub _spot {
    my ($across, $up, $class, $x, $y, $words) = @_;
    return _shape_of(dot($class, $x, _height($up, $y), $words), $across);
}

# Takes a vertical scale and a number; returns its place in a panel, in pixels from the top. A number beyond the scale
# is at its end.
sub _height {
    my ($up, $value) = @_;
    my $part = part($up, max($up->{low}, min($up->{high}, $value)));
    return sprintf '%.1f', BOTTOM - $part * (BOTTOM - TOP);
}

1;
