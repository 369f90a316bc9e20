package UnixBench::Process::Child;

# The only module that forks: the start of a child process, what it may become, its end.

use strict;
use warnings;

use Errno qw(EINTR);
use POSIX ();

use UnixBench::Process::Signals ();

use constant CANNOT_RUN => 127;    # the exit status of a child that can't become a program, as of a shell's

# Starts a process that calls this function and does nothing else, whatever happens in it; returns its number.
# Dies when the system lets no more processes start.
sub start {
    my ($do, @with) = @_;
    my $pid = fork;
    die "can't start a process: $!\n" if !defined $pid;
    return $pid if $pid;
    my $is_done = eval { $do->(@with); 1 };
    POSIX::_exit($is_done ? 0 : CANNOT_RUN);
}

# Makes this process another program. Returns, and $! says why, when that can't be run.
sub become {
    my (@command) = @_;
    no warnings 'exec';
    return exec { $command[0] } @command;
}

# Makes a child another program, to which signals do what they usually do, or ends it.
sub become_or_exit {
    my (@command) = @_;
    UnixBench::Process::Signals::usual_for_child();
    become(@command);
    POSIX::_exit(CANNOT_RUN);
}

# Lets these descriptors lead to nowhere. Dies where /dev/null is gone.
sub silence {
    my (@descriptors) = @_;
    my $null = POSIX::open('/dev/null', POSIX::O_RDWR()) // die "can't open /dev/null: $!\n";
    POSIX::dup2($null, $_) for @descriptors;
    return;
}

# Whether a child process is there; if it has just ended, it is collected.
sub is_running {
    my ($pid) = @_;
    return waitpid($pid, POSIX::WNOHANG()) == 0;
}

# Waits for the end of a child process; returns its wait status.
sub status_of {
    my ($pid) = @_;
    1 while waitpid($pid, 0) < 0 && $! == EINTR;
    return $?;
}

1;
