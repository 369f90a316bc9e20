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
use UnixBench::Host::Cgroup      ();
use UnixBench::Host::KernelFiles ();
use UnixBench::Measure::Protocol ();
use UnixBench::Process::Child    ();

use constant {
    OUTPUT_MAX => 1_048_576,    # bytes of a program's standard output that are kept
    READ_SIZE  => 65_536,
    READS_MOST => 16,           # at a time: a program may write without end
    SAID_MAX   => 4096,         # bytes that are read before it is known whether a program knows the gate
};

# The clock that a program sees is wrong if it differs from that of the kernel, or of this program, by more than a part
# of the time, and more than a time.
use constant { CLOCK_PART => 0.02, CLOCK_LEAST_S => 0.02 };

use constant {
    NO_COUNT    => 'no COUNT line',
    ENDED_EARLY => 'ended before its program; it has to wait for that (cpulimit -f, setsid -w)',
    NOT_PASSED  => 'has to wait for its program, and to pass on its standard error',
};

my $GROUPS = UnixBench::Host::Cgroup->new(files => UnixBench::Host::KernelFiles->new);

# Takes process => UnixBench::Process, started => the return value of its start(), stdout, a path, and perhaps
# under, the option with the command under which the copy runs.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process started stdout under));
    my $self  = bless {
        (map { $_ => $given->{$_} } qw(process stdout)),
        %{ $given->{started} },
        reader => UnixBench::Measure::Protocol->new(is_under => defined $given->{under}),
        under  => $given->{under},
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
# not ended, so this is the time to see whether it is traced, and whether it was moved to other control groups.
sub listen_to {
    my ($self, $which) = @_;
    my $handle = $self->{$which} or return;
    if ($which eq 'err' && !$self->{ended} && UnixBench::Base::Proc::is_ours()) {
        $self->{tracer} //= UnixBench::Base::Proc::tracer(\&UnixBench::Base::Files::content, $self->{pid});
        $self->_note_groups;
    }
    my $take    = $which eq 'err' ? sub { $self->{reader}->add($_[0]) } : sub { $self->{said} .= $_[0] };
    my $is_open = _read($handle, $take);
    $self->_understand($is_open) if $which eq 'ready';
    $self->_close($which) if !$is_open || $which eq 'ready' && $self->{gated};
    return;
}

# Notes that a copy that has been silent for too long does not know the gate.
sub give_up_on_gate { my ($self) = @_; $self->{gated} = 0 if !defined $self->{gated}; return }

# Has to be called right before the gate opens: a copy that waits there may not have reported its work already.
sub gate_opens {
    my ($self) = @_;
    return if !$self->{gated};
    $self->_note_groups if UnixBench::Base::Proc::is_ours();
    my $reader = $self->{reader};
    _read($self->{err}, sub { $reader->add($_[0]) }) if $self->{err};
    return $reader->gate_opens;
}

# Notes the counters of the control groups to which the copy was moved. Once it has ended, it may be in none of them.
sub _note_groups {
    my ($self) = @_;
    my $stats = $GROUPS->cpu_stats_beyond($self->{pid});
    push @{ $self->{cpu_stats}{$_} }, $stats->{$_} for keys %$stats;
    return;
}

# Notes the time at which the gate opened for all copies. One that has ended before keeps its own time.
sub let_go {
    my ($self, $now_s) = @_;
    $self->{started_s} = $now_s if $self->{gated} && !$self->{ended};
    return;
}

# Takes { status, at_s } of its process, which has ended, and whether its group had other processes. Reads the rest of
# its output. If that does not end, there is another process that can write to it.
sub end {
    my ($self, $ended, $has_left) = @_;
    $self->{ended} = $ended;
    $self->listen_to($_) for qw(err ready);
    $self->{has_left} = $has_left || $self->{err} ? 1 : 0;
    $self->_close($_) for qw(err ready);
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

# Takes what its process has used, see UnixBench::Base::Proc::used, or undef. Returns the copy for the result, see
# Base/README.md. If it did not fail, it has count, timebase, unit and time_s: the seconds that it reported, or else the
# seconds since its start. work is what its program has reported, see used() of UnixBench::Measure::Protocol, or undef:
# it is not part of the result, and neither is cpu_stats: if the copy was moved, { path => [texts of its control groups,
# in order] }. Under a command, the process may be that of the command, so only that counts.
sub result {
    my ($self, $used) = @_;
    my $status    = $self->{ended}{status};
    my $started_s = defined $self->{started_s} ? $self->{started_s} : $self->{ended}{at_s};
    my $elapsed_s = $self->{ended}{at_s} - $started_s;
    my $error     = $self->_what_went_wrong // $self->_wrong_clock($elapsed_s);
    my $data      = $self->{reader}->data;
    my $work      = $self->{reader}->used;
    $data->{ERROR} = [$error] if defined $error;
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
        work      => $work,
        cpu_stats => $self->{cpu_stats},
        used      => _alone($work) // (defined $self->{under} ? undef : $used),
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
    my $wrong = what_went_wrong($self->{ended}{status}, $self->{reader}, $self->{limit_s});
    return $wrong if !defined $self->{under} || ($wrong // q{}) ne NO_COUNT;
    my $command = "the command of $self->{under}";
    return $self->{has_left} ? "$command " . ENDED_EARLY : "$wrong; $command " . NOT_PASSED;
}

# Takes the seconds of the copy by the clock of this program. Returns the error if that of the copy's program is another
# one, else undef.
sub _wrong_clock {
    my ($self, $elapsed_s) = @_;
    my $time_s   = ($self->{reader}->counted || {})->{time_s};
    my $work     = $self->{reader}->used || {};
    my @too_long = grep { defined && $_ - $elapsed_s > _tolerance_s($elapsed_s) } $time_s, $work->{span_s};
    my @clocks   = @too_long ? ($too_long[0], $elapsed_s) : @$work{qw(clock_s span_s)};
    return if !defined $clocks[0] || abs $clocks[0] - $clocks[1] <= _tolerance_s($clocks[1]);
    return sprintf 'its clock is wrong: it shows %.3f s, but %.3f s have passed; leave out what changes its clock',
        @clocks;
}

sub _tolerance_s {
    my ($seconds) = @_;
    return CLOCK_LEAST_S + CLOCK_PART * abs $seconds;
}

# Takes what a program has reported, or undef; returns it in the form of UnixBench::Base::Proc::used. It has the CPU
# time of children, too. Returns undef if it is unknown how long the process has waited for a CPU.
sub _alone {
    my ($work) = @_;
    return undef if !$work || !defined $work->{waited_s};    ## no critic (ProhibitExplicitReturnUndef)
    my %known = map { $_ => $work->{$_} } qw(waited_s switches forced_switches);
    return { ran_s => $work->{user_s} + $work->{kernel_s}, %known };
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
    return NO_COUNT if !$reader->counted;
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
