package UnixBench::Host::Topology;

# How Linux' processors are put together: sockets, cores, threads, nodes of memory.

use strict;
use warnings;

use constant {
    CPU  => '/sys/devices/system/cpu',
    NODE => '/sys/devices/system/node',
};

# Makes one. files: a Host::Values.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Returns { sockets, cores, threads, numa_nodes }, how many of each are online, undef where it is not known.
sub facts {
    my ($self) = @_;
    my %cpu    = $self->_by_cpuinfo;
    my @online = map { CPU . "/cpu$_/topology" } $self->{files}->ids(CPU . '/online');
    my @nodes  = $self->{files}->numbered(NODE, 'node');
    return {
        sockets    => $self->_groups('core_siblings_list', @online)   || $cpu{sockets},
        cores      => $self->_groups('thread_siblings_list', @online) || $cpu{cores},
        threads    => scalar @online                                  || $cpu{threads},
        numa_nodes => scalar @nodes                                   || undef,
    };
}

# How many different groups the CPUs are in; files that are still there under their old names.
sub _groups {
    my ($self, $name, @directories) = @_;
    my %groups = map { $_ => 1 } grep { defined } map { scalar $self->{files}->line("$_/$name") } @directories;
    return scalar keys %groups;
}

# The same as far as /proc/cpuinfo tells it, on x86.
sub _by_cpuinfo {
    my ($self) = @_;
    my $text   = $self->{files}->text('/proc/cpuinfo') // q{};
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

1;
