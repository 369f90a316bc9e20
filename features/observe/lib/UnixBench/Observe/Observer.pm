package UnixBench::Observe::Observer;

# Observes the tests after all passes: runs each test once more for a short time, and keeps the system calls that it
# made.

use strict;
use warnings;

use UnixBench::Base::Arguments      qw(named);
use UnixBench::Base::Result         qw(is_measured);
use UnixBench::Measure::ValidPass   ();
use UnixBench::Observe::Observation ();
use UnixBench::Score                ();

# Takes
#   process    UnixBench::Process
#   clock      UnixBench::Base::Clock
#   one_pass   function that makes a pass, see one_pass() in UnixBench::Measure::PassSandbox
#   tracer     UnixBench::Observe::Bpftrace or UnixBench::Observe::Strace
#   on         { event => function } for the events of UnixBench::Measure::Session
#   extra      the last argument of these functions
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(process clock one_pass tracer on extra)), $class;
}

# Takes the plan and [its runs]. Observes each measured test that has no key observed yet, and adds it, see
# UnixBench::Observe::Observation. Stops after an interruption.
sub observe {
    my ($self, $plan, $runs) = @_;
    my %planned = map { $_->{name} => $_ } @{ $plan->{tests} };
    for my $number (0 .. $#$runs) {
        my $run = $runs->[$number];
        for my $test (grep { is_measured($_) && !$_->{observed} } @{ $run->{tests} }) {
            $self->_observe($planned{ $test->{name} }, $test, $run, $number) or return;
        }
    }
    return;
}

sub _observe {
    my ($self, $planned, @which) = @_;
    my ($test, $run) = @which;
    $self->_tell(extra_started => @which);
    my $short = $planned->{observed};
    my $pass =
          $short
        ? $self->traced({ %$short, state => $run->{state} }, $run->{copies})
        : { error => $planned->{unobserved} };
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

# Takes the observed form of a test of the plan, and a number of copies; makes a pass of it, which the tracer follows
# and which never counts for a score. Returns { copies => [result, ...], traced => the result of the tracer } or
# { error => the reason }, or undef after an interruption. Dies if the disk is full, see UnixBench::Base::Halt.
sub traced {
    my ($self, $test, $count) = @_;
    return if $self->{process}->interrupted;
    my $traced;
    my $maker = UnixBench::Measure::ValidPass->new(
        one_pass => sub { $traced = {}; return $self->_copies($test, $count, $traced) },
        map { $_ => $self->{$_} } qw(process clock)
    );
    my $pass = $maker->make($test, undef, $count);
    $self->{tracer}->finish;
    return if !$pass;
    my @copies = @{ $pass->{copies} };
    return { error => $pass->{error} } if !@copies;
    my ($failed) = grep { defined } map    { $_->{error} } @copies;
    my @wrong    = map  { s/\n\z//r } grep { defined } $failed, $traced->{why_not};
    return @wrong ? { error => join '; ', @wrong } : { copies => \@copies, traced => $traced->{traced} };
}

sub _copies {
    my ($self, $test, $count, $traced) = @_;
    my $tracer = $self->{tracer};
    my $around = {
        is_followed => 1,
        before      => sub { $tracer->begin },
        words       => sub { $tracer->wrapped(@_) },
        after       => sub {
            eval { $traced->{traced} = $tracer->traced; 1 } or $traced->{why_not} = $@;
        },
    };
    return $self->{one_pass}->($test, $count, $around);
}

sub _kept {
    my ($command, $test, $pass) = @_;
    return { command => $command, error => $pass->{error} } if defined $pass->{error};
    return UnixBench::Observe::Observation::of_pass(
        command => $command,
        pass    => { copies => $pass->{copies}, %{ UnixBench::Score::pass($pass->{copies}) } },
        score   => $test->{score},
        traced  => $pass->{traced},
    );
}

1;
