package UnixBench::Process::Lifeline;

# What holds the guardian to this program: a pipe on which it hears what there is to clear up, and sees the end of this
# program. A guardian that has gone is replaced.

use strict;
use warnings;

use UnixBench::Process::Child     ();
use UnixBench::Process::EventLoop ();
use UnixBench::Process::Guardian  ();

# Starts a guardian: when this program is gone, however it ended, the guardian ends the process groups that it has heard
# of, and removes the scratch directory. Dies when it can't be started.
sub new {
    my ($class, $scratch) = @_;
    my $self = bless { scratch => $scratch, directories => {} }, $class;
    $self->_start;
    return $self;
}

# The number of the guardian's process.
sub pid { my ($self) = @_; return $self->{pid} }

# Tells the guardian of a process group or a directory that it has to care for, "+NAME", or has not any more, "-NAME".
# What can't be said now is not said: another guardian will take the place of one that does not listen. Returns whether
# it was said.
sub tell_of {
    my ($self, $name) = @_;
    return syswrite $self->{pipe}, "$name\n";
}

# From now on the guardian removes that directory in the end if it is empty; or, with disown, no longer.
sub own {
    my ($self, $directory) = @_;
    $self->{directories}{$directory} = 1;
    return $self->tell_of("+$directory");
}

sub disown {
    my ($self, $directory) = @_;
    delete $self->{directories}{$directory};
    return $self->tell_of("-$directory");
}

# Takes the process groups that live; starts another guardian for them when the one there was has ended, or has not
# read for long.
sub keep {
    my ($self, @groups) = @_;
    my $is_there = UnixBench::Process::Child::is_running($self->{pid});
    return if $is_there && _has_room($self->{pipe});
    kill 'KILL', $self->{pid} if $is_there;
    return $self->_start(@groups);
}

# Lets the guardian go, and waits for its end.
sub release {
    my ($self) = @_;
    close $self->{pipe};
    kill 'CONT', $self->{pid} if UnixBench::Process::Child::is_running($self->{pid});
    return UnixBench::Process::Child::status_of($self->{pid});
}

sub _start {
    my ($self,    @groups) = @_;
    my ($watched, $pipe)   = UnixBench::Process::EventLoop::plain_pipe();
    UnixBench::Process::EventLoop::no_waiting($pipe);
    my @owned = (@groups, keys %{ $self->{directories} });
    $self->{pid} = UnixBench::Process::Child::start(
        sub {
            close $pipe;
            UnixBench::Process::Guardian::watch($watched, $self->{scratch}, @owned);
        }
    );
    $self->{pipe} = $pipe;
    return;
}

# Whether a pipe that was opened for writing takes a few bytes more.
sub _has_room {
    my ($pipe) = @_;
    vec(my $writable = q{}, fileno $pipe, 1) = 1;
    return select(undef, $writable, undef, 0) > 0;
}

1;
