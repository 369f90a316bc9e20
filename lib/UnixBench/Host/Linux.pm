package UnixBench::Host::Linux;

# What Linux tells in /proc and /sys. Each fact is undef where its file is not there.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Host::Cgroup;
use UnixBench::Host::Cpuinfo;

# Makes one. root: a Host::Root.
sub new {
    my ($class, %given) = @_;
    my $root = $given{root};
    return bless { root => $root, cgroup => UnixBench::Host::Cgroup->new(read => sub { $root->text(@_) }) }, $class;
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

# Returns the machine's memory in KB, or undef.
sub memory_kb {
    my ($self)      = @_;
    my ($memory_kb) = $self->_text('/proc/meminfo') =~ /^MemTotal:\s+([1-9]\d{0,14}) kB$/m;
    return defined $memory_kb ? 0 + $memory_kb : undef;
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

sub _is_limit {
    my ($text) = @_;
    return defined $text && $text =~ /^[1-9][0-9]{0,17}\s*$/;
}

# "0-2,5" becomes [0, 1, 2, 5].
sub _list {
    my ($text) = @_;
    return [map { /^(\d{1,5})-(\d{1,5})$/ ? ($1 .. $2) : /^(\d+)$/ ? $1 : () } split /[,\s]+/, $text // ''];
}

sub _text {
    my ($self, $path) = @_;
    return $self->{root}->text($path) // '';
}

1;
