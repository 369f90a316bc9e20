# The facts of FreeBSD, NetBSD, OpenBSD and macOS, from what sysctl(8) prints there. Its output in t/data/sysctl is
# written after the manual pages, and not recorded on machines.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(text_of);
use UnixBench::Host::Facts;
use UnixBench::Host::Machine;

my $DATA = "$FindBin::Bin/../../data";

# Takes the name of a system; returns a function that runs commands there. The systems have no other programs.
sub run_on {
    my ($system) = @_;
    my %says = text_of("$DATA/sysctl/$system") =~ /^([\w.]+)(?:: | ?= ?)(.*)$/mg;
    return sub {
        my ($command, $option, $name) = @{ $_[0] };
        return $command eq 'sysctl' && $option eq '-n' && defined $says{$name} ? "$says{$name}\n" : undef;
    };
}

# Returns the arguments of a machine with that system, without /proc and /sys, ten minutes after its start.
sub machine_with {
    my ($system, @uname) = @_;
    return (root => "$DATA/hosts/nothing", run => run_on($system), uname => \@uname, now => sub { 1_764_100_600 });
}

# Returns those of the facts that are known, as { "group fact" => value }.
sub known {
    my ($facts) = @_;
    my %known;
    for my $group (sort keys %$facts) {
        my $value = $facts->{$group};
        my %of    = ref $value eq 'HASH' ? map { ("$group $_" => $value->{$_}) } keys %$value : ($group => $value);
        defined $of{$_} and $known{$_} = $of{$_} for keys %of;
    }
    delete @known{ 'suite version', 'tools perl', 'scratch free_kb' };
    return \%known;
}

# What all of them have: the load, and groups of facts of Linux without a value.
my %EACH = (
    load                => [0.52, 0.6, 1],
    'cpu frequency'     => { min_mhz     => undef, max_mhz => undef },
    'memory huge_pages' => { transparent => undef, count   => undef, size_kb => undef },
);

# Name of the file, uname, model and number of CPUs, and the other facts.
my @CASES = (
    [
        freebsd => ['FreeBSD', 'a', '14.2-RELEASE', 'FreeBSD 14.2-RELEASE GENERIC', 'amd64'],
        'AMD EPYC 7B13', 8,
        'cpu cores'                 => 4,
        'cpu numa_nodes'            => 1,
        'kernel clock_source'       => 'TSC-low',
        'kernel hz'                 => 1000,
        'memory swap_kb'            => 1_048_576,
        'memory total_kb'           => 33_415_572,
        'tools libc'                => 'FreeBSD 14.2-RELEASE',
        'virtualization hypervisor' => 'kvm',
        'uptime_s'                  => 600,
    ],
    [
        netbsd => ['NetBSD', 'a', '10.1', 'NetBSD 10.1 (GENERIC)', 'amd64'],
        'AMD EPYC 7B13', 6,
        'kernel clock_source' => 'TSC',
        'kernel hz'           => 100,
        'memory total_kb'     => 33_415_572,
        'tools libc'          => 'NetBSD 10.1',
    ],
    [
        openbsd => ['OpenBSD', 'a', '7.7', 'GENERIC.MP#625', 'amd64'],
        'AMD EPYC 7B13', 4,
        'kernel clock_source' => 'tsc',
        'kernel hz'           => 100,
        'memory total_kb'     => 33_415_572,
        'tools libc'          => 'OpenBSD 7.7',
    ],
    [
        macos => ['Darwin', 'a', '23.6.0', 'Darwin Kernel Version 23.6.0', 'arm64'],
        'Apple M2', 8,
        'cpu cores'       => 8,
        'cpu sockets'     => 1,
        'kernel hz'       => 100,
        'memory total_kb' => 16_777_216,
        'tools libc'      => 'Darwin 23.6.0',
        'uptime_s'        => 600,
    ],
);

for my $case (@CASES) {
    my ($system, $uname, $model, $cpus, %others) = @$case;
    my %machine = machine_with($system, @$uname);
    my $facts   = UnixBench::Host::Facts->new(%machine, env => {}, which => sub { undef })->facts;
    my %of_cpus = ('cpu models' => [{ model => $model, count => $cpus }], 'cpu threads' => $cpus);
    is_deeply(known($facts), { %EACH, %of_cpus, %others }, "$system: the facts that sysctl knows, and no others");

    my $host  = UnixBench::Host::Machine->new(%machine, sysconf => sub { undef });
    my $basic = $host->facts;
    is_deeply(
        [@$basic{qw(os release machine memory_kb)}],
        [@$uname[0, 2, 4], $others{'memory total_kb'}],
        "$system: what every report has"
    );
    is_deeply([map { $_->{model} } @{ $basic->{cpus} }], [($model) x $cpus], "$system: the CPUs");
    is($host->usable_cpus, $cpus,  "$system: the CPUs that are online");
    is($host->cpu_kind,    $model, "$system: the kind of CPU");
    is_deeply([grep { defined } values %{ $host->limits }], [], "$system: no limit is guessed");
}

done_testing;
