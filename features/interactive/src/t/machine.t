use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use HostTree              qw(host_tree);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('machine', qw(machine limits disturbance proc));

my $CPU    = '/sys/devices/system/cpu';
my $GROUP  = '/sys/fs/cgroup';
my $SELF   = '/proc/self';
my $BOOT   = '/boot/config-6.1.0';
my @KERNEL = ('/proc/sys/kernel/osrelease' => "6.1.0\n");

# Takes files; returns the facts of a machine that has them, as { name => value }.
sub facts {
    my (%files) = @_;
    return { map { split /: /, $_, 2 } said_by($program, 'facts', host_tree(%files), '/absent/place') };
}

sub fact_is {
    my ($name, $value, $test, %files) = @_;
    is facts(%files)->{$name}, $value, "$name: $test";
    return;
}

is_deeply facts(), {}, 'nothing is known about an empty machine';

is_deeply facts(
    @KERNEL,
    '/proc/sys/kernel/version'                     => "#1 SMP PREEMPT_DYNAMIC Debian 6.1.0-1 (2024-01-01)\n",
    '/proc/cmdline'                                => "root=/dev/sda1 quiet\n",
    '/sys/kernel/debug/sched/preempt'              => "none (voluntary) full \n",
    '/sys/kernel/debug/sched/base_slice_ns'        => "3000000\n",
    $BOOT                                          => "# a kernel\nCONFIG_HZ_250=y\nCONFIG_HZ=250\nCONFIG_X=y\n",
    '/sys/kernel/sched_ext/state'                  => "disabled\n",
    '/proc/sys/kernel/sched_autogroup_enabled'     => "1\n",
    '/proc/sys/kernel/sched_rt_runtime_us'         => "950000\n",
    '/proc/sys/kernel/sched_rt_period_us'          => "1000000\n",
    "$SELF/timerslack_ns"                          => "50000\n",
    '/proc/loadavg'                                => "0.42 0.18 0.12 1/80 11206\n",
    "$SELF/status"                                 => "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\n",
    "$SELF/cgroup"                                 => "0::/user.slice/mine\n",
    "$SELF/mountinfo"                              => "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n",
    "$GROUP/user.slice/mine/cpu.max"               => "max 100000\n",
    "$GROUP/user.slice/mine/cpuset.cpus.effective" => "0-3\n",
    '/sys/devices/system/clocksource/clocksource0/current_clocksource' => "tsc\n",
    '/sys/kernel/mm/transparent_hugepage/enabled'                      => "always [madvise] never\n",
    '/proc/meminfo'   => "MemTotal:  8000000 kB\nSwapTotal:         1048572 kB\n",
    '/proc/cpuinfo'   => "processor\t: 0\nmodel name\t: A CPU @ 3 GHz\nflags\t\t: fpu hypervisor sse\n",
    "$CPU/smt/active" => "1\n",
    "$CPU/cpu0/cpufreq/scaling_governor" => "powersave\n",
    "$CPU/cpu1/cpufreq/scaling_governor" => "powersave\n",
    "$CPU/cpu0/cpufreq/scaling_driver"   => "intel_pstate\n",
    "$CPU/cpu1/cpufreq/scaling_driver"   => "intel_pstate\n",
    ),
    {
    kernel           => '6.1.0',
    cpu              => 'A CPU @ 3 GHz',
    preemption       => 'voluntary',
    base_slice       => '3000000 ns',
    hz               => '250',
    scheduler        => 'sched_ext disabled',
    autogroup        => 'on',
    rt_runtime       => '950000 of 1000000 us',
    timer_slack      => '50000 ns',
    load_average     => '0.42',
    cpus_allowed     => '0-3',
    cpuset           => '0-3',
    file_system      => 'ext4',
    clocksource      => 'tsc',
    huge_pages       => 'madvise',
    swap             => '1048572 kB',
    hypervisor       => 'yes',
    smt              => 'on',
    governor         => 'powersave',
    frequency_driver => 'intel_pstate',
    },
    'facts of a machine with nearly every file';

subtest 'preemption' => sub {
    my $version = '/proc/sys/kernel/version';
    my $debug   = '/sys/kernel/debug/sched/preempt';
    my @CASES   = (
        [
            'the model in brackets is in force', 'full',
            $debug   => "none voluntary (full)\n",
            $version => "#1 SMP PREEMPT\n"
        ],
        ['without an end of line',    'lazy',    $debug => 'full (lazy)'],
        ['no model is in force',      'dynamic', $debug => "none voluntary\n", $version => '#1 SMP PREEMPT_DYNAMIC @0'],
        ['nothing in brackets',       undef,     $debug => "none () full\n"],
        ['a bracket that stays open', undef,     $debug => "none (full\n"],
        ['a real-time kernel',        'rt', $version => "#1 SMP PREEMPT_RT 2024\n", '/proc/cmdline' => 'preempt=none'],
        ['a real-time kernel with dynamic preemption', 'rt',   $version => "#1 SMP PREEMPT_DYNAMIC PREEMPT_RT\n"],
        ['an old kernel',                              'full', $version => "#1 SMP PREEMPT Tue\n"],
        ['a lazy kernel',                              'lazy', $version => "#1 SMP PREEMPT_LAZY Tue\n"],
        ['no model is named',                          undef,  $version => "#1 SMP Tue XPREEMPT PREEMPTY\n"],
        [
            'the model of the command line is in force', 'voluntary',
            $version        => "#1 PREEMPT_DYNAMIC\n",
            '/proc/cmdline' => "a preempt=voluntary b\n"
        ],
        [
            'an unknown model of the command line is ignored', 'dynamic',
            $version        => "#1 PREEMPT_DYNAMIC\n",
            '/proc/cmdline' => "preempt=fullest\n"
        ],
        [
            'the model that the kernel was built for',
            'voluntary', @KERNEL, $BOOT => "CONFIG_PREEMPT_VOLUNTARY=y\n# CONFIG_PREEMPT is not set\n"
        ],
        [
            'the kernel was built for full preemption',
            'full', @KERNEL, $BOOT => "CONFIG_PREEMPT=y\nCONFIG_PREEMPTION=y\n"
        ],
        [
            'the configuration names no model', undef, @KERNEL,
            $BOOT => "CONFIG_PREEMPT=n\nCONFIG_PREEMPT_NONE_BUILD=y\n"
        ],
    );
    for my $case (@CASES) {
        my ($name, $model, @files) = @$case;
        fact_is('preemption', $model, $name, @files);
    }
};

subtest 'the kernel' => sub {
    my $ext = '/sys/kernel/sched_ext';
    fact_is(
        'scheduler', 'sched_ext rusty', 'a loaded scheduler with its name',
        "$ext/state"         => "enabled\n",
        "$ext/root" . "/ops" => "rusty\n"
    );
    fact_is('scheduler', 'sched_ext enabled', 'a loaded scheduler without a name', "$ext/state" => "enabled\n");
    fact_is('scheduler', undef,               'an empty file',                     "$ext/state" => "\n");
    my $rt = '/proc/sys/kernel/sched_rt';
    fact_is('rt_runtime', 'unlimited', 'there is no limit',  "${rt}_runtime_us"                         => "-1\n");
    fact_is('rt_runtime', undef,       'there is no period', "${rt}_runtime_us"                         => "950000\n");
    fact_is('autogroup',  'off',       'it is off',          '/proc/sys/kernel/sched_autogroup_enabled' => "0\n");
    fact_is('kernel',     undef,       'an empty file',      '/proc/sys/kernel/osrelease'               => "\n");
    fact_is('kernel',     '6.1.0',     'without an end of line', '/proc/sys/kernel/osrelease'           => '6.1.0');
    fact_is(
        'hz', undef, 'a release that would lead to another directory',
        '/proc/sys/kernel/osrelease' => "../x\n",
        '/boot/config-../x'          => 'CONFIG_HZ=100',
        '/boot/x'                    => 'CONFIG_HZ=100'
    );
    fact_is('hz', '1000', 'the setting follows 100000 other lines',
        @KERNEL, $BOOT => "# x\n" x 100_000 . "CONFIG_HZ=1000\n");
    fact_is('hz', undef, 'only other settings are there', @KERNEL, $BOOT => "CONFIG_HZ_1000=y\nXCONFIG_HZ=3\n");
    fact_is(
        'huge_pages', undef,
        'no choice is marked',
        '/sys/kernel/mm/transparent_hugepage/enabled' => "always madvise\n"
    );
    fact_is('swap', '0 kB', 'there is no swap', '/proc/meminfo' => "SwapTotalX: 5 kB\nSwapTotal: 0 kB");
};

subtest 'processors' => sub {
    my @governor = map { "$CPU/cpu$_/cpufreq/scaling_governor" } 0 .. 9;
    fact_is(
        'governor', 'performance, powersave', 'two governors', $governor[0] => "performance\n",
        $governor[2] => "powersave\n",
        $governor[9] => 'performance'
    );
    fact_is('governor', 'g0, g1, g2, g3, ...', 'many governors', map { $governor[$_] => "g$_\n" } 0 .. 9);
    fact_is(
        'governor', undef, 'files of other names are ignored',
        "$CPU/cpufreq/scaling_governor"         => 'x',
        "$CPU/cpuidle/cpufreq/scaling_governor" => 'x'
    );
    fact_is('governor',   'x' x 31, 'a long name is cut',  $governor[0]      => 'x' x 100_000);
    fact_is('smt',        'off',    'it is off',           "$CPU/smt/active" => "0\n");
    fact_is('hypervisor', 'no',     'the flag is missing', '/proc/cpuinfo' => "flags : fpu hypervisors xhypervisor\n");
    fact_is('hypervisor', 'yes',    'the flag is the last one',    '/proc/cpuinfo'        => 'flags : fpu hypervisor');
    fact_is('hypervisor', 'xen',    'the hypervisor names itself', '/sys/hypervisor/type' => "xen\n");
    fact_is('hypervisor', undef,    'the CPU has no flags',        '/proc/cpuinfo'        => "Features : fp asimd\n");
    fact_is('cpu', 'a?b?c',   'unprintable bytes are replaced',    '/proc/cpuinfo' => "model name : a\eb\xffc\n");
    fact_is('cpu', undef,     'the name is empty',                 '/proc/cpuinfo' => "model name :\n");
    fact_is('cpu', 'y' x 159, 'a long name is cut',                '/proc/cpuinfo' => 'model name : ' . 'y' x 300_000);
    fact_is('cpus_allowed', '1,3', 'a list',                       "$SELF/status"  => "Cpus_allowed_list:\t1,3\n");
};

# Name, expected quota, expected cpuset, files.
my @GROUPS = (
    [
        'version 2, a quota of a parent group', '50000 us of 100000 us', '2',
        "$SELF/cgroup"                   => "0::/a/b/c\n",
        "$GROUP/a/b/c/cpu.max"           => "max 100000\n",
        "$GROUP/a/b/cpu.max"             => "150000 100000\n",
        "$GROUP/a/cpu.max"               => "50000 100000\n",
        "$GROUP/a/cpuset.cpus.effective" => "2\n"
    ],
    [
        'version 2, the top group', '1000 us of 2000 us', '0',
        "$SELF/cgroup"                 => "0::/\n",
        "$GROUP/cpu.max"               => "1000 2000\n",
        "$GROUP/cpuset.cpus.effective" => "0\n"
    ],
    [
        'version 2, a path outside of the name space', '7 us of 8 us', undef,
        "$SELF/cgroup"   => "0::/../x\n",
        "$GROUP/cpu.max" => "7 8\n"
    ],
    [
        'version 1', '20000 us of 100000 us', '0-1',
        "$SELF/cgroup"                           => "5:cpuset:/s\n4:cpu,cpuacct:/g\n0::/x\n",
        "$GROUP/cpu,cpuacct/cgroup.procs"        => "1\n",
        "$GROUP/cpu,cpuacct/g/cpu.cfs_quota_us"  => "20000\n",
        "$GROUP/cpu,cpuacct/g/cpu.cfs_period_us" => "100000\n",
        "$GROUP/cpuset/cgroup.procs"             => '',
        "$GROUP/cpuset/s/cpuset.cpus"            => "0-1\n"
    ],
    [
        'version 1, controllers in another order', '20000 us of 50000 us', undef,
        "$SELF/cgroup"                 => "4:cpuacct,cpu:/\n",
        "$GROUP/cpu/cpu.cfs_quota_us"  => "20000\n",
        "$GROUP/cpu/cpu.cfs_period_us" => "50000\n"
    ],
    [
        'version 1, no limit', undef, undef,
        "$SELF/cgroup"                 => "4:cpu:/\n",
        "$GROUP/cpu/cpu.cfs_quota_us"  => "-1\n",
        "$GROUP/cpu/cpu.cfs_period_us" => "50000\n"
    ],
    [
        'both versions, the quota is of version 2', '3 us of 9 us', '5',
        "$SELF/cgroup"                   => "1:name=systemd:/\n0::/g\n",
        "$GROUP/g/cpu.max"               => "3 9\n",
        "$GROUP/g/cpuset.cpus.effective" => "5\n"
    ],
    [
        'other controllers', undef, undef,
        "$SELF/cgroup"                     => "3:cpuacct:/\n2:xcpu,cpux:/\n",
        "$GROUP/cpuacct/cpu.cfs_quota_us"  => '1',
        "$GROUP/cpuacct/cpu.cfs_period_us" => '2',
        "$GROUP/cpu/cpu.cfs_quota_us"      => '1',
        "$GROUP/cpu/cpu.cfs_period_us"     => '2'
    ],
    ['invalid lines',            undef, undef, "$SELF/cgroup" => "\n:\n::\n0::\n0:cpu\nx\n", "$GROUP/cpu.max" => "x\n"],
    ['a quota without a period', undef, undef, "$SELF/cgroup" => "0::/\n", "$GROUP/cpu.max" => "100000\n"],
    ['a period of 0',            undef, undef, "$SELF/cgroup" => "0::/\n", "$GROUP/cpu.max" => "100000 0\n"],
    ['a long path', '1 us of 2 us', undef, "$SELF/cgroup" => '0::/' . 'd/' x 900 . "\n", "$GROUP/cpu.max" => "1 2\n"],
    ['a path too long', undef,      undef, "$SELF/cgroup" => '0::/' . 'd' x 9000 . "\n", "$GROUP/cpu.max" => "1 2\n"],
);
for my $case (@GROUPS) {
    my ($name, $quota, $cpuset, @files) = @$case;
    my $facts = facts(@files);
    is $facts->{cpu_quota}, $quota,  "$name: quota";
    is $facts->{cpuset},    $cpuset, "$name: cpuset";
}

my $ROOT    = "20 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n";
my @SYSTEMS = (
    ['the root file system', 'ext4', '/tmp', $ROOT],
    ['a mount point', 'tmpfs', '/tmp', $ROOT, "21 20 0:1 / /tmp rw - tmpfs tmpfs rw\n"],
    [
        'a directory below a mount point', 'tmpfs',
        '/tmp/a/b',                        $ROOT,
        "21 20 0:1 / /tmp rw shared:5 master:2 - tmpfs none rw\n"
    ],
    [
        'a directory whose name begins like a mount point', 'ext4',
        '/tmpx',                                            $ROOT,
        "21 20 0:1 / /tmp rw - tmpfs tmpfs rw\n"
    ],
    [
        'the deepest mount point counts, not the last line',
        'xfs', '/a/b/c', "22 20 0:1 / /a/b rw - xfs x rw\n",
        $ROOT, "21 20 0:1 / /a rw - nfs x rw\n"
    ],
    [
        'the last of two on the same mount point counts',
        'btrfs', '/a',
        "21 20 0:1 / /a rw - nfs x rw\n",
        "22 20 0:1 / /a rw - btrfs x rw\n"
    ],
    [
        'a mount point with a blank in its name',
        'vfat', '/no such/dir', $ROOT, "21 20 0:1 / /no\\040such rw - vfat x rw\n"
    ],
    ['a relative directory', undef, 'no-such-place', $ROOT],
    ['no lines',     undef, '/tmp'],
    ['broken lines', undef, '/tmp', "\n", "1 2 3\n", " - \n", "1 2 3 4 - ext4\n", "1 2 3 4 / -", '1 2 3 4 / - '],
);
for my $case (@SYSTEMS) {
    my ($name, $type, $directory, @lines) = @$case;
    my %facts = map { split /: /, $_, 2 }
        said_by($program, 'facts', host_tree("$SELF/mountinfo" => join '', @lines), $directory);
    is $facts{file_system}, $type, "file system: $name";
}

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

my @here = said_by($program, 'facts', '', '.');
ok((grep { /\Akernel: \S/ } @here), 'the kernel of this machine is known');
is_deeply [grep { !/\A[a-z_]+: [ -~]{1,159}\z/ } @here], [], 'facts of this machine are short and printable';
my %names = map { $_ => 1 } map { (split /:/)[0] } @here;
is scalar(keys %names), @here, 'each fact of this machine is printed once';

done_testing;
