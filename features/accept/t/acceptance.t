# The verdicts on requirements, and cases in words: UnixBench::Accept::Acceptance, UnixBench::Accept::Verdict.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(@INDEX failed interrupted measured result run skipped steady_result tag tagged);
use Outcomes                       qw(hostile_text);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Limit;
use UnixBench::Accept::Verdict qw(cause_of reason_of sentence);
use UnixBench::Catalog;
use UnixBench::Summary;
use Verdicts qw(judged judged_together outcome required);

my $NO_DISPLAY = 'skipped: no X display; set DISPLAY or install xvfb';
my @SPREAD     = (1000, 1010, 990);                                      # counts; the rates of pipe are a tenth of them
my @PIPE       = measured('pipe', 1, @SPREAD);                           # 99.98 (97.51 to 102.5)

my $QUOTA = { cause => 'throttled', passes => 3, worst => 12 };
my $POOR  = 'poor: 3 of 9 passes were disturbed (CPU quota, up to 12 stops in a pass)';

# Takes the limit of trust, and levels of results or trusts; returns the case of all together.
sub case_of_trust {
    my ($limit, @levels) = @_;
    my ($criterion) = UnixBench::Accept::Requirement::of_word("trust>=$limit");
    my %quota       = (disturbed => 3, worst => $QUOTA);
    my @trusts = map { ref ? $_ : +{ level => $_, passes => 9, disturbed => 0, $_ eq 'poor' ? %quota : () } } @levels;
    return UnixBench::Accept::Acceptance::_case_of_trust($criterion, @trusts);
}

my %BY_LOAD = (level => 'poor', passes => 9, tests => 3, disturbed => 4, noisy => 1, half_width => 0.2);
my $LIMITS  = '4 of 9 passes were disturbed; 1 of 3 scores varies by more than 5 %; an index has an interval of +-20 %';

# [limit, levels, verdict and reason]. The worst of several decides. Other load tells nothing about the machine.
my @TRUSTS = (
    [fair => ['good'],                                  'PASS: good'],
    [fair => ['fair'],                                  'PASS: fair'],
    [good => ['fair'],                                  'FAIL: fair'],
    [fair => ['poor'],                                  "FAIL: $POOR"],
    [fair => ['incomplete'],                            'INCONCLUSIVE: incomplete'],
    [fair => [qw(good fair)],                           'PASS: fair'],
    [fair => [qw(good unknown)],                        'INCONCLUSIVE: unknown: no index has an interval'],
    [fair => [qw(unknown poor)],                        "FAIL: $POOR"],
    [fair => [{ %BY_LOAD, loaded => 4, limited => 0 }], "INCONCLUSIVE: poor by other load: $LIMITS"],
    [fair => [{ %BY_LOAD, loaded => 2, limited => 3 }], "FAIL: poor: $LIMITS"],
);

subtest 'trust' => sub {
    is(outcome(case_of_trust($_->[0], @{ $_->[1] })), $_->[2], "$_->[0]: $_->[2]") for @TRUSTS;
    my $xvfb = { cause => 'others', passes => 9, worst => 1.4, by => [{ name => 'Xvfb', cpus => 1.4 }] };
    my %both = (%BY_LOAD, loaded => 9, limited => 9, disturbed => 9, worst => $xvfb, also => $QUOTA);
    my $said = UnixBench::Accept::Verdict::reason(case_of_trust(good => \%both));
    is($said, 'trust is poor (other processes, CPU quota)', 'both are named, also if there is no room for more');
    my $case = required(steady_result([run(1, @PIPE)]), 'trust>=good');
    my @of   = ('requirement', 'trust>=good', 'trust', undef, undef);
    is_deeply([@$case{qw(kind title name copies run)}], \@of, 'it is about the whole result');
    is(sentence($case), "$case->{verdict} trust>=good: $case->{reason}", 'in a sentence');
    my @all = judged_together([map { steady_result([run(1, @PIPE)]) } 1, 2], [1], 'trust>=good' => undef);
    is_deeply([map { $_->{results} // () } @all], [2], 'also of several results');
};

subtest 'the interval is compared with the limit exactly' => sub {
    my $less = unpack 'd', pack 'q', -1 + unpack 'q', pack 'd', 0.1;
    my %said = (
        PASS         => [[0.1,   9]],
        FAIL         => [[0.01,  $less]],
        INCONCLUSIVE => [[$less, 9], [0.01, 0.1], [undef, undef]],
    );
    for my $verdict (sort keys %said) {
        my @is = map { (UnixBench::Accept::Limit::verdict({ low => $_->[0], high => $_->[1] }, 0.1))[0] }
            @{ $said{$verdict} };
        is_deeply(\@is, [($verdict) x @is], $verdict);
    }
};

my $ONE_PASS = 'INCONCLUSIVE: one pass does not show the spread; measure more (-i, --max-time)';
my $WITHIN   = 'INCONCLUSIVE: the limit is within the interval';

# Takes tests; returns all tests of the index, these among them.
sub index_with {
    my %other = map { $_->{name} => $_ } @_;
    return [
        map {
            $other{$_}
                || measured($_, 1, map { 1000 * $_ } @SPREAD)
        } @INDEX
    ];
}

my @DIED     = (interrupted('pipe', 'x'), failed('syscall', 'gone'), failed('execl', 'killed by SIGSEGV', 5));
my $ONE_PIPE = measured('pipe', 1, 1000);

#<<< [tests, requirement, value in its file, verdict and reason]
my @CASES = (
    [[@PIPE], 'pipe>=97',           undef,         'PASS'],
    [[@PIPE], 'pipe>=103',          undef,         'FAIL'],
    [[@PIPE], 'pipe>=100',          undef,         $WITHIN],
    [[@PIPE], 'pipe>=0.5*old.json', 190,           'PASS'],
    [[@PIPE], 'pipe>=0.5*old.json', 200,           $WITHIN],
    [[@PIPE], 'pipe>=0.8*old.json', [100, 0.2, 9], 'INCONCLUSIVE: mostly by the one reference run'],
    [[@PIPE], 'pipe>=0.3*old.json', [100, 0.2, 9], 'PASS'],
    [[@PIPE], 'pipe>=3*old.json',   [100, 0.2, 9], 'FAIL'],
    [[$ONE_PIPE],                                   'pipe>=1', undef, $ONE_PASS],
    [[failed('pipe', 'exit status 3', 1000)],       'pipe>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": exit status 3'],
    [[skipped('pipe', $NO_DISPLAY)],                'pipe>=1', undef, "INCONCLUSIVE: \"Pipe Throughput\": $NO_DISPLAY"],
    [[interrupted('pipe', 'interrupted', @SPREAD)], 'pipe>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": interrupted'],
    [[measured('spawn', 1, @SPREAD)],               'pipe>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": not begun'],
    [index_with(),                                'index>=2500', undef, 'PASS'],
    [[@{ index_with() }, failed('2d-rects', 'x')], 'index>=1',   undef, 'PASS'],
    [index_with(interrupted('syscall', 'x'), failed('pipe', 'gone')), 'index>=1', undef,
        'INCONCLUSIVE: "Pipe Throughput": gone'],
    [index_with(interrupted('pipe', 'stopped')), 'index>=1', undef, 'INCONCLUSIVE: "Pipe Throughput": stopped'],
    [index_with($ONE_PIPE),                      'index>=1', undef, $ONE_PASS],
    [index_with(@DIED),                          'index>=1', undef, 'FAIL: "Execl Throughput": killed by SIGSEGV'],
);
#>>>
is(outcome(required(@$_[0 .. 2])), $_->[3], "$_->[1]: $_->[3]") for @CASES;

subtest 'the reference has one pass' => sub {
    my $once = UnixBench::Summary::of(steady_result([run(1, $ONE_PIPE)]));
    my $case = required([@PIPE], 'pipe>=0.5*old.json', $once);
    is(outcome($case),    'INCONCLUSIVE: the reference has one pass, which does not show the spread', 'it is open');
    is($case->{is_final}, 1, 'and no run decides it');
};

subtest 'a quick estimate never fails against an official result' => sub {
    my $never = 'INCONCLUSIVE: a quick estimate never fails against an official result';
    my @rows  = (
        [qw(quick official 2),    $never],
        [qw(official quick 2),    $never],
        [qw(quick quick 2),       'FAIL'],
        [qw(quick official 0.9),  'PASS'],
        [qw(quick quick 0.96),    'PASS'],
        [qw(quick official 0.96), $WITHIN],    # the interval has the difference between the procedures
    );
    for my $row (@rows) {
        my ($result, $base) = map { steady_result([run(1, @PIPE)], procedure => { kind => $_ }) } @$row[0, 1];
        my $case = required($result, "pipe>=$row->[2]*ref", UnixBench::Summary::of($base));
        is(outcome($case), $row->[3], "@$row");
    }
};

subtest 'a verdict is about the machine, not about one run' => sub {
    my @tests = measured('pipe', 1, map { 1000 + $_ } -1, 1, -1, 1, 0, 0);
    my $case  = sub { my ($limit, %of) = @_; return required(result([run(1, @tests)], %of), "pipe>=$limit") };

    # From run to run, 3.5 % are assumed of this test on virtual machines, so the interval is +-8 %.
    my @verdicts = map { $case->($_)->{verdict} } 90, 95, 99, 101, 105, 110;
    is("@verdicts", "PASS @{[('INCONCLUSIVE') x 4]} FAIL", 'near limits are not decided');
    is_deeply([@{ $case->(95) }{qw(more_runs needs_runs)}], [8,     1], 'eight more runs would, more passes would not');
    is_deeply([@{ $case->(90) }{qw(more_runs needs_runs)}], [undef, 0], 'a verdict needs no more runs');
    my %own = (facts => { virtualization => { hypervisor => 'none' } });
    is($case->(98, %own)->{verdict}, 'PASS', 'a machine of its own varies less');
};

# Cases are in the order of runs, tests first, runs that were not begun last.
subtest 'each test and each requirement has a case in each of its runs' => sub {
    my @runs   = (run(2, measured('pipe', 2, @SPREAD)), run(1, @PIPE), run(2, failed('pipe', 'x')));
    my @cases  = judged(steady_result(\@runs), [2, 1, 4], 'pipe>=1' => undef, '2:pipe>=2' => undef);
    my @places = map { join q{ }, $_->{title}, $_->{copies}, $_->{run} // 'none', $_->{verdict} } @cases;
    is(join("\n", @places, q{}), <<'END', 'in this order');
Pipe Throughput 2 0 PASS
2:pipe>=2 2 0 PASS
pipe>=1 2 0 PASS
Pipe Throughput 1 1 PASS
pipe>=1 1 1 PASS
Pipe Throughput 2 2 ERROR
2:pipe>=2 2 2 INCONCLUSIVE
pipe>=1 2 2 INCONCLUSIVE
pipe>=1 4 none INCONCLUSIVE
END
    is(sprintf('%.3f', $cases[0]{seconds}), '30.006', 'a test has the seconds of its passes');
    cmp_ok($cases[0]{score}, '>', $cases[1]{value}, 'and the classic score, a requirement that over all passes');
};

# Without passes of others, the programs may not fit this machine. SIGKILL has other reasons.
subtest 'a machine is broken if a program crashes on it, and other passes were measured' => sub {
    my $spawn = measured('spawn', 1, @SPREAD);
    for my $row (['SIGSEGV', 'FAIL FAIL', $spawn], ['SIGSEGV', 'ERROR INC'], ['SIGKILL', 'ERROR INC', $spawn]) {
        my ($signal, $expected, @others) = @$row;
        my $pipe = failed('pipe', 'no count');
        $pipe->{passes}[0]{copies}[0]{signal} = POSIX->can($signal)->();
        my @cases = judged(steady_result([run(1, @others), run(2, $pipe)]), [2], 'pipe>=1' => undef);
        my $is    = join q{ }, map { $_->{verdict} } grep { $_->{copies} == 2 } @cases;
        is($is =~ s/INC\K.*//r, $expected, "$signal: the test, and a requirement for it: $expected");
    }
};

subtest 'an index does not depend on the place of context1' => sub {
    my $of = sub {
        my ($place, $factor) = @_;
        my @tests = measured('context1', 1, map { 1000 * $factor * $_ } @SPREAD);
        return steady_result([run(1, @{ index_with(@tests) })], asked => ['all'], place => $place);
    };
    my $base = UnixBench::Summary::of($of->('other cores', 7));
    my @is   = map { required($of->($_, 1), 'index>=0.97*old.json', $base)->{verdict} } 'same core', 'other cores';
    is("@is", 'PASS FAIL', 'if it differs from that of the reference');
};

# In words.

# Takes facts of the result to replace; returns it: each pass of two runs was disturbed by several causes.
sub busy_result {
    my (%facts) = @_;
    my $by      = [{ name => 'python', pid => 4711, cpus => 1.98 }];
    my @tags    = (
        { %{ tag('others',    'disturbed', 1.98) }, by => $by },
        { %{ tag('run_queue', 'disturbed', 9) },    by => $by },
        tag('another_run',  'note',      2),
        tag('pressure_cpu', 'disturbed', 0.34),
    );
    my @runs;
    for my $copies (1, 4) {
        push @runs, run($copies, map { varied($_, $copies, @tags) } @INDEX);
    }
    return result(\@runs, facts => { load => [7.1, 5, 3] }, %facts);
}

# Returns a test that varies by 14 %.
sub varied {
    my ($name, $copies, @tags) = @_;
    my $passes = $name =~ /\A(?:dhry2reg|whetstone-double|pipe|context1|syscall)\z/ ? 10 : 3;
    my @counts = map { 1e6 * (1 + 0.12 * ($_ % 3)) } 1 .. $passes;
    return tagged(measured($name, $copies, @counts), { map { $_ => \@tags } 1 .. $passes });
}

my %OF_PIPE = (
    kind    => 'requirement',
    title   => 'pipe>=100',
    copies  => 1,
    verdict => 'INCONCLUSIVE',
    value   => 615,
    low     => 480,
    high    => 900,
    reason  => 'why',
);
my %MET      = (verdict     => 'PASS',  reason => undef);
my %UNMET    = (verdict     => 'FAIL',  reason => undef);
my %OF       = (is_relative => 1,       limit  => 700);
my %LOADED   = (at_least    => 400,     reason => 'other load');
my %ONE_PASS = (low         => undef,   high   => undef);
my %SMALL    = (value       => 0.61512, low    => 0.5,                     high  => 12.345);
my %DIED     = (value       => undef,   reason => '"Pipe": died (pass 2)', brief => '"Pipe": failed');

my $BETWEEN = '615.0, somewhere from 480.0 to 900.0';
my $BELOW   = 'below the limit';

# [what a case has, its reason, what it has in common with others].
my @WORDS = (
    [{%MET}                              => '615.0, at least 480.0',                              'PASS'],
    [{%UNMET}                            => '615.0, at most 900.0',                               $BELOW],
    [{}                                  => "$BETWEEN: why",                                      'why'],
    [{%ONE_PASS}                         => '615.0: why',                                         'why'],
    [{%SMALL}                            => '0.6151, somewhere from 0.5 to 12.35: why',           'why'],
    [{ more_runs => 1 }                  => "$BETWEEN: about 1 more run would decide",            'why'],
    [{ more_runs => 50 }                 => "$BETWEEN: about 50 more runs would decide",          'why'],
    [{ more_runs => 51 }                 => "$BETWEEN: so near that 50 more runs may not decide", 'why'],
    [{ %MET, %OF }                       => '615.0, at least 480.0, limit 700.0',                 'PASS'],
    [{ %UNMET, %OF }                     => '615.0, at most 900.0, limit 700.0',                  $BELOW],
    [{ %UNMET, %OF, trust => 'poor' }    => '615.0, at most 900.0, limit 700.0 (trust: poor)',    $BELOW],
    [{%LOADED}                           => '615.0, at least 400.0: other load',                  'other load'],
    [{ %LOADED, at_most => 999 }         => '615.0, somewhere from 400.0 to 999.0: other load',   'other load'],
    [{ %LOADED, %MET }                   => '615.0, at least 400.0',                              'PASS'],
    [{ %LOADED, %UNMET, at_most => 700 } => '615.0, at most 700.0',                               $BELOW],
    [
        { %UNMET, cpu_limit => '1.5 CPUs' } => '615.0, at most 900.0: CPU time limit: 1.5 CPUs',
        'CPU time limit: 1.5 CPUs'
    ],
    [
        { cpu_limit => 'the time of 0.50 CPUs', reason => 'other load; measure again in a quiet moment' } =>
            '615.0: CPU time limit: the time of 0.50 CPUs; other load',
        'CPU time limit: the time of 0.50 CPUs; other load'
    ],
    [{%DIED} => '"Pipe": died (pass 2)', '"Pipe": failed'],
);
for my $case (@WORDS) {
    my ($has, $reason, $cause) = @$case;
    my %case = (%OF_PIPE, %$has);
    is(sentence(\%case), "$case{verdict} pipe>=100 (1 copy): $reason", "$case{verdict}: $reason");
    is(cause_of(\%case), "pipe>=100 (1 copy): $cause",                 '... and without numbers');
}

subtest 'the cases of a result' => sub {
    my @tests = (
        measured('pipe', 1, 990, 1010),
        failed('syscall', "bad\nend"),
        skipped('2d-rects', 'skipped: no X display; set DISPLAY or install xvfb')
    );
    my @cases = judged(steady_result([run(1, @tests)], asked => ['all']), [1], "pipe>=1*\e.json" => 2);
    is_deeply(
        [map { sentence($_) } @cases],
        [
            'PASS Pipe Throughput (1 copy): 99.98 lps',
            'ERROR System Call Overhead (1 copy): bad\nend',
            'SKIP 2D graphics: rectangles (1 copy): no X display; set DISPLAY or install xvfb',
            'PASS pipe>=1*\x1b.json (1 copy): 99.98, at least 88.11, limit 2',
        ],
        'each is one line without control characters'
    );
    my ($case) = judged(steady_result([run(4, measured('pipe', 4, 1e12, 1e12))]), [4]);
    is(sentence({ %$case, label => 'A1' }), 'PASS Pipe Throughput (4 copies, A1): 399939909528.4 lps', 'a label');
    my $hostile = sentence({ %$case, title => hostile_text(), reason => hostile_text() });
    unlike($hostile, qr/[^\x20-\x7e\xc3\xa9]/, 'control characters in titles and reasons are escaped');
};

subtest 'reasons are short' => sub {
    my @cases =
        grep { $_->{kind} eq 'requirement' } judged(busy_result(), [1, 4], 'index>=1e5' => undef, 'pipe>=1e9' => undef);
    like(
        sentence($cases[0]),
        qr/\AINCONCLUSIVE index>=1e5 [(]1 copy[)]: [\d.]+, (?:at least|somewhere from) .*: other load; measure again/,
        'other load'
    );
    like(reason_of(@cases), qr/\Aindex>=1e5 [(]1 copy[)]: .*other load.*; and 3 more\z/, 'how many more there are');
    is(cause_of(@cases), 'index>=1e5 (1 copy): other load; measure again in a quiet moment; and 3 more', 'no number');
    my %long = (%OF_PIPE, title => 'index>=0.9*' . 'x' x 200, reason => 'y' x 200);
    cmp_ok(length reason_of(\%long, \%long), '<=', 80, 'a long reason is cut, with its title');
    cmp_ok(length sentence(\%long),          '<=', 80 + length "INCONCLUSIVE $long{title} (1 copy): ", 'also without');
};

done_testing;
