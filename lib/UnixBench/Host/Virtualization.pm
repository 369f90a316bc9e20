package UnixBench::Host::Virtualization;

# The hypervisor and the container that this process runs in, from files of Linux that every user may read. The names
# are those of systemd-detect-virt(1), and also "kubernetes".

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

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

# Takes files => UnixBench::Host::KernelFiles.
sub new {
    my ($class, @given) = @_;
    my $self = bless named(\@given, qw(files)), $class;
    $self->{cpuinfo} = $self->{files}->text('/proc/cpuinfo');
    return $self;
}

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
