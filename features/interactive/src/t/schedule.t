use strict;
use warnings;

use FindBin    qw($Bin);
use List::Util qw(max min);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('schedule', qw(tasks random));

sub said { return [said_by($program, @_)] }

my $S = 1_000_000_000;

# Period as a quotient, phase; numbers of frames and their release times.
my @RELEASES = (
    [[$S, 60], 0, [0 .. 3, 59, 60], [0, 16_666_666, 33_333_333, 50_000_000, 983_333_333, $S]],
    [
        [$S,                  60], 0,
        [1_000_000_000,       1_000_000_001,       5_184_000],
        ['16666666666666666', '16666666683333333', '86400000000000']
    ],
    [[$S, 144],      7,          [0, 1, 144, 1_000_000_000], [7, 6_944_451, 1_000_000_007, '6944444444444451']],
    [[1_000_000, 1], 0,          [1, 86_400_000],            [1_000_000, '86400000000000']],
    [[$S, 20],       25_000_000, [0, 1, 2],                  [25_000_000, 75_000_000, 125_000_000]],
);

for my $case (@RELEASES) {
    my ($period, $phase, $frames, $releases) = @$case;
    my @got = map { (split)[0] } @{ said('release', @$period, 0, $phase, 1, @$frames) };
    is_deeply(\@got, $releases, "releases with period $period->[0] / $period->[1] and phase $phase");
    is_deeply(said('first', @$period, 0, $phase, 1, @$releases),
        $frames, "frames with period $period->[0] / $period->[1] are found by their release times");
}

# 60 frames a second: moments, and the first frame at or after each.
my %FIRST = (
    -1          => 0,
    0           => 0,
    1           => 1,
    16_666_666  => 1,
    16_666_667  => 2,
    49_999_999  => 3,
    50_000_000  => 3,
    50_000_001  => 4,
    999_999_999 => 60,
    86_400 * $S => 5_184_000,
    -5_000 * $S => 0,
);
my @moments = sort { $a <=> $b } keys %FIRST;
is_deeply(said('first', $S, 60, 0, 0, 1, @moments), [@FIRST{@moments}], 'the first frame at or after a moment');

my @bounds = map { [split] } @{ said('release', $S, 60, 0, 0, 1, 0 .. 600) };
is_deeply([grep { $bounds[$_][0] != $bounds[$_ - 1][1] } 1 .. $#bounds],
    [], 'the deadline of a frame is the release of the next');

is_deeply(said('check', $_, 2000), [0], "random schedules of seed $_: releases and first frames") for 1, 2;

# 1000 frames a second, each released up to 200 us late at random.
my @offsets = map { $_ - 0 } map { (split)[0] } @{ said('release', 1_000_000, 1, 200_000, 0, 5, 0 .. 4999) };
$offsets[$_] -= 1_000_000 * $_ for 0 .. $#offsets;
cmp_ok(min(@offsets), '>=', 0,       'no frame is released early');
cmp_ok(max(@offsets), '<=', 200_000, 'no frame is released more than 200 us late');
my @fifths = (0) x 5;
$fifths[min(4, int($_ / 40_000))]++ for @offsets;
is_deeply([grep { $_ < 850 || $_ > 1150 } @fifths], [], "all delays are equally likely: @fifths");
isnt(
    "@{said('release', 1_000_000, 1, 200_000, 0, 6, 0 .. 9)}",
    "@{said('release', 1_000_000, 1, 200_000, 0, 5, 0 .. 9)}",
    'another seed gives other releases'
);

is_deeply(said('demand', $S, 10, 0, 1, 95), [(0, 1_000_000, 95_000_000) x 2], 'demands take turns');
is_deeply(said('demand', $S, 60, 40), [(6_666_666) x 2], 'the demand is rounded if the period is not a whole number');

# SplitMix64, as published.
my %RANDOM = (
    0       => [qw(16294208416658607535 7960286522194355700 487617019471545679)],
    1234567 =>
        [qw(6457827717110365317 3203168211198807973 9817491932198370423 4593380528125082431 16408922859458223821)],
);
is_deeply(said('random', $_, 0 .. $#{ $RANDOM{$_} }), $RANDOM{$_}, "random numbers of seed $_") for sort keys %RANDOM;

my $counts = said('below', 7, 3, 7000);
is(scalar @$counts, 7, 'random numbers below 7 take all values');
is_deeply([grep { $_ < 850 || $_ > 1150 } @$counts], [],   "each value is equally likely: @$counts");
is_deeply(said('below', 1, 3, 10),                   [10], 'random numbers below 1 are 0');

is_deeply(
    said('scaled', '18446744073709551601', 9, 0 .. 3),
    [qw(12587370737594032217 13847876567842155094 4894335158745139634 14477257330446655572)],
    'scaling to a limit of 64 bits is exact'
);

my $order = said('order', 1, 100);
is_deeply([sort { $a <=> $b } @$order], [0 .. 99], 'an order has all numbers once');
isnt("@$order", "@{[0 .. 99]}", 'an order is shuffled');
is_deeply(said('order', 1, 100), $order, 'the same seed gives the same order');
isnt("@{said('order', 2, 100)}", "@$order", 'another seed gives another order');
is_deeply(said('order', 1, 1), [0], 'an order of one number');
my %seen = map { ("@{said('order', $_, 3)}" => 1) } 1 .. 60;
is(scalar keys %seen, 6, 'every order comes up');

done_testing;
