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

# Takes CPUs as UnixBench::Host::Machine::head returns them. Returns the facts about processors. If CPUs differ in a
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
    my ($self)  = @_;
    my @online  = map { CPU . "/cpu$_/topology" } $self->{files}->ids(CPU . '/online');
    my %nodes   = map { $_ => 1 } map { $self->{files}->ids(NODE . "/has_$_") } qw(cpu memory);
    my $nodes   = keys %nodes || $self->{files}->numbered(NODE, 'node');
    my $threads = @online     || (() = ($self->{cpuinfo} // q{}) =~ /^processor/mg);
    return (
        sockets    => scalar $self->_groups('core_siblings_list',   @online),
        cores      => scalar $self->_groups('thread_siblings_list', @online),
        threads    => $threads || undef,
        numa_nodes => $nodes   || undef,
    );
}

# Takes the name of a file, and the directories of CPUs. Returns the number of different groups that these files list,
# or undef. These are the old names of the files: recent kernels have them, too.
sub _groups {
    my ($self, $name, @directories) = @_;
    return scalar(my @groups = $self->{files}->distinct_lines(map { "$_/$name" } @directories)) || undef;
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
    my @caches =
        sort { $a->{level} <=> $b->{level} || $a->{type} cmp $b->{type} || $b->{size_kb} <=> $a->{size_kb} }
        map { _counted($_, $sharers{$_}) } keys %sharers;
    return @caches ? \@caches : undef;
}

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

# The sign of a hypervisor or a container: its place, a pattern for the text there, and the name that the pattern shows,
# which is its capture if there is none. The place is a file, a directory, whose names are the text, or a function. The
# signs are in the order in which they are checked, because some machines also show the signs of others. The first
# machine of Xen, which controls the others, counts as a bare one; clouds also rent bare machines.
my $CLOCKS  = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
my $TREE    = '/proc/device-tree';
my $NAME    = qr/[a-z][a-z0-9-]{1,30}/;
my $PROGRAM = qr/^VM00 Control Program:\s*/m;

#<<< tables
my @OF_HYPERVISORS = (
    [\&_firmware,  qr/innotek GmbH|VirtualBox/                               => 'oracle'],
    [\&_firmware,  qr/^Parallels/m                                           => 'parallels'],
    [\&_firmware,  qr/^Xen|^HVM domU/m                                       => 'xen'],
    [\&_bare_firmware, qr/^Amazon EC2|^Google Compute Engine/m               => 'none'],
    [\&_firmware,  qr/^Amazon EC2/m                                          => 'amazon'],
    [\&_firmware,  qr/^Google Compute Engine/m                               => 'google'],
    ['/proc/xen/capabilities', qr/\bcontrol_d\b/                             => 'none'],
    ['/sys/hypervisor/type',   qr/\Axen$/m                                   => 'xen'],
    [\&_guest_release, qr/microsoft-standard|WSL2/                           => 'microsoft'],
    [$CLOCKS,      qr/\bkvm-clock\b/                                         => 'kvm'],
    [$CLOCKS,      qr/\bhyperv_clocksource/                                  => 'microsoft'],
    [$CLOCKS,      qr/\bxen\b/                                               => 'xen'],
    [\&_firmware,  qr/^VM[Ww](?:are|\d)/m                                    => 'vmware'],
    [\&_firmware,  qr/^Microsoft Corporation\nVirtual Machine/m              => 'microsoft'],
    [\&_firmware,  qr/^Apple Virtualization/m                                => 'apple'],
    [\&_firmware,  qr/^BHYVE/m                                               => 'bhyve'],
    [\&_firmware,  qr/^(?:KVM|KubeVirt|OpenStack|RHEV|oVirt|DigitalOcean)/m  => 'kvm'],
    [\&_firmware,  qr/^(?:Alibaba Cloud ECS|Hetzner|Nutanix)/m               => 'kvm'],
    [\&_firmware,  qr/^QEMU/m                                                => 'qemu'],
    ['/sys/hypervisor/type', qr/[^\s\0]/                                     => 'vm-other'],
    ["$TREE/hypervisor/compatible", qr/linux,kvm/                            => 'kvm'],
    ["$TREE/hypervisor/compatible", qr/xen/                                  => 'xen'],
    ["$TREE/hypervisor/compatible", qr/vmware/                               => 'vmware'],
    ["$TREE/hypervisor/compatible", qr/\A/                                   => 'vm-other'],
    ["$TREE/",     qr/^fw-cfg$/m                                             => 'qemu'],
    ["$TREE/",     qr/^hmc-managed[?]\n(?s:.*\n)?ibm,partition-name$/m             => 'powervm'],
    ["$TREE/compatible", qr/^qemu,/                                          => 'qemu'],
    ["$TREE/compatible", qr/^linux,dummy-virt\b/                             => 'vm-other'],
    ['/proc/sysinfo', qr{$PROGRAM.*z/VM}                                     => 'zvm'],
    ['/proc/sysinfo', qr/$PROGRAM.*KVM/                                      => 'kvm'],
    ['/proc/sysinfo', qr/$PROGRAM\S/                                         => 'vm-other'],
    [\&_guest_release, qr/\A/                                                => 'vm-other'],
);
my @OF_CONTAINERS = (
    ['/proc/sys/kernel/osrelease', qr/Microsoft|microsoft-standard|WSL/      => 'wsl'],
    (
        map { ([$_,  qr/\A[\s\0]*($NAME)[\s\0]*(?:\n|\z)/], [$_, qr/[^\s\0]/ => 'container-other']) }
            qw(/run/host/container-manager /run/systemd/container)
    ),
    ['/proc/1/environ', qr/(?:\A|\0)container=($NAME)(?:\0|\z)/],
    ['/proc/1/environ', qr/(?:\A|\0)container=[^\0]/                         => 'container-other'],
    ['/run/.containerenv', qr/\A/                                            => 'podman'],
    ['/.dockerenv', qr/\A/                                                   => 'docker'],
    ['/run/secrets/kubernetes.io/', qr/\A/                                   => 'kubernetes'],
    ['/proc/1/cgroup', qr{/docker[/-]}                                       => 'docker'],
    ['/proc/1/cgroup', qr{libpod-}                                           => 'podman'],
    ['/proc/1/cgroup', qr{/kubepods}                                         => 'kubernetes'],
    ['/proc/1/cgroup', qr{/lxc[./]}                                          => 'lxc'],
);
#>>>

# Returns the name of the hypervisor, "vm-other" for an unknown one, "none" on a bare machine, or undef without /proc.
sub hypervisor { my ($self) = @_; return $self->_first_of(@OF_HYPERVISORS) }

# Returns the name of the container, "container-other" for an unknown one, "none" outside of containers, or undef
# without /proc.
sub container { my ($self) = @_; return $self->_first_of(@OF_CONTAINERS) }

# Returns the model of the board, as the device tree names it, or undef: virtual machines have a device tree, too.
sub board {
    my ($self) = @_;
    my $model = $self->{files}->line("$TREE/model") // return;
    return if $model =~ /dummy-virt|qemu|virtio/i || ($self->hypervisor // q{}) ne 'none';
    return $model;
}

sub _first_of {
    my ($self, @signs) = @_;
    return if !defined $self->{cpuinfo};
    for my $sign (@signs) {
        my ($place, $pattern, $name) = @$sign;
        my $text = ref $place ? $self->$place : $self->_text($place);
        return $name // $1 if defined $text && $text =~ $pattern;
    }
    return 'none';
}

sub _text {
    my ($self, $path) = @_;
    return scalar $self->{files}->text($path) if $path !~ s{/\z}{};
    my @names = sort map { s/\@.*//sr } $self->{files}->names($path);
    return @names ? join "\n", @names : undef;
}

sub _firmware {
    my ($self) = @_;
    my @lines = map { scalar $self->{files}->line("/sys/class/dmi/id/$_") }
        qw(sys_vendor product_name product_version board_vendor bios_vendor);
    return join "\n", grep { defined } @lines;
}

sub _bare_firmware {
    my ($self)   = @_;
    my $firmware = $self->_firmware;
    my $is_bare  = $self->{cpuinfo} =~ /^flags\s*:/m ? !$self->_has_flag : $firmware =~ /[.]metal\b|-metal$/m;
    return $is_bare ? $firmware : undef;
}

# Returns the release of the kernel if the CPUs say that they are those of a guest, else undef.
sub _guest_release {
    my ($self) = @_;
    return $self->_has_flag ? $self->{files}->content('/proc/sys/kernel/osrelease') : undef;
}

sub _has_flag { my ($self) = @_; return $self->{cpuinfo} =~ /^flags\s*:.*\shypervisor(?:\s|$)/m }

1;
