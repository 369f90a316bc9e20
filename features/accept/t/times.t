# Requirements on scaling: what N copies do, compared with the fewest.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed measured quick_run result run sliced steady_result tag tagged);
use Requested                      qw(context);
use UnixBench::Accept::Verdict     qw(sentence);
use UnixBench::Score::Stats        qw(t_quantile);
use UnixBench::Summary;
use Verdicts qw(judged judged_together);

# Takes [counts of one copy in each pass, with one copy], and the same with eight; returns the runs.
sub runs {
    my ($one, $eight) = @_;
    return run(8, measured('pipe', 8, @$eight)), run(1, measured('pipe', 1, @$one));
}

# Takes runs, a requirement, and perhaps the summary of its file; returns its case.
sub case_of {
    my ($runs, $required, $reference) = @_;
    my ($case) = grep { $_->{kind} eq 'requirement' }
        judged(steady_result($runs, asked => ['pipe']), [1, 8], $required => $reference);
    return $case;
}

my @ONE   = map { 1000 + $_ } -2 .. 2;
my @EIGHT = map { 750 + $_ } -2 .. 2;    # of each copy: six times in all
my $RUNS  = [runs(\@ONE, \@EIGHT)];

subtest 'the interval of the ratio decides' => sub {
    my $case = case_of($RUNS, '8:pipe:times>=5.9');
    is($case->{verdict}, 'PASS', 'it is above');
    like(sentence($case), qr/\APASS 8:pipe:times>=5[.]9 [(]8 copies[)]: 6, at least 5[.]9[789]\d?\z/, 'its words');
    is(case_of($RUNS, '8:pipe:times>=6.1')->{verdict},  'FAIL',         'it is below');
    is(case_of($RUNS, '8:pipe:times>=6.01')->{verdict}, 'INCONCLUSIVE', 'the limit is inside');
    like(
        sentence(case_of($RUNS, '8:pipe:times>=6.01')),
        qr/: 6, somewhere from 5[.]9\d+ to 6[.]0\d+: about \d+ more run/,
        'more runs would decide'
    );
    $case = case_of($RUNS, '8:pipe:efficiency>=0.74');
    is($case->{verdict}, 'PASS', 'efficiency is that of a copy');
    cmp_ok(abs($case->{value} - 0.75), '<', 1e-6, 'compared with one of the fewest');
    is(case_of($RUNS, 'pipe:efficiency>=0.76')->{verdict}, 'FAIL', 'a requirement for each number of copies');
    my @of_one = grep { $_->{kind} eq 'requirement' && $_->{copies} == 1 }
        judged(steady_result($RUNS), [1, 8], 'pipe:efficiency>=0.76' => undef);
    is(@of_one, 0, 'is not for the fewest');
};

subtest 'both runs vary' => sub {
    my $half = sub {
        my ($case) = grep { $_->{kind} eq 'requirement' } judged(result($RUNS), [1, 8], $_[0] => undef);
        return log $case->{high} / $case->{value};
    };
    my ($value, $ratio) = map { $half->($_) } '8:pipe>=1', '8:pipe:times>=1';
    my $wider = sqrt(2) * t_quantile(0.975, 16) / t_quantile(0.975, 8);    # each assumption has 8 degrees of freedom
    cmp_ok(abs($ratio / $value / $wider - 1), '<', 0.01, 'the ratio has the deviation from run to run of both');
};

subtest 'a bisection needs more confidence' => sub {
    my $low = sub {
        my ($covered) = @_;
        my @runs = map {
            { %$_, covered => $covered }
        } @$RUNS;
        my ($case) = grep { $_->{kind} eq 'requirement' } judged(result(\@runs), [1, 8], '8:pipe:times>=1' => undef);
        return log $case->{value} / $case->{low};
    };
    cmp_ok($low->(0.999), '>', 1.5 * $low->(0.95), 'the interval of the ratio has it');
};

subtest 'other results' => sub {
    my $good = UnixBench::Summary::of(steady_result([runs(\@ONE, [map { $_ * 8 / 7.5 } @EIGHT])]));    # 6.4
    is(case_of($RUNS, '8:pipe:times>=0.93*good',      $good)->{verdict}, 'PASS', '94 % of another result');
    is(case_of($RUNS, '8:pipe:efficiency>=0.95*good', $good)->{verdict}, 'FAIL', 'not 95 %');
    my $alone = UnixBench::Summary::of(steady_result([(runs(\@ONE, \@EIGHT))[0]]));
    is(eval { case_of($RUNS, '8:pipe:times>=1*good', $alone) }, undef, 'a result with one number of copies');
    like($@, qr/: good has no score of pipe:times with 8 copies$/, 'has no such value');
    my $together = sub {
        my ($case) = grep { $_->{kind} eq 'requirement' } judged_together([map { result($RUNS) } 1 .. 3], [1, 8], @_);
        return $case;
    };
    my $passed = $together->('8:pipe:times>=5.4' => undef);
    is_deeply([@$passed{qw(verdict results)}], ['PASS', 3], 'several runs of one machine');
    is($together->('8:pipe:times>=6.7' => undef)->{verdict}, 'FAIL', 'fail together');
};

subtest 'other load' => sub {
    my $loud = { map { $_ => [tag(others => disturbed => 1)] } 1 .. 5 };
    my $slow = [tagged(measured('pipe', 1, @ONE), $loud)];
    my $of   = sub {
        my ($one, $eight, $least) = @_;
        return case_of([run(1, @$one), run(8, @$eight)], "8:pipe:times>=$least");
    };
    my @quiet = ([measured('pipe', 1, @ONE)], [measured('pipe', 8, @EIGHT)]);
    is($of->($slow, $quiet[1], 5.9)->{verdict}, 'INCONCLUSIVE', 'that of the fewest copies may have raised the ratio');
    is($of->($slow, $quiet[1], 9)->{verdict},   'FAIL',         'but can have lowered it by little');
    my $many = [tagged(measured('pipe', 8, @EIGHT), $loud)];
    is($of->($quiet[0], $many, 6.5)->{verdict}, 'INCONCLUSIVE', 'that of more copies may have lowered it');
    is($of->($quiet[0], $many, 5)->{verdict},   'PASS',         'a floor meets a requirement');
    my $some = [tagged(measured('pipe', 1, @ONE), { 1 => $loud->{1} })];
    is($of->($some, $quiet[1], 5.9)->{verdict}, 'PASS', 'four quiet passes decide');
};

subtest 'what was not measured' => sub {
    my $case = case_of([run(1, failed('pipe', 'disk full')), run(8, measured('pipe', 8, @EIGHT))], '8:pipe:times>=1');
    like(sentence($case), qr/\AINCONCLUSIVE .* "Pipe Throughput": disk full/, 'the test failed with the fewest copies');
    $case = case_of([run(8, measured('pipe', 8, @EIGHT))], '8:pipe:times>=1');
    like(sentence($case), qr/\AINCONCLUSIVE .* the run with the fewest copies is missing\z/, 'that run is missing');
};

subtest 'a quick run ends when the ratio is certain' => sub {
    my ($one, $two) = map { quick_run(30, $_, sliced('pipe', $_, (1000, 1010, 990, 1005, 995) x 6)) } 1, 2;
    my $decided = sub {
        my ($least, @runs) = @_;
        my $judge = context("--quick -c 1 -c 2 pipe --require 2:pipe:times>=$least")->judge;
        return $judge->is_decided(steady_result([@runs, $two]), $two) ? 'certain' : 'open';
    };
    is($decided->(1.9,   $one), 'certain', 'the limit is far away');
    is($decided->(1.999, $one), 'open',    'the limit is in the interval');
    is($decided->(1.999), 'certain', 'without the other run, more passes would decide nothing');
};

done_testing;
