use strict;
use warnings;

use FindBin qw($Bin);
use POSIX   ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use InterbenchReport      qw(printed row);
use Needs                 qw(need_compiler);

need_compiler();

local $ENV{TZ} = 'UTC-2';

my $RELEASE = (POSIX::uname())[2];
my $NO  = "\xe2\x80\x93";
my @RUN = (
    'report started 1700000000',
    'report loops_per_ms 3456789',
    'report cpus 2',
    'option duration 10000000000',
    'option warmup 500000000',
);
my %AUDIO = (
    frames  => 200,
    on_time => 150,
    late    => 30,
    dropped => 20,
    demand  => 500_000_000,
    done    => 450_000_000,
);
my @AUDIO = (['wake', 40_000, 180], ['staleness', 2_540_000, 150], ['staleness', 54_540_000, 50]);

subtest 'head' => sub {
    is_deeply [printed('head', @RUN)],
        [
        "Linux $RELEASE, 2023-11-15 00:13, 2 CPUs, 3456789 loops per ms",
        '10 s for each load after 0.5 s of warm-up, seed 1',
        ''
        ],
        'the head of a run without options';
    my @printed = printed(
        'head',
        @RUN,
        'report spread 0.0081',
        'report cpus 1',
        'option fixed 1',
        'option repeats 3',
        'option copies 4',
        'option seed 18446744073709551615',
        'text comment on batteries',
        'left_out Memload no swap',
        'left_out Net no socket'
    );
    is_deeply \@printed,
        [
        "Linux $RELEASE, 2023-11-15 00:13, 1 CPU,"
            . ' 3456789 loops per ms of the reference machine (spread at calibration 0.810 %)',
        '10 s for each load after 0.5 s of warm-up, seed 9223372036854775807, 3 repeats, 4 streams of each task',
        'Comment: on batteries',
        'Left out: Memload: no swap',
        'Left out: Net: no socket',
        ''
        ],
        'the head of a run with every option';
    like + (printed('head', @RUN, 'option mode 2'))[1], qr/\A10 s for each trial /,
        'the head of a capacity search has trials instead of loads';
};

subtest 'protocol' => sub {
    my %noisy   = (%AUDIO, throughput => 0.481, steal => 0.02);
    my @printed = printed(
        'protocol',
        row('Audio Burn',  \%noisy, @AUDIO),
        row('Audio None',  {}),
        row('Gaming Hack', { frames => 3, elapsed => 5 }, ['wake', 10_000_000, 2000], ['response', 20_000_000, 2000]),
        row('X Burn',      { frames => 5, dropped => 5, censored => 5, censored_max => 123_456_789, demand => 9 }),
        row(
            'Probe None',
            { frames => 10_000, on_time => 10_000, demand => 3, done => 1 },
            ['wake',      100, 9800],
            ['wake',      250, 200],
            ['staleness', 255, 10_000]
        )
    );
    is_deeply \@printed,
        [
        'cell.Burn.Audio|200|150|30|20|90.000|40.000|-|2555.903|54540.000|-|-|54540.000|22573.164|48.100|1',
        'cell.None.Audio|0|0|0|0|-|-|-|-|-|-|-|-|-|-|0',
        'cell.Hack.Gaming|3|-|-|-|50.000|-|-|-|-|-|-|-|-|-|0',
        'cell.Burn.X|5|0|0|5|0.000|-|-|-|-|-|-|123456.789|-|-|0',
        'cell.None.Probe|10000|10000|0|0|33.333|0.100|0.250|0.255|0.255|0.255|0.255|0.255|0.000|-|0',
        ],
        'the protocol has a line for each row';
    is_deeply [printed('protocol')], [], 'the protocol is empty without rows';
};

subtest 'rows that are merged' => sub {
    my ($first, @numbers) = row('Audio Burn', { %AUDIO, censored => 2, censored_max => 90_000_000 }, @AUDIO);
    my $merge    = $first =~ s/\Arow/merge/r;
    my ($single) = printed('protocol', $first, @numbers);
    my ($twice)  = printed('protocol', $first, @numbers, $merge, @numbers);
    my @single   = split /[|]/, $single;
    $_ *= 2 for @single[1 .. 4];
    my @twice = split /[|]/, $twice;
    splice @$_, 13, 1 for \@single, \@twice;    # the standard deviation has one degree of freedom less
    is_deeply \@twice, \@single, 'counts are added, and all other values stay';
    my @jobs = ('set frames 10', 'set elapsed 2000000000');
    my (undef, undef, undef, $jobs) = printed('table', 'row Gaming None', @jobs, 'merge Gaming None', @jobs);
    like $jobs, qr/^None +20 +5[.]00 /, 'jobs and times of Gaming are added';
};

done_testing;
