# Tests of values beside other load: how much it can explain, floors and ceilings.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(@INDEX measured run steady_result tag tagged);
use UnixBench::Score::Bounds;
use UnixBench::Score::Stats qw(mean);
use UnixBench::Summary;

use constant { PASSES => 8, MARGIN => UnixBench::Score::Bounds::MARGIN() };

# Takes the name of a test, the part of the time for which its copies ran, a number of copies, and the number of passes
# that other processes disturbed. Returns the test.
sub test_with {
    my ($name, $ran, $copies, $disturbed) = @_;
    my $test = tagged(
        measured($name, $copies // 1, map { 1000 + $_ % 3 } 1 .. PASSES),
        { map { $_ => [tag(others => disturbed => 1.6)] } 1 .. $disturbed // PASSES }
    );
    for my $pass (@{ $test->{passes} }) {
        my $span_s = 0;
        $span_s += $_->{elapsed_s} for @{ $pass->{copies} };
        $pass->{used} = { span_s => $span_s, user_s => $ran * $span_s, kernel_s => 0 } if defined $ran;
    }
    return $test;
}

# Takes a run; returns the bounds of its first test, and those of its index.
sub bounds {
    my ($run)     = @_;
    my ($summary) = @{ UnixBench::Summary::of(steady_result([$run]))->{runs} };
    return ($summary->{tests}[0]{bounds}, ($summary->{indexes}[0] || {})->{bounds}, $summary);
}

sub rounded { my ($number) = @_; return defined $number ? 0 + sprintf '%.4g', $number : undef }

#<<< a table
my @EXPLAINED = (
    ['dhry2reg', 0.4,   1, 2.5,   'a copy that ran for 40 % of the time would do at most 2.5 times as much'],
    ['dhry2reg', 1.001, 1, 1,     'one that ran all the time may have had a sibling thread: it has the margin only'],
    ['dhry2reg', 0.4,   4, 1.25,  'four copies share two CPUs'],
    ['dhry2reg', undef, 1, undef, 'nothing is explained if CPU times are unknown'],
    ['fstime',   0.4,   1, undef, 'a test that waits for disks has no ceiling'],
);
#>>>

for my $row (@EXPLAINED) {
    my ($name, $ran, $copies, $factor, $what) = @$row;
    my ($bounds) = bounds(run($copies, test_with($name, $ran, $copies)));
    is(rounded($bounds->{explains}), $factor && rounded($factor * MARGIN), $what);
}

# Takes the rates of passes that other load disturbed; returns the bounds of a test of arithmetic with them.
sub bounds_of {
    my (@rates) = @_;
    my $test = tagged(measured('dhry2reg', 1, map { 10 * $_ } @rates),
        { map { $_ => [tag(others => disturbed => 1.6)] } 1 .. @rates });
    return (bounds(run(1, $test)))[0];
}

subtest 'a floor and a ceiling' => sub {
    my $bounds = bounds_of(545_000, 900_000, 1_200_000, 1_580_000);
    cmp_ok($bounds->{at_least}, '>', 900_000,   'passes that differ wildly have a floor among them');
    cmp_ok($bounds->{at_least}, '<', 1_200_000, 'which is not the best of them');
    cmp_ok($bounds->{at_least}, '>', bounds_of(545_000, 545_000, 900_000, 1_580_000)->{at_least}, 'they count');
    my @half = map { bounds_of((1000) x 6, ($_) x 2)->{floor}{value} } 500, 5;
    is(rounded($half[0]), rounded($half[1]), 'of passes that are far below the others it does not matter how far');
    my $run = run(1, test_with('dhry2reg', 0.4));
    ($bounds) = bounds($run);
    is(rounded($bounds->{at_least}), rounded($bounds->{floor}{low} / $bounds->{raised}), 'perhaps raised');
    my ($test) = @{ (bounds($run))[2]{tests} };
    is(rounded($bounds->{at_most}), rounded($test->{estimate}{high} * 2.5 * MARGIN), 'the ceiling has the margin');
};

#<<< a table: passes of an idle machine, whose mean is 1000
my @IDLE = (
    ['passes that vary by 10 %',     810, 860, 910, 950, 980, 1010, 1050, 1100, 1150, 1235],
    ['passes of two modes',          760, 760, (1070) x 8],
    ['a few passes that vary by 5 %', 940, 1010, 1055],
);
#>>>

subtest 'beside a load that takes nothing, the floor is below the mean of the passes' => sub {
    for my $row (@IDLE) {
        my ($what,  @rates) = @$row;
        my ($floor, $mean)  = (bounds_of(@rates)->{floor}, exp mean(map { log } @rates));
        cmp_ok($floor->{low}, '<', $mean,       $what);
        cmp_ok($floor->{low}, '>', 0.9 * $mean, "$what: and not far");
    }
};

subtest 'which floors are shown' => sub {
    my %is_shown = (1 => 0, 2 => 0, 3 => 1, PASSES() => 1);
    for my $count (sort { $a <=> $b } keys %is_shown) {
        my ($bounds) = bounds(run(1, test_with('dhry2reg', 0.4, 1, $count)));
        is($bounds->{is_floor}, $is_shown{$count}, "$count of eight passes are disturbed");
    }
    is((bounds(run(1, test_with('dhry2reg', 0.4, 1, 0))))[0], undef, 'without other load nothing is limited');
};

subtest 'each test has a floor' => sub {
    for my $name (@INDEX, 'hanoi') {
        my ($bounds, undef, $summary) = bounds(run(3, test_with($name, 0.4, 3)));
        cmp_ok($bounds->{raised}, '>=', 1, "$name may be raised by a factor");
        my $part = $bounds->{at_least} / $summary->{tests}[0]{estimate}{value};
        cmp_ok(abs($part * $bounds->{raised} - 1), '<', 0.002, 'it counts');
    }
    my ($context1) = bounds(run(1, test_with('context1', 0.4)));
    cmp_ok($context1->{raised}, '>=', 23.5, 'Pipe-based Context Switching: what was measured');
};

sub mean_of {
    my ($key, @bounds) = @_;
    return exp mean(map { log $_->{$key} } @bounds);
}

subtest 'the index' => sub {
    my ($run, $of_index, $summary) = (run(1, map { test_with($_, 0.4) } @INDEX));
    (undef, $of_index, $summary) = bounds($run);
    my ($index) = @{ $summary->{indexes} };
    my @tests   = map { $_->{bounds} } @{ $summary->{tests} };
    my $factor  = $index->{estimate}{value} / mean_of(value => map { $_->{estimate} } @{ $summary->{tests} });
    is(rounded($of_index->{floor}{value}), rounded($factor * mean_of(value => map { $_->{floor} } @tests)), 'a mean');
    is(rounded($of_index->{raised}),       rounded(mean_of(raised => @tests)), 'so is what raised it');
    my %cpus = map { $_ => 2 } qw(context1 spawn shell1 shell8);
    my $log  = 0;
    $log += log(($cpus{$_} // 1) / 0.4) / @INDEX for @INDEX;
    is(rounded($of_index->{explains}), rounded(MARGIN * exp $log), 'tests that wait count with usable CPUs');
    (undef, $of_index) = bounds(run(1, map { test_with($_, $_ eq 'context1' ? undef : 0.4) } @INDEX));
    is($of_index->{explains}, undef, 'a test with unknown CPU times leaves the index without a ceiling');
    my $quiet = sub {
        my ($name) = @_;
        return run(1, map { test_with($_, 0.4, 1, $_ eq $name ? 0 : PASSES) } @INDEX);
    };
    cmp_ok((bounds($quiet->('context1')))[1]{raised}, '<', 1.1, 'a test whose passes were quiet was not raised');
    my $one = (bounds(run(1, map { test_with($_, 0.4, 1, $_ eq 'pipe' ? PASSES : 0) } @INDEX)))[1];
    is(rounded($one->{explains}), rounded((2.5 * MARGIN)**(1 / @INDEX)),  'nor lowered');
    is((bounds(run(1, map { test_with($_, 1, 1, 0) } @INDEX)))[1], undef, 'a quiet index has no bounds');
};

# Takes low and high of an estimate, and for each side, what raised it and what explains it; returns the limits.
sub limits_of {
    my ($estimate, @sides) = @_;
    my @both     = map { +{ raised => $_->[0], explains => $_->[1] } } @sides;
    my $compared = sub { return { low => $estimate->[0], high => $estimate->[1] } };
    return [@{ UnixBench::Score::Bounds::limits(@both[0, 1], $compared) }{qw(low high)}];
}

subtest 'limits' => sub {
    my ($calm, $loud, $risen, $open) = ([1, 1], [1, 2], [1.5, 2], [1, undef]);
    is_deeply(limits_of([3, 4], $calm),          [3, 4],     'an undisturbed value');
    is_deeply(limits_of([3, 4], $loud),          [3, 8],     'a disturbed value');
    is_deeply(limits_of([3, 4], $open),          [3, undef], 'one without a ceiling');
    is_deeply(limits_of([3, 4], $risen),         [2, 8],     'one that may have been raised');
    is_deeply(limits_of([3, 4], $calm, $loud),   [1.5, 4],   'a ratio to a disturbed reference');
    is_deeply(limits_of([3, 4], $calm, $open),   [undef, 4], 'a ratio to a reference without a ceiling');
    is_deeply(limits_of([3, 4], $calm, $risen),  [1.5, 6],   'a ratio to one that may have been raised');
    is_deeply(limits_of([3, 4], $risen, $calm),  [2, 8],     'a ratio of one that may have been raised');
    is_deeply(limits_of([3, 4], $risen, $risen), [1, 12],    'both may have been raised and lowered');
};

done_testing();
