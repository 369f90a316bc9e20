use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture qw(failed interrupted measured steady_result run skipped);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Requirement;
use UnixBench::Catalog;
use UnixBench::Accept::Verdict qw(finding sentence);
use UnixBench::Store::Summary;
use Outcomes qw(hostile_text);
use Verdicts qw(judged);

my $NO_DISPLAY = 'skipped: no X display; set DISPLAY or install xvfb';
my @SPREAD     = (1000, 1010, 990);                                      # counts; the rates of pipe are a tenth of them

my $OPEN = 'the limit is within the interval; about 49 more runs would decide, with 0.0 % from run to run';

# Return the next floating-point number above and below a number.
sub above { my ($number) = @_; return unpack 'd', pack 'q', 1 + unpack 'q',  pack 'd', $number }
sub below { my ($number) = @_; return unpack 'd', pack 'q', -1 + unpack 'q', pack 'd', $number }

sub estimate {
    my ($low, $high) = @_;
    return { value => 1, low => $low, high => $high, log_se => 0.1, df => 9 };
}

# Takes tests and requirements (expression => value of its file or undef). Returns [verdict, finding] of each
# requirement on a run with one copy of the tests, in the order of the expressions.
sub found {
    my ($tests, %reference) = @_;
    my @cases = judged(steady_result([run(1, @$tests)], asked => ['all']), [1], %reference);
    return [map { [$_->{verdict}, finding($_)] } grep { $_->{kind} eq 'requirement' } @cases];
}

subtest 'the interval is compared with the limit exactly' => sub {
    for my $limit (1500, 0.1, 1e-30, 1e30, 78_132_483.4) {
        my ($more, $less) = (above($limit), below($limit));
        my ($higher, $highest) = (above($limit * 2), $limit * 3);
        my $verdict = sub { (UnixBench::Accept::Limit::verdict(estimate(@_), $limit))[0] };
        cmp_ok($less, '<', $limit, 'below returns a smaller number')
            && cmp_ok($limit, '<', $more, 'above returns a larger number');
        is($verdict->($limit,     $higher), 'PASS',         "$limit: PASS if the lower end is at the limit");
        is($verdict->($more,      $higher), 'PASS',         "$limit: PASS if the lower end is just above it");
        is($verdict->($less,      $higher), 'INCONCLUSIVE', "$limit: INCONCLUSIVE if the lower end is just below it");
        is($verdict->($limit / 2, $less),   'FAIL',         "$limit: FAIL if the upper end is just below it");
        is($verdict->($limit / 2, $limit), 'INCONCLUSIVE',
            "$limit: INCONCLUSIVE if only the upper end is at the limit");
        is($verdict->($limit / 2, $more),  'INCONCLUSIVE', "$limit: INCONCLUSIVE if the upper end is just above it");
        is($verdict->($limit,     $limit), 'PASS',         "$limit: PASS if both ends are at the limit");
        is($verdict->($more,      $more),  'PASS',         "$limit: PASS if both ends are just above it");
        is($verdict->($less,      $less),  'FAIL',         "$limit: FAIL if both ends are just below it");
    }
};

subtest 'a quick estimate never fails against an official result' => sub {
    my @tests = measured('pipe', 1, @SPREAD);
    my $found = sub {
        my ($kind, $of, $number) = @_;
        my $result      = steady_result([run(1, @tests)], asked => ['all'], procedure => { kind => $kind });
        my $summary     = UnixBench::Store::Summary::of($result);
        my $requirement = UnixBench::Accept::Requirement::parse("pipe>=$number*ref");
        my %reference   = (ref => { %$summary, procedure => { kind => $of } });
        my @criteria    = UnixBench::Accept::Requirement::of([$requirement], { copies => [1] }, \%reference);
        my @cases       = UnixBench::Accept::Acceptance::cases($result, $summary, @criteria);
        my ($case)      = grep { $_->{kind} eq 'requirement' } @cases;
        return ($case->{verdict}, finding($case));
    };
    my ($verdict, $words) = $found->(qw(quick official 2));
    is($verdict, 'INCONCLUSIVE', 'a value far below the limit');
    like($words,
        qr/; the limit is .*, 2 x \S+ of ref, a quick estimate against an official result; a quick estimate never /,
        'the reason');
    is(($found->(qw(official quick 2)))[0],    'INCONCLUSIVE', 'the other way round');
    is(($found->(qw(quick quick 2)))[0],       'FAIL',         'two quick estimates');
    is(($found->(qw(official official 2)))[0], 'FAIL',         'two official results');
    is(($found->(qw(quick official 0.9)))[0],  'PASS',         'a value above the limit');
    is(($found->(qw(quick quick 0.96)))[0],    'PASS',         'just above it');
    is(($found->(qw(quick official 0.96)))[0], 'INCONCLUSIVE',
        'the interval has the difference between the procedures');
};

subtest 'a verdict has a reason if it is inconclusive' => sub {
    my @none = UnixBench::Accept::Limit::verdict({ value => 9e9, low => undef, high => undef }, 1);
    is_deeply(
        \@none,
        [INCONCLUSIVE => 'one pass does not show the spread', 'measure more (-i, --max-time)'],
        'an estimate without an interval is inconclusive, whatever its value is'
    );
    is_deeply(
        [UnixBench::Accept::Limit::verdict(estimate(1, 3), 2)],
        [INCONCLUSIVE => 'the limit is within the interval', 'more passes (-i, --max-time) narrow it'],
        'an interval that includes the limit is inconclusive'
    );
    my %more = (
        1  => 'about 1 more run would decide',
        50 => 'about 50 more runs would decide',
        51 => 'it is so near that 50 more runs may not decide',
    );
    for my $more (sort keys %more) {
        my (undef, undef, $advice) = UnixBench::Accept::Limit::verdict(estimate(1, 3), 2, $more);
        is($advice, $more{$more}, "$more more runs");
    }
    is_deeply(
        [UnixBench::Accept::Limit::verdict(estimate(1, 3), $_)],
        [$_ > 2 ? 'FAIL' : 'PASS', undef],
        'a clear verdict has no reason'
    ) for 1, 4;
};

subtest 'a verdict is about the machine, not about one run' => sub {
    my @counts = map { 1000 + $_ } -1, 1, -1, 1, 0, 0;
    my $case   = sub {
        my ($limit, %of) = @_;
        my ($found) = grep { $_->{kind} eq 'requirement' }
            judged(Fixture::result([run(1, measured('pipe', 1, @counts))], %of), [1], "pipe>=$limit" => undef);
        return $found;
    };

    # From run to run, 3.5 % are assumed of this test on virtual machines, so the interval is +-8 %.
    is_deeply(
        [map { $case->($_)->{verdict} } 90, 95, 99, 101, 105, 110],
        [qw(PASS INCONCLUSIVE INCONCLUSIVE INCONCLUSIVE INCONCLUSIVE FAIL)],
        'near limits are not decided'
    );
    my $near = $case->(95);
    is($near->{more_runs}, 8, 'how many more runs would decide in four of five cases');
    like($near->{advice}, qr/\Aabout 8 more runs would decide, with 3[.]5 % from run to run assumed\z/, 'it says so');
    is($near->{needs_runs},       1, 'more passes of this run would not');
    is($case->(90)->{needs_runs}, 0, 'a verdict needs no more runs');
    my $own = $case->(98, facts => { virtualization => { hypervisor => 'none' } });
    is($own->{verdict}, 'PASS', 'a machine of its own varies less');
};

subtest 'a requirement on a test is judged by the score over all passes' => sub {
    my @pipe = (measured('pipe', 1, @SPREAD));
    my $text = '99.98 over all passes, 95 % interval 97.51 to 102.5; the table has 100.5';
    is_deeply(found(\@pipe, 'pipe>=97'  => undef), [[PASS => $text]], 'a limit below the interval is met');
    is_deeply(found(\@pipe, 'pipe>=103' => undef), [[FAIL => $text]], 'a limit above the interval is not met');
    is_deeply(
        found(\@pipe, 'pipe>=100' => undef),
        [[INCONCLUSIVE => "$text; $OPEN"]],
        'a limit in the interval is inconclusive'
    );
    is_deeply(
        found(\@pipe, 'pipe>=0.5*old.json' => 190),
        [[PASS => "$text; the limit is 95, 0.5 x 190.0 of old.json"]],
        'a limit may be a part of the score in a file'
    );
    is_deeply(
        found(\@pipe, 'pipe>=0.5*old.json' => 200),
        [
            [
                INCONCLUSIVE => "$text; the limit is 100.0, 0.5 x 200.0 of old.json; $OPEN"
            ]
        ],
        'a limit from a file may be in the interval'
    );
    is_deeply(
        found([measured('pipe', 1, 1000)], 'pipe>=1' => undef),
        [[INCONCLUSIVE => '99.99; one pass does not show the spread; measure more (-i, --max-time)']],
        'one pass is inconclusive'
    );
};

subtest 'a requirement on a test without a score is inconclusive' => sub {
    my $none    = '"Pipe Throughput":';
    my $verdict = sub { found([@_], 'pipe>=1' => undef)->[0] };
    is_deeply(
        $verdict->(failed('pipe', 'exit status 3', 1000)),
        [INCONCLUSIVE => "$none exit status 3"],
        'a failed test tells nothing about the machine'
    );
    is_deeply(
        $verdict->(skipped('pipe', $NO_DISPLAY)),
        [INCONCLUSIVE => "$none $NO_DISPLAY"],
        'a skipped test is inconclusive'
    );
    is_deeply(
        $verdict->(interrupted('pipe', 'interrupted', @SPREAD)),
        [INCONCLUSIVE => "$none interrupted"],
        'an interrupted test is inconclusive'
    );
    is_deeply($verdict->(), [INCONCLUSIVE => "$none not begun"], 'a test that was not begun is inconclusive');
    is_deeply(
        $verdict->(measured('spawn', 1, @SPREAD)),
        [INCONCLUSIVE => "$none not begun"],
        'a requirement on a test ignores other tests'
    );
};

subtest 'a requirement on an index needs all tests of the index' => sub {
    my @names = UnixBench::Catalog::expand('index');
    my $tests = sub {
        my %other = map { $_->{name} => $_ } @_;
        return [
            map {
                $other{$_}
                    || measured($_, 1, map { 1000 * $_ } @SPREAD)
            } @names
        ];
    };
    my $verdict = sub { found($tests->(@_), 'index>=2500' => undef)->[0] };
    is($verdict->()->[0], 'PASS', 'an index above the limit meets the requirement');
    is_deeply(
        $verdict->(interrupted('syscall', 'interrupted'), failed('pipe', 'gone')),
        [INCONCLUSIVE => '"Pipe Throughput": gone'],
        'an index with a failed test is inconclusive, for the test that failed'
    );
    is_deeply(
        $verdict->(interrupted('pipe', 'stopped')),
        [INCONCLUSIVE => '"Pipe Throughput": stopped'],
        'an index with an interrupted test is inconclusive'
    );
    is($verdict->(measured('pipe', 1, 1000))->[0], 'INCONCLUSIVE', 'an index with a test of one pass is inconclusive');
    is(found([@{ $tests->() }, failed('2d-rects', 'gone')], 'index>=1' => undef)->[0][0],
        'PASS', 'a failed test that is not in the index does not matter');
};

subtest 'an index of other tests is not judged' => sub {
    my $result    = steady_result([run(1, measured('pipe', 1, @SPREAD))]);
    my $summary   = UnixBench::Store::Summary::of($result);
    my %criterion = (text => 'index>=1', name => 'index', category => 'system', copies => 1, limit => 1);
    my (undef, $case) = UnixBench::Accept::Acceptance::cases($result, $summary, { %criterion, tests => ['pipe'] });
    is($case->{verdict}, 'INCONCLUSIVE',                  'the verdict is inconclusive');
    is($case->{reason},  'the run has no complete index', 'the reason says that the run has no complete index');
    is($case->{value},   undef,                           'the case has no value');
};

subtest 'each test and each requirement has a case in each of its runs' => sub {
    my @runs =
        (run(2, measured('pipe', 2, @SPREAD)), run(1, measured('pipe', 1, @SPREAD)), run(2, failed('pipe', 'x')));
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
    my %test  = (kind => 'test', name => 'pipe', title => 'Pipe Throughput', run => 0, copies => 2, verdict => 'PASS');
    my $score = delete $cases[0]{score};
    is(sprintf('%.3f', delete $cases[0]{seconds}), '30.006', 'a case has the seconds of its passes');
    my %none = (reason => undef, brief => undef);
    is_deeply($cases[0], { %test, %none, unit => 'lps', is_missing => 0 }, 'a case of a test has these keys');
    cmp_ok($score, '>', $cases[1]{value}, 'a test has the classic score, a requirement the score over all passes');
    is_deeply(
        { map { $_ => $cases[1]{$_} } qw(kind name title limit number file reference reason) },
        {
            kind      => 'requirement',
            name      => 'pipe',
            title     => '2:pipe>=2',
            limit     => 2,
            number    => 2,
            file      => undef,
            reference => undef,
            reason    => undef
        },
        'a case of a requirement has these keys'
    );
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
    is_deeply(crashed(POSIX::SIGSEGV(), @spawn), [qw(FAIL FAIL)],  'a segmentation fault');
    is_deeply(crashed(POSIX::SIGFPE(), @spawn),  [qw(FAIL FAIL)],  'a wrong instruction of the arithmetic unit');
    is_deeply(crashed(POSIX::SIGSEGV()), [qw(ERROR INCONCLUSIVE)], 'without a measurement, the programs may not fit');
    is_deeply(crashed(POSIX->can("SIG$_")->(), @spawn), [qw(ERROR INCONCLUSIVE)], "SIG$_ has other reasons")
        for qw(KILL TERM ILL BUS ABRT XFSZ);
    is_deeply(crashed(0, @spawn), [qw(ERROR INCONCLUSIVE)], 'an error that the program reports');
    my %odd = map { $_->{name} => $_ } interrupted('pipe', 'interrupted'), failed('syscall', 'exit status 3'),
        failed('execl', 'killed by SIGSEGV', 5);
    my @index = map { $odd{$_} || measured($_, 1, @SPREAD) } UnixBench::Catalog::expand('index');
    is_deeply(
        found(\@index, 'index>=1' => undef),
        [[FAIL => '"Execl Throughput": killed by SIGSEGV']],
        'an index with a broken test is not met, whatever else failed'
    );
};

subtest 'the exit status depends on the kind and the verdict of each case' => sub {
    my %tells = (
        has_failed => \&UnixBench::Score::Cases::has_failed,
        map { $_ => UnixBench::Accept::Acceptance->can($_) } qw(has_unmet_requirement has_open_requirement)
    );
    my @cases = map { +{ kind => $_->[0], verdict => $_->[1] } }
        (map { [test => $_], [requirement => $_] } qw(PASS FAIL SKIP INCONCLUSIVE));
    for my $case (@cases) {
        my $what = "$case->{kind} $case->{verdict}";
        my @told = grep { $tells{$_}->({ kind => 'test', verdict => 'PASS' }, $case) } sort keys %tells;
        my %by   = (
            'test FAIL'                => ['has_failed'],
            'test INCONCLUSIVE'        => ['has_failed'],
            'requirement FAIL'         => ['has_unmet_requirement'],
            'requirement INCONCLUSIVE' => ['has_open_requirement'],
        );
        is_deeply(\@told, $by{$what} || [], "exit status for $what");
    }
    is(scalar(grep { $_->() } values %tells), 0, 'without cases, the exit status is that of success');
};

subtest 'a case is described in one sentence' => sub {
    my @tests = (measured('pipe', 1, @SPREAD), failed('syscall', "bad\nend"), skipped('2d-rects', $NO_DISPLAY));
    my @said =
        map { sentence($_) } judged(steady_result([run(1, @tests)], asked => ['all']), [1], "pipe>=1*\e.json" => 2);
    is_deeply(
        \@said,
        [
            'PASS Pipe Throughput (1 copy): 100.5 lps',
            'ERROR System Call Overhead (1 copy): bad\nend',
            'SKIP 2D graphics: rectangles (1 copy): no X display; set DISPLAY or install xvfb',
            'PASS pipe>=1*\x1b.json (1 copy): 99.98 (97.51 to 102.5)',
        ],
        'each case is one line without control characters'
    );
    my ($case) = judged(steady_result([run(4, measured('pipe', 4, 1e12, 1e12))]), [4]);
    is(sentence($case), 'PASS Pipe Throughput (4 copies): 399939909528.4 lps', 'a score has no exponent');
    my $hostile = sentence({ %$case, title => hostile_text(), reason => hostile_text() });
    unlike($hostile, qr/[^\x20-\x7e\xc3\xa9]/, 'control characters in titles and reasons are escaped');
};

done_testing();
