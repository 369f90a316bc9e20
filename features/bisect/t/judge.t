# Verdicts on commits: how certain they are, when a quick run may end, what no commit can decide, and the option.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../accept/t/lib ../../../t/lib);
use CommandLines                   qw(are_refused);
use Fixture                        qw(failed measured result run skipped);
use Requested                      qw(context);
use UnixBench::Bisect::Judge;
use UnixBench::CLI::Options ();
use UnixBench::Command      ();
use UnixBench::Score::StopRule;
use Verdicts qw(@RATES certainty judged official quick);

# [words, run, requirements, verdicts and whether they are certain]. A requirement that is not met ends a bisection.
my @CASES = (
    ['--quick --bisect pipe', quick(@RATES),       ['pipe>=985']               => 'INCONCLUSIVE open'],
    ['--quick --bisect pipe', quick(@RATES),       ['pipe>=1015']              => 'INCONCLUSIVE open'],
    ['--quick --bisect pipe', quick((@RATES) x 6), ['pipe>=985']               => 'PASS certain'],
    ['--quick --bisect pipe', quick((@RATES) x 6), ['pipe>=1015']              => 'FAIL certain'],
    ['--bisect pipe',         official(),          ['pipe>=993']               => 'INCONCLUSIVE open'],
    ['--bisect pipe',         official(),          ['pipe>=987']               => 'PASS certain'],
    ['--quick --bisect pipe', quick((@RATES) x 2), ['pipe>=998', 'pipe>=2000'] => 'INCONCLUSIVE FAIL certain'],
);
for my $case (@CASES) {
    my ($words, $run, $requirements, $expected) = @$case;
    is(certainty($words, $run, @$requirements), $expected, "$words, @$requirements: $expected");
}

subtest 'the errors of all looks add up to 0.1 %' => sub {
    my $error = sub {
        my ($number, $rounds) = @_;
        my $judge = context(join q{ }, '-c 1 --quick --bisect pipe', map { "--require pipe>=$_" } 1 .. $number)->judge;
        return 1 - { $judge->look({ rounds => $rounds }) }->{covered};
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

subtest 'what is the same for every commit' => sub {
    my $pipe    = measured('pipe', 1, 1000, 1010, 990);
    my $crashed = failed('pipe', 'killed by SIGSEGV');
    my $missing = { %$crashed, passes => [{ copies => [{ status => 127, signal => 0 }], error => 'x', where => 'y' }] };
    my $no_display = skipped('2d-rects', 'skipped: no X display; set DISPLAY or install xvfb');

    # [what the run asked for, a test, requirement, whether no commit can be decided].
    my @rows = (
        (map { ['pipe', $pipe, "pipe>=$_", 0] } 1, 100, 1e9),
        ['pipe',     $crashed,                  'pipe>=1',     0],
        ['pipe',     $missing,                  'pipe>=1',     1],
        ['2d-rects', $no_display,               undef,         1],
        ['all',      $no_display,               undef,         0],
        ['all',      $no_display,               '2d-rects>=1', 1],
        ['pipe',     measured('pipe', 1, 1000), 'pipe>=1',     1],
    );
    for my $row (@rows) {
        my ($asked, $test, $required, $is_same) = @$row;
        my @cases = judged(result([run(1, $test)], asked => [$asked]), [1], map { $_ => undef } $required // ());
        my $what  = join ', ', "asked: $asked", $test->{reason} // $test->{status}, $required // ();
        is(UnixBench::Bisect::Judge::has_undecidable(@cases) ? 1 : 0, $is_same, "$what: $is_same");
    }
};

are_refused(
    ['--bisect pipe' => 'option --bisect needs --require'],
    (
        map { ["$_->[0] --bisect --require pipe>=1 pipe" =>
                "options --bisect and $_->[1] contradict each other: leave out one of them"
        ] } ['--quick --precision 2' => '--precision'],
        ['--dry-run' => '--dry-run']
    ),
);
my ($given, $lasting) = map { UnixBench::Command::parse(split q{ }, $_) } '--resume r --bisect', 'pipe';
eval { UnixBench::CLI::Options::check_resumed(UnixBench::Command::declaration(), $given, $lasting) };
is($@, "option --bisect needs --require, which the interrupted run did not have\n", 'a new bisection is refused');
is(eval { context('--bisect --require trust>=good pipe')->judge->check }, undef,    'so is a requirement on trust');
is($@, qq{requirement "trust>=good": trust says nothing about a commit\n},          'with the reason');

done_testing;
