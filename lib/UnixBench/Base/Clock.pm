package UnixBench::Base::Clock;

# The time; tests bring an object of their own with the same methods.

use strict;
use warnings;

use Time::HiRes ();

# CLOCK_BOOTTIME of Linux, for which older versions of Time::HiRes have no name.
use constant BOOT_CLOCK => 7;

# Makes a clock. Takes perhaps root => what stands before /proc, nothing by default.
sub new {
    my ($class, %with) = @_;
    return bless { root => q{}, %with }, $class;
}

# Returns seconds, with their fraction, since some point in the past; never set back.
sub monotonic_s {
    return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
}

# Returns seconds, with their fraction, since Linux was started, those in which it slept included.
sub boot_s {
    return Time::HiRes::clock_gettime(BOOT_CLOCK);
}

# Returns the same as the kernel counts it, whatever the time namespace of this process adds to it.
sub kernel_boot_s {
    my ($self) = @_;
    return $self->boot_s - $self->_boot_offset_s;
}

# The kernel knows this file only where it has time namespaces: time_namespaces(7).
sub _boot_offset_s {
    my ($self) = @_;
    open my $file, '<', "$self->{root}/proc/self/timens_offsets" or return 0;
    my ($line) = grep { /\Aboottime\s/ } readline $file;
    close $file;
    my ($seconds, $ns) = ($line // q{}) =~ /\Aboottime +(-?[0-9]{1,10}) +([0-9]{1,9})$/;
    return defined $ns ? $seconds + $ns / 1e9 : 0;
}

# Returns by how many seconds the time of day is ahead of a clock that is never set, which goes on while Linux sleeps:
# a difference between two calls is how far the time of day was set meanwhile.
sub wall_ahead_s {
    my ($self) = @_;
    return $self->wall_s - ($^O eq 'linux' ? $self->boot_s : $self->monotonic_s);
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
