use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases    qw(cases);
use Fixture  qw(failed host interrupted measured result run skipped);
use QuickRun qw(in_rounds run_of_rounds);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Summary;

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

done_testing;
