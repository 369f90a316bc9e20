package UnixBench::Process::LostTime;

# Whether this program lost time while it slept: it was stopped, its control group was frozen, or the machine was
# suspended. Nothing has to wake up for that: to stop or to freeze a sleeping program the kernel wakes it and puts it
# aside, and counts each as a switch to another task. A program that merely waits for a CPU gives none away by itself.

use strict;
use warnings;

use constant {
    ACCOUNT   => '/proc/self',
    REAL_TIME => '/sys/kernel/realtime',    # there in kernels that also count waits for locks of their own
    AWAY_S    => 0.2,                       # clocks are not read at the same moment: a shorter time was no suspension
};

# Takes a clock, see UnixBench::Base::Clock, and perhaps the paths of what stands for this program's directory in /proc,
# and for the file that only real-time kernels have.
sub new {
    my ($class, $clock, $path, $real_time) = @_;
    my $self = bless { clock => $clock }, $class;
    return $self if !is_known($real_time);
    for my $name (qw(stat status)) {
        open $self->{$name}, '<:raw', ($path // ACCOUNT) . "/$name" or delete $self->{$name};
    }
    return $self;
}

# Whether this system tells of stops. Takes the same path as new().
sub is_known { my ($real_time) = @_; return -e (ACCOUNT . '/status') && !-e ($real_time // REAL_TIME) }

# To be called right before a sleep.
sub begin {
    my ($self) = @_;
    my $before_s = $self->{clock}->monotonic_s;
    $self->{away_most_s} = $self->_boot_s - $before_s;
    $self->{account}     = $self->_account;
    return;
}

# To be called right after that sleep, of which there was one at most. Returns whether this program was stopped or
# frozen meanwhile; undef where that can't be known.
sub was_stopped {
    my ($self) = @_;
    my ($before, $after) = ($self->{account}, $self->_account);
    return if !$before || !$after || $before->{faults} != $after->{faults};
    return $after->{switches} - $before->{switches} > 1 ? 1 : 0;
}

# To be called after a sleep. Returns whether the machine was suspended meanwhile: one clock counts that, the other does
# not.
sub was_suspended {
    my ($self) = @_;
    my $away_least_s = $self->_boot_s - $self->{clock}->monotonic_s;
    return $away_least_s - $self->{away_most_s} >= AWAY_S ? 1 : 0;
}

sub _boot_s {
    my ($self) = @_;
    return eval { $self->{clock}->boot_s } // $self->{clock}->monotonic_s;
}

# { switches, faults }: how often this program gave its CPU away, and how often it had to wait for a page of its own,
# which may be a switch, too (proc(5)). Undef where that is not known, or where a debugger stops this program whenever
# it likes.
sub _account {
    my ($self) = @_;
    my ($stat, $status) = map { $self->_text($_) } qw(stat status);
    my ($faults)   = $stat   =~ /.*[)] [A-Za-z](?: -?[0-9]+){8} ([0-9]+) /s or return;
    my ($tracer)   = $status =~ /^TracerPid:\s+([0-9]+)$/m                  or return;
    my ($switches) = $status =~ /^voluntary_ctxt_switches:\s+([0-9]+)$/m    or return;
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
