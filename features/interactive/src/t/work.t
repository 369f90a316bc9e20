use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

# Nanoseconds of work, loops per millisecond, loops. No loops are lost, even if they are few or the work is short.
my @LOOPS = (
    [2_500_000,          4_214_517,             '10536293'],
    [20_000,             4_214_517,             84_290],
    [1_000_000,          999,                   999],
    [499,                1000,                  0],
    [500,                1000,                  1],
    [-1,                 4_214_517,             0],
    ['86400000000001',   1_000_000_000,         '86400000000001000'],
    ['4000000000000000', 4_000_000_001,         '16000000004000000000'],
    [999_999,            '9000000000000000003', '8999991000000000003'],
);

my $program = driver('work', qw(work clock));

is((said_by($program, 'loops', @$_[0, 1]))[0], $_->[2], "the loops of $_->[0] ns at $_->[1] loops per ms") for @LOOPS;

is_deeply(
    [said_by($program, 'sleep', -1, 0, 1000, 20_000_000)],
    [('yes') x 4, 'interrupted'],
    'a signal does not shorten a sleep'
);

done_testing;
