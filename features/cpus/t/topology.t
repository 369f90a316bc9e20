use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../lib ../../../t/lib);
use HostTree                       qw(recorded_hosts recorded_tree);
use MadeUpCpus                     qw(plan_of topology_of);
use Needs                          qw(need_built skip_without);
use Place                          qw(content place write_file);
use TestProgram                    qw(command is_error run waits_at_gate);
use UnixBench::Call                ();
use UnixBench::Cpus::Command       ();
use UnixBench::Cpus::Measurement   ();
use UnixBench::Cpus::Topology      ();
use UnixBench::Host::KernelFiles   ();
use UnixBench::Base::Clock         ();
use UnixBench::Cpus::Slices        ();

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

# The programs place and taken; and slices, with programs that report known numbers.

my $place = place();
mkdir "$place/$_" or die "mkdir: $!\n" for qw(bin proc);

# Takes the name of a program, and what it reports; makes it. It takes the time that it reports.
sub program {
    my ($name, @lines) = @_;
    my $said = join "\n", @lines;
    my $path = write_file("$place/bin/$name", "#!/bin/sh\nsleep 0.2\ncat >&2 <<END\n$said\nEND\n");
    return chmod 0755, $path;
}

my $path = write_file("$place/bin/place", qq{#!/bin/sh\necho "\$@" >> $place/started\nshift 2\nexec "\$@"\n});
chmod 0755, $path;
write_file("$place/proc/stat", "cpu  1 1 1 1 1 1 1 0\ncpu0 1 1 1 1 1 1 1 0\n");
my %settings = (home => "$place", bindir => "$place/bin", tmpdir => "$place/tmp", testdir => "$place");
my $files    = UnixBench::Host::KernelFiles->new(root => "$place");
my $SLICES =
    UnixBench::Cpus::Slices->new(clock => UnixBench::Base::Clock->new, files => $files, settings => \%settings);

# Takes keys of a slice; returns what is measured.
sub measured { return $SLICES->measured({ key => 'x', what => 'alone', test => 'dhry2reg', cpus => [0], @_ }) }

# Returns the line of a copy that waited for that part of 0.2 s.
sub used { my ($part) = @_; return 'USED|200000|200000|1|1|1|1|1|1|' . 200_000 * $part }

sub near { my ($value, $expected, $name) = @_; return cmp_ok(abs($value - $expected), '<', 0.001 * $expected, $name) }

subtest 'copies on their CPUs' => sub {
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2', used(0));
    my $slice = measured(what => 'all', cpus => [3, 5]);
    near($slice->{rate},    10_000, 'the rate of both');
    near($slice->{seconds}, 0.4,    'their time');
    my @started = sort split /\n/, content("$place/started");
    like($started[0], qr{\A3 20 \S+/dhry2reg 0[.]2\z}, 'the first on its CPU, after 20 ms of work');
    like($started[1], qr{\A5 20 \S+/dhry2reg 0[.]2\z}, 'the second');
    is_deeply([glob "$place/tmp/*/copy*/*"], [], 'scratch files are removed');
};

subtest 'time of other processes' => sub {
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2', used(0.5));
    my $slice = measured();
    near($slice->{rate},     10_000, 'the time for which a copy waited for others is left out');
    near($slice->{waited_s}, 0.1,    'and reported');
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2', used(1));
    near(measured()->{rate}, 250_000, 'at most 98 % of it');
    program('dhry2reg', 'COUNT|1000|1|lps', 'TIME|0.2');
    my $unknown = measured();
    near($unknown->{rate}, 5000, 'without that time, nothing is left out');
    is($unknown->{waited_s}, undef, 'it is unknown');
    program('context1', 'COUNT|1000|1|lps', 'TIME|0.2', used(0.5));
    near(measured(what => 'place', test => 'context1', cpus => ['0,1'])->{rate},
        5000, 'two processes wait for each other');
};

subtest 'pieces' => sub {
    program('taken', 'PIECES0|100:300|900:400', 'PIECES1|2000:500', 'COUNT|198800|1|us', 'TIME|0.2', used(0));
    my $slice = measured(what => 'taken', test => undef, cpus => [0]);
    is_deeply(
        [map { [$_->[0], map { sprintf '%.6f', $_ } @$_[1, 2]] } @{ $slice->{pieces} }],
        [[0, '0.000100', '0.000300'], [0, '0.000900', '0.000400'], [0, '0.002000', '0.000500']],
        'of all lines, in order'
    );
    is($slice->{stolen_s},    undef, 'what was stolen is unknown, since /proc/stat stands still');
    is($slice->{throttled_s}, undef, 'a quota is unknown');
};

subtest 'a copy that is not on its CPU between two looks at the clock' => sub {
    my @right = ('COUNT|1000|1|lps', 'TIME|0.2', 'USED|200000|200000|1|1|1|1|1|1|0');
    for my $wrong (['clock is wrong', qr/200000[|]/, '300000|'], ['counted nothing', qr/1000/, '0']) {
        my ($why, $from, $to) = @$wrong;
        program('dhry2reg', @right);
        my $text = content("$place/bin/dhry2reg");
        write_file("$place/bin/right",    $text);
        write_file("$place/bin/dhry2reg", $text =~ s/$from/$to/r);
        my $always = content("$place/bin/dhry2reg");
        my $once   = "mv $place/bin/right $place/bin/dhry2reg; chmod 755 $place/bin/dhry2reg";
        write_file("$place/bin/dhry2reg", $always =~ s/^sleep/$once\nsleep/mr);
        near(measured()->{rate}, 5000, "$why: the slice is measured again");
        write_file("$place/bin/dhry2reg", $always);
        like(eval { measured(); 1 } // $@, qr/\Ax: .*$why/, "$why: at most ten times");
    }
};

subtest 'a copy that fails' => sub {
    program('dhry2reg', 'ERROR|it broke');
    is(eval { measured(); 1 } // $@, "x: it broke\n", 'the condition and the reason');
    my $looks = unlink "$place/started";
    no warnings qw(once redefine);
    local *UnixBench::Process::stops = sub { return $looks++ > 1 };
    is(eval { measured(); 1 } // $@,                    "x: it broke\n", 'after a stop, the slice is measured again');
    is(scalar(() = content("$place/started") =~ /\n/g), 2,               'once');
};

$SLICES->release;
is_deeply([glob "$place/tmp/*"], [], 'the scratch directory is removed');

# The programs place and taken.

subtest 'the programs' => sub {
    need_built(qw(place taken));
    skip_without(machine => 'Linux') if $^O ne 'linux';
    my @CPUS = UnixBench::Host::KernelFiles::ids_of(UnixBench::Host::KernelFiles->new->allowed_cpus // q{});

    my @wrong = ('place', 'place 0', 'place 0 0', 'place x 0 true', 'place 0,x 0 true', 'place 8192 0 true');
    for my $words (@wrong, 'place 0 1001 true', 'taken', 'taken x', 'taken 1 1') {
        is_error(run(command(split q{ }, $words)), 2, 'usage', $words);
    }
    is_error(run(command('place', 8000,     0, '/bin/true')), 1, q{can't be bound},     'a CPU that is not there');
    is_error(run(command('place', $CPUS[0], 0, '/none')),     1, 'execv: No such file', 'a program that is not there');

    subtest 'a process on the chosen CPUs' => sub {
        for my $cpus ($CPUS[-1], join q{,}, @CPUS[0, -1]) {
            my $ran = run(command(
                'place', $cpus, 0, '/bin/sh', '-c', 'cat /proc/self/status; echo $UB_TIME $UB_USED ${UB_GATE-none}'
            ));
            my ($list) = $ran->{out} =~ /^Cpus_allowed_list:\s*(\S+)$/m;
            my %given  = map { $_ => 1 } split /,/, $cpus;
            is_deeply([UnixBench::Host::KernelFiles::ids_of($list)], [sort { $a <=> $b } keys %given], "CPUs $cpus");
            like($ran->{out}, qr/^1 1 none$/m, 'the program reports its time and what it used, and passes no gate');
        }
    };

    subtest 'the gate' => sub {
        waits_at_gate('place', command('place', $CPUS[0], 0, command('taken', 0.01)->[0], 0.01), 0);
        waits_at_gate('taken', command('taken', 0.01), 0);
    };

    subtest 'taken time' => sub {
        my $ran     = run(command('taken', 0.05), env => { UB_USED => 1 });
        my ($count) = $ran->{err}                                         =~ /^COUNT[|]([0-9]+)[|]1[|]us$/m;
        my ($time)  = $ran->{err}                                         =~ /^TIME[|]([0-9.]+)$/m;
        my @pieces  = map { [split /:/] } map { split /[|]/ } $ran->{err} =~ /^PIECES[0-9]+[|](.*)$/mg;
        my $missing = 0;
        $missing += $_->[1] for @pieces;
        cmp_ok(abs($count + $missing - $time * 1e6), '<=', 2 + @pieces, 'the count and the pieces are the whole time');
        like($ran->{err}, qr/^USED[|]/m, 'it reports what it used');
        is(scalar(grep { $_->[1] < 200 } @pieces), 0, 'a piece has 0.2 ms at least');
    };
};

done_testing;
