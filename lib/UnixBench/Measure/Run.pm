package UnixBench::Measure::Run;

# A run that is being made: its tests and their passes, with those from before a resume, and the events about them.
# UnixBench::Measure::Runner and UnixBench::Measure::RoundRobin decide which pass comes next.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Text      qw(counted);
use UnixBench::Noise::Clock    ();
use UnixBench::Plan            ();

# Smaller changes come from services that adjust the time of day.
use constant CLOCK_SET_LEAST_S => 5;

# Takes
#   data     the run without tests, see UnixBench::Measure::Runner
#   plan     the plan
#   process, clock, on  see UnixBench::Measure::Runner
#   kept     what was kept from before a resume, see there (default: nothing)
sub new {
    my ($class, @given) = @_;
    my $self   = bless named(\@given, qw(data plan process clock on kept)), $class;
    my $kept   = $self->{kept} ||= {};
    my $passes = $kept->{passes} || {};
    $self->{passes}        = { map { $_ => [@{ $passes->{$_} }] } keys %$passes };
    $self->{tests}         = {};
    $self->{ahead_s}       = $self->{clock}->wall_ahead_s;
    $self->{data}{started} = $kept->{started} if defined $kept->{started};
    return $self;
}

# Returns the run, plain data.
sub data { my ($self) = @_; return $self->{data} }

# Returns the time at which the run ended before a resume, or undef.
sub ended_before { my ($self) = @_; return $self->{kept}{ended} }

# Reports the start of the run. Takes what shows its time, see UnixBench::Measure::Runner.
sub begin {
    my ($self, $watch) = @_;
    return $self->notify(run_started => $self->{data}, $watch);
}

# Returns whether the run's number of copies allows the test.
sub has_passes_of {
    my ($self, $planned) = @_;
    return !defined UnixBench::Plan::skipped($planned, $self->{data}{copies});
}

# Takes a test of the plan. Returns the test of the run, which begins now if it has not begun, or nothing if it is
# skipped.
sub test_of {
    my ($self, $planned) = @_;
    my $test    = $self->{tests}{ $planned->{name} } // $self->_begun($planned);
    my $why_not = UnixBench::Plan::skipped($planned, $self->{data}{copies});
    return $self->close_test($test, skipped => $why_not) if defined $why_not;
    return $test;
}

sub _begun {
    my ($self, $planned) = @_;
    my @keys = qw(name title category command passes_wanted lane state);
    my $test = { (map { $_ => $planned->{$_} } @keys), passes => [] };
    $self->{tests}{ $test->{name} } = $test;
    push @{ $self->{data}{tests} }, $test;
    $self->notify(test_started => $test, $self->{data});
    return $test;
}

# Takes a test of the plan; returns the number of its passes from before a resume that were not yet added.
sub kept_passes {
    my ($self, $planned) = @_;
    return scalar @{ $self->{passes}{ $planned->{name} } || [] };
}

# Takes a test of the plan; returns the next of these passes, or undef.
sub kept_pass {
    my ($self, $planned) = @_;
    return shift @{ $self->{passes}{ $planned->{name} } || [] };
}

# Takes a test and a pass, or undef after an interruption. Reports the pass and adds it. Returns whether the test
# continues. A pass that has failed ends it. After an interruption it is closed unless it has a score: in a quick run
# each short pass is enough for a score, in an official run only all passes together.
sub add {
    my ($self, $test, $pass) = @_;
    if (!$pass) {
        $self->close_test($test, interrupted_after(scalar @{ $test->{passes} }, $test)) if !$test->{status};
        return;
    }
    $self->notify(pass_done => $pass, $test, $self->{data});    # dies if the pass can't be written to the disk
    push @{ $test->{passes} }, $pass;
    return $self->close_test($test, failed => "$pass->{error} ($pass->{where})") if defined $pass->{error};
    return 1;
}

# Takes the number of finished passes and a test that was interrupted; returns the status and the reason of the test.
sub interrupted_after {
    my ($finished, $test) = @_;
    my $wanted = $test->{passes_wanted} // return (interrupted => 'interrupted before its first pass');
    return (interrupted => "interrupted after $finished of " . counted($wanted, 'pass', 'passes'));
}

# Ends a test, with status and reason if it has no score. Returns nothing.
sub close_test {
    my ($self, $test, @why_not) = @_;
    return if $self->{closed}{ $test->{name} }++;
    @$test{qw(status reason)} = @why_not if @why_not;
    delete @$test{qw(score unit time_s samples dropped kept)} if @why_not;
    $self->notify(test_done => $test, $self->{data});
    return;
}

# Takes a run, the time of day at which it ended, and by how many seconds this was set since it began or was resumed.
# If it was set between two sessions, that shows only in a run that ends before it began.
sub end_at {
    my ($run, $ended, $set_s) = @_;
    my $lasted_s = $ended - $run->{started};
    $set_s              = $lasted_s if $lasted_s - $set_s < -CLOCK_SET_LEAST_S;
    $run->{clock_set_s} = $set_s if abs $set_s >= CLOCK_SET_LEAST_S;
    $run->{ended}       = $ended;
    return;
}

# Ends the run. Its tests get the order of the plan. Notes by how many seconds the time of day was set meanwhile.
sub end {
    my ($self) = @_;
    my ($run, $kept, $clock) = @$self{qw(data kept clock)};
    @{ $run->{tests} } = grep { defined } map { $self->{tests}{ $_->{name} } } @{ $self->{plan}{tests} };
    UnixBench::Noise::Clock::judge($run);
    $self->close_test($_) for @{ $run->{tests} };
    my $set_s = $kept->{clock_set_s} // (defined $kept->{ended} ? 0 : $clock->wall_ahead_s - $self->{ahead_s});
    end_at($run, $kept->{ended} // $clock->wall_s, $set_s);
    $self->notify(run_done => $run) if !$self->{process}->interrupted;
    return;
}

# Takes an event and its arguments, see UnixBench::Measure::Runner; reports it.
sub notify {
    my ($self, $event, @what) = @_;
    $self->{on}{$event}->(@what) if $self->{on}{$event};
    return;
}

1;
