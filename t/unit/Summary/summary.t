use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases    qw(cases);
use Fixture  qw(failed host interrupted measured result run skipped);
use QuickRun qw(in_rounds run_of_rounds);
use Machines qw(classic summary);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Summary;
use UnixBench::Summary::Outline;
use UnixBench::Summary::Cases;

# Counts of tests with different kinds of rates: that of shell1 is per minute. The times are those of Fixture.
my %COUNTS = (
    'fstime'           => [645_027.2, 640_101.5, 651_222.0, 638_999.9, 644_000.1],
    'whetstone-double' => [10_300.1,  10_311.7,  10_240.9,  10_298.4],
    'shell1'           => [5817,      5790,      5822],
);

# By NumPy 2.4 and SciPy 1.17.1, from the logarithms of the rates: stats.sem and stats.t.interval. The index is the mean
# of three logarithms minus those of the baselines, with the degrees of freedom of Welch and Satterthwaite.
#<<< a table
my %KNOWN = (
    'fstime' => {
        score => 645_075.381698, cv => 0.00750198724964, value => 643_855.681686, low => 637_897.197673,
        high => 649_869.822835, log_se => 0.00334869435186, df => 4,
    },
    'whetstone-double' => {
        score => 10_303.3983055, cv => 0.00309142817311, value => 10_287.7380621, low => 10_237.1855507,
        high => 10_338.540208, log_se => 0.00154785749524, df => 3,
    },
    'shell1' => {
        score => 5819.30538999, cv => 0.00296066806315, value => 5809.45590192, low => 5766.85257341,
        high => 5852.37396772, log_se => 0.00171068127263, df => 2,
    },
);
my %KNOWN_INDEX = (
    index => 1611.92980164, value => 1609.18775553, low => 1604.0761479, high => 1614.31565199,
    log_se => 0.00135548462446, df => 7.26609175502,
);
#>>>

# Tests that data and its estimate have these values, to ten digits.
sub are_near {
    my ($data, $known, $name) = @_;
    my %is  = (%$data, %{ $data->{estimate} });
    my @off = grep { abs($is{$_} / $known->{$_} - 1) > 1e-10 } sort keys %$known;
    return is_deeply({ map { $_ => $is{$_} } @off }, {}, $name);
}

subtest 'the passes of states that were measured in turns' => sub {
    my $run     = run_of_rounds(in_rounds('pipe', 1000, 1010), in_rounds('spawn', 7, 8));
    my @tests   = (@{ $run->{tests} }, failed('execl', 1));
    my $of      = sub { result([{ %$run, tests => \@tests }], procedure => { kind => 'quick', @_ }) };
    my $summary = UnixBench::Summary::of($of->(turns => { state => 1, commands => ['env'] }));
    my @turns   = map { $_->{turns} } @{ $summary->{runs}[0]{tests} };
    is_deeply(
        \@turns,
        [
            { rounds => [0, 1], rates => [1000, 1010], loaded => [], start => undef, work_rounds => [], works => [] },
            { rounds => [0, 1], rates => [7,    8],    loaded => [], start => undef, work_rounds => [], works => [] },
            undef
        ],
        'tests that were measured have them'
    );
    my $alone = UnixBench::Summary::of($of->())->{runs}[0]{tests}[0]{turns};
    is($alone, undef, 'a run of one state has none');
};

subtest 'how much rounds vary does not depend on how long a run was' => sub {
    for my $rounds (24, 144, 1440) {
        my @rates   = map { 1e6 * exp(0.02 * sin(atan2(1, 1) * $_ / 3) + ($_ % 2 ? 0.02 : -0.02)) } 1 .. $rounds;
        my $summary = UnixBench::Summary::of(result([run_of_rounds(in_rounds('dhry2reg', @rates))]));
        for my $of (map { ($_->{tests}[0], $_->{indexes}[0]) } @{ $summary->{runs} }) {
            cmp_ok(abs($of->{repeat}{deviation} / 0.6 / sqrt(0.02**2 + 0.02**2 / 2) - 1),
                '<', 0.04, "$rounds rounds: a fast and a slow part of 2 %");
        }
    }
};

subtest 'a summary has known values' => sub {
    my $run = run(1, map { measured($_, 1, @{ $COUNTS{$_} }) } sort keys %COUNTS);
    my ($found) = @{ UnixBench::Summary::of(result([$run]))->{runs} };
    for my $test (@{ $found->{tests} }) {
        my $name = $test->{name};
        are_near($test, $KNOWN{$name}, "values of $name");
        is($test->{passes}, @{ $COUNTS{$name} }, "$name: number of passes");
    }
    are_near($found->{indexes}[0], \%KNOWN_INDEX, 'values of the index');
    is_deeply($found->{indexes}[0]{tests}, [qw(whetstone-double fstime shell1)], 'tests of the index, by title');
    is_deeply([map { $_->{baseline} } @{ $found->{tests} }], [3960, 42.4, 55],   'baselines of the tests');
};

subtest 'one pass has no spread' => sub {
    my ($found) = @{ UnixBench::Summary::of(result([run(1, measured('fstime', 1, 645_027.2))]))->{runs} };
    my ($test)  = @{ $found->{tests} };
    is_deeply([@$test{qw(passes cv score)}], [1, undef, $test->{estimate}{value}], 'a score without a variation');
    is_deeply([@{ $_->{estimate} }{qw(low high log_se df)}], [(undef) x 4],        'an estimate without an interval')
        for $test, $found->{indexes}[0];
    cmp_ok(abs($test->{estimate}{value} / 645_027.2 - 1), '<', 1e-14, 'the estimate is the rate');
};

subtest 'tests without a score have status and reason' => sub {
    my @tests = (failed('pipe', 'gone', 5, 6), skipped('ubgears', 'no display'), interrupted('spawn', 'at 1 of 3', 5));
    my ($run) = @{ UnixBench::Summary::of(result([run(4, @tests)]))->{runs} };
    is_deeply([map { $_->{status} } @{ $run->{tests} }], [qw(failed skipped interrupted)],                  'status');
    is_deeply([map { $_->{reason} } @{ $run->{tests} }], ['gone', 'no display', 'at 1 of 3'],               'reason');
    is_deeply([map { @$_{qw(score unit baseline passes cv estimate)} } @{ $run->{tests} }], [(undef) x 18], 'others');
    is_deeply([@$run{qw(copies cpu_count indexes)}], [4, 2, []], 'copies, CPUs and indexes of their run');
};

subtest 'a summary describes the machine and the procedure' => sub {
    my @runs  = map { run($_, measured('pipe', $_, 5e6)) } 2, 1;
    my %facts = (
        host         => host(name => 'other', cpu_quota => 1.5),
        utc_offset_s => -12_600,
        notes        => ['a note'],
        procedure    => { kind => 'quick', time_factor => 0.5, work_factor => 3 },
    );
    my $summary = UnixBench::Summary::of(result(\@runs, %facts));
    is_deeply([@$summary{qw(has_passes version name system)}], [1, '8.0.0', 'other', 'GNU/Linux'], 'its head');
    is_deeply(
        [@$summary{qw(started date ended)}],
        [1_795_140_750, '2026-11-19T22:42:30-03:30', 1_795_140_750 + 2 * 403],
        'the date is that of the earliest run, the end that of the latest one'
    );
    is_deeply([@$summary{qw(procedure notes)}], [@facts{qw(procedure notes)}], 'procedure and notes');
    is($summary->{flags},                '-O3 -ffast-math -march=native -mtune=native', 'compiler flags');
    is($summary->{facts}{'cgroup.cpus'}, 'the time of 1.50 CPUs',                       'facts');
    is_deeply([map { $_->{copies} } @{ $summary->{runs} }], [2, 1], 'runs are in their order');
};

for my $case (cases()) {
    my $summary = UnixBench::Summary::of($case->{result});
    is(UnixBench::Base::Shape::difference($summary, UnixBench::Base::ResultSchema::shape('summary')),
        undef, "$case->{name}: the summary has the right shape");
}

# Tests of the outline of a result: UnixBench::Summary::Outline.

subtest 'the outline of a summary' => sub {
    my $summary = summary(
        runs      => { 1    => { pipe => [100, 100], spawn => 'failed: no' }, 2    => { pipe => [150, 150] } },
        procedure => { kind => 'quick',                                       seed => 7 }
    );
    my $outline = UnixBench::Summary::Outline::of($summary);
    is_deeply(
        [map { sprintf '%s %s', $_, $outline->{values}{$_} // 'none' } sort keys %{ $outline->{values} }],
        ['1 test pipe 100', '1 test spawn none', '2 test pipe 150'],
        'has the values of all numbers of copies'
    );
    my $other = UnixBench::Summary::Outline::of({ %$summary, procedure => { kind => 'quick', seed => 8 } });
    is($other->{procedure}, $outline->{procedure}, 'has the same procedure whatever the order of tests');
    my $slow = UnixBench::Summary::Outline::of({ %$summary, procedure => { kind => 'quick', time_factor => 2 } });
    isnt($slow->{procedure}, $outline->{procedure}, 'has another procedure if passes are longer');
    my $classic = UnixBench::Summary::Outline::of(classic($summary));
    is_deeply($classic->{values}, $outline->{values}, 'has the scores of a text report');
};

# Whether each test was measured completely, as cases.

my $NO_DISPLAY = 'skipped: no X display; set DISPLAY or install xvfb';
my $ONE_COPY   = 'skipped: graphics tests run as one copy';

# Takes a result; returns the cases of its tests, a list for each run.
sub by_run {
    my ($result) = @_;
    return UnixBench::Summary::Cases::by_run(UnixBench::Summary::of($result), $result);
}

# Takes a result; returns the cases of its tests.
sub rows_of {
    return map { @$_ } by_run(@_);
}

# [words that asked for tests, the test, its number of copies, the verdict on it].
my @TESTS = (
    ['pipe',         measured('pipe', 1, 1), 1, 'PASS'],
    ['all',          failed('pipe', 'gone'), 1, 'ERROR'],
    ['all',          skipped('2d-rects', $NO_DISPLAY),       1, 'SKIP'],
    ['2d-rects',     skipped('2d-rects', $NO_DISPLAY),       1, 'ERROR'],
    ['graphics',     skipped('2d-rects', $NO_DISPLAY),       1, 'ERROR'],
    ['gindex',       skipped('2d-rects', $NO_DISPLAY),       1, 'ERROR'],
    ['all graphics', skipped('2d-rects', $NO_DISPLAY),       1, 'ERROR'],
    ['all index',    skipped('2d-rects', $NO_DISPLAY),       1, 'SKIP'],
    ['graphics',     skipped('2d-lines', $NO_DISPLAY),       1, 'SKIP'],
    ['2d-rects',     skipped('2d-rects', $ONE_COPY),         8, 'SKIP'],
    ['2d-rects',     skipped('2d-rects', $NO_DISPLAY),       8, 'SKIP'],
    ['ubgears',      skipped('ubgears',  $NO_DISPLAY),       1, 'ERROR'],
    ['pipe',         skipped('pipe',     'some other time'), 8, 'ERROR'],
    ['pipe',         interrupted('pipe', 'interrupted', 9), 1, 'INCONCLUSIVE'],
);

subtest 'each test has a verdict' => sub {
    for my $row (@TESTS) {
        my ($words, $test, $copies, $verdict) = @$row;
        my $result = result([run($copies, $test)], asked => [split ' ', $words]);
        my ($case) = rows_of($result);
        is($case->{verdict}, $verdict, "$words: $test->{status} $test->{name}, $copies copies: $verdict");
        my $is_failure = $verdict eq 'ERROR' || $verdict eq 'INCONCLUSIVE';
        is(!!UnixBench::Summary::Cases::has_failed($case), $is_failure, "$words: status as $verdict");
    }
};

subtest 'the cases of each run' => sub {
    my @runs   = (run(2, measured('pipe', 2, 1000, 1010, 990)), run(1, failed('pipe', 'x'), measured('spawn', 1, 1)));
    my @by_run = by_run(result(\@runs));
    is_deeply(
        [map { [map { "$_->{name} $_->{copies} $_->{run} $_->{verdict}" } @$_] } @by_run],
        [['pipe 2 0 PASS'], ['pipe 1 1 ERROR', 'spawn 1 1 PASS']],
        'they are in the order of the tests'
    );
    my ($case) = @{ $by_run[0] };
    is(sprintf('%.3f', delete $case->{seconds}), '30.006',                  'the seconds of the passes');
    is(delete $case->{score},                    $runs[0]{tests}[0]{score}, 'the score');
    my %expected = (kind => 'test', name => 'pipe', title => 'Pipe Throughput', run => 0, copies => 2, unit => 'lps');
    is_deeply($case, { %expected, verdict => 'PASS', reason => undef, brief => undef, is_missing => 0 }, 'no others');
    is_deeply([@{ $by_run[1][0] }{qw(reason brief)}], [qw(x failed)], 'a test that failed has its reason');
    ok(UnixBench::Summary::Cases::has_failed($by_run[1][1], $by_run[1][0]), 'one of several tests has failed');
    my $summary = UnixBench::Summary::of(result(\@runs));
    is_deeply(
        [map { [map { $_->{verdict} } @$_] } UnixBench::Summary::Cases::by_run($summary)],
        [['PASS'], ['ERROR', 'PASS']],
        'a summary alone has them, too'
    );
    ok(!UnixBench::Summary::Cases::has_failed(), 'without tests, none has failed');
};

# Takes the signal and the status with which a copy of a test ended, and other tests; returns the case of that test.
sub ended {
    my ($signal, $status, @others) = @_;
    my $pipe = failed('pipe', 'no count');
    @{ $pipe->{passes}[0]{copies}[0] }{qw(signal status)} = ($signal, $status);
    my ($case) = grep { $_->{name} eq 'pipe' } rows_of(result([run(1, @others), run(2, $pipe)]));
    return $case;
}

subtest 'a machine is broken if a program crashes on it, and other passes were measured' => sub {
    my @spawn = (measured('spawn', 1, 1000, 1010, 990));
    is(ended(POSIX->can("SIG$_")->(), 0, @spawn)->{verdict}, 'FAIL',  "SIG$_") for qw(SEGV FPE);
    is(ended(POSIX->can("SIG$_")->(), 0, @spawn)->{verdict}, 'ERROR', "SIG$_ has other reasons")
        for qw(KILL TERM ILL BUS ABRT XFSZ);
    is(ended(POSIX::SIGSEGV(), 0)->{verdict}, 'ERROR', 'without a measurement, the programs may not fit');
    is(ended(0, 3, @spawn)->{verdict}, 'ERROR', 'an error that the program reports');
};

done_testing;
