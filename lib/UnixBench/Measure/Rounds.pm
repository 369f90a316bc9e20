package UnixBench::Measure::Rounds;

# The rounds of a quick run: the order of the lanes in each, the time that the rounds take, and that of their short
# passes. An official run has no rounds, only the time. Times include those before a resume. The order of the tests is
# random, but the same for the same seed, on every machine. The states of a test follow each other directly, in an order
# that changes from round to round. If it takes long to get into a state, all tests are measured in it, several times in
# a row, before the next state follows.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Plan            ();

# The "minimal standard" generator: S. Park and K. Miller, Random number generators: good ones are hard to find, CACM
# 31(10), 1988. A double holds its products exactly.
use constant { MULTIPLIER => 16_807, MODULUS => 2**31 - 1, THROWN_AWAY => 10 };

# Takes clock => UnixBench::Base::Clock, lanes => [lanes of the plan], seed, a whole number from 1, run, the run's
# number from 0, and perhaps in_a_row, how many passes of each test a state has in a row. The run and its first round
# begin now.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock lanes seed run in_a_row));
    my $now_s = $given->{clock}->monotonic_s;
    my $self  = bless {
        (map { $_ => $given->{$_} } qw(clock lanes in_a_row)),
        ahead_s         => $given->{clock}->wall_ahead_s,
        started_s       => $now_s,
        round_started_s => $now_s,
        longest_s       => 0,
        took            => {},
        rounds          => 0,
    }, $class;
    $self->_plan_turns;
    $self->{random} = first_random($given->{seed} + $given->{run});
    return $self;
}

# Takes a seed, a whole number; returns the first random number, from 1 to MODULUS - 1.
sub first_random {
    my ($seed) = @_;
    my $random = 1 + $seed % (MODULUS - 1);
    $random = next_random($random) for 1 .. THROWN_AWAY;    # the first numbers of neighbouring seeds are similar
    return $random;
}

# Takes a random number; returns the next one.
sub next_random { my ($random) = @_; return $random * MULTIPLIER % MODULUS }

# Notes the orders of the states, and for each test the place at which it begins with them. Neighbouring tests begin at
# different places, so a drift within a round affects them differently.
sub _plan_turns {
    my ($self) = @_;
    my (%place_of, %states);
    for my $lane (@{ $self->{lanes} }) {
        my $next = keys %place_of;
        $place_of{ $lane->{name} } //= $next;
        $states{ $lane->{state} } = 1;
    }
    $self->{place_of} = \%place_of;
    $self->{orders}   = UnixBench::Plan::orders(scalar keys %states || 1);
    return;
}

# Begins the next round. Takes its lanes, as they are measured from now on; returns them in the order of this round.
# With passes in a row, each comes several times.
sub begin_round {
    my ($self, @left) = @_;
    $self->{round_started_s} = $self->{clock}->monotonic_s;
    $self->{lanes}           = [@left];
    my $number = $self->{rounds}++;
    my (%lanes, @names);
    for my $lane (@left) {
        push @names, $lane->{name} if !$lanes{ $lane->{name} };
        $lanes{ $lane->{name} }[$lane->{state}] = $lane;
    }
    return map { $self->_in_turns($number + $self->{place_of}{$_}, $lanes{$_}) } $self->_shuffled(@names)
        if !$self->{in_a_row};
    my @in_rows;
    for my $state (map { ($_) x $self->{in_a_row} } @{ $self->{orders}[$number % @{ $self->{orders} }] }) {
        push @in_rows, map { $lanes{$_}[$state] // () } $self->_shuffled(@names);
    }
    return @in_rows;
}

sub _shuffled {
    my ($self, @names) = @_;
    return map { splice @names, $self->_next % @names, 1 } 1 .. @names;
}

sub _in_turns {
    my ($self, $number, $lanes) = @_;
    my $orders = $self->{orders};
    return grep { $_ } map { $lanes->[$_] } @{ $orders->[$number % @$orders] };
}

sub _next {
    my ($self) = @_;
    return $self->{random} = next_random($self->{random});
}

# Ends the round.
sub end_round {
    my ($self) = @_;
    $self->{longest_s} = List::Util::max($self->{longest_s}, $self->{clock}->monotonic_s - $self->{round_started_s});
    return;
}

# Takes seconds that passed before this object was made, such as those of a pass from before a resume. Adds them to the
# run and to the round.
sub add {
    my ($self, $seconds) = @_;
    return $self->forget(-$seconds);
}

# Takes seconds that no later round will need. They count for the time of the run, but not for the length of the round.
sub leave_out { my ($self, $seconds) = @_; $self->{round_started_s} += $seconds; return }

# Takes seconds during which nothing was measured. They do not count for the run or for the round.
sub forget {
    my ($self, $seconds) = @_;
    $self->{$_} += $seconds for qw(started_s round_started_s);
    return;
}

# Returns the present time of the clock.
sub now_s { my ($self) = @_; return $self->{clock}->monotonic_s }

# Returns the time of day, as if it had not been set since this object was made: the moments of rounds are compared.
sub wall_s {
    my ($self) = @_;
    return $self->{clock}->wall_s - ($self->{clock}->wall_ahead_s - $self->{ahead_s});
}

# Returns the seconds since the run began.
sub elapsed_s { my ($self) = @_; return $self->{clock}->monotonic_s - $self->{started_s} }

# Returns the lanes of the present round. Passes may have become longer since they were planned, see calibrated() in
# UnixBench::Plan::Test.
sub lanes { my ($self) = @_; return @{ $self->{lanes} } }

# Returns the seconds of the longest round.
sub longest_s { my ($self) = @_; return $self->{longest_s} }

# Takes a lane whose short pass begins now. Returns a function that notes the length of the pass. It has to
# be called when the pass, or a repetition of it, has ended.
sub begin_short_pass {
    my ($self, $lane) = @_;
    my $name    = $lane->{lane};
    my $began_s = $self->elapsed_s;
    return sub {
        my $now_s = $self->elapsed_s;
        $self->{took}{$name} = List::Util::max($self->{took}{$name} // 0, $now_s - $began_s);
        $began_s = $now_s;
        return;
    };
}

# Takes lanes; returns the seconds of one short pass of each. A short pass takes the planned time, or that of the
# longest one so far if this is more. If a lane had none so far, its planned time is multiplied by the factor of the
# others.
sub short_passes_s {
    my ($self, @planned) = @_;
    my $took      = $self->{took};
    my @made      = grep { defined $took->{ $_->{lane} } } @{ $self->{lanes} };
    my $planned_s = UnixBench::Plan::short_passes_s(@made);
    my $longer = $planned_s ? List::Util::max(1, List::Util::sum(map { $took->{ $_->{lane} } } @made) / $planned_s) : 1;
    my $seconds = 0;
    for my $lane (@planned) {
        my $short_s = UnixBench::Plan::short_passes_s($lane);
        $seconds += List::Util::max($short_s, $took->{ $lane->{lane} } // $short_s * $longer);
    }
    return $seconds;
}

1;
