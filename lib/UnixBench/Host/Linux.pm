package UnixBench::Host::Linux;

# CPUs, memory, uptime and limits from /proc and /sys of Linux. If its file is missing, a fact is undef.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::Cgroup      ();
use UnixBench::Host::Cpuinfo     ();
use UnixBench::Host::KernelFiles ();

# The number of PIDs that are not used again after a wrap-around (RESERVED_PIDS in Linux' kernel/pid.c), and a mask of
# capabilities. CAP_SYS_ADMIN and CAP_SYS_RESOURCE each lift the limit of processes (capabilities(7)).
use constant {
    RESERVED_PIDS => 300,
    UNLIMITING    => 1 << 21 | 1 << 24,
};

# Takes files => UnixBench::Host::KernelFiles.
sub new {
    my ($class, @given) = @_;
    my $files = named(\@given, qw(files))->{files};
    return bless { files => $files, cgroup => UnixBench::Host::Cgroup->new(files => $files) }, $class;
}

# Returns all CPUs of the machine, see UnixBench::Host::Machine::facts, or undef.
sub cpus {
    my ($self) = @_;
    my $cpus = UnixBench::Host::Cpuinfo::cpus($self->_text('/proc/cpuinfo'));
    return @$cpus ? $cpus : undef;
}

# Returns a text that identifies the kind of CPU, see UnixBench::Host::Machine::cpu_kind, or undef.
sub cpu_kind {
    my ($self) = @_;
    return UnixBench::Host::Cpuinfo::kind($self->_text('/proc/cpuinfo')) || undef;
}

# Returns the machine's memory in KB, or undef.
sub memory_kb {
    my ($self)      = @_;
    my ($memory_kb) = $self->_text('/proc/meminfo') =~ /^MemTotal:\s+([1-9]\d{0,14}) kB$/m;
    return defined $memory_kb ? 0 + $memory_kb : undef;
}

# Returns the number of CPUs that are online, in this process's affinity mask and in its cpusets, or undef. If they
# have no CPU in common, returns the number of CPUs in the last one.
sub usable_cpus {
    my ($self) = @_;
    my @sets   = grep { @$_ } $self->_online, $self->_allowed, map { _list($_) } $self->{cgroup}->cpusets;
    return unless @sets;
    my %times;
    $times{$_}++ for map { @$_ } @sets;
    my $in_all = grep { $times{$_} == @sets } keys %times;
    return $in_all || scalar @{ $sets[-1] };
}

# Returns the CPU time that the tightest control group allows, as a number of CPUs, or undef.
sub quota { my ($self) = @_; return $self->{cgroup}->quota }

# Takes the time of day in seconds since 1970. Returns a line like that of the program uptime, or undef.
sub uptime {
    my ($self, $now_s) = @_;
    my ($up_s) = $self->_text('/proc/uptime') =~ /^(\d+)/ or return;
    my @load   = $self->_text('/proc/loadavg') =~ /^(\S+) (\S+) (\S+)/;
    my $time   = POSIX::strftime('%H:%M:%S', localtime $now_s);
    return "$time up " . _duration($up_s) . (@load ? ',  load average: ' . join(', ', @load) : '');
}

sub _duration {
    my ($seconds) = @_;
    my ($days, $hours, $minutes) = (int $seconds / 86_400, $seconds / 3600 % 24, $seconds / 60 % 60);
    my $text = $days ? sprintf('%d day%s, ', $days, $days == 1 ? '' : 's') : '';
    return $text . ($hours ? sprintf '%2d:%02d', $hours, $minutes : "$minutes min");
}

sub _online {
    my ($self) = @_;
    my $online = $self->_text('/sys/devices/system/cpu/online');
    return _list($online || join ',', map { $_->{id} } @{ $self->cpus || [] });
}

sub _allowed {
    my ($self) = @_;
    my ($list) = $self->_text('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\S+)/m;
    return _list($list);
}

sub _list { my ($text) = @_; return [UnixBench::Host::KernelFiles::ids_of($text // q{})] }

# Returns the limits, see UnixBench::Host::Machine::limits, or undef without /proc.
sub limits {
    my ($self) = @_;
    my $text = $self->{files}->text('/proc/self/limits');
    return if !defined $text;
    my ($files, $files_max) = $text =~ /^Max open files\s+(\S+)\s+(\S+)/m;
    return {
        open_files       => _number($files),
        open_files_max   => _number($files_max),
        descriptors      => scalar $self->{files}->names('/proc/self/fd'),
        cgroup_processes => scalar $self->{cgroup}->free_processes,
        kernel           => $self->_limits_of_kernel,
        memory_kb        => $self->_free_memory_kb,
        cgroup_memory_kb => scalar $self->{cgroup}->free_memory_kb,
        $self->_limits_of_user($text),
    };
}

# Returns (processes, processes_max, user_processes), see UnixBench::Host::Machine::limits, or nothing if the user has
# no such limit. Threads count as processes.
sub _limits_of_user {
    my ($self, $limits) = @_;
    my ($soft, $hard)   = map { _number($_) } $limits =~ /^Max processes\s+(\S+)\s+(\S+)/m;
    my $status = $self->_text('/proc/self/status');
    my ($user) = $status =~ /^Uid:\s+(\d+)/m;
    return if !defined $soft || !defined $user || $self->_is_unlimited($user, $status);
    return (processes => $soft, processes_max => $hard, user_processes => $self->_processes_of($user));
}

# Returns whether this process has no limit of processes: it belongs to root or has one of two capabilities. In a
# container with its own user namespace, root has the limit as well.
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
    for my $process (grep { /^\d+$/ } $self->{files}->names('/proc')) {
        my ($its_user, $threads) = $self->_text("/proc/$process/status") =~ /^Uid:\s+(\d+).*^Threads:\s+(\d{1,9})$/ms;
        $count += $threads if defined $threads && $its_user == $user;
    }
    return $count;
}

# Returns the limits of the whole system: { name => { limit, used } }.
sub _limits_of_kernel {
    my ($self)    = @_;
    my ($running) = $self->_text('/proc/loadavg') =~ m{^\S+ \S+ \S+ \d+/(\d{1,9})\b} or return {};
    my ($pids, $threads) = map { _number($self->{files}->text("/proc/sys/kernel/$_")) } qw(pid_max threads-max);
    return {
        'kernel.pid_max'     => { limit => $pids,    used => $running + RESERVED_PIDS },
        'kernel.threads-max' => { limit => $threads, used => $running },
    };
}

sub _free_memory_kb {
    my ($self)    = @_;
    my ($free_kb) = $self->_text('/proc/meminfo') =~ /^MemAvailable:\s+(\d+)/m;
    return $free_kb;
}

sub _number {
    my ($text) = @_;
    return defined $text && $text =~ /^(\d{1,19})\s*$/ ? 0 + $1 : undef;
}

sub _text {
    my ($self, $path) = @_;
    return $self->{files}->text($path) // '';
}

1;
