package FleetLists;

# The lists of hosts that reports are tested with.

use strict;
use warnings;

use Exporter 'import';

use Machines qw(spread_rates summary);
use UnixBench::Fleet::Machines;
use UnixBench::Fleet::Hosts;

our @EXPORT_OK = qw(fleet_lists hostile);

# Returns a text that would disturb every format.
sub hostile { return qq{<b>"&'\t\e[31m|\n\xff System Benchmarks Index Score 9} }

# Takes a name, an outcome or a verdict, and more about the try; returns the try.
sub _try {
    my ($host, $outcome, %more) = @_;
    my %end = $outcome =~ /[A-Z]/ ? (outcome => 'measured', verdict => $outcome) : (outcome => $outcome);
    return { host => $host, shares => undef, phase => 'alone', try => 1, reason => undef, %end, %more };
}

# Takes a name, a verdict or "measured", a rate, and more about the try, perhaps with facts; returns a measured try.
sub _measured {
    my ($host, $verdict, $rate, %more) = @_;
    my %facts   = (Kernel => '6.18.44', CPU => '2 x AMD EPYC', %{ delete $more{facts} || {} });
    my %runs    = (1      => { pipe => spread_rates($rate, 0.01), spawn => spread_rates($rate / 100, 0.01) });
    my $summary = summary(runs => \%runs, name => 'vm', facts => \%facts);
    return _try(
        $host, $verdict,
        summary => $summary,
        indexes => UnixBench::Fleet::Hosts::indexes($summary),
        cases   => [map { _case($_, $verdict) } @{ $summary->{runs}[0]{tests} }],
        %more
    );
}

# Takes a test of a summary and the verdict on its host; returns the case of the test, and that of a requirement for it.
sub _case {
    my ($test, $verdict) = @_;
    my %shared = (copies => 1, run => 0, reason => undef, name => $test->{name});
    my %case   = (%shared, kind => 'test', verdict => 'PASS', map { $_ => $test->{$_} } qw(title score unit));
    return \%case if $verdict eq 'measured' || $test->{name} ne 'pipe';
    my %value = (classic => $test->{score}, map { $_ => $test->{estimate}{$_} } qw(value low high));
    return (\%case, { %shared, kind => 'requirement', verdict => $verdict, title => 'pipe>=900000', %value });
}

# Takes tries; returns the list.
sub _list {
    my (@tries)  = @_;
    my @hosts    = UnixBench::Fleet::Hosts::of(@tries);
    my @machines = map { { label => $_->{name}, summary => { %{ $_->{counted}{summary} }, name => $_->{name} } } }
        grep { $_->{outcome} eq 'measured' } @hosts;
    return {
        hosts   => \@hosts,
        fleet   => @machines ? UnixBench::Fleet::Machines::of(\@machines, judged => 3, shown => 1) : undef,
        sharing => [UnixBench::Fleet::Hosts::sharing(@hosts)],
    };
}

# Returns the lists as a list of name => list: hosts with every outcome, a single host, none that was measured, and one
# whose result has no run.
sub fleet_lists {
    my @mixed = (
        (map { _measured("node$_", 'PASS', 1_000_000 + 1000 * $_, shares => 'hv1') } 1 .. 3),
        _measured('slow',  'FAIL',         500_000, facts => { 'CPU time limit' => 'the time of 0.50 CPUs' }),
        _measured('again', 'FAIL',         870_000),
        _measured('again', 'INCONCLUSIVE', 899_000, try => 2),
        _measured('open',  'INCONCLUSIVE', 901_000),
        _try('broken',  'failed',      reason => '"Pipe Throughput": exit status 3'),
        _try('gone',    'unreachable', reason => 'No route to host.'),
        _try('gone',    'unreachable', reason => 'No route to host.', try => 2),
        _try('small',   'refused'),
        _try('later',   'untried', reason => 'The machine was not tried.'),
        _try('busy',    'running'),
        _try('broken',  'failed', reason => '"Pipe Throughput": exit status 3',     try     => 2),
        _try('crashed', 'failed', reason => '"Pipe Throughput": killed by SIGSEGV', verdict => 'FAIL'),
        _measured('node1', 'PASS', 800_000, phase => 'together', shares => 'hv1'),
        _measured('node2', 'PASS', 700_000, phase => 'together', shares => 'hv1'),
        _try('node3', 'failed', phase => 'together', shares => 'hv1', reason => 'The time limit is over.'),
    );
    return (
        mixed => _list(@mixed),
        one   => _list(_measured('one', 'measured', 1_000_000)),
        bare  => _list(_try('bare', 'measured', summary => summary(runs => {}, name => 'vm'), cases => [])),
        lost  => _list(_try('a',    'refused',  reason  => hostile()), _try('b', 'unreachable', reason => hostile())),
    );
}

1;
