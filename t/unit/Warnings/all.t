use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture       qw(failed host measured quick_run result run sliced tag tagged);
use StatesInTurns qw(states_in_turns);
use UnixBench::Warnings::All;

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

done_testing;
