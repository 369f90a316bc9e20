package UnixBench::Process;

# The only module that forks: it starts processes, sleeps until something happens to them, and ends them.
#
# Signals are blocked but for the moments in which it sleeps, so that none is lost between looking and
# sleeping, and none interrupts anything else.

use strict;
use warnings;

use Config ();
use Errno qw(EINTR);
use Fcntl qw(F_SETFD F_SETFL F_GETFL O_NONBLOCK FD_CLOEXEC);
use POSIX ();

use UnixBench::Guardian ();

use constant LEFTOVERS_S => 1;

my @DEADLY = qw(INT TERM HUP);

# Takes clock => UnixBench::Clock. There is one at a time, since it owns the signals of this program;
# release() gives them back.
sub new {
    my ($class, %with) = @_;
    my ($woken, $wake) = _pipe();
    _no_waiting($_) for $woken, $wake;
    my $self = bless { clock => $with{clock}, woken => $woken, wake => $wake, watched => q{}, ended => {}, old => {} },
        $class;
    $self->_catch_signals;
    $self->watch($woken);
    return $self;
}

# The name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{interrupted} }

# Gives the signals back as they were.
sub release {
    my ($self) = @_;
    POSIX::sigaction(POSIX->can("SIG$_")->(), $self->{old}{$_}) for keys %{ $self->{old} };
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $self->{usual_mask});
    close $self->{guardian} if $self->{guardian};
    waitpid $self->{guardian_pid}, 0 if $self->{guardian_pid};
    return;
}

# Starts the guardian: when this program is gone, however it ended, the guardian ends the groups that are
# left and removes the scratch directory.
sub start_guardian {
    my ($self, $scratch) = @_;
    my ($watched, $lifeline) = _pipe();
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
# standard error and of a pipe on which it says "T<monotonic seconds>\n" right before the exec, then
# "E<errno>\n" if that failed; what follows comes from the program, whose UB_GATE names this pipe.
# Takes command => [words], dir, stdin and stdout (paths), go (the gate's reading end), env => { NAME => value }.
sub start {
    my ($self, %child) = @_;
    my ($err, $err_w)     = _pipe();
    my ($ready, $ready_w) = _pipe();
    my $pid = _fork();
    $self->_become(\%child, $err_w, $ready_w) if !$pid;
    setpgrp $pid, $pid;    # the child does it too: whoever comes first
    _no_waiting($_) for $err, $ready;
    return { pid => $pid, err => $err, ready => $ready };
}

# A gate: the reading end for the copies, the writing end whose closing lets them go.
sub gate { return _pipe() }

# Runs a program that is no copy of a test, such as sync, and waits for its end or an interruption.
# Returns its wait status; a program that can't be run has status 127 << 8.
sub call {
    my ($self, @command) = @_;
    my $pid = _fork();
    if (!$pid) {
        $self->_unblock_signals;
        no warnings 'exec';
        exec { $command[0] } @command or POSIX::_exit(127);
    }
    $self->sleep_until(undef) while !$self->{ended}{$pid} && !$self->interrupted;
    my $ended = $self->ended->{$pid};
    return $ended ? $ended->{status} : 127 << 8;
}

# From now on sleep_until() wakes when the handle has something to read, and returns the name given here.
sub watch {
    my ($self, $handle, $name) = @_;
    vec($self->{watched}, fileno $handle, 1) = 1;
    $self->{name}[fileno $handle] = $name;
    return;
}

# No longer; to be called before the handle is closed.
sub unwatch {
    my ($self, $handle) = @_;
    vec($self->{watched}, fileno $handle, 1) = 0;
    return;
}

# Sleeps until a watched handle has something to read, a process ended, a signal came, or the clock shows
# that time (undef: no limit). Returns the names of the handles that have something to read.
sub sleep_until {
    my ($self, $until_s) = @_;
    my $timeout_s = defined $until_s ? $until_s - $self->{clock}->monotonic_s : undef;
    $timeout_s = 0 if defined $timeout_s && $timeout_s < 0;
    $self->_unblock_signals;
    my $found = select my $readable = $self->{watched}, undef, undef, $timeout_s;
    $self->_block_signals;
    $self->_reap;
    return if $found <= 0;
    vec($readable, fileno $self->{woken}, 1) = 0;
    return @{ $self->{name} }[_set_bits($readable)];
}

# Sleeps for that many seconds, or until an interruption.
sub pause {
    my ($self, $seconds) = @_;
    my $until_s = $self->{clock}->monotonic_s + $seconds;
    $self->sleep_until($until_s) while !$self->interrupted && $self->{clock}->monotonic_s < $until_s;
    return;
}

# The processes that ended since the last call: { pid => { status, at_s } }.
sub ended {
    my ($self) = @_;
    my $ended = $self->{ended};
    $self->{ended} = {};
    return $ended;
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
        select undef, undef, undef, 0.005
            while _is_group_alive($pid) && $self->{clock}->monotonic_s < $until_s;
    }
    syswrite $self->{guardian}, "-$pid\n" if $self->{guardian};
    return;
}

# The standard output of a short command, or undef when it can't be run or fails. Used before and after
# measuring, never during.
sub output_of {
    my ($command) = @_;
    my ($output, $output_w) = _pipe();
    my $pid = _fork();
    if (!$pid) {
        open STDIN,  '<',  '/dev/null';
        open STDERR, '>',  '/dev/null';
        open STDOUT, '>&', $output_w;
        no warnings 'exec';
        exec { $command->[0] } @$command or POSIX::_exit(127);
    }
    close $output_w;
    my $text = q{};
    1 while sysread $output, $text, 65_536, length $text;
    1 while waitpid($pid, 0) < 0 && $! == EINTR;
    return $? == 0 ? $text : undef;
}

# Runs a command in the foreground, with this program's own input and output; returns its wait status.
sub run_in_foreground {
    my ($command) = @_;
    my $pid = _fork();
    if (!$pid) {
        no warnings 'exec';
        exec { $command->[0] } @$command or POSIX::_exit(127);
    }
    1 while waitpid($pid, 0) < 0 && $! == EINTR;
    return $?;
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
    return die_of((split q{ }, $Config::Config{sig_name})[$signal]);
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
    my $stdin     = POSIX::open($child->{stdin}, POSIX::O_RDONLY());
    my $stdout    = $stdin && POSIX::open($child->{stdout}, POSIX::O_WRONLY() | POSIX::O_CREAT(), 0600);
    my $is_set_up = $stdout && chdir $child->{dir};
    my $why_not   = $! + 0;
    POSIX::dup2($stdin,        0) && POSIX::close($stdin)  if $stdin;
    POSIX::dup2($stdout,       1) && POSIX::close($stdout) if $stdout;
    POSIX::dup2(fileno $err_w, 2);
    fcntl $_, F_SETFD, 0 for $ready_w, $child->{go};
    @ENV{ keys %{ $child->{env} } } = values %{ $child->{env} };
    $ENV{UB_GATE} = join q{,}, fileno $ready_w, fileno $child->{go};
    $SIG{PIPE} = 'DEFAULT';    ## no critic (RequireLocalizedPunctuationVars)
    $self->_unblock_signals;
    if ($is_set_up) {
        syswrite $ready_w, sprintf "T%.6f\n", $self->{clock}->monotonic_s;
        no warnings 'exec';
        exec { $child->{command}[0] } @{ $child->{command} } or $why_not = $! + 0;
    }
    syswrite $ready_w, "E$why_not\n";
    POSIX::_exit(127);
}

# Collects the processes that ended.
sub _reap {
    my ($self) = @_;
    sysread $self->{woken}, my $bytes, 4096;
    while ((my $pid = waitpid -1, POSIX::WNOHANG()) > 0) {
        $self->{ended}{$pid} = { status => $?, at_s => $self->{clock}->monotonic_s };
    }
    return;
}

# The handlers run only while sleep_until() sleeps. They are POSIX's immediate ones: a handler that waits
# for Perl to be ready would not wake a sleeper whose signal came just before it fell asleep.
sub _catch_signals {
    my ($self) = @_;
    my $wake = $self->{wake};
    my %handler = (CHLD => sub { syswrite $wake, q{c} });
    for my $name (grep { ($SIG{$_} || q{}) ne 'IGNORE' } @DEADLY) {
        $handler{$name} = sub { $self->{interrupted} ||= $name; syswrite $wake, q{d} };
    }
    $self->{mask} = POSIX::SigSet->new(map { POSIX->can("SIG$_")->() } keys %handler);
    $self->{usual_mask} = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $self->{mask}, $self->{usual_mask});
    for my $name (keys %handler) {
        $self->{old}{$name} = POSIX::SigAction->new;
        POSIX::sigaction(POSIX->can("SIG$name")->(), POSIX::SigAction->new($handler{$name}), $self->{old}{$name});
    }
    return;
}

# Whether a process group has a member that is no zombie: those may stay for long where nobody collects them.
sub _is_group_alive {
    my ($group) = @_;
    return 0 if !kill 0, -$group;
    my @processes = glob '/proc/[0-9]*/stat' or return 1;
    for my $path (@processes) {
        open my $file, '<', $path or next;
        my ($state, $its_group) = (readline($file) // q{}) =~ /[)] (\S) [0-9]+ ([0-9]+)/ or next;
        return 1 if $its_group == $group && $state !~ /[ZX]/;
    }
    return 0;
}

sub _block_signals   { return POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $_[0]{mask}) }
sub _unblock_signals { return POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $_[0]{mask}) }

sub _fork {
    my $pid = fork;
    die "can't start a process: $!\n" if !defined $pid;
    return $pid;
}

# Without Perl's buffers: every fork and exec would flush those of all pipes, and so copy them.
sub _pipe {
    pipe my $reader, my $writer or die "can't make a pipe: $!\n";
    binmode $_, ':pop' for $reader, $writer;
    return ($reader, $writer);
}

sub _set_bits {
    my ($vector) = @_;
    my $bits = unpack 'b*', $vector;
    my @set;
    push @set, pos($bits) - 1 while $bits =~ /1/g;
    return @set;
}

sub _no_waiting {
    my ($handle) = @_;
    fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK;
    return;
}

1;
