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

# To be called before a sleep.
sub begin {
    my ($self)   = @_;
    my $clock    = $self->{clock};
    my $before_s = $clock->monotonic_s;
    $self->{away_most_s} = $self->_boot_s - $before_s;
    $self->{at_s}        = $clock->monotonic_s;
    $self->{account}     = $self->_account;
    return;
}

# To be called whenever this program wakes up. Takes the seconds that it should have slept at most, since it woke up
# last; returns whether it was for longer. There are few operations here, see UnixBench::Signals::wait().
sub is_late {
    my ($self, $seconds) = @_;
    my ($at_s, $account) = @$self{qw(at_s account)};
    my $now_s = $self->{at_s} = $self->{clock}->monotonic_s;
    $self->{account} = $self->_account;
    my $late_s = $now_s - $at_s - $seconds;
    return 0 if $late_s < LEAST_S;
    my ($before_s, $after_s) = map { _waited_s($_) } $account, $self->{account};
    return $late_s >= UNACCOUNTED_S                    ? 1 : 0 if !defined $before_s || !defined $after_s;
    return $late_s - ($after_s - $before_s) >= LEAST_S ? 1 : 0;
}

# To be called after a sleep. Returns whether the machine was suspended meanwhile: one clock counts that, the other does
# not. They can't be read at the same moment.
sub was_suspended {
    my ($self) = @_;
    my $away_least_s = $self->_boot_s - $self->{clock}->monotonic_s;
    return $away_least_s - $self->{away_most_s} >= LEAST_S ? 1 : 0;
}

sub _boot_s {
    my ($self) = @_;
    return eval { $self->{clock}->boot_s } // $self->{clock}->monotonic_s;
}

# What the kernel writes of this program, not read yet.
sub _account {
    my ($self) = @_;
    my $file = $self->{schedstat} or return;
    sysseek $file, 0, 0;
    sysread $file, my $text, 100;
    return $text;
}

# The seconds for which this program waited for a CPU. Undef where that is not known: kernels that do not account for it
# write zeros.
sub _waited_s {
    my ($account) = @_;
    my ($ran_ns, $waited_ns) = ($account // q{}) =~ /\A([0-9]{1,18}) ([0-9]{1,18})\b/ or return;
    return $ran_ns > 0 ? $waited_ns / 1e9 : undef;
}

1;
