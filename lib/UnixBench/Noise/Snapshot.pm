package UnixBench::Noise::Snapshot;

# Looks at /proc and /sys for what may disturb a measurement. A look is plain data. What can't be read is undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::Cgroup      ();
use UnixBench::Host::KernelFiles ();
use UnixBench::Process::Stat     ();

use constant {
    CPUS   => '/sys/devices/system/cpu',
    NUMBER => qr/([0-9]{1,15})\b/,         # a longer one is not a counter
};

# Takes files => UnixBench::Host::KernelFiles, clock => UnixBench::Base::Clock and ours, see UnixBench::Noise::Watch.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(files clock ours)), $class;
}

# Returns the counters { at_s, ours_s, ours_kernel_s, cpus (online), busy_ticks, unused_ticks, steal_ticks, throttled
# (periods in which a control group had used up its quota), thermal (times that CPUs became too hot), swap (pages),
# major_faults }. Ticks are those of all CPUs: used by processes, not used by them, and taken by the hypervisor of the
# latter.
sub counters {
    my ($self) = @_;
    my $vmstat = $self->_text('/proc/vmstat');
    return {
        $self->_times,
        throttled    => scalar $self->_throttled_periods,
        thermal      => scalar $self->_thermal_events,
        swap         => List::Util::sum($vmstat =~ /^pswp(?:in|out) ${\NUMBER}$/mg),
        major_faults => $self->_faults_of_children,
    };
}

# Returns { at_s, cpu_us, io_us, memory_us }: for how long some process has waited for that since the start of the
# system.
sub pressure {
    my ($self) = @_;
    my %look = (at_s => $self->{clock}->monotonic_s);
    for my $of (qw(cpu io memory)) {
        my ($total_us) = $self->_text("/proc/pressure/$of") =~ /^some .*\btotal=${\NUMBER}$/m;
        $look{"${of}_us"} = $total_us;
    }
    return \%look;
}

# Returns the number of runnable processes, including this one.
sub running {
    my ($self)    = @_;
    my ($running) = $self->_text('/proc/loadavg') =~ m{^(?:\S+ ){3}${\NUMBER}/};
    return $running;
}

# Returns { online, usable }: the numbers of all CPUs and of those on which this process may run.
sub cpus {
    my ($self) = @_;
    my @online = $self->{files}->ids(CPUS . '/online');
    my $usable = @online ? $self->_usable(@online) : 0;
    return { online => scalar @online || undef, usable => $usable || undef };
}

# Returns { mhz, dirty_kb }: the frequency of a CPU on which this process may run, if the kernel sets it, and the pages
# that wait to be written to disks.
sub facts {
    my ($self) = @_;
    my ($cpu)  = $self->_allowed;
    my $khz    = defined $cpu ? $self->{files}->number(CPUS . "/cpu$cpu/cpufreq/scaling_cur_freq") : undef;
    my @kb     = $self->_text('/proc/meminfo') =~ /^(?:Dirty|Writeback): +${\NUMBER} kB$/mg;
    return { mhz => defined $khz ? $khz / 1000 : undef, dirty_kb => List::Util::sum(@kb) };
}

# Returns the times that are compared with each other: they are read at the same moment.
sub _times {
    my ($self) = @_;
    my $stat   = $self->_text('/proc/stat');
    my %look   = (at_s => $self->{clock}->monotonic_s);
    @look{qw(ours_s ours_kernel_s)} = $self->{ours}->();
    my ($line) = $stat =~ /^cpu +((?:[0-9]{1,15} ){7}[0-9]{1,15})\b/m;
    my ($user, $nice, $system, @unused) = split / /, $line // q{};
    return (%look, map { $_ => undef } qw(cpus busy_ticks unused_ticks steal_ticks)) if !@unused;
    return (
        %look,
        cpus         => scalar(() = $stat =~ /^cpu[0-9]+ /mg),
        busy_ticks   => $user + $nice + $system,
        unused_ticks => List::Util::sum(@unused),                # idle, iowait, irq, softirq, steal
        steal_ticks  => $unused[4],
    );
}

# Returns the major faults of the children of this program that have ended. Its own do not belong to a pass: if memory
# is taken from sleeping processes, it has some whenever it wakes up.
sub _faults_of_children {
    my ($self)   = @_;
    my ($faults) = UnixBench::Process::Stat::fields($self->_text('/proc/self/stat'), 'child_major_faults');
    return $faults;
}

sub _throttled_periods {
    my ($self) = @_;
    my $paths = $self->{quota_paths} ||= [UnixBench::Host::Cgroup->new(files => $self->{files})->cpu_stat_paths];
    return List::Util::sum(map { $self->_text($_) =~ /^nr_throttled ${\NUMBER}$/m } @$paths);
}

sub _thermal_events {
    my ($self) = @_;
    my $paths  = $self->{thermal_paths} ||= $self->_thermal_paths;
    return List::Util::sum(grep { defined } map { scalar $self->{files}->number($_) } @$paths);
}

# Returns the paths of the counters that exist. They are searched for once.
sub _thermal_paths {
    my ($self)      = @_;
    my @directories = map { "$_/thermal_throttle" } $self->{files}->numbered(CPUS, 'cpu');
    my @paths       = map { ("$_/core_throttle_count", "$_/package_throttle_count") } @directories;
    return [grep { defined $self->{files}->number($_) } @paths];
}

# Returns whether some page is being written to a disk right now, as far as that is known.
sub is_writing_back {
    my ($self) = @_;
    my ($kb)   = $self->_text('/proc/meminfo') =~ /^Writeback:\s+${\NUMBER} kB$/m;
    return ($kb // 0) > 0;
}

sub _usable {
    my ($self, @online) = @_;
    my %is_online = map { $_ => 1 } @online;
    return scalar grep { $is_online{$_} } $self->_allowed;
}

sub _allowed {
    my ($self) = @_;
    my ($list) = $self->_text('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\S+)$/m;
    return UnixBench::Host::KernelFiles::ids_of($list // q{});
}

sub _text {
    my ($self, $path) = @_;
    return $self->{files}->text($path) // q{};
}

1;
