package UnixBench::Cpus::Topology;

# The CPUs that this process may use, as the kernel declares them. A topology is { cpus => [CPU, ...], cores =>
# [[numbers of the CPUs of a core], ...], online (the number of all CPUs) }. A CPU is { cpu (its number), socket, node,
# l3, core (numbers from 0), and type, capacity, part, midr: what tells kinds apart, undef if it is unknown }.

use strict;
use warnings;

use UnixBench::Base::Text        qw(counted);
use UnixBench::Host::KernelFiles ();

use constant CPU => '/sys/devices/system/cpu';

# What tells kinds apart, the best first, with the words before it in their names.
my @KINDS = ([type => q{}], [capacity => 'capacity '], [part => 'part '], [midr => 'MIDR ']);

# Takes UnixBench::Host::KernelFiles; returns the topology. Without /sys, each CPU is a core.
sub of {
    my ($files)  = @_;
    my @online   = $files->ids(CPU . '/online');
    my @allowed  = UnixBench::Host::KernelFiles::ids_of($files->allowed_cpus // join q{,}, @online);
    my %is_there = map { $_ => 1 } @online ? @online : @allowed;
    my %type     = map { $_ => 'cpu_core' } $files->ids('/sys/devices/cpu_core/cpus');
    $type{$_} = 'cpu_atom' for $files->ids('/sys/devices/cpu_atom/cpus');
    my %part = $files->content('/proc/cpuinfo') =~ /^processor\s*:\s*([0-9]+)\n(?:.+\n)*?CPU part\s*:\s*(\S+)/mg;
    my (%number, %cpus_of);
    my @cpus = map { +{ _cpu($files, $_), type => $type{$_}, part => $part{$_} } } grep { $is_there{$_} } @allowed;

    for my $cpu (@cpus) {
        for my $key (qw(socket node l3 core)) {
            my $known = $number{$key} ||= {};
            $known->{ $cpu->{$key} } = keys %$known if !defined $known->{ $cpu->{$key} };
            $cpu->{$key} = $known->{ $cpu->{$key} };
        }
        push @{ $cpus_of{ $cpu->{core} } }, $cpu->{cpu};
    }
    my @cores = map { $cpus_of{$_} } sort { $a <=> $b } keys %cpus_of;
    return { cpus => \@cpus, cores => \@cores, online => scalar keys %is_there };
}

# Returns the keys of a CPU. Socket, node, L3 cache and core are texts: the CPUs that share it, or a number.
sub _cpu {
    my ($files, $cpu) = @_;
    my $path   = CPU . "/cpu$cpu";
    my $socket = $files->line("$path/topology/physical_package_id") // 0;
    my ($l3)   = grep { ($files->number("$_/level") // 0) == 3 } $files->numbered("$path/cache", 'index');
    my ($node) = grep { /\Anode[0-9]+\z/ } $files->names($path);
    return (
        cpu      => $cpu,
        socket   => $socket,
        node     => $node                                               // 0,
        core     => $files->line("$path/topology/thread_siblings_list") // "cpu $cpu",
        l3       => $l3 && $files->line("$l3/shared_cpu_list") || "socket $socket",
        capacity => scalar $files->number("$path/cpu_capacity"),
        midr     => scalar $files->line("$path/regs/identification/midr_el1"),
    );
}

# Takes a topology; returns in words what it declares, such as "8 CPUs: 1 socket, 4 cores, 2 threads each".
sub in_words {
    my ($topology) = @_;
    my @cpus       = @{ $topology->{cpus} };
    my %sockets    = map  { $_->{socket} => 1 } @cpus;
    my %threads    = map  { scalar(@$_)  => 1 } @{ $topology->{cores} };
    my @threads    = sort { $a <=> $b } keys %threads;
    my $of         = $topology->{online} > @cpus ? " of $topology->{online}" : q{};
    return join ', ',
        @cpus . $of . (@cpus == 1 ? ' CPU: ' : ' CPUs: ') . counted(scalar keys %sockets, qw(socket sockets)),
        counted(scalar @{ $topology->{cores} }, qw(core cores)),
        @threads == 1 ? counted($threads[0], qw(thread threads)) . ' each' : join(' or ', @threads) . ' threads each';
}

# Takes a topology; returns [numbers of CPUs] for each class that it declares, those of the largest capacity first.
sub classes {
    my ($topology) = @_;
    my %of;
    for my $cpu (@{ $topology->{cpus} }) {
        my ($type, $capacity, @others) = map { $cpu->{ $_->[0] } // 0 } @KINDS;
        my $rank = sprintf '%d %09d', $type eq 'cpu_atom', 1e9 - 1 - $capacity;
        push @{ $of{"$rank @others"} }, $cpu->{cpu};
    }
    return map { $of{$_} } sort keys %of;
}

# Takes a topology and groups of CPUs, [numbers] each; returns a name for each if something that the kernel declares
# tells exactly these groups apart, else "kind 1", "kind 2", ...
sub names_of {
    my ($topology, @groups) = @_;
    my %cpu = map { $_->{cpu} => $_ } @{ $topology->{cpus} };
    for my $kind (@KINDS) {
        my ($key, $before) = @$kind;
        my @values;
        for my $group (@groups) {
            my %has = map { $cpu{$_}{$key} // q{} => 1 } @$group;
            push @values, join q{ }, keys %has;
        }
        my %names = map { $_ => 1 } grep { /\A\S+\z/ } @values;
        return map { "$before$_" } @values if keys %names == @groups;
    }
    return map { "kind $_" } 1 .. @groups;
}

1;
