# Tests of the rank condition for changes: UnixBench::History::Ranks.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use UnixBench::History::Ranks;

*z       = \&UnixBench::History::Ranks::z;
*largest = \&UnixBench::History::Ranks::largest_z;
*differ  = \&UnixBench::History::Ranks::differ;

sub is_near {
    my ($got, $expected, $name) = @_;
    return cmp_ok(abs($got - $expected), '<', 1e-9, $name) || diag "$got, not $expected";
}

# By hand: the pairs in which the second value is larger, their mean m n / 2, and variance m n (m + n + 1) / 12.
subtest 'known answers' => sub {
    is_near(z([1, 3, 5, 7], [2, 4, 6, 8]), (10 - 8) / sqrt(16 * 9 / 12), '10 of 16 pairs');
    is_near(z([3, 1, 2], [9, 8]), (6 - 3) / sqrt(6 * 6 / 12), 'all pairs, in any order');
    is_near(z([9, 8], [3, 1, 2]), -(6 - 3) / sqrt(6 * 6 / 12), 'no pair');
    is_near(z([1, 2, 2], [2, 3]), (5 - 3) / sqrt(6 * 6 / 12), 'equal values are half a pair');
    is_near(z([5, 5], [5, 5, 5]), 0, 'equal values only');
    is_near(largest(20, 3), z([1 .. 20], [21 .. 23]), 'the largest z is that of lists without a common range');
    is_near(largest(20, 3), sqrt 7.5,                 'its value');
};

subtest 'the condition' => sub {
    is(differ([1 .. 20], [21 .. 23], 1), 1, 'few values: all pairs');
    is(differ([1 .. 20], [19.5, 21, 22], 1), 1, '59 of 60 pairs are enough');
    is(differ([1 .. 20], [18.5, 21, 22], 1), 0, '58 are not');
    my @many = ([1 .. 100], [51 .. 150]);
    is(differ(@many, 1),                         1, 'many values: 3.6 standard errors are enough');
    is(differ(@many, 3),                         0, 'unless neighbours are alike');
    is(differ([1 .. 100], [21 .. 120], 1),       1, 'another one');
    is(differ([1 .. 100], [16 .. 115], 1),       0, 'less than that is not');
    is(differ([reverse 1 .. 20], [-3 .. -1], 1), 1, 'down as well as up');
};

done_testing;
