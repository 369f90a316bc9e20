package UnixBench::Process::Guardian;

# The guardian: a process in a session of its own that outlives a killed Run and clears up after it. A pipe connects the
# two: the guardian reads from it what there is to clear up, and sees on it the end of Run.

use strict;
use warnings;

use Errno      qw(EINTR);
use File::Path ();
use POSIX      ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Process::Child     ();
use UnixBench::Process::EventLoop ();
use UnixBench::Process::Tree      ();

use constant {
    LOOKS       => 200,     # for processes of copies in other groups, which are killed until none is found
    LOOK_EACH_S => 0.005,
};

# Starts a guardian. Takes scratch => the directory that it removes when this program is gone, however it ended. Dies if
# it can't be started.
sub new {
    my ($class, @given) = @_;
    my $self = bless { %{ named(\@given, qw(scratch)) }, directories => {} }, $class;
    $self->_start;
    return $self;
}

# Returns the number of the guardian's process.
sub pid { my ($self) = @_; return $self->{pid} }

# Takes "+NAME" for a process group or directory that the guardian has to clear up from now on, or "-NAME" to take that
# back. Returns whether it could be said: a guardian that does not read will be replaced anyway.
sub tell_of {
    my ($self, $name) = @_;
    return syswrite $self->{pipe}, "$name\n";
}

# Takes a directory that the guardian is to remove in the end if it is empty.
sub own {
    my ($self, $directory) = @_;
    $self->{directories}{$directory} = 1;
    return $self->tell_of("+$directory");
}

# Takes back such a directory.
sub disown {
    my ($self, $directory) = @_;
    delete $self->{directories}{$directory};
    return $self->tell_of("-$directory");
}

# Takes the process groups that live. Starts another guardian for them if this one has ended or has stopped reading.
sub keep {
    my ($self, @groups) = @_;
    my $is_there = UnixBench::Process::Child::is_running($self->{pid});
    return if $is_there && _has_room($self->{pipe});
    kill 'KILL', $self->{pid} if $is_there;
    return $self->_start(@groups);
}

# Lets the guardian go and waits for its end.
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
    my @names = (@groups, keys %{ $self->{directories} });
    $self->{pid} = UnixBench::Process::Child::start(
        sub {
            close $pipe;
            _guard($watched, $self->{scratch}, @names);
        }
    );
    $self->{pipe} = $pipe;
    return;
}

# Returns whether a pipe that was opened for writing accepts a few more bytes.
sub _has_room {
    my ($pipe) = @_;
    vec(my $writable = q{}, fileno $pipe, 1) = 1;
    return select(undef, $writable, undef, 0) > 0;
}

# The guardian's own part: takes its end of the pipe, the scratch directory, and the names that it knows from the start.
# Listens until all writers are gone, then clears up.
sub _guard {
    my ($pipe, $scratch, @names) = @_;
    POSIX::setsid();
    chdir '/';
    local $0 = 'Run: guardian';
    my $is_silent = eval { UnixBench::Process::Child::silence(0 .. 2); 1 };    # not without /dev/null
    my %left      = map { $_ => 1 } @names;
    _listen($pipe, \%left);
    _clear_up($scratch, keys %left);
    return;
}

# Reads lines "+NAME" and "-NAME" until all writers are gone, and keeps the names that are left.
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

# Returns whether the writers are still there.
sub _hear {
    my ($pipe, $said) = @_;
    my $got;
    1 while !defined($got = sysread $pipe, $$said, 4096, length $$said) && $! == EINTR;
    return $got;
}

# Ends the groups, gently at first, as a display has to clean up, and then what copies have started in other groups.
# Removes the directories that are empty, and the scratch directory.
sub _clear_up {
    my ($scratch, @left) = @_;
    my @groups = grep { m{\A[0-9]+\z} && $_ > 1 } @left;    # kill would take -1 for all processes
    my $births = UnixBench::Process::Tree::births(@groups, UnixBench::Process::Tree::descendants(@groups));
    UnixBench::Process::Tree::end_groups(@groups);
    _end_others($scratch, $births);
    rmdir for grep { m{\A/} } @left;
    File::Path::remove_tree($scratch, { safe => 0, error => \my $unused });
    return;
}

# Kills what copies have started outside their groups: the processes of these births, and all that were given a
# directory in scratch, with all their descendants.
sub _end_others {
    my ($scratch, $births) = @_;
    for (1 .. LOOKS) {
        my @known  = UnixBench::Process::Tree::living_since($births);
        my @marked = UnixBench::Process::Tree::given_directory_in($scratch, UnixBench::Process::Tree::all());
        my @others = (@known, @marked) or last;
        kill KILL => @others, UnixBench::Process::Tree::descendants(@others);
        select undef, undef, undef, LOOK_EACH_S;
    }
    return;
}

1;
