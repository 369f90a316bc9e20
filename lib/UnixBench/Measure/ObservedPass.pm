package UnixBench::Measure::ObservedPass;

# A pass whose system calls are followed. It never counts for a score.

use strict;
use warnings;

use UnixBench::Base::Halt ();

# Takes process => UnixBench::Process::Process, workplace => UnixBench::Measure::PassSandbox, and tracer, see
# UnixBench::Trace::Tracer.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Takes a test of the plan as it is observed, a number of copies, and what the tracer is asked. Returns { copies =>
# [result, ...], traced => what the tracer returned }, or { error => why there is nothing }; a pass during which this
# program was stopped is made again, and after an interruption there is undef. Dies when the disk is full, see
# UnixBench::Base::Halt.
sub make {
    my ($self, $test, $copies, %asked) = @_;
    my $process = $self->{process};
    return if $process->interrupted;
    my $pass;
    my $is_done = eval {
        ($pass) = $process->unstopped(sub { $self->_once($test, $copies, \%asked) });
        1;
    };
    return $pass if $is_done;
    die $@ if UnixBench::Base::Halt::is_thrown($@);
    return { error => $@ =~ s/\n\z//r };
}

sub _once {
    my ($self, $test, $copies, $asked) = @_;
    my ($tracer, %pass) = $self->{tracer};
    my $around = {
        is_followed => 1,
        before      => sub { $tracer->attach(%$asked) },
        words       => sub { $tracer->wrapped(@_) },
        after       => sub {
            eval { $pass{traced} = $tracer->detach; 1 } or $pass{why_not} = $@;
        },
    };
    my $is_done = eval { $pass{copies} = [$self->{workplace}->one_pass($test, $copies, $around)]; 1 };
    my $why_not = $@;
    $tracer->give_up;
    die $why_not if !$is_done && UnixBench::Base::Halt::is_thrown($why_not);
    return { error => $why_not =~ s/\n\z//r } if !$is_done;
    my ($failed) = grep { defined } map    { $_->{error} } @{ $pass{copies} };
    my @wrong    = map  { s/\n\z//r } grep { defined } $failed, $pass{why_not};
    return @wrong ? { error => join '; ', @wrong } : \%pass;
}

1;
