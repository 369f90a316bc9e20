use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases qw(cases);
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording qw(gathered);

my %of_passes = (level  => 'disturbed', worst       => 0.7, passes    => 1, badly => 1, of => 9, titles => ['A', 'B']);
my %load      = (load   => undef,       passes      => 3,   badly     => 2, of           => 9);
my %worst     = (others => 0.7,         another_run => 2,   run_queue => 9, pressure_cpu => 0.2);
my %cause     = map { $_ => { cause => $_, worst => $worst{$_}, passes => 3, badly => 1 } } keys %worst;
my %of_test   = (test => 'pipe', title => 'Pipe Throughput');
my @modes     = ({ rate => 100, share => 0.25 }, { rate => 200, share => 0.75 });

# [kind of warning, its data, pattern of the sentences on what was seen].
my @CASES = (
    [
        burst => \%of_passes,
        qr/\A1 of 9 passes was disturbed, in A and B: no steal .* up to 70 % of the time later[.]\z/
    ],
    [load => { load => 0.82, causes => [] }, qr/\AOther load: load average 0[.]82[.]\z/],
    [
        load => { %load, load => 0.82, causes => [$cause{others}] },
        qr/\AOther load: load average 0[.]82, 0[.]70 CPUs used [(]2 of 9 passes[)][.]\z/
    ],
    [
        load => { %load, badly => 0, causes => [@cause{qw(others another_run run_queue pressure_cpu)}] },
        qr/\AOther load: 0[.]70 CPUs used, 2 other Runs, 9 processes waited [(]slight in 3 of 9 passes, .* none[)][.]\z/
    ],
    [
        load =>
            { %load, causes => [$cause{pressure_cpu}], by => [{ name => 'yes', pid => 7, cpus => 1, passes => 2 }] },
        qr/: waiting for a CPU 20 % [(]2 of 9 passes[)]; yes [(]PID 7[)] used 1[.]00 CPUs in 2 passes[.]\z/
    ],
    [
        overtime => { took_s => 85.4, limit_s => 60 },
        qr/\AThe rounds that are always made took 85 s; the time limit was 60 s/
    ],
    [
        precision => { rounds => 7, wanted => 0.01, half_width => 0.018, of => 'S', is_index => 1, costly => ['A'] },
        qr/\AS index: precision after 7 rounds is \+-1[.]8 % \(wanted \+-1 %\)[.] The least precise test is A[.]\z/
    ],
    [
        precision => { rounds => 7, wanted => 0.01, half_width => 0.01004, of => 'S', costly => [] },
        qr/\AS: precision after 7 rounds is \+-1[.]004 % \(wanted \+-1 %\)[.]\z/
    ],
    [
        precision => { rounds => 7, wanted => 0.01, half_width => 0.02, of => 'S', costly => ['A', 'B'] },
        qr/ The least precise tests are A and B[.]\z/
    ],
    [
        precision => { rounds => 3, wanted => 0.01, half_width => undef, of => undef, costly => [] },
        qr/\AThe mean of all scores: precision after 3 rounds is unknown \(wanted \+-1 %\)[.]\z/
    ],
    [modes => { %of_test, modes => \@modes }, qr/\APipe Throughput has two modes: 100[.]0 in 25 % and 200[.]0 in 75 %/],
    [first_pass   => { %of_test, behind => 0.12 },  qr/The first pass of Pipe Throughput was 12 % slower/],
    [trend        => { %of_test, rise => -0.05 },   qr/\APipe Throughput got 5 % slower/],
    [trend        => { %of_test, rise => 0.05 },    qr/\APipe Throughput got 5 % faster/],
    [varied       => { %of_test, cv => 0.071 },     qr/\APipe Throughput varies by 7[.]1 %/],
    [quota        => { cpus => 0.5, of => 2 },      qr/limits CPU time to that of 0[.]50 of 2 CPUs[.]\z/],
    [governor     => { governor => "power\nsave" }, qr/governor is "power\\nsave"[.]\z/],
    [turbo        => {},                            qr/\ATurbo is on: /],
    [scratch      => { file_system => 'tmpfs' },                 qr/in memory \(tmpfs\)/],
    [locale       => { lang        => 'C', charmap => 'ASCII' }, qr/"C", with text in ASCII/],
    [debug_kernel => { debug       => [qw(KASAN KCSAN)] },       qr/KASAN and KCSAN/],
    [clock        => { set_s       => -3600.4 },                 qr/was set back by 3600 s during the run[.]\z/],
    [clock        => { set_s       => 86_400 },                  qr/was set forward by 86400 s during the run[.]\z/],
    [hypervisor   => { hypervisor  => 'kvm' },                   qr/virtual \(kvm\)/],
);

for my $case (@CASES) {
    my ($kind, $holds, $seen) = @$case;
    my $words = UnixBench::Warnings::Wording::of({ kind => $kind, test => undef, copies => undef, %$holds });
    like($words->{seen}, $seen, "$kind: the sentences on what was seen");
    is(scalar(grep { $words->{$_} =~ /\A[A-Z0-9].*[.]\z/ && $words->{$_} !~ /[{}]|  / } qw(seen why advice)),
        3, "$kind: all three texts are sentences");
    unlike(
        join(q{ }, values %$words),
        qr/lps|MWIPS|aborting|of tests|Index Score/i,
        "$kind: no words that other programs look for"
    );
}

# [kind of warning, its data, what was seen in a result, the same before a run].
#<<< a table
my @TENSES = (
    [tracer => { tracer => 'strace' }, './Run was traced by strace.', './Run is traced by strace.'],
    [
        seccomp => { mode => 'filter' }, 'System calls were filtered (seccomp mode filter).',
        'System calls are filtered (seccomp mode filter).'
    ],
    [
        preload => { set => [[LD_PRELOAD => '/x.so'], ['/etc/ld.so.preload' => "a\tb"]] },
        'A library was loaded into every measured program: LD_PRELOAD (/x.so) and /etc/ld.so.preload (a\tb).',
        'A library is loaded into every measured program: LD_PRELOAD (/x.so) and /etc/ld.so.preload (a\tb).'
    ],
    [
        libraries => { set => [[LD_LIBRARY_PATH => '/l']] }, 'The measured programs ran with LD_LIBRARY_PATH (/l).',
        'The measured programs run with LD_LIBRARY_PATH (/l).'
    ],
    [nice => { nice => 5 }, 'The tests ran with the nice value 5.', 'The tests would run with the nice value 5.'],
    [
        class => { class => 'SCHED_FIFO' }, 'The tests ran in the scheduling class SCHED_FIFO.',
        'The tests would run in the scheduling class SCHED_FIFO.'
    ],
    [turbo => {}, ('Turbo is on: CPUs may exceed their nominal frequency.') x 2],
);
#>>>
for my $case (@TENSES) {
    my ($kind, $holds, @seen) = @$case;
    my %warning = (kind => $kind, copies => undef, %$holds);
    my @words   = (UnixBench::Warnings::Wording::of(\%warning), UnixBench::Warnings::Wording::before(\%warning));
    is_deeply([map { $_->{seen} } @words], \@seen, "$kind: in a result and before a run");
}
is(
    UnixBench::Warnings::Wording::of({ kind => 'tracer', tracer => 'gdb', titles => ['A', 'B'] })->{seen},
    'Copies were traced by gdb, in these tests: A and B.',
    'copies that were traced'
);

my %context = (kind => 'modes', test => 'context1', title => 'Pipe-based Context Switching', modes => \@modes);
like(
    UnixBench::Warnings::Wording::of(\%context)->{advice},
    qr{pgms/context1 10 -p same[.] The other one: pgms/context1 10 -p apart},
    'the advice for context1 names its two modes'
);

like(
    UnixBench::Warnings::Wording::of({ %of_passes, kind => 'steal', passes => 2, badly => 0, copies => 4 })->{seen},
    qr/\A4 copies: 2 of 9 passes were slightly disturbed, in A and B: the hypervisor/,
    'the text has copies, numbers of passes and level'
);
like(
    UnixBench::Warnings::Wording::of({ %of_passes, kind => 'steal', passes => 9, badly => 9 })->{seen},
    qr/\Aall 9 passes were disturbed, in A and B: /i,
    'all passes'
);
like(
    UnixBench::Warnings::Wording::of({ %of_passes, kind => 'steal', passes => 3, badly => 1 })->{seen},
    qr/\A3 of 9 passes were disturbed, 2 of them slightly, in A and B: /,
    'two of three passes were disturbed a little'
);

subtest 'every warning of every case has words' => sub {
    for my $warning (map { UnixBench::Warnings::All::of($_->{result}) } cases()) {
        my $words = UnixBench::Warnings::Wording::of($warning);
        is(scalar(grep { defined && length } @$words{qw(seen why advice)}), 3, "words for $warning->{kind}");
    }
};

subtest 'warnings of the same kind are gathered' => sub {
    my @warnings = map { +{ kind => $_->[0], test => $_->[1], title => $_->[1], cv => $_->[2], rise => $_->[2] } }
        [trend => 'A', 0.1], [varied => 'A', 0.1], ['turbo'], [varied => 'B', 0.3], [trend => 'B', 0.3];
    my ($trend, $varied, @others) = gathered(@warnings);
    is(scalar @others, 1, 'warnings of the same kind are one group');
    is_deeply([map { /\A(\w+) got/ } @{ $trend->{seen} }], ['A', 'B'], 'a group is in the order of its warnings');
    is_deeply(
        $varied->{seen},
        ['Some scores vary by more than 5 % from pass to pass, B most: by 30 %.'],
        'tests that vary are one sentence, about the worst one'
    );
    is_deeply([gathered()], [], 'without warnings there are no groups');
};

done_testing;
