package UnixBench::Report::HTML::Chart;

# Charts of pages, as inline SVG (see UnixBench::Report::Chart). Horizontal places are percentages of the width, so
# charts fit any width without distortion. Vertical places are pixels. Scales are logarithmic, because indexes and
# ratios are products; only parts of a whole have a linear one.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);
use POSIX      ();

use UnixBench::Base::Number       qw(short_number);
use UnixBench::Report::HTML::Text qw(markup_of string_of);
use UnixBench::Report::Markup     qw(element);

our @EXPORT_OK = qw(axis_markup chart_markup multiples_markup picture_markup scale_of);

use constant { TEXT_AT => 14, AXIS_HEIGHT => 20, DOT_RADIUS => 3 };
use constant { PANEL => 120, PANEL_TOP => 10, PANEL_BOTTOM => 98, BESIDE => 4 };    # a small picture, in pixels

# Scales.
use constant STEPS => (0.1, 0.2, 0.5, 1, 2, 5);    # between ticks, as parts of a power of ten
use constant {
    ROOM        => 0.025,    # between the texts of two ticks, as a part of the width of a small picture
    ROOM_UP     => 0.1,      # the same from one to the next above it, as a part of the height
    CHARACTER   => 0.033,    # of the width, for each character of such a text
    TICKS_LEAST => 2,
    FIRST_AT    => 6,        # percent of the width: room for half of a tick's text
    LAST_AT     => 94,
    LEAST_RATIO => 1.02,     # of the ends of the scale, if all values are nearly equal
    CLOSE       => 1e-9,
};

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

# Takes a column of pictures or a chart; returns its scale, see logarithmic(), with the height of the drawing. The
# values of a linear one are its ends.
sub scale_of {
    my ($of) = @_;
    my ($values, $height) = @$of{qw(values height)};
    return { low => $values->[0], high => $values->[1], is_linear => 1, ticks => [], height => $height }
        if $of->{is_linear};
    return { %{ logarithmic(@$values) }, height => $height };
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
    my @parts = map { $DRAW{ $_->{shape} }->($_, $scale) } @{ $row->{shapes} };
    return element('svg', { role => 'img', 'aria-label' => string_of($row->{words}), height => $scale->{height} },
        @parts);
}

# Takes a block of the kind "multiples"; returns its panels.
sub multiples_markup {
    my ($chart) = @_;
    my ($across, $up) = map { logarithmic(@{ $chart->{$_} }) } qw(x y);
    $up->{ticks} = [_ticks(@$up{qw(low high)}, ROOM_UP)];
    my @panels = map { element('li', _panel($_, $across, $up)) } @{ $chart->{panels} };
    return element(
        'figure',
        element('ul', { class => 'multiples' }, @panels),
        element('figcaption', markup_of($chart->{axes}))
    );
}

sub _panel {
    my ($panel, $across, $up) = @_;
    my @parts = (
        (map { _rule({ class => 'grid', at => $_ }, $across) } @{ $across->{ticks} }),
        (map { _level($_, $up) } @{ $up->{ticks} }),
        (map { _line($across, $up, @$_) } @{ $panel->{lines} }),
        (map { _spot($across, $up, @$_) } @{ $panel->{points} }),
        map { element('text', { _tick_at($across, $_), y => PANEL - BESIDE }, short_number($_)) } @{ $across->{ticks} },
    );
    my %about = (role => 'img', 'aria-label' => string_of($panel->{words}), height => PANEL);
    return (
        element('p',   markup_of($panel->{title})),
        element('svg', \%about,              @parts),
        element('p',   { class => 'quiet' }, markup_of($panel->{note}))
    );
}

# Returns a horizontal line with its value.
sub _level {
    my ($value, $up) = @_;
    my $y     = _height($up, $value);
    my %about = (class => 'tick up', x => 0, y => $y - BESIDE, 'data-value' => $value);
    return (element('line', { class => 'grid', x1 => 0, x2 => '100%', y1 => $y, y2 => $y }),
        element('text', \%about, short_number($value)));
}

# Returns a line through places, in pieces.
sub _line {
    my ($across, $up, $class, @places) = @_;
    my @ends = map { [_place($across, $_->[0]), _height($up, $_->[1])] } @places;
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
    return _dot({ class => $class, at => $x, y => _height($up, $y), words => $words }, $across);
}

# Takes a vertical scale and a number on it; returns its place in a panel, in pixels from the top.
sub _height {
    my ($up, $value) = @_;
    my $part = (place($up, $value) - FIRST_AT) / (LAST_AT - FIRST_AT);
    return sprintf '%.1f', PANEL_BOTTOM - $part * (PANEL_BOTTOM - PANEL_TOP);
}

# Takes a scale; returns a picture of the ticks' values, for the head of a table.
sub axis_markup {
    my ($scale) = @_;
    my @ticks   = map { _tick($scale, $_) } @{ $scale->{ticks} };
    my %about   = (class => 'axis', height => AXIS_HEIGHT, 'data-scale' => 'log', 'aria-hidden' => 'true');
    return element('svg', \%about, @ticks);
}

sub _tick {
    my ($scale, $value) = @_;
    return element('text', { _tick_at($scale, $value), y => TEXT_AT }, short_number($value));
}

sub _tick_at {
    my ($scale, $value) = @_;
    return (class => 'tick', x => _place($scale, $value), 'data-value' => $value);
}

sub _bar {
    my ($bar,   $scale) = @_;
    my ($begin, $end)   = sort { $a <=> $b } map { place($scale, $_) } @$bar{qw(from to)};
    my %about = (class => $bar->{class}, x => _percent($begin), width => _percent($end - $begin));
    return element('rect', { %about, y => $bar->{y}, height => $bar->{height} }, _said($bar));
}

sub _span {
    my ($span, $scale) = @_;
    my ($x1, $x2, $y) = ((map { _place($scale, $_) } @$span{qw(from to)}), $span->{y});
    return element('line', { class => $span->{class}, x1 => $x1, x2 => $x2, y1 => $y, y2 => $y });
}

sub _rule {
    my ($rule, $scale) = @_;
    my $x = _place($scale, $rule->{at});
    return element('line', { class => $rule->{class}, x1 => $x, x2 => $x, y1 => 0, y2 => '100%' });
}

sub _dot {
    my ($dot, $scale) = @_;
    my %about = (class => $dot->{class}, cx => _place($scale, $dot->{at}), cy => $dot->{y}, r => DOT_RADIUS);
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
    my $x      = _percent($place);
    return [
        element('line', { class => 'leader', x1 => $x, x2 => $x, y1 => $y + 2, y2 => $end }),
        element('text', { class => "label $anchor", x => $x, y => $y }, $name),
    ];
}

sub _said {
    my ($shape) = @_;
    return defined $shape->{words} ? element('title', string_of($shape->{words})) : ();
}

sub _place {
    my ($scale, $value) = @_;
    return _percent(place($scale, $value));
}

sub _percent {
    my ($number) = @_;
    return sprintf '%.3f%%', $number;
}

# Takes positive numbers, at least one; returns a scale { low, high, ticks => [round numbers] } from the least of them
# to the greatest.
sub logarithmic {
    my (@values) = @_;
    my ($low, $high) = (min(@values), max(@values));
    my $widened = sqrt max(1, LEAST_RATIO * ($low / $high));
    my %scale   = (low => $low / $widened, high => $high * $widened);
    return { %scale, ticks => [_ticks(@scale{qw(low high)}, ROOM)] };
}

# Takes a scale and a number on it; returns its place, in percent of the width.
sub place {
    my ($scale, $value) = @_;
    return 100 * ($value - $scale->{low}) / ($scale->{high} - $scale->{low}) if $scale->{is_linear};
    my ($low, $high) = map { log } @$scale{qw(low high)};
    return FIRST_AT + (LAST_AT - FIRST_AT) * (log($value) - $low) / ($high - $low);
}

# Takes the ends of a scale, and the room between two texts as a part of its length; returns as many ticks as there is
# room for: 1, 2 and 5 times powers of ten, or fewer of them. If these are too few, returns multiples of a step.
sub _ticks {
    my ($low, $high, $room) = @_;
    my @powers   = POSIX::floor(log($low) / log 10) .. POSIX::ceil(log($high) / log 10);
    my @patterns = ([1, [1, 2, 5]], [1, [1, 3]], map { [$_, [1]] } 1 .. @powers);
    my @ticks    = _first_with_room($low, $high, $room, map { [_of_pattern(@$_, @powers)] } @patterns);
    my @even     = _even($low, $high, $room);
    return @ticks > TICKS_LEAST || @ticks >= @even ? @ticks : @even;
}

sub _of_pattern {
    my ($apart, $digits, @powers) = @_;
    return map { _times(10**$_, @$digits) } grep { $_ % $apart == 0 } @powers;
}

sub _times {
    my ($power, @digits) = @_;
    return map { $_ * $power } @digits;
}

sub _even {
    my ($low, $high, $room) = @_;
    my $power = 10**POSIX::floor(log($high - $low) / log 10);
    return _first_with_room($low, $high, $room, map { [_multiples($low, $high, $_ * $power)] } STEPS);
}

sub _multiples {
    my ($low, $high, $step) = @_;
    return map { $_ * $step } POSIX::ceil($low / $step - CLOSE) .. POSIX::floor($high / $step + CLOSE);
}

# Takes the ends of a scale, room, and lists of ticks. Returns the ticks on the scale of the first list that leaves
# enough room between ticks.
sub _first_with_room {
    my ($low, $high, $room, @lists) = @_;
    my $length = log($high) - log $low;
    for my $list (@lists) {
        my @ticks = grep { _is_within($low, $high, $_) } @$list;
        return @ticks
            if !grep { log($ticks[$_] / $ticks[$_ - 1]) < $length * ($room + _width(@ticks[$_ - 1, $_])) } 1 .. $#ticks;
    }
    return;
}

# Returns the mean width of the texts of two ticks.
sub _width {
    my (@neighbours) = @_;
    my $characters   = length join q{}, map { short_number($_) } @neighbours;
    return CHARACTER * $characters / 2;
}

sub _is_within {
    my ($low, $high, $value) = @_;
    return $value >= $low * (1 - CLOSE) && $value <= $high * (1 + CLOSE);
}

1;
