use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(recorded_tree);
use UnixBench::Host::Facts;

# Tests of all facts of recorded machines. t/unit/Host/fact-list.t has those of x86-server, and t/unit/Host/machine.t
# the rest of these recordings.

my %SAYS = (
    'sh -c'          => "\n",
    'dpkg-query -W'  => "0.5.12-2\n",
    'sort --version' => "sort (GNU coreutils) 9.1\nCopyright\n",
    'grep --version' => "grep (GNU grep) 3.8\n",
    'ldd --version'  => "ldd (Debian GLIBC 2.36-9+deb12u14) 2.36\n",
    'df -P'          => "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/x 100 60 30 67% /\n",
);
my %PATH  = ('/bin/sh' => '/usr/bin/dash', map { $_ => "/usr/bin/$_" } qw(sort grep));
my %TOOLS = (
    sh   => 'dash 0.5.12-2',
    sort => 'sort (GNU coreutils) 9.1',
    grep => 'grep (GNU grep) 3.8',
    libc => 'glibc 2.36 (Debian GLIBC 2.36-9+deb12u14)',
    perl => sprintf('perl %vd', $^V),
);

# How the suite was started on these machines is not known.
my %STARTED = map { $_ => undef } qw(ld_preload ld_audit ld_library_path glibc_tunables preload_file nice class cpus),
    qw(tracer seccomp seccomp_filters variables stack_kb memory_kb personality);

# { recorded machine => the facts that could not be looked at }: the records have few files of /proc/self.
my @STAT   = qw(process.nice process.class);
my @LIMITS = qw(process.stack_kb process.memory_kb);
my @STATUS = qw(process.tracer process.seccomp);
my %UNREAD = (
    (map { $_ => ['cgroup', @STAT, @LIMITS, 'process.cpus', @STATUS] } 'arm-board'),
    power9 => ['cgroup', @STAT, @LIMITS, @STATUS],
    (map { $_ => [@STAT, @STATUS] } qw(container-v1 container-v2)),
);

# Takes a recorded machine, and the release and the version of its kernel. Returns its facts without those about tools
# and suite, and the list of those that could not be looked at, which are tested here.
sub facts {
    my ($name, $release, $version) = @_;
    my $facts = UnixBench::Host::Facts->new(
        root    => recorded_tree($name),
        env     => {},
        home    => '/no/suite here',
        version => '8.1.2',
        tmpdir  => '/no such/scratch',
        run     => sub { $SAYS{"@{ $_[0] }[0, 1]"} },
        uname   => ['Linux', 'vm', $release, $version, 'x86_64'],
        which   => sub { $PATH{ $_[0] } },
    )->facts;
    is_deeply(delete $facts->{tools}, \%TOOLS, "$name: facts about tools");
    my %suite = (version => '8.1.2', git_revision => undef);
    is_deeply(delete $facts->{suite},  \%suite,        "$name: facts about the suite");
    is_deeply(delete $facts->{unread}, $UNREAD{$name}, "$name: facts that could not be looked at");
    return $facts;
}

# Takes [level, type, size in KB, count] of each cache; returns the caches as facts have them.
sub caches {
    my (@caches) = @_;
    my @names = qw(level type size_kb count);
    return [
        map {
            my $cache = $_;
            +{ map { $names[$_] => $cache->[$_] } 0 .. $#names }
        } @caches
    ];
}

is_deeply(
    facts('arm-board', '6.6.30-rockchip64', '#1 SMP PREEMPT Fri May  3 12:00:00 UTC 2024'),
    {
        kernel => {
            command_line => 'root=UUID=f0f6-1 rootwait console=ttyS2,1500000n8 cgroup_enable=memory',
            preemption   => 'full',
            hz           => 300,
            clock_source => 'arch_sys_counter',
            mitigations  => { meltdown => 'Not affected', spectre_v2 => 'Mitigation: CSV2, BHB' },
            debug        => undef,
        },
        cpu => {
            models     => [{ model => 'ARM Cortex-A53', count => 4 }, { model => 'ARM Cortex-A72', count => 2 }],
            sockets    => 1,
            cores      => 6,
            threads    => 6,
            numa_nodes => undef,
            smt        => 'notimplemented',
            microcode  => undef,
            caches     => caches(
                [1, 'Data',        32,   6],
                [1, 'Instruction', 48,   2],
                [1, 'Instruction', 32,   4],
                [2, 'Unified',     1024, 1],
                [2, 'Unified',     512,  1]
            ),
            frequency => { min_mhz => 408, max_mhz => 1800 },
            governor  => 'schedutil',
            driver    => 'cpufreq-dt',
            turbo     => 'off',
        },
        memory => {
            total_kb   => 3_911_160,
            swap_kb    => 1_955_576,
            huge_pages => { transparent => 'never', count => 0, size_kb => 2048 },
        },
        cgroup         => { cpus => undef, cpuset => undef, memory_kb => undef, swap_kb => undef, processes => undef },
        process        => \%STARTED,
        virtualization => { hypervisor => 'none', container => 'none' },
        scratch        => {
            file_system   => 'ext4',
            device        => '/dev/mmcblk1p1',
            mount_point   => '/',
            mount_options => 'rw,noatime,commit=600',
            free_kb       => 30,
        },
        load     => [0, 0.01, 0.05],
        uptime_s => 61.25,
    },
    'facts of a board with two kinds of core and a device tree'
);

is_deeply(
    facts('power9', '4.18.0-553.el8.ppc64le', '#1 SMP Fri May 10 15:19:35 EDT 2024'),
    {
        kernel => {
            command_line => 'BOOT_IMAGE=/vmlinuz-4.18.0-553.el8.ppc64le root=/dev/sda3 ro crashkernel=auto',
            preemption   => 'none or voluntary',
            hz           => undef,
            clock_source => 'timebase',
            mitigations  => { meltdown => 'Mitigation: RFI Flush, L1D private per thread' },
            debug        => undef,
        },
        cpu => {
            models     => [{ model => 'POWER9 (architected), altivec supported', count => 4 }],
            sockets    => 2,
            cores      => 2,
            threads    => 4,
            numa_nodes => 2,
            smt        => '2',
            microcode  => undef,
            caches     => caches(
                [1, 'Data', 32, 2], [1, 'Instruction', 32, 2], [2, 'Unified', 512, 2], [3, 'Unified', 10_240, 2]
            ),
            frequency => { min_mhz => undef, max_mhz => undef },
            governor  => undef,
            driver    => undef,
            turbo     => undef,
        },
        memory => {
            total_kb   => 16_707_264,
            swap_kb    => 0,
            huge_pages => { transparent => undef, count => 4, size_kb => 2048 },
        },
        cgroup         => { cpus => undef, cpuset => undef, memory_kb => undef, swap_kb => undef, processes => undef },
        process        => \%STARTED,
        virtualization => { hypervisor => 'powervm', container => 'none' },
        scratch        => {
            file_system   => 'xfs',
            device        => '/dev/sda3',
            mount_point   => '/',
            mount_options => 'rw,relatime,attr2,inode64',
            free_kb       => 30,
        },
        load     => undef,
        uptime_s => undef,
    },
    'facts of a POWER machine'
);

my %NO_FREQUENCY = (
    frequency => { min_mhz => undef, max_mhz => undef },
    governor  => undef,
    driver    => undef,
    turbo     => undef,
    smt       => undef,
    caches    => undef,
    microcode => undef
);
my %NO_SCRATCH = map { $_ => undef } qw(file_system device mount_point mount_options);
my %NO_KERNEL  = map { $_ => undef } qw(command_line hz clock_source mitigations debug);
my %NO_PAGES   = map { $_ => undef } qw(transparent count size_kb);

my %EIGHT = (
    %NO_FREQUENCY,
    models     => [{ model => 'AMD EPYC', count => 8 }],
    sockets    => 1,
    cores      => 8,
    threads    => 8,
    numa_nodes => undef
);
is_deeply(
    facts('container-v1', '4.14.0', '#1 SMP'),
    {
        kernel         => { %NO_KERNEL, preemption => 'none or voluntary', command_line => 'root=/dev/nvme0n1p1' },
        cpu            => \%EIGHT,
        memory         => { total_kb => 32_000_000, swap_kb => 4_194_304, huge_pages => \%NO_PAGES },
        cgroup         => { cpus => 1.5, cpuset => '2-4', memory_kb => 524_288, swap_kb => 262_144, processes => 120 },
        process        => \%STARTED,
        virtualization => { hypervisor => 'amazon', container => 'docker' },
        scratch        => { %NO_SCRATCH, free_kb => 30 },
        load           => undef,
        uptime_s       => undef,
    },
    'facts of a container with limits, version 1'
);
is_deeply(
    facts('container-v2', '6.1.0', '#1 SMP PREEMPT_RT'),
    {
        kernel         => { %NO_KERNEL, preemption => 'real-time' },
        cpu            => { %EIGHT,     threads    => 6 },
        memory         => { total_kb => 32_000_000, swap_kb => 4_194_304, huge_pages => \%NO_PAGES },
        cgroup         => { cpus     => 2.5, cpuset => '4-6', memory_kb => 4_194_304, swap_kb => 0, processes => 64 },
        process        => \%STARTED,
        virtualization => { hypervisor => 'xen', container => 'systemd-nspawn' },
        scratch        => { %NO_SCRATCH, free_kb => 30 },
        load           => undef,
        uptime_s       => undef,
    },
    'facts of a container with limits, version 2'
);

done_testing;
