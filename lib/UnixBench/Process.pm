package UnixBench::Process;

# The only module that forks: it starts processes and ends them. As a Sleeper it waits for what they do.

use strict;
use warnings;

use Config qw(%Config);
use Errno  qw(EINTR);
use Fcntl  qw(F_SETFD);
use POSIX  ();

use parent 'UnixBench::Sleeper';

use UnixBench::Guardian ();

use constant {
    LEFTOVERS_S  => 1,    # what KILL has killed is waited for, but not for longer
    OUTPUT_FLAGS => POSIX::O_WRONLY() | POSIX::O_CREAT() | POSIX::O_TRUNC(),
};

# Gives the signals back, and lets the guardian go.
sub release {
    my ($self) = @_;
    $self->SUPER::release;
    return if !$self->{guardian};
    close $self->{guardian};
    waitpid $self->{guardian_pid}, 0;
    return;
}

# Starts the guardian: when this program is gone, however it ended, the guardian ends the groups that are
# left and removes the scratch directory.
sub start_guardian {
    my ($self,    $scratch)  = @_;
    my ($watched, $lifeline) = UnixBench::Sleeper::plain_pipe();
    my $pid = _fork();
    if (!$pid) {
        close $lifeline;
        UnixBench::Guardian::watch($watched, $scratch);
        POSIX::_exit(0);
    }
    @$self{qw(guardian guardian_pid)} = ($lifeline, $pid);
    return;
}

# Starts a program in a process group of its own and returns { pid, err, ready }: reading ends of its
# standard error and of a pipe on which it says "T<monotonic seconds>\n" right before the exec, and, if it can't
# become that program, "E<errno> <what failed>"; all else comes from the program, whose UB_GATE names this pipe.
# Takes command => [words], dir, stdin and stdout (paths), go (the gate's reading end), env => { NAME => value }.
sub start {
    my ($self,  %child)   = @_;
    my ($err,   $err_w)   = UnixBench::Sleeper::plain_pipe();
    my ($ready, $ready_w) = UnixBench::Sleeper::plain_pipe();
    my $pid = _fork();
    $self->_become(\%child, $err_w, $ready_w) if !$pid;
    setpgrp $pid, $pid;    # the child does it too: whoever comes first
    UnixBench::Sleeper::no_waiting($_) for $err, $ready;
    return { pid => $pid, err => $err, ready => $ready };
}

# A gate: the reading end for the copies, the writing end whose closing lets them go.
sub gate { return UnixBench::Sleeper::plain_pipe() }

# Runs a program that is no copy of a test, such as sync, and waits for its end or an interruption.
# Returns its wait status; a program that can't be run has status 127 << 8.
sub call {
    my ($self, @command) = @_;
    my $pid = _fork();
    if (!$pid) {
        _silence(0 .. 2);
        $self->unblock_signals;
        _exec_or_exit(@command);
    }
    $self->sleep_until(undef) while !$self->{ended}{$pid} && !$self->interrupted;
    kill 'KILL', $pid if $self->interrupted;
    my $ended = $self->ended->{$pid};
    return $ended ? $ended->{status} : 127 << 8;
}

# Sends a signal to what is left of a process group.
sub signal_group {
    my ($self, $signal, $pid) = @_;
    return kill $signal, -$pid;
}

# Ends what is left of the group of a process that has ended, and waits until it is gone.
sub clear_group {
    my ($self, $pid) = @_;
    if (kill 'KILL', -$pid) {
        my $until_s = $self->{clock}->monotonic_s + LEFTOVERS_S;
        select undef, undef, undef, 0.005 while _is_group_alive($pid) && $self->{clock}->monotonic_s < $until_s;
    }
    syswrite $self->{guardian}, "-$pid\n" if $self->{guardian};
    return;
}

# The standard output of a short command, or undef when it can't be run or fails. Used before and after
# measuring, never during.
sub output_of {
    my ($command) = @_;
    my ($output, $output_w) = UnixBench::Sleeper::plain_pipe();
    my $pid = _fork();
    if (!$pid) {
        _silence(0, 2);
        POSIX::dup2(fileno $output_w, 1);
        _exec_or_exit(@$command);
    }
    close $output_w;
    my $text = q{};
    1 while sysread $output, $text, 65_536, length $text;
    return _status_of($pid) == 0 ? $text : undef;
}

# Runs a command in the foreground, with this program's own input and output; returns its wait status.
sub run_in_foreground {
    my ($command) = @_;
    my $pid = _fork();
    _exec_or_exit(@$command) if !$pid;
    return _status_of($pid);
}

# Goes on as another program; dies when it can't be run.
sub become {
    my ($command) = @_;
    no warnings 'exec';
    exec { $command->[0] } @$command or die "can't run $command->[0]: $!\n";
}

# Ends this program as a program ended that the user interrupted, if that wait status says so.
sub die_as {
    my ($status) = @_;
    my $signal = $status & 127 or return;
    return die_of((split q{ }, $Config{sig_name})[$signal]);
}

# Ends this program by that signal, as the one who sent it expects.
sub die_of {
    my ($signal) = @_;
    my $number = POSIX->can("SIG$signal")->();
    $SIG{$signal} = 'DEFAULT';
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), POSIX::SigSet->new($number));
    kill $signal, $$;
    exit 128 + $number;
}

# The child's part of start(): everything between fork and exec. There may be a thousand of these, so it
# touches as little of Perl's memory as it can.
sub _become {
    my ($self, $child, $err_w, $ready_w) = @_;
    setpgrp 0, 0;
    syswrite $self->{guardian}, "+$$\n" if $self->{guardian};
    POSIX::dup2(fileno $err_w, 2);
    my $why_not = _set_up_input_and_output($child);
    fcntl $_, F_SETFD, 0 for $ready_w, $child->{go};
    @ENV{ keys %{ $child->{env} } } = values %{ $child->{env} };
    $ENV{UB_GATE}                   = join q{,}, fileno $ready_w, fileno $child->{go};
    $SIG{PIPE}                      = 'DEFAULT';
    $self->unblock_signals;

    if (!defined $why_not) {
        syswrite $ready_w, sprintf "T%.6f\n", $self->{clock}->monotonic_s;
        no warnings 'exec';
        exec { $child->{command}[0] } @{ $child->{command} }
            or $why_not = int($!) . " can't run $child->{command}[0]";
    }
    syswrite $ready_w, "E$why_not";
    POSIX::_exit(127);
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

# Whether a process group has a member that is no zombie: those may stay for long where nobody collects them.
sub _is_group_alive {
    my ($group) = @_;
    return 0 if !kill 0, -$group;
    my @processes = glob '/proc/[0-9]*/stat' or return 1;
    return scalar grep { _is_living_member($_, $group) } @processes;
}

# Takes the path of a process's stat (proc(5)): its state and its group stand behind the name in brackets.
sub _is_living_member {
    my ($path, $group) = @_;
    open my $file, '<', $path or return 0;
    my $stat = readline $file;
    close $file;
    my ($state, $its_group) = ($stat // q{}) =~ /[)] (\S) [0-9]+ ([0-9]+)/ or return 0;
    return $its_group == $group && $state !~ /[ZX]/;
}

# Lets these descriptors of a child lead to nowhere.
sub _silence {
    my (@descriptors) = @_;
    my $null = POSIX::open('/dev/null', POSIX::O_RDWR());
    POSIX::dup2($null, $_) for @descriptors;
    return;
}

# Makes a child another program, or ends it.
sub _exec_or_exit {
    my (@command) = @_;
    no warnings 'exec';
    exec { $command[0] } @command or POSIX::_exit(127);
}

# Waits for the end of a process; returns its wait status.
sub _status_of {
    my ($pid) = @_;
    1 while waitpid($pid, 0) < 0 && $! == EINTR;
    return $?;
}

sub _fork {
    my $pid = fork;
    die "can't start a process: $!\n" if !defined $pid;
    return $pid;
}

1;
