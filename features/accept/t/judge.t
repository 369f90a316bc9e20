# Verdicts on several runs of one machine, and those that a quick run relies on.

use strict;
use warnings;

use FindBin;
use List::Util qw(max sum);
use POSIX      ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed measured result run tag tagged);
use Verdicts                       qw(@RATES certainty judged_together official quick);
use UnixBench::Accept::Judge;
use UnixBench::Accept::Verdict qw(sentence);
use UnixBench::Compare::Comparison;
use UnixBench::Score::Stats qw(t_quantile);
use UnixBench::Summary;
use UnixBench::Summary::Cases;

# A machine of one's own: 0.3 % are assumed from run to run of pipe.
my %OWN = (facts => { virtualization => { hypervisor => 'none' } });

# Takes tests; returns the result of a run with one copy.
sub result_of { my (@tests) = @_; return result([run(1, @tests)], %OWN) }

# Takes a rate of pipe, and perhaps the number of passes; returns the test, whose passes hardly vary.
sub steady { my ($rate, $passes) = @_; return measured('pipe', 1, (10 * $rate) x ($passes // 4)) }

# Takes results and a requirement (expression => value of its file or undef); returns the case of the requirement.
sub case_of {
    my ($results, @required) = @_;
    my ($case) = grep { $_->{kind} eq 'requirement' } judged_together($results, [1], @required);
    return $case;
}

# Takes a limit and rates; returns the case of pipe in runs with these rates.
sub at {
    my ($limit, @rates) = @_;
    return case_of([map { result_of(steady($_)) } @rates], "pipe>=$limit" => undef);
}

# Takes rates; returns the mean of their logarithms, the error of this mean, by 0.3 % with 8 degrees of freedom and what
# the runs show, and half of its interval: see UnixBench::Score::Repeat.
sub expected {
    my (@rates) = @_;
    my @logs    = map { log at(1, $_)->{value} } @rates;
    my $mean    = sum(@logs) / @logs;
    my $squares = sum(map { ($_ - $mean)**2 } @logs);
    my $weight  = max(8 / (1 + ($squares / $#logs / 0.003**2)**2 / 2 + ($#logs / 6)**2), @rates == 2 ? 2 : 0);
    my $error   = sqrt(($weight * 0.003**2 + $squares) / ($weight + $#logs) / @logs);
    return ($mean, $error, $error * t_quantile(0.975, $weight + $#logs));
}

subtest 'runs show how much the machine varies' => sub {
    for my $rates ([100, 102], [100, 100.1, 99.9, 100]) {
        my ($mean, undef, $expected) = expected(@$rates);
        my $case = at(1, @$rates);
        my $half = log $case->{high} / $case->{value};
        cmp_ok(abs(log($case->{value}) - $mean), '<', 1e-9, "@$rates: the value is the geometric mean");
        cmp_ok(abs($half / $expected - 1),       '<', 1e-3, 'the interval has what the runs show');
    }
    my $case = at(98, 100, 102, 101);
    is_deeply([@$case{qw(verdict run results)}], ['PASS', undef, 3], 'the case belongs to no run');
    like(sentence($case), qr/\APASS pipe>=98 [(]1 copy[)]: 101[.]0, at least 98[.]\d+\z/, 'its words');
    is(at(99.5, 100)->{verdict}, 'INCONCLUSIVE', 'one run leaves a limit open');
    is(at(99.5,  100, 100, 100)->{verdict}, 'PASS',         'that three like it decide');
    is(at(100.5, 100, 100, 100)->{verdict}, 'FAIL',         'also one above them');
    is(at(99.5,  97,  100, 103)->{verdict}, 'INCONCLUSIVE', 'three runs that differ do not');
};

subtest 'how many more runs would decide' => sub {
    my @rates = (100, 100.2, 99.9);
    my ($mean, $error) = expected(@rates);

    # With six more runs, the error is 0.577 of the present one, and the interval 1.23 (t is 2.13). The mean moves by
    # 0.816 of it: by more than 0.72 towards the limit in one of five cases (t with 9 degrees of freedom is 0.88). With
    # five more, these are 1.31 and 0.70, which are more than 2.
    my $case = at(exp($mean - 2 * $error), @rates);
    is_deeply([@$case{qw(more_runs needs_runs)}], [6, 1], 'that many decide in four of five cases, more passes do not');
    my @runs = map { result_of(steady($_)) } @rates;
    $case = case_of(\@runs, 'pipe >= 0.999*good' => [100, 0.002, 9]);
    is_deeply([@$case{qw(verdict more_runs)}], ['INCONCLUSIVE', 51], 'they leave the error of the reference as it is');
    is(case_of(\@runs, 'pipe >= 0.99*good' => [100, 0.002, 9])->{verdict}, 'PASS', 'a limit far away is decided');
};

subtest 'other load in some of the runs' => sub {
    my @quiet   = map { result_of(steady($_)) } 100, 101;
    my $loud    = result_of(tagged(steady(50), { map { $_ => [tag(others => disturbed => 1)] } 1 .. 4 }));
    my $verdict = sub { my ($limit, @runs) = @_; return case_of(\@runs, "pipe>=$limit" => undef)->{verdict} };
    is($verdict->(99, $quiet[0], $loud, $quiet[1]),  'PASS', 'the runs without it decide');
    is($verdict->(103, $quiet[0], $loud, $quiet[1]), 'FAIL', 'also if they fail');
    is($verdict->(45, ($loud) x 3),                  'PASS', 'a limit that passes meet in spite of load is met');
    is($verdict->(99, ($loud) x 3),                  'INCONCLUSIVE', 'without a quiet run, nothing else is decided');
};

subtest 'a test that failed in one of the runs' => sub {
    my $died  = failed('pipe', 'no count');
    my @runs  = (result_of(steady(100)), result_of($died, measured('spawn', 1, 9, 9)), result_of(steady(100)));
    my @cases = judged_together(\@runs, [1], 'pipe>=50' => undef);
    is_deeply([map { $_->{result} // 'all' } @cases], [0, 1, 1, 2, 'all'], 'each test has a case in each result');
    is($cases[-1]{verdict}, 'INCONCLUSIVE', 'the requirement is inconclusive');
    ok(UnixBench::Summary::Cases::has_failed(@cases), 'a test has failed');
    is(sentence($cases[1]), 'ERROR Pipe Throughput (1 copy, A2): no count', 'the sentence names the result');
    $died->{passes}[0]{copies}[0]{signal} = POSIX::SIGSEGV();
    is(case_of(\@runs, 'pipe>=50' => undef)->{verdict}, 'FAIL', 'a program that crashed in one of them');
    my @other = (result_of(steady(100)), result_of(measured('spawn', 1, 9, 9)));
    like(case_of(\@other, 'pipe>=50' => undef)->{reason}, qr/: not in every run\z/, 'a test that one does not have');
};

my $STARTED = 1_785_000_000;

# Takes a label and keys of the summary to replace; returns that side, whose run began when no other did.
sub side {
    my ($label, %other) = @_;
    my $summary = UnixBench::Summary::of(result_of(steady(100)));
    return { label => $label, summary => { %$summary, started => $STARTED++, %other } };
}

# Takes sides and whether they are forced; returns the error, without the words that all errors have, or undef.
sub refusal {
    my ($sides, $is_forced) = @_;
    return if eval { UnixBench::Accept::Judge::_together($sides, $is_forced) };
    return $@ =~ s/\Athese results can't be judged together: //r =~ s/; judge each alone, or use --force\n\z//r;
}

subtest 'only runs of one machine are judged together' => sub {
    my %other = (
        'host: vm in A and C, db-1 in B'              => { name  => 'db-1' },
        'CPU: 2 x AMD EPYC in A and C, 2 x Xeon in B' => { facts => { 'cpu.models' => '2 x Xeon' } },
        'procedure: official in A and C, quick in B'  =>
            { procedure => { kind => 'quick', time_factor => 1, work_factor => 1 } },
    );
    for my $why (sort keys %other) {
        my @sides = (side('A'), side('B', %{ $other{$why} }), side('C'));
        is(scalar refusal(\@sides),    $why,  $why);
        is(scalar refusal(\@sides, 1), undef, '... but with --force');
    }
    is(scalar refusal([side('A'), side('B', name => undef)]), undef, 'what is not known does not differ');
    my $side = side('A');
    my $why  = "A.json\\n and A are the same run: leave out one of them\n";
    is(refusal([$side, { %$side, label => "A.json\n" }], 1), $why, 'a run that is given twice, also with --force');
};

subtest 'several references are judged as repeated runs are compared' => sub {
    my @bases  = map { side("base-$_", %{ UnixBench::Summary::of(result_of(steady($_))) }) } 100, 103, 101;
    my ($own)  = side('own');
    my ($pair) = @{ UnixBench::Compare::Comparison::of([@bases, $own], sets => [3, 1])->{pairs} };
    my $ratio  = $pair->{tests}[0]{ratio};
    my $case   = sub {
        my ($number, @given) = @_;
        my $requirement = UnixBench::Accept::Requirement::of_word("pipe>=$number*base-*");
        my $asked       = UnixBench::Accept::Requirement::request_of($own->{summary}, {});
        my @criteria    = UnixBench::Accept::Requirement::of([$requirement], $asked, { 'base-*' => \@given });
        return (grep { $_->{title} =~ /base/ } UnixBench::Accept::Acceptance::cases($own->{summary}, undef, @criteria))
            [0];
    };
    my @ends = map { $ratio->{$_} * 0.9999, $ratio->{$_} * 1.0001 } qw(low high);
    is_deeply([map { $case->($_, @bases)->{verdict} } @ends], [qw(PASS INCONCLUSIVE INCONCLUSIVE FAIL)],
        'the interval');
    like(sentence($case->(0.5, @bases)), qr/\APASS pipe>=0[.]5[*]base-[*] [(]3 results[)] [(]1 copy[)]: /, 'in words');
    is($case->(0.5, (@bases) x 4)->{references}, 10, 'ten at most');
};

# When a quick run may end, because its verdicts are certain.

# [words, run, requirements, verdicts and whether they are certain].
my @CASES = (
    ['--quick pipe', quick(@RATES),       ['pipe>=985']               => 'PASS open'],
    ['--quick pipe', quick(@RATES),       ['pipe>=1015']              => 'FAIL open'],
    ['--quick pipe', quick((@RATES) x 6), ['pipe>=985']               => 'PASS certain'],
    ['--quick pipe', quick((@RATES) x 6), ['pipe>=1015']              => 'FAIL certain'],
    ['--quick pipe', quick((@RATES) x 6), ['pipe>=996']               => 'PASS open'],
    ['pipe',         official(),          ['pipe>=993']               => 'PASS certain'],
    ['--quick pipe', quick((@RATES) x 2), ['pipe>=998', 'pipe>=2000'] => 'INCONCLUSIVE FAIL open'],
);
for my $case (@CASES) {
    my ($words, $run, $requirements, $expected) = @$case;
    is(certainty($words, $run, @$requirements), $expected, "$words, @$requirements: $expected");
}

done_testing;
