use strict;
use warnings;

use Test::More;

use UnixBench::Score::Stats qw(geometric_mean mean median standard_deviation);

is(mean(1, 2, 6), 3, 'mean');
is(sprintf('%.12g', geometric_mean(1, 10, 100)),     '10',     'geometric mean');
is(sprintf('%.12g', geometric_mean((1e300) x 100)),  '1e+300', 'the product may be larger than any number');
is(sprintf('%.9g',  geometric_mean((1e-300) x 100)), '1e-300', 'or smaller');
ok(!eval { geometric_mean(1, 0); 1 }, 'zero has no logarithm');

is(median(5),                                                    5,              'median of one');
is(median(9, 1, 5),                                              5,              'of three');
is(median(9, 1, 5, 4),                                           4.5,            'of four');
is(sprintf('%.12g', standard_deviation(2, 4, 4, 4, 5, 5, 7, 9)), '2.1380899353', 'standard deviation of a sample');
is(standard_deviation(3, 3),                                     0,              'none');

done_testing();
