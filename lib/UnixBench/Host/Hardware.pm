package UnixBench::Host::Hardware;

# Processors, caches and memory as Linux describes them in /proc and /sys. Unknown values are undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

use constant {
    CPU  => '/sys/devices/system/cpu',
    NODE => '/sys/devices/system/node',
};

my %KB = (K => 1, M => 1024, G => 1024**2);

# Takes files => UnixBench::Host::KernelFiles.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(files)), $class;
}

# Takes CPUs as UnixBench::Host::Machine::facts returns them. Returns the facts about processors. If CPUs differ in a
# text, it holds all values with commas between them.
sub cpu {
    my ($self, $cpus) = @_;
    return {
        models    => _models($cpus),
        smt       => scalar $self->_smt,
        microcode => scalar $self->_microcode,
        turbo     => scalar $self->_turbo,
        caches    => scalar $self->_caches,
        $self->_scaling,
        $self->_topology,
    };
}

# Returns the facts about the memory.
sub memory {
    my ($self) = @_;
    my $text   = $self->{files}->content('/proc/meminfo');
    my %number = $text =~ /^(\w+):\s+(\d{1,15})(?: kB)?$/mg;
    my ($total_kb, $swap_kb, $count, $size_kb) =
        map { defined $number{$_} ? 0 + $number{$_} : undef } qw(MemTotal SwapTotal HugePages_Total Hugepagesize);
    return {
        total_kb   => $total_kb,
        swap_kb    => $swap_kb,
        huge_pages => {
            transparent => scalar $self->{files}->chosen('/sys/kernel/mm/transparent_hugepage/enabled'),
            count       => $count,
            size_kb     => $size_kb,
        },
    };
}

sub _models {
    my ($cpus) = @_;
    my (%count, @models);
    for my $model (map { $_->{model} } @$cpus) {
        push @models, $model if !$count{$model}++;
    }
    return [map { { model => $_, count => $count{$_} } } @models];
}

sub _smt {
    my ($self)  = @_;
    my $control = $self->{files}->line(CPU . '/smt/control');
    my $active  = $self->{files}->number(CPU . '/smt/active');
    return $control // (defined $active ? ($active ? 'on' : 'off') : undef);
}

# Returns the microcode of all CPUs, or undef. On most systems, only root may read the file in /sys.
sub _microcode {
    my ($self) = @_;
    my $text   = $self->{files}->content('/proc/cpuinfo');
    my %seen   = map { $_ => 1 } $text =~ /^microcode\s*: ([\w.-]+)\s*$/mg;
    return join ', ', sort keys %seen if %seen;
    return $self->{files}->line(CPU . '/cpu0/microcode/version');
}

sub _turbo {
    my ($self) = @_;
    my $off    = $self->{files}->number(CPU . '/intel_pstate/no_turbo');
    my $on     = defined $off ? !$off : $self->{files}->number(CPU . '/cpufreq/boost');
    return defined $on ? ($on ? 'on' : 'off') : undef;
}

# Returns frequency, governor and driver. They come from the directory of each policy or, in old kernels, of each CPU.
sub _scaling {
    my ($self)   = @_;
    my $files    = $self->{files};
    my @policies = $files->numbered(CPU . '/cpufreq', 'policy');
    my @scaled   = @policies ? @policies : map { "$_/cpufreq" } $files->numbered(CPU, 'cpu');
    my %mhz      = (
        min_mhz => scalar $self->_mhz(\&List::Util::min, map { "$_/cpuinfo_min_freq" } @scaled),
        max_mhz => scalar $self->_mhz(\&List::Util::max, map { "$_/cpuinfo_max_freq" } @scaled),
    );
    return (
        frequency => \%mhz,
        governor  => scalar $files->distinct(map { "$_/scaling_governor" } @scaled),
        driver    => scalar $files->distinct(map { "$_/scaling_driver" } @scaled),
    );
}

sub _mhz {
    my ($self, $extreme, @paths) = @_;
    my $khz = $extreme->(grep { $_ } map { scalar $self->{files}->number($_) } @paths);
    return defined $khz ? $khz / 1000 : undef;
}

sub _topology {
    my ($self) = @_;
    my %known  = $self->_topology_of_cpuinfo;
    my @online = map { CPU . "/cpu$_/topology" } $self->{files}->ids(CPU . '/online');
    my @nodes  = $self->{files}->numbered(NODE, 'node');
    return (
        sockets    => $self->_groups('core_siblings_list', @online)   || $known{sockets},
        cores      => $self->_groups('thread_siblings_list', @online) || $known{cores},
        threads    => scalar @online                                  || $known{threads},
        numa_nodes => scalar @nodes                                   || undef,
    );
}

# Takes the name of a file, and the directories of CPUs. Returns the number of different groups that these files list.
# These are the old names of the files: recent kernels have them, too.
sub _groups {
    my ($self, $name, @directories) = @_;
    my %groups = map { $_ => 1 } grep { defined } map { scalar $self->{files}->line("$_/$name") } @directories;
    return scalar keys %groups;
}

# Returns sockets, cores and threads from /proc/cpuinfo, which has them on x86.
sub _topology_of_cpuinfo {
    my ($self) = @_;
    my $text   = $self->{files}->content('/proc/cpuinfo');
    my @cpus   = grep { /^processor/m } split /\n\s*\n/, $text;
    my (%sockets, %cores);
    for my $cpu (@cpus) {
        my ($socket) = $cpu =~ /^physical id\s*: (\d+)$/m or next;
        my ($core)   = $cpu =~ /^core id\s*: (\d+)$/m     or next;
        $sockets{$socket} = $cores{"$socket $core"} = 1;
    }
    my ($sockets, $cores, $threads) = map { $_ || undef } scalar keys %sockets, scalar keys %cores, scalar @cpus;
    return (sockets => $sockets, cores => $cores, threads => $threads);
}

# Returns the caches of the CPUs that are online, [{ level, type, size_kb, count }, ...], in the order of level, type
# and size, or undef. A cache that several CPUs share counts once. The type is the kernel's word: "Data", "Instruction"
# or "Unified".
sub _caches {
    my ($self) = @_;
    my %sharers;
    for my $cpu ($self->{files}->numbered(CPU, 'cpu')) {
        for my $directory ($self->{files}->numbered("$cpu/cache", 'index')) {
            my ($kind, $cpus) = $self->_cache($directory) or next;
            $sharers{$kind}{ length $cpus ? $cpus : $cpu } = 1;
        }
    }
    my @caches = sort { _order($a, $b) } map { _counted($_, $sharers{$_}) } keys %sharers;
    return @caches ? \@caches : undef;
}

# Returns level, type and size of a cache in one text, and the CPUs that share it.
sub _cache {
    my ($self, $directory) = @_;
    my ($level, $type, $size, $cpus) =
        map { $self->{files}->line("$directory/$_") // q{} } qw(level type size shared_cpu_list);
    my $kind = "$level $type $size";
    return $kind =~ /\A[1-9] \w{1,40} \d{1,9}[KMG]\z/ ? ($kind, $cpus) : ();
}

sub _counted {
    my ($kind, $sharers) = @_;
    my ($level, $type, $size, $unit) = $kind =~ /\A(\d) (\w+) (\d+)(\w)\z/;
    return { level => 0 + $level, type => $type, size_kb => $size * $KB{$unit}, count => scalar keys %$sharers };
}

sub _order {
    my ($first, $second) = @_;
    return
           $first->{level} <=> $second->{level}
        || $first->{type} cmp $second->{type}
        || $second->{size_kb} <=> $first->{size_kb};
}

1;
