# Whether each test was measured completely, as cases.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(failed interrupted measured result run skipped);
use UnixBench::Summary;
use UnixBench::Summary::Cases;

my $NO_DISPLAY = 'skipped: no X display; set DISPLAY or install xvfb';
my $ONE_COPY   = 'skipped: graphics tests run as one copy';

# Takes a result; returns the cases of its tests, a list for each run.
sub by_run {
    my ($result) = @_;
    return UnixBench::Summary::Cases::by_run(UnixBench::Summary::of($result), $result);
}

# Takes a result; returns the cases of its tests.
sub cases {
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
        my ($case) = cases($result);
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
    my ($case) = grep { $_->{name} eq 'pipe' } cases(result([run(1, @others), run(2, $pipe)]));
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
