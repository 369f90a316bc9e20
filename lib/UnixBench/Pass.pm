package UnixBench::Pass;

# One pass of a test: starts its copies, lets all go at the same instant, listens until each has ended.

use strict;
use warnings;

use UnixBench::Copy ();

use constant {
    SILENCE_S      => 2,      # a program that has not said in that time that it is ready knows no gate
    UNSETTLED_MOST => 64,     # more copies are started only when these are set up: each needs one descriptor more
    STUBBORN_S     => 2,      # from TERM to KILL for a copy out of time
    INTERRUPTION_S => 0.3,    # the same when the run is interrupted
};

# Takes process => UnixBench::Process and clock => UnixBench::Clock.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Runs the copies and returns their results, in order. Takes command => function from a copy's scratch
# directory to its words, scratch => [directory for each copy], dir, stdin (path), limit_s.
# After an interruption the copies are ended and their results are worth nothing. Dies when not all copies
# can be started; those that were are ended then.
sub run {
    my ($self, %pass) = @_;
    @$self{qw(copies alive unsettled is_gate_unknown)} = ([], {}, {}, 0);
    my ($go, $gate) = $self->{process}->gate;
    my $why_not = $self->_start_all($go, \%pass);
    close $go;
    $self->_gather(0) if !defined $why_not;
    my $now_s = $self->{clock}->monotonic_s;
    close $gate;
    $_->let_go($now_s) for @{ $self->{copies} };
    $self->_collect($now_s, defined $why_not ? 0 : $pass{limit_s});
    die $why_not if defined $why_not;
    return map { $_->result } @{ $self->{copies} };
}

# Returns why not all could be started, or undef.
sub _start_all {
    my ($self, $go, $pass) = @_;
    my $is_done = eval {
        for my $scratch (@{ $pass->{scratch} }) {
            last if $self->{process}->interrupted;
            $self->_start($scratch, $go, $pass);
            $self->_gather(UNSETTLED_MOST) if !$self->{is_gate_unknown};
        }
        1;
    };
    return $is_done ? undef : $@;
}

sub _start {
    my ($self, $scratch, $go, $pass) = @_;
    my $stdout  = "$scratch.out";
    my $started = $self->{process}->start(
        command => $pass->{command}->($scratch),
        dir     => $pass->{dir},
        stdin   => $pass->{stdin},
        stdout  => $stdout,
        go      => $go,
        env     => { UB_SCRATCH => $scratch, TMPDIR => $scratch },
    );
    my $copy = UnixBench::Copy->new(
        process => $self->{process},
        started => $started,
        stdout  => $stdout,
    );
    push @{ $self->{copies} }, $copy;
    $self->{$_}{ $copy->pid } = $copy for qw(alive unsettled);
    return;
}

# Waits until all but so many copies are at the gate, know none, or have ended.
sub _gather {
    my ($self, $most) = @_;
    my $unsettled       = $self->{unsettled};
    my $patient_until_s = $self->{clock}->monotonic_s + SILENCE_S;
    while (keys %$unsettled > $most && !$self->{process}->interrupted) {
        return $self->_give_up_on_gate if $self->{clock}->monotonic_s >= $patient_until_s;
        my $before = keys %$unsettled;
        $self->_listen($patient_until_s);
        $patient_until_s = $self->{clock}->monotonic_s + SILENCE_S if keys %$unsettled < $before;
    }
    return;
}

sub _give_up_on_gate {
    my ($self) = @_;
    $_->give_up_on_gate for values %{ $self->{unsettled} };
    $self->{unsettled}       = {};
    $self->{is_gate_unknown} = 1;
    return;
}

# Waits until each copy has ended, or is ended.
sub _collect {
    my ($self, $now_s, $limit_s) = @_;
    my @signals        = ([$now_s + $limit_s, 'TERM'], [$now_s + $limit_s + STUBBORN_S, 'KILL']);
    my $is_interrupted = 0;
    while (%{ $self->{alive} }) {
        @signals = _soon($self->{clock}->monotonic_s) if $self->{process}->interrupted && !$is_interrupted++;
        if (@signals && $signals[0][0] <= $self->{clock}->monotonic_s) {
            $self->_signal_all((shift @signals)->[1], $limit_s);
        }
        else {
            $self->_listen($signals[0] && $signals[0][0]);
        }
    }
    return;
}

sub _soon {
    my ($now_s) = @_;
    return ([$now_s, 'TERM'], [$now_s + INTERRUPTION_S, 'KILL']);
}

sub _signal_all {
    my ($self, $signal, $limit_s) = @_;
    for my $copy (values %{ $self->{alive} }) {
        $self->{process}->signal_group($signal, $copy->pid);
        $copy->ran_out_of_time($limit_s);
    }
    return;
}

# Sleeps until something happens to the copies, and tells them.
sub _listen {
    my ($self, $until_s) = @_;
    for my $heard ($self->{process}->sleep_until($until_s)) {
        my ($copy, $which) = @$heard;
        $copy->listen_to($which);
        delete $self->{unsettled}{ $copy->pid } if $copy->is_settled;
    }
    my $ended = $self->{process}->ended;
    for my $pid (keys %$ended) {
        my $copy = delete $self->{alive}{$pid} or next;
        delete $self->{unsettled}{$pid};
        $self->{process}->clear_group($pid);
        $copy->end($ended->{$pid});
    }
    return;
}

1;
