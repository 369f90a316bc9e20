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

# Name, expected values, files.
my $STAT  = "cpu  100 20 30 4000 50 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
my @LOOKS = (
    ['a whole file',                    '163 80 4293', '/proc/stat' => $STAT],
    ['no file is there',                '0 0 0'],
    ['an empty file',                   '0 0 0', '/proc/stat' => q{}],
    ['a time is missing',               '0 0 0', '/proc/stat' => "cpu  1 2 3 4 5 6 7\n"],
    ['a negative time',                 '0 0 0', '/proc/stat' => "cpu  1 2 3 -4 5 6 7 8\n"],
    ['the line of all CPUs is missing', '0 0 0', '/proc/stat' => "cpu0 1 2 3 4 5 6 7 8\n"],
);
for my $case (@LOOKS) {
    my ($name, $seen, @files) = @$case;
    is_deeply [said_by($program, 'look', host_tree(@files))], [$seen], "look: $name";
}

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
    is_deeply [said_by($program, 'between', moment(@$before), moment(@$after), $own)], [$seen], "between: $name";
}
is_deeply [said_by($program, 'between', host_tree(), moment(1, 1, 1, 1, 1), 0)], ['-1 -1'],
    'between: the first moment has no files';

done_testing;
