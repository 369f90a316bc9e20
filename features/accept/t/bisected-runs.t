use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured steady_result run);
use QuickRun                       qw(in_rounds run_of_rounds);
use Requested                      qw(request);

# Takes words, a run and requirements; returns the verdicts, and whether the stop rule takes them for certain.
sub judged {
    my ($words, $run, @requirements) = @_;
    my $request = request(@$words, map { ('--require', $_) } @requirements);
    my $result  = steady_result([$run], asked => [map { $_->{name} } @{ $run->{tests} }]);
    my @cases   = grep { $_->{kind} eq 'requirement' } $request->judge->cases($result);
    return [(map { $_->{verdict} } @cases), $request->judge->is_decided($result, $run) ? 1 : 0];
}

my @RATES = (1000, 1010, 990, 1005, 995);    # the mean is 1000, and its 95 % interval 9.9 wide

# Returns a quick run in which pipe has these rates in each round.
sub quick {
    my (@rates) = @_;
    return run_of_rounds(in_rounds(pipe => @rates));
}

subtest 'a bisection needs more certainty' => sub {
    my @quick  = qw(--quick pipe);
    my @bisect = ('--bisect', @quick);
    is_deeply(judged(\@quick,  quick(@RATES), 'pipe>=985'),  ['PASS',         0], 'met, not certain');
    is_deeply(judged(\@bisect, quick(@RATES), 'pipe>=985'),  ['INCONCLUSIVE', 0], 'for a bisection: open');
    is_deeply(judged(\@quick,  quick(@RATES), 'pipe>=1015'), ['FAIL',         0], 'not met, not certain');
    is_deeply(judged(\@bisect, quick(@RATES), 'pipe>=1015'), ['INCONCLUSIVE', 0], 'for a bisection: open');
    my @many = (@RATES) x 6;
    is_deeply(judged(\@quick,  quick(@many), 'pipe>=985'),  ['PASS', 1], 'more rounds: the run may end');
    is_deeply(judged(\@quick,  quick(@many), 'pipe>=1015'), ['FAIL', 1], 'more rounds: the run may end');
    is_deeply(judged(\@quick,  quick(@many), 'pipe>=996'),  ['PASS', 0], 'certain enough only at the end');
    is_deeply(judged(\@bisect, quick(@many), 'pipe>=985'),  ['PASS', 1], 'more rounds: met');
    is_deeply(judged(\@bisect, quick(@many), 'pipe>=1015'), ['FAIL', 1], 'more rounds: not met');
};

subtest 'an official run looks once' => sub {
    my $run = run(1, measured('pipe', 1, map { 10 * $_ } (@RATES) x 2));
    is_deeply(judged([qw(pipe)],          $run, 'pipe>=993'), ['PASS',         1], 'the usual interval');
    is_deeply(judged([qw(--bisect pipe)], $run, 'pipe>=993'), ['INCONCLUSIVE', 0], 'a bisection');
    is_deeply(judged([qw(--bisect pipe)], $run, 'pipe>=987'), ['PASS',         1], 'a lower limit');
};

subtest 'a requirement that is not met ends a bisection' => sub {
    my @both = ('pipe>=998', 'pipe>=2000');
    is_deeply(judged([qw(--quick pipe)], quick((@RATES) x 2), @both), [qw(INCONCLUSIVE FAIL 0)], 'the usual run');
    is_deeply(judged([qw(--bisect --quick pipe)], quick((@RATES) x 2), @both),
        [qw(INCONCLUSIVE FAIL 1)], 'a bisection');
};

# The tests vary alone, and their mean hardly varies. So at 95 % the interval over the tests is the wider one. Three
# rounds have two degrees of freedom, and at a bisection's confidence their interval is the wider one.
subtest 'the wider interval of an index is chosen at the confidence of the bisection' => sub {
    my @tests = map { in_rounds($_ => @RATES[1, 2, 0]) } qw(pipe context1);
    my @other = map { in_rounds($_ => @RATES[2, 1, 0]) } qw(spawn);
    my $half  = sub {
        my ($case) = grep { $_->{name} eq 'index' } @_;
        return log($case->{high} / $case->{value});
    };
    my $run    = run_of_rounds(@tests, @other);
    my $result = steady_result([$run], asked => ['index']);
    my $index  = { %{ $run->{indexes}[0] }, complete => 1 };
    $run->{indexes} = [$index];
    my %criterion = (
        text     => 'index>=1',
        name     => 'index',
        category => 'system',
        number   => 1,
        copies   => 1,
        limit    => 1,
        tests    => [map { $_->{name} } @tests, @other],
    );
    my ($usual, $bisected) =
        map { $half->(request('--require', 'pipe>=1', @$_)->judge->cases_by($result, \%criterion)) } ['pipe'],
        ['--bisect', 'pipe'];
    my @over = map { log } @RATES[1, 2, 0];
    cmp_ok($bisected / $usual, '>', 10, 'it is far wider than the usual one');
};

subtest 'a quick run for a bisection has no precision' => sub {
    my $request = request(qw(--quick --bisect --require pipe>=1 --seed 3 pipe));
    ok(!exists $request->quick->{precision},     'no goal');
    ok(!exists $request->procedure->{precision}, 'and none in the result');
    like($request->plan_in_words, qr/ until the verdict is certain, at most /, 'the plan says when it ends');
    is(request(qw(--quick --require pipe>=1 pipe))->quick->{precision}, 0.02, 'another quick run has one');
};

done_testing;
