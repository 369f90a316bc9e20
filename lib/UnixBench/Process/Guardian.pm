package UnixBench::Process::Guardian;

# The guardian: a process in its own session that survives the death of Run and clears up after it. Run sends it the
# numbers of the process groups to clear up through a pipe. The end of the pipe shows that Run has ended.

use strict;
use warnings;

use Errno      qw(EINTR);
use File::Path ();
use POSIX      ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Process::Child     ();
use UnixBench::Process::EventLoop ();
use UnixBench::Process::Tree      ();

# The names of a guardian's process: while Run measures or builds, and when it has ended. Other calls of Run look for
# the first one.
use constant { NAME => 'Run: guardian', NAME_OF_OTHERS => 'Run: build', NAME_AT_END => 'Run: clearing' };

use constant {
    LOOKS       => 200,     # attempts to find and kill processes of copies in other groups
    LOOK_EACH_S => 0.005,
    LAST_MOST_S => 300,
};

# Starts a guardian. To measure, takes scratch => the directory that the guardian removes when this program has ended
# for any reason, and perhaps last => [words], a command that it can run then. Dies if the guardian can't be started.
sub new {
    my ($class, @given) = @_;
    my $self = bless named(\@given, qw(scratch last)), $class;
    $self->_start;
    return $self;
}

# Returns the PID of the guardian.
sub pid { my ($self) = @_; return $self->{pid} }

# Takes "+NUMBER" to make the guardian clear up that process group, "+last" to make it run the last command after that,
# or "-NUMBER" or "-last" to cancel this. Returns whether the guardian could be notified. A caller may ignore a failure:
# keep() replaces a guardian that does not read.
sub tell_of {
    my ($self, $group) = @_;
    return syswrite $self->{pipe}, "$group\n";
}

# Takes the process groups that still exist, and "last" if the last command is needed. Starts another guardian for them
# if this one has ended or has stopped reading.
sub keep {
    my ($self, @groups) = @_;
    my $is_there = UnixBench::Process::Child::is_running($self->{pid});
    return if $is_there && _has_room($self->{pipe});
    kill 'KILL', $self->{pid} if $is_there;
    return $self->_start(@groups);
}

# Closes the pipe, so that the guardian clears up, and waits for its end. Processes that this program has started since
# new() do not survive that.
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
    $self->{pid} = UnixBench::Process::Child::start(sub {
        close $pipe;
        _guard($watched, @$self{qw(scratch last)}, @groups);
    });
    $self->{pipe} = $pipe;
    return;
}

# Returns whether a pipe that was opened for writing accepts a few more bytes.
sub _has_room {
    my ($pipe) = @_;
    vec(my $writable = q{}, fileno $pipe, 1) = 1;
    return select(undef, $writable, undef, 0) > 0;
}

# Runs in the guardian. Takes its end of the pipe, the scratch directory, the last command, and the groups that are
# known from the start. Reads the pipe until all writers have ended, then clears up.
sub _guard {
    my ($pipe, $scratch, $last, @groups) = @_;
    POSIX::setsid();
    chdir '/';
    $0 = defined $scratch ? NAME : NAME_OF_OTHERS;    ## no critic (RequireLocalizedPunctuationVars)
    my $is_silent = eval { UnixBench::Process::Child::silence(0 .. 2); 1 };    # may fail if there is no /dev/null
    my %left      = map { $_ => 1 } @groups;
    _listen($pipe, \%left);
    $0 = NAME_AT_END;    ## no critic (RequireLocalizedPunctuationVars)
    _clear_up($scratch, delete $left{last} ? $last : undef, keys %left);
    return;
}

# Reads lines "+NUMBER" and "-NUMBER" until all writers have ended, and records the groups that are still to be cleared
# up.
sub _listen {
    my ($pipe, $left) = @_;
    my $said = q{};
    while (_hear($pipe, \$said)) {
        while ($said =~ s/\A([-+])(.+)\n//) {
            if ($1 eq q{+}) { $left->{$2} = 1 }
            else            { delete $left->{$2} }
        }
    }
    return;
}

# Waits for more text from the pipe and appends it. Returns whether there was any: without writers there is none.
sub _hear {
    my ($pipe, $said) = @_;
    my $got;
    1 while !defined($got = sysread $pipe, $$said, 4096, length $$said) && $! == EINTR;
    return $got;
}

# Ends the process groups: first by SIGTERM, because an X server has to clean up, then by SIGKILL. Kills the processes
# that copies have started in other groups. Runs the last command, if it is given. Removes the scratch directory.
sub _clear_up {
    my ($scratch, $last, @left) = @_;
    my @groups = grep { m{\A[0-9]+\z} && $_ > 1 } @left;    # to kill, -1 would mean all processes
    my $births = UnixBench::Process::Tree::births(@groups, UnixBench::Process::Tree::descendants(@groups));
    UnixBench::Process::Tree::end_groups(@groups);
    _end_others($scratch, $births);
    UnixBench::Process::Child::status_of(UnixBench::Process::Child::start(\&_become_last, @$last)) if $last;
    File::Path::remove_tree($scratch, { safe => 0, error => \my $unused }) if defined $scratch;
    return;
}

# Runs in a child of the guardian. The alarm ends a command that hangs.
sub _become_last {
    my (@command) = @_;
    alarm LAST_MOST_S;
    return UnixBench::Process::Child::become_or_exit(@command);
}

# Kills the processes that copies have started outside their groups, with all their descendants. They are the processes
# of these births that still live, and those whose UB_SCRATCH is below the scratch directory.
sub _end_others {
    my ($scratch, $births) = @_;
    for (1 .. LOOKS) {
        my @others = UnixBench::Process::Tree::living_since($births);
        push @others, UnixBench::Process::Tree::given_directory_in($scratch, UnixBench::Process::Tree::all())
            if defined $scratch;
        last if !@others;
        last if !kill(KILL => @others, UnixBench::Process::Tree::descendants(@others)) && $!{EPERM};
        select undef, undef, undef, LOOK_EACH_S;
    }
    return;
}

1;
