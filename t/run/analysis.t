use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadFiles qw(load_file);
use LoadedRun;
use TestRun ();

# --compare --analysis: the reasons of the difference between two multi-user loads.

my $MULTICS = "$FindBin::Bin/../data/multics.json";

my $test = TestRun->new;
my ($results, @words) = ($test->place('results'), qw(--compare --analysis));
$test->{cwd} = $results;

load_file($results, 'before.json', [map { +{ factor => $_ } } 1,   1.02, 0.99]);
load_file($results, 'after.json',  [map { +{ factor => $_ } } 0.5, 0.49, 0.51]);
load_file($results, 'ten.json',    [{ users => 10 }], users => [10]);

subtest 'the meters of 1973' => sub {
    my $run = $test->run(@words, $MULTICS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the analysis of typed-in meters succeeds');
    like(
        $run->{out},
        qr/^ +A total CPU +14213 s .*\n.* = +2[.]9 .*\n +B total CPU +4860 s /m,
        'the total effect is printed'
    );
    like(
        $run->{out},
        qr/^ +2[.]0 x 1[.]45 +=  2[.]9 +\{ product of the two \}\n.* agrees with the total/m,
        'the product of the effects is printed'
    );
    $run = $test->run(@words, '--price', '1.2,3', $MULTICS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the analysis with prices succeeds');
    like($run->{out}, qr/^ +A price x elapsed +1[.]2 x 4[.]162 h +4[.]99 /m, 'prices give the cost of a run');
};

subtest 'two results' => sub {
    my $run = $test->run(@words, qw(before.json after.json --html page.html --markdown tables.md));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the analysis of two results succeeds');
    like($run->{out}, qr/^Elapsed time \(s\) +61[.]\d\d +30[.]\d\d +2[.]0\d\d +\d/m, 'the meters are printed');
    like(
        $test->text('page.html'),
        qr{\A<!DOCTYPE html>.*<h1>Analysis: before[.]json and after[.]json</h1>}s,
        'the page is written'
    );
    like($test->text('tables.md'), qr/\A## Analysis: /, 'the Markdown is written');
    $run = $test->run(@words, qw(after.json before.json));
    is($run->{status}, 0, 'a slower second system is not a failure');
};

subtest 'invalid input' => sub {
    my $run = $test->run(@words, qw(before.json ten.json));
    is_deeply([@$run{qw(status out)}], [2, q{}], 'results with different users are refused');
    like(
        $run->{err},
        qr/^users of the multi-user load: 20 in A, 10 in B\nuse --force to compare them anyway$/m,
        'the refusal names the difference'
    );
    $run = $test->run(@words, qw(--force before.json ten.json));
    is($run->{status}, 0, '--force accepts results with different users');
    $run = $test->run(@words, qw(before.json));
    is_deeply([@$run{qw(status out)}], [2, q{}], 'a single result is refused');
    like(
        $run->{err},
        qr/\ARun: before[.]json has no meters of two systems: it is one result; name two results/,
        'the refusal of a single result has the reason'
    );
    $run = $test->run(@words, ('before.json') x 3);
    is_deeply([@$run{qw(status out)}], [2, q{}], 'three results are refused');
    is($test->run('--compare', 'before.json')->{status}, 2, 'a single result without --analysis is refused');
    $test->write('results', 'bad.json', '{"A": {"name": "a", "cpu_total_s": "much"}}');
    $run = $test->run(@words, 'bad.json');
    my $why = 'A.cpu_total_s is "much"; write a number from 0 to 1e15, or null';
    is_deeply(
        [@$run{qw(status out err)}],
        [2, q{}, "Run: bad.json has no meters of two systems: $why\n"],
        'a meter that is not a number is refused'
    );
};

done_testing();
