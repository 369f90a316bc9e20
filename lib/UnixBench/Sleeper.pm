package UnixBench::Sleeper;

# Sleeps until something happens: a handle has something to read, a child process ended, a signal came, a time
# is there. It owns the signals of this program, so there is one at a time.
#
# Signals are blocked but for the moments in which it sleeps, so that none is lost between looking and
# sleeping, and none interrupts anything else.

use strict;
use warnings;

use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use POSIX ();

my @DEADLY = qw(INT TERM HUP);

# Takes clock => UnixBench::Clock. release() gives the signals back.
sub new {
    my ($class, %with) = @_;
    my ($woken, $wake) = plain_pipe();
    no_waiting($_) for $woken, $wake;
    my $self = bless { clock => $with{clock}, woken => $woken, wake => $wake, watched => q{}, ended => {}, old => {} },
        $class;
    $self->_catch_signals;
    $self->watch($woken);
    return $self;
}

# Gives the signals back as they were.
sub release {
    my ($self) = @_;
    POSIX::sigaction(POSIX->can("SIG$_")->(), $self->{old}{$_}) for keys %{ $self->{old} };
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $self->{usual_mask});
    return;
}

# The name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{interrupted} }

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
    return;
}

# Sleeps until a watched handle has something to read, a process ended, a signal came, or the clock shows
# that time (undef: no limit). Returns the names of the handles that have something to read.
sub sleep_until {
    my ($self, $until_s) = @_;
    my $timeout_s = defined $until_s ? $until_s - $self->{clock}->monotonic_s : undef;
    $timeout_s = 0 if defined $timeout_s && $timeout_s < 0;
    $self->unblock_signals;
    my $found = select my $readable = $self->{watched}, undef, undef, $timeout_s;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $self->{mask});
    $self->_reap;
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

# The child processes that ended since the last call: { pid => { status, at_s } }.
sub ended {
    my ($self) = @_;
    my $ended = $self->{ended};
    $self->{ended} = {};
    return $ended;
}

# For a child process, before it becomes another program.
sub unblock_signals { my ($self) = @_; return POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $self->{mask}) }

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

# The handlers run only while sleep_until() sleeps. They are POSIX's immediate ones: a handler that waits
# for Perl to be ready would not wake a sleeper whose signal came just before it fell asleep.
sub _catch_signals {
    my ($self)  = @_;
    my $wake    = $self->{wake};
    my %handler = (CHLD => sub { syswrite $wake, q{c} });
    for my $name (grep { ($SIG{$_} || q{}) ne 'IGNORE' } @DEADLY) {
        $handler{$name} = sub { $self->{interrupted} ||= $name; syswrite $wake, q{d} };
    }
    $self->{mask}       = POSIX::SigSet->new(map { POSIX->can("SIG$_")->() } keys %handler);
    $self->{usual_mask} = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $self->{mask}, $self->{usual_mask});
    for my $name (keys %handler) {
        $self->{old}{$name} = POSIX::SigAction->new;
        POSIX::sigaction(POSIX->can("SIG$name")->(), POSIX::SigAction->new($handler{$name}), $self->{old}{$name});
    }
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
