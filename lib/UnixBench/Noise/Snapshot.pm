package UnixBench::Noise::Snapshot;

# What /proc and /sys say at a moment of what may disturb a measurement. A look is plain data; what can't be read is
# undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Noise::Throttling;

use constant {
    CPUS   => '/sys/devices/system/cpu',
    NUMBER => qr/([0-9]{1,15})\b/,         # longer ones are no counters
};

# Takes files => UnixBench::Host::Values, clock => UnixBench::Base::Clock and ours, see UnixBench::Noise::Watch.
sub new {
    my ($class, %with) = @_;
    return bless { %with, throttling => UnixBench::Noise::Throttling->new($with{files}) }, $class;
}

# Returns what grows: { at_s, ours_s, ours_kernel_s, cpus (online), busy_ticks, unused_ticks and steal_ticks (of all
# CPUs: what processes used, what they did not, what the hypervisor took of the latter), throttled, thermal (events),
# swap (pages), major_faults }.
sub counters {
    my ($self) = @_;
    my $vmstat = $self->_text('/proc/vmstat');
    return {
        $self->_times,
        throttled    => $self->{throttling}->quota_periods,
        thermal      => $self->{throttling}->thermal_events,
        swap         => List::Util::sum($vmstat =~ /^pswp(?:in|out) ${\NUMBER}$/mg),
        major_faults => $self->_faults_of_children,
    };
}

# Returns { at_s, cpu_us, io_us, memory_us }: for how long, since the start of the system, some process waited for that.
sub pressure {
    my ($self) = @_;
    my %look = (at_s => $self->{clock}->monotonic_s);
    for my $of (qw(cpu io memory)) {
        my ($total_us) = $self->_text("/proc/pressure/$of") =~ /^some .*\btotal=${\NUMBER}$/m;
        $look{"${of}_us"} = $total_us;
    }
    return \%look;
}

# Returns the number of processes that run or want to, this one among them.
sub running {
    my ($self)    = @_;
    my ($running) = $self->_text('/proc/loadavg') =~ m{^(?:\S+ ){3}${\NUMBER}/};
    return $running;
}

# Returns { online, usable }, numbers of CPUs: all, and those that this process may run on.
sub cpus {
    my ($self) = @_;
    my @online = $self->{files}->ids(CPUS . '/online');
    my $usable = @online ? $self->_usable(@online) : 0;
    return { online => scalar @online || undef, usable => $usable || undef };
}

# Returns { mhz, dirty_kb }: the frequency of a CPU that this process may run on, where the kernel sets it, and what
# waits to be written to disks.
sub facts {
    my ($self) = @_;
    my ($cpu)  = $self->_allowed;
    my $khz    = defined $cpu ? $self->{files}->number(CPUS . "/cpu$cpu/cpufreq/scaling_cur_freq") : undef;
    my @kb     = $self->_text('/proc/meminfo') =~ /^(?:Dirty|Writeback): +${\NUMBER} kB$/mg;
    return { mhz => defined $khz ? $khz / 1000 : undef, dirty_kb => List::Util::sum(@kb) };
}

# The three stand together, for they are held against each other.
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

# Major faults of the children of this program that have ended, see proc(5). Its own are no part of a pass: where memory
# is taken from processes that sleep, it has some whenever it wakes up. Behind the name, which is in brackets and may
# hold anything, it is the 11th word.
sub _faults_of_children {
    my ($self)        = @_;
    my ($behind_name) = $self->_text('/proc/self/stat')               =~ /.*[)] (.*)/s;
    my ($faults)      = ((split / /, $behind_name // q{})[10] // q{}) =~ /\A${\NUMBER}\z/;
    return $faults;
}

sub _usable {
    my ($self, @online) = @_;
    my %is_online = map { $_ => 1 } @online;
    return scalar grep { $is_online{$_} } $self->_allowed;
}

sub _allowed {
    my ($self) = @_;
    my ($list) = $self->_text('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\S+)$/m;
    return $self->{files}->ids_of($list // q{});
}

sub _text {
    my ($self, $path) = @_;
    return $self->{files}->text($path) // q{};
}

1;
