# The facts of FreeBSD, NetBSD, OpenBSD and macOS, from what sysctl(8) prints there, which is written after the manual
# pages, and not recorded on machines.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(recorded_tree);
use UnixBench::Host::Facts;
use UnixBench::Host::Machine;

my $EPYC = 'AMD EPYC 7B13';

# Name of the system, uname, what sysctl says; model and number of CPUs, memory in KB, and the other facts.
my @CASES = (
    [
        ['FreeBSD', 'a', '14.2-RELEASE', 'FreeBSD 14.2-RELEASE GENERIC', 'amd64'],
        {
            'hw.model'       => $EPYC,
            'hw.ncpu'        => 8,
            'hw.physmem'     => 34_217_545_728,
            'kern.smp.cores' => 4,
            'kern.vm_guest'  => 'kvm',
            'vm.loadavg'     => '{ 0,52 0,60 1,00 }',
        },
        [$EPYC, 8, 33_415_572],
        { 'cpu cores' => 4, 'virtualization hypervisor' => 'kvm', load => [0.52, 0.6, 1] },
    ],
    [
        ['NetBSD', 'a', '10.1', 'NetBSD 10.1 (GENERIC)', 'amd64'],
        {
            'machdep.cpu.brand_string' => $EPYC,
            'hw.ncpuonline'            => 6,
            'hw.ncpu'                  => 8,
            'hw.physmem'               => -1,
            'hw.physmem64'             => 34_217_545_728,
        },
        [$EPYC, 6, 33_415_572],
        {},
    ],
    [
        ['Darwin', 'a', '23.6.0', 'Darwin Kernel Version 23.6.0', 'arm64'],
        {
            'machdep.cpu.brand_string' => 'Apple M2',
            'hw.ncpu'                  => 8,
            'hw.memsize'               => 17_179_869_184,
            'hw.physicalcpu'           => 8,
            'hw.logicalcpu'            => 8,
            'vm.loadavg'               => 'x',
        },
        ['Apple M2', 8, 16_777_216],
        { 'cpu cores' => 8 },
    ],
);

# Returns those of the facts that are known and of this machine, as { "group fact" => value }.
sub known {
    my ($facts) = @_;
    my %known = (load => $facts->{load});
    for my $group (qw(kernel cpu cgroup process virtualization scratch)) {
        $known{"$group $_"} = $facts->{$group}{$_} for grep { !ref $facts->{$group}{$_} } keys %{ $facts->{$group} };
    }
    delete @known{ grep { !defined $known{$_} } keys %known };
    return \%known;
}

for my $case (@CASES) {
    my ($uname, $says, $basic, $others) = @$case;
    my ($model, $cpus, $memory_kb) = @$basic;
    my $run     = sub { return "@{ $_[0] }" =~ /\Asysctl -n (.*)/ ? $says->{$1} : undef };
    my %machine = (root => recorded_tree('nothing'), run => $run, uname => $uname);
    my $facts   = UnixBench::Host::Facts->new(%machine, env => {}, which => sub { undef })->facts;
    is_deeply($facts->{cpu}{models}, [{ model => $model, count => $cpus }], "$uname->[0]: the models");
    is($facts->{tools}{libc}, "@$uname[0, 2]", "$uname->[0]: the C library has the version of the system");
    is_deeply(known($facts), { 'cpu threads' => $cpus, %$others }, "$uname->[0]: the facts that sysctl knows");

    my $host = UnixBench::Host::Machine->new(%machine, sysconf => sub { undef });
    is_deeply(
        [$host->cpu_kind, $host->usable_cpus, map { $host->head->{$_} } qw(memory_kb os release machine)],
        [@$basic, @$uname[0, 2, 4]],
        "$uname->[0]: what every report has"
    );
    is_deeply([grep { defined } values %{ $host->limits }], [], "$uname->[0]: no limit is guessed");
}

done_testing;
