use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

# Jobs that run one after another without a pause, with a simulated clock.
need_compiler();

my $program = driver('jobs', qw(frames tasks stats random));

# Name; begin, from, until, demand, extras; jobs, elapsed, work, slowest, greatest excess, mean, staleness.
my @PLAYED = (
    ['jobs without a disturbance',                      [100, 100, 200, 10],           [10, 100, 100, 10, 0, '10.000']],
    ['jobs before the end of the warm-up do not count', [100, 150, 200, 10],           [5, 50, 50, 10, 0, '10.000']],
    ['one slow job fills the whole time',               [100, 150, 200, 10, 0, 0, 95], [0, 0, 0, 0, 0, '0.000']],
    ['a slow job counts',                               [0, 0, 100, 10, 0, 0, 45],     [6, 105, 60, 55, 45, '17.500']],
    ['the last job may end after the time is over',     [0, 0, 100, 10, (0) x 9, 7],   [10, 107, 100, 17, 7, '10.700']],
    ['a job longer than the whole time counts',         [0, 0, 100, 10, 500],       [1, 510, 10, 510, 500, '510.000']],
    ['jobs faster than at calibration have no excess',  [0, 0, 100, 10, (-2) x 20], [13, 104, 130, 8, 0, '8.000']],
);

for my $case (@PLAYED) {
    my ($name, $words, $seen) = @$case;
    is((said_by($program, @$words))[0], "@$seen 0", $name);
}

done_testing;
