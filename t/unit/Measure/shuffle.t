use strict;
use warnings;

use FindBin;
use Test::More;

use UnixBench::Measure::Shuffle;

my @NAMES = 'a' .. 'l';

sub rounds {
    my ($order, $count) = @_;
    return map { join q{}, $order->of_round(@NAMES) } 1 .. $count;
}

sub order { my ($seed, $run) = @_; return UnixBench::Measure::Shuffle->new(seed => $seed, run => $run) }

my @rounds = rounds(order(7, 0), 200);
is(join(q{}, sort split //, $_), join(q{}, @NAMES), 'each once') for @rounds[0 .. 3];
is_deeply([rounds(order(7, 0), 200)], \@rounds, 'the same for the same seed');
my %seen = map { $_ => 1 } @rounds, rounds(order(8, 0), 200), rounds(order(7, 2), 200),
    rounds(order(999_999_999, 0), 200);
is(keys %seen, 800, 'another in each round, for each seed, in each run');

# 12 letters in 12 places, 6,000 rounds: 500 each. Chi-square with 121 degrees of freedom is above 200 once in 100,000.
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
cmp_ok($chi_square, '<', 200, 'each letter as often in each place');
cmp_ok($chi_square, '>', 60,  'but not exactly');

is_deeply([order(1, 0)->of_round],      [],    'none');
is_deeply([order(1, 0)->of_round('x')], ['x'], 'one');

# Park and Miller's own check: seed 1 gives 1043618065 after 10,000 numbers.
my $plain = bless { state => 1 }, 'UnixBench::Measure::Shuffle';
$plain->_next for 1 .. 10_000;
is($plain->{state}, 1_043_618_065, 'the published generator');

done_testing();
