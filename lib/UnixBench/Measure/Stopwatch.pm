package UnixBench::Measure::Stopwatch;

# How long a run and its rounds take, with what was measured of them before.

use strict;
use warnings;

use List::Util ();

# Takes a clock, see UnixBench::Base::Clock; the run begins.
sub new {
    my ($class, $clock) = @_;
    my $now_s = $clock->monotonic_s;
    return bless { clock => $clock, started_s => $now_s, round_started_s => $now_s, longest_s => 0 }, $class;
}

# The next round begins.
sub begin_round {
    my ($self) = @_;
    $self->{round_started_s} = $self->{clock}->monotonic_s;
    return;
}

# The round is over.
sub end_round {
    my ($self) = @_;
    $self->{longest_s} = List::Util::max($self->{longest_s}, $self->{clock}->monotonic_s - $self->{round_started_s});
    return;
}

# What took so many seconds was measured before: it is as if that were now.
sub add {
    my ($self, $seconds) = @_;
    $self->{$_} -= $seconds for qw(started_s round_started_s);
    return;
}

# These seconds need not come again: they are time of the run, but no part of the length of the round.
sub leave_out { my ($self, $seconds) = @_; $self->{round_started_s} += $seconds; return }

# These seconds count nowhere: nothing was measured in them.
sub forget {
    my ($self, $seconds) = @_;
    $self->{$_} += $seconds for qw(started_s round_started_s);
    return;
}

# Seconds since the run began.
sub elapsed_s { my ($self) = @_; return $self->{clock}->monotonic_s - $self->{started_s} }

# Seconds that the longest round took.
sub longest_s { my ($self) = @_; return $self->{longest_s} }

1;
