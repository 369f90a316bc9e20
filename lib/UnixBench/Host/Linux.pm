package UnixBench::Host::Linux;

# CPUs, memory and uptime of this machine, from /proc and /sys of Linux. A fact without its file is undef.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::Cgroup      ();
use UnixBench::Host::Cpuinfo     ();
use UnixBench::Host::KernelFiles ();

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

# Returns a text for the kind of CPU, see UnixBench::Host::Machine::cpu_kind, or undef.
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

# Returns the number of CPUs that are online, in this process's affinity mask and in its cpusets.
sub usable_cpus {
    my ($self) = @_;
    my @sets   = grep { @$_ } $self->_online, $self->_allowed, map { _list($_) } $self->{cgroup}->cpusets;
    return unless @sets;
    my %times;
    $times{$_}++ for map { @$_ } @sets;
    my $in_all = grep { $times{$_} == @sets } keys %times;
    return $in_all || scalar @{ $sets[-1] };
}

# Returns the CPUs' worth of time that the tightest control group allows, or undef.
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

sub _text {
    my ($self, $path) = @_;
    return $self->{files}->text($path) // '';
}

1;
