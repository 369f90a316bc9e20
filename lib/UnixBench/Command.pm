package UnixBench::Command;

# Short commands before and after measuring, and the end of this program as the user expects it.

use strict;
use warnings;

use Config qw(%Config);
use POSIX  ();

use UnixBench::Child   ();
use UnixBench::Sleeper ();

# The standard output of a command, or undef when it can't be run or fails.
sub output_of {
    my ($command) = @_;
    my ($output, $output_w) = UnixBench::Sleeper::plain_pipe();
    my $pid = UnixBench::Child::start(
        sub {
            UnixBench::Child::silence(0, 2);
            POSIX::dup2(fileno $output_w, 1);
            UnixBench::Child::become_or_exit(@$command);
        }
    );
    close $output_w;
    my $text = q{};
    1 while sysread $output, $text, 65_536, length $text;
    return UnixBench::Child::status_of($pid) == 0 ? $text : undef;
}

# Runs a command in the foreground, with this program's own input and output; returns its wait status.
sub run_in_foreground {
    my ($command) = @_;
    return UnixBench::Child::status_of(UnixBench::Child::start(sub { UnixBench::Child::become_or_exit(@$command) }));
}

# Goes on as another program; dies when it can't be run.
sub become {
    my ($command) = @_;
    UnixBench::Child::become(@$command);
    die "can't run $command->[0]: $!\n";
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

1;
