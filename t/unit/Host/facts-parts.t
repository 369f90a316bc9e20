# Tests of the facts that are read from different files on different machines.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree);
use Needs    qw(skip_without);
use UnixBench::Host::Cgroup;
use UnixBench::Host::Generic;
use UnixBench::Host::Hardware;
use UnixBench::Host::Kernel;
use UnixBench::Host::KernelFiles;
use UnixBench::Host::Mounts;
use UnixBench::Host::Virtualization;

my @UNAME = ('Linux', 'vm', '6.1.0', '#1 SMP', 'x86_64');
my $CPU   = '/sys/devices/system/cpu';

# Takes { path => text }; returns these files.
sub files { my (%text) = @_; return UnixBench::Host::KernelFiles->new(root => host_tree(%text)) }

subtest 'KernelFiles reads values of files' => sub {
    my $files = files(
        '/line'  => "  a b \0\nc\n",
        '/empty' => "\n\n",
        '/huge'  => '9' x 40,
        '/list'  => "0-2,5,\t7-6,x,9-\n",
        '/all'   => join(q{,}, ('0-99999') x 9),
        map { ("/d/cpu$_" => q{}) } 10, 9, 'idle', '1x'
    );
    is($files->line('/line'),   'a b', 'a line has no blanks at its ends');
    is($files->line($_),        undef, "$_ has no line") for '/empty', '/not there', "/a\0b";
    is($files->number('/huge'), undef, 'a huge number is undef');
    is_deeply([$files->ids('/list')], [0, 1, 2, 5], 'a list of ranges is read');
    cmp_ok(scalar(my @all = $files->ids('/all')), '<', 200_000, 'a list has no more CPUs than a machine can have');
    is_deeply(
        [$files->numbered('/d', 'cpu')],
        ['/d/cpu9', '/d/cpu10'],
        'numbered files are in the order of their numbers'
    );
};

subtest 'the preemption model is found' => sub {
    my $config = "CONFIG_PREEMPT_BUILD=y\n# CONFIG_PREEMPT is not set\n";
    my @cases  = (
        ['real-time', 'PREEMPT_RT'],
        ['real-time', 'PREEMPT RT'],
        ['real-time', 'SMP',             '/sys/kernel/realtime'            => "1\n"],
        ['full',      'PREEMPT_DYNAMIC', '/sys/kernel/debug/sched/preempt' => "none voluntary (full) lazy\n"],
        ['lazy',      'PREEMPT_DYNAMIC', '/proc/cmdline'             => "preempt=full preempt=lazy xpreempt=none\n"],
        ['dynamic',   'PREEMPT_DYNAMIC', '/proc/cmdline'             => "preempt=fully\n"],
        ['voluntary', 'PREEMPT_DYNAMIC', '/boot/config-6.1.0'        => "${config}CONFIG_PREEMPT_VOLUNTARY=y\n"],
        ['none',      'SMP',             '/lib/modules/6.1.0/config' => "CONFIG_PREEMPT_NONE=y\n"],
        ['lazy',      'PREEMPT',         '/boot/config-6.1.0'        => "${config}CONFIG_PREEMPT_LAZY=y\n"],
        ['full',      'PREEMPT'],
        ['none or voluntary', 'SMP', '/proc/cmdline' => "preempt=full\n"],
    );
    for my $case (@cases) {
        my ($model, $version, %text) = @$case;
        my @uname = (@UNAME[0 .. 2], "#1 SMP $version", 'x86_64');
        my $facts = UnixBench::Host::Kernel->new(files => files(%text), uname => \@uname)->facts;
        is($facts->{preemption}, $model, join ' ', "$model:", $version, %text);
    }
};

subtest "the kernel's configuration is found" => sub {
    my $gzip = eval { require IO::Compress::Gzip } or skip_without(tool => 'IO::Compress::Gzip');
    my $long = join q{}, (map { "# CONFIG_NUMBER_$_ is not set\n" } 1 .. 5000), "CONFIG_HZ=1000\n";
    IO::Compress::Gzip::gzip(\$long,        \my $compressed);
    IO::Compress::Gzip::gzip(\($long x 30), \my $endless);
    my $hz   = sub { UnixBench::Host::Kernel->new(files => files(@_), uname => \@UNAME)->facts->{hz} };
    my @boot = ('/boot/config-6.1.0' => "CONFIG_HZ=100\n");
    is($hz->(@boot, '/proc/config.gz' => $compressed), 1000, 'the configuration of the running kernel is preferred');
    is($hz->(@boot, '/proc/config.gz' => 'no gzip'),   100,  'otherwise that of the same release is used');
    is($hz->('/proc/config.gz' => substr $compressed, 0, 12), undef, 'a compressed file that is cut off is ignored');
    is($hz->('/proc/config.gz' => substr $compressed, 0, -9),
        undef, 'a compressed file that is cut off near its end is ignored');
    is($hz->('/proc/config.gz'    => $endless), undef, 'a configuration that is too long is ignored');
    is($hz->('/boot/config-6.1.0' => 'CONFIG_HZ=' . '9' x 30 . "\n"), undef, 'an absurd value is ignored');
    is($hz->('/boot/config-5.10'  => "CONFIG_HZ=100\n"), undef, "the configuration of another kernel is ignored");
};

subtest 'debug checks of the kernel are found' => sub {
    my @set   = map { "CONFIG_$_=y\n" } qw(KASAN HZ_250 PROVE_LOCKING SLUB_DEBUG LOCKDEP_SUPPORT);
    my @unset = ("# CONFIG_KCSAN is not set\n", "CONFIG_DEBUG_OBJECTS=n\n");
    my $debug = sub { UnixBench::Host::Kernel->new(files => files(@_), uname => \@UNAME)->facts->{debug} };
    is_deeply($debug->('/boot/config-6.1.0' => join q{}, @set, @unset),
        [qw(PROVE_LOCKING KASAN)], 'checks that are set are listed');
    is($debug->('/boot/config-6.1.0' => join q{}, @unset), undef, 'without a check that is set, there is no list');
    is($debug->(),                                         undef, 'without a configuration, there is no list');
};

subtest 'facts about processors are found' => sub {
    my $processor = sub {
        UnixBench::Host::Hardware->new(files => files(@_))->cpu([]);
    };
    my %scaled = map { ("$CPU/cpu$_/cpufreq/scaling_governor" => "ondemand\n") } 0, 1;
    my $old    = $processor->(%scaled, "$CPU/cpu1/cpufreq/cpuinfo_max_freq" => "2000000\n", "$CPU/smt/active" => "0\n");
    is($old->{governor}, 'ondemand', 'the governor of an old kernel, in a directory of each CPU');
    is_deeply($old->{frequency}, { min_mhz => undef, max_mhz => 2000 }, 'the frequencies of an old kernel');
    is($old->{smt}, 'off', 'the SMT flag of an old kernel');
    is($processor->("$CPU/intel_pstate/no_turbo" => "0\n")->{turbo}, 'on', 'turbo of Intel');
    is($processor->("$CPU/cpufreq/boost"         => "1\n")->{turbo}, 'on', 'turbo of other vendors');
    is($processor->('/proc/cpuinfo' => "microcode\t: 0x2\nmicrocode : 0x1\nmicrocode : 0x2\n")->{microcode},
        '0x1, 0x2', 'different microcode of the CPUs');
    is($processor->("$CPU/cpu0/microcode/version" => "0x3\n")->{microcode}, '0x3', 'microcode in /sys');
};

subtest 'the hypervisor is found' => sub {
    my ($bare, $guest) = map { "processor : 0\nflags : fpu$_ vme\n" } q{}, ' hypervisor';
    my $clocks = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
    my $dmi    = '/sys/class/dmi/id';
    my $tree   = '/proc/device-tree';
    my @cases  = (
        ['none',        $bare],
        ['vm-other',    $guest],
        ['none',        "processor : 0\n"],
        ['kvm',         $guest, $clocks             => "tsc kvm-clock\n", "$dmi/sys_vendor" => "QEMU\n"],
        ['qemu',        $guest, "$dmi/sys_vendor"   => "QEMU\n"],
        ['kvm',         $guest, "$dmi/product_name" => "OpenStack Nova\n"],
        ['microsoft',   $guest, $clocks             => "hyperv_clocksource_tsc_page acpi_pm\n"],
        ['microsoft',   $guest, "$dmi/sys_vendor" => 'Microsoft Corporation', "$dmi/product_name" => 'Virtual Machine'],
        ['none',        $bare,  "$dmi/sys_vendor" => 'Microsoft Corporation', "$dmi/product_name" => 'Surface'],
        ['microsoft',   $guest, '/proc/sys/kernel/osrelease'   => "5.15.90.1-microsoft-standard-WSL2\n"],
        ['vmware',      $guest, "$dmi/product_name"            => "VMware7,1\n"],
        ['oracle',      $guest, "$dmi/bios_vendor"             => "innotek GmbH\n", $clocks => "kvm-clock\n"],
        ['amazon',      $guest, "$dmi/sys_vendor"              => "Amazon EC2\n",   $clocks => "kvm-clock tsc\n"],
        ['none',        $bare,  "$dmi/sys_vendor"              => "Amazon EC2\n"],
        ['none',        "processor : 0\n", "$dmi/sys_vendor"   => "Amazon EC2\n", "$dmi/product_name" => "a1.metal\n"],
        ['amazon',      "processor : 0\n", "$dmi/sys_vendor"   => "Amazon EC2\n", "$dmi/product_name" => "c7g.large\n"],
        ['google',      $guest,            "$dmi/product_name" => "Google Compute Engine\n"],
        ['firecracker', $guest, $clocks => "kvm-clock\n",          '/sys/bus/acpi/devices/FCVMGID:00/hid' => 'FCVMGID'],
        ['xen',         $bare,  '/sys/hypervisor/type' => "xen\n", '/proc/xen/capabilities' => "\n"],
        ['none',        $bare,  '/sys/hypervisor/type' => "xen\n", '/proc/xen/capabilities' => "control_d\n"],
        ['uml',         "processor : 0\nvendor_id : User Mode Linux\n"],
        ['kvm',         'cpu',  "$tree/hypervisor/compatible" => "linux,kvm\0"],
        ['vm-other',    'cpu',  "$tree/hypervisor/compatible" => "a,b\0"],
        ['qemu',        'cpu',  "$tree/fw-cfg\@9020000/reg"   => q{}, "$tree/compatible" => "linux,dummy-virt\0"],
        ['vm-other',    'cpu',  "$tree/compatible"            => "linux,dummy-virt\0"],
        ['zvm',         's390', '/proc/sysinfo'               => "VM00 Name: A\nVM00 Control Program: z/VM    7.2.0\n"],
        ['kvm',         's390', '/proc/sysinfo'               => "VM00 Control Program: KVM/Linux   \n"],
        ['none',        's390', '/proc/sysinfo'               => "LPAR Name: A\n"],
    );
    for my $case (@cases) {
        my ($name, $cpuinfo, %text) = @$case;
        my $files          = files('/proc/cpuinfo' => $cpuinfo, %text);
        my $virtualization = UnixBench::Host::Virtualization->new(files => $files, uname => \@UNAME);
        is($virtualization->hypervisor, $name, join ' ', $name, map { s/\s/ /gr } %text);
    }
    my $nothing = UnixBench::Host::Virtualization->new(files => files(), uname => \@UNAME);
    is($nothing->hypervisor, undef, 'without /proc the hypervisor is not known');
};

subtest 'the container is found' => sub {
    my @cases = (
        ['none'],
        ['docker',          '/.dockerenv'                                     => q{}],
        ['podman',          '/run/.containerenv'                              => q{},     '/.dockerenv' => q{}],
        ['lxc',             '/run/systemd/container'                          => "lxc\n", '/.dockerenv' => q{}],
        ['container-other', '/run/host/container-manager'                     => "<b>\n"],
        ['lxc',             '/proc/1/environ'                                 => "TERM=linux\0container=lxc\0"],
        ['none',            '/proc/1/environ'                                 => "xcontainer=lxc\0"],
        ['kubernetes',      '/run/secrets/kubernetes.io/serviceaccount/token' => q{}],
        ['docker',          '/proc/1/cgroup'                                  => "4:cpu:/docker/0a1b\n"],
        ['docker',          '/proc/1/cgroup'             => "0::/system.slice/docker-0a1b.scope\n"],
        ['kubernetes',      '/proc/1/cgroup'             => "4:cpu:/kubepods/burstable/pod1\n"],
        ['podman',          '/proc/1/cgroup'             => "0::/machine.slice/libpod-0a.scope\n"],
        ['lxc',             '/proc/1/cgroup'             => "4:cpu:/lxc/a\n"],
        ['none',            '/proc/1/cgroup'             => "0::/init.scope\n"],
        ['openvz',          '/proc/vz/version'           => q{}],
        ['none',            '/proc/vz/version'           => q{}, '/proc/bc/a' => q{}],
        ['wsl',             '/proc/sys/kernel/osrelease' => "4.4.0-19041-Microsoft\n"],
    );
    for my $case (@cases) {
        my ($name, %text) = @$case;
        my $files          = files('/proc/cpuinfo' => "processor : 0\n", %text);
        my $virtualization = UnixBench::Host::Virtualization->new(files => $files, uname => \@UNAME);
        is($virtualization->container, $name, join ' ', $name, map { s/\s/ /gr } %text);
    }
    my @gvisor    = ('Linux', 'a', '4.4.0', '#1 SMP Sun Jan 10 15:06:54 PST 2016', 'x86_64');
    my $files     = files('/proc/cpuinfo' => q{});
    my $container = sub { UnixBench::Host::Virtualization->new(files => $_[0], uname => $_[1])->container };
    is($container->($files,  \@gvisor), 'gvisor', 'gVisor is found');
    is($container->(files(), \@UNAME),  undef,    'without /proc the container is not known');
};

subtest 'the mount of a path is found' => sub {
    my $mountinfo = <<'END';
1 1 0:2 / / rw - rootfs rootfs rw
40 30 0:40 / /a/b rw - tmpfs covered rw
30 1 8:1 / / rw,noatime - ext4 /dev/root rw,data=ordered
50 30 0:50 / /a rw - overlay overlay rw,lowerdir=/x:/y
51 50 0:51 / /a/tab\011\134\040 ro - nfs4 host:/export\040dir rw,vers=4.2
60 99 0:60 / /odd rw - ext3 orphan rw
no mount
70 30 0:70 / /short
END
    my $mounts = UnixBench::Host::Mounts->new(files => files('/proc/self/mountinfo' => $mountinfo));
    my @cases  = (
        ['/'             => 'ext4',    '/',           'rw,noatime,data=ordered'],
        ['/ab'           => 'ext4',    '/',           'rw,noatime,data=ordered'],
        ['/a/b/c'        => 'overlay', '/a',          'rw,lowerdir=/x:/y'],
        ["/a/tab\t\\ /b" => 'nfs4',    "/a/tab\t\\ ", 'ro,vers=4.2'],
        ['/short/x'      => 'ext4',    '/',           'rw,noatime,data=ordered'],
    );
    for my $case (@cases) {
        my ($path, @expected) = @$case;
        is_deeply([@{ $mounts->facts($path) }{qw(file_system mount_point mount_options)}],
            \@expected, "the mount of $path");
    }
    is($mounts->facts("/a/tab\t\\ /b")->{device}, 'host:/export dir', 'a device with a blank in its name');
    my $circle = join "\n", '5 6 0:1 / / rw - ext4 a rw', '6 5 0:2 / / rw - ext4 b rw',
        '7 8 0:1 / /c rw - xfs c rw', '8 7 0:1 / /c rw - xfs d rw';
    my $lost = UnixBench::Host::Mounts->new(files => files('/proc/self/mountinfo' => $circle));
    is($lost->facts('/c')->{file_system}, undef, 'mounts in a circle are ignored');
};

subtest 'limits of control groups are found' => sub {
    my %v1 = (
        '/proc/self/cgroup'    => "4:memory:/\n",
        '/proc/self/mountinfo' => "9 1 0:9 / /cg rw - cgroup cgroup rw,memory\n",
    );
    my $limits = sub {
        my ($memory_kb, $swap_kb, %text) = @_;
        return UnixBench::Host::Cgroup->new(files => files(%v1, %text))->limits($memory_kb, $swap_kb);
    };
    my ($memory, $both) = ('/cg/memory.limit_in_bytes', '/cg/memory.memsw.limit_in_bytes');
    is($limits->(1000,  0, $memory => "9223372036854771712\n")->{memory_kb}, undef, 'no limit in version 1');
    is($limits->(undef, 0, $memory => "9223372036854771712\n")->{memory_kb},
        undef, 'no limit in version 1 on a machine of unknown size');
    is($limits->(1000,  0, $memory => "1024000\n")->{memory_kb}, undef, 'a limit of all memory is not a limit');
    is($limits->(1000,  0, $memory => "1022976\n")->{memory_kb}, 999,   'a lower limit of memory');
    is($limits->(undef, 0, $memory => "2048\n")->{memory_kb},    2,     'a limit on a machine of unknown size');
    is($limits->(1000, 9, $memory => "1024\n", $both => "3072\n")->{swap_kb}, 2, 'the swap limit of version 1');
    is($limits->(1000, 0, $memory => "1024\n", $both => "3072\n")->{swap_kb},
        undef, 'a swap limit on a machine without swap is not a limit');
};

subtest 'sysctl completes the facts on BSD and macOS' => sub {
    my %freebsd = (
        'kern.clockrate'            => "{ hz = 1000, tick = 1000, profhz = 8126, stathz = 127 }\n",
        'kern.timecounter.hardware' => "TSC-low\n",
        'kern.smp.cores'            => "4\n",
        'hw.ncpu'                   => "8\n",
        'hw.physmem'                => "8589934592\n",
        'vm.swap_total'             => "1073741824\n",
        'kern.vm_guest'             => "bhyve\n",
        'vm.loadavg'                => "{ 0.52 0.60 1.00 }\n",
        'kern.boottime'             => "{ sec = 1700000000, usec = 123456 } Tue Nov 14 22:13:20 2023\n",
    );
    my $complete = sub {
        my ($known, %says) = @_;
        my $facts   = { (map { $_ => {} } qw(kernel cpu memory virtualization)), %$known };
        my $generic = UnixBench::Host::Generic->new(run => sub { $says{ $_[0][2] } }, now => sub { 1_700_000_060 });
        $generic->complete($facts);
        return $facts;
    };
    is_deeply(
        $complete->({ cpu => { threads => 2 } }, %freebsd),
        {
            kernel         => { hz         => 1000,      clock_source => 'TSC-low' },
            cpu            => { threads    => 2,         cores        => 4 },
            memory         => { total_kb   => 8_388_608, swap_kb      => 1_048_576 },
            virtualization => { hypervisor => 'bhyve' },
            load           => [0.52, 0.6, 1],
            uptime_s       => 60,
        },
        'facts that are missing and known are added'
    );
    is_deeply($complete->({}, 'hw.ncpu' => 'x', 'vm.loadavg' => '{ 1e9 }', 'kern.clockrate' => '9'),
        $complete->({}), 'output of a wrong form is ignored');
    is_deeply($complete->({}, 'vm.loadavg' => "{ 0,52 0,60 1,00 }\n")->{load}, [0.52, 0.6, 1], 'a load with commas');
    is($complete->({}, 'hw.memsize' => "17179869184\n", 'hw.physmem' => "1\n")->{memory}{total_kb},
        16_777_216, 'the memory size of macOS');
};

done_testing;
