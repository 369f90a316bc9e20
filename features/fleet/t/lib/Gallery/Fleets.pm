package Gallery::Fleets;

# Hosts of fleets with invented results, and the lists with which reports are tested.

use strict;
use warnings;

use Exporter 'import';

use Machines qw(classic facts_of hostile spread_rates summary);
use UnixBench::Fleet::Standing;
use UnixBench::Fleet::Report;

our @EXPORT_OK = qw(fleet_lists host_of hosts_of list_of measured);

# Takes a name, an outcome or a verdict, and more about the host; returns the host.
sub host_of {
    my ($host, $outcome, %more) = @_;
    my %end = $outcome =~ /[A-Z]/ ? (outcome => 'measured', verdict => $outcome) : (outcome => $outcome);
    return { host => $host, reason => undef, file => undef, cases => [], %end, %more };
}

# Takes a name, a factor of its speed, and perhaps verdict, file, runs (instead of one of one copy), is_classic, and
# parts of its summary; returns a measured host.
sub measured {
    my ($name, $factor, %with)        = @_;
    my ($verdict, $file, $is_classic) = delete @with{qw(verdict file is_classic)};
    my %run     = (pipe => spread_rates(1_635_960 * $factor, 0.01), spawn => spread_rates(8238 * $factor, 0.01));
    my $summary = summary(name => $name, runs => { 1 => \%run }, %with);
    my $own     = $is_classic ? classic($summary) : $summary;
    my %result  = (name => $name, summary => $own, readings => UnixBench::Fleet::Standing::readings($own));
    my @cases   = map { _cases($_, $verdict) } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return host_of($name, $verdict // 'measured', file => $file // "$name.json", cases => \@cases, %result);
}

# Takes a beginning of names, [factors], and what all have in their results; returns the measured hosts NAME1 and so on.
sub hosts_of {
    my ($name, $factors, %with) = @_;
    return map { measured($name . (1 + $_), $factors->[$_], %with) } 0 .. $#$factors;
}

# Takes a test of a summary and the verdict on its host, or undef; returns the case of the test, and perhaps that of a
# requirement for it.
sub _cases {
    my ($test, $verdict) = @_;
    my %shared = (copies => 1, run => 0, reason => undef, name => $test->{name});
    my %case   = (%shared, kind => 'test', verdict => 'PASS', map { $_ => $test->{$_} } qw(title score unit));
    return \%case if !defined $verdict || $test->{name} ne 'pipe';
    my %value = (classic => $test->{score}, map { $_ => $test->{estimate}{$_} } qw(value low high));
    return (\%case, { %shared, kind => 'requirement', verdict => $verdict, title => 'pipe>=900000', %value });
}

# Takes hosts; returns their list.
sub list_of {
    my (@hosts) = @_;
    return { %{ UnixBench::Fleet::Standing::of(grep { $_->{outcome} eq 'measured' } @hosts) }, hosts => \@hosts };
}

# Returns hosts of three kinds: eight, of which one is slow, five that are slower, and one.
sub _kinds {
    my %cpu = (
        a => '4 x AMD EPYC 7763 64-Core Processor',
        b => '4 x Intel(R) Xeon(R) Platinum 8171M CPU @ 2.60GHz',
        c => '8 x AMD EPYC 7763 64-Core Processor',
    );
    my %of = map { $_ => { facts_of(Kernel => '6.1', CPU => $cpu{$_}) } } keys %cpu;
    return (
        hosts_of(a => [map({ 1 + 0.001 * $_ } 1 .. 7), 0.85], %{ $of{a} }),
        hosts_of(b => [map { 0.78 + 0.001 * $_ } 1 .. 5],     %{ $of{b} }),
        hosts_of(c => [1],                                    %{ $of{c} }),
    );
}

# Returns the lists as a list of name => list: hosts with every outcome, those of several kinds, a single host, none
# that was measured, one whose result has no run, and a hostile one.
sub fleet_lists {
    my %limited = facts_of(Kernel => '6.18.44', CPU => '2 x AMD EPYC', 'CPU time limit' => 'the time of 0.50 CPUs');
    my @mixed   = (
        (map { measured("node$_", 1 + 0.001 * $_, verdict => 'PASS') } 1 .. 3),
        measured(slow => 0.5,  verdict => 'FAIL', %limited),
        measured(open => 0.97, verdict => 'INCONCLUSIVE'),
        measured(fast => 1.3,  verdict => 'PASS'),
        host_of(broken => 'failed',      reason => '"Pipe Throughput": exit status 3'),
        host_of(gone   => 'unreachable', reason => 'No route to host.'),
        host_of(small  => 'refused'),
        host_of(later  => 'untried', reason => 'The machine was not tried.'),
        host_of(busy   => 'running'),
        { %{ host_of(crashed => 'failed', reason => '"Pipe Throughput": killed by SIGSEGV') }, verdict => 'FAIL' },
    );
    my @usual   = hosts_of(m => [1, 1.001, 1.002]);
    my %hostile = (facts_of(Kernel => hostile(), CPU => '2 x AMD EPYC'), notes => [hostile()]);
    return (
        mixed   => list_of(@mixed),
        kinds   => list_of(_kinds()),
        one     => list_of(measured(one => 1)),
        bare    => list_of(@usual, measured(bare => 1, runs => {})),
        lost    => list_of(map { host_of($_ => 'refused', reason => hostile()) } qw(a b)),
        hostile => list_of(@usual, measured(hostile() => 0.5, %hostile)),
        classic => list_of(@usual, hosts_of(text => [1, 1, 0.5], is_classic => 1, notes => ['The host is unknown.'])),
    );
}

# Returns the pages, each { name, html }.
sub pages {
    my %list = fleet_lists();
    return
        map { { name => "fleet-$_", html => UnixBench::Fleet::Report::in_format($list{$_}, 'html') } }
        qw(kinds mixed hostile);
}

1;
