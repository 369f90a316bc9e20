package UnixBench::Process::EventLoop;

# Sleeps until something happens: a handle has something to read, a child process ended or was stopped, a signal came,
# a time is there. It owns the signals of this program, so there is one at a time.

use strict;
use warnings;

use Fcntl      qw(F_GETFL F_SETFL F_SETOWN O_NONBLOCK);
use List::Util ();
use POSIX      qw(WNOHANG WUNTRACED);

use UnixBench::Process::LostTime ();
use UnixBench::Process::Signals  ();

use constant {
    LOOK_S          => 0.25,    # the longest sleep where handles send no signal
    LONG_S          => 3600,    # the longest sleep
    SUSPICIONS_MOST => 3,       # SIGCONTs that are taken for the end of a stop without another sign of one
    TRIES_MOST      => 10,      # of what has to be done without a stop
};

# waitpid(2) also reports children that were continued, for which POSIX has no name. A stop is no longer reported once
# the child was continued.
use constant WCONTINUED => $^O eq 'linux' ? 8 : 0;

# The flag that lets a handle send a signal when there is something to read; 0 where there is none.
my $ASYNC = eval { Fcntl::O_ASYNC() } || 0;

# Takes clock => UnixBench::Base::Clock. release() gives the signals back.
sub new {
    my ($class, %with) = @_;
    return bless {
        clock      => $with{clock},
        signals    => UnixBench::Process::Signals->new,
        lost       => UnixBench::Process::LostTime->new($with{clock}),
        watched    => q{},
        ended      => {},
        stops      => 0,
        continued  => 0,
        suspicions => 0,
    }, $class;
}

# Gives the signals back as they were.
sub release { my ($self) = @_; return $self->{signals}->give_back }

# The name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{signals}->interrupted }

# How often this program, or something that it measures, was stopped, frozen or suspended so far; a number that only
# grows. Signals that have come count.
sub stops {
    my ($self) = @_;
    $self->{signals}->poll;
    $self->_note_signals;
    return $self->{stops};
}

# Calls the function again until it was done without a stop; returns what it returned then, or nothing after an
# interruption. Perhaps takes a function to call with the seconds of each try that was for nothing. Dies with one line
# when there was a stop each time.
sub unstopped {
    my ($self, $do, $in_vain) = @_;
    for (1 .. TRIES_MOST) {
        my ($stops, $began_s) = ($self->stops, $self->{clock}->monotonic_s);
        my @done = $do->();
        return if $self->interrupted;
        return @done if $self->stops == $stops;
        $in_vain->($self->{clock}->monotonic_s - $began_s) if $in_vain;
    }
    die 'it was stopped, frozen or suspended in each of ' . TRIES_MOST . " tries\n";
}

# Sends a signal to all that this program has started and that lives; for a subclass that starts something.
sub signal_all { return }

# Whether a stop of that child process spoils what is measured; for a subclass that starts something.
sub is_measured { return 0 }

# From now on sleep_until() wakes when the handle has something to read, and returns the name given here.
sub watch {
    my ($self, $handle, $name) = @_;
    vec($self->{watched}, fileno $handle, 1) = 1;
    $self->{name}[fileno $handle] = $name;
    no_waiting($handle, $ASYNC);
    fcntl $handle, F_SETOWN, $$ if $ASYNC;
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
    my @found;
    while (!(@found = $self->_readable)) {
        my $left_s = defined $until_s ? $until_s - $self->{clock}->monotonic_s : LONG_S;
        last if $left_s <= 0;
        last if $self->_sleep(List::Util::min($left_s, LONG_S));
    }
    $self->_take_notice if @found;
    return @found;
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

# Reading from and writing to the handle no longer waits. Perhaps takes a further flag to set.
sub no_waiting {
    my ($handle, $flag) = @_;
    fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK | ($flag || 0);
    return;
}

# The names of the watched handles that have something to read.
sub _readable {
    my ($self) = @_;
    my $readable = $self->{watched};
    return if select($readable, undef, undef, 0) <= 0;
    return @{ $self->{name} }[_set_bits($readable)];
}

# Sleeps for so many seconds at most, or until a signal comes; returns whether something has happened meanwhile.
sub _sleep {
    my ($self,    $seconds) = @_;
    my ($signals, $lost)    = @$self{qw(signals lost)};
    my $stops = $self->{stops};
    $lost->begin;
    $signals->poll;
    my $continued = $signals->continued;
    $signals->wait($ASYNC ? $seconds : List::Util::min($seconds, LOOK_S));
    my $was_stopped = $lost->was_stopped;
    $self->{stops}++ if $was_stopped || $lost->was_suspended;
    $self->{continued} += $signals->continued - $continued if defined $was_stopped;
    return $self->_take_notice || $self->{stops} > $stops || $self->interrupted;
}

# Takes notice of what signals have told; returns whether a child has ended. A stop waits until the caller knows of
# that: while it lasts, the number of the child may become another's.
sub _take_notice {
    my ($self) = @_;
    return 1 if $self->_reap;
    $self->{signals}->heed;
    $self->_note_signals;
    return 0;
}

# Takes notice of children that have ended, were stopped or continued; returns whether one has ended.
sub _reap {
    my ($self) = @_;
    my $is_news = 0;
    while ((my $pid = waitpid -1, WNOHANG | WUNTRACED | WCONTINUED) > 0) {
        my $status = ${^CHILD_ERROR_NATIVE};
        if (POSIX::WIFEXITED($status) || POSIX::WIFSIGNALED($status)) {
            $self->{ended}{$pid} = { status => $?, at_s => $self->{clock}->monotonic_s };
            $is_news = 1;
        }
        elsif ($self->is_measured($pid)) { $self->{stops}++ }
    }
    return $is_news;
}

# SIGCONT may come without a stop, again and again: out of a sleep it is believed a few times only, and within one
# never, as LostTime knows.
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

# The terminal's signal reaches this program alone: what it has started is in process groups of its own.
sub _stop {
    my ($self) = @_;
    $self->signal_all('STOP');
    $self->{signals}->stop;
    $self->signal_all('CONT');
    $self->{stops}++;
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
