package UnixBench::Host::Hardware;

# Processors, caches and memory as Linux describes them in /proc and /sys, and the hypervisor and the container that
# this process runs in, from files that every user may read. Unknown values are undef. The names of hypervisors and
# containers are those of systemd-detect-virt(1), and also "kubernetes".

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

use constant {
    CPU  => '/sys/devices/system/cpu',
    NODE => '/sys/devices/system/node',
};

my %KB = (K => 1, M => 1024, G => 1024**2);

# Takes files => UnixBench::Host::KernelFiles.
sub new {
    my ($class, @given) = @_;
    my $self = bless named(\@given, qw(files)), $class;
    $self->{cpuinfo} = $self->{files}->text('/proc/cpuinfo');
    return $self;
}

# Takes CPUs as UnixBench::Host::Machine::facts returns them. Returns the facts about processors. If CPUs differ in a
# text, it holds all values with commas between them.
sub cpu {
    my ($self, $cpus) = @_;
    return {
        models    => _models($cpus),
        smt       => scalar $self->_smt,
        microcode => scalar $self->_microcode,
        turbo     => scalar $self->_turbo,
        caches    => scalar $self->_caches,
        $self->_scaling,
        $self->_topology,
    };
}

# Returns the facts about the memory.
sub memory {
    my ($self) = @_;
    my $text   = $self->{files}->content('/proc/meminfo');
    my %number = $text =~ /^(\w+):\s+(\d{1,15})(?: kB)?$/mg;
    my ($total_kb, $swap_kb, $count, $size_kb) =
        map { defined $number{$_} ? 0 + $number{$_} : undef } qw(MemTotal SwapTotal HugePages_Total Hugepagesize);
    return {
        total_kb   => $total_kb,
        swap_kb    => $swap_kb,
        huge_pages => {
            transparent => scalar $self->{files}->chosen('/sys/kernel/mm/transparent_hugepage/enabled'),
            count       => $count,
            size_kb     => $size_kb,
        },
    };
}

sub _models {
    my ($cpus) = @_;
    my (%count, @models);
    for my $model (map { $_->{model} } @$cpus) {
        push @models, $model if !$count{$model}++;
    }
    return [map { { model => $_, count => $count{$_} } } @models];
}

sub _smt {
    my ($self)  = @_;
    my $control = $self->{files}->line(CPU . '/smt/control');
    my $active  = $self->{files}->number(CPU . '/smt/active');
    return $control // (defined $active ? ($active ? 'on' : 'off') : undef);
}

# Returns the microcode of all CPUs, or undef. On most systems, only root may read the file in /sys.
sub _microcode {
    my ($self) = @_;
    my $text   = $self->{files}->content('/proc/cpuinfo');
    my %seen   = map { $_ => 1 } $text =~ /^microcode\s*: ([\w.-]+)\s*$/mg;
    return join ', ', sort keys %seen if %seen;
    return $self->{files}->line(CPU . '/cpu0/microcode/version');
}

sub _turbo {
    my ($self) = @_;
    my $off    = $self->{files}->number(CPU . '/intel_pstate/no_turbo');
    my $on     = defined $off ? !$off : $self->{files}->number(CPU . '/cpufreq/boost');
    return defined $on ? ($on ? 'on' : 'off') : undef;
}

# Returns frequency, governor and driver. They come from the directory of each policy or, in old kernels, of each CPU.
sub _scaling {
    my ($self)   = @_;
    my $files    = $self->{files};
    my @policies = $files->numbered(CPU . '/cpufreq', 'policy');
    my @scaled   = @policies ? @policies : map { "$_/cpufreq" } $files->numbered(CPU, 'cpu');
    my %mhz      = (
        min_mhz => scalar $self->_mhz(\&List::Util::min, map { "$_/cpuinfo_min_freq" } @scaled),
        max_mhz => scalar $self->_mhz(\&List::Util::max, map { "$_/cpuinfo_max_freq" } @scaled),
    );
    return (
        frequency => \%mhz,
        governor  => scalar $files->distinct(map { "$_/scaling_governor" } @scaled),
        driver    => scalar $files->distinct(map { "$_/scaling_driver" } @scaled),
    );
}

sub _mhz {
    my ($self, $extreme, @paths) = @_;
    my $khz = $extreme->(grep { $_ } map { scalar $self->{files}->number($_) } @paths);
    return defined $khz ? $khz / 1000 : undef;
}

sub _topology {
    my ($self) = @_;
    my %known  = $self->_topology_of_cpuinfo;
    my @online = map { CPU . "/cpu$_/topology" } $self->{files}->ids(CPU . '/online');
    my @nodes  = $self->{files}->numbered(NODE, 'node');
    return (
        sockets    => $self->_groups('core_siblings_list', @online)   || $known{sockets},
        cores      => $self->_groups('thread_siblings_list', @online) || $known{cores},
        threads    => scalar @online                                  || $known{threads},
        numa_nodes => scalar @nodes                                   || undef,
    );
}

# Takes the name of a file, and the directories of CPUs. Returns the number of different groups that these files list.
# These are the old names of the files: recent kernels have them, too.
sub _groups {
    my ($self, $name, @directories) = @_;
    my %groups = map { $_ => 1 } grep { defined } map { scalar $self->{files}->line("$_/$name") } @directories;
    return scalar keys %groups;
}

# Returns sockets, cores and threads from /proc/cpuinfo, which has them on x86.
sub _topology_of_cpuinfo {
    my ($self) = @_;
    my $text   = $self->{files}->content('/proc/cpuinfo');
    my @cpus   = grep { /^processor/m } split /\n\s*\n/, $text;
    my (%sockets, %cores);
    for my $cpu (@cpus) {
        my ($socket) = $cpu =~ /^physical id\s*: (\d+)$/m or next;
        my ($core)   = $cpu =~ /^core id\s*: (\d+)$/m     or next;
        $sockets{$socket} = $cores{"$socket $core"} = 1;
    }
    my ($sockets, $cores, $threads) = map { $_ || undef } scalar keys %sockets, scalar keys %cores, scalar @cpus;
    return (sockets => $sockets, cores => $cores, threads => $threads);
}

# Returns the caches of the CPUs that are online, [{ level, type, size_kb, count }, ...], in the order of level, type
# and size, or undef. A cache that several CPUs share counts once. The type is the kernel's word: "Data", "Instruction"
# or "Unified".
sub _caches {
    my ($self) = @_;
    my %sharers;
    for my $cpu ($self->{files}->numbered(CPU, 'cpu')) {
        for my $directory ($self->{files}->numbered("$cpu/cache", 'index')) {
            my ($kind, $cpus) = $self->_cache($directory) or next;
            $sharers{$kind}{ length $cpus ? $cpus : $cpu } = 1;
        }
    }
    my @caches = sort { _order($a, $b) } map { _counted($_, $sharers{$_}) } keys %sharers;
    return @caches ? \@caches : undef;
}

# Returns level, type and size of a cache in one text, and the CPUs that share it.
sub _cache {
    my ($self, $directory) = @_;
    my ($level, $type, $size, $cpus) =
        map { $self->{files}->line("$directory/$_") // q{} } qw(level type size shared_cpu_list);
    my $kind = "$level $type $size";
    return $kind =~ /\A[1-9] \w{1,40} \d{1,9}[KMG]\z/ ? ($kind, $cpus) : ();
}

sub _counted {
    my ($kind, $sharers) = @_;
    my ($level, $type, $size, $unit) = $kind =~ /\A(\d) (\w+) (\d+)(\w)\z/;
    return { level => 0 + $level, type => $type, size_kb => $size * $KB{$unit}, count => scalar keys %$sharers };
}

sub _order {
    my ($first, $second) = @_;
    return
           $first->{level} <=> $second->{level}
        || $first->{type} cmp $second->{type}
        || $second->{size_kb} <=> $first->{size_kb};
}

# Patterns for the firmware's tables, and the names that they show. @STRONG is checked early, because such machines may
# also show the signs of others. @CLOUDS is checked early, because clouds also rent bare machines. @WEAK is checked
# late.
my @STRONG =
    ([qr/innotek GmbH|VirtualBox/ => 'oracle'], [qr/^Parallels/m => 'parallels'], [qr/^Xen|^HVM domU/m => 'xen'],);
my @CLOUDS = ([qr/^Amazon EC2/m => 'amazon'], [qr/^Google Compute Engine/m => 'google']);
my @WEAK   = (
    [qr/^VM[Ww](?:are|\d)/m                                   => 'vmware'],
    [qr/^Microsoft Corporation\nVirtual Machine/m             => 'microsoft'],
    [qr/^Apple Virtualization/m                               => 'apple'],
    [qr/^BHYVE/m                                              => 'bhyve'],
    [qr/^(?:KVM|KubeVirt|OpenStack|RHEV|oVirt|DigitalOcean)/m => 'kvm'],
    [qr/^(?:Alibaba Cloud ECS|Hetzner|Nutanix)/m              => 'kvm'],
    [qr/^QEMU/m                                               => 'qemu'],
);

# Patterns for clock sources that exist only in guests.
my @CLOCKS = ([qr/\bkvm-clock\b/ => 'kvm'], [qr/\bhyperv_clocksource/ => 'microsoft'], [qr/\bxen\b/ => 'xen']);

# Patterns for the node "hypervisor" of a device tree, and for its root.
my @IN_TREE   = ([qr/linux,kvm/ => 'kvm'],  [qr/xen/ => 'xen'], [qr/vmware/ => 'vmware']);
my @ROOT_TREE = ([qr/^qemu,/    => 'qemu'], [qr/^linux,dummy-virt\b/ => 'vm-other']);

# The checks for a hypervisor, in this order. The first one that returns a name decides.
my @OF_HYPERVISOR =
    (\&_firmware_of_some, \&_xen, \&_is_wsl2, \&_clock, \&_firmware, \&_kernel, \&_tree, \&_mainframe, \&_flag);

# Files that contain the name of the container manager.
my @NAME_FILES = qw(/run/host/container-manager /run/systemd/container);

# Files that exist only in containers of these managers.
my @SIGNS = (['/run/.containerenv' => 'podman'], ['/.dockerenv' => 'docker']);

# Patterns for the control groups of containers.
my @GROUPS = (
    [qr{/docker[/-]} => 'docker'],
    [qr{libpod-}     => 'podman'],
    [qr{/kubepods}   => 'kubernetes'],
    [qr{/lxc[./]}    => 'lxc'],
);

# The checks for a container, in this order.
my @OF_CONTAINER = (\&_subsystem, \&_given, \&_in_environment, \&_sign, \&_group);

# Returns the name of the hypervisor, "vm-other" for an unknown one, "none" on a bare machine, or undef without /proc.
sub hypervisor { my ($self) = @_; return $self->_first(@OF_HYPERVISOR) }

# Returns the name of the container, "container-other" for an unknown one, "none" outside of containers, or undef
# without /proc.
sub container { my ($self) = @_; return $self->_first(@OF_CONTAINER) }

sub _first {
    my ($self, @checks) = @_;
    return if !defined $self->{cpuinfo};
    for my $check (@checks) {
        my $name = $check->($self);
        return $name if defined $name;
    }
    return 'none';
}

sub _firmware_of_some {
    my ($self) = @_;
    my $says   = $self->_firmware_text;
    my $name   = _name_in($says, @STRONG);
    return $name if defined $name;
    my $cloud = _name_in($says, @CLOUDS);
    return defined $cloud && $self->_is_metal($says) ? 'none' : $cloud;
}

sub _firmware { my ($self) = @_; return _name_in($self->_firmware_text, @WEAK) }

sub _firmware_text {
    my ($self) = @_;
    my @lines = map { scalar $self->{files}->line("/sys/class/dmi/id/$_") }
        qw(sys_vendor product_name product_version board_vendor bios_vendor);
    return join "\n", grep { defined } @lines;
}

sub _is_metal {
    my ($self, $firmware) = @_;
    return $self->{cpuinfo} =~ /^flags\s*:/m ? !$self->_has_flag : $firmware =~ /[.]metal\b|-metal$/m;
}

# Checks for Xen. The first machine, which controls the other ones, counts as a bare one.
sub _xen {
    my ($self) = @_;
    return 'none' if $self->{files}->content('/proc/xen/capabilities') =~ /\bcontrol_d\b/;
    return ($self->{files}->line('/sys/hypervisor/type') // q{}) eq 'xen' ? 'xen' : undef;
}

# Checks for version 2 of Windows' subsystem for Linux.
sub _is_wsl2 {
    my ($self) = @_;
    my $release = $self->_release;
    return $self->_has_flag && $release =~ /microsoft-standard|WSL2/ ? 'microsoft' : undef;
}

sub _clock {
    my ($self) = @_;
    my $clocks = $self->{files}->line('/sys/devices/system/clocksource/clocksource0/available_clocksource');
    return _name_in($clocks // q{}, @CLOCKS);
}

sub _kernel { my ($self) = @_; return defined $self->{files}->line('/sys/hypervisor/type') ? 'vm-other' : undef }

sub _tree {
    my ($self) = @_;
    my $above = $self->{files}->text('/proc/device-tree/hypervisor/compatible');
    return _name_in($above, @IN_TREE) // 'vm-other' if defined $above;
    my %has = map { s/\@.*//sr => 1 } $self->{files}->names('/proc/device-tree');
    return 'qemu' if $has{'fw-cfg'};
    return 'powervm' if $has{'ibm,partition-name'} && $has{'hmc-managed?'};
    return _name_in($self->{files}->content('/proc/device-tree/compatible'), @ROOT_TREE);
}

# Checks an IBM mainframe for the program that controls this machine as its guest.
sub _mainframe {
    my ($self)    = @_;
    my ($program) = $self->{files}->content('/proc/sysinfo') =~ m{^VM00 Control Program:\s*(\S.*?)\s*$}m
        or return;
    return $program =~ m{z/VM} ? 'zvm' : $program =~ /KVM/ ? 'kvm' : 'vm-other';
}

sub _flag { my ($self) = @_; return $self->_has_flag ? 'vm-other' : undef }

sub _has_flag { my ($self) = @_; return $self->{cpuinfo} =~ /^flags\s*:.*\shypervisor(?:\s|$)/m }

# Takes a text, and a list of [pattern, name]. Returns the name of the first pattern that matches, or undef.
sub _name_in {
    my ($text, @table) = @_;
    my $row = List::Util::first { $text =~ $_->[0] } @table;
    return $row && $row->[1];
}

sub _subsystem {
    my ($self) = @_;
    my $release = $self->_release;
    return $release =~ /Microsoft|microsoft-standard|WSL/ ? 'wsl' : undef;
}

sub _given {
    my ($self) = @_;
    my $name = List::Util::first { defined } map { scalar $self->{files}->line($_) } @NAME_FILES;
    return _container_name($name);
}

# Checks the environment of process 1, which only root may read.
sub _in_environment {
    my ($self) = @_;
    my ($name) = $self->{files}->content('/proc/1/environ') =~ /(?:\A|\0)container=([^\0]+)/;
    return _container_name($name);
}

sub _sign {
    my ($self) = @_;
    my $sign = List::Util::first { defined $self->{files}->text($_->[0]) } @SIGNS;
    return $sign->[1] if $sign;
    return $self->{files}->names('/run/secrets/kubernetes.io') ? 'kubernetes' : undef;
}

sub _group {
    my ($self) = @_;
    my $text   = $self->{files}->content('/proc/1/cgroup');
    my $row    = List::Util::first { $text =~ $_->[0] } @GROUPS;
    return $row && $row->[1];
}

sub _container_name {
    my ($name) = @_;
    return if !defined $name;
    return $name =~ /\A([a-z][a-z0-9-]{1,30})\z/ ? $1 : 'container-other';
}

sub _release {
    my ($self) = @_;
    return $self->{files}->line('/proc/sys/kernel/osrelease') // q{};
}

1;
