# Several runs of one machine that are judged together.

use strict;
use warnings;

use FindBin;
use List::Util qw(max sum);
use POSIX      ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed measured result run tag tagged);
use UnixBench::Accept::Verdict     qw(finding sentence);
use UnixBench::Score::Cases;
use UnixBench::Score::Stats qw(t_quantile);
use Verdicts                qw(judged_together);

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
    for my $rates ([100, 102], [100, 102, 101], [100, 100.1, 99.9, 100]) {
        my ($mean, undef, $expected) = expected(@$rates);
        my $case = at(1, @$rates);
        my $half = log $case->{high} / $case->{value};
        cmp_ok(abs(log($case->{value}) - $mean), '<', 1e-9, "@$rates: the value is the geometric mean");
        cmp_ok(abs($half / $expected - 1),       '<', 1e-3, 'the interval has what the runs show');
        is($case->{results}, scalar @$rates, 'the case tells how many results were judged');
    }
    my $case = at(98, 100, 102, 101);
    is_deeply([@$case{qw(verdict classic run)}], ['PASS', undef, undef], 'it belongs to no run, and no table has it');
    is(
        sentence($case) =~ s/[(]\K[\d.]+ to [\d.]+/LOW to HIGH/r,
        'PASS pipe>=98 (1 copy): 101.0 (LOW to HIGH)',
        'its words'
    );
};

subtest 'several runs decide what one leaves open' => sub {
    is(at(99.5, 100)->{verdict}, 'INCONCLUSIVE', 'one run');
    is(at(99.5,  100, 100, 100)->{verdict}, 'PASS',         'three runs like it');
    is(at(100.5, 100, 100, 100)->{verdict}, 'FAIL',         'three runs below the limit');
    is(at(99.5,  97,  100, 103)->{verdict}, 'INCONCLUSIVE', 'three runs that differ');
};

subtest 'how many more runs would decide' => sub {
    my @rates = (100, 100.2, 99.9);
    my ($mean, $error) = expected(@rates);

    # With six more runs, the error is 0.577 of the present one, and the interval 1.23 (t is 2.13). The mean moves by
    # 0.816 of it: by more than 0.72 towards the limit in one of five cases (t with 9 degrees of freedom is 0.88). With
    # five more, these are 1.31 and 0.70, which are more than 2.
    my $case = at(exp($mean - 2 * $error), @rates);
    is($case->{more_runs}, 6, 'that many decide in four of five cases');
    like(
        $case->{advice},
        qr/\Aabout 6 more runs would decide, with 0[.]3 % from run to run assumed\z/,
        'three do not show it'
    );
    is($case->{needs_runs}, 1, 'more passes would not');
};

subtest 'more runs leave the error of the other result as it is' => sub {
    my @runs = map { result_of(steady($_)) } 100, 100.2, 99.9;
    my $case = case_of(\@runs, 'pipe >= 0.999*good' => [100, 0.002, 9]);
    is_deeply([@$case{qw(verdict more_runs)}], ['INCONCLUSIVE', 51], 'no number of runs of this machine decides');
    $case = case_of(\@runs, 'pipe >= 0.99*good' => [100, 0.002, 9]);
    is($case->{verdict}, 'PASS', 'a limit far away is decided');
};

subtest 'runs with one pass' => sub {
    my @runs = map { result_of(steady($_, 1)) } 100, 100.2, 99.9;
    my $case = case_of(\@runs, 'pipe>=50' => undef);
    is($case->{verdict}, 'INCONCLUSIVE', 'they do not show how much passes vary');
    like($case->{reason}, qr/\Aone pass does not show the spread/, 'the reason');
    is(case_of([@runs, result_of(steady(100))], 'pipe>=50' => undef)->{verdict},
        'INCONCLUSIVE', 'neither does one more');
};

subtest 'other load in some of the runs' => sub {
    my $loaded = sub {
        return result_of(tagged(steady(50), { map { $_ => [tag(others => disturbed => 1)] } 1 .. 4 }));
    };
    my @quiet = map { result_of(steady($_)) } 100, 101;
    my $case  = case_of([$quiet[0], $loaded->(), $quiet[1]], 'pipe>=99' => undef);
    is($case->{verdict}, 'PASS', 'the runs without it decide');
    like(finding($case), qr/ over 8 of 12 passes without other load in 3 runs,/, 'the finding says so');
    is(case_of([$quiet[0], $loaded->(), $quiet[1]], 'pipe>=103' => undef)->{verdict}, 'FAIL', 'also if they fail');
    $case = case_of([$quiet[0], $loaded->(), $quiet[1]], 'pipe>=30' => undef);
    is($case->{verdict}, 'PASS', 'a limit that all passes meet is met');
    is(case_of([map { $loaded->() } 1 .. 3], 'pipe>=45' => undef)->{verdict}, 'PASS', 'also if load was in all runs');
    $case = case_of([map { $loaded->() } 1 .. 3], 'pipe>=99' => undef);
    is($case->{verdict},           'INCONCLUSIVE', 'without such a run, nothing is decided');
    is($case->{other_load}[0]{of}, 12,             'the case has the load of all');
};

subtest 'a test that failed in one of the runs' => sub {
    my $died  = failed('pipe', 'no count');
    my @runs  = (result_of(steady(100)), result_of($died, measured('spawn', 1, 9, 9)), result_of(steady(100)));
    my @cases = judged_together(\@runs, [1], 'pipe>=50' => undef);
    is_deeply([map { $_->{result} // 'all' } @cases], [0, 1, 1, 2, 'all'], 'each test has a case in each result');
    is($cases[-1]{verdict}, 'INCONCLUSIVE', 'the requirement is inconclusive');
    ok(UnixBench::Score::Cases::has_failed(@cases), 'a test has failed');
    is(sentence($cases[1]), 'ERROR Pipe Throughput (1 copy, A2): no count', 'the sentence names the result');
    $died->{passes}[0]{copies}[0]{signal} = POSIX::SIGSEGV();
    is(case_of(\@runs, 'pipe>=50' => undef)->{verdict}, 'FAIL', 'a program that crashed in one of them');
    my @other = (result_of(steady(100)), result_of(measured('spawn', 1, 9, 9)));
    like(
        case_of(\@other, 'pipe>=50' => undef)->{reason},
        qr/: not in every run\z/,
        'a test that one of them does not have'
    );
};

done_testing();
