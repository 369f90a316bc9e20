use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(host measured rendered result run);
use HostTree qw(recorded_tree);
use UnixBench::Host::FactList;
use UnixBench::Host::Facts;
use UnixBench::Store::Redaction;
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording;

# Takes the name of a recorded machine; returns a result of it.
sub recorded {
    my ($machine) = @_;
    my %says      = ('sort --version' => "sort (GNU coreutils) 9.1\n", 'ldd --version' => "ldd (GNU libc) 2.36\n");
    my $facts     = UnixBench::Host::Facts->new(
        root   => recorded_tree($machine),
        env    => {},
        home   => '/no/suite here',
        tmpdir => '/srv/scratch disk/tmp',
        run    => sub { $says{"@{ $_[0] }"} },
        uname  => ['Linux', 'vm', '6.1.0-25-amd64', '#1 SMP PREEMPT_DYNAMIC', 'x86_64'],
        which  => sub { "/bin/$_[0]" },
    )->facts;
    $facts->{programs}            = { 'multi.sh' => 'a' x 64, pipe => 'b' x 64, 'sort.src' => 'c' x 64 };
    $facts->{suite}{git_revision} = 'c' x 40;
    $facts->{tools}{perl}         = 'perl 5.36.0';
    return result([run(1, measured('pipe', 1, 16_359_609))], facts => $facts, host => host(graphics => 'llvmpipe'));
}

# Takes a result; returns a text for each group: its title, then a line "label: text" for each fact.
sub in_words {
    my ($result) = @_;
    return join q{}, map {
        ("$_->{title}\n", map { "  $_->[0]: $_->[1]\n" } @{ $_->{facts} })
    } UnixBench::Host::FactList::groups($result);
}

subtest 'the CPUs that may be used have their number' => sub {
    my %text = ('0' => '1 of 8, CPU 0', '0-1' => '2 of 8, CPUs 0-1', '0-2,5' => '4 of 8, CPUs 0-2,5');
    is(UnixBench::Host::FactList::written(allowed => $_, 8),         $text{$_}, $_) for sort keys %text;
    is(UnixBench::Host::FactList::written(allowed => '0-1', undef),  '0-1',     'the number is unknown');
    is(UnixBench::Host::FactList::written(allowed => undef, 8),      undef,     'all may be used');
    is(UnixBench::Host::FactList::usual_of('process.nice'),          '0',       'a usual value that is not printed');
    is(UnixBench::Host::FactList::usual_of('process.variables.ENV'), 'none',    'a variable that is not set');
    is(UnixBench::Host::FactList::usual_of('cpu.cores'),             undef,     'a fact without a usual value');
    is(UnixBench::Host::FactList::usual_of($_), 'none', "$_: a machine that does not have it has none")
        for qw(process.seccomp process.tracer process.ld_preload cgroup.cpus cgroup.memory_kb);
    is(UnixBench::Host::FactList::usual_of($_, ['cgroup', 'process.nice']), undef, "$_: nobody looked")
        for qw(cgroup.cpus process.nice);
    is(UnixBench::Host::FactList::usual_of('process.tracer', ['cgroup', 'process.nice']), 'none', 'others are known');
};

my $server = recorded('x86-server');
is(in_words($server), <<'END', 'all facts of a server are listed');
System
  Host name: vm
  System: GNU/Linux x86_64
  Load: 0.52, 1.00, 10.25
  Suite: 8.0.0
  Suite revision: cccccccccccccccccccccccccccccccccccccccc
Kernel
  Kernel: 6.18.44 #1 SMP PREEMPT_DYNAMIC
  Kernel command line: quiet preempt=full preempt=voluntary
  Preemption: voluntary
  Timer ticks: 250 Hz
  Clock source: tsc
  Mitigation itlb_multihit: KVM: Mitigation: VMX disabled
  Mitigation l1tf: Not affected
  Mitigation mds: Not affected
  Mitigation meltdown: Not affected
  Mitigation spectre_v1: Mitigation: usercopy/swapgs barriers and __user pointer sanitization
  Mitigation spectre_v2: Mitigation: Enhanced / Automatic IBRS; IBPB: conditional; BHI: SW loop
Processors
  CPU: 4 x Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz
  Sockets: 2
  Cores: 2
  Threads: 4
  SMT: on
  NUMA nodes: 2
  L1 data cache: 2 x 32 KB
  L1 instruction cache: 2 x 32 KB
  L2 cache: 2 x 1 MB
  L3 cache: 2 x 22 MB
  Microcode: 0x5003707
  Frequency: 1200 to 3900 MHz
  Frequency governor: powersave, performance
  Frequency driver: intel_pstate
  Turbo: off
Memory
  Memory: 125 GB
  Swap: 8 GB
  Transparent huge pages: always
  Huge pages: 16 of 1 GB
Limits by control groups
  Process limit: 10813
Virtualization
  Hypervisor: none
  Container: none
Scratch files
  File system: btrfs
  Mount options: nodiratime,ro,space_cache=v2
  Mounted at: /srv/scratch disk
  Device: /dev/sdc1
Software
  Compiler: gcc 12.2.0
  Compiler flags: -O3 -ffast-math -march=native -mtune=native
  Built for: AMD EPYC
  Built with C library: glibc 2.36
  C library: glibc 2.36
  Shell: sh
  sort: sort (GNU coreutils) 9.1
  grep: grep
  Perl: perl 5.36.0
  Language: en_US.utf8, text in UTF-8, sorted as UTF-8
Graphics
  Renderer: llvmpipe
END

my ($processors) = grep { $_->{title} eq 'Processors' } UnixBench::Host::FactList::groups(recorded('arm-board'));
is_deeply(
    [@{ $processors->{facts} }[0, 4 .. 8]],
    [
        ['CPU',                  '2 x ARM Cortex-A53, 1 x ARM Cortex-A72'],
        ['SMT',                  'not supported'],
        ['L1 data cache',        '3 x 32 KB'],
        ['L1 instruction cache', '1 x 48 KB, 2 x 32 KB'],
        ['L2 cache',             '1 x 1 MB, 1 x 512 KB'],
        ['Frequency',            '408 to 1800 MHz'],
    ],
    'both kinds of core of a board are described'
);
my ($limits) = grep { /^Limits/ } map {
    join "\n", $_->{title},
        map { "@$_" }
        @{ $_->{facts} }
} UnixBench::Host::FactList::groups(recorded('container-v1'));
is($limits, <<'END' =~ s/\n\z//r, 'the limits of a container are listed');
Limits by control groups
CPU time limit the time of 1.50 CPUs
CPUs allowed 2-4
Memory limit 512 MB
Process limit 120
END

subtest 'distinctions returns the facts that may differ between results' => sub {
    my $known = UnixBench::Host::FactList::distinctions($server);
    my $here  = $known->{facts};
    my %shown = map { @$_ } map { @{ $_->{facts} } } UnixBench::Host::FactList::groups($server);
    delete @shown{ 'Host name', 'Load', 'Mounted at', 'Device' };
    my %labelled = map { UnixBench::Host::FactList::label_of($_) => $here->{$_} } keys %$here;
    is_deeply(\%labelled, \%shown, 'all facts except those that always differ, by their keys');
    my %files = (
        programs => { 'multi.sh' => 'a' x 16, pipe => 'b' x 16 },
        inputs   => { 'sort.src' => 'c' x 16 },
    );
    is_deeply($known->{files}, \%files, 'each measured file, by its kind');
    my $again = recorded('x86-server');
    $again->{host}{name}  = 'other';
    $again->{facts}{load} = [9, 9, 9];
    @{ $again->{facts}{scratch} }{qw(device mount_point)} = ('/dev/x', '/x');
    $again->{facts}{kernel}{command_line} =~ s{root=\S+}{root=/dev/other BOOT_IMAGE=/x resume=UUID=1 rd.lvm.lv=a/b};
    $again->{facts}{kernel}{command_line} .= ' -- --address 1.2.3.4';
    is_deeply(UnixBench::Host::FactList::distinctions($again), $known, 'the same machine on another day');

    my $other = recorded('x86-server');
    $other->{facts}{kernel}{mitigations}{spectre_v2} = 'Vulnerable';
    $other->{facts}{kernel}{command_line} .= ' mitigations=off';
    $other->{facts}{programs}{pipe} = 'd' x 64;
    $other->{build}{version} = '13.1.0';
    my $there  = UnixBench::Host::FactList::distinctions($other);
    my @differ = grep { $there->{facts}{$_} ne $here->{$_} } sort keys %{ $there->{facts} };
    is_deeply(\@differ, ['build.compiler', 'kernel.command_line', 'kernel.mitigations.spectre_v2'], 'those facts');
    is($there->{files}{programs}{pipe}, 'd' x 16, 'a program differs');
};

subtest 'the build of execl matters if execl was run' => sub {
    my %file = (
        execl_linking => 'dynamically linked by ld-linux-x86-64.so.2 with libc.so.6, position-independent',
        execl_size    => '23456 bytes: text 11012, data 1072, bss 9248',
    );
    my $static = 'statically linked: not comparable with a dynamically linked one, position-independent';
    my ($one, $other) = map { recorded('x86-server') } 1, 2;
    %{ $_->{build} } = (%{ $_->{build} }, %file) for $one, $other;
    @{ $other->{build} }{qw(execl_linking execl_size)} = ($static, '903768 bytes');
    my $without = UnixBench::Host::FactList::distinctions($one);
    is_deeply($without->{program_facts}, {}, 'the build does not matter if execl was not run');
    $_->{runs} = [{ tests => [{ name => 'execl' }] }] for $one, $other;
    my ($here, $there) = map { UnixBench::Host::FactList::distinctions($_)->{program_facts} } $one, $other;
    my @differ = grep { $there->{$_} ne $here->{$_} } sort keys %$there;
    is_deeply(\@differ, ['build.execl_linking', 'build.execl_size'], 'a static build differs from a dynamic one');
};

subtest 'unknown facts are left out' => sub {
    my $result = result([], host => host(cpu_quota => 0.5, memory_kb => 1_048_576));
    is(in_words($result), <<'END', 'a result without facts lists its host and its build');
System
  Host name: vm
  System: GNU/Linux x86_64
  Suite: 8.0.0
Kernel
  Kernel: 6.18.44 #1 SMP PREEMPT_DYNAMIC
Processors
  CPU: 2 x AMD EPYC
Memory
  Memory: 1 GB
Limits by control groups
  CPU time limit: the time of 0.50 CPUs
Software
  Compiler: gcc 12.2.0
  Compiler flags: -O3 -ffast-math -march=native -mtune=native
  Built for: AMD EPYC
  Built with C library: glibc 2.36
  Language: en_US.utf8, text in UTF-8, sorted as UTF-8
END
    is(in_words({}), q{}, 'an empty result lists nothing');
};

subtest 'values are printed in words' => sub {
    my @cases = (
        [size      => 1023,                                     '1023 KB'],
        [size      => 1536,                                     '1.5 MB'],
        [size      => 32_749_000,                               '31.2 GB'],
        [size      => 1024**4 * 3,                              '3 PB'],
        [smt       => 'forceoff',                               'off'],
        [smt       => '4',                                      '4 threads a core'],
        [frequency => { max_mhz => 2600.4 },                    '2600 MHz'],
        [options   => 'rw,lowerdir=/a:/b,upperdir=/c,xino=off', 'rw,xino=off'],
    );
    for my $case (@cases) {
        my ($way, $value, $text) = @$case;
        is(UnixBench::Host::FactList::written($way, $value), $text, "$way: $text");
    }
    is(UnixBench::Host::FactList::written(compiler => 'cc', 'cc (A) 1'), 'cc (A) 1', 'the name is printed once');
    is(in_words({ facts => { memory => { huge_pages => {} } } }),        q{}, 'nothing is said about unknown pages');
};

unlike(in_words($server), qr/\b(?:lps|MWIPS)\b/i, 'facts have no words that other programs look for in reports');

subtest 'what draws is a fact of graphics tests' => sub {
    my $of = sub {
        my ($category, $mesa) = @_;
        my $facts = { $mesa ? (graphics => { opengl => $mesa, session => 'none' }) : () };
        return { facts => $facts, runs => [{ tests => [{ name => 'a test', category => $category }] }] };
    };
    my $about = sub { return UnixBench::Host::FactList::distinctions($of->(@_))->{program_facts} };
    is_deeply($about->('3d', 'Mesa 1'), { 'graphics.opengl' => 'Mesa 1', 'graphics.session' => 'none' }, 'of 3D tests');
    is_deeply($about->('system', 'Mesa 1'), {}, 'not of others');
    my %update = (matters => ['version of OpenGL was Mesa 1, is Mesa 2']);
    is_deeply(changes(map { $of->('3d', $_) } 'Mesa 1', 'Mesa 2'), \%update, 'another driver is not another machine');
    is_deeply(changes(map { $of->('3d', $_) } 'Mesa 1', undef),    {},       'a run without graphics');
};

subtest 'measured files are programs or inputs' => sub {
    my %digest = (map { $_ => 'd' x 64 } 'index.base', 'tst.sh', 'gfx-x11', 'whetstone-double', 'cctest.c');
    my $files  = UnixBench::Host::FactList::distinctions({ facts => { programs => \%digest } })->{files};
    is_deeply([sort keys %{ $files->{programs} }], ['gfx-x11', 'tst.sh', 'whetstone-double'], 'scripts are programs');
    is_deeply([sort keys %{ $files->{inputs} }], ['cctest.c', 'index.base'], 'inputs');
};

subtest 'a page describes the machine' => sub {
    my $html      = rendered(html => $server);
    my ($section) = $html    =~ m{<h2>Machine</h2>(.*)}s;
    my ($folded)  = $section =~ m{(<details>.*?</details>)}s;
    my @titles    = $folded  =~ m{<caption>(.*?)</caption>}g;
    is_deeply(\@titles, [map { $_->{title} } UnixBench::Host::FactList::groups($server)], 'all groups follow');
    like($folded, qr{<th scope="row">L3 cache</th>\n<td>2 x 22 MB</td>}, 'the groups have all their lines');
    $server->{facts}{tools}{sh} = '<b>"&';
    like(rendered(html => $server), qr{<td>&lt;b&gt;&quot;&amp;</td>}, 'HTML in a fact is escaped');
};

# What changes during a run.

# Takes changes of a machine: recorded files, variables of the environment (env) and keys of the host (host). Returns
# the head of a result of it.
sub head {
    my (%other) = @_;
    my %file = (
        '/proc/cpuinfo'                                         => "processor : 0\nmodel name : AMD EPYC\n",
        '/proc/self/stat'                                       => _stat($other{nice} // 0),
        '/proc/self/status'                                     => "Seccomp:\t0\n",
        '/proc/self/limits'                                     => "Max stack size   8388608   unlimited   bytes\n",
        '/proc/mounts'                                          => "/dev/sda1 / ext4 rw,relatime 0 0\n",
        '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor' => "performance\n",
        '/sys/devices/system/cpu/vulnerabilities/meltdown'      => "Mitigation: PTI\n",
        '/sys/devices/system/cpu/vulnerabilities/spectre_v2'    => "Mitigation: Retpolines\n",
        %{ $other{files} || {} },
    );
    my $facts = UnixBench::Host::Facts->new(
        recorded => \%file,
        env      => $other{env} || {},
        home     => '/no/suite here',
        tmpdir   => '/no such/scratch',
        uname    => ['Linux', 'vm', '6.18.44', '#1 SMP PREEMPT_DYNAMIC', 'x86_64'],
        which    => sub { return },
    )->facts;
    return result([], host => host(%{ $other{host} || {} }), facts => $facts);
}

# Takes a nice value; returns a line like /proc/self/stat.
sub _stat {
    my ($nice) = @_;
    my @fields = (0) x 49;
    @fields[15, 16] = (20 + $nice, $nice);    # fields 18 and 19 of proc(5), behind the state
    return "1 (Run) S @fields[1 .. $#fields]\n";
}

# Takes two heads; returns { meaning => [changes in words] }.
sub changes {
    my %words;
    push @{ $words{ $_->{meaning} } }, UnixBench::Host::FactList::change_in_words($_)
        for UnixBench::Host::FactList::changes(@_);
    return \%words;
}

my $began = head();
is_deeply(changes($began, head()),                                  {}, 'the same conditions');
is_deeply(changes($began, head(host => { uptime => 'up 2 days' })), {}, 'a later time changes nothing');

subtest 'what decides the numbers, and what only may matter' => sub {
    my $cpu   = '/sys/devices/system/cpu';
    my @cases = (
        [decides => { host => { name => 'other' } },           'host name was vm, is other'],
        [decides => { nice => 19 },                            'nice value was 0, is 19'],
        [decides => { env  => { LD_PRELOAD => '/lib/x.so' } }, 'LD_PRELOAD was none, is /lib/x.so'],
        [decides => { env  => { OMP_NUM_THREADS => 1 } },      'OMP_NUM_THREADS was none, is 1'],
        [
            decides => { files => { '/proc/self/status' => "Seccomp:\t2\n" } },
            'system call filter was none, is seccomp filter'
        ],
        [
            decides => { files => { '/proc/self/limits' => "Max stack size   unlimited   unlimited   bytes\n" } },
            'stack limit was 8 MB, is unlimited'
        ],
        [matters => { env => { TMPDIR => '/x' } }, 'TMPDIR was none, is /x'],
        [
            matters => { files => { "$cpu/cpu0/cpufreq/scaling_governor" => "powersave\n" } },
            'frequency governor was performance, is powersave'
        ],
        [
            matters => { files => { "$cpu/vulnerabilities/meltdown" => "Vulnerable\n" } },
            'mitigation meltdown was Mitigation: PTI, is Vulnerable'
        ],
    );
    for my $case (@cases) {
        my ($meaning, $other, $words) = @$case;
        is_deeply(changes($began, head(%$other)), { $meaning => [$words] }, $words);
    }
};

subtest 'changes that are known already' => sub {
    my $now   = head(nice => 5);
    my @first = UnixBench::Host::FactList::changes($began, $now);
    is_deeply(\@first, [{ fact => 'process.nice', meaning => 'decides', was => '0', is => '5' }], 'key and texts');
    is_deeply(changes($began, $now,   \@first), {},                                        'it is not reported again');
    is_deeply(changes($began, head(), \@first), { decides => ['nice value was 5, is 0'] }, 'the way back is a change');
};

subtest 'a result has both values, and one warning' => sub {
    my @changes = (
        { at => 1_700_000_000, fact => 'cpu.governor',                  was => 'performance', is => 'powersave' },
        { at => 1_700_000_000, fact => 'process.nice',                  was => '0',           is => '5' },
        { at => 1_700_000_100, fact => 'process.nice',                  was => '5',           is => '0' },
        { at => 1_700_000_100, fact => 'kernel.mitigations.spectre_v2', was => 'Mitigation: Retpolines', is => undef },
    );
    my $result = { %$began, runs => [run(1, measured('pipe', 1, 16_359_609))], changes => \@changes };
    my %fact   = map { @$_ } map { @{ $_->{facts} } } UnixBench::Host::FactList::groups($result);
    is($fact{'Nice value'},            '0, then 5, then 0',                 'a usual value that changed');
    is($fact{'Mitigation spectre_v2'}, 'Mitigation: Retpolines, then none', 'one of several facts');
    is($fact{'Mitigation meltdown'},   'Mitigation: PTI',                   'the others are as they were');
    is(UnixBench::Host::FactList::distinctions($result)->{facts}{'process.nice'}, '0, then 5, then 0', 'all values');
    my @warnings = grep { $_->{kind} eq 'changes' } UnixBench::Warnings::All::of($result);
    is_deeply(
        [map { UnixBench::Warnings::Wording::of($_)->{seen} } @warnings],
        [
                  'Changed during the run: frequency governor was performance, is powersave; nice value was 0, is 5; '
                . 'nice value was 5, is 0; mitigation spectre_v2 was Mitigation: Retpolines, is none.'
        ],
        'one warning has all changes'
    );
};

subtest 'names are removed from changes' => sub {
    my $redaction = UnixBench::Store::Redaction->new(directories => {});
    my @changes   = (
        { at => 1, fact => 'host.name',          was => 'secret',           is => 'other' },
        { at => 1, fact => 'scratch.device',     was => '/dev/mapper/jane', is => undef },
        { at => 1, fact => 'process.ld_preload', was => undef,              is => '/opt/jane/x.so' },
    );
    my $env    = { LD_ORIGIN_PATH => '/opt/acme/lib' };
    my $result = $redaction->result({ %{ head(env => $env) }, changes => \@changes });
    my @hidden = ([qw(... ...)], ['...', undef], [undef, '...']);
    is_deeply([map { [@$_{qw(was is)}] } @{ $result->{changes} }], \@hidden, 'in all texts');
    is($result->{facts}{process}{variables}, undef, 'and variables');
};

done_testing;
