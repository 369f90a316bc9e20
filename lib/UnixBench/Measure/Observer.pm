package UnixBench::Measure::Observer;

# When all is measured: makes each test once more, for a short time, and keeps which system calls it made.

use strict;
use warnings;

use UnixBench::Base::Result          qw(is_measured);
use UnixBench::Measure::ObservedPass ();
use UnixBench::Score::Score          ();
use UnixBench::Trace::Syscalls       ();

# Takes process => UnixBench::Process::Process, workplace => UnixBench::Measure::PassSandbox, tracer, see
# UnixBench::Trace::Tracer, with_rows, whether processes are told apart, and functions to call as things happen: on => {
# observing => (what will be observed, tests of the plan), observation_started and observed => (test, run, the run's
# number from 0) }.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Takes runs, see UnixBench::Measure::Runner, and what was observed of them before, [{ name of test => observed }, ...],
# perhaps of more than there are now; the tests get that.
sub keep {
    my ($runs, $kept) = @_;
    for my $number (0 .. $#$runs) {
        my $of = $kept->[$number] || {};
        $_->{observed} = $of->{ $_->{name} } for grep { $of->{ $_->{name} } } @{ $runs->[$number]{tests} };
    }
    return;
}

# Takes the plan and its runs; each test that was measured gets its observed, see UnixBench::Trace::Syscalls, but for
# those that have it. An interruption ends it.
sub observe {
    my ($self, $plan, $runs) = @_;
    my %planned = map { $_->{name} => $_ } @{ $plan->{tests} };
    my @due;
    for my $number (0 .. $#$runs) {
        my $run   = $runs->[$number];
        my @tests = grep { is_measured($_) && !$_->{observed} } @{ $run->{tests} };
        push @due, map { [$planned{ $_->{name} }, $_, $run, $number] } @tests;
    }
    $self->_tell(observing => map { $_->[0] } @due);
    for my $due (@due) {
        $self->_observe(@$due) or return;
    }
    return;
}

# Returns whether there was no interruption.
sub _observe {
    my ($self, $planned, @which) = @_;
    my ($test, $run) = @which;
    $self->_tell(observation_started => @which);
    my $slice = $planned->{observed};
    my $pass  = $slice ? $self->_pass($slice, $run) : { error => $planned->{unobserved} };
    return if !$pass;
    $test->{observed} = $self->_kept($slice ? $slice->{command} : [], $test, $pass);
    $self->_tell(observed => @which);
    return 1;
}

sub _tell {
    my ($self, $event, @what) = @_;
    $self->{on}{$event}->(@what) if $self->{on}{$event};
    return;
}

sub _pass {
    my ($self, $slice, $run) = @_;
    return UnixBench::Measure::ObservedPass->new(map { $_ => $self->{$_} } qw(process workplace tracer))->make(
        $slice,
        $run->{copies},
        program   => 'syscalls',
        with_rows => $self->{with_rows},
        processes => $run->{copies} * $slice->{needs}{processes},
    );
}

sub _kept {
    my ($self, $command, $test, $pass) = @_;
    my %how = (tracer => $self->{tracer}->name, command => $command);
    return { %how, error => $pass->{error} } if defined $pass->{error};
    return UnixBench::Trace::Syscalls::made(
        %how,
        slice  => { copies => $pass->{copies}, %{ UnixBench::Score::Score::pass($pass->{copies}) } },
        score  => $test->{score},
        traced => $pass->{traced},
    );
}

1;
