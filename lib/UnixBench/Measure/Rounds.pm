package UnixBench::Measure::Rounds;

# The rounds of a run: the order of the tests in each, the time that the rounds take, and that of their short passes.
# Times include those before a resume. In a quick run the order is random, but the same for the same seed, on every
# machine.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Plan::Plan      ();

# The "minimal standard" generator: S. Park and K. Miller, Random number generators: good ones are hard to find, CACM
# 31(10), 1988. A double holds its products exactly.
use constant { MULTIPLIER => 16_807, MODULUS => 2**31 - 1, THROWN_AWAY => 10 };

# Takes clock => UnixBench::Base::Clock and tests => [tests of the plan]. For a quick run, also takes seed, a whole
# number from 1, and run, the run's number from 0. The run and its first round begin now.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock tests seed run));
    my $now_s = $given->{clock}->monotonic_s;
    my $self  = bless {
        (map { $_ => $given->{$_} } qw(clock tests)),
        started_s       => $now_s,
        round_started_s => $now_s,
        longest_s       => 0,
        took            => {},
    }, $class;
    return $self if !defined $given->{seed};
    $self->{state} = 1 + ($given->{seed} + $given->{run}) % (MODULUS - 1);
    $self->_next for 1 .. THROWN_AWAY;    # the first numbers of neighbouring seeds are similar
    return $self;
}

# Begins the next round. Takes its tests; returns them in the order of this round.
sub begin_round {
    my ($self, @left) = @_;
    $self->{round_started_s} = $self->{clock}->monotonic_s;
    return @left if !defined $self->{state};
    my @order;
    push @order, splice @left, $self->_next % @left, 1 while @left;
    return @order;
}

sub _next {
    my ($self) = @_;
    return $self->{state} = $self->{state} * MULTIPLIER % MODULUS;
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

# Returns the seconds since the run began.
sub elapsed_s { my ($self) = @_; return $self->{clock}->monotonic_s - $self->{started_s} }

# Returns the seconds of the longest round.
sub longest_s { my ($self) = @_; return $self->{longest_s} }

# Takes the name of a test whose short pass begins now. Returns a function that notes the length of the pass. It has to
# be called when the pass, or a repetition of it, has ended.
sub begin_short_pass {
    my ($self, $name) = @_;
    my $began_s = $self->elapsed_s;
    return sub {
        my $now_s = $self->elapsed_s;
        $self->{took}{$name} = List::Util::max($self->{took}{$name} // 0, $now_s - $began_s);
        $began_s = $now_s;
        return;
    };
}

# Takes tests of the plan; returns the seconds of one short pass of each. A short pass takes the planned time, or that
# of the longest one so far if this is more. If a test had none so far, its planned time is multiplied by the factor of
# the other tests.
sub short_passes_s {
    my ($self, @planned) = @_;
    my $took      = $self->{took};
    my @made      = grep { defined $took->{ $_->{name} } } @{ $self->{tests} };
    my $planned_s = UnixBench::Plan::Plan::short_passes_s(@made);
    my $longer = $planned_s ? List::Util::max(1, List::Util::sum(map { $took->{ $_->{name} } } @made) / $planned_s) : 1;
    my $seconds = 0;
    for my $test (@planned) {
        my $short_s = UnixBench::Plan::Plan::short_passes_s($test);
        $seconds += List::Util::max($short_s, $took->{ $test->{name} } // $short_s * $longer);
    }
    return $seconds;
}

1;
