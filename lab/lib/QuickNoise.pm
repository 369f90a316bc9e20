package QuickNoise;

# Simulated rates of the short passes of quick runs. The rate of a pass without noise is 1.

use strict;
use warnings;

use MadeUp qw(normal);

# The seconds of a round of the index, and of a round of one test.
use constant { ROUND_S => 5.5, ROUND_OF_ONE_S => 0.32 };
use constant { MODE_SHARE => 0.1, DF => 3, LOGNORMAL => sqrt(exp(2) - exp 1) };

# Random numbers with a mean of 0 and a variance of 1. Skewed ones are those of a pass that is sometimes slower: an
# exponential distribution, or a lognormal one with a longer tail.
my %SHAPE = (
    normal        => \&normal,
    skewed        => sub { 1 + log(1 - rand) },
    'long-tailed' => sub { (exp(0.5) - exp normal()) / LOGNORMAL },
    modes         => sub { rand() < 0.2 ? -2 : 0.5 },
    outliers      => sub { (rand() < 0.03 ? 5 : 0.5) * normal() },
    t3            => sub {
        my $square = 0;
        $square += normal()**2 for 1 .. DF;
        return normal() / sqrt $square;
    },
);

# Takes
#   sd       [standard deviation of the logarithm of the rate of each test], independent in each pass
#   shape    the distribution of that noise: normal (default), t3, which is Student's with three degrees of freedom,
#            skewed, long-tailed, modes: a fifth of the passes is slow, or outliers: 3 % vary by ten times as much. Or a
#            function that returns such noise, see MadeUp
#   round    the standard deviation of a whole round (default: 0)
#   slow     the standard deviation of slow noise that all tests have in common (default: 0), an autoregressive process,
#            and slow_s, the seconds after which its autocorrelation is 1/e
#   mode     the rate of a tenth of the passes of the first test (default: 1)
sub new {
    my ($class, %how) = @_;
    my $tests   = @{ $how{sd} };
    my $round_s = $tests == 1 ? ROUND_OF_ONE_S : ROUND_S;
    my $shape   = $how{shape} // 'normal';
    my $made_up = ref $shape ? $shape->()                             : undef;
    my $kept    = $how{slow} ? exp(-$round_s / $tests / $how{slow_s}) : 0;
    return bless {
        round => 0,
        slow  => 0,
        mode  => 1,
        %how,
        random  => $made_up ? sub { log $made_up->() } : $SHAPE{$shape},
        round_s => $round_s,
        kept    => $kept,
        fresh   => ($how{slow} // 0) * sqrt(1 - $kept**2),
        now     => ($how{slow} // 0) * normal(),
    }, $class;
}

sub round_s { my ($self) = @_; return $self->{round_s} }

# Returns the rates of the next round, one for each test.
sub round {    ## no critic (ProhibitBuiltinHomonyms)
    my ($self) = @_;
    my ($random, $mode) = @$self{qw(random mode)};
    my $shock = $self->{round} ? $self->{round} * normal() : 0;
    my @rates;
    for my $sd (@{ $self->{sd} }) {
        $self->{now} = $self->{kept} * $self->{now} + $self->{fresh} * normal() if $self->{slow};
        push @rates, exp($shock + $self->{now} + $sd * $random->());
    }
    $rates[0] *= $mode if $mode != 1 && rand() < MODE_SHARE;
    return @rates;
}

# Takes a number of passes; returns the mean rate of each test. The mean of the noise is estimated from that many
# passes.
sub means {
    my ($self, $passes) = @_;
    my $common = exp(($self->{round}**2 + $self->{slow}**2) / 2);
    my %mean_of;
    my @means = map { $mean_of{$_} //= $common * $self->_mean_of($_, $passes) } @{ $self->{sd} };
    $means[0] *= 1 - MODE_SHARE + MODE_SHARE * $self->{mode};
    return @means;
}

sub _mean_of {
    my ($self, $sd, $passes) = @_;
    return exp($sd**2 / 2) if $self->{random} == \&normal;
    my $sum = 0;
    $sum += exp($sd * $self->{random}->()) for 1 .. $passes;
    return $sum / $passes;
}

1;
