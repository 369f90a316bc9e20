use strict;
use warnings;

use Test::More;

use UnixBench::Score::Stats qw(autocorrelation geometric_mean inflation mean median standard_deviation t_above);

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

# By hand: the products of neighbours and the squares of -2 to 2 have the sums 4 and 10.
is(sprintf('%.9f', autocorrelation(-2, -1, 0, 1, 2)), sprintf('%.9f', (4 / 10 + 1 / 5) * (1 + 4 / 5)), 'a drift');
is(sprintf('%.9f', autocorrelation(1, -1, 1, -1)), sprintf('%.9f', (-3 / 4 + 1 / 4) * 2), 'neighbours that alternate');
is(autocorrelation(3, 3, 3),                       0,                                     'equal numbers');
is(inflation(-0.5),                                1,                       'alternation makes no error smaller');
is(sprintf('%.9f', inflation(0.5)),                sprintf('%.9f', sqrt 3), 'an autocorrelation of a half');
is(inflation(1),                                   inflation(0.95),         'the error stays finite');

is(sprintf('%.4f', t_above(1.8595,  8)), '0.0500', 'a tail of Student t, from a printed table');
is(sprintf('%.4f', t_above(-1.8595, 8)), '0.9500', 'and the rest');

done_testing();
