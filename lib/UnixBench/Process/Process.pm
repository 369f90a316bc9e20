package UnixBench::Process::Process;

# Starts, stops and ends the copies of a pass, the servers that they need, and the guardian. As an event loop it waits
# for them.

use strict;
use warnings;

use Fcntl qw(F_SETFD);
use POSIX ();

use parent 'UnixBench::Process::EventLoop';

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Process::Child    ();
use UnixBench::Process::Guardian ();
use UnixBench::Process::Tree     ();

# A program that is called: after how many seconds the user is told that it is waited for, or given up, and the lines.
use constant PATIENCE => (
    [10,  "waiting for \"%s\", which has not ended after 10 s\n"],
    [300, "going on without \"%s\", which has not ended after 300 s\n"],
);

use constant {
    OUTPUT_FLAGS => POSIX::O_WRONLY() | POSIX::O_CREAT() | POSIX::O_TRUNC(),
    LOOK_EACH_S  => 0.005,                                                     # whether what was killed is gone
    GONE_S       => 2,                                                         # the longest wait for that
};

# Takes clock => UnixBench::Base::Clock, and perhaps waiting => function that is called with a line about a program that
# keeps this one waiting. From now on it finds processes that copies leave behind, even in other groups.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock waiting));
    my $self  = $class->SUPER::new(clock => $given->{clock});
    $self->{waiting} = $given->{waiting};
    $self->{is_heir} = UnixBench::Process::Tree::adopt_orphans(1);
    return $self;
}

# Ends the processes that copies have left behind, gives the signals back, and lets the guardian go.
sub release {
    my ($self) = @_;
    $self->_end_orphans;
    UnixBench::Process::Tree::adopt_orphans(0) if $self->{is_heir};
    $self->SUPER::release;
    my $guardian = delete $self->{guardian} or return;
    return $guardian->release;
}

# Takes the scratch directory. Starts the guardian, which removes it and ends all groups when this program is gone,
# however it ended. Dies if it can't be started.
sub start_guardian {
    my ($self, $scratch) = @_;
    @$self{qw(scratch guardian)} = ($scratch, UnixBench::Process::Guardian->new(scratch => $scratch));
    return;
}

# Takes a directory that has to be removed in the end, if it is empty: the guardian does that if this program can't.
sub own {
    my ($self, $directory) = @_;
    return $self->{guardian} && $self->{guardian}->own($directory);
}

# Removes such a directory.
sub remove {
    my ($self, $directory) = @_;
    rmdir $directory;
    return $self->{guardian} && $self->{guardian}->disown($directory);
}

# Starts a program in a process group of its own. Takes command => [words], dir, stdin and stdout (paths), go (the
# gate's reading end), env => { NAME => value }. Returns { pid, err, ready }: the reading ends of its standard error and
# of a pipe. On that pipe comes "T<monotonic seconds>\n" right before the exec, or "E<errno> <what failed>" if it can't
# become that program. All else on it comes from the program, whose UB_GATE names the pipe.
sub start {
    my ($self,  %child)   = @_;
    my ($err,   $err_w)   = UnixBench::Process::EventLoop::plain_pipe();
    my ($ready, $ready_w) = UnixBench::Process::EventLoop::plain_pipe();
    my $pid = $self->_start_group(\&_become, $self, \%child, $err_w, $ready_w);
    UnixBench::Process::EventLoop::no_waiting($_) for $err, $ready;
    return { pid => $pid, err => $err, ready => $ready };
}

# Starts a program that serves copies, in a process group of its own. Takes command => function from the number of a
# descriptor to words, output => the path for its output, and perhaps input => handle, its standard input. Returns {
# pid, ready }: the reading end of a pipe on which it says that it is ready. It writes to that descriptor or, with
# is_ready_by_output => 1, to its standard output.
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

# Returns a gate for the copies that are started next: the reading end for them, and the writing end that lets them go
# when it is closed. Replaces the guardian first if it has ended. Dies if one of that fails.
sub gate {
    my ($self) = @_;
    $self->_keep_guarded;
    return UnixBench::Process::EventLoop::plain_pipe();
}

# Takes the words of a command that is not a copy of a test, such as sync. Runs it and waits for its end or an
# interruption, at most as long as PATIENCE says. Returns its wait status, or 127 << 8 if it can't be run or did not
# end. A program that did not end is not run again.
sub call {
    my ($self, @command) = @_;
    return UnixBench::Process::Child::CANNOT_RUN() << 8 if $self->{is_given_up}{ $command[0] };
    my $pid = UnixBench::Process::Child::start(
        sub {
            UnixBench::Process::Child::silence(0 .. 2);
            UnixBench::Process::Child::become_or_exit(@command);
        }
    );
    delete $self->{ended}{$pid};    # of an earlier process with that number
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

# Takes a signal and processes that lead a group and were not collected yet. Sends the signal to them, to their groups
# and to all their descendants in other groups.
sub signal_group {
    my ($self, $signal, @pids) = @_;
    my %is_reached = map  { $_ => 1 } @pids;
    my @moved      = grep { !$is_reached{ getpgrp $_ } } @pids, UnixBench::Process::Tree::descendants(@pids);
    return kill $signal, @moved, map { -$_ } @pids;
}

# Returns whether a stop of that process spoils the measurement.
sub is_measured {
    my ($self, $pid) = @_;
    return exists $self->_groups->{$pid};
}

# Kills the rest of the group of a process that has ended. Has to be called at once: the number of an empty group may
# soon be reused.
sub end_group {
    my ($self, $pid) = @_;
    delete $self->_groups->{$pid};
    if (UnixBench::Process::Tree::kill_groups($pid)) { $self->{dying}{$pid} = 1 }
    else                                             { $self->_tell_guardian("-$pid") }
    return;
}

# Waits until everything that end_group() has killed is gone, and ends processes that copies have left in other groups.
sub clear_groups {
    my ($self) = @_;
    my @dying = keys %{ $self->{dying} };
    UnixBench::Process::Tree::wait_until_gone(@dying);
    $self->_tell_guardian("-$_") for @dying;
    $self->{dying} = {};
    return $self->_end_orphans;
}

# Kills the processes that this program has inherited, and all their descendants, until there are none.
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

# Returns the children of this program that were started by what it measures.
sub _orphans {
    my ($self) = @_;
    return if !$self->{is_heir};
    my %is_known = (%{ $self->_groups }, map { $_ => 1 } $self->{guardian} ? $self->{guardian}->pid : ());
    my @orphans  = grep { !$is_known{$_} } UnixBench::Process::Tree::children($$);
    return @orphans if $$ != 1;
    return defined $self->{scratch} ? UnixBench::Process::Tree::given_directory_in($self->{scratch}, @orphans) : ();
}

# Starts a process with a process group of its own. Returns its number.
sub _start_group {
    my ($self, $become, @with) = @_;
    my $pid = UnixBench::Process::Child::start($become, @with);
    setpgrp $pid, $pid;             # the child does the same, as either may be first
    push @{ $self->{new_groups} }, $pid;
    delete $self->{ended}{$pid};    # of an earlier process with that number
    return $pid;
}

# The child's part of serve().
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

# The child's part of start(): everything between fork and exec. There may be a thousand children, so it touches as
# little of Perl's memory as it can.
sub _become {
    my ($self, $child, $err_w, $ready_w) = @_;
    setpgrp 0, 0;
    $self->_tell_guardian("+$$");
    POSIX::dup2(fileno $err_w, 2);
    my $why_not = _set_up_input_and_output($child);
    fcntl $_, F_SETFD, 0 for $ready_w, $child->{go};
    @ENV{ keys %{ $child->{env} } } = values %{ $child->{env} };
    $ENV{UB_GATE} = join q{,}, fileno $ready_w, fileno $child->{go};
    $self->{signals}->give_to_child;

    if (!defined $why_not) {
        syswrite $ready_w, sprintf "T%.6f\n", $self->{clock}->monotonic_s;
        UnixBench::Process::Child::become(@{ $child->{command} });
        $why_not = int($!) . " can't run $child->{command}[0]";
    }
    syswrite $ready_w, "E$why_not";
    POSIX::_exit(UnixBench::Process::Child::CANNOT_RUN());
}

# Returns "<errno> <what failed>", or undef.
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

# Returns the process groups that live, { number => 1 }. New ones wait in a list: between two forks a hash would touch
# more of the memory that parent and child share.
sub _groups {
    my ($self) = @_;
    $self->{groups}{$_} = 1 for splice @{ $self->{new_groups} ||= [] };
    return $self->{groups} ||= {};
}

# Tells the guardian of a process group, see UnixBench::Process::Guardian.
sub _tell_guardian {
    my ($self, $text) = @_;
    return $self->{guardian} && $self->{guardian}->tell_of($text);
}

sub _keep_guarded {
    my ($self) = @_;
    return $self->{guardian} && $self->{guardian}->keep(map { keys %$_ } $self->_groups, $self->{dying} || {});
}

1;
