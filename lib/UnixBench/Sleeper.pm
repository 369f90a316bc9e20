package UnixBench::Sleeper;

# Sleeps until something happens: a handle has something to read, a child process ended, a signal came, a time
# is there. It owns the signals of this program, so there is one at a time.

use strict;
use warnings;

use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use POSIX ();

use UnixBench::Signals ();

# Takes clock => UnixBench::Clock. release() gives the signals back.
sub new {
    my ($class, %with) = @_;
    my ($woken, $wake) = plain_pipe();
    no_waiting($_) for $woken, $wake;
    my $self = bless {
        clock   => $with{clock},
        signals => UnixBench::Signals->new($wake),
        woken   => $woken,
        watched => q{},
        ended   => {},
    }, $class;
    $self->watch($woken);
    return $self;
}

# Gives the signals back as they were.
sub release { my ($self) = @_; return $self->{signals}->give_back }

# The name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{signals}->interrupted }

# How often this program was stopped and continued so far; a number that only grows.
sub stops { my ($self) = @_; return $self->{signals}->stops }

# Sends a signal to all that this program has started and that lives; for a subclass that starts something.
sub signal_all { return }

# From now on sleep_until() wakes when the handle has something to read, and returns the name given here.
sub watch {
    my ($self, $handle, $name) = @_;
    vec($self->{watched}, fileno $handle, 1) = 1;
    $self->{name}[fileno $handle] = $name;
    return;
}

# No longer; to be called before the handle is closed.
sub unwatch {
    my ($self, $handle) = @_;
    vec($self->{watched}, fileno $handle, 1) = 0;
    $self->{name}[fileno $handle] = undef;
    return;
}

# Sleeps until a watched handle has something to read, a process ended, a signal came, or the clock shows
# that time (undef: no limit). Returns the names of the handles that have something to read. Asked to stop, this
# program does so here, and all that it has started with it.
sub sleep_until {
    my ($self, $until_s) = @_;
    my $timeout_s = defined $until_s ? $until_s - $self->{clock}->monotonic_s : undef;
    $timeout_s = 0 if defined $timeout_s && $timeout_s < 0;
    my $readable = $self->{watched};
    $self->{signals}->let_in;
    my $found = select $readable, undef, undef, $timeout_s;
    $self->{signals}->keep_out;
    $self->_reap;
    $self->_stop if $self->{signals}->is_stop_wanted;
    return if $found <= 0;
    vec($readable, fileno $self->{woken}, 1) = 0;
    return @{ $self->{name} }[_set_bits($readable)];
}

# Sleeps for that many seconds, or until an interruption.
sub pause {
    my ($self, $seconds) = @_;
    my $until_s = $self->{clock}->monotonic_s + $seconds;
    $self->sleep_until($until_s) while !$self->interrupted && $self->{clock}->monotonic_s < $until_s;
    return;
}

# Takes a hash of child processes' numbers; returns those of them that ended, { pid => { status, at_s } }, each once.
sub ended {
    my ($self, $whose) = @_;
    return { map { $_ => delete $self->{ended}{$_} } grep { exists $whose->{$_} } keys %{ $self->{ended} } };
}

# A pipe without Perl's buffers: every fork and exec would flush those of all pipes, and so copy them.
sub plain_pipe {
    pipe my $reader, my $writer or die "can't make a pipe: $!\n";
    binmode $_, ':pop' for $reader, $writer;
    return ($reader, $writer);
}

# Reading from and writing to the handle no longer waits.
sub no_waiting {
    my ($handle) = @_;
    fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK;
    return;
}

sub _reap {
    my ($self) = @_;
    sysread $self->{woken}, my $bytes, 4096;
    while ((my $pid = waitpid -1, POSIX::WNOHANG()) > 0) {
        $self->{ended}{$pid} = { status => $?, at_s => $self->{clock}->monotonic_s };
    }
    return;
}

# The terminal's signal reaches this program alone: what it has started is in process groups of its own.
sub _stop {
    my ($self) = @_;
    $self->signal_all('STOP');
    $self->{signals}->stop;
    $self->signal_all('CONT');
    return;
}

# The numbers of the bits that are set in a vector.
sub _set_bits {
    my ($vector) = @_;
    my $bits     = unpack 'b*', $vector;
    my @set;
    push @set, pos($bits) - 1 while $bits =~ /1/g;
    return @set;
}

1;
