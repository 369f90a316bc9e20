package UnixBench::LostTime;

# Whether this program lost time while it slept: it was stopped, its control group was frozen, or the machine was
# suspended. A program that merely waits for a CPU loses none: the kernel accounts for that in /proc/self/schedstat.

use strict;
use warnings;

use constant {
    LEAST_S       => 0.2,                       # what else delays a wake-up, such as a host's other guests, is shorter
    UNACCOUNTED_S => 2,                         # the same where the kernel does not account for waiting
    SCHEDSTAT     => '/proc/self/schedstat',    # nanoseconds on a CPU, and waiting for one
};

# Takes a clock, see UnixBench::Clock, and perhaps the path of what stands for this program's schedstat.
sub new {
    my ($class, $clock, $path) = @_;
    my $self = bless { clock => $clock }, $class;
    open $self->{schedstat}, '<:raw', $path // SCHEDSTAT or delete $self->{schedstat};
    return $self;
}

# To be called before a sleep of so many seconds at most.
sub begin {
    my ($self, $seconds) = @_;
    @$self{qw(seconds from)} = ($seconds, $self->_look);
    return;
}

# To be called after it. Returns whether time was lost.
sub is_some {
    my ($self) = @_;
    my ($from, $to) = (delete $self->{from}, $self->_look);
    return 1 if $to->{away_least_s} - $from->{away_most_s} >= LEAST_S;
    my $late_s = $to->{now_s} - $from->{now_s} - $self->{seconds};
    return $late_s >= UNACCOUNTED_S if !defined $from->{waited_s} || !defined $to->{waited_s};
    return $late_s - ($to->{waited_s} - $from->{waited_s}) >= LEAST_S;
}

# The seconds for which the machine was suspended are the difference of two clocks: the one counts them, the other does
# not. They can't be read at the same moment.
sub _look {
    my ($self)   = @_;
    my $clock    = $self->{clock};
    my $before_s = $clock->monotonic_s;
    my $boot_s   = eval { $clock->boot_s } // $before_s;
    my $now_s    = $clock->monotonic_s;
    return {
        now_s        => $now_s,
        away_least_s => $boot_s - $now_s,
        away_most_s  => $boot_s - $before_s,
        waited_s     => scalar $self->_waited_s,
    };
}

# Undef where it is not known: kernels that do not account for it write zeros.
sub _waited_s {
    my ($self) = @_;
    my $file = $self->{schedstat} or return;
    sysseek $file, 0, 0;
    sysread $file, my $text, 100 or return;
    my ($ran_ns, $waited_ns) = $text =~ /\A([0-9]{1,18}) ([0-9]{1,18})\b/ or return;
    return $ran_ns > 0 ? $waited_ns / 1e9 : undef;
}

1;
