package UnixBench::Measure::Copy;

# A copy, one process of a test: its output, its start and end, its error.

use strict;
use warnings;

use Errno ();
use POSIX qw(SIGILL);

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Base::Files       ();
use UnixBench::Base::Halt        ();
use UnixBench::Base::Proc        ();
use UnixBench::Measure::Protocol ();
use UnixBench::Process::Child    ();

use constant {
    OUTPUT_MAX => 1_048_576,    # bytes of a program's standard output that are kept
    READ_SIZE  => 65_536,
    READS_MOST => 16,           # at a time: a program may write without end
    SAID_MAX   => 4096,         # bytes that are read before it is known whether a program knows the gate
};

# Takes process => UnixBench::Process::Process, started => the return value of its start(), stdout, a path, and perhaps
# is_under, see UnixBench::Measure::Protocol.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process started stdout is_under));
    my $self  = bless {
        (map { $_ => $given->{$_} } qw(process stdout)),
        %{ $given->{started} },
        reader => UnixBench::Measure::Protocol->new(is_under => $given->{is_under}),
        said   => q{},
    }, $class;
    $self->{process}->watch($self->{$_}, [$self, $_]) for qw(err ready);
    return $self;
}

sub pid { my ($self) = @_; return $self->{pid} }

# Returns whether it is known how the copy behaves at the gate: it waits there, it does not know the gate, or it has
# ended.
sub is_settled { my ($self) = @_; return defined $self->{gated} || $self->{ended} }

# Takes "err" or "ready"; reads everything that is available on this handle. When the copy reports, it has measured but
# not ended, so this is the time to see whether it is traced.
sub listen_to {
    my ($self, $which) = @_;
    my $handle = $self->{$which} or return;
    $self->{tracer} //= UnixBench::Base::Proc::tracer(\&UnixBench::Base::Files::content, $self->{pid})
        if $which eq 'err' && !$self->{ended};
    my $take    = $which eq 'err' ? sub { $self->{reader}->add($_[0]) } : sub { $self->{said} .= $_[0] };
    my $is_open = _read($handle, $take);
    $self->_understand($is_open) if $which eq 'ready';
    $self->_close($which) if !$is_open || $which eq 'ready' && $self->{gated};
    return;
}

# Notes that a copy that has been silent for too long does not know the gate.
sub give_up_on_gate { my ($self) = @_; $self->{gated} = 0 if !defined $self->{gated}; return }

# Notes the time at which the gate opened for all copies.
sub let_go {
    my ($self, $now_s) = @_;
    $self->{started_s} = $now_s if $self->{gated};
    return;
}

# Takes { status, at_s } of its process, which has ended. Reads the rest of its output.
sub end {
    my ($self, $ended) = @_;
    $self->{ended} = $ended;
    for my $which (qw(err ready)) {
        $self->listen_to($which);
        $self->_close($which);
    }
    $self->{reader}->finish;
    $self->{gated} ||= 0;
    return;
}

# Notes that it has exceeded its time limit and is being ended.
sub ran_out_of_time { my ($self, $limit_s) = @_; $self->{limit_s} = $limit_s; return }

# Returns the error if the copy could not be set up because a disk is full, else undef.
sub lacked_space {
    my ($self) = @_;
    return if !defined $self->{failure};
    my ($errno) = $self->{failure} =~ /\AE([0-9]+)/;
    return UnixBench::Base::Halt::means_no_space($errno) ? _why_not_started($self->{failure}) : undef;
}

# Returns the copy for the result, see Base/README.md. If it did not fail, it has count, timebase, unit and time_s: the
# seconds that it reported, or else the seconds since its start.
sub result {
    my ($self) = @_;
    my $status = $self->{ended}{status};
    my $error  = $self->_what_went_wrong;
    my $data   = $self->{reader}->data;
    $data->{ERROR} = [$error] if defined $error;
    my $started_s = defined $self->{started_s} ? $self->{started_s} : $self->{ended}{at_s};
    my $elapsed_s = $self->{ended}{at_s} - $started_s;
    return {
        pid       => $self->{pid},
        elapsed_s => $elapsed_s,
        status    => $status >> 8,
        signal    => $status & 127,
        error     => $error,
        gated     => $self->{gated},
        tracer    => $self->{tracer},
        output    => _head_of($self->{stdout}),
        data      => $data,
        (defined $error ? () : (time_s => $elapsed_s, %{ $self->{reader}->counted })),
    };
}

# Takes whether the pipe "ready" is still open; interprets the text that was read from it. "T<seconds>" and "E<errno>
# <what failed>" come from the child before it becomes the program. Anything else comes from the program.
sub _understand {
    my ($self, $is_open) = @_;
    $self->{said} = substr $self->{said}, 0, SAID_MAX;
    my ($started_s, $failure, $more) = $self->{said} =~ /\A(?:T([0-9.]+)\n)?(E[0-9]+ .+)?(.*)\z/s;
    $self->{started_s} = $started_s if defined $started_s;
    $self->{failure}   = $failure if defined $failure;
    $self->{gated}     = length $more ? 1 : 0 if !defined $self->{gated} && (length $more || !$is_open);
    return;
}

sub _close {
    my ($self, $which) = @_;
    my $handle = delete $self->{$which} or return;
    $self->{process}->unwatch($handle);
    close $handle;
    return;
}

sub _what_went_wrong {
    my ($self) = @_;
    return _why_not_started($self->{failure}) if defined $self->{failure};
    return what_went_wrong($self->{ended}{status}, $self->{reader}, $self->{limit_s});
}

# Takes the wait status of a copy that has ended, the UnixBench::Measure::Protocol that has read what it reported, and
# the time limit that it has exceeded, or undef. Returns its error, or undef.
sub what_went_wrong {
    my ($status, $reader, $limit_s) = @_;
    my $signal = $status & 127;
    my $ending = UnixBench::Process::Child::ending($status);
    my $said   = $reader->error;
    my @wrong;
    if (defined $limit_s) { push @wrong, sprintf 'out of time: not done after %g s', $limit_s }
    elsif ($signal) { push @wrong, $ending . ($signal == SIGILL ? ': built for another CPU?' : q{}) }
    push @wrong, $said if defined $said;
    return join '; ', @wrong if @wrong;
    return $ending if defined $ending;
    return 'no COUNT line' if !$reader->counted;
    return;
}

sub _why_not_started {
    my ($failure) = @_;
    my ($errno, $what) = $failure =~ /\AE([0-9]+) (.*)\z/s;
    local $! = $errno;
    return "$what: $!";
}

# Takes a handle and a function. Calls the function with everything that can be read now, at most a megabyte. Returns
# whether more may come.
sub _read {
    my ($handle, $take) = @_;
    for (1 .. READS_MOST) {
        my $got = sysread $handle, my $bytes, READ_SIZE;
        return !defined $got && ($!{EAGAIN} || $!{EINTR}) if !$got;
        $take->($bytes);
    }
    return 1;
}

sub _head_of {
    my ($path) = @_;
    my $file   = UnixBench::Base::Files::opened_plain($path) or return q{};
    my $got    = read $file, my $text, OUTPUT_MAX;
    close $file;
    return q{} if !$got;
    my $size = -s $path;
    return $text if $size <= OUTPUT_MAX;
    return sprintf "%s\n[cut: %d bytes of output, %d kept]\n", $text, $size, OUTPUT_MAX;
}

1;
