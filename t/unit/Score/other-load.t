# Tests of values beside other load: how much it can explain, floors and ceilings.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(@INDEX measured run steady_result tag tagged);
use UnixBench::Score::OtherLoad;
use UnixBench::Store::Summary;

use constant {
    PASSES => 8,
    MARGIN => UnixBench::Score::OtherLoad::MARGIN(),
    RAISED => UnixBench::Score::OtherLoad::RAISED(),
};

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
    my ($summary) = @{ UnixBench::Store::Summary::of(steady_result([$run]))->{runs} };
    return ($summary->{tests}[0]{bounds}, ($summary->{indexes}[0] || {})->{bounds}, $summary);
}

sub rounded { my ($number) = @_; return defined $number ? 0 + sprintf '%.4g', $number : undef }

#<<< a table
my @EXPLAINED = (
    ['dhry2reg', 0.4,   1, 2.5,   'a copy that ran for 40 % of the time would do at most 2.5 times as much'],
    ['dhry2reg', 1.001, 1, 1,     'one that ran all the time would not do more'],
    ['dhry2reg', 0.4,   4, 1.25,  'four copies share two CPUs'],
    ['dhry2reg', undef, 1, undef, 'nothing is explained if CPU times are unknown'],
    ['fstime',   0.4,   1, undef, 'a test that waits for disks has no ceiling'],
    ['spawn',    0.4,   1, undef, 'a test that waits for other processes has none'],
);
#>>>

for my $row (@EXPLAINED) {
    my ($name, $ran, $copies, $factor, $what) = @$row;
    my ($bounds) = bounds(run($copies, test_with($name, $ran, $copies)));
    is(rounded($bounds->{explains}), $factor, $what);
}

subtest 'a floor and a ceiling' => sub {
    my $run = run(1, test_with('dhry2reg', 0.4));
    my ($bounds, undef, $summary) = bounds($run);
    my $estimate = $summary->{tests}[0]{estimate};
    is($bounds->{at_least},         $estimate->{low}, 'the floor is the lower end of the interval');
    is(rounded($bounds->{at_most}), rounded($estimate->{high} * 2.5 * MARGIN), 'the ceiling has the margin');
    ($bounds) = bounds(run(1, test_with('dhry2reg', 0.4, 1, 2)));
    is_deeply([@$bounds{qw(at_least at_most)}], [undef, undef], 'two of eight disturbed passes make no floor');
    ($bounds) = bounds(run(1, test_with('dhry2reg', 0.4, 1, 3)));
    ok(defined $bounds->{at_least}, 'three do');
    ($bounds) = bounds(run(1, test_with('dhry2reg', 0.4, 1, 0)));
    is($bounds, undef, 'without other load nothing is limited');
};

subtest 'tests that other load can raise' => sub {
    my ($bounds) = bounds(run(1, test_with('context1', 0.4)));
    is($bounds->{at_least}, undef, 'Pipe-based Context Switching has no floor');
    ($bounds) = bounds(run(2, test_with('pipe', 0.4, 2)));
    ok(defined $bounds->{at_least}, 'two copies of pipe on two CPUs have one');
    ($bounds) = bounds(run(3, test_with('pipe', 0.4, 3)));
    is($bounds->{at_least}, undef, 'three copies have none');
};

subtest 'the index' => sub {
    my ($bounds, $of_index, $summary) = bounds(run(1, map { test_with($_, 0.4) } @INDEX));
    my ($index) = @{ $summary->{indexes} };
    my %cpus    = map { $_ => 2 } qw(context1 spawn shell1 shell8);
    my $log     = 0;
    $log += log(($cpus{$_} // 1) / 0.4) / @INDEX for @INDEX;
    is(rounded($of_index->{explains}), rounded(exp $log), 'tests that wait count with the CPUs that they can use');
    my $raised = RAISED**(1 / @INDEX);
    is(rounded($of_index->{raised}), rounded($raised), 'one of its tests may have been raised');
    is(
        rounded($of_index->{at_least}),
        rounded($index->{estimate}{low} / $raised),
        'its floor is below the interval by this factor'
    );
    is(rounded($of_index->{at_most}), rounded($index->{estimate}{high} * exp($log) * MARGIN), 'but not its ceiling');
    my $high = tagged(
        measured('context1', 1, map { 1e6 + $_ % 3 } 1 .. PASSES),
        { map { $_ => [tag(others => disturbed => 1.6)] } 1 .. PASSES }
    );
    ($bounds, $of_index, $summary) = bounds(run(1, map { $_ eq 'context1' ? $high : test_with($_, 0.4) } @INDEX));
    ($index) = @{ $summary->{indexes} };
    cmp_ok($of_index->{steady}{value}, '<', $index->{estimate}{value}, 'the index without context1 is lower');
    is(
        rounded($of_index->{at_least}),
        rounded($index->{estimate}{low} / $raised),
        'which has another scale, so the floor is that of the whole index'
    );
    is($of_index->{explains}, undef, 'a test with unknown CPU times leaves the index without a ceiling');
    ($bounds, $of_index) = bounds(run(1, map { test_with($_, 0.4, 1, $_ eq 'context1' ? 0 : PASSES) } @INDEX));
    is($of_index->{raised}, 1, 'if no pass of context1 was beside the load, nothing was raised');
    my ($quiet) = (bounds(run(1, map { test_with($_, 1, 1, 0) } @INDEX)))[1];
    is_deeply([@$quiet{qw(explains at_least)}], [undef, undef], 'a quiet index is not a floor');
};

# Takes low and high of estimates, and for each side, what raised it and what explains it; returns the limits.
sub limits_of {
    my ($estimates, @sides) = @_;
    my @both = map { +{ raised => $_->[0], explains => $_->[1] } } @sides;
    return [
        @{ UnixBench::Score::OtherLoad::limits([map { +{ low => $_->[0], high => $_->[1] } } @$estimates], @both) }
            {qw(low high)}
    ];
}

subtest 'limits' => sub {
    my ($calm, $loud, $risen, $wild, $open) = ([1, 1], [1, 2], [1.5, 2], [undef, 2], [1, undef]);
    is_deeply(limits_of([[3, 4]], $calm),         [3, 4],       'an undisturbed value');
    is_deeply(limits_of([[3, 4]], $loud),         [3, 8],       'a disturbed value');
    is_deeply(limits_of([[3, 4]], $open),         [3, undef],   'one without a ceiling');
    is_deeply(limits_of([[3, 4]], $risen),        [2, 8],       'one of which a part may have been raised');
    is_deeply(limits_of([[3, 4]], $wild),         [undef, 8],   'one that may have been raised by any factor');
    is_deeply(limits_of([[3, 4]], $calm, $loud),  [1.5, 4],     'a ratio to a disturbed reference');
    is_deeply(limits_of([[3, 4]], $calm, $open),  [undef, 4],   'a ratio to a reference without a ceiling');
    is_deeply(limits_of([[3, 4]], $calm, $risen), [1.5, 4],     'a ratio to one of which a part may have been raised');
    is_deeply(limits_of([[3, 4]], $calm, $wild),  [1.5, undef], 'a ratio to one that may have been raised');
    is_deeply(limits_of([[3, 4], [2, 3]], $loud), [2, 8],       'what holds with and without the tests that may rise');
};

done_testing();
