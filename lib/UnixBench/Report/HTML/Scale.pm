package UnixBench::Report::HTML::Scale;

# Scales of charts, also of time: where a value is, and which values are printed as ticks. A scale is { low, high,
# ticks => [values] }, perhaps with is_linear (others are logarithmic), ends (where low and high are, in percent of the
# width), and text_of, a function that returns the text of a tick (by default the number).

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);
use POSIX      ();

use UnixBench::Base::Number qw(short_number);
use UnixBench::Base::Time   qw(iso_time);

our @EXPORT_OK = qw(dates logarithmic part percentage place position tick_text upward);

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
# are round numbers.
sub logarithmic {
    my (@values) = @_;
    return _scale(sub { ROOM + _width(@_) }, @values);
}

# Takes the same; returns the same scale with ticks that are above each other.
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
        map { [_within($low, $high, @$_)] } _patterns($low, $high), _multiples($low, $high);
    my ($ticks) = ((grep { @$_ >= TICKS } @lists), sort { @$b <=> @$a } @lists);
    return { low => $low, high => $high, ticks => $ticks };
}

sub _patterns {
    my ($low, $high) = @_;
    my @powers = POSIX::floor(log($low) / log 10) .. POSIX::ceil(log($high) / log 10);
    my @lists;
    for my $pattern ([1, 1, 2, 5], [1, 1, 3], map { [$_, 1] } 1 .. @powers) {
        my ($apart, @digits) = @$pattern;
        push @lists, [map { _times(10**$_, @digits) } grep { $_ % $apart == 0 } @powers];
    }
    return @lists;
}

sub _times {
    my ($power, @digits) = @_;
    return map { $_ * $power } @digits;
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

sub _within {
    my ($low, $high, @ticks) = @_;
    return grep { $_ >= $low * (1 - CLOSE) && $_ <= $high * (1 + CLOSE) } @ticks;
}

sub _has_room {
    my ($room, $length, @ticks) = @_;
    return !grep { log($ticks[$_] / $ticks[$_ - 1]) < $length * $room->(@ticks[$_ - 1, $_]) } 1 .. $#ticks;
}

# Returns half of the width of the texts of two ticks.
sub _width {
    my (@ticks) = @_;
    return CHARACTER / 2 * length join q{}, map { short_number($_) } @ticks;
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

# Takes the same; returns the place of the number, in percent of the width.
sub place {
    my ($scale, $value) = @_;
    my ($begin, $end)   = @{ $scale->{ends} || ENDS };
    return $begin + ($end - $begin) * part($scale, $value);
}

# Takes the same; returns the place as an attribute of an element.
sub position { my ($scale, $value) = @_; return percentage(place($scale, $value)) }

# Takes percent of the width; returns them as an attribute of an element.
sub percentage { my ($number) = @_; return sprintf '%.3f%%', $number }

# Takes a scale and the value of a tick; returns its text.
sub tick_text {
    my ($scale, $value) = @_;
    return ($scale->{text_of} || \&short_number)->($value);
}

1;
