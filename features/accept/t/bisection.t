use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed measured result run skipped);
use QuickRun                       qw(in_rounds run_of_rounds);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Bisection;
use UnixBench::Accept::Verdict qw(finding);
use Verdicts                   qw(judged);

# Takes a number of requirements, that of rounds, and whether the run is unfinished; returns the error of a verdict, 1 -
# confidence.
sub error_after {
    my ($requirements, $rounds, $is_look) = @_;
    return 1 - UnixBench::Accept::Bisection::confidence({ rounds => $rounds }, $requirements, $is_look);
}

sub is_near {
    my ($is, $expected, $name) = @_;
    return ok(abs($is / $expected - 1) < 1e-6, $name) || diag "$is, not $expected";
}

subtest 'the errors of all looks add up to 0.1 %' => sub {
    is_near(error_after(1, 24, 1), 0.000303963550927,      'the first look');
    is_near(error_after(1, 30, 1), 0.000303963550927,      'the same after more rounds, of a set of orders');
    is_near(error_after(1, 54, 1), 0.000303963550927 / 9,  'the third one');
    is_near(error_after(3, 36, 1), 0.000303963550927 / 12, 'three requirements share the error');
    is_near(error_after(1, 54),    0.0005,                 'the end of the time has a half of it');
    is_near(error_after(2, 54),    0.00025,                'and so have two requirements together');
    my ($sum, $rounds) = (0.0005, 24);
    for (1 .. 40) {
        $sum += error_after(1, $rounds, 1);
        $rounds = UnixBench::Score::StopRule::next_look($rounds + 1, 1);
    }
    cmp_ok($sum, '<', 0.001,   'no more than that');
    cmp_ok($sum, '>', 0.00098, 'and hardly less');
    is_near(1 - UnixBench::Accept::Bisection::confidence(run(1, measured('pipe', 1, 1, 2, 3)), 1),
        0.001, 'an official run has one verdict');
};

subtest 'a verdict says which confidence it has' => sub {
    my %case = (kind => 'requirement', verdict => 'PASS', value => 1000, low => 990, high => 1010);
    my $text = sub { finding({ %case, covered => $_[0] }) };
    is($text->(undef),     '1000.0 over all passes, 95 % interval 990.0 to 1010.0',           'the usual one');
    is($text->(1 - 6e-4),  '1000.0 over all passes, 99.940 % interval 990.0 to 1010.0',       'of one look');
    is($text->(1 - 2e-7),  '1000.0 over all passes, 99.999980 % interval 990.0 to 1010.0',    'of many');
    is($text->(1 - 1e-10), '1000.0 over all passes, 99.999999990 % interval 990.0 to 1010.0', 'of very many');
};

my $NO_DISPLAY = skipped('2d-rects', 'skipped: no X display; set DISPLAY or install xvfb');

# Takes a test of a run that asked for something; returns whether no commit can be decided.
sub is_undecidable {
    my ($asked, $test, %reference) = @_;
    my @cases = judged(result([run(1, $test)], asked => [$asked]), [1], %reference);
    return UnixBench::Accept::Acceptance::has_undecidable(@cases) ? 1 : 0;
}

subtest 'what is the same for every commit' => sub {
    my @pipe    = measured('pipe', 1, 1000, 1010, 990);
    my $crashed = failed('pipe', 'killed by SIGSEGV');
    my $missing = { %$crashed, passes => [{ copies => [{ status => 127, signal => 0 }], error => 'x', where => 'y' }] };
    is(is_undecidable('pipe', @pipe, 'pipe>=1' => undef),          0, 'a requirement that is met');
    is(is_undecidable('pipe', @pipe, 'pipe>=1e9' => undef),        0, 'one that is not met');
    is(is_undecidable('pipe', @pipe, 'pipe>=100' => undef),        0, 'one that is open');
    is(is_undecidable('pipe', $crashed, 'pipe>=1' => undef),       0, 'a test that failed');
    is(is_undecidable('pipe', $missing, 'pipe>=1' => undef),       1, 'a program that can not be run');
    is(is_undecidable('2d-rects', $NO_DISPLAY),                    1, 'a test that needs something that is missing');
    is(is_undecidable('all', $NO_DISPLAY),                         0, 'one that was not asked for by its name');
    is(is_undecidable('all', $NO_DISPLAY, '2d-rects>=1' => undef), 1, 'one that was required');
    is(is_undecidable('pipe', measured('pipe', 1, 1000), 'pipe>=1' => undef), 1, 'a single pass');
    my %open = (kind => 'requirement', verdict => 'INCONCLUSIVE', value => 1, low => 0.9, reference => 1);
    my $tell = sub { UnixBench::Accept::Acceptance::has_undecidable({ %open, @_ }) ? 1 : 0 };
    is($tell->(half_width => 0.1, is_final => 1), 1, 'a quick estimate below the limit of an official result');
    is($tell->(half_width => 0.1, is_final => 0), 0, 'an open requirement with a reference');
    is($tell->(), 1, 'a reference of a single pass');
};

done_testing;
