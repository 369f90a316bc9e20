use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use HostTree              qw(host_tree);
use Needs                 qw(need_compiler);

need_compiler();

# The loads, with the modules for frames of Video, X and Custom.
my @LOADS = map { m{(loads/[^/]+)[.]c\z} } glob 'features/interactive/src/loads/*.c';
push @LOADS, qw(clock frames limits proc random stats tasks work);

my $DRIVER = driver('load_rules', @LOADS);
my $MIB    = 2**20;
my $GIB    = 2**30;
my $NONE   = -1;

# Memory, free space, largest size, expected size; the last in MiB, the others in bytes.
my @FILES = (
    [8 * $GIB, 100 * $GIB,    4 * $GIB + 1, 4096, 'half of the memory'],
    [3 * $GIB, 100 * $GIB,    4 * $GIB,     1536, 'half of less memory'],
    [8 * $GIB, 10 * $GIB,     4 * $GIB,     1024, 'a tenth of what is free'],
    [8 * $GIB, 10 * $MIB - 1, 4 * $GIB,     0,    'hardly anything is free'],
    [8 * $GIB, 100 * $GIB,    16 * $MIB,    16,   'little is allowed'],
);
for my $case (@FILES) {
    my ($memory, $free, $most, $mib, $name) = @$case;
    is_deeply([said_by($DRIVER, 'files', $memory, $free, $most)], [$mib * $MIB], "files: $name");
}

# Memory in MiB: total, available, swap, left by the group, left by RLIMIT_AS, most. Then whether --swap is given, the
# size in MiB, and the name.
my @MEMORY = (
    [1000,  600,     0,     $NONE, $NONE, 0, 0, 540,     'nine tenths of what is available'],
    [1000,  600,     2000,  $NONE, $NONE, 0, 1, 1100,    '--swap: 110 % of all memory'],
    [1000,  600,     100,   $NONE, $NONE, 0, 1, 1036,    '--swap: all memory and the swap but 64 MiB'],
    [1000,  600,     0,     100,   $NONE, 0, 0, 90,      'nine tenths of what the group leaves'],
    [1000,  0,       0,     $NONE, $NONE, 0, 0, 0,       'nothing is available'],
    [$NONE, $NONE,   $NONE, $NONE, $NONE, 0, 0, 0,       'nothing is known'],
    [32,    10,      10,    $NONE, $NONE, 0, 1, 0,       '--swap: the size is never negative'],
    [3e6,   2900000, 0,     $NONE, $NONE, 0, 0, 2610000, 'terabytes'],
);
for my $case (@MEMORY) {
    my ($total, $available, $swap, $group, $addresses, $most, $is_swap, $mib, $name) = @$case;
    my @sizes = map { $_ < 0 ? $_ : $_ * $MIB } $total, $available, $swap, $group, $addresses, $most;
    is_deeply([said_by($DRIVER, 'memory', @sizes, $is_swap)], [$mib * $MIB], "memory: $name");
}

my $MEMINFO = "MemTotal:  4096 kB\nMemFree:  1024 kB\nMemAvailable:  2048 kB\nSwapTotal:  512 kB\n";
my ($V1, $V2) = map { "/sys/fs/cgroup$_" } '/memory', '';

# Name, files of a machine; total, available and swap in KiB, what the group leaves in bytes.
my @ROOMS = (
    ['nothing can be read', {},                              $NONE, $NONE, $NONE, $NONE],
    ['no group',            { '/proc/meminfo' => $MEMINFO }, 4096,  2048,  512,   $NONE],
    [
        'version 2, the group and those above',
        {
            '/proc/meminfo'          => $MEMINFO,
            '/proc/self/cgroup'      => "0::/a/b\n",
            "$V2/a/b/memory.max"     => "max\n",
            "$V2/a/b/memory.current" => "77\n",
            "$V2/a/memory.max"       => "5000\n",
            "$V2/a/memory.current"   => "3000\n",
            "$V2/a/memory.stat"      => "anon 1\ninactive_anon 7\nactive_file 100\ninactive_file 200\n",
        },
        4096, 2048, 512, 2300
    ],
    [
        'version 1',
        {
            '/proc/self/cgroup'           => "3:cpu:/z\n2:memory:/a\n0::/q\n",
            "$V1/memory.limit_in_bytes"   => "9223372036854771712\n",
            "$V1/memory.usage_in_bytes"   => "1\n",
            "$V1/a/memory.limit_in_bytes" => "9000\n",
            "$V1/a/memory.usage_in_bytes" => "8999\n",
            "$V1/a/memory.stat"           => "inactive_file 1\ntotal_inactive_file 10\ntotal_active_file 20\n",
        },
        $NONE, $NONE, $NONE, 31
    ],
    [
        'more is used than is allowed',
        { "$V2/a/memory.max" => "5000\n", "$V2/a/memory.current" => "6000\n", '/proc/self/cgroup' => "0::/a\n" },
        $NONE, $NONE, $NONE, 0
    ],
);
for my $case (@ROOMS) {
    my ($name, $files, @sizes) = @$case;
    my $expected = join '|', (map { $_ < 0 ? $_ : $_ * 1024 } @sizes[0 .. 2]), $sizes[3];
    is_deeply([said_by($DRIVER, 'room', host_tree(%$files))], [$expected], "room: $name");
}

done_testing;
