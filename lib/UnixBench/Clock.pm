package UnixBench::Clock;

# The time; tests bring an object of their own with the same methods.

use strict;
use warnings;

use Time::HiRes ();

# CLOCK_BOOTTIME of Linux, for which older versions of Time::HiRes have no name.
use constant BOOT_CLOCK => 7;

# Makes a clock.
sub new {
    my ($class) = @_;
    return bless {}, $class;
}

# Returns seconds, with their fraction, since some point in the past; never set back.
sub monotonic_s {
    return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
}

# Returns seconds, with their fraction, since Linux was started, those in which it slept included.
sub boot_s {
    return Time::HiRes::clock_gettime(BOOT_CLOCK);
}

# Returns seconds since 1970, with their fraction.
sub wall_s {
    return Time::HiRes::time();
}

# Takes seconds since 1970; returns the seconds that the local time was ahead of UTC then.
sub utc_offset_s {
    my ($time) = @_;
    my ($second, $minute, $hour, $day) = map { (localtime $time)[$_] - (gmtime $time)[$_] } 0 .. 2, 7;
    $day = $day < 0 ? 1 : -1 if abs $day > 1;    # at the turn of the year
    return (($day * 24 + $hour) * 60 + $minute) * 60 + $second;
}

1;
