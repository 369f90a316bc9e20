package UnixBench::Measure::Pass;

# One pass of a test: starts its copies, releases them at the same instant, and waits until each has ended.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();
use UnixBench::Measure::Copy   ();

use constant {
    SILENCE_S      => 2,      # a program that is not ready by then does not know the gate
    UNSETTLED_MOST => 64,     # copies that are set up at the same time: each needs a second descriptor
    STUBBORN_S     => 2,      # from TERM to KILL for a copy that exceeds its time limit
    INTERRUPTION_S => 0.3,    # the same if the pass is no longer valid
};

# Takes process => UnixBench::Process and clock => UnixBench::Base::Clock.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(process clock)), $class;
}

# Runs the copies and returns their results, in order. After an interruption, or if this program was stopped meanwhile
# (the process's stops() grew), the copies are ended and their results are not valid. If a copy can't be started, ends
# the others and dies. Throws a UnixBench::Base::Halt if the disk is too full to set up a copy. Takes
#   command   function that takes the scratch directory of a copy and returns [words]
#   scratch   [directory of each copy]
#   dir       the directory in which the copies start
#   stdin     path of their standard input
#   limit_s   time limit
#   env       { NAME => value } for all copies (optional). Their programs report what they used, unless UB_USED is 0
#   under     the option with the command of the user under which they run (optional)
sub run {
    my ($self, %pass) = @_;
    my $process = $self->{process};
    @$self{qw(copies alive unsettled is_gate_unknown no_space)} = ([], {}, {}, 0, undef);
    @$self{qw(stops is_spoilt)}                                 = ($process->stops, $process->interrupted);
    my ($go, $gate) = $process->gate;
    my $why_not = $self->_start_all($go, \%pass);
    close $go;
    $self->_gather(0) if !defined $why_not;
    $_->gate_opens for @{ $self->{copies} };
    my $now_s = $self->{clock}->monotonic_s;
    close $gate;
    $_->let_go($now_s) for @{ $self->{copies} };
    $process->open_accounts($self->{alive});
    $self->_collect($now_s, defined $why_not ? 0 : $pass{limit_s});
    my $used = $process->close_accounts;
    $process->clear_groups;
    die $why_not if defined $why_not;
    die UnixBench::Base::Halt->new(line => "$self->{no_space}\n", is_no_space => 1) if defined $self->{no_space};
    return map { $_->result($used->{ $_->pid }) } @{ $self->{copies} };
}

sub _start_all {
    my ($self, $go, $pass) = @_;
    my $is_done = eval {
        for my $scratch (@{ $pass->{scratch} }) {
            $self->_start($scratch, $go, $pass);
            $self->_gather(UNSETTLED_MOST) if !$self->{is_gate_unknown};
            last if $self->{is_spoilt};
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
        env     => { UB_USED => 1, %{ $pass->{env} || {} }, UB_SCRATCH => $scratch, TMPDIR => $scratch },
    );
    my $copy = UnixBench::Measure::Copy->new(
        process => $self->{process},
        started => $started,
        stdout  => $stdout,
        under   => $pass->{under},
    );
    push @{ $self->{copies} }, $copy;
    $self->{$_}{ $copy->pid } = $copy for qw(alive unsettled);
    return;
}

# Takes a number. Waits until at most this many copies are unsettled: a settled copy waits at the gate, does not know
# the gate, or has ended.
sub _gather {
    my ($self, $most) = @_;
    my $unsettled       = $self->{unsettled};
    my $patient_until_s = $self->{clock}->monotonic_s + SILENCE_S;
    while (keys %$unsettled > $most && !$self->{is_spoilt}) {
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

# Waits until each copy has ended. Ends copies that exceed the time limit, and all copies of a pass that is no longer
# valid.
sub _collect {
    my ($self, $now_s, $limit_s) = @_;
    my @signals   = ([$now_s + $limit_s, 'TERM'], [$now_s + $limit_s + STUBBORN_S, 'KILL']);
    my $is_ending = 0;
    while (%{ $self->{alive} }) {
        if ($self->{is_spoilt} && !$is_ending++) {
            my $early_s = $self->{clock}->monotonic_s;
            @signals = ([$early_s, 'TERM'], [$early_s + INTERRUPTION_S, 'KILL']);
        }
        if (@signals && $signals[0][0] <= $self->{clock}->monotonic_s) {
            $self->_signal_all((shift @signals)->[1], $limit_s);
        }
        else {
            $self->_listen($signals[0] && $signals[0][0]);
        }
    }
    return;
}

sub _signal_all {
    my ($self, $signal, $limit_s) = @_;
    $self->{process}->signal_group($signal, keys %{ $self->{alive} });
    $_->ran_out_of_time($limit_s) for values %{ $self->{alive} };
    return;
}

sub _listen {
    my ($self, $until_s) = @_;
    my @heard    = $self->{process}->sleep_until($until_s);
    my $ended    = $self->{process}->ended($self->{alive});
    my %has_left = map { $_ => $self->{process}->end_group($_) } keys %$ended;
    $self->{is_spoilt} ||= $self->{process}->interrupted || $self->{process}->stops > $self->{stops};
    for my $heard (@heard) {
        my ($copy, $which) = @$heard;
        $copy->listen_to($which);
        delete $self->{unsettled}{ $copy->pid } if $copy->is_settled;
    }
    for my $pid (keys %$ended) {
        my $copy = delete $self->{alive}{$pid};
        delete $self->{unsettled}{$pid};
        $copy->end($ended->{$pid}, $has_left{$pid});
        $self->{is_spoilt} = 1 if defined($self->{no_space} //= $copy->lacked_space);
    }
    return;
}

1;
