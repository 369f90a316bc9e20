# Tests of UnixBench::Why::Reasons: the factors of two runs, and what differs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use Machines qw(classic facts_of spread_rates summary);
use UnixBench::Why::Reasons;
use UnixBench::Host::FactList;

my %FACTS = (CPU => '2 x AMD EPYC', Kernel => '6.12', Cores => 2);

my %ERRORS = (df => 9, map { $_ => 1e-6 } qw(cpu clock loop user kernel both));

# Takes the differences from what a usual copy used: a second of CPU time a second, half of it in the kernel.
sub used {
    my (%differ) = @_;
    my %counts   = (faults => 10, switches => 0.5, %{ delete $differ{per_loop} || {} });
    my %usual = (rate => 1000, cpu => 1, cpu_s => 100, user => 0.5, clock_mhz => 3000, waited => 0, errors => \%ERRORS);
    return { %usual, %differ, per_loop => \%counts };
}

# Takes { test => what its copies used }, facts, and other parts of the summary. Returns a side with that run.
sub side {
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
    my ($row) = @{ why(side(A => { $name => used() }), side(B => { $name => $work }, $facts))->{tests} };
    return $row;
}

sub labels {
    my ($row) = @_;
    return join q{, }, map { $_->{label} } @{ $row->{differs} };
}

subtest 'the largest factor' => sub {
    my %cases = (
        cpu    => { rate => 500, cpu       => 0.5 },
        clock  => { rate => 500, clock_mhz => 1500 },
        user   => { rate => 500, user      => 0.75 },
        kernel => { rate => 500, user      => 0.25 },
        work   => { rate => 500, cpu_s     => 0.5 },
    );
    is(row(used(%{ $cases{$_} }))->{largest}, $_,    "it is $_") for sort keys %cases;
    is(row(used(rate => 985))->{largest},     undef, 'there is none if the ratio is close to 1');
    my @sides = (side(A => { pipe => used() }), side(B => { pipe => used(rate => 500) }));
    for my $verdict (qw(inconclusive equal)) {
        is(why(@sides, { pipe => $verdict })->{tests}[0]{largest}, undef, "there is none for a test that is $verdict");
    }
};

# Takes what the copies used on the second side, and the verdict. Returns the factors that are named.
sub named {
    my ($work, $verdict) = @_;
    my ($row) = @{ why(side(A => { pipe => used() }), side(B => { pipe => $work }), { pipe => $verdict })->{tests} };
    return join q{ }, $row->{largest} // 'none', @{ $row->{others} }, $row->{unnamed} ? '(unnamed)' : ();
}

subtest 'the named factor points the way of the ratio' => sub {
    is(named(used(rate => 930, cpu => 1.5, user => 0.6), 'slower'),
        'user cpu', 'a larger one points the other way: it is the second');
    is(named(used(rate => 1075, cpu => 0.7, user      => 0.4),     'faster'), 'user cpu',  'of a faster test, too');
    is(named(used(rate => 500,  cpu => 0.7, clock_mhz => 2142.86), 'slower'), 'cpu clock', 'about as large');
    is(named(used(rate => 500,  cpu => 0.9, clock_mhz => 1666.67), 'slower'), 'clock',     'a small one is not named');
};

subtest 'what is sure' => sub {
    my %unsure = (errors => { %ERRORS, map { $_ => 1e-2 } qw(cpu clock loop user kernel both) });
    for my $verdict (qw(slower unknown)) {
        my $mark = $verdict eq 'slower' ? ' (unnamed)' : q{};
        is(named(used(rate => 850, cpu => 0.85, %unsure), $verdict), "none$mark", "within its interval, $verdict");
        is(named(used(rate => 500, cpu => 0.5,  %unsure), $verdict), 'cpu',       "beyond it, $verdict");
    }
    is(named(used(rate => 500, cpu => 0.5, errors => undef), 'unknown'), 'none', 'nothing is sure after a single pass');
    is(named(used(rate => 500, cpu => 0.5, errors => undef), 'slower'),  'cpu',  'if there is no verdict');
};

# A slower test with more work in both modes, more of it in the kernel. It is not certain how the work is divided.
subtest 'the largest factor is not sure' => sub {
    my %apart = (user => 1e-4, kernel => 1e-2, both => 0);
    my %work  = (rate => 808,  user   => 0.484);
    is(named(used(%work, errors => { %ERRORS, %apart }), 'slower'), 'user', 'a smaller one is, and nothing else');
    @apart{qw(kernel both)} = (2.5e-3, -(1e-4 + 2.5e-3 - 1e-6) / 2);
    is(named(used(%work, errors => { %ERRORS, %apart }), 'slower'), 'kernel user', 'both together are sure, too');
};

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
        side(A => { pipe => used() },              { 'Program pipe' => 'a' }),
        side(B => { pipe => used(%slow_in_user) }, { 'Program pipe' => 'b', Kernel => '6.18' })
    );
    my $why   = why(@sides);
    my @files = map { labels(row(used(%slow_in_kernel), { 'File system' => 'tmpfs' }, $_)) } qw(fstime pipe);
    is_deeply(\@files, ['File system', q{}], 'facts about files matter to file tests');
    is(labels($why->{tests}[0]), 'Program pipe', 'another program of the test');
    is_deeply(
        $why->{apart},
        [{ key => 'host.release', label => 'Kernel', first => '6.12', second => '6.18' }],
        'other facts are apart'
    );
};

subtest 'other load and commands' => sub {
    my @sides = (side(A => { pipe => used() }), side(B => { pipe => used(rate => 500, cpu => 0.5) }));
    $sides[1]{summary}{runs}[0]{tests}[0]{other_load} = [{ cause => 'steal', worst => 0.2, passes => 3, badly => 3 }];
    my ($row) = @{ why(@sides)->{tests} };
    is_deeply(
        $row->{differs},
        [{ key => 'other_load', label => 'Other load', first => 'none', second => 'steal' }],
        'other load of a side'
    );
    my %turns = (kind => 'quick', turns => { state => 1, commands => ['nice -n 19', 'strace -f'] });
    @sides                        = map { side($_ => { pipe => used(rate => $_ eq 'A' ? 1000 : 500) }) } qw(A B);
    $sides[0]{summary}{procedure} = { %turns, turns => { %{ $turns{turns} }, state => 0 } };
    $sides[1]{summary}{procedure} = { %turns, turns => { %{ $turns{turns} }, state => 2 } };
    ($row) = @{ why(@sides)->{tests} };
    is_deeply(
        $row->{differs},
        [{ key => 'command', label => 'Command', first => 'none', second => 'strace -f' }],
        'the command of a state'
    );
};

subtest 'a fact is known by its key' => sub {
    my %is_known = map { $_ => 1 } UnixBench::Host::FactList::keys_of_facts();
    my %is_other = map { $_ => 1 } qw(
        host.name host.os cpu.sockets cpu.cores cpu.threads cgroup.processes process.stack_kb process.memory_kb
        scratch.device suite.git_revision
    );
    for my $key (grep { UnixBench::Host::FactList::meaning($_) ne 'free' } sort keys %is_known) {
        is(
            UnixBench::Why::Reasons::factors_of($key) ? 1 : 0,
            $is_other{$key}                           ? 0 : 1,
            "$key can cause something, or not"
        );
    }
    is_deeply([UnixBench::Why::Reasons::factors_of('kernel.mitigations.srso')], ['kernel'], 'one of several facts');
};

subtest 'cycles of a loop' => sub {
    my $of = sub {
        return [map { "$_->{mode} $_->{first} $_->{second}" } @{ row(@_)->{cycles} }];
    };
    is_deeply($of->(used(rate => 500)), ['user 1500000 3000000', 'kernel 1500000 3000000'], 'in each mode');
    is_deeply($of->(used(rate => 500, cpu_s     => 0.5)),   ['all 3000000 6000000'], 'if modes are unknown, of all');
    is_deeply($of->(used(rate => 500, clock_mhz => undef)), [],                      'none without a clock');
    my @odd = map { side($_ => { pipe => used() }, { CPU => '2 x Loongson-3A5000' }) } qw(A B);
    is_deeply(why(@odd)->{tests}[0]{cycles}, [], 'none if it is not known how many cycles a step takes');
};

subtest 'counts of a loop' => sub {
    my $counts = sub { return row(used(rate => 500, per_loop => {@_}))->{counts} };
    is_deeply($counts->(faults   => 15),    [{ name => 'faults', first => 10, second => 15 }], 'one that differs');
    is_deeply($counts->(faults   => 10.4),  [], 'one that differs by less than 5 %');
    is_deeply($counts->(switches => undef), [], 'one that is unknown');
};

subtest 'different CPUs' => sub {
    my $levels = sub {
        my (@models) = @_;
        my @sides = map { side($_->[0] => { pipe => used() }, { CPU => "2 x $_->[1]" }) } [A => $models[0]],
            [B => $models[1]];
        my $why = why(@sides);
        return ($why->{tests}[0]{factors}, $why->{missing});
    };
    my ($factors) = $levels->('AMD EPYC 7R13', 'Intel(R) Xeon(R) Gold 6430');
    is($factors->{clock}{value}, 1, 'a step takes a cycle on both');
    ($factors) = $levels->('AMD EPYC 7R13', 'POWER9 (raw), altivec supported');
    is($factors->{clock}{value}, 2, 'a step takes two cycles on POWER9');
    ($factors, my $missing) = $levels->('AMD EPYC 7R13', 'Loongson-3A5000');
    is_deeply([sort keys %$factors],
        [qw(clock_work cpu)], 'a CPU that is not in the table: clock and work are one factor');
    like("@$missing", qr/The CPUs differ/, 'which is said');
};

subtest 'what is missing' => sub {
    my $missing = sub { my (@sides) = @_; return join q{ }, @{ why(@sides)->{missing} } };
    my $new     = side(A => { pipe => used() });
    is($missing->($new, $new), q{}, 'nothing');
    my $old = side(B => { pipe => undef });
    like($missing->($new, $old), qr/\AB lacks CPU times; /, 'an old result');
    is_deeply(why($new, $old)->{tests}, [], 'has no row');
    my $text = { letter => 'B', summary => classic($new->{summary}) };
    $_->{work} = undef for @{ $text->{summary}{runs}[0]{tests} };
    is($missing->($new, $text), 'B is a text report, which has no CPU times.', 'a text report');
    is($missing->($new, side(B => { pipe => used(clock_mhz => undef) })), 'The clock of B is unknown.', 'the clock');
};

subtest 'an index' => sub {
    my %work    = (pipe => used(), spawn => used());
    my $why     = why(side(A => \%work), side(B => { pipe => used(rate => 500, cpu => 0.5), spawn => used() }));
    my ($index) = @{ $why->{indexes} };
    is(
        sprintf('%.9f', $index->{factors}{cpu}{value}),
        sprintf('%.9f', sqrt 0.5),
        'its factors are means of those of its tests'
    );
};

subtest 'numbers of copies' => sub {
    my $side = side(A => { pipe => used() });
    my $more = side(A => { pipe => used(rate => 500, user => 0.25) }, {}, copies => 8);
    push @{ $side->{summary}{runs} }, @{ $more->{summary}{runs} };
    my ($why, @others) = @{ UnixBench::Why::Reasons::of_summary($side->{summary}) };
    is_deeply([$why->{copies}, scalar @others], [[1, 8], 0], 'each is compared with the fewest');
    is($why->{tests}[0]{largest}, 'kernel', 'the factors are those of the rates of a copy');
    ok($why->{tests}[0]{shares_core}, 'eight copies share two cores');
    is_deeply(UnixBench::Why::Reasons::of_summary(side(A => { pipe => used() })->{summary}),
        [], 'one number of copies');
};

done_testing;
