use strict;
use warnings;

use FindBin;
use Test::More;

use UnixBench::Base::Clock;
use UnixBench::Measure::Rounds;

my @NAMES = 'a' .. 'l';

sub rounds {
    my ($order, $count) = @_;
    return map { join q{}, $order->begin_round(@NAMES) } 1 .. $count;
}

sub order {
    my ($seed, $run) = @_;
    my $clock = UnixBench::Base::Clock->new;
    return UnixBench::Measure::Rounds->new(clock => $clock, tests => [], seed => $seed, run => $run);
}

my @rounds = rounds(order(7, 0), 200);
is(join(q{}, sort split //, $_), join(q{}, @NAMES), "each test is in a round once: $_") for @rounds[0 .. 3];
is_deeply([rounds(order(7, 0), 200)], \@rounds, 'the same seed has the same rounds');
my %seen = map { $_ => 1 } @rounds, rounds(order(8, 0), 200), rounds(order(7, 2), 200),
    rounds(order(999_999_999, 0), 200);
is(keys %seen, 800, 'rounds, seeds and runs have different orders');

# In 6,000 rounds, each of 12 letters should be in each of 12 places 500 times. Chi-square with 121 degrees of freedom
# is above 200 once in 100,000.
my @count;
for my $round (rounds(order(1995, 0), 6000)) {
    my $place = 0;
    $count[$place++]{$_}++ for split //, $round;
}
my $chi_square = 0;
$chi_square += ($_ - 500)**2 / 500 for map {
    my $at = $_;
    map { $at->{$_} || 0 } @NAMES
} @count;
cmp_ok($chi_square, '<', 200, 'each letter is about as often in each place');
cmp_ok($chi_square, '>', 60,  'the places are not too regular');

is_deeply([order(1, 0)->begin_round],      [],    'a round of no test');
is_deeply([order(1, 0)->begin_round('x')], ['x'], 'a round of one test');

# The check that Park and Miller have published: seed 1 gives 1043618065 after 10,000 numbers.
my $plain = bless { state => 1 }, 'UnixBench::Measure::Rounds';
$plain->_next for 1 .. 10_000;
is($plain->{state}, 1_043_618_065, 'the generator is the published one');

done_testing();
