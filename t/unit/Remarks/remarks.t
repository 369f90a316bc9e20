use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(failed host measured quick_run result run sliced tag tagged);
use UnixBench::Remarks::Remarks;

# Takes runs, and facts of a result to replace; returns its remarks by their kind.
sub remarks {
    my ($runs, %facts) = @_;
    return map { $_->{kind} => $_ } UnixBench::Remarks::Remarks::of(result($runs, %facts));
}

# Their kinds, in order.
sub kinds {
    return join q{ }, map { $_->{kind} } UnixBench::Remarks::Remarks::of(result(@_));
}

# Six passes that differ by a thousandth.
sub calm { my ($name) = @_; return measured($name, 1, 1000, 1001, 999, 1000, 1001, 999) }

sub disturbed { my ($cause, $value) = @_; return tag($cause, 'disturbed', $value) }

is(kinds([]), q{}, 'nothing of nothing');
is(kinds([run(1, calm('pipe'),                       calm('spawn'))]),           q{}, 'nothing of a good run');
is(kinds([run(1, failed('pipe', 'gone', 1000, 2000), measured('spawn', 1, 9))]), q{}, 'nor of what was not measured');

subtest 'what disturbed a run' => sub {
    my %pipe  = (2 => [disturbed(steal => 0.07), tag('others', 'note', 0.03)], 3 => [tag('steal', 'note', 0.02)]);
    my @tests = (tagged(calm('pipe'), \%pipe), tagged(calm('spawn'), { 1 => [tag('steal', 'note', 0.01)] }));
    my %found = remarks([run(1, calm('pipe')), run(4, @tests)]);
    is_deeply([sort keys %found], [qw(others steal)], 'one remark for each cause');
    my %place = (run => 1, copies => 4, test => undef);
    is_deeply(
        $found{steal},
        {
            %place,
            kind   => 'steal',
            level  => 'disturbed',
            worst  => 0.07,
            passes => 3,
            badly  => 1,
            of     => 12,
            titles => ['Pipe Throughput', 'Process Creation']
        },
        'how often, where and how badly'
    );
    is($found{others}{level}, 'note', 'a note alone is no more');
    my %alone = remarks([run(4, @tests)]);
    is($alone{steal}{copies}, undef, 'nothing to tell apart in a single run');
    my @low = map { tag($_, 'disturbed', 1), tag($_, 'disturbed', 0.5) } qw(affinity overlap);
    my %low = remarks([run(1, tagged(calm('pipe'), { 2 => [@low[0, 2]], 3 => [@low[1, 3]] }))]);
    is_deeply([map { $low{$_}{worst} } qw(affinity overlap)], [0.5, 0.5], 'where less is worse');
    is(kinds([run(1, tagged(calm('pipe'), { 2 => [tag('moon', 'note', 1)] }))]), q{}, 'a cause that nobody knows');
};

subtest 'a test that failed was disturbed, too' => sub {
    my $test = tagged(failed('pipe', 'killed', 1000), { 2 => [disturbed(thermal => 3)] });
    is(kinds([run(1, $test)]), 'thermal', 'its failed pass');
};

subtest 'credits of CPU time' => sub {
    my $burst = sub {
        my (@values) = @_;
        my %tags = map {
            $values[$_]
                ? ($_ + 1 => [tag('steal', $values[$_] > 0.05 ? 'disturbed' : 'note', $values[$_])])
                : ()
        } 0 .. $#values;
        return (kinds([run(1, tagged(measured('pipe', 1, (1000) x @values), \%tags))]));
    };
    is($burst->(0,    0, 0,    0.02, 0.2,  0.3),  'burst', 'nothing at first, much in the end');
    is($burst->(0,    0, 0,    0,    0,    0.3),  'steal', 'in half of the last third only');
    is($burst->(0.01, 0, 0.2,  0.2,  0.2,  0.2),  'steal', 'a little at first');
    is($burst->(0,    0, 0.02, 0.2,  0.02, 0.02), 'steal', 'little in the end');
    is($burst->(0, 0, 0.2, 0.2, 0.2), 'steal', 'too few passes');

    my @late  = map { tagged(sliced($_, 1, (1000) x 3), { 3 => [disturbed(steal => 0.4)] }) } qw(pipe spawn);
    my %found = remarks([quick_run(3, 1, @late)], procedure => { kind => 'quick' });
    is_deeply([@{ $found{burst} }{qw(worst passes of)}], [0.4, 2, 6], 'round by round in a quick run');
};

subtest 'the start' => sub {
    my %early = (1 => [tag('run_queue', 'note', 2), tag('swap', 'note', 4)]);
    my $load  = sub { my ($load) = @_; return (facts => { load => [$load, 0, 0] }) };
    is(kinds([run(1, calm('pipe'))], $load->(0.49)), q{},    'idle');
    is(kinds([],                     $load->(0.5)),  'load', 'not idle');
    my @run   = run(1, tagged(calm('pipe'), \%early), calm('spawn'));
    my %found = remarks(\@run, $load->(0.2));
    is_deeply([sort keys %found], [qw(load swap)], 'who waits right before the first pass was there before');
    is_deeply([@{ $found{load} }{qw(load causes run)}], [0.2, ['run_queue'], undef], 'with both');
    is(kinds([run(1, calm('spawn'), tagged(calm('pipe'), \%early))]), 'swap run_queue', 'but not later');
    my %twice = (1 => [tag('others', 'note', 0.03)], 2 => [tag('others', 'note', 0.04)]);
    is(kinds([run(1, tagged(calm('pipe'), \%twice))]), 'load others', 'what went on is said, too');
    is(
        kinds([quick_run(2, 1, tagged(sliced('pipe', 1, 7, 7), \%early))], procedure => {}),
        'swap run_queue',
        'which slice was the first is not known'
    );
};

subtest 'the passes of a test' => sub {
    my $found = sub { my (@counts) = @_; my %found = remarks([run(1, measured('pipe', 1, @counts))]); return %found };
    my @wild  = (1000, 1150, 1040, 1100, 980, 1120);
    my %wild  = $found->(@wild);
    is_deeply([sort keys %wild],                        ['varied'],                     'varied');
    is_deeply([@{ $wild{varied} }{qw(run test title)}], [0, 'pipe', 'Pipe Throughput'], 'which test');
    cmp_ok(abs($wild{varied}{cv} - 0.0644), '<', 0.0002, 'by how much');    # Python's statistics.stdev / mean
    is_deeply([sort keys %{ { $found->(1000, 1040, 960, 1010, 990) } }], [], 'up to 5 % are usual');

    my %modes = $found->(1000, 1010, 1990, 2000, 2010, 1005);
    is_deeply([sort keys %modes],                              ['modes'],  'two modes, and nothing of variation');
    is_deeply([map { $_->{share} } @{ $modes{modes}{modes} }], [0.5, 0.5], 'with their shares');

    my %first = $found->(850, 1000, 1001, 999, 1000, 1001);
    is_deeply([sort keys %first], ['first_pass'], 'a slow first pass explains the variation');
    cmp_ok(abs($first{first_pass}{behind} - 0.15), '<', 0.001, 'by how much');
    is_deeply([sort keys %{ { $found->(850, @wild) } }], ['varied'], 'but not among others that vary as much');

    my %fall = $found->(map { 1000 - 20 * $_ } 0 .. 9);
    is_deeply([sort keys %fall], ['trend'], 'a trend');
    cmp_ok(abs($fall{trend}{rise} + 0.18), '<', 0.003, 'down by how much');

    my $first = tagged(measured('pipe', 1, 850, 1000, 1001, 999, 1000, 1001), { 1 => [disturbed(steal => 0.2)] });
    is(kinds([run(1, $first)]), 'steal varied', 'a first pass that was disturbed has its reason');
};

subtest 'precision' => sub {
    my %quick = (procedure => { kind => 'quick', precision => 0.01 });
    my @even  = map { 1000 + $_ } 0, 1, 2, 1, 0;
    my @odd   = (1000, 1030, 980, 1010, 990);
    is(kinds([quick_run(5, 1, sliced('pipe', 1, @even))], %quick), q{}, 'reached');
    my %found = remarks([quick_run(5, 1, sliced('pipe', 1, @even), sliced('spawn', 1, @odd))], %quick);
    my $said  = $found{precision};
    is_deeply([@$said{qw(rounds wanted of is_index costly)}],
        [5, 0.01, 'System Benchmarks', 1, ['Process Creation']], 'not');

    # By Python's statistics, of the rates: t(4) = 2.7764, standard deviation of the mean of both logarithms 0.010152.
    cmp_ok(abs($said->{half_width} - 0.012606), '<', 1e-5, 'what is');
    my %one = remarks([quick_run(1, 1, sliced('pipe', 1, 1000))], %quick);
    is_deeply([@{ $one{precision} }{qw(half_width costly)}], [undef, []], 'a single round');
    is(kinds([run(1, measured('pipe', 1, 1000))], %quick), q{}, 'of quick runs only');
};

subtest 'the machine' => sub {
    my $of   = sub { return kinds([], @_) };
    my $fact = sub { my ($group, %facts) = @_; return $of->(facts => { $group => \%facts }) };
    is($fact->(cpu     => governor    => 'performance', turbo => 'off'), q{},            'as it should be');
    is($fact->(cpu     => governor    => 'powersave, performance'),      'governor',     'governor');
    is($fact->(cpu     => turbo       => 'on'),                          'turbo',        'turbo');
    is($fact->(scratch => file_system => $_),                            'scratch',      $_) for qw(tmpfs ramfs);
    is($fact->(scratch => file_system => 'ext4'),                        q{},            'a disk');
    is($fact->(kernel  => debug       => ['KASAN']),                     'debug_kernel', 'a kernel for developers');
    is($fact->(kernel  => debug       => undef),                         q{},            'another');
    is($fact->(virtualization => hypervisor => 'kvm'),                   'hypervisor',   'a virtual machine');
    is($fact->(virtualization => hypervisor => $_),                      q{},            'none') for 'none', undef;
    is($fact->(memory         => swap_kb    => 8_388_604),               q{},            'swap space that is not used');
    is($of->(language => { lang => 'C', charmap => 'ANSI_X3.4-1968' }), 'locale', 'no UTF-8');
    is($of->(language => { lang => 'C', charmap => $_ }), q{}, 'UTF-8, or unknown') for 'utf8', q{}, undef;
    is($of->(host     => host(cpu_quota => $_->[0])), $_->[1], "$_->[0] of 2 CPUs") for [1.5, 'quota'], [2, q{}];
    is($fact->(cgroup => cpus => 0.5), 'quota', 'the same as a fact');
    my @run = run(1, tagged(calm('pipe'), { 2 => [disturbed(throttled => 7)] }));
    is(kinds(\@run, host => host(cpu_quota => 0.5)), 'throttled', 'once is enough');
};

is(
    kinds(
        [run(1, tagged(measured('pipe', 1, 850, 1000, 1001, 999, 1000, 1001), { 2 => [disturbed(thermal => 1)] }))],
        facts => { load => [3, 2, 1], cpu => { turbo => 'on' }, virtualization => { hypervisor => 'kvm' } }
    ),
    'load thermal first_pass turbo hypervisor',
    'what disturbed comes first, then what the machine is like'
);

done_testing;
