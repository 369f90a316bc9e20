package Fleets;

# The fleets that reports are tested with, and their reports.

use strict;
use warnings;

use Exporter 'import';

use Machines qw(classic facts_of side spread_rates);
use UnixBench::Fleet::Machines;
use UnixBench::Fleet::Report;

our @EXPORT_OK = qw(fleet_as fleets);

# Takes a count and { number => { factor, noise, and parts of a summary } }; returns machines that differ a little, and
# more if they are in the hash.
sub _machines {
    my ($count, %odd) = @_;
    return map { _machine($_, %{ $odd{$_} || {} }) } 1 .. $count;
}

sub _machine {
    my ($number, %odd) = @_;
    my ($factor, $noise, $label) = map { delete $odd{$_} } qw(factor noise label);
    my $rate = ($factor || 1) * (1 + 0.001 * ($number * 7 % 11 - 5));
    my $step = ($noise  || 1) * (0.005 + 0.0005 * ($number % 5));
    my %run  = (pipe => spread_rates(1_635_960 * $rate, $step), spawn => spread_rates(8238 * $rate, $step));
    my $name = sprintf 'm%03d', $number;
    return side($label || "$name.json", runs => { 1 => \%run }, name => $name, %odd);
}

sub _of {
    my ($machines, %with) = @_;
    return UnixBench::Fleet::Machines::of($machines, %with);
}

sub _nasty { return qq{<b>"&'\t\e[31m\n\xff System Benchmarks Index Score 9 } . '-' x 20 }

sub _forced {
    my %hostile = (
        label  => _nasty(),
        name   => _nasty(),
        flags  => _nasty(),
        factor => 0.5,
        facts  => { Kernel => _nasty(), CPU => '2 x AMD EPYC' }
    );
    my @machines = _machines(12, 3 => \%hostile);
    my @classic  = map {
        { %$_, summary => classic($_->{summary}) }
    } splice @machines, 10;
    splice @{ $machines[5]{summary}{runs}[0]{tests} }, 1;
    $machines[7]{summary}{runs} = [];
    return _of([@machines, @classic], is_forced => 1);
}

# Returns a fleet of twelve machines with the whole index: one is noisy, the first is given twice, and a few have
# further runs or one run twice.
sub _omitted {
    my @machines = map { _of_all($_) } 1 .. 12;
    $machines[11] = _of_all(12, 9);
    $_->{summary}{name} = 'twin' for @machines;
    my ($more) = map { @{ $_->{summary}{runs} } } side('x', runs => { 4 => { pipe => spread_rates(1, 0.01) } });
    push @{ $machines[$_]{summary}{runs} }, $more                           for 2, 3;
    push @{ $machines[$_]{summary}{runs} }, $machines[$_]{summary}{runs}[0] for 3, 5;
    %{ $machines[11]{summary} } =
        (%{ $machines[11]{summary} }, facts_of(CPU => '2 x AMD EPYC', 'Input sort.src' => 'b', 'Tool dc' => 'b'));
    return _of([@machines, $machines[0]]);
}

sub _of_all {
    my ($number, $noise) = @_;
    my @names = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);
    my $step  = ($noise || 1) * (0.005 + 0.0005 * ($number % 5));
    my %facts = facts_of(CPU => '2 x AMD EPYC', 'Program pipe' => 'a', 'Input sort.src' => 'a');
    return side("m$number.json", runs => { 1 => { map { $_ => spread_rates(1000, $step) } @names } }, %facts);
}

# Returns a fleet of three kinds: eight hosts, of which one is slow, five that are slower, and one.
sub _kinds {
    my %cpu = (
        a => '4 x AMD EPYC 7763 64-Core Processor',
        b => '4 x Intel(R) Xeon(R) Platinum 8171M CPU @ 2.60GHz',
        c => '8 x AMD EPYC 7763 64-Core Processor',
    );
    my @machines = _machines(14, 4 => { factor => 0.85 }, map { $_ => { factor => 0.78 } } 9 .. 13);
    $machines[$_]{summary}{facts} = { Kernel => '6.1', CPU => $cpu{ $_ < 8 ? 'a' : $_ < 13 ? 'b' : 'c' } } for 0 .. 13;
    return _of(\@machines, judged => 3, shown => 1);
}

# Takes "text", "html" or "markdown", and a fleet; returns its report.
sub fleet_as {
    my ($kind, $fleet) = @_;
    return UnixBench::Fleet::Report::in_format($kind, { fleet => $fleet });
}

# Returns the fleets as a list of name => fleet.
sub fleets {
    my %old = (facts => { Kernel => '5.4.0', CPU => '2 x AMD EPYC' });
    my %odd = (4     => { factor => 0.85,    %old }, 7 => { factor => 1.2 }, 17 => { noise => 9 });
    return (
        odd     => _of([_machines(20, %odd)]),
        kinds   => _kinds(),
        quiet   => _of([_machines(8)]),
        forced  => _forced(),
        omitted => _omitted(),
    );
}

1;
