use strict;
use warnings;

use FindBin;
use IO::Socket::INET;
use List::Util ();
use POSIX      ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree                qw(recorded_hosts recorded_tree);
use Place                   qw(place write_file);
use UnixBench::Host::Cgroup ();
use UnixBench::Host::Facts;
use UnixBench::Host::KernelFiles;
use UnixBench::Host::Machine;
use UnixBench::Host::XServer;

my $root = "$FindBin::Bin/../../..";

# Takes a recorded machine and the output of programs, { "words of the command" => text }; returns the machine.
sub host {
    my ($name, %says) = @_;
    return UnixBench::Host::Machine->new(
        root    => recorded_tree($name),
        run     => sub { $says{"@{ $_[0] }"} },
        uname   => $says{uname} || ['Linux', 'vm', '6.18.44', '#1 SMP', 'x86_64'],
        now     => sub { 0 },
        sysconf => sub { $says{sysconf} ? $says{sysconf}->(@_) : undef },
    );
}

my $x86 = host(
    'x86-vm',
    'uname -o' => "GNU/Linux\n",
    uptime     => " 02:12:30 up 2 min,  0 user\n",
    runlevel   => "N 5\n",
);
my $facts = $x86->head;
my @cpus  = @{ delete $facts->{cpus} };
is_deeply(
    $facts,
    {
        name      => 'vm',
        system    => 'GNU/Linux',
        os        => 'GNU/Linux',
        release   => '6.18.44',
        version   => '#1 SMP',
        machine   => 'x86_64',
        platform  => 'unknown',
        memory_kb => 48_518_792,
        graphics  => undef,
        uptime    => '02:12:30 up 2 min,  0 user; runlevel 5',
    },
    'facts of an x86 machine'
);
is_deeply([map { @$_{qw(id model bogomips)} } @cpus], [0, 'AMD EPYC', '5192.2', 1, 'AMD EPYC', '5192.2'], 'its CPUs');
is_deeply([@{ $cpus[1]{flags} }[0, 6], $cpus[1]{features}], ['fpu', 'pae', []], 'flags of an x86 CPU');

my @models = (
    ['aarch64-neoverse-n1', 4, 3, 'ARM Neoverse-N1',                         '50.0'],
    ['power9',              4, 9, 'POWER9 (architected), altivec supported', undef],
    ['riscv-u74',           4, 3, 'sifive,u74-mc (rv64imafdc)',              undef],
    ['s390-z14',            2, 1, 'IBM z14',                                 '3241.0'],
    ['arm-old-kernel',      2, 1, 'ARM Cortex-A9',                           '790.5'],
    ['one-cpu',             1, 0, 'Intel(R) Pentium(R) 4 CPU 3.00GHz',       '5985.5'],
);

for my $case (@models) {
    my ($name, $count, @last) = @$case;
    my $cpus = host($name)->head->{cpus};
    is(scalar @$cpus, $count, "$name: number of CPUs");
    is_deeply([@{ $cpus->[-1] }{qw(id model bogomips)}], \@last, "$name: the last CPU");
}
my $arm = host('aarch64-neoverse-n1')->head->{cpus}[0];
is_deeply([@{ $arm->{features} }[0, 1], $arm->{flags}], ['fp', 'asimd', []], 'features of an ARM CPU');
like(
    UnixBench::Host::Linux::cpus_in("processor: 0\nCPU implementer: 0x41\nCPU part: 0xfff\n")->[0]{model},
    qr/^ARM part 0xfff$/,
    'an ARM part without a name has its number'
);

my %usable = (
    'power9'       => 4,
    'riscv-u74'    => 2,
    'container-v1' => 3,
    'container-v2' => 2,
    'nothing'      => 1,
    'offline-cpus' => 5,
    'nested-v2'    => 2,
    'outside-v1'   => 3,
);
is(host($_)->usable_cpus, $usable{$_}, "$_: number of usable CPUs") for sort keys %usable;
my @counters = ([nproc => 5], ['getconf _NPROCESSORS_ONLN' => 6], ['sysctl -n hw.ncpu' => 4]);
is(host('nothing', map { @$_ } @counters[$_ .. 2])->usable_cpus, $counters[$_][1], "without /proc: $counters[$_][0]")
    for 0 .. 2;
{
    local @ENV{qw(OMP_NUM_THREADS OMP_THREAD_LIMIT)} = (7, 3);
    my $nproc = sub { (List::Util::first { defined } @ENV{qw(OMP_THREAD_LIMIT OMP_NUM_THREADS)}, 6) . "\n" };
    is(UnixBench::Host::Machine->new(root => recorded_tree('nothing'), run => $nproc)->usable_cpus,
        6, 'the variables of OpenMP do not change the number of usable CPUs');
}

is(host('container-v1')->quota, 1.5, 'quota, version 1');
is(host('container-v2')->quota, 2.5, 'quota of a parent group, version 2');
for my $case (['container-v1', 150_000, 100_000], ['nested-v2', 150_000, 100_000], ['nothing']) {
    my ($name, @us) = @$case;
    my $files = UnixBench::Host::KernelFiles->new(root => recorded_tree($name));
    is_deeply([UnixBench::Host::Cgroup->new(files => $files)->run_and_period_us], \@us, "$name: run and period");
}
is(host('nested-v2')->quota,  1.5,   'the quota of a parent group is used if it is lower');
is(host('outside-v1')->quota, 0.5,   'quota of a group whose path is outside of the mount');
is(host($_)->quota,           undef, "$_: no quota") for qw(x86-vm one-cpu nothing);

is_deeply(
    host('container-v1')->limits,
    {
        open_files       => 1024,
        open_files_max   => 4096,
        descriptors      => undef,
        cgroup_processes => 100,
        memory_kb        => 16_000_000,
        cgroup_memory_kb => 524_288,
    },
    'limits with control groups of version 1'
);
is_deeply(
    host('nested-v2')->limits,
    {
        open_files       => 1024,
        open_files_max   => 524_288,
        descriptors      => undef,
        processes        => 200,
        processes_max    => 400,
        user_processes   => 24,
        cgroup_processes => undef,
        memory_kb        => 16_000_000,
        cgroup_memory_kb => 524_288,
    },
    'limits of an ordinary user with control groups of version 2'
);
my $container = host('outside-v1')->limits;
is_deeply([@$container{qw(processes user_processes)}], [500, 1], 'root in a container has a limit of processes');
is($container->{cgroup_memory_kb},                   393_216, 'the memory of files counts as free in a control group');
is(host('container-v2')->limits->{cgroup_processes}, 60,      'process limit of a control group, version 2');

is(host($_)->limits->{processes}, undef, "$_: root or a capability removes the limit of processes")
    for qw(x86-vm offline-cpus);

my %sysconf = (POSIX::_SC_OPEN_MAX() => 256, POSIX::_SC_CHILD_MAX() => 266);
is_deeply(
    host('nothing', sysconf => sub { $sysconf{ $_[0] } })->limits,
    { open_files => 256, processes => $> == 0 ? undef : 266 },
    'without /proc the limits of sysconf are used'
);

my $DF = "Filesystem 1024-blocks Used Available Capacity Mounted on\n";
my @DF = (
    ["$DF/dev/vda 100 60 30 67% /\n",                       30],
    ["$DF//server/a 7 b 100 60 30 67% /mnt/a 1 2 3 4% b\n", 30],
    ["$DF/dev/vda 100 99 -4 104% /\n",                      0],
    ["${DF}fuse 0 0 0 - /mnt\n",                            undef],
    [undef,                                                 undef],
);
is(host('nothing', 'df -P -k /' => $_->[0])->space('/not there/below')->{free_kb},
    $_->[1], 'free: ' . ($_->[0] // 'no df'))
    for @DF;
is(host('nothing')->space('/')->{device}, (stat '/')[0], 'the device of a path');
my $files = UnixBench::Host::KernelFiles->new(root => recorded_tree('nested-v2'));
ok($files->is_in_memory(26),            'tmpfs is in memory');
ok(!$files->is_in_memory(254 << 8 | 3), 'a disk is not in memory');

{
    local $ENV{PATH} = "$root/t/data:$root/t/bin";
    my $host = host('nothing');
    ok($host->has_program('count'),            'a program in PATH is found');
    ok($host->has_program("$root/t/bin/hang"), 'a program with its path is found');
    ok(!$host->has_program($_),                "$_ is not a program")
        for 'hosts', '../host.t', "$root/t/unit/Host/machine.t", 'no-such-program';
}

is(host('x86-vm', uname => ['Linux', $_, 1, 1, 1])->head->{name}, 'localhost', "no host name: '$_'") for q{}, '(none)';

is(
    host('x86-vm', uptime => 'up', 'who -r' => "         run-level 3  2026-11-20 02:10\n")->head->{uptime},
    'up; runlevel 3',
    'the run level is read from who'
);
like(host('x86-vm')->head->{uptime},  qr/^\d\d:\d\d:\d\d up 2 min,  load average: 0\.02, 0\.03, 0\.00$/, 'no uptime');
like(host('one-cpu')->head->{uptime}, qr/ up 1 day,  3:25,  load average: 1\.00/, 'uptime of more than a day');
is(host('nothing')->head->{uptime}, 'uptime unknown', 'without uptime and /proc, the uptime is unknown');
my $question = 'env LC_ALL=en_US.utf8 locale -k charmap collate-codeset';
is_deeply(
    host('x86-vm', $question => qq{charmap="UTF-8"\ncollate-codeset="UTF-8"\n})->language('en_US.utf8'),
    { lang => 'en_US.utf8', charmap => 'UTF-8', collate => 'UTF-8' },
    'the language has character set and collation'
);
is(host('x86-vm')->language('xx_XX.utf8')->{charmap}, 'ANSI_X3.4-1968', 'a language that is not installed');

subtest 'programs are run once for the same question' => sub {
    my %asked;
    my $machine =
        UnixBench::Host::Machine->new(root => recorded_tree('nothing'), run => sub { $asked{ $_[0][0] }++; return });
    $machine->language('C') for 1, 2;
    $machine->space($_) for '/', '/not there', '/not there/below';
    is_deeply(\%asked, { df => 1, env => 1 }, 'df runs once for a file system, and locale once for a language');
};

is(host('x86-vm')->cpu_kind,  'AMD EPYC, cpu family 26, model 2', 'kind of CPU');
is(host('nothing')->cpu_kind, undef,                              'no kind of CPU without /proc');
for my $name (grep { !/nothing/ } recorded_hosts()) {
    open my $script, '-|', 'sh', "$root/build/record.sh", '--cpu', recorded_tree($name) or die "sh: $!\n";
    chomp(my $kind = <$script>);
    close $script;
    is(host($name)->cpu_kind, $kind, "$name: build/record.sh names the same kind of CPU");
}

# The facts of FreeBSD, NetBSD, OpenBSD and macOS, from what sysctl(8) prints there, which is written after the manual
# pages, and not recorded on machines.
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

my (%is_asked, @ahead);
my $machine = UnixBench::Host::Facts->new(
    root  => recorded_tree('x86-vm'),
    env   => {},
    which => sub { $_[0] =~ m{\A/} ? $_[0] : "/bin/$_[0]" },
    run   => sub { $is_asked{"@{ $_[0] }"} = 1; return },
    ahead => sub { @ahead                  = map { "@$_" } @_ },
);
$machine->ask_ahead('en_US.utf8');
$machine->head;
$machine->language('en_US.utf8');
$machine->facts;
cmp_ok(scalar @ahead, '>', 5, 'programs are run ahead');
is_deeply([grep { !$is_asked{$_} } @ahead], [], 'what is run ahead is what is asked then, word by word');

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

# Whether a display can be opened: a server that accepts, refuses, wants a key, is silent, or is not there.

use constant KEY => "\1\2|\n" x 4;

my $listener = List::Util::first { defined }
map { IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 6000 + $_, Listen => 5) } 1000 .. 1100;
die "no port is free\n" if !$listener;
my $number = $listener->sockport - 6000;

# Takes the environment, and what the server answers to a request for each connection; returns the error, or "open".
sub opened {
    my ($env, @answers) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        for my $answer (@answers) {
            my $client = $listener->accept;
            sysread $client, my $request, 1000;
            syswrite $client, $answer->($request);
        }
        require POSIX;
        POSIX::_exit(0);
    }
    my $is_open = eval { UnixBench::Host::XServer->connected({ DISPLAY => "127.0.0.1:$number.0", %$env }) };
    my $said    = $is_open ? 'open' : $@;
    kill KILL => $pid;
    waitpid $pid, 0;
    return $said;
}

sub accepts { return pack 'C x S2 S', 1, 11, 0, 0 }
sub refuses { return pack 'C2 S2 S a*', 0, 9, 11, 0, 3, "go away\e\n\0\0\0" }

# A file of keys, and one that is torn.
my $keys  = pack('n (n/a*)4', 256, 'here', $number,     'MIT-MAGIC-COOKIE-1', KEY);
my $other = pack('n (n/a*)4', 256, 'here', $number + 1, 'MIT-MAGIC-COOKIE-1', 'another');
my $place = place();
my %file  = map { $_->[0] => write_file("$place/$_->[0]", $_->[1]) } ['good', $other . $keys],
    ['torn', substr $keys, 0, 30];

is(opened({}, \&accepts), 'open', 'a server that accepts');
socketpair my $socket, my $peer, Socket::PF_UNIX(), Socket::SOCK_STREAM(), 0 or die "socketpair: $!\n";
for my $case ([$socket, $^O eq 'linux' ? $$ : undef, 'of a local server'], [$listener, undef, 'elsewhere']) {
    is(bless({ socket => $case->[0] }, 'UnixBench::Host::XServer')->pid, $case->[1], "the process: $case->[2]");
}
like(opened({}, \&refuses), qr/\Ago away\S*\n\z/, 'the reason of one that refuses');
is(opened({}, sub { q{} }), "it closed the connection\n", 'a server that ends');
my $with_key = sub { index($_[0], KEY) == 30 + 2 ? accepts() : refuses() };
is(opened({ XAUTHORITY => $file{good} }, $with_key), 'open', 'the key of this display is used');
like(opened({ XAUTHORITY => $file{torn} }, $with_key), qr/\Ago away/, 'a torn file has no key');

for my $case (
    [':64999',          qr/\ANo such file/],
    ['nonsense',        qr/\Ait is not the name/],
    ["127.0.0.1:59000", qr/refused|argument/i]
    )
{
    my ($name, $why) = @$case;
    eval { UnixBench::Host::XServer->connected({ DISPLAY => $name }) };
    like($@, qr/$why.*\n\z/, "$name can't be opened");
}
is(UnixBench::Host::XServer->connected({ DISPLAY => '/private/tmp/org.xquartz:0' }), undef, 'known to libraries');

done_testing;
