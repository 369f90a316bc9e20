# Tests of the facts that are read from different files on different machines.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree recorded_files recorded_tree);
use Needs    qw(skip_without);
use UnixBench::Base::JSON;
use UnixBench::Host::Cgroup;
use UnixBench::Host::FactList;
use UnixBench::Host::Facts;
use UnixBench::Host::Hardware;
use UnixBench::Host::KernelFiles;
use UnixBench::Host::Software;

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
    POSIX::mkfifo("$files->{root}/fifo", 0600) or die "mkfifo: $!\n";
    is($files->text($_), undef, "no text, and nothing is waited for: $_") for '/fifo', '/d', '/not there';
    is($files->content('/fifo'), q{}, 'its content is empty');
    cmp_ok(scalar(my @all = $files->ids('/all')), '<', 200_000, 'a list has no more CPUs than a machine can have');
    is(join(q{ }, $files->numbered('/d', 'cpu')), '/d/cpu9 /d/cpu10', 'numbered files are in the order of numbers');
};

subtest 'the preemption model is found' => sub {
    my $config = "CONFIG_PREEMPT_BUILD=y\n# CONFIG_PREEMPT is not set\n";
    my @cases  = (
        ['real-time', 'PREEMPT_RT'],
        ['real-time', 'SMP',             '/sys/kernel/realtime'            => "1\n"],
        ['full',      'PREEMPT_DYNAMIC', '/sys/kernel/debug/sched/preempt' => "none voluntary (full) lazy\n"],
        ['lazy',      'PREEMPT_DYNAMIC', '/proc/cmdline'             => "preempt=full preempt=lazy xpreempt=none\n"],
        ['dynamic',   'PREEMPT_DYNAMIC', '/proc/cmdline'             => "preempt=fully\n"],
        ['voluntary', 'PREEMPT_DYNAMIC', '/boot/config-6.1.0'        => "${config}CONFIG_PREEMPT_VOLUNTARY=y\n"],
        ['none',      'SMP',             '/lib/modules/6.1.0/config' => "CONFIG_PREEMPT_NONE=y\n"],
        ['full',      'PREEMPT'],
        ['none or voluntary', 'SMP', '/proc/cmdline' => "preempt=full\n"],
    );
    for my $case (@cases) {
        my ($model, $version, %text) = @$case;
        my @uname = (@UNAME[0 .. 2], "#1 SMP $version", 'x86_64');
        my $facts = UnixBench::Host::Software->new(files => files(%text), uname => \@uname)->kernel;
        is($facts->{preemption}, $model, join ' ', "$model:", $version, %text);
    }
};

subtest "the kernel's configuration is found" => sub {
    my $gzip = eval { require IO::Compress::Gzip } or skip_without(tool => 'IO::Compress::Gzip');
    my $long = join q{}, (map { "# CONFIG_NUMBER_$_ is not set\n" } 1 .. 5000), "CONFIG_HZ=1000\n";
    IO::Compress::Gzip::gzip(\$long, \my $compressed);
    my $hz   = sub { UnixBench::Host::Software->new(files => files(@_), uname => \@UNAME)->kernel->{hz} };
    my @boot = ('/boot/config-6.1.0' => "CONFIG_HZ=100\n");
    is($hz->(@boot, '/proc/config.gz' => $compressed), 1000, 'the configuration of the running kernel is preferred');
    is($hz->(@boot, '/proc/config.gz' => 'no gzip'),   100,  'otherwise that of the same release is used');
    is($hz->('/proc/config.gz' => substr $compressed, 0, 12), undef, 'a compressed file that is cut off is ignored');
    is($hz->('/boot/config-6.1.0' => 'CONFIG_HZ=' . '9' x 30 . "\n"), undef, 'an absurd value is ignored');
    is($hz->('/boot/config-5.10' => "CONFIG_HZ=100\n"), undef, "the configuration of another kernel is ignored");
};

subtest 'debug checks of the kernel are found' => sub {
    my @set   = map { "CONFIG_$_=y\n" } qw(KASAN HZ_250 PROVE_LOCKING SLUB_DEBUG LOCKDEP_SUPPORT);
    my @unset = ("# CONFIG_KCSAN is not set\n", "CONFIG_DEBUG_OBJECTS=n\n");
    my $debug = sub { UnixBench::Host::Software->new(files => files(@_), uname => \@UNAME)->kernel->{debug} };
    is_deeply($debug->('/boot/config-6.1.0' => join q{}, @set, @unset), [qw(PROVE_LOCKING KASAN)], 'checks by name');
    is($debug->('/boot/config-6.1.0' => join q{}, @unset), undef, 'without a check that is set, there is no list');
    is($debug->(),                                         undef, 'without a configuration, there is no list');
};

subtest 'facts about processors are found' => sub {
    my $processor = sub { UnixBench::Host::Hardware->new(files => files(@_))->cpu([]) };
    my %scaled    = map { ("$CPU/cpu$_/cpufreq/scaling_governor" => "ondemand\n") } 0, 1;
    my $old = $processor->(%scaled, "$CPU/cpu1/cpufreq/cpuinfo_max_freq" => "2000000\n", "$CPU/smt/active" => "0\n");
    is($old->{governor}, 'ondemand', 'the governor of an old kernel, in a directory of each CPU');
    is_deeply($old->{frequency}, { min_mhz => undef, max_mhz => 2000 }, 'the frequencies of an old kernel');
    is($old->{smt}, 'off', 'the SMT flag of an old kernel');
    is($processor->("$CPU/intel_pstate/no_turbo" => "0\n")->{turbo}, 'on', 'turbo of Intel');
    is($processor->("$CPU/cpufreq/boost"         => "1\n")->{turbo}, 'on', 'turbo of other vendors');
    is($processor->('/proc/cpuinfo' => "microcode\t: 0x2\nmicrocode : 0x1\nmicrocode : 0x2\n")->{microcode},
        '0x1, 0x2', 'different microcode of the CPUs');
    is($processor->("$CPU/cpu0/microcode/version" => "0x3\n")->{microcode}, '0x3', 'microcode in /sys');
    my $node  = '/sys/devices/system/node';
    my %nodes = map { ("$node/node$_/cpulist" => $_ < 2 ? "$_\n" : "\n") } 0 .. 31;
    is($processor->(%nodes)->{numa_nodes}, 32, 'NUMA nodes');
    is($processor->(%nodes, "$node/has_cpu" => "0-1\n", "$node/has_memory" => "0,4\n")->{numa_nodes},
        3, 'those with CPUs or memory, if it is known');
};

subtest 'the hypervisor is found' => sub {
    my ($bare, $guest) = map { "processor : 0\nflags : fpu$_ vme\n" } q{}, ' hypervisor';
    my $clocks = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
    my $dmi    = '/sys/class/dmi/id';
    my $tree   = '/proc/device-tree';
    my @cases  = (
        ['none',      $bare],
        ['vm-other',  $guest],
        ['none',      "processor : 0\n"],
        ['kvm',       $guest, $clocks           => "tsc kvm-clock\n", "$dmi/sys_vendor" => "QEMU\n"],
        ['qemu',      $guest, "$dmi/sys_vendor" => "QEMU\n"],
        ['microsoft', $guest, $clocks           => "hyperv_clocksource_tsc_page acpi_pm\n"],
        ['microsoft', $guest, "$dmi/sys_vendor" => 'Microsoft Corporation', "$dmi/product_name" => 'Virtual Machine'],
        ['none',      $bare,  "$dmi/sys_vendor" => 'Microsoft Corporation', "$dmi/product_name" => 'Surface'],
        ['microsoft', $guest, '/proc/sys/kernel/osrelease' => "5.15.90.1-microsoft-standard-WSL2\n"],
        ['oracle',    $guest, "$dmi/bios_vendor"           => "innotek GmbH\n", $clocks => "kvm-clock\n"],
        ['amazon',    $guest, "$dmi/sys_vendor"            => "Amazon EC2\n",   $clocks => "kvm-clock tsc\n"],
        ['none',      $bare,  "$dmi/sys_vendor"            => "Amazon EC2\n"],
        ['none',      "processor : 0\n", "$dmi/sys_vendor" => "Amazon EC2\n", "$dmi/product_name"    => "a1.metal\n"],
        ['amazon',    "processor : 0\n", "$dmi/sys_vendor" => "Amazon EC2\n", "$dmi/product_name"    => "c7g.large\n"],
        ['xen',       $bare,             '/sys/hypervisor/type' => "xen\n", '/proc/xen/capabilities' => "\n"],
        ['none',      $bare,             '/sys/hypervisor/type' => "xen\n", '/proc/xen/capabilities' => "control_d\n"],
        ['kvm',       'cpu',             "$tree/hypervisor/compatible" => "linux,kvm\0"],
        ['qemu',      'cpu',  "$tree/fw-cfg\@9020000/reg" => q{}, "$tree/compatible" => "linux,dummy-virt\0"],
        ['vm-other',  'cpu',  "$tree/compatible"          => "linux,dummy-virt\0"],
        ['zvm',       's390', '/proc/sysinfo'             => "VM00 Name: A\nVM00 Control Program: z/VM    7.2.0\n"],
        ['none',      's390', '/proc/sysinfo'             => "LPAR Name: A\n"],
    );
    for my $case (@cases) {
        my ($name, $cpuinfo, %text) = @$case;
        my $files          = files('/proc/cpuinfo' => $cpuinfo, %text);
        my $virtualization = UnixBench::Host::Hardware->new(files => $files);
        is($virtualization->hypervisor, $name, join ' ', $name, map { s/\s/ /gr } %text);
    }
    for my $model ('Pi Zero', 'linux,dummy-virt', 'riscv-virtio,qemu') {
        my $files = files('/proc/cpuinfo' => 'x', "$tree/model" => "$model\0");
        is(UnixBench::Host::Hardware->new(files => $files)->board, $model =~ /Pi/ ? $model : undef, "a board: $model");
    }
    my $nothing = UnixBench::Host::Hardware->new(files => files());
    is(scalar $nothing->$_, undef, "without /proc the $_ is not known") for qw(hypervisor container);
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
        ['none',            '/proc/1/cgroup'             => "0::/init.scope\n"],
        ['wsl',             '/proc/sys/kernel/osrelease' => "4.4.0-19041-Microsoft\n"],
    );
    for my $case (@cases) {
        my ($name, %text) = @$case;
        my $files          = files('/proc/cpuinfo' => "processor : 0\n", %text);
        my $virtualization = UnixBench::Host::Hardware->new(files => $files);
        is($virtualization->container, $name, join ' ', $name, map { s/\s/ /gr } %text);
    }
};

subtest 'the mount of a path is found' => sub {
    my $mountinfo = <<'END';
1 1 0:2 / / rw - rootfs rootfs rw
30 1 8:1 / / rw,noatime - ext4 /dev/root rw,data=ordered
50 30 0:50 / /a rw - overlay overlay rw,lowerdir=/x:/y
51 50 0:51 / /a/tab\011\134\040 ro - nfs4 host:/export\040dir rw,vers=4.2
no mount
70 30 0:70 / /short
END
    my $mounts = files('/proc/self/mountinfo' => $mountinfo);
    my @cases  = (
        ['/'             => 'ext4',    '/',           'rw,noatime,data=ordered'],
        ['/ab'           => 'ext4',    '/',           'rw,noatime,data=ordered'],
        ['/a/b/c'        => 'overlay', '/a',          'rw,lowerdir=/x:/y'],
        ["/a/tab\t\\ /b" => 'nfs4',    "/a/tab\t\\ ", 'ro,vers=4.2'],
        ['/short/x'      => 'ext4',    '/',           'rw,noatime,data=ordered'],
    );
    for my $case (@cases) {
        my ($path, @expected) = @$case;
        is_deeply([@{ $mounts->mount_facts($path) }{qw(file_system mount_point mount_options)}],
            \@expected, "the mount of $path");
    }
    is($mounts->mount_facts("/a/tab\t\\ /b")->{device}, 'host:/export dir', 'a device with a blank in its name');
};

subtest 'limits of control groups are found' => sub {
    my %v1 = (
        '/proc/self/cgroup'    => "4:memory:/\n",
        '/proc/self/mountinfo' => "9 1 0:9 / /cg rw - cgroup cgroup rw,memory\n",
    );
    my $limits = sub {
        my ($memory_kb, %text) = @_;
        return UnixBench::Host::Cgroup->new(files => files(%v1, %text))->limits($memory_kb)->{memory_kb};
    };
    my $memory = '/cg/memory.limit_in_bytes';
    is($limits->(1000,  $memory => "9223372036854771712\n"), undef, 'no limit in version 1');
    is($limits->(undef, $memory => "9223372036854771712\n"), undef, 'nor on a machine of unknown size');
    is($limits->(1000,  $memory => "1024000\n"),             undef, 'a limit of all memory is not a limit');
    is($limits->(1000,  $memory => "1022976\n"),             999,   'a lower limit of memory');
    is($limits->(undef, $memory => "2048\n"),                2,     'a limit on a machine of unknown size');
};

subtest 'facts that could not be looked at' => sub {
    my %at     = (env => {}, uname => \@UNAME, which => sub { return });
    my $unread = sub { UnixBench::Host::Facts->new(root => $_[0], %at)->facts->{unread} };
    my @stat   = qw(process.nice process.class);
    is_deeply($unread->(recorded_tree('container-v1')), [@stat, qw(process.tracer process.seccomp)], 'a container');
    my @all = ('cgroup', @stat, map { "process.$_" } qw(stack_kb memory_kb cpus tracer seccomp));
    is_deeply($unread->(host_tree('/x' => q{})), \@all, 'without /proc');
};

subtest 'versions of tools are found' => sub {
    my $tools = sub {
        my ($says, $path, @uname) = @_;
        my @asked;
        my $facts = UnixBench::Host::Software->new(
            files => files('/lib/ld-musl-x86_64.so.1' => q{}, '/etc/os-release' => $says->{os} // q{}),
            run   => sub { my ($command) = @_; push @asked, $command; return $says->{ join q{ }, @$command[0, 1] } },
            which => sub { $path->{ $_[0] } },
            uname => @uname ? \@uname : \@UNAME,
        )->tools;
        return { %$facts, asked => \@asked };
    };
    my $sh      = sub { my ($path, %says) = @_; $tools->(\%says, { '/bin/sh' => $path })->{sh} };
    my $busybox = 'BusyBox v1.36.1 (2023-07-27 17:12:24 UTC)';
    is($sh->('/bin/bash', 'sh -c' => "bash 5.2.15(1)-release\n"),  'bash 5.2.15(1)-release', 'the version of bash');
    is($sh->('/bin/mksh', 'sh -c' => "@(#)MIRBSD KSH R59 2020\n"), 'MIRBSD KSH R59 2020',    'the version of mksh');
    is($sh->('/bin/dash'),                                         'dash', 'dash does not tell its version');
    is($sh->('/bin/busybox', '/bin/busybox --help' => "$busybox multi-call binary.\n"), $busybox, 'that of busybox');
    is($sh->(undef), undef, 'without a shell, there is no version');

    my %toybox = (sort => '/bin/toybox', grep => '/bin/toybox');
    is($tools->({ '/bin/toybox --version' => "toybox 0.8.9\n" }, \%toybox)->{grep}, 'toybox 0.8.9', 'that of toybox');
    is($tools->({}, { sort => '/bin/sort' })->{sort}, 'sort', 'sort without a version');
    is($tools->({}, {})->{sort},                      undef,  'without sort, there is no version');

    my %release = (
        qq{NAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n} => 'Debian 12',
        qq{NAME='Arch Linux'\nPRETTY_NAME="Arch Linux"\n}         => 'Arch Linux',
        q{}                                                       => undef
    );
    is($tools->({ os => $_ }, {})->{distribution}, $release{$_}, 'distribution: ' . ($release{$_} // 'unknown'))
        for sort keys %release;
    my @libc = (
        ['ldd --version',            "ldd (GNU libc) 2.38\n"                                       => 'glibc 2.38'],
        ['getconf GNU_LIBC_VERSION', "glibc 2.31\n"                                                => 'glibc 2.31'],
        ['sh -c',                    "musl libc (x86_64)\nVersion 1.2.4\nDynamic Program Loader\n" => 'musl 1.2.4'],
    );
    is($tools->({ $_->[0] => $_->[1] }, {})->{libc}, $_->[2], "the version of $_->[2], by $_->[0]") for @libc;
    my @bsd = ('FreeBSD', 'a', '14.1-RELEASE', q{}, 'amd64');
    is($tools->({}, {}, @bsd)->{libc}, 'FreeBSD 14.1-RELEASE', 'the C library of BSD has the version of the system');
    my %all = map { $_ => "/bin/$_" } qw(sort grep), '/bin/sh';
    cmp_ok(scalar @{ $tools->({}, \%all)->{asked} }, '<=', 6, 'at most 6 commands are run without an answer');
};

my $line_of_pi = files('/proc/cmdline' => "fast x.macaddr=B8:27:EB:12:34:56 x.serial=0x2a y.serial=\"a b\" serial\n");
my $shown      = UnixBench::Host::Software->new(files => $line_of_pi, uname => \@UNAME)->kernel->{command_line};
is($shown, 'fast x.macaddr=... x.serial=... y.serial=... serial', 'no address, no serial number is recorded');

subtest 'the Git revision is found' => sub {
    my $revision = sub {
        my ($answer, %file) = @_;
        my $run   = sub { return "@{ $_[0] }" eq 'git --git-dir /s/.git rev-parse HEAD' ? $answer : undef };
        my $files = files(%file ? %file : ('/s/.git' => "gitdir: /t\n"));
        return
            scalar UnixBench::Host::Software->new(files => $files, run => $run, uname => \@UNAME)->git_revision('/s');
    };
    my ($hash, $other) = map { $_ x 40 } qw(a b);
    my @head = ('/s/.git/HEAD' => "ref: refs/heads/x\n");
    is($revision->($other, '/s/.git/HEAD' => "$hash\n"),                $hash, 'a commit that is checked out itself');
    is($revision->($other, @head, '/s/.git/refs/heads/x' => "$hash\n"), $hash, 'that of a branch');
    is($revision->($other, @head, '/s/.git/packed-refs' => "$other y\n$hash refs/heads/x\n"), $hash, 'in one file');
    is($revision->($other, @head),           $other, 'elsewhere: git is asked');
    is($revision->($other, '/s/Run' => 'x'), undef,  'no checkout: git is not asked');
    is($revision->("$_\n"),                  $_,     'the hash of a commit') for 'a' x 40, 'b' x 64;
    is($revision->($_), undef, 'no hash: ' . ($_ // 'git fails')) for undef, "HEAD\n", 'a' x 7 . "\n";
};

# Tests of facts from hostile files: reading them never dies, warns, prints or hangs, and the facts can be written as
# JSON.
use constant { SEED => 1995, ROUNDS => 12, LIMIT_S => 600 };

my @MACHINES = qw(x86-server arm-board power9 container-v1 container-v2 nested-v2 x86-vm);

# How a file is spoiled => function that takes its text and returns the spoiled text.
my %SPOILED = (
    'cut off'  => sub { substr $_[0], 0, rand length $_[0] },
    'binary'   => sub { join q{},     map { chr rand 256 } 0 .. rand 200 },
    'NULs'     => sub { $_[0] =~ s/[\s:]/\0/gr },
    'huge'     => sub { $_[0] =~ s/\d+/'9' x (1 + rand 40)/ger },
    'negative' => sub { $_[0] =~ s/(?<!\d)(?=\d)/-/gr },
    'empty'    => sub { q{} },
    'long'     => sub { "$_[0] " x 300 },
    'escapes'  => sub { $_[0] =~ s{/}{\\000/\\777\\012}gr },
    'markup'   => sub { $_[0] =~ s/([a-z]+)/<script>$1\e[31m\xff/gr },
);

sub files_of {
    my ($machine) = @_;
    my %text = recorded_files($machine);
    $text{$_} //= "0-3\n" for '/proc/self/mountinfo', '/sys/devices/system/cpu/online', '/proc/config.gz';
    return %text;
}

# Takes a function that spoils texts, and files (path => text). Reads facts from these files, most of them spoiled;
# returns a line for each thing that is wrong.
sub complaints {
    my ($spoil, %text) = @_;
    my $root = host_tree(map { $_ => rand() < 0.7 ? $spoil->($text{$_}) : $text{$_} } sort keys %text);
    my @wrong;
    local $SIG{__WARN__} = sub { push @wrong, "warns: $_[0]" };
    local $SIG{ALRM}     = sub { die "hangs\n" };
    alarm LIMIT_S;
    my @odd     = map { $spoil->("tool 1.2.3\n") } 1 .. 3;
    my $is_done = eval {
        my $facts = UnixBench::Host::Facts->new(
            root   => $root,
            home   => $root,
            tmpdir => '/no such/place',
            run    => sub { $odd[rand @odd] },
            uname  => [rand() < 0.8 ? 'Linux' : 'Other', map { $spoil->('#1 SMP PREEMPT_DYNAMIC 6.1') } 1 .. 4],
        )->facts;
        UnixBench::Base::JSON::encode($facts);
        my $result = { host => {}, facts => $facts };
        UnixBench::Host::FactList::groups($result);
        UnixBench::Host::FactList::distinctions($result);
        push @wrong, odd_numbers($facts);
        1;
    };
    alarm 0;
    push @wrong, "dies: $@" if !$is_done;
    return @wrong;
}

# Takes data; returns the place of each number that is negative or too large.
sub odd_numbers {
    my ($data, $place) = (@_, q{});
    return map { odd_numbers($data->{$_}, "$place.$_") } sort keys %$data if ref $data eq 'HASH';
    return map { odd_numbers($_,          "$place\[]") } @$data if ref $data;
    return if !defined $data || UnixBench::Base::JSON::encode($data) =~ /\A"/;
    return $data >= 0 && $data < 1e20 ? () : "$place is $data";
}

srand SEED;
my %text_of = map { $_ => { files_of($_) } } @MACHINES;
for my $how (sort keys %SPOILED) {
    my @wrong;
    for my $round (1 .. ROUNDS) {
        my $machine = $MACHINES[$round % @MACHINES];
        push @wrong, map { "$machine $_" } complaints($SPOILED{$how}, %{ $text_of{$machine} });
    }
    is(join("\n", @wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]), q{}, "files that are spoiled do no harm: $how");
}

done_testing;
