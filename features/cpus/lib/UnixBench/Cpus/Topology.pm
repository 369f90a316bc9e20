package UnixBench::Cpus::Topology;

# The CPUs that this process may use, as the kernel declares them, and where on them processes are put: copies, spread
# over cores or packed on half of them, and the two processes of context1. A machine may lie both ways: declared threads
# may be cores, and declared cores may be threads.
#
# A topology is { cpus => [CPU, ...], numbers => [the number of each], cores => [[numbers of the CPUs of a core], ...],
# online (the number of CPUs) }. A CPU is { cpu (its number), socket, node, l3, core (numbers from 0), at (a text: the
# order of sockets, caches and cores), and type, capacity, part, midr: what tells kinds apart, undef if it is unknown }.

use strict;
use warnings;

use List::Util qw(max);

use UnixBench::Base::Text        qw(counted unique);
use UnixBench::Host::KernelFiles ();

use constant CPU => '/sys/devices/system/cpu';

# What tells kinds apart, the best first, with the words before it in their names.
my @KINDS = ([type => q{}], [capacity => 'capacity '], [part => 'part '], [midr => 'MIDR ']);

# The places of two processes, the nearest first: name, a key that both CPUs have in common, one in which they differ.
my @PLACES = (
    ['same CPU',  'cpu'],
    ['one core',  'core', 'cpu'],
    ['two cores', 'l3',   'core'],
    ['two L3s',   'node', 'l3'],
    ['two nodes', undef,  'node'],
);

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
    my @numbers = grep { $is_there{$_} } @allowed;
    @numbers = @allowed if !@numbers;    # a container may show other CPUs
    my @cpus = map { +{ _cpu($files, $_), type => $type{$_}, part => $part{$_} } } @numbers;

    for my $cpu (@cpus) {
        for my $key (qw(socket node l3 core)) {
            my $known = $number{$key} ||= {};
            $known->{ $cpu->{$key} } = keys %$known if !defined $known->{ $cpu->{$key} };
            $cpu->{$key} = $known->{ $cpu->{$key} };
        }
        $cpu->{at} = sprintf '%05d' x 4, @$cpu{qw(socket l3 core cpu)};
        push @{ $cpus_of{ $cpu->{core} } }, $cpu->{cpu};
    }
    my @cores = map { $cpus_of{$_} } sort { $a <=> $b } keys %cpus_of;
    return { cpus => \@cpus, numbers => \@numbers, cores => \@cores, online => scalar keys %is_there };
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
    my @sockets    = unique(map { $_->{socket} } @cpus);
    my @threads    = sort { $a <=> $b } unique(map { scalar @$_ } @{ $topology->{cores} });
    my $of         = $topology->{online} > @cpus ? " of $topology->{online}" : q{};
    return join ', ',
        @cpus . "$of CPUs: " . counted(scalar @sockets, qw(socket sockets)),
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
        push @values, join q{ }, unique(map { $_->{$key} // q{} } @cpu{@$_}) for @groups;
        return map { "$before$_" } @values if unique(grep { /\A\S+\z/ } @values) == @groups;
    }
    return map { "kind $_" } 1 .. @groups;
}

# Takes a topology; returns { name, cpus => [two numbers] } of each place that it has.
sub of_two {
    my ($topology) = @_;
    my @cpus = @{ $topology->{cpus} };
    my @found;
    for my $place (@PLACES) {
        my ($name, $same, $other) = @$place;
        for my $one (@cpus) {
            my @alike = grep { !defined $same || $_->{$same} == $one->{$same} } @cpus;
            my ($two) = grep { !defined $other || $_->{$other} != $one->{$other} } @alike or next;
            push @found, { name => $name, cpus => [$one->{cpu}, $two->{cpu}] };
            last;
        }
    }
    return @found;
}

# Takes a topology; returns the places of half of the copies, or of as many as can be packed:
#   declared  whether it declares threads of one core
#   copies    the number of packed copies
#   spread    [[numbers of CPUs], ...], lists that are used in turns: each copy has a core
#   packed    the same: each core has two copies
#   is_mixed  true if none of these copies has one of the fastest CPUs
# With two CPUs, or one core, spread is undef: all copies are compared with a single one. Cores without threads are
# those of the largest class: CPUs of other kinds differ anyway. Machines that hide threads number those of a core one
# after the other, or those of all cores a second time: packed CPUs share cores in the first case, spread in the second.
sub of_half {
    my ($topology) = @_;
    my @classes    = classes($topology);
    my @all        = @{ (sort { @$b <=> @$a } @classes)[0] };
    my @pairs      = map { @$_ > 1  ? [@$_[0, 1]] : () } @{ $topology->{cores} };
    my @rest       = map { @$_ == 1 ? $_->[0]     : () } @{ $topology->{cores} };
    my $cpus       = @{ $topology->{cpus} };
    return { declared => scalar @pairs, copies => $cpus } if $cpus == 2 || @all + @pairs < 3 || @pairs + @rest == 1;
    if (!@pairs) {
        my $copies = max(2, 2 * int(@all / 4));
        my @spread = map { (2 * $_, int((@all + 1) / 2) + 2 * $_) } 0 .. $copies / 2 - 1;
        my %where  = (packed => [[@all[0 .. $copies - 1]]], spread => [[@all[@spread]]]);
        return { declared => 0, copies => $copies, %where, is_mixed => $all[0] != $classes[0][0] };
    }
    my $half   = int(@pairs / 2) || 1;
    my @single = @pairs == 1     || @classes == 1 ? @rest : ();
    my @packed = ([map { @$_ } @pairs[0 .. $half - 1]], [map { @$_ } @pairs[-$half .. -1]]);
    my @spread = ([(map { $_->[0] } @pairs), @single], [(map { $_->[1] } @pairs), @single]);
    return { declared => 1, copies => 2 * $half, packed => \@packed, spread => \@spread };
}

1;
