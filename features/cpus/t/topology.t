use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../lib ../../../t/lib);
use HostTree                       qw(recorded_hosts recorded_tree);
use MadeUpCpus                     qw(files_of plan_of topology_of);
use UnixBench::Call                ();
use UnixBench::Cpus::Command       ();
use UnixBench::Cpus::Measurement   ();
use UnixBench::Cpus::Topology      ();
use UnixBench::Host::KernelFiles   ();

# What the kernel declares, and what is measured where.

# Returns CPUs, two of each core: neighbours, or those of the first and the second half.
sub neighbours {
    my ($cpus) = @_;
    return [map { +{ core => int($_ / 2) } } 0 .. $cpus - 1];
}

sub halves {
    my ($cpus) = @_;
    return [map { +{ core => $_ % ($cpus / 2) } } 0 .. $cpus - 1];
}

sub cores {
    my ($cpus) = @_;
    return [map { +{} } 1 .. $cpus];
}

sub words { return UnixBench::Cpus::Topology::in_words(topology_of(@_)) }

subtest 'what is declared, in words' => sub {
    is(words(halves(8)),                          '8 CPUs: 1 socket, 4 cores, 2 threads each', 'threads');
    is(words(cores(2)),                           '2 CPUs: 1 socket, 2 cores, 1 thread each',  'cores');
    is(words([map { +{ socket => $_ } } 0 .. 7]), '8 CPUs: 8 sockets, 8 cores, 1 thread each', 'sockets');
    my $mixed = '3 CPUs: 1 socket, 2 cores, 1 or 2 threads each';
    is(words([{ core => 0 }, { core => 0 }, { core => 1 }]), $mixed,                                'mixed cores');
    is(words(halves(8), allowed => '0-2,4'), '4 of 8 CPUs: 1 socket, 3 cores, 1 or 2 threads each', 'a cpuset');
    my $online = '/sys/devices/system/cpu/online';
    my $three  = '3 CPUs: 1 socket, 3 cores, 1 thread each';
    is(words(cores(4), files => { $online => "0,2-3\n" }), $three, 'a CPU is offline');
    my $bare = UnixBench::Host::KernelFiles->new(recorded => { '/proc/self/status' => "Cpus_allowed_list:\t0-3\n" });
    my $four = '4 CPUs: 1 socket, 4 cores, 1 thread each';
    is(UnixBench::Cpus::Topology::in_words(UnixBench::Cpus::Topology::of($bare)), $four, 'without /sys');
    is(words(cores(2), allowed => '5,9'), '2 CPUs: 1 socket, 2 cores, 1 thread each',    'a container shows others');

    for my $host (recorded_hosts()) {
        my $topology = UnixBench::Cpus::Topology::of(UnixBench::Host::KernelFiles->new(root => recorded_tree($host)));
        my %cpus     = map { $_ => 1 } map { @$_ } @{ $topology->{cores} };
        is(scalar keys %cpus, scalar @{ $topology->{cpus} }, "$host: each CPU is in one core");
    }
};

# Takes the name of a test; returns why its copies can't be counted, or undef.
sub why_not {
    my ($name) = @_;
    my $call = UnixBench::Call->new(options => { counted => $name });
    return eval { UnixBench::Cpus::Command::prepare($call); 1 } ? undef : $@;
}

subtest 'refusals' => sub {
    my %why = (
        'one CPU'         => [cores(1), {}, qr/this machine has only one\n\z/],
        'a cpuset of one' =>
            [cores(4), { allowed => '2' }, qr/this process may use only CPU 2: see taskset and cpuset\n\z/],
        'no CPUs' =>
            [cores(1), { allowed => q{}, files => { '/sys/devices/system/cpu/online' => q{} } }, qr/Linux only/],
    );
    for my $name (sort keys %why) {
        my ($cpus, $how, $why) = @{ $why{$name} };
        like(eval { UnixBench::Cpus::Command::refuse(topology_of($cpus, %$how)); q{} } // $@, $why, $name);
    }
    ok(eval { UnixBench::Cpus::Command::refuse(topology_of(cores(2))); 1 }, 'two CPUs are enough');
    like(why_not('pipes'), qr/no test/, 'an unknown test');
    is(why_not($_), undef, "$_ can be counted") for qw(dhry2reg syscall pipe hanoi);
    like(why_not($_), qr/compute/, "$_ can't")  for qw(context1 shell1 fstime whetstone-double);
};

# Returns the places of two processes, in short.
sub places_of {
    return join ' ', map { "$_->{name}: @{ $_->{cpus} };" } UnixBench::Cpus::Topology::of_two(topology_of(@_));
}

subtest 'places of two processes' => sub {
    is(places_of(cores(2)),  'same CPU: 0 0; two cores: 0 1;',                'two cores');
    is(places_of(halves(8)), 'same CPU: 0 0; one core: 0 4; two cores: 0 1;', 'threads');
    my @large = map { +{ core => int($_ / 2), l3 => int($_ / 4), node => int($_ / 8), socket => int($_ / 8) } } 0 .. 15;
    is(places_of(\@large), 'same CPU: 0 0; one core: 0 1; two cores: 0 2; two L3s: 0 4; two nodes: 0 8;', 'all places');
    my @sockets = map { +{ l3 => $_, node => $_, socket => $_ } } 0 .. 1;
    is(places_of(\@sockets), 'same CPU: 0 0; two nodes: 0 1;', 'one CPU in each node');
};

sub half_of { return UnixBench::Cpus::Topology::of_half(topology_of(@_)) }

my @CORES = (declared => 0, is_mixed => q{});

subtest 'half of the copies' => sub {
    my $threads =
        { declared => 1, copies => 4, packed => [[0, 4, 1, 5], [2, 6, 3, 7]], spread => [[0 .. 3], [4 .. 7]] };
    is_deeply(half_of(halves(8)), $threads, 'threads: both halves of the cores, and both threads of each');
    my $cores = { declared => 1, copies => 2, packed => [[0, 1], [4, 5]], spread => [[0, 2, 4], [1, 3, 5]] };
    is_deeply(half_of(neighbours(6)), $cores, 'three cores: one is packed, all are spread');
    is_deeply(half_of(cores(8)),      { @CORES, copies => 4, packed => [[0 .. 3]], spread => [[0, 4, 2, 6]] }, 'cores');
    is_deeply(half_of(cores(3)),      { @CORES, copies => 2, packed => [[0, 1]], spread => [[0, 2]] }, 'three cores');
    my @kinds = ({ capacity => 2 }, map { +{ capacity => 1 } } 0 .. 3);
    ok(half_of(\@kinds)->{is_mixed}, 'copies that are slower than the fastest CPU');
    my $pair = { declared => 1, copies => 2, packed => [[0, 1], [0, 1]], spread => [[0, 2], [1, 2]] };
    is_deeply(half_of([{ core => 0 }, { core => 0 }, { core => 1 }]), $pair, 'one core of two has threads');
    is_deeply(half_of(cores(2)),      { declared => 0, copies => 2 }, 'two CPUs have no half');
    is_deeply(half_of(neighbours(2)), { declared => 1, copies => 2 }, 'one core has no half');
};

subtest 'classes, and the sample of a large machine' => sub {
    my @mixed = ((map { +{ capacity => 400 } } 0 .. 3), map { +{ capacity => 1024 } } 4 .. 7);
    is_deeply([UnixBench::Cpus::Topology::classes(topology_of(\@mixed))], [[4 .. 7], [0 .. 3]], 'by their capacity');
    my $hybrid = topology_of(cores(4),
        files => { '/sys/devices/cpu_core/cpus' => "0-1\n", '/sys/devices/cpu_atom/cpus' => "2-3\n" });
    is_deeply([UnixBench::Cpus::Topology::classes($hybrid)], [[0, 1], [2, 3]], 'hybrid CPUs');
    is_deeply([UnixBench::Cpus::Topology::names_of($hybrid, [0, 1], [2, 3])],   [qw(cpu_core cpu_atom)], 'their names');
    is_deeply([UnixBench::Cpus::Topology::names_of($hybrid, [0],    [1 .. 3])], ['kind 1', 'kind 2'], 'others are not');
    my $info = join "\n", map { "processor\t: $_\nCPU part\t: " . ($_ < 2 ? '0xd05' : '0xd0b') . "\n" } 0 .. 3;
    my $arm  = topology_of(cores(4), files => { '/proc/cpuinfo' => $info });
    is_deeply([UnixBench::Cpus::Topology::names_of($arm, [2, 3], [0, 1])], ['part 0xd0b', 'part 0xd05'], 'ARM');
    my @large  = ((map { +{ capacity => 1024 } } 1 .. 56), map { +{ capacity => 400 } } 1 .. 8);
    my @sample = UnixBench::Cpus::Measurement::sample(topology_of(\@large));
    is(scalar(grep { $_ >= 56 } @sample), 2,  'a small class has two CPUs in it');
    is(scalar @sample,                    16, 'the sample has 16');
};

subtest 'conditions' => sub {
    my $plan = plan_of(topology_of(halves(8)));
    my %of   = map { $_->{key} => $_ } @{ $plan->{conditions} };
    is(scalar keys %of, 8 + 1 + 4 + 2 + 3 + 1, 'alone, spread and packed, all, places, taken');
    is_deeply([@{ $of{'place one core'} }{qw(test places)}], ['context1', [['0,4']]], 'both processes are one copy');
    my $last = UnixBench::Cpus::Measurement::rounds($plan, sub { return { rate => 1, slice => $_[0] } })->[-1];
    is_deeply($last->{'packed syscall'}{slice}{cpus}, [0, 4, 1, 5], 'the seventh round has the first half');
    is_deeply($last->{'alone syscall'}{slice}{cpus},  [6],          'and the seventh CPU');
};

# The seconds of seven rounds of 0.22 s. Large machines also need time to start their copies.
for my $case ([2 => 12.5], [64 => 45], [576 => 45]) {
    my ($cpus, $most) = @$case;
    my @cpus = map { +{ core => int $_ / 2, l3 => int $_ / 16, node => int $_ / 32 } } 1 .. $cpus;
    cmp_ok(7 * 0.22 * @{ plan_of(topology_of(\@cpus))->{conditions} }, '<=', $most, "$cpus CPUs: the seconds");
}

done_testing;
