use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use HostTree              qw(host_tree);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('disturbance', qw(disturbance proc));

# Takes CPU times in ticks (user, idle, iowait, softirq, steal); returns the tree of a machine that shows them.
sub moment {
    my ($user, $idle, $wait, $softirq, $steal) = @_;
    return host_tree('/proc/stat' => "cpu  $user 0 0 $idle $wait 0 $softirq $steal 0 0\n");
}

# Name, two moments, own ticks; expected steal, other work.
my @BETWEEN = (
    ['no other work',                   [0,  1,   0, 0, 0], [100, 101, 0,   0,  0],  100, '0 0'],
    ['other work',                      [7,  9,   0, 0, 0], [57,  159, 0,   0,  0],  30,  '0 0.1'],
    ['interrupts',                      [0,  1,   0, 0, 0], [0,   151, 0,   50, 0],  0,   '0 0.25'],
    ['waiting for disks is not work',   [0,  1,   0, 0, 0], [0,   101, 100, 0,  0],  0,   '0 0'],
    ['stolen time',                     [0,  0,   0, 0, 5], [100, 80,  0,   0,  25], 100, '0.1 0'],
    ['own time above the counted time', [0,  1,   0, 0, 0], [50,  151, 0,   0,  0],  60,  '0 0'],
    ['steal goes back',                 [50, 100, 0, 0, 9], [50,  200, 0,   0,  5],  0,   '0 0'],
    ['no time passed',                  [5,  5,   5, 5, 5], [5,   5,   5,   5,  5],  0,   '-1 -1'],
    ['all times go back',               [5,  500, 5, 5, 5], [5,   5,   5,   5,  5],  0,   '-1 -1'],
);
for my $case (@BETWEEN) {
    my ($name, $before, $after, $own, $seen) = @$case;
    is_deeply [said_by($program, moment(@$before), moment(@$after), $own)], [$seen], $name;
}
is_deeply [said_by($program, host_tree(), moment(1, 1, 1, 1, 1), 0)], ['-1 -1'], 'the first moment has no files';
my $before = host_tree('/proc/stat' => "cpu  1 1 1 1 1 1 1\n");
is_deeply [said_by($program, $before, moment(1, 1, 1, 1, 1), 0)], ['-1 -1'], 'a time is missing';

done_testing;
