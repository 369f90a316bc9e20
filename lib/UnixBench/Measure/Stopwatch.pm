package UnixBench::Measure::Stopwatch;

# Measures the time of a run and of its rounds, including the time before a resume.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

# Takes clock => UnixBench::Base::Clock. The run and its first round begin now.
sub new {
    my ($class, @given) = @_;
    my $clock = named(\@given, qw(clock))->{clock};
    my $now_s = $clock->monotonic_s;
    return bless { clock => $clock, started_s => $now_s, round_started_s => $now_s, longest_s => 0 }, $class;
}

# Begins the next round.
sub begin_round {
    my ($self) = @_;
    $self->{round_started_s} = $self->{clock}->monotonic_s;
    return;
}

# Ends the round.
sub end_round {
    my ($self) = @_;
    $self->{longest_s} = List::Util::max($self->{longest_s}, $self->{clock}->monotonic_s - $self->{round_started_s});
    return;
}

# Takes seconds that passed before this stopwatch began, such as those of a pass from before a resume. Adds them to the
# run and to the round.
sub add {
    my ($self, $seconds) = @_;
    $self->{$_} -= $seconds for qw(started_s round_started_s);
    return;
}

# Takes seconds that no later round will need. They count for the time of the run, but not for the length of the round.
sub leave_out { my ($self, $seconds) = @_; $self->{round_started_s} += $seconds; return }

# Takes seconds during which nothing was measured. They do not count for the run or for the round.
sub forget {
    my ($self, $seconds) = @_;
    $self->{$_} += $seconds for qw(started_s round_started_s);
    return;
}

# Returns the seconds since the run began.
sub elapsed_s { my ($self) = @_; return $self->{clock}->monotonic_s - $self->{started_s} }

# Returns the seconds of the longest round.
sub longest_s { my ($self) = @_; return $self->{longest_s} }

1;
