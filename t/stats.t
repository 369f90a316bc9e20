use strict;
use warnings;

use Test::More;

use UnixBench::Stats qw(geometric_mean mean);

is(mean(1, 2, 6), 3, 'mean');
is(sprintf('%.12g', geometric_mean(1, 10, 100)),     '10',     'geometric mean');
is(sprintf('%.12g', geometric_mean((1e300) x 100)),  '1e+300', 'the product may be larger than any number');
is(sprintf('%.9g',  geometric_mean((1e-300) x 100)), '1e-300', 'or smaller');
ok(!eval { geometric_mean(1, 0); 1 }, 'zero has no logarithm');

done_testing();
