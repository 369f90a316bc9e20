package UnixBench::Pass;

# One pass of a test: starts its copies, lets all go at the same instant, listens until each has ended.

use strict;
use warnings;

use UnixBench::Copy ();

use constant {
    SILENCE_S       => 2,      # a program that has not said in that time that it is ready knows no gate
    STUBBORN_S      => 2,      # from TERM to KILL for a copy out of time
    INTERRUPTION_S  => 0.3,    # the same when the run is interrupted
};

# Takes process => UnixBench::Process and clock => UnixBench::Clock.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Runs the copies and returns their results, in order. Takes command => coderef from a copy's number and its
# scratch directory to its words, scratch => [directory for each copy], dir, stdin (path), limit_s, program.
# After an interruption the copies are ended and their results are worth nothing.
sub run {
    my ($self, %pass) = @_;
    @$self{qw(copies by_pid ending)} = ([], {}, []);
    my ($go, $gate) = $self->{process}->gate;
    for my $number (1 .. @{ $pass{scratch} }) {
        last if $self->{process}->interrupted;
        $self->_start($number, $go, \%pass);
    }
    close $go;
    $self->_gather;
    my $now_s = $self->{clock}->monotonic_s;
    close $gate;
    $_->let_go($now_s) for @{ $self->{copies} };
    $self->{ending} = [[$now_s + $pass{limit_s}, 'TERM'], [$now_s + $pass{limit_s} + STUBBORN_S, 'KILL']];
    $self->{limit_s} = $pass{limit_s};
    $self->_collect;
    return map { $_->result } @{ $self->{copies} };
}

sub _start {
    my ($self, $number, $go, $pass) = @_;
    my $scratch = $pass->{scratch}[$number - 1];
    my $stdout  = "$scratch.out";
    my $process = $self->{process}->start(
        command => $pass->{command}->($scratch),
        dir     => $pass->{dir},
        stdin   => $pass->{stdin},
        stdout  => $stdout,
        go      => $go,
        env     => { UB_SCRATCH => $scratch, TMPDIR => $scratch },
    );
    my $copy = UnixBench::Copy->new(
        number  => $number,
        process => $process,
        stdout  => $stdout,
        program => $pass->{program},
    );
    push @{ $self->{copies} }, $copy;
    $self->{by_pid}{ $copy->pid } = $copy;
    return;
}

# Waits until each copy is at the gate, knows none, or has ended.
sub _gather {
    my ($self) = @_;
    my $patient_until_s = $self->{clock}->monotonic_s + SILENCE_S;
    my $unsettled = @{ $self->{copies} };
    while ($unsettled && !$self->{process}->interrupted && $self->{clock}->monotonic_s < $patient_until_s) {
        my @waiting = grep { !$_->is_settled } @{ $self->{copies} };
        $patient_until_s = $self->{clock}->monotonic_s + SILENCE_S if @waiting < $unsettled;
        $unsettled = @waiting;
        $self->_listen($patient_until_s, @waiting) if @waiting;
    }
    $_->give_up_on_gate for @{ $self->{copies} };
    return;
}

# Waits until each copy has ended, or is ended.
sub _collect {
    my ($self) = @_;
    while (my @alive = grep { $_->is_alive } @{ $self->{copies} }) {
        $self->_end_soon if $self->{process}->interrupted;
        $self->_signal(@alive);
        $self->_listen($self->{ending}[0] && $self->{ending}[0][0], @alive);
    }
    return;
}

# Signals whose time has come.
sub _signal {
    my ($self, @alive) = @_;
    while (@{ $self->{ending} } && $self->{ending}[0][0] <= $self->{clock}->monotonic_s) {
        my (undef, $signal) = @{ shift @{ $self->{ending} } };
        for my $copy (@alive) {
            $self->{process}->signal_group($signal, $copy->pid);
            $copy->is_out_of_time($self->{limit_s});
        }
    }
    return;
}

sub _end_soon {
    my ($self) = @_;
    return if $self->{is_ending_soon}++;
    my $now_s = $self->{clock}->monotonic_s;
    $self->{ending} = [[$now_s, 'TERM'], [$now_s + INTERRUPTION_S, 'KILL']];
    return;
}

sub _listen {
    my ($self, $until_s, @copies) = @_;
    my %copy_of;
    for my $copy (@copies) { $copy_of{ fileno $_ } = $copy for $copy->handles }
    my @heard = $self->{process}->sleep_until($until_s, map { $_->handles } @copies);
    my %heard = map { $_->pid => $_ } map { $copy_of{ fileno $_ } } @heard;
    $_->listen_to for values %heard;
    my $ended = $self->{process}->ended;
    for my $pid (grep { $self->{by_pid}{$_} } keys %$ended) {
        $self->{process}->clear_group($pid);
        $self->{by_pid}{$pid}->end($ended->{$pid});
    }
    return;
}

1;
