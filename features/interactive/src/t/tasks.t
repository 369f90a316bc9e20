use strict;
use warnings;

use FindBin    qw($Bin);
use List::Util qw(max min);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

# The tasks, and the moments and demands of their frames.
need_compiler();

my $program = driver('tasks', qw(tasks random));
my $S       = 1_000_000_000;

sub said { return [said_by($program, @_)] }

# Name, period, demand of a frame in nanoseconds; its properties.
my @TASKS = (
    'Audio 1000000000/20 2500000 spread=0 varying=0 default=1 real_time=1 mixed=1',
    'Video 1000000000/60 6666666 spread=0 varying=0 default=1 real_time=1 mixed=1',
    'X 1000000000/10 0 spread=0 varying=1 default=1 real_time=0 mixed=1',
    'Gaming 0/1 10000000 spread=0 varying=0 default=1 real_time=0 mixed=0',
    'Probe 1000000000/1000 20000 spread=20 varying=0 default=1 real_time=1 mixed=1',
    'Video120 1000000000/120 3333333 spread=0 varying=0 default=0 real_time=0 mixed=0',
    'Video144 1000000000/144 2777777 spread=0 varying=0 default=0 real_time=0 mixed=0',
);
my $CUSTOM = 'default=1 real_time=1 mixed=0';
is_deeply(said('list'),           [@TASKS, "Custom 0/1 0 spread=0 varying=0 $CUSTOM"],             'the list of tasks');
is_deeply(said('list', 33, 7000), [@TASKS, "Custom 7000000/1 2310000 spread=0 varying=0 $CUSTOM"], 'Custom is defined');

sub stream { return { said('schedule', @_)->[0] =~ /(\w+)=(\S*)/g } }

sub demands { return split /,/, stream(@_)->{demands} }

is_deeply([demands('Audio', 1, 0, 1)], [(2_500_000) x 100], 'each frame of Audio has the same demand');
is(stream('Probe', 1, 0, 1)->{spread}, 200_000, 'releases of Probe are up to a fifth of its period late');
is_deeply(
    [map { stream('Video', 1, $_, 3)->{phase} } 0 .. 2],
    [0, 5_555_555, 11_111_111],
    'streams are spread over the period'
);
my %seeds = map { (stream('Probe', 1, $_, 100)->{seed} => 1) } 0 .. 99;
is(scalar keys %seeds, 100, 'each stream has a seed of its own');
isnt(stream('Probe', 7, 3, 9)->{seed}, stream('Probe', 8, 3, 9)->{seed},
    'the seed of a stream follows that of the run');

my @shares = map { $_ / 1_000_000 } demands('X', 1, 0, 1);
is_deeply([sort { $a <=> $b } @shares], [0 .. 94, (95) x 5], 'X demands 0 .. 99 %, at most 95');
cmp_ok(scalar(grep { $shares[$_] == $shares[$_ - 1] + 1 } 1 .. $#shares), '<', 10, 'the demands of X are not a ramp');
isnt(stream('X', 2, 0, 1)->{demands}, stream('X', 1, 0, 1)->{demands}, 'another seed gives X another order');

# Period as a quotient, phase; numbers of frames and their release times.
my @RELEASES = (
    [[$S, 60],  0,          [0 .. 3, 59, 60],           [0, 16_666_666, 33_333_333, 50_000_000, 983_333_333, $S]],
    [[$S, 60],  0,          [1_000_000_001, 5_184_000], ['16666666683333333', '86400000000000']],
    [[$S, 144], 7,          [0, 1, 144, 1_000_000_000], [7, 6_944_451, 1_000_000_007, '6944444444444451']],
    [[$S, 20],  25_000_000, [0, 1, 2],                  [25_000_000, 75_000_000, 125_000_000]],
);
for my $case (@RELEASES) {
    my ($period, $phase, $frames, $releases) = @$case;
    my @got = map { (split)[0] } @{ said('release', @$period, 0, $phase, 1, @$frames) };
    is_deeply(\@got, $releases, "releases with period $period->[0] / $period->[1] and phase $phase");
    is_deeply(said('first', @$period, 0, $phase, 1, @$releases), $frames, 'frames are found by their release times');
}

# 60 frames a second: moments, and the first frame at or after each.
my %FIRST   = (-1 => 0, 0 => 0, 1 => 1, 16_666_666 => 1, 16_666_667 => 2, 50_000_001 => 4, 86_400 * $S => 5_184_000);
my @moments = sort { $a <=> $b } keys %FIRST;
is_deeply(said('first', $S, 60, 0, 0, 1, @moments), [@FIRST{@moments}], 'the first frame at or after a moment');

# 1000 frames a second, each released up to 200 us late at random.
my @offsets = map { (split)[0] } @{ said('release', 1_000_000, 1, 200_000, 0, 5, 0 .. 4999) };
$offsets[$_] -= 1_000_000 * $_ for 0 .. $#offsets;
my @fifths = (0) x 5;
$fifths[min(4, int($_ / 40_000))]++ for @offsets;
is_deeply([grep { $_ < 850 || $_ > 1150 } @fifths], [], "all delays are equally likely: @fifths");
ok(min(@offsets) >= 0 && max(@offsets) <= 200_000, 'no frame is released early, or more than 200 us late');

done_testing;
