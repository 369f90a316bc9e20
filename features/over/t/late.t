# All modules that a run with --over needs are loaded before the first pass.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use LateModules qw(loads_nothing_late);

loads_nothing_late('a run over time', {}, qw(-q --over 10s syscall --require syscall:p5>=1));

done_testing;
