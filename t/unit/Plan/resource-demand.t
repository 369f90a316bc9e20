use strict;
use warnings;

use Test::More;

use UnixBench::Command;
use UnixBench::Catalog;
use UnixBench::Plan::Plan;
use UnixBench::Plan::ResourceCheck;

# Takes tests, a number of passes and numbers of copies; returns the plan for them.
sub plan_of {
    my ($tests, $iterations, @copies) = @_;
    return planned_with({}, $tests, $iterations, @copies);
}

sub planned_with {
    my ($more, $tests, $iterations, @copies) = @_;
    return UnixBench::Plan::Plan::make(
        %$more,
        tests      => $tests,
        copies     => \@copies,
        iterations => $iterations,
        factor     => 1,
        words      => { bindir => 'b', tmpdir => 't' },
        is_there   => sub { 1 },
    );
}

# [tests, copies, work factor of the shell tests, processes, memory in KB, scratch files in KB].
my @CASES = (
    ['pipe',                 1,    1,    9,    8448,      4],
    ['pipe',                 1024, 1,    1032, 270336,    4096],
    ['context1',             2,    1,    12,   9216,      8],
    ['fsdisk',               2,    1,    10,   8704,      32_008],
    ['fsdisk-w fsbuffer',    1,    1,    9,    8448,      8004],
    ['shell1',               1,    1,    14,   9472,      68],
    ['shell8',               2,    1,    76,   19712,     1032],
    ['shell16',              1,    1,    74,   19072,     1028],
    ['shell16',              1,    1000, 74,   2_065_024, 1_024_004],
    ['C',                    1,    1,    12,   20_480,    260],
    ['pipe fsdisk shell1 C', 4,    1,    32,   57_344,    64_016],
    ['2d-rects pipe',        2,    1,    10,   8704,      8],
    ['2d-rects',             2,    1,    8,    8192,      8],
);

for my $case (@CASES) {
    my ($tests, $copies, $factor, @expected) = @$case;
    my $demand = UnixBench::Plan::ResourceCheck::demand(plan_of([split ' ', $tests], 1, $copies), $copies, $factor);
    is_deeply([@$demand{qw(processes memory_kb scratch_kb)}],
        \@expected, "demand of $copies x $tests with factor $factor");
    is($demand->{copies}, $copies, "copies of $copies x $tests");
}

my %REPORTS_KB =
    ('pipe 1 1' => 129, 'pipe 100 1024' => 128 + 102_400, 'dc 9 2' => 128 + 3 * 2 * 2048 + 6, 'C 9 2' => 134);
for my $case (sort keys %REPORTS_KB) {
    my ($test, $iterations, $copies) = split ' ', $case;
    my $plan = plan_of([$test], $iterations, $copies);
    is(UnixBench::Plan::ResourceCheck::reports_kb($plan),
        $REPORTS_KB{$case}, "size of the reports of $test, -i $iterations -c $copies");
}
is(
    UnixBench::Plan::ResourceCheck::reports_kb(plan_of(['pipe'], 10, 1, 7)),
    128 + 10 + 70,
    'size of the reports of two runs'
);
my $quick = UnixBench::Plan::Plan::make(
    tests  => ['dc'],
    copies => [2],
    factor => 1,
    words  => { bindir => '/b', tmpdir    => '/t' },
    quick  => { seed   => 1,    precision => 0.01, max_time_s => 31 }
);

# In 31 s there are 50 short passes of 0.62 s, and one that is under way. Each writes a fiftieth of an official one.
is(
    UnixBench::Plan::ResourceCheck::reports_kb($quick),
    int(128 + 2 * 51 * (1 + 0.02 * 2048)),
    'size of the reports of a quick run: as many short passes as there is time for'
);
is(UnixBench::Plan::ResourceCheck::reports_kb(plan_of(['2d-text'], 10, 2)),
    128, 'a test that is skipped adds nothing to the reports');

for my $test (UnixBench::Catalog::tests()) {
    my $needs = $test->{needs};
    ok($needs->{processes} > 0 && $needs->{memory_kb} > 0, "$test->{name} needs processes and memory");
}

done_testing;
