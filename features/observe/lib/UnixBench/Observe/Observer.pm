package UnixBench::Observe::Observer;

# Observes the tests after all passes: runs each test once more for a short time, and keeps the system calls that it
# made.

use strict;
use warnings;

use UnixBench::Base::Arguments      qw(named);
use UnixBench::Base::Result         qw(is_measured);
use UnixBench::Observe::Observation ();
use UnixBench::Observe::Pass        ();
use UnixBench::Score::Score         ();

# Takes
#   process, clock, one_pass  see UnixBench::Observe::Pass
#   tracer     UnixBench::Observe::Strace
#   with_rows  whether each process has a row of its own
#   on         { event => function } for the events of UnixBench::Measure::Session
#   extra      the last argument of these functions
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(process clock one_pass tracer with_rows on extra)), $class;
}

# Takes [runs], see UnixBench::Measure::Runner, and [{ name of test => observed }, ...], the observations of each run
# from before a resume. Adds the observations to the tests. There may be observations for more runs than there are now.
sub keep {
    my ($runs, $kept) = @_;
    for my $number (0 .. $#$runs) {
        my $of = $kept->[$number] || {};
        $_->{observed} = $of->{ $_->{name} } for grep { $of->{ $_->{name} } } @{ $runs->[$number]{tests} };
    }
    return;
}

# Takes the plan and [its runs]. Observes each measured test that has no key observed yet, and adds it, see
# UnixBench::Observe::Observation. Stops after an interruption.
sub observe {
    my ($self, $plan, $runs) = @_;
    my %planned = map { $_->{name} => $_ } @{ $plan->{tests} };
    my @due;
    for my $number (0 .. $#$runs) {
        my $run   = $runs->[$number];
        my @tests = grep { is_measured($_) && !$_->{observed} } @{ $run->{tests} };
        push @due, map { [$planned{ $_->{name} }, $_, $run, $number] } @tests;
    }
    $self->_tell(extra_due => map { $_->[0] } @due);
    for my $due (@due) {
        $self->_observe(@$due) or return;
    }
    return;
}

# Observes a test; returns whether there was no interruption.
sub _observe {
    my ($self, $planned, @which) = @_;
    my ($test, $run) = @which;
    $self->_tell(extra_started => @which);
    my $short = $planned->{observed};
    my $pass  = $short ? $self->_pass($short, $run) : { error => $planned->{unobserved} };
    return if !$pass;
    $test->{observed} = _kept($short ? $short->{command} : [], $test, $pass);
    $self->_tell(extra_done => @which);
    return 1;
}

sub _tell {
    my ($self, $event, @what) = @_;
    $self->{on}{$event}->(@what, $self->{extra}) if $self->{on}{$event};
    return;
}

# Takes the observed form of a test of the plan, and a run; returns the observed pass, see
# UnixBench::Observe::Pass.
sub _pass {
    my ($self, $short, $run) = @_;
    return UnixBench::Observe::Pass::traced(
        test   => { %$short, state => $run->{state} },
        copies => $run->{copies},
        map { $_ => $self->{$_} } qw(process clock one_pass tracer with_rows)
    );
}

sub _kept {
    my ($command, $test, $pass) = @_;
    return { command => $command, error => $pass->{error} } if defined $pass->{error};
    return UnixBench::Observe::Observation::of_pass(
        command => $command,
        pass    => { copies => $pass->{copies}, %{ UnixBench::Score::Score::pass($pass->{copies}) } },
        score   => $test->{score},
        traced  => $pass->{traced},
    );
}

1;
