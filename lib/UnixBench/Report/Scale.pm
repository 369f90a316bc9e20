package UnixBench::Report::Scale;

# A logarithmic scale: positive numbers to places along a picture.

use strict;
use warnings;

use List::Util qw(max min);
use POSIX      ();

use UnixBench::Base::Format qw(short_number);

use constant STEPS => (0.1, 0.2, 0.5, 1, 2, 5);    # of a power of ten
use constant {
    ROOM        => 0.025,    # between the texts of two ticks, as a part of the whole, where the picture is small,
    CHARACTER   => 0.033,    # and for each character of such a text
    TICKS_LEAST => 2,
    FIRST_AT    => 6,        # percent of the width: room for half of a tick's text
    LAST_AT     => 94,
    LEAST_RATIO => 1.02,     # of the ends, where all values are about the same
    CLOSE       => 1e-9,
};

# Takes positive numbers, at least one; returns a scale { low, high, ticks => [round numbers] } from the least of them
# to the greatest.
sub logarithmic {
    my (@values) = @_;
    my ($low, $high) = (min(@values), max(@values));
    my $widened = sqrt max(1, LEAST_RATIO * ($low / $high));
    my %scale   = (low => $low / $widened, high => $high * $widened);
    return { %scale, ticks => [_ticks(@scale{qw(low high)})] };
}

# Takes a scale and a number on it; returns its place, in percent of the width.
sub place {
    my ($scale, $value) = @_;
    my ($low,   $high)  = map { log } @$scale{qw(low high)};
    return FIRST_AT + (LAST_AT - FIRST_AT) * (log($value) - $low) / ($high - $low);
}

# As many as there is room for: 1, 2 and 5 times powers of ten, or fewer of them; where even these are too few,
# multiples of a step.
sub _ticks {
    my ($low, $high) = @_;
    my @powers   = POSIX::floor(log($low) / log 10) .. POSIX::ceil(log($high) / log 10);
    my @patterns = ([1, [1, 2, 5]], [1, [1, 3]], map { [$_, [1]] } 1 .. @powers);
    my @ticks    = _first_with_room($low, $high, map { [_of_pattern(@$_, @powers)] } @patterns);
    my @even     = _even($low, $high);
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
    my ($low, $high) = @_;
    my $power = 10**POSIX::floor(log($high - $low) / log 10);
    return _first_with_room($low, $high, map { [_multiples($low, $high, $_ * $power)] } STEPS);
}

sub _multiples {
    my ($low, $high, $step) = @_;
    return map { $_ * $step } POSIX::ceil($low / $step - CLOSE) .. POSIX::floor($high / $step + CLOSE);
}

# Those on the scale of the first list of ticks that leaves enough room between them.
sub _first_with_room {
    my ($low, $high, @lists) = @_;
    my $length = log($high) - log $low;
    for my $list (@lists) {
        my @ticks = grep { _is_within($low, $high, $_) } @$list;
        return @ticks if !grep { log($ticks[$_] / $ticks[$_ - 1]) < $length * _room(@ticks[$_ - 1, $_]) } 1 .. $#ticks;
    }
    return;
}

sub _room {
    my (@neighbours) = @_;
    my $characters   = length join q{}, map { short_number($_) } @neighbours;
    return ROOM + CHARACTER * $characters / 2;
}

sub _is_within {
    my ($low, $high, $value) = @_;
    return $value >= $low * (1 - CLOSE) && $value <= $high * (1 + CLOSE);
}

1;
