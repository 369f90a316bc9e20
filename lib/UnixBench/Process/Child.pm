package UnixBench::Process::Child;

# Starts child processes, replaces them by other programs (exec), and collects them. No other module forks.

use strict;
use warnings;

use Config qw(%Config);
use Errno  qw(EINTR);
use POSIX  ();

use UnixBench::Process::Signals ();

use constant CANNOT_RUN => 127;    # the exit status of a child whose program can't be run, as in shells

# Takes a function and its arguments. Starts a process that calls the function and then ends, even if the function dies.
# Returns the PID. Dies if the system refuses to start a process.
sub start {
    my ($do, @with) = @_;
    my $pid = fork;
    die "can't start a process: $!\n" if !defined $pid;
    return $pid if $pid;
    my $is_done = eval { $do->(@with); 1 };
    POSIX::_exit($is_done ? 0 : CANNOT_RUN);
}

# Takes the words of a command. Replaces this process by that program. Returns only if the program can't be run; $! has
# the reason.
sub become {
    my (@command) = @_;
    no warnings 'exec';
    return exec { $command[0] } @command;
}

# The same as a program of Perl, whose arguments are these words.
use constant BECOME => 'exec {$ARGV[0]} @ARGV; exit 127';

# Does the same in a child process, with the default effects of signals. Ends the child if the program can't be run.
sub become_or_exit {
    my (@command) = @_;
    UnixBench::Process::Signals::usual_for_child();
    become(@command);
    POSIX::_exit(CANNOT_RUN);
}

# Takes file descriptors. Connects them to /dev/null. Dies if it can't be opened.
sub silence {
    my (@descriptors) = @_;
    my $null = POSIX::open('/dev/null', POSIX::O_RDWR()) // die "can't open /dev/null: $!\n";
    POSIX::dup2($null, $_) for @descriptors;
    return;
}

# Takes the PID of a child process. Returns whether it is still running. Collects it if it has ended.
sub is_running {
    my ($pid) = @_;
    return waitpid($pid, POSIX::WNOHANG()) == 0;
}

# Takes the PID of a child process. Waits for its end. Returns its wait status.
sub status_of {
    my ($pid) = @_;
    1 while waitpid($pid, 0) < 0 && $! == EINTR;
    return $?;
}

# Takes a wait status. Returns how the process ended: "killed by SIGSEGV", "killed by signal 40" if the signal has no
# name, "exit status 3", or undef for success.
sub ending {
    my ($status) = @_;
    my ($signal, $exit) = ($status & 127, $status >> 8);
    my $name = (split q{ }, $Config{sig_name})[$signal] // q{};
    return 'killed by ' . ($name =~ /\A(?!RT|NUM[0-9])./ ? "SIG$name" : "signal $signal") if $signal;
    return $exit ? "exit status $exit" : undef;
}

1;
