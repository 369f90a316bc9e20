use strict;
use warnings;

use Test::More;

use UnixBench::Noise::Disturbances;

# A pass of ten seconds on a machine with two CPUs, after a rest of one second. Nothing disturbs: half of the CPU time
# is used, all of it by the pass.
my %BEFORE = (
    at_s          => 1001,
    ours_s        => 5,
    ours_kernel_s => 2,
    cpus          => 2,
    busy_ticks    => 50_000,
    unused_ticks  => 90_000,
    steal_ticks   => 1000,
    throttled     => 7,
    thermal       => 9,
    swap          => 300,
    major_faults  => 3000,
);
my %GROWTH = (%BEFORE, at_s => 10, ours_s => 10, busy_ticks => 1000, unused_ticks => 1000);
$GROWTH{$_} = 0 for qw(ours_kernel_s cpus steal_ticks throttled thermal swap major_faults);
my %REST   = (at_s    => 0, cpu_us      => 5_000_000, io_us => 6_000_000, memory_us => 0);
my %WAITED = (at_s    => 1, cpu_us      => 0,         io_us => 0,         memory_us => 0);
my %QUIET  = (running => 1, usable_cpus => 2,         cpus  => { online => 2, usable => 2 }, copies => 2);

# [name, counters that grow differently in the ten seconds, tags that are expected].
my @DURING = (
    ['an undisturbed pass',        {}],
    ['a tick less than 1 % steal', { steal_ticks => 20 }],
    ['1 % steal',                  { steal_ticks => 21 },   ['steal', 'note',      0.01]],
    ['less than 5 % steal',        { steal_ticks => 100 },  ['steal', 'note',      0.0495]],
    ['5 % steal',                  { steal_ticks => 101 },  ['steal', 'disturbed', 0.05]],
    ['no more than all is stolen', { steal_ticks => 9999 }, ['steal', 'disturbed', 1]],
    ['other load below 2 %',       { busy_ticks  => 1022, unused_ticks => 900 }],
    ['other load of 2 %',          { busy_ticks  => 1023, unused_ticks => 900 }, ['others', 'note',      0.02]],
    ['other load below 10 %',      { busy_ticks  => 1102, unused_ticks => 800 }, ['others', 'note',      0.099]],
    ['other load of 10 %',         { busy_ticks  => 1103, unused_ticks => 800 }, ['others', 'disturbed', 0.1]],
    [
        'other load of more than one CPU',
        { busy_ticks => 1903, unused_ticks => 0, ours_s => 4 },
        ['others', 'disturbed', 1.5]
    ],
    ['too many busy ticks',  { busy_ticks => 1500, unused_ticks => 977 }, ['others', 'note', 0.02]],
    ['too few unused ticks', { busy_ticks => 1023, unused_ticks => 500 }, ['others', 'note', 0.02]],
    [
        'work of the kernel for the pass',
        { busy_ticks => 1073, unused_ticks => 900, ours_kernel_s => 9 },
        ['others', 'note', 0.02]
    ],
    [
        'little work of the kernel for the pass',
        { busy_ticks => 1033, unused_ticks => 900, ours_kernel_s => 0.5 },
        ['others', 'note', 0.02]
    ],
    ['less busy time than that of the pass', { busy_ticks   => 900 }],
    ['one throttling by a quota',            { throttled    => 1 },    ['throttled', 'disturbed', 1]],
    ['two throttlings by heat',              { thermal      => 2 },    ['thermal',   'disturbed', 2]],
    ['one page of swap',                     { swap         => 1 },    ['swap',      'note',      0.1]],
    ['less than 100 pages of swap a second', { swap         => 999 },  ['swap',      'note',      99.9]],
    ['100 pages of swap a second',           { swap         => 1000 }, ['swap',      'disturbed', 100]],
    ['a few major faults',                   { major_faults => 99 }],
    ['ten major faults a second',            { major_faults => 100 },  ['major_faults', 'note',      10]],
    ['less than 100 major faults a second',  { major_faults => 999 },  ['major_faults', 'note',      99.9]],
    ['100 major faults a second',            { major_faults => 1000 }, ['major_faults', 'disturbed', 100]],
    ['lost ticks of a busy CPU',             { unused_ticks => 500 }],
    ['a pass that takes no time',            { at_s => 0,  throttled => 5, swap => 9 }],
    ['a clock that was set back',            { at_s => -1, throttled => 5, swap => 9 }],
    (map { ["$_ that was set back", { $_ => -1 }] } grep { $_ ne 'cpus' } sort keys %GROWTH),
);
for my $case (@DURING) {
    my ($what, $growth, @tags) = @$case;
    is_tagged($what, { after => grown(\%BEFORE, { %GROWTH, %$growth }) }, @tags);
}

for my $counter (grep { $_ ne 'cpus' } sort keys %BEFORE) {
    my $after = grown(\%BEFORE, \%GROWTH);
    is_tagged("$counter is not known before the pass", { before => { %BEFORE, $counter => undef } });
    is_tagged("$counter is not known after the pass",  { after  => { %$after, $counter => undef } });
}

# [name, pressure that grows differently in the rest, tags that are expected].
my @REST = (
    ['1 % of the rest',             { cpu_us    => 10_000 }, ['pressure_cpu', 'note', 0.01]],
    ['less than 1 % of the rest',   { cpu_us    => 9999 }],
    ['5 % of the rest',             { io_us     => 50_000 }, ['pressure_io',     'disturbed', 0.05]],
    ['less than 5 % of the rest',   { io_us     => 49_999 }, ['pressure_io',     'note',      0.049999]],
    ['more than all of the rest',   { memory_us => 2e6 },    ['pressure_memory', 'disturbed', 1]],
    ['all of a rest of 0.9 s',      { memory_us => 9e5, at_s => 0.9 }, ['pressure_memory', 'disturbed', 1]],
    ['all of a rest of 0.8 s',      { memory_us => 9e5, at_s => 0.8 }],
    ['a counter that was set back', { io_us     => -1 }],
);
for my $case (@REST) {
    my ($what, $growth, @tags) = @$case;
    is_tagged("pressure: $what", { rest => { from => \%REST, to => grown(\%REST, { %WAITED, %$growth }) } }, @tags);
}
is_tagged('pressure is not known', { rest => { map { $_ => { at_s => $_ eq 'to' } } qw(from to) } });

# [name, other things that are seen, tags that are expected].
my @OTHERWISE = (
    ['nothing is known',                   { running => undef, cpus => {}, before => {}, after => {} }],
    ['one process waits for a CPU',        { running => 2 },                   ['run_queue', 'note', 1]],
    ['as many processes as CPUs wait',     { running => 3 },                   ['run_queue', 'disturbed', 2]],
    ['one process waits for the only CPU', { running => 2, usable_cpus => 1 }, ['run_queue', 'disturbed', 1]],
    ['fewer usable CPUs than online', { copies => 1, cpus => { online => 2, usable => 1 } }, ['affinity', 'note', 1]],
    [
        'fewer usable CPUs than copies',
        { copies => 2, cpus => { online => 2, usable => 1 } },
        ['affinity', 'disturbed', 1]
    ],
    ['more copies than online CPUs',   { copies    => 3 }],
    ['copies that overlap too little', { elapsed_s => [1, 0.949, 1.0] }, ['overlap', 'disturbed', 0.949]],
    ['copies that overlap enough',     { elapsed_s => [1, 0.95] }],
    ['one copy',                       { elapsed_s => [1] }],
    ['copies that took no time',       { elapsed_s => [0, 0] }],
);
is_tagged(@$_) for @OTHERWISE;

is_tagged(
    'steal is a part of what the copies could have had',
    { after => grown(\%BEFORE, { %GROWTH, steal_ticks => 101 }), copies => 1, usable_cpus => 64, cpus => {} },
    ['steal', 'disturbed', 0.1]
);

# [name, copies that always work, seconds of a copy in which it did not wait, cores, CPUs of other processes, the
# cause]. Four CPUs are online.
for my $case (
    ['a CPU is free',                      1, 10,    4, 2.5,  'elsewhere note'],
    ['all threads of cores but one',       1, 10,    2, 1.5,  'others disturbed'],
    ['a copy has waited',                  1, 9.8,   4, 1,    'others disturbed'],
    ['copies and others fill all CPUs',    3, 10,    4, 1.5,  'others disturbed'],
    ['copies fill all CPUs, little loss',  4, 9.85,  4, 0.15, 'elsewhere note'],
    ['copies fill all CPUs, a great loss', 4, 9.6,   4, 0.4,  'others disturbed'],
    ['copies that sleep',                  1, undef, 4, 1,    'others disturbed'],
    )
{
    my ($what, $copies, $ran_s, $cores, $others, $cause) = @$case;
    my $busy  = 100 * (10 * $others + 10 + 0.53);
    my $after = grown({ %BEFORE, cpus => 4 }, { %GROWTH, busy_ticks => $busy, unused_ticks => 4000 - $busy });
    my %seen  = (%QUIET, copies => $copies, cpus => { online => 4, usable => 4, cores => $cores });
    $seen{works} = [map { +{ span_s => 10, ran_s => $ran_s } } 1 .. $copies] if defined $ran_s;
    my ($tag) =
        UnixBench::Noise::Disturbances::found({ %seen, before => { %BEFORE, cpus => 4 }, after => $after });
    is("@$tag{qw(cause level)}", $cause, "others elsewhere: $what");
}

# [name, the ticks of two CPUs in ten seconds that are used and not used, whether they are believed].
for my $case (['ticks that move', 1000, 900, 1], ['some ticks are lost', 1000, 50, 1],
    ['ticks that stand still', 0, 0, 0])
{
    my ($what, $busy, $unused, $is_believed) = @$case;
    my $after = grown(\%BEFORE, { %GROWTH, busy_ticks => $busy, unused_ticks => $unused });
    my $known = UnixBench::Noise::Disturbances::believed(\%BEFORE, $after);
    is(scalar(grep { defined $known->{$_} } qw(busy_ticks unused_ticks steal_ticks)), 3 * $is_believed, $what);
}
my @brief = ({ %GROWTH, at_s => 0.05, swap => 90, major_faults => 90, steal_ticks => 9 });
is_tagged('a pass that is too short to tell', { after => grown(\%BEFORE, $brief[0]), elapsed_s => [0.01, 0.02] });

# [name, seconds for which each copy ran in a pass of ten, other things that are seen, the part that is a disturbance].
my @WAITED = (
    ['two copies with a CPU each', [10, 10],   {}],
    ['less than 5 %',              [9,  10.1], {}],
    ['5 %',                                  [10, 9], {}, 0.05],
    ['both share a CPU',                     [5,  5], {}, 0.5],
    ['more copies than CPUs wait by nature', [(5) x 4],     {}],
    ['and may share the CPUs unequally',     [10, 4, 3, 3], {}],
    ['but not more than that',               [(2.5) x 4],   {}, 0.5],
    ['fewer CPUs than exist',                [5, 5], { cpus  => { online => 2, usable => 1 } }],
    ['it is not known how many can be used', [5, 5], { cpus  => {} }, 0.5],
    ['the hypervisor took it',               [9, 9], { grown => { steal_ticks  => 200 } }],
    ['a quota took it',                      [9, 9], { grown => { throttled_us => 2e6 } }],
    ['it took less',                         [9, 8], { grown => { throttled_us => 2e6 } }, 0.05],
    ['no copy',                              [], {}],
);
for my $case (@WAITED) {
    my ($what, $ran_s, $seen, $part) = @$case;
    my $grown  = $seen->{grown} || {};
    my %before = (%BEFORE, throttled_us => 9);
    my $after  = grown(\%before, { %GROWTH, throttled_us => 0, %$grown });
    my %known  = (cpus => $QUIET{cpus}, %$seen, copies => 1, before => \%before, after => $after);
    $known{works} = [map { +{ span_s => 10, ran_s => $_ } } @$ran_s];
    my %found = map { $_->{cause} => $_->{value} } UnixBench::Noise::Disturbances::found({ %QUIET, %known });
    is($found{waited}, $part, "waited: $what");
}

is_tagged(
    'all disturbances at once',
    {
        after     => grown(\%BEFORE, { %GROWTH, steal_ticks => 201, thermal => 1 }),
        running   => 2,
        rest      => { from   => \%REST, to     => grown(\%REST, { %WAITED, io_us => 20_000 }) },
        cpus      => { online => 4,      usable => 2 },
        elapsed_s => [2, 1],
    },
    ['steal',       'disturbed', 0.1],
    ['thermal',     'disturbed', 1],
    ['run_queue',   'note',      1],
    ['pressure_io', 'note',      0.02],
    ['affinity',    'note',      2],
    ['overlap',     'disturbed', 0.5],
);

# [the numbers of refused processes that the copies of a pass reported, the refusals of the pass].
for my $case ([[undef, undef], 0], [[undef, 7, 40], 47], [['x', q{}, '-1', 5], 5]) {
    my ($said, $count) = @$case;
    my @copies = map { { data => { COUNT => [1, 1, 'lps'], defined ? (REFUSED => [$_]) : () } } } @$said;
    is(UnixBench::Noise::Disturbances::refusals(\@copies), $count, "$count refusals");
}

# A pass is repeated because of a disturbance that does not last.
my @BRIEF = qw(
    others elsewhere waited another_run late swap major_faults run_queue pressure_cpu pressure_io pressure_memory
    overlap
);
my @LASTING = qw(steal throttled refused thermal low_voltage slow_clock affinity);
my @repeated =
    grep { UnixBench::Noise::Disturbances::is_worth_repeating({ cause => $_, level => 'disturbed' }) } @BRIEF, @LASTING;
is("@repeated", "@BRIEF", 'the causes because of which a pass is repeated');
is_deeply([sort @BRIEF, @LASTING], [sort(UnixBench::Noise::Causes::names())], 'each cause is one or the other');
ok(!UnixBench::Noise::Disturbances::is_worth_repeating({ cause => 'others', level => 'note' }), 'a note is not');

done_testing;

sub grown {
    my ($from, $growth) = @_;
    return { map { $_ => $from->{$_} + $growth->{$_} } keys %$from };
}

# Takes a name, what is seen instead of a quiet pass, and tags; tests that these are found. Values are compared with
# nine digits.
sub is_tagged {
    my ($what, $seen, @tags) = @_;
    my %seen = (%QUIET, before => \%BEFORE, after => grown(\%BEFORE, \%GROWTH), %$seen);
    my @seen = map { { %$_, value => sprintf '%.9g', $_->{value} } } UnixBench::Noise::Disturbances::found(\%seen);
    is_deeply(
        \@seen,
        [map { { cause => $_->[0], level => $_->[1], value => sprintf '%.9g', $_->[2] } } @tags],
        "tags of: $what"
    );
    return;
}
