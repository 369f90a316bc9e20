package UnixBench::Report::HTML::Multiples;

# Small pictures of the same form, as inline SVG (see UnixBench::Report::Chart). Horizontal places are percentages of
# the width, vertical places are pixels.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);

use UnixBench::Base::Number        qw(significant);
use UnixBench::Report::Cell        qw(cell cell_text);
use UnixBench::Report::Chart       qw(dot grid rule);
use UnixBench::Report::HTML::Chart qw(drawing_markup shape_markup tick_markup);
use UnixBench::Report::HTML::Dates qw(dates);
use UnixBench::Report::HTML::Scale qw(logarithmic part position tick_text upward);
use UnixBench::Report::HTML::Text  qw(markup_of);
use UnixBench::Report::Markup      qw(element);

our @EXPORT_OK = qw(multiples_markup timelines_markup);

use constant { HEIGHT => 120, TOP => 10, BOTTOM => 98, BESIDE => 4 };    # of a picture, in pixels
use constant DIGITS => 6;                                                # of the value of a mean

# Takes a block of the kind "multiples"; returns its panels.
sub multiples_markup {
    my ($chart) = @_;
    my ($across, $up) = (logarithmic(@{ $chart->{x} }), upward(@{ $chart->{y} }));
    return _figure($chart, 'multiples',
        map { _panel($_, $across, $up, _curves($_, $across, $up)) } @{ $chart->{panels} });
}

# Takes a block of the kind "timelines"; returns its panels.
sub timelines_markup {
    my ($chart) = @_;
    my $across = dates(@$chart{qw(from to)});
    return _figure($chart, 'multiples timelines', map { _timeline($_, $across) } @{ $chart->{panels} });
}

# Takes a chart, the class of the list of its panels, and the elements of each panel; returns the figure.
sub _figure {
    my ($chart, $class, @panels) = @_;
    my @items = map { element('li', @$_) } @panels;
    return element('figure', element('ul', { class => $class }, @items),
        element('figcaption', markup_of($chart->{axes})));
}

# Takes a panel, both its scales, and what is drawn between the lines and the texts of the ticks; returns its elements.
sub _panel {
    my ($panel, $across, $up, @drawn) = @_;
    my @parts = (
        shape_markup(grid(), $across),
        (map { _level($_, $up) } @{ $up->{ticks} }),
        @drawn, map { tick_markup($across, $_, HEIGHT - BESIDE) } @{ $across->{ticks} },
    );
    return [
        element('p', markup_of($panel->{title})),
        drawing_markup($panel->{words}, HEIGHT, @parts),
        defined $panel->{note} ? element('p', { class => 'quiet' }, markup_of($panel->{note})) : ()
    ];
}

sub _curves {
    my ($panel, $across, $up) = @_;
    return (
        (map { _line($across, $up, @$_) } @{ $panel->{lines} }),
        map { _spot($across, $up, @$_) } @{ $panel->{points} }
    );
}

# Returns a panel with a vertical scale of its own.
sub _timeline {
    my ($panel, $across) = @_;
    my $up     = { %{ upward(@{ $panel->{y} }) }, text_of => \&_round };
    my @points = @{ $panel->{points} };
    return _panel(
        $panel,
        $across,
        $up,
        (map { shape_markup(rule(@$_), $across) } @{ $panel->{marks} }),
        (map { _interval($across, $up, @$_[1, 3, 4]) } grep { defined $_->[3] } @points),
        (map { _spot($across, $up, @$_[0 .. 2, 5]) } @points),
        (map { _step($across, $up, @$_) } @{ $panel->{steps} }),
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
    my ($across, $up, $time, $low, $high) = @_;
    return _line($across, $up, 'interval', [$time, $low], [$time, $high]);
}

# Returns a horizontal line with its value.
sub _level {
    my ($value, $up) = @_;
    my $y     = _height($up, $value);
    my %about = (class => 'tick up', x => 0, y => $y - BESIDE, 'data-value' => $value);
    return (element('line', { class => 'grid', x1 => 0, x2 => '100%', y1 => $y, y2 => $y }),
        element('text', \%about, tick_text($up, $value)));
}

# Returns a line through places, in pieces.
sub _line {
    my ($across, $up, $class, @places) = @_;
    my @ends = map { [position($across, $_->[0]), _height($up, $_->[1])] } @places;
    my @line;
    for my $number (1 .. $#ends) {
        my ($from, $to) = @ends[$number - 1, $number];
        push @line,
            element('line', { class => $class, x1 => $from->[0], y1 => $from->[1], x2 => $to->[0], y2 => $to->[1] });
    }
    return @line;
}

sub _spot {
    my ($across, $up, $class, $x, $y, $words) = @_;
    return shape_markup(dot($class, $x, _height($up, $y), $words), $across);
}

# Takes a vertical scale and a number; returns its place in a panel, in pixels from the top. A number beyond the scale
# is at its end.
sub _height {
    my ($up, $value) = @_;
    my $part = part($up, max($up->{low}, min($up->{high}, $value)));
    return sprintf '%.1f', BOTTOM - $part * (BOTTOM - TOP);
}

1;
