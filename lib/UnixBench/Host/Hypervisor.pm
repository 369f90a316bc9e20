package UnixBench::Host::Hypervisor;

# What Linux runs on, when that is no bare machine: from what every user may read, and so without asking the
# processor. The names are those of systemd-detect-virt(1), and "firecracker".

use strict;
use warnings;

use List::Util ();

# What the tables of the firmware say, [pattern, name]. Hosts of the first ones may hide behind other signs; those of
# a cloud are also rented as bare machines.
my @STRONG =
    ([qr/innotek GmbH|VirtualBox/ => 'oracle'], [qr/^Parallels/m => 'parallels'], [qr/^Xen|^HVM domU/m => 'xen'],);
my @CLOUDS = ([qr/^Amazon EC2/m => 'amazon'], [qr/^Google Compute Engine/m => 'google']);
my @WEAK   = (
    [qr/^VM[Ww](?:are|\d)/m                                   => 'vmware'],
    [qr/^Microsoft Corporation\nVirtual Machine/m             => 'microsoft'],
    [qr/^Apple Virtualization/m                               => 'apple'],
    [qr/^BHYVE/m                                              => 'bhyve'],
    [qr/^Bochs/m                                              => 'bochs'],
    [qr/^(?:KVM|KubeVirt|OpenStack|RHEV|oVirt|DigitalOcean)/m => 'kvm'],
    [qr/^(?:Alibaba Cloud ECS|Hetzner|Nutanix)/m              => 'kvm'],
    [qr/^QEMU/m                                               => 'qemu'],
);

# Clocks that only these have.
my @CLOCKS = ([qr/\bkvm-clock\b/ => 'kvm'], [qr/\bhyperv_clocksource/ => 'microsoft'], [qr/\bxen\b/ => 'xen']);

# What the node hypervisor of a device tree is compatible with, and what its root is.
my @IN_TREE   = ([qr/linux,kvm/ => 'kvm'],  [qr/xen/                 => 'xen'],      [qr/vmware/ => 'vmware']);
my @ROOT_TREE = ([qr/^qemu,/    => 'qemu'], [qr/^linux,dummy-virt\b/ => 'vm-other'], [qr/^qnx,/  => 'qnx']);

# Who is asked, in this order; the first answer counts.
my @WITNESSES = (
    \&_device,   \&_firmware_of_some, \&_user_mode, \&_xen,       \&_subsystem, \&_clock,
    \&_firmware, \&_kernel,           \&_tree,      \&_mainframe, \&_flag
);

# Makes one. files: a Host::Values.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Returns its name, "vm-other" where it has none that is known, "none" on a bare machine, or undef where Linux' files
# are not there.
sub name {
    my ($self) = @_;
    $self->{cpuinfo} = $self->{files}->text('/proc/cpuinfo');
    return if !defined $self->{cpuinfo};
    for my $witness (@WITNESSES) {
        my $name = $witness->($self);
        return $name if defined $name;
    }
    return 'none';
}

# Firecracker's device that counts how often a machine was continued from a copy.
sub _device {
    my ($self) = @_;
    return ((grep { /\AFCVMGID/ } $self->{files}->names('/sys/bus/acpi/devices')) ? 'firecracker' : undef);
}

sub _firmware_of_some {
    my ($self) = @_;
    my $says   = $self->_firmware_text;
    my $name   = _told($says, @STRONG);
    return $name if defined $name;
    my $cloud = _told($says, @CLOUDS);
    return defined $cloud && $self->_is_metal($says) ? 'none' : $cloud;
}

sub _firmware { my ($self) = @_; return _told($self->_firmware_text, @WEAK) }

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

sub _user_mode { my ($self) = @_; return $self->{cpuinfo} =~ /^vendor_id\s*: User Mode Linux/m ? 'uml' : undef }

# The first machine under Xen, which drives the others, is as good as a bare one.
sub _xen {
    my ($self) = @_;
    return 'none' if ($self->{files}->text('/proc/xen/capabilities') // q{}) =~ /\bcontrol_d\b/;
    return ($self->{files}->line('/sys/hypervisor/type') // q{}) eq 'xen' ? 'xen' : undef;
}

# Windows' subsystem for Linux, in its second version.
sub _subsystem {
    my ($self) = @_;
    my $release = $self->{files}->line('/proc/sys/kernel/osrelease') // q{};
    return $self->_has_flag && $release =~ /microsoft-standard|WSL2/ ? 'microsoft' : undef;
}

sub _clock {
    my ($self) = @_;
    my $clocks = $self->{files}->line('/sys/devices/system/clocksource/clocksource0/available_clocksource');
    return _told($clocks // q{}, @CLOCKS);
}

sub _kernel { my ($self) = @_; return defined $self->{files}->line('/sys/hypervisor/type') ? 'vm-other' : undef }

sub _tree {
    my ($self) = @_;
    my $above = $self->{files}->text('/proc/device-tree/hypervisor/compatible');
    return _told($above, @IN_TREE) // 'vm-other' if defined $above;
    my %has = map { s/\@.*//sr => 1 } $self->{files}->names('/proc/device-tree');
    return 'qemu' if $has{'fw-cfg'};
    return 'powervm' if $has{'ibm,partition-name'} && $has{'hmc-managed?'};
    return _told($self->{files}->text('/proc/device-tree/compatible') // q{}, @ROOT_TREE);
}

# IBM's: what controls the machine that this one is a guest of.
sub _mainframe {
    my ($self)    = @_;
    my ($program) = ($self->{files}->text('/proc/sysinfo') // q{}) =~ m{^VM00 Control Program:\s*(\S.*?)\s*$}m
        or return;
    return $program =~ m{z/VM} ? 'zvm' : $program =~ /KVM/ ? 'kvm' : 'vm-other';
}

sub _flag { my ($self) = @_; return $self->_has_flag ? 'vm-other' : undef }

sub _has_flag { my ($self) = @_; return $self->{cpuinfo} =~ /^flags\s*:.*\shypervisor(?:\s|$)/m }

# The name beside the first pattern that is found, or undef.
sub _told {
    my ($text, @table) = @_;
    my $row = List::Util::first { $text =~ $_->[0] } @table;
    return $row && $row->[1];
}

1;
