package UnixBench::Cpus::Places;

# Where processes are put: copies, spread over cores or packed on half of them, and the two processes of context1. A
# machine may lie both ways: declared threads may be cores, and declared cores may be threads.

use strict;
use warnings;

use List::Util qw(max);

use UnixBench::Cpus::Topology ();

# The places of two processes, the nearest first: a name, a key of a CPU that both have in common, and one in which they
# differ.
my @PLACES = (
    ['same CPU',  'cpu'],
    ['one core',  'core', 'cpu'],
    ['two cores', 'l3',   'core'],
    ['two L3s',   'node', 'l3'],
    ['two nodes', undef,  'node'],
);

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
#   copies    the number of copies
#   spread    [[numbers of CPUs], ...], lists that are used in turns: each copy has a core
#   packed    the same: each core has two copies
# With two CPUs, or one core, spread is undef: all copies are compared with a single one. Cores without threads are
# those of the largest class, because CPUs of other kinds differ anyway.
sub of_half {
    my ($topology) = @_;
    my ($class)    = sort { @$b <=> @$a } UnixBench::Cpus::Topology::classes($topology);
    my @all        = @$class;
    my @pairs      = map { @$_ > 1  ? [@$_[0, 1]] : () } @{ $topology->{cores} };
    my @rest       = map { @$_ == 1 ? $_->[0]     : () } @{ $topology->{cores} };
    my $cpus       = @{ $topology->{cpus} };
    return { declared => scalar @pairs, copies => $cpus }
        if $cpus == 2 || @all + @pairs < 3 || @pairs && @pairs + @rest == 1;
    return _neighbours(@all) if !@pairs;
    return { declared => 1, copies => 2, packed => [$pairs[0]], spread => [[$pairs[0][0], $rest[0]]] } if @pairs == 1;
    my $half  = int(@pairs / 2);
    my @used  = @pairs[0 .. 2 * $half - 1];
    my @first = map { @$_ } @used[0 .. $half - 1];
    my @last  = map { @$_ } @used[$half .. $#used];
    my @each  = ([map { $_->[0] } @used], [map { $_->[1] } @used]);
    return { declared => 1, copies => 2 * $half, packed => [\@first, \@last], spread => \@each };
}

# Takes three CPUs or more, each declared as a core. Machines that hide threads number those of a core one after the
# other, or those of all cores a second time. The packed CPUs share cores in the first case, the spread ones in the
# second.
sub _neighbours {
    my (@all)  = @_;
    my $copies = max(2, 2 * int(@all / 4));
    my $second = int((@all + 1) / 2);
    my @spread = map { (2 * $_, $second + 2 * $_) } 0 .. $copies / 2 - 1;
    return { declared => 0, copies => $copies, packed => [[@all[0 .. $copies - 1]]], spread => [[@all[@spread]]] };
}

1;
