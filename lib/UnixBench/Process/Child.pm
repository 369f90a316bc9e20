package UnixBench::Process::Child;

# Starts child processes, makes them other programs, and collects them. No other module forks.

use strict;
use warnings;

use Errno qw(EINTR);
use POSIX ();

use UnixBench::Process::Signals ();

use constant CANNOT_RUN => 127;    # the exit status of a child that can't become a program, as in shells

# Takes a function and its arguments. Starts a process that calls it and then ends, even if it dies. Returns the number
# of the process. Dies if the system refuses to start one.
sub start {
    my ($do, @with) = @_;
    my $pid = fork;
    die "can't start a process: $!\n" if !defined $pid;
    return $pid if $pid;
    my $is_done = eval { $do->(@with); 1 };
    POSIX::_exit($is_done ? 0 : CANNOT_RUN);
}

# Makes this process another program. Returns only if that can't be run; $! says why.
sub become {
    my (@command) = @_;
    no warnings 'exec';
    return exec { $command[0] } @command;
}

# Makes a child another program, with the usual effects of signals, or ends it.
sub become_or_exit {
    my (@command) = @_;
    UnixBench::Process::Signals::usual_for_child();
    become(@command);
    POSIX::_exit(CANNOT_RUN);
}

# Connects these descriptors to /dev/null. Dies if it can't be opened.
sub silence {
    my (@descriptors) = @_;
    my $null = POSIX::open('/dev/null', POSIX::O_RDWR()) // die "can't open /dev/null: $!\n";
    POSIX::dup2($null, $_) for @descriptors;
    return;
}

# Returns whether a child process is there. Collects it if it has just ended.
sub is_running {
    my ($pid) = @_;
    return waitpid($pid, POSIX::WNOHANG()) == 0;
}

# Waits for the end of a child process. Returns its wait status.
sub status_of {
    my ($pid) = @_;
    1 while waitpid($pid, 0) < 0 && $! == EINTR;
    return $?;
}

1;
