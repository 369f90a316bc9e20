# Verdicts that a bisection relies on: how certain they are, and when a quick run may end.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured run steady_result);
use QuickRun                       qw(in_rounds run_of_rounds);
use Requested                      qw(context);
use UnixBench::Score::StopRule;
use UnixBench::Summary;

my @RATES = (1000, 1010, 990, 1005, 995);    # the mean is 1000, and its 95 % interval 9.9 wide

# Takes words, a run and requirements; returns the verdicts, and whether the stop rule takes them for certain.
sub judged {
    my ($words, $run, @requirements) = @_;
    my $request = context(join q{ }, '-c 1', $words, map { "--require $_" } @requirements);
    my $result  = steady_result([$run], asked => [map { $_->{name} } @{ $run->{tests} }]);
    my @cases   = grep { $_->{kind} eq 'requirement' }
        $request->judge->cases({ summary => UnixBench::Summary::of($result), result => $result });
    return join q{ }, (map { $_->{verdict} } @cases), $request->judge->is_decided($result, $run) ? 'certain' : 'open';
}

# Returns a quick run in which pipe has these rates in each round.
sub quick { my (@rates) = @_; return run_of_rounds(in_rounds(pipe => @rates)) }

my $OFFICIAL = run(1, measured('pipe', 1, map { 10 * $_ } (@RATES) x 2));

# [words, run, requirements, verdicts and whether they are certain].
my @CASES = (
    ['--quick pipe',          quick(@RATES),       ['pipe>=985']  => 'PASS open'],
    ['--quick --bisect pipe', quick(@RATES),       ['pipe>=985']  => 'INCONCLUSIVE open'],
    ['--quick pipe',          quick(@RATES),       ['pipe>=1015'] => 'FAIL open'],
    ['--quick --bisect pipe', quick(@RATES),       ['pipe>=1015'] => 'INCONCLUSIVE open'],
    ['--quick pipe',          quick((@RATES) x 6), ['pipe>=985']  => 'PASS certain'],
    ['--quick pipe',          quick((@RATES) x 6), ['pipe>=1015'] => 'FAIL certain'],
    ['--quick pipe',          quick((@RATES) x 6), ['pipe>=996']  => 'PASS open'],
    ['--quick --bisect pipe', quick((@RATES) x 6), ['pipe>=985']  => 'PASS certain'],
    ['--quick --bisect pipe', quick((@RATES) x 6), ['pipe>=1015'] => 'FAIL certain'],
    ['pipe',                  $OFFICIAL,           ['pipe>=993']  => 'PASS certain'],
    ['--bisect pipe',         $OFFICIAL,           ['pipe>=993']  => 'INCONCLUSIVE open'],
    ['--bisect pipe',         $OFFICIAL,           ['pipe>=987']  => 'PASS certain'],

    # A requirement that is not met ends a bisection.
    ['--quick pipe',          quick((@RATES) x 2), ['pipe>=998', 'pipe>=2000'] => 'INCONCLUSIVE FAIL open'],
    ['--quick --bisect pipe', quick((@RATES) x 2), ['pipe>=998', 'pipe>=2000'] => 'INCONCLUSIVE FAIL certain'],
);
for my $case (@CASES) {
    my ($words, $run, $requirements, $expected) = @$case;
    is(judged($words, $run, @$requirements), $expected, "$words, @$requirements: $expected");
}

subtest 'the errors of all looks add up to 0.1 %' => sub {
    my $error = sub {
        my ($number, $rounds) = @_;
        my $judge = context(join q{ }, '-c 1 --quick --bisect pipe', map { "--require pipe>=$_" } 1 .. $number)->judge;
        return 1 - $judge->_confidence_of_look({ rounds => $rounds });
    };
    my ($sum, $rounds) = (0.0005, 24);
    for (1 .. 40) {
        $sum += $error->(1, $rounds);
        $rounds = UnixBench::Score::StopRule::next_look($rounds + 1, 1);
    }
    cmp_ok($sum,                                           '<', 0.001,   'no more than that');
    cmp_ok($sum,                                           '>', 0.00098, 'and hardly less');
    cmp_ok(abs($error->(3, 36) * 3 / $error->(1, 36) - 1), '<', 1e-6,    'three requirements share the error');
};

subtest 'a quick run for a bisection has no precision' => sub {
    my $request = context('--quick --bisect --require pipe>=1 --seed 3 pipe');
    ok(!exists $request->quick->{precision}, 'no goal');
    like($request->plan_in_words, qr/ until the verdict is certain, 50 s to /, 'the plan says when it ends');
    is(context('--quick --require pipe>=1 pipe')->quick->{precision}, 0.02, 'another quick run has one');
};

done_testing;
