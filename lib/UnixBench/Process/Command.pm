package UnixBench::Process::Command;

# Short commands before and after measuring, and the end of this program as the user expects it.

use strict;
use warnings;

use Config qw(%Config);
use POSIX  ();

use UnixBench::Process::Child     ();
use UnixBench::Process::EventLoop ();
use UnixBench::Process::Signals   ();

use constant {
    PATIENCE_S   => 10,
    DYING_S      => 1,
    LOOK_S       => 0.25,             # between two looks at whether this program was asked to end
    REST_LEAST_S => 0.001,
    MB           => 1_048_576,
    MB_MAX       => 16,               # of what a command says
    READ_SIZE    => 65_536,
    ASKED        => 'asked to end',
};

# What is to be done with a line about a command that was given up, and the programs of those.
my $tell = sub { };
my %is_given_up;

# Takes a function; from now on it is called with a line about each command that is given up.
sub on_given_up { ($tell) = @_; return }

# The standard output of a command, or undef when it can't be run or fails. One that takes too long, or says too much,
# is ended and said to be given up; another command with the same program is not tried then. Asked to end meanwhile,
# this program ends the command first.
sub output_of {
    my ($command) = @_;
    my ($program) = grep { !/=|\A(?:env)\z/ } @$command;
    return if $is_given_up{$program};
    my $before = UnixBench::Process::Signals::asked_to_end();
    my $text   = UnixBench::Process::Signals::postponing_end(\&_output_of, $command, $program, $before);
    my $signal = UnixBench::Process::Signals::asked_to_end();
    die_of($signal) if defined $signal && !defined $before && !UnixBench::Process::Signals::are_caught();
    return $text;
}

sub _output_of {
    my ($command, $program, $before) = @_;
    my ($output, $output_w) = UnixBench::Process::EventLoop::plain_pipe();
    my $pid = UnixBench::Process::Child::start(\&_become, $command, $output_w);
    setpgrp $pid, $pid;    # the child does it too: whoever comes first
    close $output_w;
    my $is_over = _is_over($before);
    my $text    = q{};
    my $status  = _has_read_all($output, \$text, $is_over) ? _status_of($pid, $is_over) : undef;
    return $status == 0 ? $text : undef if defined $status;
    kill 'KILL', -$pid;
    _status_of($pid, _is_over(1, DYING_S));
    return if ($is_over->() // q{}) eq ASKED;
    $is_given_up{$program} = 1;
    my $why = length $text < MB_MAX * MB ? "did not end within @{[PATIENCE_S]} s" : "said more than @{[MB_MAX]} MB";
    $tell->("gave up \"@$command\", which $why\n");
    return;
}

# In a process group of its own, so that all of it can be ended.
sub _become {
    my ($command, $output_w) = @_;
    setpgrp 0, 0;
    UnixBench::Process::Child::silence(0, 2);
    POSIX::dup2(fileno $output_w, 1);
    return UnixBench::Process::Child::become_or_exit(@$command);
}

# Returns a function that tells why a command is not waited for any longer, undef while it is.
sub _is_over {
    my ($before, $patience_s) = @_;
    my $until_s = _now_s() + ($patience_s // PATIENCE_S);
    return sub {
        my $signal = UnixBench::Process::Signals::asked_to_end();
        return ASKED if defined $signal && !defined $before;
        return _now_s() < $until_s ? undef : 'time';
    };
}

# Appends to a text what comes from a pipe. Returns whether that is all; not so when it is too much or takes too long.
sub _has_read_all {
    my ($output, $text, $is_over) = @_;
    while (length $$text < MB_MAX * MB && !defined $is_over->()) {
        vec(my $readable = q{}, fileno $output, 1) = 1;
        next if select($readable, undef, undef, LOOK_S) <= 0;
        my $got = sysread $output, $$text, READ_SIZE, length $$text;
        return 1 if defined $got && !$got;
    }
    return;
}

# The wait status of a child, undef when that takes too long.
sub _status_of {
    my ($pid, $is_over) = @_;
    my $rest_s = REST_LEAST_S;
    while (UnixBench::Process::Child::is_running($pid)) {
        return if defined $is_over->();
        select undef, undef, undef, $rest_s;
        $rest_s *= 2 if $rest_s < LOOK_S / 2;
    }
    return $?;
}

# Time::HiRes may be missing here: see DESIGN.
sub _now_s { return (POSIX::times())[0] / POSIX::sysconf(POSIX::_SC_CLK_TCK()) }

# Runs a command in the foreground, with this program's own input and output; returns its wait status.
sub run_in_foreground {
    my ($command) = @_;
    return UnixBench::Process::Child::status_of(
        UnixBench::Process::Child::start(sub { UnixBench::Process::Child::become_or_exit(@$command) }));
}

# Goes on as another program; dies when it can't be run.
sub become {
    my ($command) = @_;
    UnixBench::Process::Child::become(@$command);
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
    my $number = UnixBench::Process::Signals::number($signal);
    $SIG{$signal} = 'DEFAULT';
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), POSIX::SigSet->new($number));
    kill $signal, $$;
    exit 128 + $number;
}

1;
