# The modules of interbench with known answers, by a driver in C.

use strict;
use warnings;

use FindBin    qw($Bin);
use List::Util qw(max min);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use HostTree              qw(host_tree);
use Needs                 qw(need_compiler);

need_compiler();

my @LOADS  = map { m{(loads/[^/]+)[.]c\z} } glob 'features/interactive/src/loads/*.c';
my $DRIVER = driver(
    'units', @LOADS,
    qw(calibration disturbance measure/capacity),
    qw(clock frames limits proc random stats tasks work)
);

# Takes words; returns the lines of the driver.
sub said { return [said_by($DRIVER, @_)] }

# Takes words; returns the names and values in the first line.
sub named { return { said(@_)->[0] =~ /(\S+) (\S*)/g } }

my $NONE = -1;
my ($MIB, $GIB) = map { 2**$_ } 20, 30;

# Calibration. A batch takes 10 ms, and the first one begins after 300 ms of warm-up.
my $REFERENCE = 4_214_517;

# Loops per ms, the disturbance of the CPU, the least and most loops that may be found, whether it is unsteady.
my @MACHINES = (
    [4_000_000, 'steady',    3_999_999,  4_000_001,  0],
    [0.01,      'steady',    1,          1,          0],
    [4_000_000, 'ramp',      3_999_999,  4_000_001,  0],    # slow while it warms up
    [4_000_000, 'spikes',    3_999_999,  4_000_001,  0],    # each third batch twice as slow
    [4_000_000, 'shared',    3_999_999,  4_000_001,  1],    # three of five batches slower by half
    [4_000_000, 'stands',    $REFERENCE, $REFERENCE, 1],
    [4_000_000, 'backwards', $REFERENCE, $REFERENCE, 1],
);
for my $case (@MACHINES) {
    my ($speed, $what, $least, $most, $is_unsteady) = @$case;
    my $found = named('calibration', $speed, $what);
    my $name  = "$speed loops per ms, $what";
    my $kind  = $least == $REFERENCE ? 'unknown' : $is_unsteady            ? 'wide' : 'narrow';
    my $is    = $found->{spread} < 0 ? 'unknown' : $found->{spread} > 0.05 ? 'wide' : 'narrow';
    ok($found->{loops} >= $least && $found->{loops} <= $most, "$name: $found->{loops} loops");
    is("$is $found->{unsteady}", "$kind $is_unsteady", "$name: the spread, $found->{spread}, and whether it is steady");
    ok($found->{burns} <= 2000 + 5 * 21 && $found->{most} <= 1_000_000_000, "$name: batches are few and small");
    is($found->{batch_ms}, '10.000', "$name: a batch") if $what eq 'steady' && $speed > 1;
    cmp_ok($found->{ms}, '>=', 300 + 21 * 10, "$name: batches after 300 ms") if $what eq 'steady' && $speed > 1;
}

#<<< Kind of machine, its amount, most trials. Result: frames a second, most streams that passed, fewest that failed,
# and whether all passed. Then the numbers of streams that were tried, and those that fail by accident.
my @SEARCHES = (
    ['cliff', 0,     64, [0,        0,    1,    0], [1, 2]],
    ['line',  0.5,   64, [60 * 50 / 99, 0, 1,   0], [1, 2]],
    ['line',  0.989, 64, [60 * 98.9 / 99, 0, 1, 0], [1, 2]],
    ['cliff', 1,     64, [60 * 1.01, 1,   2,    0], [1, 2, 4]],
    ['cliff', 2,     64, [60 * 2.01, 2,   3,    0], [1, 2, 4, 3]],
    ['line',  7.5,   64, [60 * 7.16, 7,   8,    0], [1, 2, 4, 8, 6, 7, 16]],
    ['line',  7.92,  64, [60 * 8,    8,   9,    0], [1, 2, 4, 8, 16, 12, 10, 9]],
    ['cliff', 1000,  64, [60 * 1000.01, 1000, 1001, 0],
        [(map { 2**$_ } 0 .. 10), 768, 896, 960, 992, 1008, 1000, 1004, 1002, 1001]],
    ['cliff', 16_384, 64, [60 * 16_384, 16_384, 0, 1], [map { 2**$_ } 0 .. 14]],

    # If no trials are left, the bracket is wide, or there is none.
    ['cliff', 100, 1, [60,             1,  0,   0], [1]],
    ['cliff', 100, 7, [60 * 64,        64, 0,   0], [map { 2**$_ } 0 .. 6]],
    ['cliff', 100, 8, [60 * 64.64,     64, 128, 0], [map { 2**$_ } 0 .. 7]],
    ['cliff', 100, 9, [60 * 96.32,     96, 128, 0], [(map { 2**$_ } 0 .. 7), 96]],
    ['cliff', 100, -5, [60,            1,  0,   0], [1]],

    # Accidental failures: these numbers of streams failed, although more streams pass.
    ['cliff', 7,    64, [60 * 7.01,  7,  8,  0], [1, 2, 4, 8, 6, 7, 16], 1],
    ['cliff', 7,    64, [60 * 3.01,  3,  4,  0], [1, 2, 4, 3, 8], 4],
    ['cliff', 8,    64, [60 * 8.01,  8,  9,  0], [1, 2, 4, 3, 8, 16, 12, 10, 9], 4],
    ['cliff', 1000, 8,  [60 * 14.02, 14, 16, 0], [1, 2, 4, 3, 8, 16, 12, 14], 1, 4, 16],
    ['cliff', 100,  64, [60 * 95.01, 95, 96, 0], [(map { 2**$_ } 0 .. 7), 96, 80, 88, 92, 94, 95], 96],

    # The longest search there is. Then trials that fail, which end the search.
    ['cliff', 1e9, 64, [60 * 16_383.01, 16_383, 16_384, 0], undef, map { 4**$_ } 0 .. 7],
    ['broken', 2, 64, [-1, 1, 0, 0], [1, 2]],
    ['broken', 8, 64, [-1, 4, 0, 0], [1, 2, 4, 8]],
);
#>>>
for my $case (@SEARCHES) {
    my ($kind, $amount, $most, $expected, $tried, @accidents) = @$case;
    my ($result, @trials) = @{ said('capacity', $kind, $amount, $most, @accidents) };
    my ($fps, @others)    = @$expected;
    my $name = "$kind, $amount, at most $most trials, accidents: @accidents";
    is($result, sprintf('%.6f %d %d %d', $fps, @others), "$name: the result");
    is_deeply(\@trials, $tried, "$name: the numbers of streams that were tried") if $tried;
}

# Takes CPU times in ticks (user, idle, iowait, softirq, steal); returns the tree of a machine that shows them.
sub moment {
    my ($user, $idle, $wait, $softirq, $steal) = @_;
    return host_tree('/proc/stat' => "cpu  $user 0 0 $idle $wait 0 $softirq $steal 0 0\n");
}

# Name, two moments, own ticks; expected steal, other work.
my @BETWEEN = (
    ['no other work',                   [0,  1,   0, 0, 0], [100, 101, 0,   0,  0],  100, '0 0'],
    ['other work',                      [7,  9,   0, 0, 0], [57,  159, 0,   0,  0],  30,  '0 0.1'],
    ['interrupts',                      [0,  1,   0, 0, 0], [0,   151, 0,   50, 0],  0,   '0 0.25'],
    ['waiting for disks is not work',   [0,  1,   0, 0, 0], [0,   101, 100, 0,  0],  0,   '0 0'],
    ['stolen time',                     [0,  0,   0, 0, 5], [100, 80,  0,   0,  25], 100, '0.1 0'],
    ['own time above the counted time', [0,  1,   0, 0, 0], [50,  151, 0,   0,  0],  60,  '0 0'],
    ['steal goes back',                 [50, 100, 0, 0, 9], [50,  200, 0,   0,  5],  0,   '0 0'],
    ['no time passed',                  [5,  5,   5, 5, 5], [5,   5,   5,   5,  5],  0,   '-1 -1'],
    ['all times go back',               [5,  500, 5, 5, 5], [5,   5,   5,   5,  5],  0,   '-1 -1'],
);
is_deeply(said('disturbance', (map { moment(@$_) } @$_[1, 2]), $_->[3]), [$_->[4]], $_->[0]) for @BETWEEN;
is_deeply(said('disturbance', host_tree(%$_), moment((1) x 5), 0), ['-1 -1'], 'no file, or a time is missing') for { }
, { '/proc/stat' => "cpu  1 1 1 1 1 1 1\n" };

# Memory, free space, largest size, expected size; the last in MiB, the others in bytes.
my @FILES = (
    [8 * $GIB, 100 * $GIB,    4 * $GIB + 1, 4096, 'half of the memory'],
    [3 * $GIB, 100 * $GIB,    4 * $GIB,     1536, 'half of less memory'],
    [8 * $GIB, 10 * $GIB,     4 * $GIB,     1024, 'a tenth of what is free'],
    [8 * $GIB, 10 * $MIB - 1, 4 * $GIB,     0,    'hardly anything is free'],
    [8 * $GIB, 100 * $GIB,    16 * $MIB,    16,   'little is allowed'],
);
is_deeply(said('files', @$_[0 .. 2]), [$_->[3] * $MIB], "files: $_->[4]") for @FILES;

# Memory in MiB: total, available, swap, left by the group, left by RLIMIT_AS, most. Then whether --swap is given, the
# size in MiB, and the name.
my @MEMORY = (
    [1000,  600,     0,     $NONE, $NONE, 0, 0, 540,     'nine tenths of what is available'],
    [1000,  600,     2000,  $NONE, $NONE, 0, 1, 1100,    '--swap: 110 % of all memory'],
    [1000,  600,     100,   $NONE, $NONE, 0, 1, 1036,    '--swap: all memory and the swap but 64 MiB'],
    [1000,  600,     0,     100,   $NONE, 0, 0, 90,      'nine tenths of what the group leaves'],
    [1000,  0,       0,     $NONE, $NONE, 0, 0, 0,       'nothing is available'],
    [$NONE, $NONE,   $NONE, $NONE, $NONE, 0, 0, 0,       'nothing is known'],
    [32,    10,      10,    $NONE, $NONE, 0, 1, 0,       '--swap: the size is never negative'],
    [3e6,   2900000, 0,     $NONE, $NONE, 0, 0, 2610000, 'terabytes'],
);
for my $case (@MEMORY) {
    my ($mib, $name, @of) = (@$case[7, 8], (map { $_ < 0 ? $_ : $_ * $MIB } @$case[0 .. 5]), $case->[6]);
    is_deeply(said('memory', @of), [$mib * $MIB], "memory: $name");
}

my $MEMINFO = "MemTotal:  4096 kB\nMemFree:  1024 kB\nMemAvailable:  2048 kB\nSwapTotal:  512 kB\n";
my ($V1, $V2) = map { "/sys/fs/cgroup$_" } '/memory', '';

# Files of a machine; total, available and swap in bytes, what the group leaves.
my @ROOMS = (
    [{},                              '-1|-1|-1|-1'],
    [{ '/proc/meminfo' => $MEMINFO }, '4194304|2097152|524288|-1'],
    [
        {
            '/proc/meminfo'          => $MEMINFO,
            '/proc/self/cgroup'      => "0::/a/b\n",
            "$V2/a/b/memory.max"     => "max\n",
            "$V2/a/b/memory.current" => "77\n",
            "$V2/a/memory.max"       => "5000\n",
            "$V2/a/memory.current"   => "3000\n",
            "$V2/a/memory.stat"      => "anon 1\ninactive_anon 7\nactive_file 100\ninactive_file 200\n",
        },
        '4194304|2097152|524288|2300'
    ],
    [
        {
            '/proc/self/cgroup'           => "3:cpu:/z\n2:memory:/a\n0::/q\n",
            "$V1/memory.limit_in_bytes"   => "9223372036854771712\n",
            "$V1/memory.usage_in_bytes"   => "1\n",
            "$V1/a/memory.limit_in_bytes" => "9000\n",
            "$V1/a/memory.usage_in_bytes" => "8999\n",
            "$V1/a/memory.stat"           => "inactive_file 1\ntotal_inactive_file 10\ntotal_active_file 20\n",
        },
        '-1|-1|-1|31'
    ],
    [
        { "$V2/a/memory.max" => "5000\n", "$V2/a/memory.current" => "6000\n", '/proc/self/cgroup' => "0::/a\n" },
        '-1|-1|-1|0'
    ],
);
is_deeply(said('room', host_tree(%{ $_->[0] })), [$_->[1]], "the memory of a machine: $_->[1]") for @ROOMS;

# Nanoseconds of work, loops per millisecond, loops. No loops are lost, even if they are few or the work is short.
my @LOOPS = (
    [2_500_000,          4_214_517,             '10536293'],
    [1_000_000,          999,                   999],
    [499,                1000,                  0],
    [500,                1000,                  1],
    [-1,                 4_214_517,             0],
    ['86400000000001',   1_000_000_000,         '86400000000001000'],
    ['4000000000000000', 4_000_000_001,         '16000000004000000000'],
    [999_999,            '9000000000000000003', '8999991000000000003'],
);
is_deeply(said('loops', @$_[0, 1]), [$_->[2]], "the loops of $_->[0] ns at $_->[1] loops per ms") for @LOOPS;
is(join(q{ }, @{ said('sleep', -1, 0, 1000, 20_000_000) }), 'yes yes yes yes interrupted', 'a whole sleep');

# Samples: values, mean, standard deviation.
my @SAMPLES = (
    [[1 .. 5],                 3, '1.5811'],
    [[(7) x 4],                7, '0.0000'],
    [[2, 4, 4, 4, 5, 5, 7, 9], 5, '2.1381'],
    [[(0) x 99, 100],          1, '10.0000'],
);
for my $case (@SAMPLES) {
    my ($values, $mean, $deviation) = @$case;
    my $name = @$values . " values from $values->[0] to $values->[-1]";
    my ($said, $moved) = map { named('values', $_, @$values) } 0, 1_000_000_000;
    my $numbers = sprintf('%d %s %.4f %d', @$said{qw(count mean deviation max)});
    is($numbers,       @$values . " $mean $deviation $values->[-1]", "numbers of $name");
    is($moved->{mean}, 1_000_000_000 + $mean,                        "far from 0: mean of $name");
    my $error = abs($moved->{deviation} - $said->{deviation});
    cmp_ok($error, '<=', 1e-9 * $said->{deviation}, "far from 0: standard deviation of $name");
}

my @RANKS = qw(rank500 rank900 rank950 rank990 rank999);
my @KNOWN = map { s/rank/known/r } @RANKS;
my @KEYS  = (qw(count deviation rank500 rank999 known500 max mean));
is_deeply([@{ named('values', 0) }{ @KEYS[0 .. 4] }],     [0, (-1) x 4],         'nothing is known without values');
is_deeply([@{ named('values', 0, 42) }{ @KEYS[0 .. 4] }], [1, -1, 42, 42, -1],   'one value has no standard deviation');
is_deeply([@{ named('values', 0, -5, 5) }{qw(max mean)}], [5, 2.5],              'a value below 0 counts as 0');
is_deeply([@{ named('values', 0, 1 .. 100) }{@RANKS}],    [50, 90, 95, 99, 100], 'percentiles of 1 .. 100');
my $greatest = '9223372036854775807';
is(named('values', 0, $greatest)->{rank999}, $greatest, 'the greatest value of 64 bits is its own percentile');

# A percentile is known if at least ten values lie above it: their number, and how many percentiles are known.
for my $case ([19, 0], [20, 1], [999, 3], [1000, 4], [10_000, 5]) {
    my ($count, $known) = @$case;
    my $said = named('values', 0, 1 .. $count);
    is_deeply([@$said{@KNOWN}], [@$said{ @RANKS[0 .. $known - 1] }, (-1) x (5 - $known)], "$count values");
}

# Value, index, lowest and highest value of its bucket; as words, because they may need 64 bits.
my @BUCKETS = split /\n/, <<'END';
255 255 255 255
256 256 256 257
258 257 258 259
512 384 512 515
1000 506 1000 1003
16666 1026 16640 16767
16666667 2302 16646144 16711679
999999999 3054 998244352 1002438655
18446744073709551615 7423 18374686479671623680 18446744073709551615
END
is_deeply(said('index', map { (split)[0] } @BUCKETS), [map { s/\S+ //r } @BUCKETS], 'the buckets of values');

# Seed, number of values, number of parts.
for my $case ([1, 10_000, 16], [3, 3, 16], [5, 0, 3]) {
    my @lines = map { s/\b(mean|deviation) ([0-9.e+-]+)/sprintf '%s %.9g', $1, $2/ger } @{ said('merged', @$case) };
    is_deeply([@lines[1, 2]], [$lines[0], 'alike'], "seed, values and parts @$case: merged statistics and histogram");
}

# The tasks, and the moments and demands of their frames: name, period, demand of a frame in nanoseconds; properties.
my $TASKS = <<'END';
Audio 1000000000/20 2500000 spread=0 varying=0 default=1 real_time=1 mixed=1
Video 1000000000/60 6666666 spread=0 varying=0 default=1 real_time=1 mixed=1
X 1000000000/10 0 spread=0 varying=1 default=1 real_time=0 mixed=1
Gaming 0/1 10000000 spread=0 varying=0 default=1 real_time=0 mixed=0
Probe 1000000000/1000 20000 spread=20 varying=0 default=1 real_time=1 mixed=1
Video120 1000000000/120 3333333 spread=0 varying=0 default=0 real_time=0 mixed=0
Video144 1000000000/144 2777777 spread=0 varying=0 default=0 real_time=0 mixed=0
Custom CUSTOM spread=0 varying=0 default=1 real_time=1 mixed=0
END
for my $case (['0/1 0'], ['7000000/1 2310000', 33, 7000]) {
    my ($custom, @defined) = @$case;
    is(join("\n", @{ said('tasks', @defined) }, q{}), $TASKS =~ s/CUSTOM/$custom/r, "the tasks; Custom is $custom");
}

sub stream  { return { said('schedule', @_)->[0] =~ /(\w+)=(\S*)/g } }
sub demands { return split /,/, stream(@_)->{demands} }

is_deeply([demands('Audio', 1, 0, 1)], [(2_500_000) x 100], 'each frame of Audio has the same demand');
is(stream('Probe', 1, 0, 1)->{spread}, 200_000, 'releases of Probe are up to a fifth of its period late');
is_deeply([map { stream('Video', 1, $_, 3)->{phase} } 0 .. 2], [0, 5_555_555, 11_111_111], 'streams are spread');
my %seeds = map { (stream('Probe', 1, $_, 100)->{seed} => 1) } 0 .. 99;
is(scalar keys %seeds, 100, 'each stream has a seed of its own');
isnt(stream('Probe', 7, 3, 9)->{seed}, stream('Probe', 8, 3, 9)->{seed}, 'that follows the seed of the run');

my @shares = map { $_ / 1_000_000 } demands('X', 1, 0, 1);
is_deeply([sort { $a <=> $b } @shares], [0 .. 94, (95) x 5], 'X demands 0 .. 99 %, at most 95');
cmp_ok(scalar(grep { $shares[$_] == $shares[$_ - 1] + 1 } 1 .. $#shares), '<', 10, 'the demands of X are not a ramp');
isnt(stream('X', 2, 0, 1)->{demands}, stream('X', 1, 0, 1)->{demands}, 'another seed gives X another order');

# Period as a quotient, spread, phase, seed; frames and their release times.
my $S        = 1_000_000_000;
my @RELEASES = (
    [[$S, 60, 0, 0, 1],          [0 .. 3, 59, 60],           [0, 16_666_666, 33_333_333, 50_000_000, 983_333_333, $S]],
    [[$S, 60, 0, 0, 1],          [1_000_000_001, 5_184_000], ['16666666683333333', '86400000000000']],
    [[$S, 144, 0, 7, 1],         [0, 1, 144, 1_000_000_000], [7, 6_944_451, 1_000_000_007, '6944444444444451']],
    [[$S, 20, 0, 25_000_000, 1], [0, 1, 2],                  [25_000_000, 75_000_000, 125_000_000]],
);
for my $case (@RELEASES) {
    my ($of, $frames, $releases) = @$case;
    is_deeply(said('release', @$of, @$frames),   $releases, "releases of @$of");
    is_deeply(said('first',   @$of, @$releases), $frames,   'frames are found by their release times');
}

# 60 frames a second: moments, and the first frame at or after each.
my %FIRST   = (-1 => 0, 0 => 0, 1 => 1, 16_666_666 => 1, 16_666_667 => 2, 50_000_001 => 4, 86_400 * $S => 5_184_000);
my @moments = sort { $a <=> $b } keys %FIRST;
is_deeply(said('first', $S, 60, 0, 0, 1, @moments), [@FIRST{@moments}], 'the first frame at or after a moment');

# 1000 frames a second, each released up to 200 us late at random.
my @offsets = @{ said('release', 1_000_000, 1, 200_000, 0, 5, 0 .. 4999) };
$offsets[$_] -= 1_000_000 * $_ for 0 .. $#offsets;
my @fifths = (0) x 5;
$fifths[min(4, int($_ / 40_000))]++ for @offsets;
is_deeply([grep { $_ < 850 || $_ > 1150 } @fifths], [], "all delays are equally likely: @fifths");
ok(min(@offsets) >= 0 && max(@offsets) <= 200_000, 'no frame is released early, or more than 200 us late');

# Takes a policy, what differs from the usual scenario, and stalls and extra work of frames; returns what was counted.
sub played {
    my ($policy, $differs, @events) = @_;
    my %of = (period => 10, demand => 4, frames => 10, first => 0, %$differs);
    return named('frames', $policy, @of{qw(period demand frames first)}, map { @$_ } @events);
}

my $STALL = [stall => 3, 55];
my @WAKES = map { [stall => $_, 5] } 0 .. 9;
my $LATE  = [extra => 3, 8];
my $LONG  = [extra => 3, 33];

#<<< Period 10, demand 4, 10 frames. Policy; what is changed; frames on time, late and dropped; work in percent; the
# staleness of each frame that is not censored, the lowest first; the greatest one with those of censored frames.
my @PLAYED = (
    [skip    => {}, [],        [10, 0, 0], 100, [(4) x 10],                       4],
    [catchup => {}, [],        [10, 0, 0], 100, [(4) x 10],                       4],
    [skip    => {}, [$LATE],   [8, 1, 1],  90,  [(4) x 8, 12, 14],                14],
    [catchup => {}, [$LATE],   [9, 1, 0],  100, [(4) x 8, 6, 12],                 12],
    [skip    => {}, [$LONG],   [6, 1, 3],  70,  [(4) x 6, 14, 24, 34, 37],        37],
    [catchup => {}, [$LONG],   [6, 2, 2],  80,  [(4) x 5, 5, 11, 21, 31, 37],     37],
    [skip    => {}, [$STALL],  [4, 0, 6],  40,  [(4) x 4, 14, 24, 34, 44, 54, 64], 64],
    [catchup => {}, [$STALL],  [5, 0, 5],  50,  [(4) x 4, 9, 19, 29, 39, 49, 59], 59],
    [skip    => {}, \@WAKES,   [10, 0, 0], 100, [(9) x 10],                       9],
    [skip    => { demand => 10 }, [], [10, 0, 0], 100, [(10) x 10],               10],

    # The first 5 frames are the warm-up.
    [skip    => { first => 5 }, [],                   [5, 0, 0], 100, [(4) x 5],           4],
    [skip    => { first => 5 }, [[stall => 4, 35]],   [2, 0, 3], 40,  [4, 4, 14, 24, 34],  34],
    [catchup => { first => 5 }, [[stall => 4, 35]],   [3, 0, 2], 60,  [4, 4, 9, 19, 29],   29],
    [catchup => { first => 5 }, [[extra => 4, 33]],   [2, 1, 2], 60,  [4, 5, 11, 21, 31],  31],
    [skip    => { first => 5 }, [[stall => 4, 1000]], [0, 0, 5], 0,   [],                  990],
    [skip    => { first => 5 }, [[extra => 8, 1000]], [3, 1, 1], 80,  [4, 4, 4, 1004],     1004],
    [catchup => { first => 5 }, [[stall => 9, 100]],  [4, 0, 1], 80,  [4, 4, 4, 4],        100],
    [skip    => { first => 10 }, [],                  [0, 0, 0], 'nan', [],                -1],
);
#>>>
for my $case (@PLAYED) {
    my ($policy, $differs, $events, $counts, $work, $staleness, $max) = @$case;
    my $said = played($policy, $differs, @$events);
    my $done = $said->{demand} ? 100 * $said->{done} / $said->{demand} : 'nan';
    my $name = "$policy, frames @$counts, @$staleness";
    is_deeply([@$said{qw(on_time late dropped)}, $done, $said->{stalest}], [@$counts, $work, $max], $name);
    is($said->{staleness}, join(q{}, map { "$_," } @$staleness), "$name: the staleness");
    is_deeply([@$said{qw(burns wrong)}], [$counts->[0] + $counts->[1], 0], "$name: executed frames work once");
}
is(played('skip', {}, @WAKES)->{wake}, '5,' x 10, 'each frame has its own wake latency');

# A demand above the period: every second frame is dropped, or nearly all frames are late.
my %ABOVE = (
    skip    => [0, 300, 300, 3600, 1, 2, '16.992', 12, 22, 22],
    catchup => [0, 500, 100],
);
for my $policy (sort keys %ABOVE) {
    my $said = played($policy, { demand => 12, frames => 600 });
    my @keys = (qw(on_time late dropped done censored censored_max mean p50 p90 max));
    is_deeply([@$said{ @keys[0 .. $#{ $ABOVE{$policy} }] }], $ABOVE{$policy}, "$policy: a demand above the period");
    is_deeply([@$said{qw(demand mean)}], [7200, '16.992'], "$policy: the whole demand, and the mean of the staleness");
}

done_testing;
