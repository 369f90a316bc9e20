package UnixBench::Host::Limits;

# What Linux lets this process have of open files, processes and memory.

use strict;
use warnings;

use List::Util ();

use UnixBench::Host::Cgroup;

# Numbers that no process gets any more once all have been used (RESERVED_PIDS in Linux' kernel/pid.c); CAP_SYS_ADMIN
# and CAP_SYS_RESOURCE, with which there is no limit of processes (capabilities(7)).
use constant {
    RESERVED_PIDS => 300,
    UNLIMITING    => 1 << 21 | 1 << 24,
};

# Makes one. root: a Host::Root.
sub new {
    my ($class, %given) = @_;
    my $root = $given{root};
    return bless { root => $root, cgroup => UnixBench::Host::Cgroup->new(read => sub { $root->text(@_) }) }, $class;
}

# Returns what Host::limits describes, or undef where there is no /proc.
sub limits {
    my ($self) = @_;
    my $text = $self->{root}->text('/proc/self/limits');
    return if !defined $text;
    my ($files, $files_max) = $text =~ /^Max open files\s+(\S+)\s+(\S+)/m;
    return {
        open_files       => _number($files),
        open_files_max   => _number($files_max),
        descriptors      => scalar $self->{root}->names('/proc/self/fd'),
        cgroup_processes => $self->_cgroup_processes,
        kernel           => $self->_kernel,
        memory_kb        => $self->_memory_kb,
        cgroup_memory_kb => $self->_cgroup_memory_kb,
        $self->_of_user($text),
    };
}

# Takes a device's number, as stat has it; returns whether its files are in memory (mountinfo in proc(5), makedev in
# glibc's sys/sysmacros.h).
sub is_in_memory {
    my ($self,  $device) = @_;
    my ($major, $minor)  = ($device >> 8 & 0xfff, $device & 0xff | $device >> 12 & 0xfff_ff00);
    return $self->_text('/proc/self/mountinfo') =~ /^\d+ \d+ $major:$minor .* - (?:tmpfs|ramfs) /m ? 1 : 0;
}

# The limit of a user's processes, their threads counted like processes.
sub _of_user {
    my ($self, $limits) = @_;
    my ($soft, $hard)   = map { _number($_) } $limits =~ /^Max processes\s+(\S+)\s+(\S+)/m;
    my $status = $self->_text('/proc/self/status');
    my ($user) = $status =~ /^Uid:\s+(\d+)/m;
    return if !defined $soft || !defined $user || $self->_is_unlimited($user, $status);
    return (processes => $soft, processes_max => $hard, user_processes => $self->_processes_of($user));
}

# The first user has no limit, nor who has one of two capabilities; a container's root may be neither.
sub _is_unlimited {
    my ($self, $user, $status) = @_;
    my ($outside) = $self->_text('/proc/self/uid_map') =~ /^\s*0\s+(\d+\s+\d+)/;
    return 0 if defined $outside && $outside !~ /^0\s+4294967295$/;
    my ($capabilities) = $status =~ /^CapEff:\s+[0-9a-f]*([0-9a-f]{8})$/m;
    return $user == 0 || hex($capabilities // 0) & UNLIMITING;
}

sub _processes_of {
    my ($self, $user) = @_;
    my $count = 0;
    for my $process (grep { /^\d+$/ } $self->{root}->names('/proc')) {
        my ($its_user, $threads) = $self->_text("/proc/$process/status") =~ /^Uid:\s+(\d+).*^Threads:\s+(\d{1,9})$/ms;
        $count += $threads if defined $threads && $its_user == $user;
    }
    return $count;
}

# The limits of the whole system: { name => { limit, used } }.
sub _kernel {
    my ($self)    = @_;
    my ($running) = $self->_text('/proc/loadavg') =~ m{^\S+ \S+ \S+ \d+/(\d{1,9})\b} or return {};
    my ($pids, $threads) = map { _number($self->{root}->text("/proc/sys/kernel/$_")) } qw(pid_max threads-max);
    return {
        'kernel.pid_max'     => { limit => $pids,    used => $running + RESERVED_PIDS },
        'kernel.threads-max' => { limit => $threads, used => $running },
    };
}

# How many more processes the control groups allow.
sub _cgroup_processes {
    my ($self) = @_;
    my @names  = ('pids.max', 'pids.current');
    my @groups = ($self->{cgroup}->values_v1('pids', @names), $self->{cgroup}->values_v2(@names));
    return List::Util::min(map { $_->[0] - (_number($_->[1]) // 0) } grep { defined _number($_->[0]) } @groups);
}

sub _memory_kb {
    my ($self)    = @_;
    my ($free_kb) = $self->_text('/proc/meminfo') =~ /^MemAvailable:\s+(\d+)/m;
    return $free_kb;
}

# How much more memory the control groups allow: what was read from files long ago can be had back.
sub _cgroup_memory_kb {
    my ($self) = @_;
    my @groups = (
        $self->{cgroup}->values_v1('memory', qw(memory.limit_in_bytes memory.usage_in_bytes memory.stat)),
        $self->{cgroup}->values_v2(qw(memory.max memory.current memory.stat)),
    );
    return List::Util::min(map { _free_kb(@$_) } grep { defined _number($_->[0]) } @groups);
}

sub _free_kb {
    my ($limit, $used, $details) = @_;
    my %detail = ($details // '') =~ /^(\w+) (\d{1,19})$/mg;
    my $cache  = $detail{total_inactive_file} // $detail{inactive_file} // 0;
    return List::Util::max(0, int(($limit - (_number($used) // 0) + $cache) / 1024));
}

sub _number {
    my ($text) = @_;
    return defined $text && $text =~ /^(\d{1,19})\s*$/ ? 0 + $1 : undef;
}

sub _text {
    my ($self, $path) = @_;
    return $self->{root}->text($path) // '';
}

1;
