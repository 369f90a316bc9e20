package UnixBench::Process::Process;

# The copies of a pass, what serves them, and the guardian: starts them, stops them, ends them. As a Sleeper it waits
# for what they do.

use strict;
use warnings;

use Fcntl qw(F_SETFD);
use POSIX ();

use parent 'UnixBench::Process::EventLoop';

use UnixBench::Process::Child    ();
use UnixBench::Process::Group    ();
use UnixBench::Process::Lifeline ();
use UnixBench::Process::Tree     ();

# Seconds after which a program that is called is said to be waited for, or is not waited for any longer; the lines.
use constant PATIENCE => (
    [10,  "waiting for \"%s\", which has not ended after 10 s\n"],
    [300, "going on without \"%s\", which has not ended after 300 s\n"],
);

use constant {
    OUTPUT_FLAGS => POSIX::O_WRONLY() | POSIX::O_CREAT() | POSIX::O_TRUNC(),
    LOOK_EACH_S  => 0.005,                                                     # whether what was killed is gone
    GONE_S       => 2,                                                         # for that
};

# Takes what a Sleeper takes, and perhaps waiting => function that is called with a line about a program that keeps this
# one waiting. From now on what copies leave behind is found, wherever it has moved to.
sub new {
    my ($class, %with) = @_;
    my $self = $class->SUPER::new(%with);
    $self->{waiting} = $with{waiting};
    $self->{is_heir} = UnixBench::Process::Tree::adopt_orphans(1);
    return $self;
}

# Ends what copies have left behind, gives the signals back, and lets the guardian go.
sub release {
    my ($self) = @_;
    $self->_end_orphans;
    UnixBench::Process::Tree::adopt_orphans(0) if $self->{is_heir};
    $self->SUPER::release;
    my $guardian = delete $self->{guardian} or return;
    return $guardian->release;
}

# Starts the guardian, which clears up when this program is gone, however it ended: the groups that are left and the
# scratch directory. Dies when it can't be started.
sub start_guardian {
    my ($self, $scratch) = @_;
    @$self{qw(scratch guardian)} = ($scratch, UnixBench::Process::Lifeline->new($scratch));
    return;
}

# A directory that is to be removed in the end, if it is empty: the guardian does that when this program can't.
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

# Starts a program in a process group of its own and returns { pid, err, ready }: reading ends of its
# standard error and of a pipe on which it says "T<monotonic seconds>\n" right before the exec, and, if it can't
# become that program, "E<errno> <what failed>"; all else comes from the program, whose UB_GATE names this pipe.
# Takes command => [words], dir, stdin and stdout (paths), go (the gate's reading end), env => { NAME => value }.
sub start {
    my ($self,  %child)   = @_;
    my ($err,   $err_w)   = UnixBench::Process::EventLoop::plain_pipe();
    my ($ready, $ready_w) = UnixBench::Process::EventLoop::plain_pipe();
    my $pid = $self->_start_group(\&_become, $self, \%child, $err_w, $ready_w);
    UnixBench::Process::EventLoop::no_waiting($_) for $err, $ready;
    return { pid => $pid, err => $err, ready => $ready };
}

# Starts a program that serves copies, in a process group of its own, and returns { pid, ready }: the reading end of a
# pipe on which it says that it is ready. Takes command => function from the number of the descriptor for that to
# words, and output => path for all else that it says; or, for a program that is ready when it says something on its
# standard output, is_ready_by_output => 1. Perhaps input => handle, which is its standard input then.
sub serve {
    my ($self, %server) = @_;
    $self->_keep_guarded;
    my ($ready, $ready_w) = UnixBench::Process::EventLoop::plain_pipe();
    my $pid = $self->_start_group(\&_become_server, $self, \%server, $ready_w);
    $self->{servers}{$pid} = 1;
    UnixBench::Process::EventLoop::no_waiting($ready);
    return { pid => $pid, ready => $ready };
}

# As a Sleeper does; when a server has ended, what is left of its group is killed at once.
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

# A gate for the copies that are started next: the reading end for them, the writing end whose closing lets them go.
# A guardian that has gone meanwhile is replaced before. Dies when that or the pipe can't be had.
sub gate {
    my ($self) = @_;
    $self->_keep_guarded;
    return UnixBench::Process::EventLoop::plain_pipe();
}

# Runs a program that is no copy of a test, such as sync, and waits for its end or an interruption, at most as long as
# PATIENCE says. Returns its wait status; for a program that can't be run, or did not end, 127 << 8; the latter is not
# run again.
sub call {
    my ($self, @command) = @_;
    return UnixBench::Process::Child::CANNOT_RUN() << 8 if $self->{is_given_up}{ $command[0] };
    my $pid = UnixBench::Process::Child::start(
        sub {
            UnixBench::Process::Child::silence(0 .. 2);
            UnixBench::Process::Child::become_or_exit(@command);
        }
    );
    delete $self->{ended}{$pid};    # another's, of that number
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

# Waits for a child process until it has ended, or an interruption came, or that time; returns whether one of the first
# two is so.
sub _has_ended_by {
    my ($self, $pid, $until_s) = @_;
    $self->sleep_until($until_s)
        while !$self->{ended}{$pid} && !$self->interrupted && $self->{clock}->monotonic_s < $until_s;
    return $self->{ended}{$pid} || $self->interrupted;
}

# Sends a signal to all that was started and lives.
sub signal_all {
    my ($self, $signal) = @_;
    return $self->signal_group($signal, keys %{ $self->_groups });
}

# Sends a signal to processes that lead a group and were not waited for, to their groups, and to all that descends from
# them, wherever that has moved to.
sub signal_group {
    my ($self, $signal, @pids) = @_;
    my %is_reached = map  { $_ => 1 } @pids;
    my @moved      = grep { !$is_reached{ getpgrp $_ } } @pids, UnixBench::Process::Tree::descendants(@pids);
    return kill $signal, @moved, map { -$_ } @pids;
}

# Whether a stop of that process spoils what is measured.
sub is_measured {
    my ($self, $pid) = @_;
    return exists $self->_groups->{$pid};
}

# Kills what is left of the group of a process that has ended. To be called at once: when nothing is left, the
# number may soon be another's.
sub end_group {
    my ($self, $pid) = @_;
    delete $self->_groups->{$pid};
    if (UnixBench::Process::Group::kill_left($pid)) { $self->{dying}{$pid} = 1 }
    else                                            { $self->_tell_guardian("-$pid") }
    return;
}

# Waits until what end_group() has killed is gone, and ends what copies have left elsewhere.
sub clear_groups {
    my ($self) = @_;
    my @dying = keys %{ $self->{dying} };
    UnixBench::Process::Group::wait_until_gone(@dying);
    $self->_tell_guardian("-$_") for @dying;
    $self->{dying} = {};
    return $self->_end_orphans;
}

# Kills the processes that this program has inherited, and all below them, until there are none.
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

# The children of this program that it has not started, but what it measures has.
sub _orphans {
    my ($self) = @_;
    return if !$self->{is_heir};
    my %is_known = (%{ $self->_groups }, map { $_ => 1 } $self->{guardian} ? $self->{guardian}->pid : ());
    my @orphans  = grep { !$is_known{$_} } UnixBench::Process::Tree::children($$);
    return @orphans if $$ != 1;
    return defined $self->{scratch} ? UnixBench::Process::Tree::given_directory_in($self->{scratch}, @orphans) : ();
}

# Starts a process that will be a process group; returns its number.
sub _start_group {
    my ($self, $become, @with) = @_;
    my $pid = UnixBench::Process::Child::start($become, @with);
    setpgrp $pid, $pid;             # the child does it too: whoever comes first
    push @{ $self->{new_groups} }, $pid;
    delete $self->{ended}{$pid};    # another's, of that number
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

# The child's part of start(): everything between fork and exec. There may be a thousand of these, so it
# touches as little of Perl's memory as it can.
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

# The process groups that live, { number => 1 }. New ones wait in a list: between two forks a hash would touch more
# of the memory that a fork lets both sides share.
sub _groups {
    my ($self) = @_;
    $self->{groups}{$_} = 1 for splice @{ $self->{new_groups} ||= [] };
    return $self->{groups} ||= {};
}

# Tells the guardian of a process group, see UnixBench::Process::Lifeline.
sub _tell_guardian {
    my ($self, $text) = @_;
    return $self->{guardian} && $self->{guardian}->tell_of($text);
}

sub _keep_guarded {
    my ($self) = @_;
    return $self->{guardian} && $self->{guardian}->keep(map { keys %$_ } $self->_groups, $self->{dying} || {});
}

1;
