use strict;
use warnings;

use POSIX ();
use Test::More;

use UnixBench::Base::Clock;

# [a time zone in the notation of POSIX, seconds since 1970, hours ahead of UTC at that moment].
my @CASES = (
    ['UTC0',                      1_795_140_750, 0],
    ['JST-9',                     1_795_140_750, 9],
    ['NPT-5:45',                  1_795_140_750, 5.75],
    ['NST3:30NDT,M3.2.0,M11.1.0', 1_795_140_750, -3.5],
    ['NST3:30NDT,M3.2.0,M11.1.0', 1_783_000_000, -2.5],
    ['LINT-14',                   1_798_759_800, 14],     # half an hour before a new year in UTC
    ['AOE12',                     1_798_763_400, -12],    # half an hour after it
);

for my $case (@CASES) {
    my ($zone, $time, $hours) = @$case;
    local $ENV{TZ} = $zone;
    POSIX::tzset();
    is(UnixBench::Base::Clock::utc_offset_s($time), $hours * 3600, "UTC offset of $zone at $time");
}

# [a time zone, when its clocks are set in the days around that, and the hours ahead of UTC from then on].
my @CHANGES = (
    ['CET-1CEST,M3.5.0,M10.5.0/3',           1_792_890_000, 1],
    ['<+1030>-10:30<+11>-11,M10.1.0,M4.1.0', 1_775_314_800, 10.5],
    ['NST3:30NDT,M3.2.0,M11.1.0',            1_772_947_800, -2.5],
    ['IST-5:30',                             1_792_890_000],
);
for my $case (@CHANGES) {
    my ($zone, $at, $hours) = @$case;
    local $ENV{TZ} = $zone;
    POSIX::tzset();
    my $expected = defined $hours ? [{ at => $at, utc_offset_s => $hours * 3600 }] : [];
    for my $around ([1_000_000, 1_000_000], [3600, 0.5], [0.5, 86_400], [1, 1]) {
        my ($before, $after) = @$around;
        my @changes = UnixBench::Base::Clock::changes_between($at - $before, $at + $after);
        is_deeply(\@changes, $expected, "changes in $zone from $before s before to $after s after");
    }
    is_deeply([UnixBench::Base::Clock::changes_between($at + 1, $at + 1e6)], [], 'and none later');
}
POSIX::tzset();

my $clock = UnixBench::Base::Clock->new;
my @looks = map { $clock->monotonic_s } 1, 2;
cmp_ok($looks[0],                  '<=', $looks[1], 'the monotonic clock does not go back');
cmp_ok(abs($clock->wall_s - time), '<',  60,        'the wall clock shows the time of day');

my @coarse_s = map { UnixBench::Base::Clock::coarse_s() } 1, 2;
cmp_ok($coarse_s[0], '<=', $coarse_s[1], 'the coarse clock does not go back');
done_testing;
