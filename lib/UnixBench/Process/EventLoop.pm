package UnixBench::Process::EventLoop;

# An event loop: sleeps until a handle becomes readable, a child process ends or is stopped, a signal arrives, or a time
# is reached. It handles all signals of this program, so only one event loop may exist at a time.

use strict;
use warnings;

use Errno      ();
use Fcntl      qw(F_GETFL F_SETFL F_SETOWN O_NONBLOCK);
use List::Util ();
use POSIX      qw(WNOHANG WUNTRACED);

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Base::Halt        ();
use UnixBench::Base::Proc        ();
use UnixBench::Process::LostTime ();
use UnixBench::Process::Signals  ();

use constant {
    LOOK_S          => 0.25,    # the longest sleep if handles send no signals, or with a debugger
    LONG_S          => 3600,    # the longest sleep
    SUSPICIONS_MOST => 3,       # SIGCONTs that count as the end of a stop without other evidence of a stop
    LOOK_AGAIN      => 0.25,    # of the time until a look at many processes: the time until the next one
    LOOKS_MOST      => 16,      # processes in a look
};

# The flag that makes waitpid(2) also report continued children. POSIX has no name for it. Without this flag, a stop
# goes unnoticed if the child has already been continued.
use constant WCONTINUED => $^O eq 'linux' ? 8 : 0;

# The flag that makes a handle send a signal when it becomes readable, or 0 if this system has none.
my $ASYNC = eval { Fcntl::O_ASYNC() } || 0;

# Takes clock => UnixBench::Base::Clock. Catches the signals of this program until release().
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock));
    return bless {
        %$given,
        signals    => UnixBench::Process::Signals->new,
        lost       => UnixBench::Process::LostTime->new(%$given),
        watched    => q{},
        ended      => {},
        stops      => 0,
        continued  => 0,
        suspicions => 0,
    }, $class;
}

# Restores the signals as they were before new().
sub release { my ($self) = @_; return $self->{signals}->give_back }

# Returns the name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{signals}->interrupted }

# Returns how often this program, or a process that it measures, was stopped, frozen or suspended so far. Signals that
# have arrived but were not handled yet are included.
sub stops {
    my ($self) = @_;
    $self->{signals}->poll;
    $self->_note_signals;
    return $self->{stops};
}

# Takes a hash whose keys are the PIDs of child processes; the caller removes those that have ended. From now on, notes
# what these processes have used, right before a child is collected; later the kernel does not know it any more. If
# there are many processes, looks only at some of them, and only from time to time.
sub open_accounts {
    my ($self, $alive) = @_;
    @$self{qw(alive look_from_s look_at_s accounts)} = ($alive, $self->{clock}->monotonic_s, 0, {});
    return;
}

# Ends that. Returns { pid => what it has used, see UnixBench::Base::Proc::used } of the processes that are known up to
# their end.
sub close_accounts {
    my ($self) = @_;
    delete $self->{alive};
    my $accounts = delete $self->{accounts} || {};
    return { map { $_ => $accounts->{$_}{used} } grep { $accounts->{$_}{is_final} } keys %$accounts };
}

# Notes what these processes have used. One that ends between this look and its collection stays unknown.
sub _look {
    my ($self) = @_;
    my @alive  = keys %{ $self->{alive} || {} } or return;
    my $now_s  = $self->{clock}->monotonic_s;
    return if $now_s < $self->{look_at_s};
    if (@alive > LOOKS_MOST) {
        $self->{look_at_s} = $now_s + LOOK_AGAIN * ($now_s - $self->{look_from_s});
        splice @alive, LOOKS_MOST;
    }
    for my $pid (@alive) {
        my ($used, $has_ended) = UnixBench::Base::Proc::used($pid) or next;
        $self->{accounts}{$pid} = { used => $used, is_final => $has_ended };
    }
    return;
}

# Sends a signal to all living processes that this program has started. A subclass that starts processes overrides it.
sub signal_all { return }

# Returns whether a stop of that child process spoils the measurement. A subclass that starts processes overrides it.
sub is_measured { return 0 }

# Takes a handle and a name. From now on, sleep_until() wakes up when the handle is readable, and returns the name.
sub watch {
    my ($self, $handle, $name) = @_;
    vec($self->{watched}, fileno $handle, 1) = 1;
    $self->{name}[fileno $handle] = $name;
    no_waiting($handle, $ASYNC);
    fcntl $handle, F_SETOWN, $$ if $ASYNC;
    return;
}

# Takes a handle. Ends the effect of watch(). Has to be called before the handle is closed.
sub unwatch {
    my ($self, $handle) = @_;
    vec($self->{watched}, fileno $handle, 1) = 0;
    $self->{name}[fileno $handle] = undef;
    return;
}

# Takes a time of the monotonic clock in seconds, or undef. Sleeps until that time, or until a watched handle is
# readable, a process ends or a signal arrives. Returns the names of the readable handles. If this program was asked to
# stop (SIGTSTP), it stops here, with all processes that it has started.
sub sleep_until {
    my ($self, $until_s) = @_;
    my @found;
    while (!(@found = $self->_readable)) {
        my $left_s = defined $until_s ? $until_s - $self->{clock}->monotonic_s : LONG_S;
        last if $left_s <= 0;
        last if $self->_sleep(List::Util::min($left_s, LONG_S));
    }
    $self->_take_notice if @found;
    return @found;
}

# Takes seconds. Sleeps that long, or until an interruption.
sub pause {
    my ($self, $seconds) = @_;
    my $until_s = $self->{clock}->monotonic_s + $seconds;
    $self->sleep_until($until_s) while !$self->interrupted && $self->{clock}->monotonic_s < $until_s;
    return;
}

# Takes a hash whose keys are PIDs of child processes. Returns those that have ended, { pid => { status, at_s } }. Each
# is returned only once.
sub ended {
    my ($self, $whose) = @_;
    return { map { $_ => delete $self->{ended}{$_} } grep { exists $whose->{$_} } keys %{ $self->{ended} } };
}

# Returns both ends of a pipe, without Perl's buffers. Each fork and exec would flush the buffers of all pipes, which
# takes time.
sub plain_pipe {
    pipe my $reader, my $writer or die "can't make a pipe: $!\n";
    binmode $_, ':pop' for $reader, $writer;
    return ($reader, $writer);
}

# Takes a handle, and optionally another flag to set. Makes the handle non-blocking.
sub no_waiting {
    my ($handle, $flag) = @_;
    fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK | ($flag || 0);
    return;
}

sub _readable {
    my ($self) = @_;
    my $readable = $self->{watched};
    return if select($readable, undef, undef, 0) <= 0;
    my ($bits, @set) = unpack 'b*', $readable;
    push @set, pos($bits) - 1 while $bits =~ /1/g;
    return @{ $self->{name} }[@set];
}

# Takes seconds. Sleeps for that time, or until a signal arrives. Returns whether a child has ended, a stop has happened
# or an interruption came.
sub _sleep {
    my ($self,    $seconds) = @_;
    my ($signals, $lost)    = @$self{qw(signals lost)};
    my $stops = $self->{stops};
    $lost->begin;
    $signals->poll;
    my $continued = $signals->continued;
    $seconds = List::Util::min($seconds, LOOK_S) if !$ASYNC || $lost->is_traced;
    $signals->wait($seconds);
    my $was_stopped = $lost->was_stopped($seconds);
    $self->{stops}++ if $was_stopped || $lost->was_suspended;
    $self->{continued} += $signals->continued - $continued if $was_stopped;
    return $self->_take_notice || $self->{stops} > $stops || $self->interrupted;
}

# Handles the signals that have arrived. Returns whether a child has ended. In that case, a requested stop waits until
# the caller has handled that end: during the stop, the PID of the child may be reused.
sub _take_notice {
    my ($self) = @_;
    return 1 if $self->_reap;
    $self->{signals}->heed;
    $self->_note_signals;
    return 0;
}

# Collects the children that have ended and counts stops of others. Returns whether one has ended.
sub _reap {
    my ($self) = @_;
    my $is_news = 0;
    $self->_look;
    my $pid;
    while (($pid = waitpid -1, WNOHANG | WUNTRACED | WCONTINUED) > 0) {
        my $status = ${^CHILD_ERROR_NATIVE};
        if (POSIX::WIFEXITED($status) || POSIX::WIFSIGNALED($status)) {
            $self->{ended}{$pid} = { status => $?, at_s => $self->{clock}->monotonic_s };
            $is_news = 1;
        }
        elsif ($self->is_measured($pid)) { $self->{stops}++ }
    }
    die UnixBench::Base::Halt->new(line => "can't wait for processes: $!\n") if $pid < 0 && !$!{ECHILD};
    return $is_news;
}

# Counts a SIGCONT as the end of a stop that LostTime did not detect: one outside of a sleep, or right before a sleep,
# which did not happen then. SIGCONT may also arrive without a stop, so only the first few count. Then stops this
# program if that was requested.
sub _note_signals {
    my ($self) = @_;
    my $continued = $self->{signals}->continued;
    if ($continued > $self->{continued}) {
        $self->{continued} = $continued;
        $self->{stops}++ if $self->{suspicions}++ < SUSPICIONS_MOST;
    }
    $self->_stop if $self->{signals}->is_stop_wanted;
    return;
}

# Stops all processes that this program has started, then itself. The terminal's signal does not reach their process
# groups.
sub _stop {
    my ($self) = @_;
    $self->signal_all('STOP');
    $self->{signals}->stop;
    $self->signal_all('CONT');
    $self->{stops}++;
    return;
}

1;
