use strict;
use warnings;

use Test::More;

use UnixBench::Score::Stats qw(geometric_mean mean median standard_deviation);

is(mean(1, 2, 6), 3, 'arithmetic mean');
is(sprintf('%.12g', geometric_mean(1, 10, 100)),     '10',     'geometric mean');
is(sprintf('%.12g', geometric_mean((1e300) x 100)),  '1e+300', 'geometric mean of huge numbers');
is(sprintf('%.9g',  geometric_mean((1e-300) x 100)), '1e-300', 'geometric mean of tiny numbers');
ok(!eval { geometric_mean(1, 0); 1 }, 'geometric mean of 0 is an error');

is(median(5),                                                    5,              'median of one number');
is(median(9, 1, 5),                                              5,              'median of three numbers');
is(median(9, 1, 5, 4),                                           4.5,            'median of four numbers');
is(sprintf('%.12g', standard_deviation(2, 4, 4, 4, 5, 5, 7, 9)), '2.1380899353', 'standard deviation of a sample');
is(standard_deviation(3, 3),                                     0,              'standard deviation of equal numbers');

done_testing();
