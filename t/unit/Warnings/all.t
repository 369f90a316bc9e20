use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture       qw(failed host measured quick_run result run sliced tag tagged);
use StatesInTurns qw(states_in_turns);
use Cases         qw(cases);
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording qw(merged);

# Takes runs, and facts of a result to replace; returns its warnings by their kind.
sub warnings {
    my ($runs, %facts) = @_;
    return map { $_->{kind} => $_ } UnixBench::Warnings::All::of(result($runs, %facts));
}

# Takes the same; returns the kinds of the warnings, in order.
sub kinds {
    return join q{ }, map { $_->{kind} } UnixBench::Warnings::All::of(result(@_));
}

# Takes a name; returns a test with six passes that differ by 0.1 %.
sub calm { my ($name) = @_; return measured($name, 1, 1000, 1001, 999, 1000, 1001, 999) }

sub disturbed { my ($cause, $value) = @_; return tag($cause, 'disturbed', $value) }

is(kinds([run(1, calm('pipe'),                       calm('spawn'))]),           q{}, 'a good run has no warning');
is(kinds([run(1, failed('pipe', 'gone', 1000, 2000), measured('spawn', 1, 9))]), q{}, 'nor failed or single ones');

subtest 'disturbances of a run are summarised' => sub {
    my %pipe  = (2 => [disturbed(steal => 0.07), tag('others', 'note', 0.03)], 3 => [tag('steal', 'note', 0.02)]);
    my @tests = (tagged(calm('pipe'), \%pipe), tagged(calm('spawn'), { 1 => [tag('steal', 'note', 0.01)] }));
    my %found = warnings([run(1, calm('pipe')), run(4, @tests)]);
    is_deeply([sort keys %found], [qw(load steal)], 'each cause has one warning, and other load is one');
    my %place = (run => 1, copies => 4, test => undef);
    is_deeply(
        $found{steal},
        {
            %place,
            kind   => 'steal',
            worst  => 0.07,
            passes => 3,
            badly  => 1,
            of     => 12
        },
        'a warning says how often, where and how badly'
    );
    is($found{load}{badly}, 0, 'a cause with notes alone did not disturb a pass badly');
    my @low = map { tag($_, 'disturbed', 1), tag($_, 'disturbed', 0.5) } qw(affinity overlap);
    my %low = warnings([run(1, tagged(calm('pipe'), { 2 => [@low[0, 2]], 3 => [@low[1, 3]] }))]);
    is_deeply([map { $low{$_}{worst} } qw(affinity overlap)], [0.5, 0.5], 'the lowest is the worst: affinity, overlap');
    my $unknown = tagged(calm('pipe'), { 2 => [tag('moon', 'note', 1)] });
    is(kinds([run(1, $unknown)]), 'moon', 'a cause that this version does not know has its name');
};

subtest 'load before the run is recognised' => sub {
    my %early = (1 => [tag('run_queue', 'note', 2), tag('swap', 'note', 4)]);
    my $load  = sub { my ($load) = @_; return (facts => { load => [$load, 0, 0] }) };
    is(kinds([run(1, calm('pipe'))], $load->(0.49)), q{},    'an idle machine');
    is(kinds([],                     $load->(0.5)),  'load', 'a machine that is not idle');
    my @run   = run(1, tagged(calm('pipe'), \%early), calm('spawn'));
    my %found = warnings(\@run, $load->(0.2));
    is_deeply([sort keys %found], [qw(load swap)], 'processes that waited are other load');
    is_deeply(
        $found{load},
        {
            kind   => 'load',
            load   => undef,
            causes => [{ cause => 'run_queue', worst => 2, passes => 1, badly => 0 }],
            passes => 1,
            badly  => 0,
            of     => 12,
            map { $_ => undef } qw(run copies test)
        },
        'the warning has the causes and the passes'
    );
    my %both = warnings(\@run, $load->(0.8));
    is($both{load}{load}, 0.8, 'and the load average, if that is high');
    is(kinds([@run, run(4, tagged(calm('pipe'), \%early))], $load->(0.8)), 'load swap swap', 'one for all runs');
};

subtest 'what other load explains is marked' => sub {
    my @wild = map { 1000 + 200 * ($_ % 2) } 1 .. 12;
    my $of   = sub {
        my ($passes) = @_;
        my $pipe     = tagged(measured('pipe', 1, @wild), { map { $_ => [disturbed(others => 0.5)] } 1 .. $passes });
        my %found    = warnings([run(1, $pipe)]);
        return $found{varied}{is_by_load};
    };
    is_deeply([map { $of->($_) } 0, 12], [undef, 1], 'passes that vary');
    my @late  = (disturbed(late => 2), disturbed(overlap => 0.5), disturbed(steal => 0.2), disturbed(others => 0.5));
    my %found = warnings([run(1, tagged(calm('pipe'), { 1 => \@late }))]);
    is_deeply([map { $found{$_}{is_by_load} } qw(late overlap steal)], [1, 1, undef], 'disturbances that it may cause');
};

subtest 'the passes of a test are examined' => sub {
    my $found = sub { my (@counts) = @_; my %found = warnings([run(1, measured('pipe', 1, @counts))]); return %found };
    my @wild  = (1000, 1150, 1040, 1100, 980, 1120);
    my %wild  = $found->(@wild);
    is_deeply([sort keys %wild],                        ['varied'], 'passes that vary are reported');
    is_deeply([@{ $wild{varied} }{qw(run test title)}], [0, 'pipe', 'Pipe Throughput'], 'the warning names the test');
    cmp_ok(abs($wild{varied}{cv} - 0.0644), '<', 0.0002, 'the warning has the variation')
        ;    # Python's statistics.stdev / mean
    is_deeply([sort keys %{ { $found->(1000, 1040, 960, 1010, 990) } }], [], 'up to 5 % is not reported');

    my %modes = $found->(1000, 1010, 1990, 2000, 2010, 1005, 2005, 1002);
    is_deeply([sort keys %modes], ['modes'], 'two modes are reported, without the variation');
    is_deeply([map { $_->{share} } @{ $modes{modes}{modes} }], [0.5, 0.5], 'the modes have their shares');

    my %fall = $found->(map { 1000 - 20 * $_ } 0 .. 9);
    is_deeply([sort keys %fall], ['trend'], 'a trend is reported');
    cmp_ok(abs($fall{trend}{rise} + 0.18), '<', 0.003, 'the warning has the fall');

};

subtest 'a quick run that is not precise enough is reported' => sub {
    my %quick = (procedure => { kind => 'quick', precision => 0.01 });
    my @even  = map { 1000 + $_ } 0, 2, 0, 2, 1;
    my @odd   = (1000, 1030, 980, 1010, 990);
    is(kinds([quick_run(5, 1, sliced('pipe', 1, @even))], %quick), q{}, 'the precision is reached');
    my %found = warnings([quick_run(5, 1, sliced('pipe', 1, @even), sliced('spawn', 1, @odd))], %quick);
    my $said  = $found{precision};
    my %ended = (%{ $quick{procedure} }, interruption => { signal => 'INT' });
    my $run   = quick_run(5, 1, sliced('spawn', 1, @odd));
    is(kinds([$run], %quick),               q{precision}, 'the only test');
    is(kinds([$run], procedure => \%ended), q{},          'an interrupted run');
    is_deeply([@$said{qw(rounds wanted of is_index)}], [5, 0.01, 'System Benchmarks', 1], 'it is not reached');

    # By Python's statistics, from the rates: t(4) = 2.7764, standard deviation of the mean of both logarithms 0.010542.
    cmp_ok(abs($said->{half_width} - 0.013090), '<', 1e-5, 'the warning has the precision');
    my %one = warnings([quick_run(1, 1, sliced('pipe', 1, 1000))], %quick);
    is($one{precision}{half_width},                        undef, 'a single round has no precision');
    is(kinds([run(1, measured('pipe', 1, 1000))], %quick), q{},   'an official run has no warning about precision');
};

subtest 'properties of the machine are reported' => sub {
    my $of   = sub { return kinds([], @_) };
    my $fact = sub { my ($group, %facts) = @_; return $of->(facts => { $group => \%facts }) };
    is($fact->(process => class => $_->[0]), $_->[1], "the class $_->[0]")
        for ['SCHED_OTHER', q{}], ['SCHED_RR', 'class'];
    is($fact->(cpu     => governor    => 'performance'),            q{},        'a machine as it should be');
    is($fact->(cpu     => governor    => 'powersave, performance'), 'governor', 'a governor that saves power');
    is($fact->(scratch => file_system => $_),        'scratch',      "scratch files on $_") for qw(tmpfs ramfs);
    is($fact->(scratch => file_system => 'ext4'),    q{},            'scratch files on a disk');
    is($fact->(kernel  => debug       => ['KASAN']), 'debug_kernel', 'a debug kernel');
    is($fact->(kernel  => debug       => undef),     q{},            'an ordinary kernel');
    is($fact->(memory  => swap_kb     => 8_388_604), q{},            'swap space that is not used');
    is($of->(language => { lang => 'C', charmap => 'ANSI_X3.4-1968' }), 'locale', 'text that is not in UTF-8');
    is($of->(language => { lang => 'C', charmap => $_ }), q{}, 'text in UTF-8, or unknown') for 'utf8', q{}, undef;
    is($of->(host => host(cpu_quota => $_->[0])), $_->[1], "a quota of $_->[0] of 2 CPUs") for [1.5, 'quota'], [2, q{}];
    is($fact->(cgroup => cpus => 0.5), 'quota', 'a quota in the facts');
};

subtest 'a tracer of states in turns' => sub {
    my ($plain, $other) = states_in_turns(['strace -f']);
    $_->{passes}[0]{copies}[0]{tracer} = 'strace' for map { @{ $_->{runs}[0]{tests} } } $plain, $other;
    my ($of_plain, $of_other) =
        map {
        grep { $_->{kind} eq 'tracer' }
            UnixBench::Warnings::All::of($_)
        } $plain, $other;
    is(scalar @{ $of_plain->{traced} }, 12,    'copies of the plain machine were traced');
    is($of_other,                       undef, 'that of a state may be its command');
};

# The texts of warnings: of one, of several of a kind, and at the end of a run.

my %passes = (worst  => 0.2, passes      => 3, badly     => 1, of => 40);
my %load   = (passes => 3,   badly       => 2, of        => 9);
my %worst  = (others => 0.7, another_run => 2, run_queue => 9, pressure_cpu => 0.2);
my %cause  = map { $_ => { cause => $_, worst => $worst{$_}, passes => 3, badly => 1 } } keys %worst;
my %reach  = (rounds => 7, wanted => 0.01, of => 'S');
my $YES    = { name => 'yes', pid => 7, cpus => 1, passes => 2 };
my @MODES  = ({ rate => 100, share => 0.25 }, { rate => 200, share => 0.75 });

# Takes a kind and the values of a warning; returns the warning.
sub warning { my ($kind, %values) = @_; return { kind => $kind, test => undef, copies => undef, %values } }

# Takes a kind, the name of a test and values; returns a warning about that test.
sub of_test { my ($kind, $test, %values) = @_; return warning($kind, test => $test, title => "Title $test", %values) }

# [what was seen at the end of a run, warnings].
#<<< a table
my @CASES = (
    ['Other load: load average 0.82.', warning(load => load => 0.82, causes => [])],
    ['Other load: 0.70 CPUs used (2 of 9 passes).', warning(load => %load, load => 0.82, causes => [$cause{others}])],
    ['Other load: 0.70 CPUs used, 2 other Runs, 9 processes waited (slight in 3 of 9 passes, which disturbed none).',
        warning(load => %load, badly => 0, causes => [@cause{qw(others another_run run_queue pressure_cpu)}])],
    ['Other load: waiting for a CPU 20 %, above all yes (2 of 9 passes).',
        warning(load => %load, causes => [{ %{ $cause{pressure_cpu} }, by => [$YES] }])],
    ['S index: precision after 7 rounds is 1.8 % (wanted 1 %).',
        warning(precision => %reach, half_width => 0.018, is_index => 1)],
    ['The mean of all scores: precision after 7 rounds is unknown (wanted 1 %).',
        warning(precision => %reach, half_width => undef, of => undef)],
    ['Title a has two modes: 100.0 in 25 % and 200.0 in 75 % of the passes.', of_test(modes => 'a', modes => \@MODES)],
    ['2 tests have two modes: Title a and Title b.', map { of_test(modes => $_, modes => \@MODES) } qw(a b)],
    ['Title a got 5 % faster from first to last pass.', of_test(trend => 'a', rise => 0.05)],
    ['Title a got 5 % slower from first to last pass.', of_test(trend => 'a', rise => -0.05)],
    ['4 copies: Title a got 9 % slower from first to last pass.',
        map { of_test(trend => 'a', rise => -$_ / 100, copies => $_ == 9 ? 4 : 1) } 3, 9],
    ['5 tests got faster or slower from first to last pass: Title a, Title b, Title c and 2 others.',
        map { of_test(trend => $_, rise => -0.1) } qw(a b c d e)],
    ['1 copy: Title a varies by 7.1 % from pass to pass (coefficient of variation).',
        map { of_test(varied => 'a', cv => 0.071, copies => $_) } 1, 4],
    ['Some scores vary by more than 5 % from pass to pass, Title b most: by 30 %.',
        of_test(varied => 'a', cv => 0.06), of_test(varied => 'b', cv => 0.3), of_test(varied => 'a', cv => 0.08)],
    ['Changed during the run: a; b; c\n; d.', warning(changes => changes => ['a', 'b', "c\n", 'd'])],
    ['Traced by gdb: A and B.', warning(tracer => tracer => 'gdb', traced => ['A', 'B'])],
    ['Loaded into every measured program: LD_PRELOAD (/x.so) and /etc/ld.so.preload (a\tb).',
        warning(preload => set => [[LD_PRELOAD => '/x.so'], ['/etc/ld.so.preload' => "a\tb"]])],
    ['The measured programs have LD_LIBRARY_PATH (/l).', warning(libraries => set => [[LD_LIBRARY_PATH => '/l']])],
    ['The nice value of the tests is 5.', warning(nice => nice => 5)],
    ['The scheduling class of the tests is SCHED_FIFO.', warning(class => class => 'SCHED_FIFO')],
    ['A control group limits CPU time to that of 0.50 of 2 CPUs.', warning(quota => cpus => 0.5, of => 2)],
    ['The CPU frequency governor is "power\nsave".', warning(governor => governor => "power\nsave")],
    ['The scratch files are in memory (tmpfs).', warning(scratch => file_system => 'tmpfs')],
    ['The language of the tests is "C", with text in ASCII instead of UTF-8.',
        warning(locale => lang => 'C', charmap => 'ASCII')],
    ['The kernel was built with debugging options: KASAN and KCSAN.',
        warning(debug_kernel => debug => [qw(KASAN KCSAN)])],
    ['The clock of the machine was set back by 3600 s during the run.', warning(clock => set_s => -3600.4)],
    ['The clock of the machine was set forward by 86400 s during the run.', warning(clock => set_s => 86_400)],
    ['3 of 40 passes: the hypervisor kept CPUs waiting for up to 20 % of the time; '
        . 'yes (PID 7) used 1.00 CPUs in 2 passes.',
        warning(steal => %passes, by => [$YES])],
    ['5 of 80 passes: the hypervisor kept CPUs waiting for up to 50 % of the time.',
        warning(steal => %passes, copies => 1), warning(steal => %passes, copies => 4, passes => 2, worst => 0.5)],
    ['9 of 120 passes: for up to 60 % of a pass, not all copies were running.',
        map { warning(overlap => %passes, worst => $_) } 0.9, 0.4, 0.8],
    ['The tests can use only 2 CPUs of those that are online.',
        map { warning(affinity => %passes, worst => 2, copies => $_) } undef, 4],
    [undef, of_test(varied => 'pipe', cv => 0.07, is_by_load => 1)],
);
#>>>
for my $case (@CASES) {
    my ($seen, @warnings) = @$case;
    my @texts = merged(@warnings);
    my $kind  = $warnings[0]{kind};
    is(scalar @texts, defined $seen ? 1 : 0, "$kind: one text, unless other load explains it");
    my $advice = UnixBench::Warnings::Wording::of($warnings[0])->{advice};
    is("@texts", "$seen $advice", "$kind: $seen") if defined $seen;
    like($advice, qr/\A[.A-Z0-9](?!.*[{}]|.*  ).*[.]\z/, "$kind: the advice is a sentence");
}
my ($modes, $alone) = map { UnixBench::Warnings::Wording::of($_) } of_test(modes => 'context1', modes => \@MODES),
    warning(steal => %passes, copies => 4);
like($modes->{advice}, qr{context1 10 -p same[.] The other one: pgms/context1 10 -p apart}, 'advice names both modes');
like($alone->{seen},   qr/\A4 copies: 3 of 40 passes: the hypervisor /, 'a warning alone has its number of copies');
my %runner = (%passes, runner => 'measure.sh');
my @advice = map { UnixBench::Warnings::Wording::of(warning($_ => %runner))->{advice} } qw(affinity others);
like($advice[0], qr/ start sh measure[.]sh without taskset /, 'for a machine without Perl, advice names measure.sh');
like($advice[1], qr/ On that machine, top names those /,      '... and no command of Run');
my $before = UnixBench::Warnings::Wording::before(warning(swap => worst => 2));
is($before->{seen}, 'Memory is being swapped: 2 pages a second.', 'a disturbance before a run');

subtest 'every case has at most one text for each kind, in the order of the warnings' => sub {
    for my $case (cases()) {
        my @warnings = UnixBench::Warnings::All::of($case->{result});
        my %kinds    = map { $_->{kind} => 1 } @warnings;
        is(scalar(() = merged(@warnings)), scalar keys %kinds, $case->{name} // 'a case');
    }
    my @two = merged(warning(nice => nice => 5), warning(steal => %passes), warning(nice => nice => 6));
    is_deeply([map { /(nice|hypervisor)/ } @two], [qw(nice hypervisor)], 'two kinds');
};

done_testing;
