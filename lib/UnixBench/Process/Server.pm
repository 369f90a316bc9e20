package UnixBench::Process::Server;

# A program that serves the copies of a pass: it is started, waited for until it is ready, and ended.

use strict;
use warnings;

use POSIX qw(SIGKILL SIGTERM);

use UnixBench::Base::Files  ();
use UnixBench::Base::Format ();

use constant {
    STUBBORN_S    => 2,     # from TERM to KILL
    SAID_MAX      => 64,    # of what it says when it is ready, in bytes
    COMPLAINT_MAX => 200,
};

# Starts it. Takes process => UnixBench::Process::Process, clock => UnixBench::Base::Clock, and what
# UnixBench::Process::Process::serve takes. Dies when the system lets no more processes start.
sub start {
    my ($class, %with) = @_;
    my $started = $with{process}->serve(%with);
    return bless { (map { $_ => $with{$_} } qw(process clock)), %$started }, $class;
}

# The number of its process, and of its process group.
sub pid { my ($self) = @_; return $self->{pid} }

# Waits until it says that it is ready, which it may go on doing, but for so many seconds at most. Returns that line
# without its end, or undef when it has ended before, was silent for too long, or there was an interruption.
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

# Its wait status, once it has ended, else undef.
sub status {
    my ($self) = @_;
    my $pid    = $self->{pid};
    my $ended  = $self->{process}->ended({ $pid => 1 })->{$pid};
    $self->{status} = $ended->{status} if $ended;
    return $self->{status};
}

# Waits until it has ended by itself, but for so many seconds at most, and not beyond an interruption; returns its wait
# status, or undef.
sub ended_within {
    my ($self, $patience_s) = @_;
    my $until_s = $self->{clock}->monotonic_s + $patience_s;
    $self->{process}->sleep_until($until_s) until defined $self->status || $self->_is_too_late($until_s);
    return $self->status;
}

# Asks it to end, then makes it end, with all of its group. Returns, when it has ended otherwise than by that, how:
# "killed by SIGSEGV", "exit status 1".
sub stop {
    my ($self) = @_;
    my $asked  = defined $self->status ? undef : $self->_end;
    my $status = $self->status;
    $self->{process}->clear_groups;
    close $self->{ready};
    return if defined $asked && ($status == 0 || ($status & 127) == $asked);
    return UnixBench::Base::Format::ending($status) // 'exit status 0';
}

# Takes a wait status, undef where it has not ended, the path of what it said, and what its errors look like; returns in
# words why it does not serve: it was killed, or what it said of an error, or at first.
sub complaint {
    my ($status, $output, $is_error) = @_;
    return 'it takes too long' if !defined $status;
    my $ending = UnixBench::Base::Format::ending($status) // 'it has ended';
    return $ending if $status & 127;
    my @said    = grep { /\S/ } split /\n/, UnixBench::Base::Files::content($output) // q{};
    my ($error) = grep { $_ =~ $is_error } @said;
    return $ending if !@said || !$status && !defined $error;
    return substr UnixBench::Base::Format::clean(defined $error ? $error =~ s/.*?$is_error//r : $said[0]), 0,
        COMPLAINT_MAX;
}

sub _is_too_late {
    my ($self, $until_s) = @_;
    return $self->{process}->interrupted || $self->{clock}->monotonic_s >= $until_s;
}

# Returns the number of the signal that was sent last.
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
