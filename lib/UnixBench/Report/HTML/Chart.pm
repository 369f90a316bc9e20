package UnixBench::Report::HTML::Chart;

# Charts of pages, as inline SVG (see UnixBench::Report::Chart), and their scales. Horizontal places are percentages of
# the width, so charts fit any width without distortion. Vertical places are pixels. Scales are logarithmic, because
# indexes and ratios are products; only times have a linear one.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);
use POSIX      ();

use UnixBench::Base::Text     qw(short_number significant unique);
use UnixBench::Base::Time     qw(iso_time);
use UnixBench::Report::Cell   qw(cell cell_text);
use UnixBench::Report::Chart  qw(dot grid rule);
use UnixBench::Report::Markup qw(element markup_of string_of);

our @EXPORT_OK = qw(
    axis_markup chart_markup curves_markup dates logarithmic part percentage picture_markup place position scale_of
    tick_text timelines_markup upward
);

use constant { TEXT_AT => 14, AXIS_HEIGHT => 20, DOT_RADIUS => 3 };

# Labels: the narrowest width for which they are arranged, and sizes of their text, in pixels.
use constant { NARROW => 290, LETTER => 6.2, LINE => 14, GAP => 6 };

# Small pictures, in pixels, and the digits of the value of a mean.
use constant { PANEL => 120, TOP => 10, BOTTOM => 98, BESIDE => 4, DIGITS => 6 };

# The picture of curves: its height, its lower edge, and the ends of its scale in percent of the width, beside which
# the names of the lines have room.
use constant { TALL => 320, TALL_BOTTOM => 298, CURVE_ENDS => [6, 66], NAMES_AT => 2 };

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

# Takes a column of pictures or a chart; returns its scale, see UnixBench::Report::HTML::Chart, with the height of the
# drawing.
sub scale_of {
    my ($of) = @_;
    my ($values, $height) = @$of{qw(values height)};
    return { %{ $of->{is_linear} ? _from_zero(@$values) : logarithmic(@$values) }, height => $height };
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

sub _drawing_of {
    my ($words, $height, @parts) = @_;
    return element('svg', { role => 'img', 'aria-label' => string_of($words), height => $height }, @parts);
}

sub _shape_of {
    my ($shape, $scale) = @_;
    return $DRAW{ $shape->{shape} }->($shape, $scale);
}

# Takes a scale; returns a picture of the ticks' values, for the head of a table.
sub axis_markup {
    my ($scale) = @_;
    my @ticks   = map { _tick_of($scale, $_, TEXT_AT) } @{ $scale->{ticks} };
    my %about   = (
        class         => 'axis',
        height        => AXIS_HEIGHT,
        'data-scale'  => $scale->{is_linear} ? 'linear' : 'log',
        'aria-hidden' => 'true'
    );
    return element('svg', \%about, @ticks);
}

sub _tick_of {
    my ($scale, $value, $y) = @_;
    my %about = (class => 'tick', x => position($scale, $value), y => $y, 'data-value' => $value);
    return element('text', \%about, tick_text($scale, $value));
}

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
    my $class   = 'timelines' . ($chart->{are_wide} ? ' wide' : q{});
    my @items   = map { element('li', _timeline($_, $across)) } @{ $chart->{panels} };
    return (
        defined $chart->{above} ? element('p', { class => 'quiet' }, markup_of($chart->{above})) : (),
        element('figure', element('ul', { class => $class }, @items), element('figcaption', markup_of($chart->{axes})))
    );
}

sub _timeline {
    my ($panel, $across) = @_;
    my $up     = { %{ upward(@{ $panel->{y} }) }, text_of => sub { cell_text(cell(round => $_[0]), {}) } };
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
    );
}

# Takes a block of the kind "curves"; returns its picture.
sub curves_markup {
    my ($chart) = @_;
    my @lines   = @{ $chart->{lines} };
    my @points  = (@{ $chart->{ideal} }, map { @{ $_->{points} } } @lines);
    my $across  = { %{ _at_values(map { $_->[0] } @points) }, ends   => CURVE_ENDS };
    my $up      = { %{ upward(map { $_->[1] } @points) },     bottom => TALL_BOTTOM };
    my @parts   = (
        _shape_of(grid(), $across),
        (map { _level($_, $up) } @{ $up->{ticks} }),
        (map { _tick_of($across, $_, TALL - BESIDE) } @{ $across->{ticks} }),
        _curve('ideal', $across, $up, @{ $chart->{ideal} }),
        (map { element('g', _curve('curve', $across, $up, @{ $_->{points} }), element('title', $_->{name})) } @lines),
        (map { _spot($across, $up, 'run', @$_) } map { @{ $_->{points} } } @lines),
        _names($up, @lines),
    );
    return element(
        'figure',
        { class => 'curves' },
        _drawing_of($chart->{words}, TALL, @parts),
        element('figcaption', markup_of($chart->{axes}))
    );
}

sub _curve {
    my ($class, $across, $up, @points) = @_;
    my @x = map { position($across, $_->[0]) } @points;
    my @y = map { _height($up, $_->[1]) } @points;
    return
        map { element('line', { class => $class, x1 => $x[$_ - 1], y1 => $y[$_ - 1], x2 => $x[$_], y2 => $y[$_] }) }
        1 .. $#points;
}

# Returns the names of lines at their ends, the highest first, moved as far as they need room.
sub _names {
    my ($up, @lines) = @_;
    my ($x, $free, $left) = (percentage(CURVE_ENDS->[1] + NAMES_AT), TOP, scalar @lines);
    my @names;
    for my $line (sort { $b->{points}[-1][1] <=> $a->{points}[-1][1] } @lines) {
        my $y = max($free, min(TALL_BOTTOM - LINE * --$left, BESIDE + _height($up, $line->{points}[-1][1])));
        push @names, element('text', { class => 'label', x => $x, y => $y }, $line->{name});
        $free = $y + LINE;
    }
    return @names;
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
    my $part   = part($up, max($up->{low}, min($up->{high}, $value)));
    my $bottom = $up->{bottom} // BOTTOM;
    return sprintf '%.1f', $bottom - $part * ($bottom - TOP);
}

# Scales of charts, also of time: where a value is, and which values are printed as ticks. A scale is { low, high,
# ticks => [values] }, perhaps with is_linear (others are logarithmic), ends (where low and high are, in percent of the
# width), and text_of, a function that returns the text of a tick (by default the number).

use constant STEPS => (0.1, 0.2, 0.5, 1, 2, 5, 0.3, 0.4, 3, 4);    # between ticks, as parts of a power of ten
use constant {
    ROOM        => 0.025,      # between the texts of two ticks, as a part of the width of a small picture
    ROOM_UP     => 0.16,       # from one to the next above it, as a part of the height
    CHARACTER   => 0.033,      # of the width, for each character of such a text
    TICKS       => 3,          # that a scale should have
    ENDS        => [6, 94],    # percent of the width: room for half of a tick's text
    LEAST_RATIO => 1.02,       # of the ends of the scale, if all values are nearly equal
    CLOSE       => 1e-9,
};

# Scales of time. There are values on the left of their ends. Ticks are at these parts of a scale.
use constant { DATE_ENDS => [19, 97], WIDE_ENDS => [10, 98], DAY => 86_400, LEAST => 180 };
use constant DATES_AT => (0.1, 0.5, 0.85);

# The longest scale, in days, whose ticks have a part of the date, [begin, length] in "2026-11-26T12:30".
my @PARTS = ([3, 11, 5], [300, 5, 5], [1e9, 0, 7]);

# Takes positive numbers, at least one; returns a logarithmic scale from the least of them to the greatest. Its ticks
# are round numbers, which are apart by half of the width of both texts or more.
sub logarithmic {
    my (@values) = @_;
    return _scale(\&_room_across, @values);
}

sub _room_across {
    my (@ticks) = @_;
    return ROOM + CHARACTER / 2 * length join q{}, map { short_number($_) } @ticks;
}

# Takes positive numbers; returns a logarithmic scale with ticks at them, as far as the first and the last leave room.
sub _at_values {
    my (@values) = @_;
    my $scale = logarithmic(@values);
    my ($first, @more) = sort { $a <=> $b } unique(@values);
    my $last   = pop @more // return $scale;
    my $length = log $scale->{high} / $scale->{low};
    my @ticks  = ($first);
    for my $value (@more) {
        push @ticks, $value if _has_room(\&_room_across, $length, $ticks[-1], $value, $last);
    }
    return { %$scale, ticks => [@ticks, $last] };
}

# Takes numbers of at least 0; returns a linear scale from 0 to a round number that is not less than any of them.
sub _from_zero {
    my (@values) = @_;
    my $power    = 10**POSIX::ceil(log(max(1, @values)) / log 10);
    my $high     = (grep { $_ * $power >= max(@values) } 0.2, 0.5, 1)[0] * $power;
    return { low => 0, high => $high, is_linear => 1, ticks => [0, $high / 2, $high] };
}

# Takes positive numbers; returns a logarithmic scale with ticks that are above each other.
sub upward {
    my (@values) = @_;
    return _scale(sub { ROOM_UP }, @values);
}

# Takes a function that takes two ticks and returns the room that they need, as a part of the scale; and its values.
# Its ticks are 1, 2 and 5 times powers of ten, or fewer of them, or multiples of a step: the first ones of these that
# are enough, or else the most.
sub _scale {
    my ($room, @values) = @_;
    my ($low, $high)    = (min(@values), max(@values));
    my $widened = sqrt max(1, LEAST_RATIO * ($low / $high));
    ($low, $high) = ($low / $widened, $high * $widened);
    my @lists = grep { _has_room($room, log($high) - log($low), @$_) }
        map { [grep { $_ >= $low * (1 - CLOSE) && $_ <= $high * (1 + CLOSE) } @$_] } _patterns($low, $high),
        _multiples($low, $high);
    my ($ticks) = ((grep { @$_ >= TICKS } @lists), sort { @$b <=> @$a } @lists);
    return { low => $low, high => $high, ticks => $ticks };
}

sub _patterns {
    my ($low, $high) = @_;
    my @powers = POSIX::floor(log($low) / log 10) .. POSIX::ceil(log($high) / log 10);
    my @lists;
    for my $pattern ([1, 1, 2, 5], [1, 1, 3], map { [$_, 1] } 1 .. @powers) {
        my ($apart, @digits) = @$pattern;
        my @ticks;
        for my $power (map { 10**$_ } grep { $_ % $apart == 0 } @powers) {
            push @ticks, map { $_ * $power } @digits;
        }
        push @lists, \@ticks;
    }
    return @lists;
}

sub _multiples {
    my ($low, $high) = @_;
    my $power = 10**POSIX::floor(log($high - $low) / log 10);
    my @lists;
    for my $step (map { $_ * $power } STEPS) {
        push @lists, [map { $_ * $step } POSIX::ceil($low / $step - CLOSE) .. POSIX::floor($high / $step + CLOSE)];
    }
    return @lists;
}

sub _has_room {
    my ($room, $length, @ticks) = @_;
    return !grep { log($ticks[$_] / $ticks[$_ - 1]) < $length * $room->(@ticks[$_ - 1, $_]) } 1 .. $#ticks;
}

# Takes two times in seconds since 1970, and perhaps whether pictures are as wide as the page, and a function from a
# time to that whose UTC is its text. Returns a linear scale from the earlier to the later, but of at least three
# minutes, with three ticks. Their texts are parts of dates, or times of day.
sub dates {
    my ($from, $to, $are_wide, $clock_of) = @_;
    my $length = max(LEAST, $to - $from);
    my $low    = ($from + $to - $length) / 2;
    my ($part) = grep { $length <= DAY * $_->[0] } @PARTS;
    my (undef, @part) = @$part;
    return {
        low       => $low,
        high      => $low + $length,
        is_linear => 1,
        ends      => $are_wide ? WIDE_ENDS : DATE_ENDS,
        ticks     => [map { $low + $_ * $length } DATES_AT],
        text_of   => sub { substr iso_time($clock_of ? $clock_of->($_[0]) : $_[0], 0), $part[0], $part[1] },
    };
}

# Takes a scale and a number on it; returns how far it is from the low end, as a part of the scale.
sub part {
    my ($scale, $value) = @_;
    my ($low, $at, $high) = map { $scale->{is_linear} ? $_ : log } $scale->{low}, $value, $scale->{high};
    return ($at - $low) / ($high - $low);
}

# Takes a scale and a number on it; returns the place of the number, in percent of the width.
sub place {
    my ($scale, $value) = @_;
    my ($begin, $end)   = @{ $scale->{ends} || ENDS };
    return $begin + ($end - $begin) * part($scale, $value);
}

# Takes a scale and a number on it; returns the place of the number as an attribute of an element.
sub position { my ($scale, $value) = @_; return percentage(place($scale, $value)) }

# Takes percent of the width; returns them as an attribute of an element.
sub percentage { my ($number) = @_; return sprintf '%.3f%%', $number }

# Takes a scale and the value of a tick; returns its text.
sub tick_text {
    my ($scale, $value) = @_;
    return ($scale->{text_of} || \&short_number)->($value);
}

1;
