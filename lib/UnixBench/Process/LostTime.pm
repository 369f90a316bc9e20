package UnixBench::Process::LostTime;

# Finds out whether this program lost time while it slept: it was stopped, its control group was frozen, or the machine
# was suspended. The program needs no extra wake-ups for this. To stop or freeze a sleeping program, the kernel wakes it
# and then suspends it. Both count as switches to another task. Waiting for a CPU adds no such switch.
#
# A debugger stops this program to attach itself, and it adds switches. As long as one is attached, this program has to
# sleep for short times only. Then a sleep that took too long shows that it was stopped.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Proc      ();

use constant {
    ACCOUNT   => '/proc/self',
    REAL_TIME => '/sys/kernel/realtime',    # only in kernels that also count waits for their own locks as switches
    LATE_S    => 0.5,                       # a sleep may take longer by that, beyond the time spent waiting for a CPU
    AWAY_S    => 0.2,                       # the clocks are read one after the other: shorter differences are ignored
};

# Takes clock => UnixBench::Base::Clock, and optionally account and real_time. The first is the path of this program's
# directory in /proc. The second is the path of the file that only real-time kernels have.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock account real_time));
    my $self  = bless { clock => $given->{clock} }, $class;
    return $self if !is_known($given->{real_time});
    for my $name (qw(stat status schedstat)) {
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
    $self->{away_most_s}        = $self->_boot_s - $before_s;
    $self->{account}            = $self->_account;
    @$self{qw(begun_s delay_s)} = ($before_s, $self->_delay_s) if $self->{is_traced};
    return;
}

# Returns whether a debugger was attached at begin().
sub is_traced { my ($self) = @_; return $self->{is_traced} }

# Takes the seconds that the sleep should have taken at most. Returns whether this program was stopped or frozen during
# the sleep, or undef if that is unknown. Has to be called right after the sleep. There may be only one sleep since
# begin().
sub was_stopped {
    my ($self, $seconds) = @_;
    return 1 if $self->{is_traced} && $self->_has_overslept($seconds);
    my ($before, $after) = ($self->{account}, $self->_account);
    return 1 if $before && $self->{is_traced};
    return if !$before || !$after || $before->{faults} != $after->{faults};
    return $after->{switches} - $before->{switches} > 1 ? 1 : 0;
}

sub _has_overslept {
    my ($self, $seconds) = @_;
    my $late_s = $self->{clock}->monotonic_s - $self->{begun_s} - $seconds;
    return $late_s > LATE_S && $late_s - ($self->_delay_s - $self->{delay_s}) > LATE_S;
}

# Returns the seconds for which this program has waited for a CPU, as far as the kernel counts them.
sub _delay_s {
    my ($self) = @_;
    my (undef, $waited_ns) = UnixBench::Base::Proc::scheduled_ns($self->_text('schedstat'));
    return ($waited_ns // 0) / 1e9;
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
    my ($faults)   = UnixBench::Base::Proc::fields($stat, 'major_faults') or return;
    my ($tracer)   = $status =~ /^TracerPid:\s+([0-9]+)$/m               or return;
    my ($switches) = $status =~ /^voluntary_ctxt_switches:\s+([0-9]+)$/m or return;
    $self->{is_traced} = $tracer ? 1 : 0;
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
