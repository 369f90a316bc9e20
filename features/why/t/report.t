use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Machines                       qw(classic facts_of side spread_rates summary worked_summary);
use Fixture                        qw(measured rendered result run);
use Golden                         qw(is_golden no_golden_left_over);
use LoadedRun;
use ValidPage qw(is_valid_page);
use UnixBench::Host::FactList;
use UnixBench::Score::Work;
use UnixBench::Why::Factors;
use UnixBench::Why::Reasons;
use UnixBench::Compare::Comparison;
use UnixBench::Report::Block qw(text_of);
use UnixBench::Report::Comparison;
use UnixBench::Report::Formats;
use UnixBench::Why::Blocks qw(reason_texts);

# Tests of UnixBench::Why::Factors, the division of a ratio, and of UnixBench::Why::Reasons, the factors of two runs and
# what differs.

use constant CLOSE => 1e-9;

my %FACTS = (CPU => '2 x AMD EPYC', Kernel => '6.12', Cores => 2);

my %ERRORS = (df => 9, map { $_ => 1e-6 } qw(cpu clock loop user kernel both));

# Takes the differences from what a usual copy used: a second of CPU time a second, half of it in the kernel.
sub used {
    my (%differ) = @_;
    my %counts   = (faults => 10, switches => 0.5, %{ delete $differ{per_loop} || {} });
    my %usual = (rate => 1000, cpu => 1, cpu_s => 100, user => 0.5, clock_mhz => 3000, waited => 0, errors => \%ERRORS);
    return { %usual, %differ, per_loop => \%counts };
}

# Takes what both sides used; returns { factor => value } at the level that is possible.
sub values_of {
    my (@sides) = @_;
    my $level   = UnixBench::Why::Factors::level(@sides, 1);
    my $factors = UnixBench::Why::Factors::of_test($level, @sides)->{factors};
    return { map { $_ => $factors->{$_}{value} } keys %$factors };
}

sub product {
    my ($values) = @_;
    my $product = 1;
    $product *= $_ for values %$values;
    return $product;
}

sub is_near {
    my ($value, $wanted, $name) = @_;
    return cmp_ok(abs($value / $wanted - 1), '<', CLOSE, $name) || diag "$value, not $wanted";
}

subtest 'one factor at a time' => sub {
    my %cases = (
        cpu    => { rate => 500, cpu       => 0.5 },
        clock  => { rate => 500, clock_mhz => 1500 },
        user   => { rate => 500, user      => 0.75 },
        kernel => { rate => 500, user      => 0.25 },
    );
    for my $name (sort keys %cases) {
        my $values = values_of(used(), used(%{ $cases{$name} }));
        is_near($values->{$_}, $_ eq $name ? 0.5 : 1, "$name differs: $_") for qw(cpu clock user kernel);
    }
};

# A generator with a seed of its own, so that each machine has the same numbers.
my $state = 1;
sub random { $state = $state * 16_807 % (2**31 - 1); return $state / 2**31 }

sub any_use {
    return used(
        rate      => exp(20 * random()),
        cpu       => 0.01 + 8 * random(),
        cpu_s     => random() < 0.2 ? random() : 1 + 100 * random(),
        user      => random() < 0.1 ? 0     : random() < 0.1 ? 1 : random(),
        clock_mhz => random() < 0.2 ? undef : 100 + 5000 * random(),
        errors    => undef,
    );
}

subtest 'the factors multiply to the ratio' => sub {
    my ($worst, %levels) = (0);
    for (1 .. 10_000) {
        my @sides = (any_use(), any_use());
        my $off   = abs(product(values_of(@sides)) / ($sides[1]{rate} / $sides[0]{rate}) - 1);
        $worst = $off if $off > $worst;
        $levels{ UnixBench::Why::Factors::level(@sides, 1) }++;
    }
    cmp_ok($worst, '<', CLOSE, 'of 10,000 pairs of random sides');
    is_deeply([sort keys %levels], [0, 1, 2], 'with all levels');
};

subtest 'what can be told apart' => sub {
    my $level = \&UnixBench::Why::Factors::level;
    is($level->(used(), used(),                   1), 2,     'everything');
    is($level->(used(), used(cpu_s => 0.99),      1), 1,     'fewer than 100 ticks: not the modes');
    is($level->(used(), used(clock_mhz => undef), 1), 0,     'a clock is unknown');
    is($level->(used(), used(),                   0), 0,     'the clocks can not be compared');
    is($level->(used(), used(cpu => undef),       1), undef, 'the CPU time is unknown');
    is($level->(used(), undef,                    1), undef, 'nothing is known');
};

subtest 'intervals' => sub {
    my %errors = (df => 4, cpu => 1e-4, clock => 4e-4, loop => 9e-4, user => 1e-4, kernel => 1e-4, both => 0);
    my @sides  = (used(errors => \%errors), used(errors => { %errors, df => 4 }));
    my $of     = UnixBench::Why::Factors::of_test(2, @sides)->{factors};
    is_near($of->{cpu}{log_se}, sqrt 2e-4, 'of the CPU time');
    is_near($of->{cpu}{df},     8,         'their degrees of freedom');
    is(sprintf('%.5f', $of->{$_}{log_se}), sprintf('%.5f', sqrt 2e-4), "of the $_ work of equal sides")
        for qw(user kernel);
    my $work = UnixBench::Why::Factors::of_test(1, @sides)->{factors}{work};
    is_near($work->{log_se}, sqrt 4e-4, 'of all work');
    my $single = UnixBench::Why::Factors::of_test(2, used(errors => undef), used(errors => \%errors))->{factors};
    is_deeply([map { $single->{$_}{low} } sort keys %$single], [(undef) x 4], 'with a single pass there is none');
};

# One of eight passes has a quarter of the clock of all others.
subtest 'a clock that passes do not agree on' => sub {
    my @mhz = (3100) x 8;
    my $of  = sub {
        my (@clocks) = @_;
        my @passes = map {
            +{
                count    => 1000,
                time_s   => 1,
                timebase => 1,
                copies   => [{ elapsed_s => 1 }],
                used     => { user_s => 0.9, kernel_s => 0.1, clock_mhz => $_ }
            }
        } @clocks;
        return UnixBench::Score::Work::of_test({ category => 'system', passes => \@passes });
    };
    my $level = sub { return UnixBench::Why::Factors::level(@_, 1) };
    is($level->($of->(@mhz), $of->(@mhz)),              2, 'passes that agree');
    is($level->($of->(@mhz), $of->(@mhz[1 .. 7], 822)), 0, 'one that does not: there is no factor of the clock');
};

# Reasons.

# Takes { test => what its copies used }, facts, and other parts of the summary. Returns a side with that run.
sub worked_side {
    my ($letter, $work, $facts, %more) = @_;
    my $copies  = delete $more{copies} // 1;
    my $summary = summary(
        runs => { $copies => { map { $_ => spread_rates(1000, 0.001) } keys %$work } },
        facts_of(%FACTS, %{ $facts || {} }), %more
    );
    $_->{work} = $work->{ $_->{name} } for @{ $summary->{runs}[0]{tests} };
    return { letter => $letter, summary => $summary };
}

# Takes two sides, and perhaps { test => verdict }; returns what differs.
sub why {
    my ($first, $second, $verdicts) = @_;
    my @runs = map { $_->{summary}{runs}[0] } $first, $second;
    return UnixBench::Why::Reasons::of_runs([$first, $second], \@runs, 0.02, $verdicts);
}

# Takes what the copies of a test used on the second side, its facts, and the test; returns its row.
sub row {
    my ($work, $facts, $name) = @_;
    $name //= 'pipe';
    my ($row) = @{ why(worked_side(A => { $name => used() }), worked_side(B => { $name => $work }, $facts))->{tests} };
    return $row;
}

sub labels {
    my ($row) = @_;
    return join q{, }, map { $_->{label} } @{ $row->{differs} };
}

my %UNSURE   = (errors => { %ERRORS, map { $_ => 1e-2 } qw(cpu clock loop user kernel both) });
my %APART    = (user   => 1e-4, kernel => 1e-2, both => 0);
my %TOGETHER = (%APART, kernel => 2.5e-3, both => -(1e-4 + 2.5e-3 - 1e-6) / 2);

# [what the copies used on the second side, the verdict on the test, the factors that are named].
my @NAMED = (
    [{ rate => 500, cpu       => 0.5 },  'slower',  'cpu'],
    [{ rate => 500, clock_mhz => 1500 }, 'slower',  'clock'],
    [{ rate => 500, user      => 0.75 }, 'slower',  'user'],
    [{ rate => 500, user      => 0.25 }, 'slower',  'kernel'],
    [{ rate => 500, cpu_s     => 0.5 },  'slower',  'work'],
    [{ rate => 500, cpu       => 0.5 },  'unknown', 'cpu'],
    [{ rate => 985 }, undef,          'none'],
    [{ rate => 500 }, 'inconclusive', 'none'],

    # It points the way of the ratio, and is followed by others that are about as large.
    [{ rate => 930,  cpu => 1.5, user      => 0.6 },     'slower', 'user cpu'],
    [{ rate => 1075, cpu => 0.7, user      => 0.4 },     'faster', 'user cpu'],
    [{ rate => 500,  cpu => 0.7, clock_mhz => 2142.86 }, 'slower', 'cpu clock'],
    [{ rate => 500,  cpu => 0.9, clock_mhz => 1666.67 }, 'slower', 'clock'],

    # It is beyond its interval. A single pass has none: then the verdict decides.
    [{ rate => 850, cpu => 0.85, %UNSURE },        'slower',  'none (unnamed)'],
    [{ rate => 850, cpu => 0.85, %UNSURE },        'unknown', 'none'],
    [{ rate => 500, cpu => 0.5, %UNSURE },         'unknown', 'cpu'],
    [{ rate => 500, cpu => 0.5, errors => undef }, 'unknown', 'none'],
    [{ rate => 500, cpu => 0.5, errors => undef }, 'slower',  'cpu'],

    # More work in both modes, more of it in the kernel, of which it is not certain how it is divided.
    [{ rate => 808, user => 0.484, errors => { %ERRORS, %APART } },    'slower', 'user'],
    [{ rate => 808, user => 0.484, errors => { %ERRORS, %TOGETHER } }, 'slower', 'kernel user'],
);
for my $case (@NAMED) {
    my ($work, $verdict, $named) = @$case;
    my @sides = (worked_side(A => { pipe => used() }), worked_side(B => { pipe => used(%$work) }));
    my ($row) = @{ why(@sides, { pipe => $verdict })->{tests} };
    my $is    = join q{ }, $row->{largest} // 'none', @{ $row->{others} }, $row->{unnamed} ? '(unnamed)' : ();
    is($is, $named, ($verdict // 'no verdict') . ": $named");
}

subtest 'facts that differ, and what they can cause' => sub {
    my %slow_in_kernel = (rate => 500, user => 0.25);
    my %slow_in_user   = (rate => 500, user => 0.75);
    my %starved        = (rate => 500, cpu  => 0.5);
    my %facts          = (
        Kernel            => '6.18',
        'Compiler flags'  => '-O0',
        'CPU time limit'  => 'the time of 0.50 CPUs',
        'Mitigation srso' => 'off',
        'Timer ticks'     => '100 Hz',
        'Program pipe'    => 'b',
        'Shell'           => 'bash',
    );
    my $of = sub { return labels(row(used(@_), { %facts, 'Program pipe' => 'b' })) };
    is($of->(%slow_in_kernel), 'Kernel, Mitigation srso, Timer ticks', 'of the kernel work: those of the kernel');
    is($of->(%slow_in_user),   'Compiler flags, Shell',                'of the user work: those of the compiler');
    is($of->(%starved),        'CPU time limit',                       'of the CPU time: those that limit it');
    my @sides = (
        worked_side(A => { pipe => used() },              { 'Program pipe' => 'a' }),
        worked_side(B => { pipe => used(%slow_in_user) }, { 'Program pipe' => 'b', Kernel => '6.18' })
    );
    my @files = map { labels(row(used(%slow_in_kernel), { 'File system' => 'tmpfs' }, $_)) } qw(fstime pipe);
    is_deeply(\@files, ['File system', q{}], 'facts about files matter to file tests');
    is(labels(why(@sides)->{tests}[0]), 'Program pipe', 'another program of the test');
};

subtest 'other load and commands' => sub {
    my @sides = (worked_side(A => { pipe => used() }), worked_side(B => { pipe => used(rate => 500, cpu => 0.5) }));
    $sides[1]{summary}{runs}[0]{tests}[0]{other_load} = [{ cause => 'steal', worst => 0.2, passes => 3, badly => 3 }];
    my $differs = sub { join q{ }, map { "$_->{key}: $_->{first}, $_->{second}" } @{ why(@_)->{tests}[0]{differs} } };
    is($differs->(@sides), 'other_load: none, steal', 'other load of a side');
    my %turns = (kind => 'quick', turns => { state => 1, commands => ['nice -n 19', 'strace -f'] });
    @sides                        = map { worked_side($_ => { pipe => used(rate => $_ eq 'A' ? 1000 : 500) }) } qw(A B);
    $sides[0]{summary}{procedure} = { %turns, turns => { %{ $turns{turns} }, state => 0 } };
    $sides[1]{summary}{procedure} = { %turns, turns => { %{ $turns{turns} }, state => 2 } };
    is($differs->(@sides), 'command: none, strace -f', 'the command of a state');
};

subtest 'a fact is known by its key' => sub {
    my %is_other = map { $_ => 1 } qw(
        host.name host.os board cpu.sockets cpu.cores cpu.threads cgroup.processes process.stack_kb process.memory_kb
        scratch.device suite.git_revision graphics.opengl graphics.server graphics.screen graphics.session
    );
    my @keys = grep { UnixBench::Host::FactList::meaning($_) ne 'free' } UnixBench::Host::FactList::keys_of_facts();
    my @none = grep { !UnixBench::Why::Reasons::factors_of($_) } @keys;
    is_deeply([grep { !$is_other{$_} } @none], [], 'each fact that differs can cause something');
    is_deeply([UnixBench::Why::Reasons::factors_of('kernel.mitigations.srso')], ['kernel'], 'one of several facts');
};

subtest 'cycles of a loop' => sub {
    my $of = sub { return [map { "$_->{mode} $_->{first} $_->{second}" } @{ row(@_)->{cycles} }] };
    is_deeply($of->(used(rate => 500)), ['user 1500000 3000000', 'kernel 1500000 3000000'], 'in each mode');
    is_deeply($of->(used(rate => 500, cpu_s     => 0.5)),   ['all 3000000 6000000'], 'if modes are unknown, of all');
    is_deeply($of->(used(rate => 500, clock_mhz => undef)), [],                      'none without a clock');
    my @odd = map { worked_side($_ => { pipe => used() }, { CPU => '2 x Loongson-3A5000' }) } qw(A B);
    is_deeply(why(@odd)->{tests}[0]{cycles}, [], 'none if it is not known how many cycles a step takes');
};

subtest 'counts of a loop' => sub {
    my $counts = sub { return row(used(rate => 500, per_loop => {@_}))->{counts} };
    is_deeply($counts->(faults   => 15),    [{ name => 'faults', first => 10, second => 15 }], 'one that differs');
    is_deeply($counts->(faults   => 10.4),  [], 'one that differs by less than 5 %');
    is_deeply($counts->(switches => undef), [], 'one that is unknown');
};

subtest 'different CPUs' => sub {
    my $of = sub {
        my ($model) = @_;
        my $why =
            why(map { worked_side($_->[0] => { pipe => used() }, { CPU => "2 x $_->[1]" }) } [A => 'AMD EPYC 7R13'],
            [B => $model]);
        my $factors = $why->{tests}[0]{factors};
        return join q{ }, (map { "$_ $factors->{$_}{value}" } sort keys %$factors), @{ $why->{missing} };
    };
    is($of->('Intel(R) Xeon(R) Gold 6430'), 'clock 1 cpu 1 kernel 1 user 1', 'a step takes a cycle on both');
    like($of->('POWER9 (raw), altivec supported'), qr/\Aclock 2 cpu 1 /,     'it takes two on POWER9');
    like($of->('Loongson-3A5000'), qr/\Aclock_work 1 cpu 1 The CPUs differ/, 'one that is not in the table');
};

subtest 'what is missing' => sub {
    my $missing = sub { my (@sides) = @_; return join q{ }, @{ why(@sides)->{missing} } };
    my $new     = worked_side(A => { pipe => used() });
    is($missing->($new, $new), q{}, 'nothing');
    my $old = worked_side(B => { pipe => undef });
    like($missing->($new, $old), qr/\AB lacks CPU times; /, 'an old result');
    is_deeply(why($new, $old)->{tests}, [], 'has no row');
    my $text = { letter => 'B', summary => classic($new->{summary}) };
    $_->{work} = undef for @{ $text->{summary}{runs}[0]{tests} };
    is($missing->($new, $text), 'B is a text report, which has no CPU times.', 'a text report');
    is(
        $missing->($new, worked_side(B => { pipe => used(clock_mhz => undef) })),
        'The clock of B is unknown.',
        'the clock'
    );
};

subtest 'an index' => sub {
    my %work = (pipe => used(), spawn => used());
    my $why =
        why(worked_side(A => \%work), worked_side(B => { pipe => used(rate => 500, cpu => 0.5), spawn => used() }));
    my ($index) = @{ $why->{indexes} };
    is(sprintf('%.9f', $index->{factors}{cpu}{value}), sprintf('%.9f', sqrt 0.5), 'means of its tests');
};

subtest 'numbers of copies' => sub {
    my $side = worked_side(A => { pipe => used() });
    my $more = worked_side(A => { pipe => used(rate => 500, user => 0.25) }, {}, copies => 8);
    push @{ $side->{summary}{runs} }, @{ $more->{summary}{runs} };
    my ($why, @others) = @{ UnixBench::Why::Reasons::of_summary($side->{summary}) };
    is_deeply([$why->{copies}, scalar @others], [[1, 8], 0], 'each is compared with the fewest');
    is($why->{tests}[0]{largest}, 'kernel', 'the factors are those of the rates of a copy');
    ok($why->{tests}[0]{shares_core}, 'eight copies share two cores');
    is_deeply(UnixBench::Why::Reasons::of_summary(worked_side(A => { pipe => used() })->{summary}), [], 'one alone');
};

# The factors of results: by the real program, and the reports.

# Takes a label, facts, and { test => what differs from what a usual copy used }; returns a side.
sub machine {
    my ($label, $facts, %work) = @_;
    my $summary = worked_summary(\%work, facts_of(CPU => '2 x AMD EPYC', Cores => 1, %$facts));
    return { label => $label, summary => $summary };
}

my %old = (
    spawn    => { rate => 8000,    user => 0.1, per_loop => { faults => 27.2, switches => 2 } },
    dhry2reg => { rate => 7.8e7,   user => 1 },
    fstime   => { rate => 645_000, user => 0.1 },
    syscall  => { rate => 2.4e6 },
);
my %new = (
    spawn    => { rate => 5700,    user => 0.075, clock_mhz => 3147, per_loop => { faults => 41, switches => 2 } },
    dhry2reg => { rate => 7.56e7,  user => 1,     clock_mhz => 3147 },
    fstime   => { rate => 322_000, user => 0.1,   clock_mhz => 3147, cpu => 0.5 },
    syscall  => { rate => 2.39e6,  user => 0.3 },
);
my %slower =
    (Kernel => '6.18.44', 'Mitigation vmscape' => 'Mitigation: IBPB', 'File system' => 'tmpfs', Swap => '2 GB');
my %sides = (
    whole => [
        machine('old.html', { Kernel => '6.12.9', 'File system' => 'ext4' }, %old),
        machine('new.html', \%slower,                                        %new)
    ],
    equal   => [map { machine("$_.html", {}, %old) } qw(a b)],
    unknown => [
        machine('old.html', {}, %old),
        side('7.html', runs => { 1 => { pipe => [1], spawn => [8000, 8001] } }, version => '7.1.0')
    ],
);

# Takes the kind of a report, and two sides; returns the report of their comparison with the factors.
sub compared_as {
    my ($kind, $sides) = @_;
    my $comparison = UnixBench::Compare::Comparison::of($sides);
    return UnixBench::Report::Formats::of_blocks($kind,
        UnixBench::Report::Comparison::report_of($comparison, { why => 1 }));
}

is_golden('compare-whole.txt', compared_as(text => $sides{whole}));
is_valid_page($_, compared_as(html => $sides{$_})) for sort keys %sides;
like(compared_as(text => $sides{equal}),   qr/^No test is slower or faster beyond its interval[.]$/m, 'equal sides');
like(compared_as(text => $sides{unknown}), qr/^B lacks CPU times; a run notes them/m,                 'no CPU times');

like(compared_as(html => $sides{whole}), qr{<summary>Why: the factors of each ratio</summary>}, 'a page has a fold');

# Takes what differs in the second run of spawn; returns the report of the comparison as text.
sub spawn_compared {
    my (%differ) = @_;
    my @sides = (machine('a', {}, spawn => $old{spawn}), machine('b', {}, spawn => { %{ $old{spawn} }, %differ }));
    return compared_as(text => \@sides);
}

subtest 'the sentence of a test' => sub {
    my $text = spawn_compared(rate => 7440, cpu => 1.386, user => 0.05);
    like(
        $text,
        qr/^Process\ Creation:\ kernel\ work\ -[0-9.]+\ %\ [(][0-9]+\ ->\ [0-9]+\ cycles\ a\ loop[)];
            \ the\ other\ way:\ CPU\ time\ [+]40[.]0\ %/mx,
        'the factor that points the way of the ratio, then the other one'
    );
    my %vague = (df => 2, map { $_ => 1e-2 } qw(cpu clock loop user kernel both));
    $text = spawn_compared(rate => 7000, cpu => 0.866, errors => \%vague);
    like($text, qr/^No factor is beyond its interval: Process Creation$/m, 'no factor is sure');
    unlike($text, qr/No test is slower/, 'but the test is slower');
};

# [names that are named, what the sentence says of them], with the same factors of user and kernel work.
for my $case (
    [['user'],          'user work -8.5 %; that explains only 42 % of the difference'],
    [[qw(kernel user)], 'kernel work -11.7 %, user work -8.5 %'],
    )
{
    my ($named,   $text)   = @$case;
    my ($largest, @others) = @$named;
    my %factors = (user => { value => 0.915 }, kernel => { value => 0.883 });
    my %row =
        (title => 'T', counts => [], ratio => 0.808, factors => \%factors, largest => $largest, others => \@others);
    my $said = text_of([reason_texts(\%row)], { sign => '+-', blank => q{ } });
    is($said, "T: $text", "what is said if @$named is named");
}

# Takes a run; adds what its copies used: each CPU second does less if there are several.
sub with_use {
    my ($run) = @_;
    for my $pass (map { @{ $_->{passes} } } @{ $run->{tests} }) {
        my $lived_s = $run->{copies} * $pass->{copies}[0]{elapsed_s};
        $pass->{used} = {
            user_s       => 0.25 * $lived_s,
            kernel_s     => 0.75 * $lived_s,
            minor_faults => 100,
            major_faults => 0,
            clock_mhz    => 3244
        };
    }
    return $run;
}

subtest 'a result with two numbers of copies' => sub {
    my @runs   = map { with_use(run($_->[0], measured(pipe => @$_))) } [1, 16e6, 16.1e6, 16e6], [8, 9e6, 9.1e6, 9e6];
    my $result = result(\@runs);
    is_golden('report.md', rendered('markdown why' => $result));
    like(rendered(html => $result), qr{<summary>Why: each of 8.{1,6}copies against 1.{1,6}copy</summary>}, 'the page');
    my $why = JSON::PP::decode_json(rendered(json => $result))->{why};
    is_deeply([map { $_->{copies} } @$why], [[1, 8]], 'and so has the JSON');
};

# The option --why of the real program, with results whose copies have used known CPU times.

# Takes numbers of copies; returns the JSON of a result in which eight copies do half as much each.
sub json_with {
    my (@copies) = @_;
    my %rates = (1 => [16e6, 16.1e6, 16e6], 8 => [9e6, 9.1e6, 9e6]);
    return rendered(json => result([map { with_use(run($_, measured(pipe => $_, @{ $rates{$_} }))) } @copies]));
}

my $PLACE = TestRun->new;
$PLACE->write('results', 'one.json',  json_with(1));
$PLACE->write('results', 'both.json', json_with(1, 8));

# The first call of report writes the reports that are missing.
$PLACE->run('report', $_) for qw(one both);

# [words of the command line, what a successful run prints].
my @CASES = (
    ['report both -q --why',           qr/^Pipe Throughput: .*kernel work -[0-9.]+ %/m],
    ['report both --why --markdown -', qr/^- Pipe Throughput: .*kernel work -[0-9.]+ %/m],
    ['compare one both --why',         qr/^Factors +Ratio/m],
);
for my $case (@CASES) {
    my ($words, $said) = @$case;
    my $run = $PLACE->run(split q{ }, $words);
    is_deeply([@$run{qw(status err)}], [0, q{}], "$words: exit status 0, no error");
    like($run->{out}, $said, '... and what is said');
}
like($PLACE->run(qw(report one -q --why))->{out}, qr/only one number of copies.*compare A B --why/s, 'one number');
unlike($PLACE->run(qw(report both -q))->{out}, qr/kernel work/, 'nothing has them unasked');

no_golden_left_over();
done_testing;
