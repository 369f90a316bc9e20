package UnixBench::Measure::Shuffle;

# The order of the tests in the rounds of a quick run: random, but the same for the same seed, on every machine.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);

# The "minimal standard" generator: S. Park and K. Miller, Random number generators: good ones are hard to find, CACM
# 31(10), 1988. A double holds its products exactly.
use constant { MULTIPLIER => 16_807, MODULUS => 2**31 - 1, THROWN_AWAY => 10 };

# Takes seed, a whole number from 1, and run, the run's number from 0.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(seed run));
    my $self  = bless { state => 1 + ($given->{seed} + $given->{run}) % (MODULUS - 1) }, $class;
    $self->_next for 1 .. THROWN_AWAY;    # the first numbers of neighbouring seeds are similar
    return $self;
}

# Takes the tests of the next round; returns them in the order of that round.
sub of_round {
    my ($self, @left) = @_;
    my @order;
    push @order, splice @left, $self->_next % @left, 1 while @left;
    return @order;
}

sub _next {
    my ($self) = @_;
    return $self->{state} = $self->{state} * MULTIPLIER % MODULUS;
}

1;
