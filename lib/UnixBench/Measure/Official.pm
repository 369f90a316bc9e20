package UnixBench::Measure::Official;

# Makes an official run: one test after the other, each with all its passes.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Measure::ValidPass ();
use UnixBench::Score::Score       ();

# Takes run => UnixBench::Measure::Run, its plan, and pass => { arguments of UnixBench::Measure::ValidPass }.
sub new {
    my ($class, @given) = @_;
    my $given     = named(\@given, qw(run plan pass));
    my $pass      = delete $given->{pass};
    my $started_s = $pass->{clock}->monotonic_s;
    return bless {
        %$given,
        process => $pass->{process},
        maker   => UnixBench::Measure::ValidPass->new(%$pass, forget => sub { $started_s += $_[0] }),
        now_s   => sub { $pass->{clock}->monotonic_s - $started_s },
    }, $class;
}

# Makes the run; after an interruption it has the tests that were begun.
sub measure {
    my ($self) = @_;
    my $run = $self->{run};
    $run->begin($self);
    for my $planned (@{ $self->{plan}{tests} }) {
        last if $self->{process}->interrupted;
        $self->_measure_test($planned);
    }
    return $run->end;
}

sub _measure_test {
    my ($self, $planned) = @_;
    my $run  = $self->{run};
    my $test = $run->test_of($planned) or return;
    while (@{ $test->{passes} } < $planned->{passes_wanted}) {
        my $pass = $run->kept_pass($planned);
        if (!$pass) {
            $run->notify(pass_started => $test, $run->data);
            $pass = $self->{maker}->make($planned, @{ $test->{passes} } + 1, $run->data->{copies});
        }
        $run->add($test, $pass) or return;
    }
    $run->mark_long($test);
    %$test = (%$test, status => 'measured', %{ UnixBench::Score::Score::test($test->{passes}) });
    return $run->close_test($test);
}

# Returns the seconds since the run began, without those of passes that are not valid.
sub elapsed_s { my ($self) = @_; return $self->{now_s}->() }

# Returns the tests as they are measured.
sub lanes { my ($self) = @_; return @{ $self->{plan}{tests} } }

1;
