package UnixBench::Process;

# Starts, stops and ends the copies of a pass, the servers that they need, and the guardian. It is also the event loop
# that waits for them.

use strict;
use warnings;

use Errno ();
use Fcntl qw(F_SETFD);
use POSIX ();

use parent 'UnixBench::Process::EventLoop';

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Base::Halt        ();
use UnixBench::Process::Child    ();
use UnixBench::Process::Guardian ();
use UnixBench::Process::Tree     ();

# The limits of call(): the seconds after which the user is informed that a program has not ended, and the seconds after
# which call() gives up. Each has its message.
use constant PATIENCE => (
    [10,  "waiting for \"%s\", which has not ended after 10 s\n"],
    [300, "continuing without \"%s\", which has not ended after 300 s\n"],
);

use constant {
    OUTPUT_FLAGS => POSIX::O_WRONLY() | POSIX::O_CREAT() | POSIX::O_TRUNC(),
    LOOK_EACH_S  => 0.005,                                                     # between checks for killed processes
    GONE_S       => 2,                                                         # the longest wait for their end
    SAID_MOST    => 65_536,                                                    # bytes
};

# Takes clock => UnixBench::Base::Clock, and optionally waiting => function that is called with a line about a program
# that delays this one. From now on, orphans of copies become children of this program, even those in other groups.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock waiting));
    my $self  = $class->SUPER::new(clock => $given->{clock});
    $self->{waiting} = $given->{waiting};
    $self->{is_heir} = UnixBench::Process::Tree::adopt_orphans(1);
    return $self;
}

# Ends the orphans of copies, restores the signals, and ends the guardian.
sub release {
    my ($self) = @_;
    $self->_end_orphans;
    UnixBench::Process::Tree::adopt_orphans(0) if $self->{is_heir};
    $self->SUPER::release;
    my $guardian = delete $self->{guardian} or return;
    return $guardian->release;
}

# Takes the scratch directory, and perhaps [words], a command. Starts the guardian. When this program has ended for any
# reason, the guardian ends all process groups and removes the scratch directory. Dies if the guardian can't be started.
sub start_guardian {
    my ($self, $scratch, $last) = @_;
    @$self{qw(scratch guardian)} = ($scratch, UnixBench::Process::Guardian->new(scratch => $scratch, last => $last));
    return;
}

# Takes whether the guardian is to run that command when this program has ended.
sub will_need_last {
    my ($self, $is_needed) = @_;
    $self->{needs_last} = $is_needed;
    $self->_keep_guarded;
    return $self->_tell_guardian($is_needed ? '+last' : '-last');
}

# Starts a program in its own process group. Takes command => [words], dir, stdin and stdout (paths), go (the gate's
# reading end), env => { NAME => value }. Returns { pid, err, ready }. err is the reading end of its standard error, and
# ready is that of a pipe. Right before the exec, the child writes "T<monotonic seconds>\n" to this pipe. If the program
# can't be started, the child writes "E<errno> <what failed>". Everything else in the pipe comes from the program, whose
# UB_GATE has the descriptors of the pipe and the gate, and whose UB_GATE_PIPES has their inodes.
sub start {
    my ($self,  %child)   = @_;
    my ($err,   $err_w)   = UnixBench::Process::EventLoop::plain_pipe();
    my ($ready, $ready_w) = UnixBench::Process::EventLoop::plain_pipe();
    my $pid = $self->_start_group(\&_become, $self, \%child, $err_w, $ready_w);
    UnixBench::Process::EventLoop::no_waiting($_) for $err, $ready;
    return { pid => $pid, err => $err, ready => $ready };
}

# Starts a program that serves copies, in its own process group. Takes output => the path for its output, and optionally
# input => handle, its standard input. Also takes command => function that takes the number of a descriptor and returns
# [words]. Returns { pid, ready }. ready is the reading end of a pipe on which the server reports that it is ready. The
# server writes to that descriptor or, with is_ready_by_output => 1, to its standard output.
sub serve {
    my ($self, %server) = @_;
    $self->_keep_guarded;
    my ($ready, $ready_w) = UnixBench::Process::EventLoop::plain_pipe();
    my $pid = $self->_start_group(\&_become_server, $self, \%server, $ready_w);
    $self->{servers}{$pid} = 1;
    UnixBench::Process::EventLoop::no_waiting($ready);
    return { pid => $pid, ready => $ready };
}

# Sleeps as an event loop does. If a server has ended, kills the rest of its group at once.
sub sleep_until {
    my ($self, $until_s) = @_;
    my @heard   = $self->SUPER::sleep_until($until_s);
    my $servers = $self->{servers};
    for my $pid (grep { $self->{ended}{$_} } keys %$servers) {
        delete $servers->{$pid};
        $self->end_group($pid);
    }
    return @heard;
}

# Returns a gate for the copies that are started next. The copies wait at its reading end. When its writing end is
# closed, they start. Replaces the guardian first if it has ended. Dies if one of these steps fails.
sub gate {
    my ($self) = @_;
    $self->_keep_guarded;
    return UnixBench::Process::EventLoop::plain_pipe();
}

# Takes the words of a command that is not a copy of a test, such as sync. Runs it and waits for its end or an
# interruption, at most 300 s (PATIENCE). Returns its wait status, or 127 << 8 if it can't be run or did not end. A
# program that did not end is not run again.
sub call {
    my ($self, @command) = @_;
    return $self->_called(sub { UnixBench::Process::Child::silence(0 .. 2) }, @command);
}

# Does the same. Returns the wait status and what the program wrote to standard error, at most 64 KB.
sub errors_of {
    my ($self, @command) = @_;
    my ($err,  $err_w)   = eval { UnixBench::Process::EventLoop::plain_pipe() };
    return (UnixBench::Process::Child::CANNOT_RUN() << 8, q{}) if !$err;
    my $connect = sub { UnixBench::Process::Child::silence(0, 1); POSIX::dup2(fileno $err_w, 2) };
    my $status  = $self->_called($connect, @command);
    close $err_w;
    UnixBench::Process::EventLoop::no_waiting($err);
    my $said = q{};
    sysread $err, $said, SAID_MOST;
    return ($status, $said);
}

sub _called {
    my ($self, $connect, @command) = @_;
    return UnixBench::Process::Child::CANNOT_RUN() << 8 if $self->{is_given_up}{ $command[0] };
    my $run = sub {
        $connect->();
        UnixBench::Process::Child::become_or_exit(@command);
    };
    my $pid = eval { UnixBench::Process::Child::start($run) } // return UnixBench::Process::Child::CANNOT_RUN() << 8;
    delete $self->{ended}{$pid};    # of an earlier process with that PID
    my $start_s = $self->{clock}->monotonic_s;
    for my $limit (PATIENCE) {
        my ($limit_s, $line) = @$limit;
        next if $self->_has_ended_by($pid, $start_s + $limit_s) || !$self->{waiting};
        $self->{waiting}->(sprintf $line, $command[0]);
    }
    my $ended = $self->ended({ $pid => 1 })->{$pid};
    kill 'KILL', $pid if !$ended;
    $self->{is_given_up}{ $command[0] } = 1 if !$ended;
    return $ended ? $ended->{status} : UnixBench::Process::Child::CANNOT_RUN() << 8;
}

# Waits for a child process until it has ended, an interruption came, or the clock shows that time. Returns whether one
# of the first two is the case.
sub _has_ended_by {
    my ($self, $pid, $until_s) = @_;
    $self->sleep_until($until_s)
        while !$self->{ended}{$pid} && !$self->interrupted && $self->{clock}->monotonic_s < $until_s;
    return $self->{ended}{$pid} || $self->interrupted;
}

# Sends a signal to all living processes that this program has started.
sub signal_all {
    my ($self, $signal) = @_;
    return $self->signal_group($signal, keys %{ $self->_groups });
}

# Takes a signal, and the PIDs of group leaders that were not collected yet. Sends the signal to them, to their groups
# and to all their descendants in other groups. Throws a UnixBench::Base::Halt if the system refuses to kill one of
# them: to wait for its end could take forever.
sub signal_group {
    my ($self, $signal, @pids) = @_;
    my %is_reached = map  { $_ => 1 } @pids;
    my @moved      = grep { !$is_reached{ getpgrp $_ } } @pids, UnixBench::Process::Tree::descendants(@pids);
    my $reached    = kill $signal, @moved, map { -$_ } @pids;
    for my $pid ($signal eq 'KILL' ? @pids : ()) {
        next if kill($signal, $pid) || !$!{EPERM};
        die UnixBench::Base::Halt->new(line => "can't end process $pid: $!; it may still be running\n");
    }
    return $reached;
}

# Returns whether a stop of that process spoils the measurement.
sub is_measured {
    my ($self, $pid) = @_;
    return exists $self->_groups->{$pid};
}

# Takes the PID of a group leader that has ended. Kills the rest of its group; returns whether there was one. Has to be
# called at once: the number of an empty group may soon be reused.
sub end_group {
    my ($self, $pid) = @_;
    delete $self->_groups->{$pid};
    my ($has_more) = UnixBench::Process::Tree::kill_groups($pid);
    if ($has_more) { $self->{dying}{$pid} = 1 }
    else           { $self->_tell_guardian("-$pid") }
    return $has_more ? 1 : 0;
}

# Waits until all processes that end_group() has killed are gone. Then ends orphans of copies in other groups.
sub clear_groups {
    my ($self) = @_;
    my @dying = keys %{ $self->{dying} };
    UnixBench::Process::Tree::wait_until_gone(@dying);
    $self->_tell_guardian("-$_") for @dying;
    $self->{dying} = {};
    return $self->_end_orphans;
}

# Kills the orphans that became children of this program, with all their descendants, until there are none or 2 s are
# over.
sub _end_orphans {
    my ($self) = @_;
    my $until_s = $self->{clock}->monotonic_s + GONE_S;
    my %inherited;
    while (my @orphans = $self->_orphans) {
        @inherited{@orphans} = ();
        kill KILL => @orphans, UnixBench::Process::Tree::descendants(@orphans);
        my $now_s = $self->{clock}->monotonic_s;
        last if $now_s >= $until_s;
        $self->sleep_until($now_s + LOOK_EACH_S);
    }
    delete @{ $self->{ended} }{ keys %inherited };
    return;
}

# Returns the orphans of copies among the children of this program. Process 1 also gets orphans of other programs, so
# in that case only those with a UB_SCRATCH in the scratch directory are returned.
sub _orphans {
    my ($self) = @_;
    return if !$self->{is_heir};
    my %is_known = (%{ $self->_groups }, map { $_ => 1 } $self->{guardian} ? $self->{guardian}->pid : ());
    my @orphans  = grep { !$is_known{$_} } UnixBench::Process::Tree::children($$);
    return @orphans if $$ != 1;
    return defined $self->{scratch} ? UnixBench::Process::Tree::given_directory_in($self->{scratch}, @orphans) : ();
}

sub _start_group {
    my ($self, $become, @with) = @_;
    my $pid = UnixBench::Process::Child::start($become, @with);
    setpgrp $pid, $pid;             # the child does the same: either process may run first
    push @{ $self->{new_groups} }, $pid;
    delete $self->{ended}{$pid};    # of an earlier process with that PID
    return $pid;
}

sub _become_server {
    my ($self, $server, $ready_w) = @_;
    setpgrp 0, 0;
    $self->_tell_guardian("+$$");
    my $output = POSIX::open($server->{output}, OUTPUT_FLAGS, 0600) // die "can't write $server->{output}: $!\n";
    my $null   = POSIX::open('/dev/null', POSIX::O_RDONLY());
    my $ready  = fileno $ready_w;
    POSIX::dup2($server->{input} ? fileno $server->{input} : $null, 0);
    POSIX::dup2($_->[0], $_->[1]) for [$server->{is_ready_by_output} ? $ready : $output, 1], [$output, 2];
    POSIX::close($_) for $null, $output;
    fcntl $ready_w, F_SETFD, 0 if !$server->{is_ready_by_output};
    $self->{signals}->give_to_child;
    my ($program, @arguments) = @{ $server->{command}->($ready) };
    UnixBench::Process::Child::become($program, @arguments);
    my $why_not = "can't run $program: $!\n";
    POSIX::write(2, $why_not, length $why_not);
    return POSIX::_exit(UnixBench::Process::Child::CANNOT_RUN());
}

# Runs in the child of start(): everything between fork and exec. There may be a thousand children, so it changes as
# little of Perl's memory as possible.
sub _become {
    my ($self, $child, $err_w, $ready_w) = @_;
    setpgrp 0, 0;
    $self->_tell_guardian("+$$");
    POSIX::dup2(fileno $err_w, 2);
    my $why_not = _set_up_input_and_output($child);
    fcntl $_, F_SETFD, 0 for $ready_w, $child->{go};
    @ENV{ keys %{ $child->{env} } } = values %{ $child->{env} };
    $ENV{UB_GATE}                   = join q{,}, map { fileno $_ } $ready_w, $child->{go};
    $ENV{UB_GATE_PIPES}             = join q{,}, map { (stat $_)[1] } $ready_w, $child->{go};
    $self->{signals}->give_to_child;

    if (!defined $why_not) {
        syswrite $ready_w, sprintf "T%.6f\n", $self->{clock}->monotonic_s;
        UnixBench::Process::Child::become(@{ $child->{command} });
        $why_not = int($!) . " can't run $child->{command}[0]";
    }
    syswrite $ready_w, "E$why_not";
    POSIX::_exit(UnixBench::Process::Child::CANNOT_RUN());
}

# Connects input and output, and changes to the directory. Returns "<errno> <what failed>", or undef.
sub _set_up_input_and_output {
    my ($child) = @_;
    my $stdin   = POSIX::open($child->{stdin},  POSIX::O_RDONLY()) or return int($!) . " can't read $child->{stdin}";
    my $stdout  = POSIX::open($child->{stdout}, OUTPUT_FLAGS, 0600) or return int($!) . " can't write $child->{stdout}";
    POSIX::dup2($stdin,  0);
    POSIX::dup2($stdout, 1);
    POSIX::close($_) for $stdin, $stdout;
    chdir $child->{dir} or return int($!) . " can't start in $child->{dir}";
    return;
}

# Returns the process groups that exist, { number => 1 }. New ones are kept in a list first: to add them to a hash
# between two forks would change more of the memory that parent and child share.
sub _groups {
    my ($self) = @_;
    $self->{groups}{$_} = 1 for splice @{ $self->{new_groups} ||= [] };
    return $self->{groups} ||= {};
}

# Sends a line about a process group to the guardian, see UnixBench::Process::Guardian.
sub _tell_guardian {
    my ($self, $text) = @_;
    return $self->{guardian} && $self->{guardian}->tell_of($text);
}

sub _keep_guarded {
    my ($self) = @_;
    my @left = ((map { keys %$_ } $self->_groups, $self->{dying} || {}), $self->{needs_last} ? 'last' : ());
    return $self->{guardian} && $self->{guardian}->keep(@left);
}

1;
