# The verdicts on requirements: UnixBench::Accept::Acceptance.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture qw(failed interrupted measured result run skipped steady_result);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Limit;
use UnixBench::Catalog;
use UnixBench::Summary;
use Verdicts qw(judged judged_together required);

my $NO_DISPLAY = 'skipped: no X display; set DISPLAY or install xvfb';
my @SPREAD     = (1000, 1010, 990);                                      # counts; the rates of pipe are a tenth of them
my @PIPE       = measured('pipe', 1, @SPREAD);                           # 99.98 (97.51 to 102.5)

my $QUOTA    = { cause => 'throttled', passes => 3, worst => 12 };
my $BY_QUOTA = 'were disturbed (CPU quota, up to 12 stops in a pass)';

# Takes the limit of trust, and levels of results or trusts; returns verdict and reason of the case of all together.
sub trust {
    my ($limit, @levels) = @_;
    my ($criterion) = UnixBench::Accept::Requirement::of_word("trust>=$limit");
    my %quota       = (disturbed => 3, worst => $QUOTA);
    my @trusts = map { ref ? $_ : +{ level => $_, passes => 9, disturbed => 0, $_ eq 'poor' ? %quota : () } } @levels;
    return join q{: }, @{ UnixBench::Accept::Acceptance::_case_of_trust($criterion, @trusts) }{qw(verdict reason)};
}

subtest 'trust' => sub {
    is(trust(fair => 'good'),           'PASS: good',                          'better than required');
    is(trust(fair => 'fair'),           'PASS: fair',                          'just as required');
    is(trust(good => 'fair'),           'FAIL: fair',                          'worse');
    is(trust(fair => 'poor'),           "FAIL: poor: 3 of 9 passes $BY_QUOTA", 'poor');
    is(trust(fair => 'incomplete'),     'INCONCLUSIVE: incomplete',            'incomplete');
    is(trust(fair => qw(good fair)),    'PASS: fair',                          'the worst of several decides');
    is(trust(fair => qw(good unknown)), 'INCONCLUSIVE: unknown: no index has an interval', 'or the unknown one');
    is(trust(fair => qw(unknown poor)), "FAIL: poor: 3 of 9 passes $BY_QUOTA", 'unless another one is too bad');
    my $by_load =
        sub { +{ level => 'poor', passes => 9, tests => 3, disturbed => 4, noisy => 1, half_width => 0.2, @_ } };
    my $limits =
        '4 of 9 passes were disturbed; 1 of 3 scores varies by more than 5 %; an index has an interval of +-20 %';
    is(
        trust(fair => $by_load->(loaded => 4, limited => 0)),
        "INCONCLUSIVE: poor by other load: $limits",
        'other load tells nothing about the machine'
    );
    is(trust(fair => $by_load->(loaded => 2, limited => 3)), "FAIL: poor: $limits", 'steal does');
    my $xvfb    = { cause => 'others', passes => 9, worst => 1.4, by => [{ name => 'Xvfb' }] };
    my %both    = (%{ $by_load->(loaded => 9, limited => 9, disturbed => 9) }, worst => $xvfb, also => $QUOTA);
    my ($level) = UnixBench::Accept::Requirement::of_word('trust>=good');
    is(
        UnixBench::Accept::Verdict::reason(UnixBench::Accept::Acceptance::_case_of_trust($level, \%both)),
        'trust is poor (other processes, CPU quota)',
        'both are named, also if there is no room for more'
    );
    my $case = required(steady_result([run(1, @PIPE)]), 'trust>=good');
    is_deeply(
        [@$case{qw(kind title name copies run)}],
        ['requirement', 'trust>=good', 'trust', undef, undef],
        'it is about the whole result'
    );
    is(UnixBench::Accept::Verdict::sentence($case), "$case->{verdict} trust>=good: $case->{reason}", 'in a sentence');
    my ($together) = grep { $_->{name} eq 'trust' }
        judged_together([map { steady_result([run(1, @PIPE)]) } 1, 2], [1], 'trust>=good' => undef);
    is($together->{results}, 2, 'also of several results');
};

subtest 'the interval is compared with the limit exactly' => sub {
    my $verdict = sub { (UnixBench::Accept::Limit::verdict({ low => $_[0], high => $_[1] }, 0.1))[0] };
    my ($more, $less) = map { unpack 'd', pack 'q', $_ + unpack 'q', pack 'd', 0.1 } 1, -1;
    is($verdict->(0.1,   9),     'PASS',         'the lower end is at the limit');
    is($verdict->($less, 9),     'INCONCLUSIVE', 'the lower end is just below it');
    is($verdict->(0.01,  $less), 'FAIL',         'the upper end is just below it');
    is($verdict->(0.01,  0.1),   'INCONCLUSIVE', 'only the upper end is at the limit');
    is($verdict->(undef, undef), 'INCONCLUSIVE', 'without an interval');
    cmp_ok($less, '<', $more, 'the next numbers differ');
};

# Takes the case of a requirement; returns its verdict and, if that is open, the reason.
sub outcome {
    my ($case) = @_;
    return join ': ', grep { defined } @$case{qw(verdict reason)};
}

my $ONE_PASS = 'one pass does not show the spread';
my @INDEX    = UnixBench::Catalog::expand('index');

# Takes tests; returns all tests of the index, these among them.
sub index_with {
    my %other = map { $_->{name} => $_ } @_;
    return map {
        $other{$_}
            || measured($_, 1, map { 1000 * $_ } @SPREAD)
    } @INDEX;
}

# [tests, requirement, value in its file, verdict and reason].
my @CASES = (
    [[@PIPE], 'pipe>=97',                    undef,         'PASS'],
    [[@PIPE], 'pipe>=103',                   undef,         'FAIL'],
    [[@PIPE], 'pipe>=100',                   undef,         'INCONCLUSIVE: the limit is within the interval'],
    [[@PIPE], 'pipe>=0.5*old.json',          190,           'PASS'],
    [[@PIPE], 'pipe>=0.5*old.json',          200,           'INCONCLUSIVE: the limit is within the interval'],
    [[@PIPE], 'pipe>=0.8*old.json',          [100, 0.2, 9], 'INCONCLUSIVE: the limit is within the interval'],
    [[@PIPE], 'pipe>=0.3*old.json',          [100, 0.2, 9], 'PASS'],
    [[@PIPE], 'pipe>=3*old.json',            [100, 0.2, 9], 'FAIL'],
    [[measured('pipe', 1, 1000)], 'pipe>=1', undef,         "INCONCLUSIVE: $ONE_PASS; measure more (-i, --max-time)"],
    [[failed('pipe', 'exit status 3', 1000)],       'pipe>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": exit status 3'],
    [[skipped('pipe', $NO_DISPLAY)],                'pipe>=1', undef, "INCONCLUSIVE: \"Pipe Throughput\": $NO_DISPLAY"],
    [[interrupted('pipe', 'interrupted', @SPREAD)], 'pipe>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": interrupted'],
    [[measured('spawn', 1, @SPREAD)],               'pipe>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": not begun'],
    [[index_with()],                                'index>=2500', undef, 'PASS'],
    [[index_with(), failed('2d-rects', 'gone')],    'index>=1',    undef, 'PASS'],
    [
        [index_with(interrupted('syscall', 'x'), failed('pipe', 'gone'))],
        'index>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": gone'
    ],
    [[index_with(interrupted('pipe', 'stopped'))], 'index>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": stopped'],
    [
        [index_with(measured('pipe', 1, 1000))],
        'index>=1', undef, "INCONCLUSIVE: $ONE_PASS; measure more (-i, --max-time)"
    ],
    [
        [index_with(interrupted('pipe', 'x'), failed('syscall', 'gone'), failed('execl', 'killed by SIGSEGV', 5))],
        'index>=1', undef, 'FAIL: "Execl Throughput": killed by SIGSEGV'
    ],
);
for my $case (@CASES) {
    my ($tests, $requirement, $reference, $expected) = @$case;
    is(outcome(required($tests, $requirement, $reference)), $expected, "$requirement: $expected");
}

subtest 'the reference has one pass' => sub {
    my $once = UnixBench::Summary::of(steady_result([run(1, measured('pipe', 1, 1000))]));
    my $case = required([@PIPE], 'pipe>=0.5*old.json', $once);
    is(outcome($case),    'INCONCLUSIVE: the reference has one pass, which does not show the spread', 'it is open');
    is($case->{is_final}, 1, 'and no run decides it');
};

subtest 'a quick estimate never fails against an official result' => sub {
    my $found = sub {
        my ($kind, $of, $number) = @_;
        my ($result, $base) = map { steady_result([run(1, @PIPE)], procedure => { kind => $_ }) } $kind, $of;
        return outcome(required($result, "pipe>=$number*ref", UnixBench::Summary::of($base)));
    };
    my $never = 'INCONCLUSIVE: a quick estimate never fails against an official result';
    is($found->(qw(quick official 2)),   $never, 'a value far below the limit');
    is($found->(qw(official quick 2)),   $never, 'the other way round');
    is($found->(qw(quick quick 2)),      'FAIL', 'two quick estimates');
    is($found->(qw(quick official 0.9)), 'PASS', 'a value above the limit');
    is($found->(qw(quick quick 0.96)),   'PASS', 'just above it');
    like($found->(qw(quick official 0.96)), qr/\AINC/, 'the interval has the difference between the procedures');
};

subtest 'a verdict is about the machine, not about one run' => sub {
    my @counts = map { 1000 + $_ } -1, 1, -1, 1, 0, 0;
    my $case   = sub {
        my ($limit, %of) = @_;
        return required(result([run(1, measured('pipe', 1, @counts))], %of), "pipe>=$limit");
    };

    # From run to run, 3.5 % are assumed of this test on virtual machines, so the interval is +-8 %.
    is_deeply(
        [map { $case->($_)->{verdict} } 90, 95, 99, 101, 105, 110],
        [qw(PASS INCONCLUSIVE INCONCLUSIVE INCONCLUSIVE INCONCLUSIVE FAIL)],
        'near limits are not decided'
    );
    is_deeply([@{ $case->(95) }{qw(more_runs needs_runs)}], [8,     1], 'eight more runs would, more passes would not');
    is_deeply([@{ $case->(90) }{qw(more_runs needs_runs)}], [undef, 0], 'a verdict needs no more runs');
    my %own = (facts => { virtualization => { hypervisor => 'none' } });
    is($case->(98, %own)->{verdict}, 'PASS', 'a machine of its own varies less');
};

subtest 'each test and each requirement has a case in each of its runs' => sub {
    my @runs   = (run(2, measured('pipe', 2, @SPREAD)), run(1, @PIPE), run(2, failed('pipe', 'x')));
    my @cases  = judged(steady_result(\@runs), [2, 1, 4], 'pipe>=1' => undef, '2:pipe>=2' => undef);
    my @places = map { join q{ }, $_->{title}, $_->{copies}, $_->{run} // 'none', $_->{verdict} } @cases;
    is_deeply(
        \@places,
        [
            'Pipe Throughput 2 0 PASS',
            '2:pipe>=2 2 0 PASS',
            'pipe>=1 2 0 PASS',
            'Pipe Throughput 1 1 PASS',
            'pipe>=1 1 1 PASS',
            'Pipe Throughput 2 2 ERROR',
            '2:pipe>=2 2 2 INCONCLUSIVE',
            'pipe>=1 2 2 INCONCLUSIVE',
            'pipe>=1 4 none INCONCLUSIVE',
        ],
        'cases are in the order of runs, tests first, runs that were not begun last'
    );
    is(sprintf('%.3f', $cases[0]{seconds}), '30.006', 'a test has the seconds of its passes');
    cmp_ok($cases[0]{score}, '>', $cases[1]{value}, 'and the classic score, a requirement that over all passes');
};

# Takes a signal and tests. Returns [verdict on pipe, verdict on a requirement for it], where a copy of pipe ended with
# this signal, next to the tests.
sub crashed {
    my ($signal, @others) = @_;
    my $pipe = failed('pipe', 'no count');
    $pipe->{passes}[0]{copies}[0]{signal} = $signal;
    my @cases = judged(steady_result([run(1, @others), run(2, $pipe)]), [2], 'pipe>=1' => undef);
    return [map { $_->{verdict} } grep { $_->{copies} == 2 } @cases];
}

subtest 'a machine is broken if a program crashes on it, and other passes were measured' => sub {
    my @spawn = (measured('spawn', 1, @SPREAD));
    is_deeply(crashed(POSIX::SIGSEGV(), @spawn), [qw(FAIL FAIL)],          'a segmentation fault');
    is_deeply(crashed(POSIX::SIGSEGV()),         [qw(ERROR INCONCLUSIVE)], 'without others, the programs may not fit');
    is_deeply(crashed(POSIX::SIGKILL(), @spawn), [qw(ERROR INCONCLUSIVE)], 'SIGKILL has other reasons');
};

# Takes a test, or the name of what a run asked for and a test, and requirements; returns whether no commit of a
# bisection can be decided.
sub is_undecidable {
    my ($asked, $test, %reference) = @_;
    my @cases = judged(result([run(1, $test)], asked => [$asked]), [1], %reference);
    return UnixBench::Accept::Acceptance::has_undecidable(@cases) ? 1 : 0;
}

subtest 'what is the same for every commit' => sub {
    my $crashed = failed('pipe', 'killed by SIGSEGV');
    my $missing = { %$crashed, passes => [{ copies => [{ status => 127, signal => 0 }], error => 'x', where => 'y' }] };
    my $no_display = skipped('2d-rects', $NO_DISPLAY);
    is(is_undecidable('pipe', @PIPE, "pipe>=$_" => undef), 0, "a limit of $_") for 1, 100, 1e9;
    is(is_undecidable('pipe', $crashed, 'pipe>=1' => undef),       0, 'a test that failed');
    is(is_undecidable('pipe', $missing, 'pipe>=1' => undef),       1, 'a program that can not be run');
    is(is_undecidable('2d-rects', $no_display),                    1, 'a test that needs something that is missing');
    is(is_undecidable('all', $no_display),                         0, 'one that was not asked for by its name');
    is(is_undecidable('all', $no_display, '2d-rects>=1' => undef), 1, 'one that was required');
    is(is_undecidable('pipe', measured('pipe', 1, 1000), 'pipe>=1' => undef), 1, 'a single pass');
};

subtest 'an index does not depend on the place of context1' => sub {
    my $of = sub {
        my ($place, $factor) = @_;
        my @tests = map {
            my $by = $_ eq 'context1' ? $factor : 1;
            measured($_, 1, map { $by * $_ } @SPREAD)
        } UnixBench::Catalog::expand('index');
        return steady_result([run(1, @tests)], asked => ['all'], place => $place);
    };
    my $base = UnixBench::Summary::of($of->('other cores', 7));
    my %is = map { $_ => required($of->($_, 1), 'index>=0.97*old.json', $base)->{verdict} } 'same core', 'other cores';
    is_deeply(\%is, { 'same core' => 'PASS', 'other cores' => 'FAIL' }, 'if it differs from that of the reference');
};

done_testing;
