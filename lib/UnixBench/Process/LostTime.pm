package UnixBench::Process::LostTime;

# Finds out whether this program lost time while it slept: it was stopped, its control group was frozen, or the machine
# was suspended. The program needs no extra wake-ups for this. To stop or freeze a sleeping program, the kernel wakes it
# and then suspends it. Both count as switches to another task. Waiting for a CPU adds no such switch.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Process::Stat   ();

use constant {
    ACCOUNT   => '/proc/self',
    REAL_TIME => '/sys/kernel/realtime',    # only in kernels that also count waits for their own locks as switches
    AWAY_S    => 0.2,                       # the clocks are read one after the other: shorter differences are ignored
};

# Takes clock => UnixBench::Base::Clock, and optionally account and real_time. The first is the path of this program's
# directory in /proc. The second is the path of the file that only real-time kernels have.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock account real_time));
    my $self  = bless { clock => $given->{clock} }, $class;
    return $self if !is_known($given->{real_time});
    for my $name (qw(stat status)) {
        open $self->{$name}, '<:raw', ($given->{account} // ACCOUNT) . "/$name" or delete $self->{$name};
    }
    return $self;
}

# Takes the path real_time, as new() does. Returns whether stops can be detected on this system.
sub is_known { my ($real_time) = @_; return -e (ACCOUNT . '/status') && !-e ($real_time // REAL_TIME) }

# Notes the state before a sleep. Has to be called right before it.
sub begin {
    my ($self) = @_;
    my $before_s = $self->{clock}->monotonic_s;
    $self->{away_most_s} = $self->_boot_s - $before_s;
    $self->{account}     = $self->_account;
    return;
}

# Returns whether this program was stopped or frozen during the sleep, or undef if that is unknown. Has to be called
# right after the sleep. There may be only one sleep since begin().
sub was_stopped {
    my ($self) = @_;
    my ($before, $after) = ($self->{account}, $self->_account);
    return if !$before || !$after || $before->{faults} != $after->{faults};
    return $after->{switches} - $before->{switches} > 1 ? 1 : 0;
}

# Returns whether the machine was suspended during the sleep. Has to be called after it. Only one of the clocks includes
# the time of a suspension.
sub was_suspended {
    my ($self) = @_;
    my $away_least_s = $self->_boot_s - $self->{clock}->monotonic_s;
    return $away_least_s - $self->{away_most_s} >= AWAY_S ? 1 : 0;
}

sub _boot_s {
    my ($self) = @_;
    return eval { $self->{clock}->boot_s } // $self->{clock}->monotonic_s;
}

# Returns { switches, faults }. switches: how often this program gave up its CPU voluntarily. faults: how often it
# waited for one of its pages to be read, which may add a switch (proc(5)). Returns undef if they are unknown, or if a
# debugger is attached, which can stop this program.
sub _account {
    my ($self) = @_;
    my ($stat, $status) = map { $self->_text($_) } qw(stat status);
    my ($faults)   = UnixBench::Process::Stat::fields($stat, 'major_faults') or return;
    my ($tracer)   = $status =~ /^TracerPid:\s+([0-9]+)$/m               or return;
    my ($switches) = $status =~ /^voluntary_ctxt_switches:\s+([0-9]+)$/m or return;
    return $tracer ? undef : { switches => $switches, faults => $faults };
}

sub _text {
    my ($self, $name) = @_;
    my $file = $self->{$name} or return q{};
    sysseek $file, 0, 0;
    sysread $file, my $text, 8192;
    return $text // q{};
}

1;
