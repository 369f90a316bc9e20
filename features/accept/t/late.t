# All modules that a verdict needs are loaded before the first pass.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use LateModules qw(loads_nothing_late);

my @USUAL = qw(-q -c 1 syscall --junit U --verdict V --require syscall>=1);
loads_nothing_late('an official run', {}, @USUAL, qw(-i 1));
loads_nothing_late('a quick run',     {}, @USUAL, qw(--quick --max-time 1));
loads_nothing_late('a bisection',     {}, @USUAL, qw(--bisect -i 3));

done_testing;
