package UnixBench::Host::Linux;

# What Linux tells in /proc and /sys. Each fact is undef where its file is not there.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Host::Cgroup;
use UnixBench::Host::Cpuinfo;

# Makes one. root: what stands before /proc and /sys.
sub new {
    my ($class, %given) = @_;
    my $self = bless { root => $given{root} // '' }, $class;
    $self->{root} =~ s{/+$}{};
    my $root = $self->{root};
    $self->{cgroup} = UnixBench::Host::Cgroup->new(read => sub { _read($root, @_) });
    return $self;
}

# Returns all CPUs of the machine: [{ id, model, bogomips, flags, features }, ...], see Host::facts.
sub cpus {
    my ($self) = @_;
    my $cpus = UnixBench::Host::Cpuinfo::cpus($self->_text('/proc/cpuinfo'));
    return @$cpus ? $cpus : undef;
}

# Returns a text for the kind of CPU, see Host::cpu_kind.
sub cpu_kind {
    my ($self) = @_;
    return UnixBench::Host::Cpuinfo::kind($self->_text('/proc/cpuinfo')) || undef;
}

# Returns the number of CPUs that are online, in this process's affinity mask and in its cpuset.
sub usable_cpus {
    my ($self) = @_;
    my @sets   = grep { @$_ } $self->_online, $self->_allowed, $self->_cpusets;
    return unless @sets;
    my %times;
    $times{$_}++ for map { @$_ } @sets;
    my $in_all = grep { $times{$_} == @sets } keys %times;
    return $in_all || scalar @{ $sets[-1] };
}

# Returns the CPUs' worth of time that the tightest control group allows, or undef.
sub quota {
    my ($self) = @_;
    my @pairs = (
        $self->{cgroup}->values_v1('cpu', 'cpu.cfs_quota_us', 'cpu.cfs_period_us'),
        map { [split ' ', $_->[0]] } $self->{cgroup}->values_v2('cpu.max'),
    );
    my @limited = grep { _is_limit($_->[0]) && _is_limit($_->[1]) } @pairs;
    return List::Util::min(map { $_->[0] / $_->[1] } @limited);
}

# Returns { open_files, open_files_max, processes, cgroup_processes, memory_kb }, see Host::limits.
sub limits {
    my ($self) = @_;
    my $limits = $self->_text('/proc/self/limits');
    my ($files, $files_max) = $limits =~ /^Max open files\s+(\S+)\s+(\S+)/m;
    my ($processes) = $limits =~ /^Max processes\s+(\S+)/m;
    return {
        open_files       => _number($files),
        open_files_max   => _number($files_max),
        processes        => _number($processes),
        cgroup_processes => $self->_cgroup_processes,
        memory_kb        => $self->_memory_kb,
    };
}

# Takes the time of day in seconds since 1970; returns a line like that of the program uptime, or undef.
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

# The CPUs of each control group from this process's own upwards.
sub _cpusets {
    my ($self) = @_;
    my @groups = (
        $self->{cgroup}->values_v1('cpuset', 'cpuset.effective_cpus', 'cpuset.cpus'),
        $self->{cgroup}->values_v2('cpuset.cpus.effective'),
    );
    return map {
        _list(List::Util::first { defined && /\d/ } @$_)
    } @groups;
}

# How many more processes the control groups allow.
sub _cgroup_processes {
    my ($self) = @_;
    my @names  = ('pids.max', 'pids.current');
    my @pairs  = ($self->{cgroup}->values_v1('pids', @names), $self->{cgroup}->values_v2(@names));
    return List::Util::min(map { $_->[0] - ($_->[1] || 0) } grep { _is_limit($_->[0]) } @pairs);
}

# What is free, but not more than the control groups allow in all.
sub _memory_kb {
    my ($self)    = @_;
    my ($free_kb) = $self->_text('/proc/meminfo') =~ /^MemAvailable:\s+(\d+)/m;
    my @limits    = grep { _is_limit($_->[0]) } $self->{cgroup}->values_v1('memory', 'memory.limit_in_bytes'),
        $self->{cgroup}->values_v2('memory.max');
    return List::Util::min(grep { defined } $free_kb, map { int $_->[0] / 1024 } @limits);
}

sub _is_limit {
    my ($text) = @_;
    return defined $text && $text =~ /^[1-9][0-9]*\s*$/;
}

sub _number {
    my ($text) = @_;
    return _is_limit($text) ? 0 + $text : undef;
}

# "0-2,5" becomes [0, 1, 2, 5].
sub _list {
    my ($text) = @_;
    return [map { /^(\d+)-(\d+)$/ ? ($1 .. $2) : /^(\d+)$/ ? $1 : () } split /[,\s]+/, $text // ''];
}

sub _text {
    my ($self, $path) = @_;
    return _read($self->{root}, $path) // '';
}

# The text of a file, or undef.
sub _read {
    my ($root, $path) = @_;
    open my $file, '<', "$root$path" or return;
    local $/ = undef;
    my $text = <$file>;
    close $file;
    return $text;
}

1;
