package UnixBench::Noise::Snapshot;

# Reads the values in /proc and /sys that show disturbances of a measurement. A value that can't be read is undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::Cgroup      ();
use UnixBench::Host::KernelFiles ();
use UnixBench::Process::Stat     ();

use constant {
    CPUS        => '/sys/devices/system/cpu',
    NUMBER      => qr/([0-9]{1,15})\b/,         # a longer one is not a counter
    NANOSECONDS => qr/([0-9]{1,18})\b/,
};

# The time for which at least one process has waited, in a file of /proc/pressure.
my $PRESSURE = qr/^some .*\btotal=${\NUMBER}$/m;

# Takes files => UnixBench::Host::KernelFiles, clock => UnixBench::Base::Clock and ours, a function, see
# UnixBench::Noise::Watch.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(files clock ours)), $class;
}

# Returns the counters, as a hash:
#   at_s           time of the clock
#   ours_s         CPU seconds of this program and of its children that have ended
#   ours_kernel_s  those in the kernel
#   cpus           number of CPUs online
#   busy_ticks     ticks of all CPUs that processes used
#   unused_ticks   ticks of all CPUs that processes did not use
#   steal_ticks    those of the unused ticks that the hypervisor took
#   throttled      periods in which a control group had used up its quota
#   throttled_us   the time for which it was throttled, of all CPUs
#   waited_us      the time for which at least one process has waited for a CPU
#   own_delay_us   the time for which this program has waited for a CPU
#   run_delay_us   the time for which processes have waited for a CPU, of all CPUs, if waited_us is unknown
#   thermal        how often a CPU became too hot
#   swap           pages read from swap space or written to it
#   major_faults   major page faults of children that have ended
sub counters {
    my ($self) = @_;
    my $vmstat = $self->_text('/proc/vmstat');
    return {
        $self->_times,
        $self->_throttled,
        $self->_waited,
        thermal      => scalar $self->_thermal_events,
        swap         => List::Util::sum($vmstat =~ /^pswp(?:in|out) ${\NUMBER}$/mg),
        major_faults => $self->_faults_of_children,
    };
}

# Returns { at_s, cpu_us, io_us, memory_us }. at_s is the time of the clock. The others are times since the start of the
# system: for how long at least one process has waited for a CPU, for a disk and for memory.
sub pressure {
    my ($self) = @_;
    my %look = (at_s => $self->{clock}->monotonic_s);
    for my $of (qw(cpu io memory)) {
        my ($total_us) = $self->_text("/proc/pressure/$of") =~ $PRESSURE;
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

# Returns { online, usable }: the number of CPUs online, and how many of them this process may use.
sub cpus {
    my ($self) = @_;
    my @online = $self->{files}->ids(CPUS . '/online');
    my $usable = @online ? $self->_usable(@online) : 0;
    return { online => scalar @online || undef, usable => $usable || undef };
}

# Returns
#   mhz       the present frequency of a CPU that this process may use, if the kernel sets it
#   dirty_kb  the size of the pages that are still to be written to disks
sub facts {
    my ($self) = @_;
    my ($cpu)  = $self->_allowed;
    my $khz    = defined $cpu ? $self->{files}->number(CPUS . "/cpu$cpu/cpufreq/scaling_cur_freq") : undef;
    my @kb     = $self->_text('/proc/meminfo') =~ /^(?:Dirty|Writeback): +${\NUMBER} kB$/mg;
    return { mhz => defined $khz ? $khz / 1000 : undef, dirty_kb => List::Util::sum(@kb) };
}

# Returns the counters that are times. They are compared with each other, so they are read at the same moment.
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

# Returns the major page faults of the children of this program that have ended. Faults of this program itself do not
# belong to a pass. If the kernel takes memory from sleeping processes, it has such faults at each wake-up.
sub _faults_of_children {
    my ($self)   = @_;
    my ($faults) = UnixBench::Process::Stat::fields($self->_text('/proc/self/stat'), 'child_major_faults');
    return $faults;
}

# Returns the counters of quotas. Version 1 of control groups counts nanoseconds, version 2 microseconds.
sub _throttled {
    my ($self) = @_;
    my $paths  = $self->{quota_paths} ||= [UnixBench::Host::Cgroup->new(files => $self->{files})->cpu_stat_paths];
    my @texts  = map { $self->_text($_) } @$paths;
    my @us     = map {
        (/^throttled_usec ${\NUMBER}$/m, map { $_ / 1000 } /^throttled_time ${\NANOSECONDS}$/m)
    } @texts;
    return (
        throttled    => scalar List::Util::sum(map { /^nr_throttled ${\NUMBER}$/m } @texts),
        throttled_us => scalar List::Util::sum(@us),
    );
}

# Returns the counters of time spent waiting for a CPU. The second one is a sum over all processes, so it is a worse
# measure. It takes long to read on machines with many CPUs.
sub _waited {
    my ($self)      = @_;
    my ($waited_us) = $self->_text('/proc/pressure/cpu') =~ $PRESSURE;
    my (undef, $own_ns) = UnixBench::Process::Stat::scheduled_ns($self->_text('/proc/self/schedstat'));
    my %known = (waited_us => $waited_us, own_delay_us => defined $own_ns ? $own_ns / 1000 : undef);
    return %known if defined $waited_us;
    my @delays_ns = $self->_text('/proc/schedstat') =~ /^cpu[0-9]+(?: [0-9]+){7} ${\NANOSECONDS} /mg;
    return (%known, run_delay_us => @delays_ns ? List::Util::sum(@delays_ns) / 1000 : undef);
}

sub _thermal_events {
    my ($self) = @_;
    my $paths  = $self->{thermal_paths} ||= $self->_thermal_paths;
    return List::Util::sum(grep { defined } map { scalar $self->{files}->number($_) } @$paths);
}

# Returns [paths of the counters that exist]. The search is made once.
sub _thermal_paths {
    my ($self)      = @_;
    my @directories = map { "$_/thermal_throttle" } $self->{files}->numbered(CPUS, 'cpu');
    my @paths       = map { ("$_/core_throttle_count", "$_/package_throttle_count") } @directories;
    return [grep { defined $self->{files}->number($_) } @paths];
}

# Returns whether pages are being written to a disk right now. If this is unknown, returns false.
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
    return UnixBench::Host::KernelFiles::ids_of($self->{files}->allowed_cpus // q{});
}

sub _text {
    my ($self, $path) = @_;
    return $self->{files}->text($path) // q{};
}

1;
