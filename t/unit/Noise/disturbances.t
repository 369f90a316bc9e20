use strict;
use warnings;

use Test::More;

use UnixBench::Noise::Disturbances;

# Ten seconds of a machine with two CPUs, after a rest of one second, in which nothing disturbs: half the time is
# used, all of it by us.
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
my %QUIET  = (running => 1, usable_cpus => 2,         cpus  => { online => 2, usable => 2 }, copies => 1);

# What grows otherwise, in ten seconds.
my @DURING = (
    ['nothing',                    {}],
    ['a tick less than 1 % steal', { steal_ticks => 20 }],
    ['1 % steal',                  { steal_ticks => 21 },   ['steal', 'note',      0.01]],
    ['less than 5 % steal',        { steal_ticks => 100 },  ['steal', 'note',      0.0495]],
    ['5 % steal',                  { steal_ticks => 101 },  ['steal', 'disturbed', 0.05]],
    ['no more than all is stolen', { steal_ticks => 9999 }, ['steal', 'disturbed', 1]],
    ['others below 2 %',           { busy_ticks  => 1022, unused_ticks => 900 }],
    ['others 2 %',                { busy_ticks => 1023, unused_ticks => 900 },            ['others', 'note', 0.02]],
    ['others below 10 %',         { busy_ticks => 1102, unused_ticks => 800 },            ['others', 'note', 0.099]],
    ['others 10 %',               { busy_ticks => 1103, unused_ticks => 800 },            ['others', 'disturbed', 0.1]],
    ['others, more than one CPU', { busy_ticks => 1903, unused_ticks => 0, ours_s => 4 }, ['others', 'disturbed', 1.5]],
    ['ticks that hit too often',  { busy_ticks => 1500, unused_ticks => 977 },            ['others', 'note', 0.02]],
    ['idle time that is too short', { busy_ticks => 1023, unused_ticks => 500 },          ['others', 'note', 0.02]],
    [
        'what the kernel does for us',
        { busy_ticks => 1073, unused_ticks => 900, ours_kernel_s => 9 },
        ['others', 'note', 0.02]
    ],
    [
        'if we had it do little',
        { busy_ticks => 1033, unused_ticks => 900, ours_kernel_s => 0.5 },
        ['others', 'note', 0.02]
    ],
    ['less than ours',         { busy_ticks   => 900 }],
    ['a quota, once',          { throttled    => 1 },    ['throttled', 'disturbed', 1]],
    ['heat, twice',            { thermal      => 2 },    ['thermal',   'disturbed', 2]],
    ['one page of swap',       { swap         => 1 },    ['swap',      'note',      0.1]],
    ['less than 100 a second', { swap         => 999 },  ['swap',      'note',      99.9]],
    ['100 a second',           { swap         => 1000 }, ['swap',      'disturbed', 100]],
    ['a few major faults',     { major_faults => 99 }],
    ['ten a second',           { major_faults => 100 },  ['major_faults', 'note',      10]],
    ['less than 100 a second', { major_faults => 999 },  ['major_faults', 'note',      99.9]],
    ['100 a second',           { major_faults => 1000 }, ['major_faults', 'disturbed', 100]],
    ['no time',                { at_s         => 0,  throttled => 5, swap => 9 }],
    ['a clock set back',       { at_s         => -1, throttled => 5, swap => 9 }],
    (map { ["$_ set back", { $_ => -1 }] } grep { $_ ne 'cpus' } sort keys %GROWTH),
);
for my $case (@DURING) {
    my ($what, $growth, @tags) = @$case;
    is_tagged($what, { after => grown(\%BEFORE, { %GROWTH, %$growth }) }, @tags);
}

for my $counter (grep { $_ ne 'cpus' } sort keys %BEFORE) {
    my $after = grown(\%BEFORE, \%GROWTH);
    is_tagged("$counter not known before", { before => { %BEFORE, $counter => undef } });
    is_tagged("$counter not known after",  { after  => { %$after, $counter => undef } });
}

# Otherwise waited for in a rest.
my @REST = (
    ['1 %',             { cpu_us    => 10_000 }, ['pressure_cpu', 'note', 0.01]],
    ['less',            { cpu_us    => 9999 }],
    ['5 %',             { io_us     => 50_000 }, ['pressure_io',     'disturbed', 0.05]],
    ['less',            { io_us     => 49_999 }, ['pressure_io',     'note',      0.049999]],
    ['all, and longer', { memory_us => 2e6 },    ['pressure_memory', 'disturbed', 1]],
    ['0.9 s of rest',   { memory_us => 9e5, at_s => 0.9 }, ['pressure_memory', 'disturbed', 1]],
    ['less',            { memory_us => 9e5, at_s => 0.8 }],
    ['set back',        { io_us     => -1 }],
);
for my $case (@REST) {
    my ($what, $growth, @tags) = @$case;
    is_tagged("pressure: $what", { rest => { from => \%REST, to => grown(\%REST, { %WAITED, %$growth }) } }, @tags);
}
is_tagged('pressure that is not known', { rest => { map { $_ => { at_s => $_ eq 'to' } } qw(from to) } });

my @OTHERWISE = (
    ['nothing is known of it',    { running => undef, cpus => {}, before => {}, after => {} }],
    ['one that wants to run',     { running => 2 },                                      ['run_queue', 'note', 1]],
    ['as many as CPUs',           { running => 3 },                                      ['run_queue', 'disturbed', 2]],
    ['the same with one CPU',     { running => 2, usable_cpus => 1 },                    ['run_queue', 'disturbed', 1]],
    ['fewer CPUs than there are', { copies => 1, cpus => { online => 2, usable => 1 } }, ['affinity', 'note', 1]],
    ['fewer than copies',         { copies => 2, cpus => { online => 2, usable => 1 } }, ['affinity', 'disturbed', 1]],
    ['more copies than CPUs at all', { copies    => 3 }],
    ['copies of which one is late',  { elapsed_s => [1, 0.949, 1.0] }, ['overlap', 'disturbed', 0.949]],
    ['copies that overlap enough',   { elapsed_s => [1, 0.95] }],
    ['one copy',                     { elapsed_s => [1] }],
    ['copies that took no time',     { elapsed_s => [0, 0] }],
);
is_tagged(@$_) for @OTHERWISE;

is_tagged(
    'all at once',
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

# Cause and level of its tags.
my @REPEATED = (
    ['nothing'],
    ['what is only a note',         ['others',   'note']],
    ['what the machine is made of', ['steal',    'disturbed'], ['throttled', 'disturbed']],
    ['what lasts',                  ['affinity', 'disturbed']],
);
my %is_repeated = map { $_ => 1 } qw(others thermal swap major_faults run_queue pressure_io overlap);
push @REPEATED, map { [$_, [$_, 'disturbed'], ['steal', 'note']] } sort keys %is_repeated;
for my $case (@REPEATED) {
    my ($what, @tags) = @$case;
    my @worth =
        grep { UnixBench::Noise::Disturbances::is_worth_repeating({ cause => $_->[0], level => $_->[1] }) } @tags;
    is(scalar @worth, $is_repeated{$what} || 0, "made again for $what");
}

done_testing;

sub grown {
    my ($from, $growth) = @_;
    return { map { $_ => $from->{$_} + $growth->{$_} } keys %$from };
}

# Numbers are held against each other with nine digits.
sub is_tagged {
    my ($what, $seen, @tags) = @_;
    my %seen = (%QUIET, before => \%BEFORE, after => grown(\%BEFORE, \%GROWTH), %$seen);
    my @seen = map {
        { %$_, value => sprintf '%.9g', $_->{value} }
    } UnixBench::Noise::Disturbances::found(\%seen);
    is_deeply(\@seen, [map { { cause => $_->[0], level => $_->[1], value => sprintf '%.9g', $_->[2] } } @tags], $what);
    return;
}
