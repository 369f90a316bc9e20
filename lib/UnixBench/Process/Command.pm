package UnixBench::Process::Command;

# Runs short commands before and after measuring, and ends this program by a signal as the user expects.

use strict;
use warnings;

use Config qw(%Config);
use Fcntl  qw(F_GETFL O_RDONLY O_RDWR O_WRONLY);
use POSIX  ();

use UnixBench::Base::Clock        ();
use UnixBench::Process::Child     ();
use UnixBench::Process::EventLoop ();
use UnixBench::Process::Guardian  ();
use UnixBench::Process::Signals   ();
use UnixBench::Process::Tree      ();

use constant {
    PATIENCE_S   => 10,
    DYING_S      => 1,
    LOOK_S       => 0.25,             # interval between checks whether this program was asked to end
    REST_LEAST_S => 0.0001,           # before a child is asked again whether it has ended; then twice as long
    MB           => 1_048_576,
    MB_MAX       => 16,               # of output
    READ_SIZE    => 65_536,
    ASKED        => 'asked to end',
};

# The function that reports a command that was given up, the programs of such commands, and the output of commands that
# were run ahead, by their words.
my $tell = sub { };
my %is_given_up;
my %ahead;

# Takes a function. From now on it is called with a line about each command that is given up.
sub on_given_up { ($tell) = @_; return }

# Takes the words of a command. Returns its standard output, or undef if the command can't be run or fails. Gives up a
# command after 10 s or 16 MB of output, and does not run its program again. If this program is asked to end meanwhile,
# it ends the command first.
sub output_of {
    my ($command) = @_;
    run_ahead($command) if !exists $ahead{"@$command"};
    return delete $ahead{"@$command"};
}

# Takes commands that do not depend on each other. Runs them at the same time; output_of() then returns what each has
# printed, once. Where the system allows fewer processes or open files, output_of() runs the others later. Dies if none
# can be started.
sub run_ahead {
    my (@commands) = @_;
    my $before = UnixBench::Process::Signals::asked_to_end();
    UnixBench::Process::Signals::postponing_end(\&_run_ahead, $before, @commands);
    my $signal = UnixBench::Process::Signals::asked_to_end();
    die_of($signal) if defined $signal && !defined $before && !UnixBench::Process::Signals::are_caught();
    return;
}

sub _run_ahead {
    my ($before, @commands) = @_;
    my @wanted = grep { !$is_given_up{ _program($_) } } @commands;
    my @running;
    for my $command (@wanted) {
        my @of = eval { _start($command) } or last;
        push @running, [$command, @of];
    }
    die $@ if @wanted && !@running;
    $ahead{"@{ $_->[0] }"} = _output_of(@$_, $before) for @running;
    return;
}

# Returns the program of a command, without env and its variables.
sub _program {
    my ($command) = @_;
    my ($program) = grep { !/=|\A(?:env)\z/ } @$command;
    return $program;
}

sub _start {
    my ($command) = @_;
    my ($output, $output_w) = UnixBench::Process::EventLoop::plain_pipe();
    my $pid = UnixBench::Process::Child::start(\&_become, $command, $output_w);
    setpgrp $pid, $pid;    # the child does the same: either process may run first
    return ($pid, $output);
}

sub _output_of {
    my ($command, $pid, $output, $before) = @_;
    my $is_over = _is_over($before);
    my $text    = q{};
    my $status  = _has_read_all($output, \$text, $is_over) ? _status_of($pid, $is_over) : undef;
    return $status == 0 ? $text : undef if defined $status;
    kill 'KILL', -$pid;
    _status_of($pid, _is_over(1, DYING_S));
    return if ($is_over->() // q{}) eq ASKED;
    $is_given_up{ _program($command) } = 1;
    my $why = length $text < MB_MAX * MB ? "did not end within @{[PATIENCE_S]} s" : "printed more than @{[MB_MAX]} MB";
    $tell->("stopped \"@$command\": it $why\n");
    return;
}

# Runs in the child: starts the command in its own process group, so that the whole group can be ended.
sub _become {
    my ($command, $output_w) = @_;
    setpgrp 0, 0;
    UnixBench::Process::Child::silence(0, 2);
    POSIX::dup2(fileno $output_w, 1);
    return UnixBench::Process::Child::become_or_exit(@$command);
}

# Takes the signal that asked this program to end before the command, or undef, and optionally the seconds to wait.
# Returns a function. It returns the reason to stop waiting for the command, ASKED or 'time', or undef if there is none.
sub _is_over {
    my ($before, $patience_s) = @_;
    my $until_s = UnixBench::Base::Clock::coarse_s() + ($patience_s // PATIENCE_S);
    return sub {
        my $signal = UnixBench::Process::Signals::asked_to_end();
        return ASKED if defined $signal && !defined $before;
        return UnixBench::Base::Clock::coarse_s() < $until_s ? undef : 'time';
    };
}

# Appends the output from a pipe to a text. Returns whether the end was reached. If the output is too much or takes too
# long, it is not.
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

# Takes a PID and a function of _is_over(). Returns the wait status of that child, or undef if its end takes too long.
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

# Takes the words of a command. Runs it with this program's own input and output. Returns its wait status. If standard
# output can't be written to, the command gets /dev/null: its messages must not make it fail.
sub run_in_foreground {
    my ($command) = @_;
    my $become = sub { _replace_unwritable_output(); return UnixBench::Process::Child::become_or_exit(@$command) };
    return UnixBench::Process::Child::status_of(UnixBench::Process::Child::start($become));
}

sub _replace_unwritable_output {
    my $mode = fcntl STDOUT, F_GETFL, 0;
    UnixBench::Process::Child::silence(1) if defined $mode && ($mode & (O_WRONLY | O_RDWR)) == O_RDONLY;
    return;
}

# Does the same for a command that needs no terminal, in its own process group and without input. If this program is
# asked to end, or is killed, everything that the command has started ends. It stops while this program is stopped.
# Optionally takes a handle for the standard error of the command.
sub run_guarded {
    my ($command, $error) = @_;
    my $before = UnixBench::Process::Signals::asked_to_end();
    my $status = UnixBench::Process::Signals::postponing_end(\&_run_guarded, $before, $command, $error);
    my $signal = UnixBench::Process::Signals::asked_to_end();
    die_of($signal) if defined $signal && !defined $before;
    return $status;
}

sub _run_guarded {
    my ($before, $command, $error) = @_;
    my $guardian = UnixBench::Process::Guardian->new;
    my $pid      = UnixBench::Process::Child::start(\&_become_guarded, $guardian, $command, $error);
    setpgrp $pid, $pid;    # the child does the same: either process may run first
    my $is_stop_wanted = 0;
    local $SIG{TSTP} = ($SIG{TSTP} // q{}) eq 'IGNORE' ? 'IGNORE' : sub { $is_stop_wanted = 1 };
    my $is_over = sub {
        _stop_with($pid) if $is_stop_wanted;
        $is_stop_wanted = 0;
        return defined $before ? undef : UnixBench::Process::Signals::asked_to_end();
    };
    my $status = _status_of($pid, $is_over);
    my $births = UnixBench::Process::Tree::births(defined $status ? () : UnixBench::Process::Tree::descendants($pid));
    UnixBench::Process::Tree::end_groups($pid);
    kill KILL => UnixBench::Process::Tree::living_since($births);    # those in other groups
    $status //= _status_of($pid, _is_over(1, DYING_S));
    $guardian->tell_of("-$pid") if defined $status;
    $guardian->release;
    return $status;
}

# Runs in the child. It may write to a terminal that only lets the foreground write.
sub _become_guarded {
    my ($guardian, $command, $error) = @_;
    setpgrp 0, 0;
    POSIX::dup2(fileno $error, 2) if $error;
    $guardian->tell_of("+$$");
    UnixBench::Process::Child::silence(0);
    _replace_unwritable_output();
    $SIG{TTOU} = 'IGNORE';    ## no critic (RequireLocalizedPunctuationVars)
    return UnixBench::Process::Child::become_or_exit(@$command);
}

# Takes a process group. Stops it, and this program. Continues the group when this program is continued. Must not be
# called in a handler of this signal, because Perl blocks the signal there.
sub _stop_with {
    my ($group) = @_;
    kill STOP => -$group;
    local $SIG{TSTP} = 'DEFAULT';
    kill TSTP => $$;
    return kill CONT => -$group;
}

# Takes the words of a command. Replaces this program by it. Dies if the command can't be run.
sub become {
    my ($command) = @_;
    UnixBench::Process::Child::become(@$command);
    die "can't run $command->[0]: $!\n";
}

# Takes the wait status of a command. If a signal ended the command, ends this program by the same signal.
sub die_as {
    my ($status) = @_;
    my $signal = $status & 127 or return;
    return die_of((split q{ }, $Config{sig_name})[$signal]);
}

# Takes the name of a signal. Ends this program by that signal, as the sender expects.
sub die_of {
    my ($signal) = @_;
    my $number = UnixBench::Process::Signals::number($signal);
    $SIG{$signal} = 'DEFAULT';
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), POSIX::SigSet->new($number));
    kill $signal, $$;
    exit 128 + $number;
}

1;
