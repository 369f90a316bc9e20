package UnixBench::Base::Clock;

# The clocks of the system: monotonic time, time since boot and time of day. Tests pass objects of their own with the
# same methods.

use strict;
use warnings;

use List::Util qw(min);
use POSIX      ();

use UnixBench::Base::Arguments qw(named);

# CLOCK_BOOTTIME of Linux: older versions of Time::HiRes have no name for it.
use constant { BOOT_CLOCK => 7, DAY => 86_400 };

# Loads Time::HiRes, which perl-base does not have.
sub new {
    my ($class, @given) = @_;
    require Time::HiRes;
    return bless named(\@given), $class;
}

# Returns the seconds, with a fraction, since an arbitrary point in the past. This clock is never set back.
sub monotonic_s {
    return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
}

# Returns the seconds, with a fraction, since Linux was started. They include the time during which the machine was
# suspended.
sub boot_s {
    return Time::HiRes::clock_gettime(BOOT_CLOCK);
}

# Returns the seconds by which the time of day is ahead of a clock that is never set. On Linux, that clock also runs
# while the machine is suspended. The difference between two calls shows by how much the time of day was set.
sub wall_ahead_s {
    my ($self) = @_;
    return $self->wall_s - ($^O eq 'linux' ? $self->boot_s : $self->monotonic_s);
}

# Returns the seconds since 1970, with a fraction.
sub wall_s {
    return Time::HiRes::time();
}

# Returns the seconds since an arbitrary point in the past, in ticks of the kernel (10 ms). Works without Time::HiRes.
sub coarse_s {
    return (POSIX::times())[0] / POSIX::sysconf(POSIX::_SC_CLK_TCK());
}

# Takes seconds since 1970. Returns the seconds by which local time was ahead of UTC at that moment.
sub utc_offset_s {
    my ($time) = @_;
    my ($second, $minute, $hour, $day) = map { (localtime $time)[$_] - (gmtime $time)[$_] } 0 .. 2, 7;
    $day = $day < 0 ? 1 : -1 if abs $day > 1;    # at the turn of the year
    return (($day * 24 + $hour) * 60 + $minute) * 60 + $second;
}

# Takes two times, in seconds since 1970. Returns { at, utc_offset_s } for each time between them at which clocks are
# set for daylight saving time, or for another reason. They are not set twice within a day.
sub changes_between {
    my ($from, $to) = @_;
    my @changes;
    for (my $begin = int $from; $begin < $to; $begin += DAY) {
        my ($before, $at) = ($begin, min(int $to, $begin + DAY));
        my ($old, $new) = map { utc_offset_s($_) } $before, $at;
        next if $old == $new;
        while ($at - $before > 1) {
            my $middle = int(($before + $at) / 2);
            utc_offset_s($middle) == $old ? ($before = $middle) : ($at = $middle);
        }
        push @changes, { at => $at, utc_offset_s => $new };
    }
    return @changes;
}

1;
