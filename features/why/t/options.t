# The option --why.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use CommandLines qw(are_accepted are_refused);

are_accepted(
    ['compare a b --why' => { command => 'compare', why => 1, words => [qw(a b)] }],
    ['report r --why --details -q' => { command => 'report', why => 1, details => 1, quiet => 1, words => ['r'] }],
);
are_refused(
    ['compare a b --why --by cpu' => 'options --why and --by contradict each other: leave out one of them'],
    ['--why pipe'                 => 'option --why belongs to ./Run compare: see ./Run help compare'],
    ['explain --why pipe'         => 'explain has no option --why: leave it out; see ./Run help explain'],
    ['compare a b --why=cpu'      => 'option --why takes no value'],
);

done_testing;
