use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use UnixBench::Base::Time
    qw(clock_time duration_in_brief duration_in_words duration_s english_date),
    qw(iso_date iso_time limit_in_brief time_of_date);
use UnixBench::Base::Clock;
use UnixBench::Base::Proc;

BEGIN { $ENV{TZ} = 'UTC' }

is(english_date(1_795_140_750, 0), 'Fri Nov 20 2026', 'english_date prints the date in English');
is(clock_time(1_795_140_750, 0),   '02:12:30',        'clock_time prints the time of day');
is(
    english_date(1_795_140_750, -9000) . q{ } . clock_time(1_795_140_750, -9000),
    'Thu Nov 19 2026 23:42:30',
    'date and time follow the UTC offset'
);
is(iso_time(1_795_140_750, 0),      '2026-11-20T02:12:30+00:00', 'iso_time prints date and time');
is(iso_time(1_795_140_750, -9000),  '2026-11-19T23:42:30-02:30', 'iso_time prints an offset west of Greenwich');
is(iso_time(1_795_140_750, 20_700), '2026-11-20T07:57:30+05:45', 'iso_time prints the offset of Nepal');
my %SECONDS = (
    '90'          => 90,
    '0.5s'        => 0.5,
    '5m'          => 300,
    '1.5h'        => 5400,
    '7d'          => 604_800,
    '0.000000001' => 1e-9,
);
is(duration_s($_), $SECONDS{$_}, "$_ is a duration") for sort keys %SECONDS;

for my $word (q{}, qw(0 0s 0.0d -1 +1 1e3 .5 1. 1w 1D s 1dd 1000000000), '1 d', "1d\n", ' 1', "1\x{0663}") {
    my @seconds = duration_s($word);
    is_deeply(\@seconds, [], 'not a duration: ' . ($word =~ s/[^ -~]/?/gr));
}

my @IN_WORDS = (
    0         => '0 seconds',
    1         => '1 second',
    60        => '1 minute',
    3600      => '1 hour',
    86_400    => '1 day',
    8_640_000 => '100 days',
);
while (my ($seconds, $words) = splice @IN_WORDS, 0, 2) {
    is(duration_in_words($seconds), $words, "$seconds s in words");
}

subtest 'durations in brief' => sub {
    my %words = (
        0    => '0 s',
        45.4 => '45 s',
        100  => '2 min',
        1680 => '28 min',
        3599 => '1 h',
        3900 => '1 h 5 min',
        7170 => '2 h'
    );
    is(duration_in_brief($_), $words{$_}, "$_ seconds") for sort { $a <=> $b } keys %words;
    is(limit_in_brief(120),   '2 min',    'a limit in minutes');
    is(limit_in_brief(150),   '150 s',    'a limit in seconds, as minutes would be rounded');
    is(limit_in_brief(90.5),  '90.5 s',   'a limit with a fraction');
};

subtest 'the time of a date' => sub {
    my %seconds = (
        'Mon Jun 25 2018 20:54:19'    => 1_529_960_059,
        'Mon, June 25, 2018 20:54:19' => 1_529_960_059,
        '2018-06-25T20:54:19'         => 1_529_960_059,
    );
    is(scalar time_of_date($_),                 $seconds{$_},                $_) for sort keys %seconds;
    is(iso_date('Mon, June 25, 2018 20:25:47'), '2018-06-25T20:25:47',       'ISO 8601, without a zone');
    is(iso_date('2026-11-20T02:12:30+01:00'),   '2026-11-20T02:12:30+01:00', 'ISO 8601 stays');
    for my $text (q{}, 'Mon Feb 30 2018 10:00:00', '2018-13-01 10:00:00', 'lun juin 25 2018 10:00:00', '2018-06-25') {
        is(scalar iso_date($text),     undef, "no ISO 8601: $text");
        is(scalar time_of_date($text), undef, "not a date with a time: $text");
    }
};

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

# A process whose name looks like fields of the file.
my $TEXT = '71 (a) R (b) S 7 8 9 0 -1 4194304 900 8000 12 13 2 1 9 4 20 -5 1 0 12345 9000000 15 ' . '0 ' x 16 . "6 0\n";

sub fields { return [UnixBench::Base::Proc::fields(@_)] }

is_deeply(fields($TEXT, qw(state parent group)), ['S', 7, 8], 'state, parent and group are read');
is_deeply(fields($TEXT, qw(major_faults child_major_faults)),         [12, 13], 'page faults are read');
is_deeply(fields($TEXT, map { "${_}_time" } qw(user kernel)),         [2,  1],  'CPU times are read');
is_deeply(fields($TEXT, qw(children_user_time children_kernel_time)), [9,  4],  'CPU times of the children are read');
is_deeply(fields($TEXT, qw(nice started)),                            [-5, 12_345], 'a negative number is read');
is(UnixBench::Base::Proc::name($TEXT), 'a) R (b', 'the name is read');

is_deeply(fields($_, 'parent'), [], 'no fields in ' . $_ =~ s/\n/\\n/r)
    for q{}, "71 (a) S\n", "71 a S 7 8\n", "71 (a) S x 8\n", "71 (a) S 1e9 8\n", '71 (a) S ' . '9' x 16;
is_deeply(fields("71 (a) S 7\n", qw(state parent group)), [], 'a missing field means that there are no fields');
is(UnixBench::Base::Proc::name("71 a S 7\n"), undef, 'a text without brackets has no name');

is_deeply([UnixBench::Base::Proc::scheduled_ns("71 8 9\n")], [71, 8], 'the times of running and waiting are read');
is_deeply([UnixBench::Base::Proc::scheduled_ns($_)],         [],      'no such times in ' . $_ =~ s/\n/\\n/r)
    for q{}, "0 0 0\n", "71 8\n", "71 -8 9\n", "71 8e9 9\n", '9' x 19 . " 8 9\n";

subtest 'whose numbers /proc has' => sub {
    my $ours = \&UnixBench::Base::Proc::are_ours;
    my $in   = sub { return "Name:\tperl\nPid:\t$_[0]\nNSpid:\t$_[1]\n" };
    is($ours->(7, 7,     $in->(7, 7)),            1, 'those of this program');
    is($ours->(7, 7,     "Name:\tperl\n"),        1, 'a kernel that does not say more');
    is($ours->(7, 4711,  $in->(4711, "4711\t7")), 0, 'those of the host');
    is($ours->(7, 7,     $in->(7, "7\t7")),       0, 'those of the host, by chance with the same number');
    is($ours->(7, undef, undef),                  0, 'no /proc, or one that does not have this program');
};

# A process has another number in /proc than it sees itself.
SKIP: {
    my @apart = qw(unshare --user --map-root-user --pid --fork);
    skip_without(machine => 'PID namespaces', 1)
        if $^O ne 'linux' || system("@apart true 2>/dev/null") != 0;
    my $asks = 'use UnixBench::Base::Proc; print for UnixBench::Base::Proc::is_ours(),'
        . ' scalar(UnixBench::Base::Proc::of(1, "state")) // "-", UnixBench::Base::Proc::used(1) // "-"';
    open my $said, '-|', @apart, $^X, "-I$FindBin::Bin/../../../lib", '-e', $asks or die "unshare: $!";
    is(join(q{}, <$said>), '0--', 'nothing is known in another PID namespace');
}

SKIP: {
    skip_without(machine => '/proc/PID/schedstat', 3) if !-r "/proc/$$/schedstat";
    my ($used, $has_ended) = UnixBench::Base::Proc::used($$);
    is(scalar(grep { !defined $used->{$_} } qw(ran_s waited_s switches forced_switches)), 0, 'what a process has used');
    is($has_ended,                                 0,     'this process has not ended');
    is(scalar UnixBench::Base::Proc::used('none'), undef, 'a process that does not exist: unknown');
}

done_testing;
