package UnixBench::Process::Server;

# A program that serves the copies of a pass, such as an X server or a tracer: starts it, waits until it is ready, and
# ends it.

use strict;
use warnings;

use POSIX qw(SIGKILL SIGTERM);

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Base::Text      ();
use UnixBench::Process::Child  ();

use constant {
    STUBBORN_S    => 2,     # from TERM to KILL
    SAID_MAX      => 64,    # bytes that it writes when it is ready
    COMPLAINT_MAX => 200,
};

# Starts the server. Takes process => UnixBench::Process, clock => UnixBench::Base::Clock, and the arguments of
# UnixBench::Process::serve. Dies if the system refuses to start a process.
sub start {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process clock command output input is_ready_by_output));
    my ($process, $clock) = delete @$given{qw(process clock)};
    return bless { process => $process, clock => $clock, %{ $process->serve(%$given) } }, $class;
}

# Returns the PID of the server, which is also the number of its process group.
sub pid { my ($self) = @_; return $self->{pid} }

# Takes seconds. Waits at most that long for the line by which the server reports that it is ready. Returns this line
# without its end. Returns undef if the server has ended or was silent for too long, or if an interruption came.
sub ready {
    my ($self, $patience_s) = @_;
    my ($process, $ready)   = @$self{qw(process ready)};
    my $until_s = $self->{clock}->monotonic_s + $patience_s;
    my $said    = q{};
    $process->watch($ready, 'ready');
    until ($said =~ /\n/ || defined $self->status || $self->_is_too_late($until_s)) {
        $process->sleep_until($until_s);
        my $got = sysread $ready, $said, SAID_MAX, length $said;
        $process->unwatch($ready) if defined $got && !$got;
    }
    $process->unwatch($ready);
    return $said =~ /\A([^\n]*)\n/ ? $1 : undef;
}

# Returns the wait status of the server if it has ended, else undef.
sub status {
    my ($self) = @_;
    my $pid    = $self->{pid};
    my $ended  = $self->{process}->ended({ $pid => 1 })->{$pid};
    $self->{status} = $ended->{status} if $ended;
    return $self->{status};
}

# Takes seconds. Waits at most that long, or until an interruption, for the server to end by itself. Returns its wait
# status or undef.
sub ended_within {
    my ($self, $patience_s) = @_;
    my $until_s = $self->{clock}->monotonic_s + $patience_s;
    $self->{process}->sleep_until($until_s) until defined $self->status || $self->_is_too_late($until_s);
    return $self->status;
}

# Asks the server to end, then kills it with its whole group. Returns nothing if it ended for that reason. Otherwise
# returns how it ended: "killed by SIGSEGV", "exit status 1".
sub stop {
    my ($self) = @_;
    my $asked  = defined $self->status ? undef : $self->_end;
    my $status = $self->status;
    $self->{process}->clear_groups;
    close $self->{ready};
    return if defined $asked && ($status == 0 || ($status & 127) == $asked);
    return UnixBench::Process::Child::ending($status) // 'exit status 0';
}

# Takes the wait status of a server (undef if it has not ended), the path of its output, and a pattern for its errors.
# Returns in words why it does not work: it was killed, or its first error, or the first line that it printed.
sub complaint {
    my ($status, $output, $is_error) = @_;
    return 'it takes too long' if !defined $status;
    my $ending = UnixBench::Process::Child::ending($status) // 'it has ended';
    return $ending if $status & 127;
    my @said    = grep { /\S/ } split /\n/, UnixBench::Base::Files::content($output) // q{};
    my ($error) = grep { $_ =~ $is_error } @said;
    return $ending if !@said || !$status && !defined $error;
    my $text = UnixBench::Base::Text::clean(defined $error ? $error =~ s/.*?$is_error//r : $said[0]);
    return UnixBench::Base::Text::beginning(substr $text, 0, COMPLAINT_MAX);
}

sub _is_too_late {
    my ($self, $until_s) = @_;
    return $self->{process}->interrupted || $self->{clock}->monotonic_s >= $until_s;
}

sub _end {
    my ($self) = @_;
    my $process = $self->{process};
    $process->signal_group($_, $self->{pid}) for qw(TERM CONT);
    my $until_s = $self->{clock}->monotonic_s + STUBBORN_S;
    $process->sleep_until($until_s) while !defined $self->status && $self->{clock}->monotonic_s < $until_s;
    return SIGTERM if defined $self->status;
    $process->signal_group('KILL', $self->{pid});
    $process->sleep_until(undef) until defined $self->status;
    return SIGKILL;
}

1;
