use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadFiles qw(load_file);
use LoadedRun;
use TestRun ();

# What makes the difference between two multi-user loads, as users ask for it.

my $MULTICS = "$FindBin::Bin/../data/multics.json";

my $test = TestRun->new;
my ($results, @words) = ($test->place('results'), qw(--compare --analysis));
$test->{cwd} = $results;

load_file($results, 'before.json', [map { +{ factor => $_ } } 1,   1.02, 0.99]);
load_file($results, 'after.json',  [map { +{ factor => $_ } } 0.5, 0.49, 0.51]);
load_file($results, 'ten.json',    [{ users => 10 }], users => [10]);

subtest 'the meters of 1973' => sub {
    my $run = $test->run(@words, $MULTICS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'status 0');
    like($run->{out}, qr/^ +A total CPU +14213 s .*\n.* = +2[.]9 .*\n +B total CPU +4860 s /m, 'the total effect');
    like($run->{out}, qr/^ +2[.]0 x 1[.]45 +=  2[.]9 +\{ product of the two \}\n.* agrees with the total/m,
        'the product');
    $run = $test->run(@words, '--price', '1.2,3', $MULTICS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'with prices');
    like($run->{out}, qr/^ +A price x elapsed +1[.]2 x 4[.]162 h +4[.]99 /m, 'which tell the cost of a run');
};

subtest 'two results' => sub {
    my $run = $test->run(@words, qw(before.json after.json --html page.html --markdown tables.md));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'status 0');
    like($run->{out},              qr/^Elapsed time \(s\) +61[.]\d\d +30[.]\d\d +2[.]0\d\d +\d/m, 'the meters');
    like($test->text('page.html'), qr{\A<!DOCTYPE html>.*<h1>Analysis: before[.]json and after[.]json</h1>}s, 'a page');
    like($test->text('tables.md'), qr/\A## Analysis: /, 'Markdown');
    $run = $test->run(@words, qw(after.json before.json));
    is($run->{status}, 0, 'nothing is worse than the other');
};

subtest 'what is refused' => sub {
    my $run = $test->run(@words, qw(before.json ten.json));
    is_deeply([@$run{qw(status out)}], [2, q{}], 'other users');
    like($run->{err}, qr/^users of the multi-user load: 20 in A, 10 in B\nto compare them all the same: --force$/m,
        'why');
    $run = $test->run(@words, qw(--force before.json ten.json));
    is($run->{status}, 0, 'forced');
    $run = $test->run(@words, qw(before.json));
    is_deeply([@$run{qw(status out)}], [2, q{}], 'one result');
    like($run->{err}, qr/\ARun: before[.]json has no meters of two systems: it is one result; needed are two/, 'why');
    $run = $test->run(@words, ('before.json') x 3);
    is_deeply([@$run{qw(status out)}], [2, q{}], 'three');
    is($test->run('--compare', 'before.json')->{status}, 2, 'one without --analysis');
    $test->write('results', 'bad.json', '{"A": {"name": "a", "cpu_total_s": "much"}}');
    $run = $test->run(@words, 'bad.json');
    my $why = 'A.cpu_total_s is "much"; needed is a number, 0 to 1e15, or null';
    is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: bad.json has no meters of two systems: $why\n"], 'no number');
};

done_testing();
