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
use UnixBench::Base::Time   qw(begin_of_month iso_time);

our @EXPORT_OK = qw(dates linear logarithmic part percentage place position tick_text upward width_of);

use constant STEPS => (0.1, 0.2, 0.5, 1, 2, 5);    # between ticks, as parts of a power of ten
use constant STRANGE => (0.3, 0.4, 3, 4);          # the same, if there is only one tick otherwise
use constant {
    ROOM        => 0.025,      # between the texts of two ticks, as a part of the width of a small picture
    ROOM_UP     => 0.16,       # from one to the next above it, as a part of the height
    CHARACTER   => 0.033,      # of the width, for each character of such a text
    TICKS_LEAST => 2,
    ENDS        => [6, 94],    # percent of the width: room for half of a tick's text
    LEAST_RATIO => 1.02,       # of the ends of the scale, if all values are nearly equal
    CLOSE       => 1e-9,
};

# Scales of time. There are values on the left of their ends.
use constant { DATE_ENDS => [19, 97], WIDE_ENDS => [10, 98], DATES_LEAST => 2, DATES_MOST => 4 };
use constant { DAY       => 86_400, MINUTE => 60, MONTHS_OF_YEAR => 12 };
use constant { LEAST     => 3 * MINUTE, OF_ONE => 3 * DAY };    # the shortest scale, and that of a single time

my %MONTH = (number_of => \&_month, begin_of => \&_begin_of_month);
my %DAY   = (
    number_of => sub { return POSIX::floor($_[0] / DAY) },
    begin_of  => sub { return $_[0] * DAY },
);

# Ticks stand where a month or a day begins whose number is a multiple of one of these. Their text is a part of the
# date, [begin, length] in "2026-11-26". The coarsest ticks come first.
my @UNITS = (
    { %MONTH, part => [0, 4], every => [map { MONTHS_OF_YEAR * 2**$_ } reverse 0 .. 10] },
    { %MONTH, part => [0, 7], every => [12, 6, 3, 2, 1] },
    { %DAY,   part => [5, 5], every => [map { 2**$_ } reverse 0 .. 5] },
);

# The same within a day.
my @CLOCK = (
    {
        number_of => sub { return POSIX::floor($_[0] / MINUTE) },
        begin_of  => sub { return $_[0] * MINUTE },
        part      => [11,   5],
        every     => [1080, 720, 360, 180, 120, 60, 30, 20, 10, 5, 4, 2, 1],
    },
);

# Takes positive numbers, at least one; returns a logarithmic scale from the least of them to the greatest. Its ticks
# are round numbers.
sub logarithmic {
    my (@values) = @_;
    my %scale = _ends(@values);
    return { %scale, ticks => [_ticks(@scale{qw(low high)}, sub { return ROOM + _width(@_) })] };
}

# Takes the same; returns the same scale with ticks that are above each other.
sub upward {
    my (@values) = @_;
    my %scale = _ends(@values);
    return { %scale, ticks => [_ticks(@scale{qw(low high)}, sub { return ROOM_UP })] };
}

sub _ends {
    my (@values) = @_;
    my ($low, $high) = (min(@values), max(@values));
    my $widened = sqrt max(1, LEAST_RATIO * ($low / $high));
    return (low => $low / $widened, high => $high * $widened);
}

# Takes the ends of a linear scale, two numbers; returns the scale. It has the whole width, and no ticks.
sub linear {
    my ($low, $high) = @_;
    return { low => $low, high => $high, is_linear => 1, ends => [0, 100], ticks => [] };
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
sub position {
    my ($scale, $value) = @_;
    return percentage(place($scale, $value));
}

# Takes percent of the width; returns them as an attribute of an element.
sub percentage {
    my ($number) = @_;
    return sprintf '%.3f%%', $number;
}

# Takes a scale and the value of a tick; returns its text.
sub tick_text {
    my ($scale, $value) = @_;
    return ($scale->{text_of} || \&short_number)->($value);
}

# Takes the text of a tick; returns its width, as a part of the width of a small picture.
sub width_of {
    my ($text) = @_;
    return CHARACTER * length $text;
}

# Takes the ends of a scale, and a function that takes two ticks and returns the room that they need, as a part of its
# length; returns as many ticks as there is room for: 1, 2 and 5 times powers of ten, or fewer of them. If these are too
# few, returns multiples of a step.
sub _ticks {
    my ($low, $high, $room) = @_;
    my @powers   = POSIX::floor(log($low) / log 10) .. POSIX::ceil(log($high) / log 10);
    my @patterns = ([1, [1, 2, 5]], [1, [1, 3]], map { [$_, [1]] } 1 .. @powers);
    my @ticks    = _first_with_room($low, $high, $room, map { [_of_pattern(@$_, @powers)] } @patterns);
    my @even     = _even($low, $high, $room, STEPS);
    my @most     = @ticks > TICKS_LEAST || @ticks >= @even ? @ticks : @even;
    return @most < TICKS_LEAST ? _even($low, $high, $room, STRANGE) : @most;
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
    my ($low, $high, $room, @steps) = @_;
    my $power = 10**POSIX::floor(log($high - $low) / log 10);
    return _first_with_room($low, $high, $room, map { [_multiples($low, $high, $_ * $power)] } @steps);
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
            if !grep { log($ticks[$_] / $ticks[$_ - 1]) < $length * $room->(@ticks[$_ - 1, $_]) } 1 .. $#ticks;
    }
    return;
}

# Returns half of the width of the texts of two ticks.
sub _width {
    my (@neighbours) = @_;
    return width_of(join q{}, map { short_number($_) } @neighbours) / 2;
}

sub _is_within {
    my ($low, $high, $value) = @_;
    return $value >= $low * (1 - CLOSE) && $value <= $high * (1 + CLOSE);
}

# Takes two times in seconds since 1970, and perhaps whether pictures are as wide as the page, and a function from a
# time to that whose UTC is its text. Returns a linear scale from the earlier to the later, but of at least three
# minutes. If they are equal, it has three days. Its ticks are two to four times at which a year, a month, a day or a
# minute begins in UTC. Their texts are dates or times of day, which have room in a small picture.
sub dates {
    my ($from, $to, $are_wide, $clock_of) = @_;
    $clock_of ||= sub { $_[0] };
    my $widened = max(0, ($from == $to ? OF_ONE : LEAST) - ($to - $from)) / 2;
    my $ends    = $are_wide ? WIDE_ENDS : DATE_ENDS;
    my %scale   = (low => $from - $widened, high => $to + $widened, is_linear => 1, ends => $ends, ticks => []);
    for my $unit (@UNITS, @CLOCK) {
        my ($begin, $length) = @{ $unit->{part} };
        $scale{text_of} = sub { return substr iso_time($clock_of->($_[0]), 0), $begin, $length };
        for my $step (_steps(@{ $unit->{every} })) {
            my @ticks = grep { _is_within_picture(\%scale, $_) } _dates_of(\%scale, $unit, @$step);
            return { %scale, ticks => \@ticks } if _are_apart(\%scale, @ticks);
        }
    }
    return \%scale;
}

# Takes numbers; returns [number, 0] of each, which leads to round dates, then [number, half of it] of those whose half
# is another one.
sub _steps {
    my (@every) = @_;
    my %is_one = map { $_ => 1 } @every;
    return ((map { [$_, 0] } @every), map { [$_, $_ / 2] } grep { $is_one{ $_ / 2 } } @every);
}

# Returns the times on a scale at which units of the calendar begin whose numbers have this rest.
sub _dates_of {
    my ($scale, $unit, $every, $rest) = @_;
    my ($first, $last) = map { ($unit->{number_of}->($_) - $rest) / $every } @$scale{qw(low high)};
    return map { $unit->{begin_of}->($_ * $every + $rest) } POSIX::ceil($first) .. POSIX::floor($last);
}

# Returns the number of the month in which a time is, from the year 0.
sub _month {
    my ($time) = @_;
    my ($month, $year) = (gmtime $time)[4, 5];
    return MONTHS_OF_YEAR * ($year + 1900) + $month;
}

# Takes the number of a month; returns the time at which it begins.
sub _begin_of_month {
    my ($number) = @_;
    return begin_of_month(POSIX::floor($number / MONTHS_OF_YEAR), $number % MONTHS_OF_YEAR);
}

# Returns whether the text of a tick is within the picture.
sub _is_within_picture {
    my ($scale, $tick) = @_;
    my $half  = 100 * width_of(tick_text($scale, $tick)) / 2;
    my $place = place($scale, $tick);
    return $place >= $half && $place <= 100 - $half;
}

# Returns whether there are neither too few nor too many ticks, with room between their texts, which have equal lengths.
sub _are_apart {
    my ($scale, @ticks) = @_;
    return 0 if @ticks < DATES_LEAST || @ticks > DATES_MOST;
    my $least  = 100 * (ROOM + width_of(tick_text($scale, $ticks[0])));
    my @places = map { place($scale, $_) } @ticks;
    return !grep { $places[$_] - $places[$_ - 1] < $least } 1 .. $#places;
}

1;
