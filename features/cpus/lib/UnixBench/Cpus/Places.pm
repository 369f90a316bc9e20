package UnixBench::Cpus::Places;

# Where processes are put: copies, spread over cores or packed on half of them, and the two processes of context1; and
# where these were in a result. A
# machine may lie both ways: declared threads may be cores, and declared cores may be threads.

use strict;
use warnings;

use List::Util qw(max);

use UnixBench::Cpus::Topology    ();
use UnixBench::Score::Score      qw(index_of_test);
use UnixBench::Store::ResultFile ();

use constant { NEAR => log 1.3, LOOKED_AT => 20, TEST => 'context1' };

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
    my (@cpus, @found) = @{ $topology->{cpus} };
    for my $place (@PLACES) {
        my ($name, $same, $other) = @$place;
        my ($pair) = map { _pair($_, $same, $other, @cpus) } @cpus;
        push @found, { name => $name, cpus => $pair } if $pair;
    }
    return @found;
}

sub _pair {
    my ($first, $same, $other, @cpus) = @_;
    my @alike = grep { !defined $same || $_->{$same} == $first->{$same} } @cpus;
    my ($second) = grep { !defined $other || $_->{$other} != $first->{$other} } @alike;
    return $second ? [$first->{cpu}, $second->{cpu}] : ();
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

# Takes the names of results (UnixBench::Store::ResultNames), the name of this machine, the model of its CPUs, and
# [places] with indexes. Returns the type cpus_own of UnixBench::Cpus::Schema for the newest result of this machine that
# has one, or undef.
sub newest {
    my ($names, $host, $model, $places) = @_;
    for my $path ($names->newest_first(LOOKED_AT)) {
        my $summary = eval { UnixBench::Store::ResultFile::summary($path) } or next;
        next if ($summary->{name} // q{}) ne $host || !grep { index($_, $model) >= 0 } values %{ $summary->{facts} };
        my ($run) = grep { $_->{copies} == 1 } @{ $summary->{runs} };
        my $own   = $run && _of_run($run, $places) or next;
        return { result => $names->word($path), %$own };
    }
    return;
}

sub _of_run {
    my ($run, $places) = @_;
    my ($index)  = grep { defined } map { index_of_test($_) } grep { $_->{name} eq TEST } @{ $run->{tests} } or return;
    my $place    = place_of($index, $places) // return;
    my ($best)   = sort { $b->{index} <=> $a->{index} } @$places;
    my ($system) = grep { $_->{category} eq 'system' && $_->{complete} && $_->{estimate} } @{ $run->{indexes} };
    my $value    = $system && $system->{estimate}{value};
    my $would    = $system && $value * ($best->{index} / $index)**(1 / @{ $system->{tests} });
    return { index => $index, place => $place->{name}, system => $value, other => $best->{name}, would => $would };
}

# Takes an index of context1, and [places] with indexes; returns the place that has it, or undef if none or several
# have.
sub place_of {
    my ($index, $places) = @_;
    my @off = map { [abs log(($_->{index} // return) / $index), $_] } @$places;
    my ($nearest, $next) = sort { $a->[0] <=> $b->[0] } @off;
    return $nearest && $nearest->[0] < NEAR && (!$next || $next->[0] > 2 * NEAR) ? $nearest->[1] : undef;
}

1;
