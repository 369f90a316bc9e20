package UnixBench::Clock;

# The time; tests bring an object of their own with the same methods.

use strict;
use warnings;

use Time::HiRes ();

# Makes a clock.
sub new {
    my ($class) = @_;
    return bless {}, $class;
}

# Returns seconds, with their fraction, since some point in the past; never set back.
sub monotonic_s {
    return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
}

# Returns seconds since 1970, with their fraction.
sub wall_s {
    return Time::HiRes::time();
}

1;
