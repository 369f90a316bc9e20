use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('capacity', qw(measure/capacity));

sub searched {
    my ($result, @trials) = map { [split] } said_by($program, @_);
    return ($result, @trials);
}

#<<< a table
# Kind of machine, its amount, most trials. Result: frames a second, most streams that passed, fewest that failed, and
# whether all passed. Then the numbers of streams that were tried, and those that fail by accident.
my @SEARCHES = (
    ['cliff', 0,     64, [0,        0,    1,    0], [1, 2]],
    ['line',  0.5,   64, [60 * 50 / 99, 0, 1,   0], [1, 2]],
    ['line',  0.989, 64, [60 * 98.9 / 99, 0, 1, 0], [1, 2]],
    ['cliff', 1,     64, [60 * 1.01, 1,   2,    0], [1, 2, 4]],
    ['cliff', 2,     64, [60 * 2.01, 2,   3,    0], [1, 2, 4, 3]],
    ['cliff', 7,     64, [60 * 7.01, 7,   8,    0], [1, 2, 4, 8, 6, 7, 16]],
    ['line',  7.5,   64, [60 * 7.16, 7,   8,    0], [1, 2, 4, 8, 6, 7, 16]],
    ['line',  7.92,  64, [60 * 8,    8,   9,    0], [1, 2, 4, 8, 16, 12, 10, 9]],
    ['cliff', 8,     64, [60 * 8.01, 8,   9,    0], [1, 2, 4, 8, 16, 12, 10, 9]],
    ['cliff', 1000,  64, [60 * 1000.01, 1000, 1001, 0],
        [(map { 2**$_ } 0 .. 10), 768, 896, 960, 992, 1008, 1000, 1004, 1002, 1001]],
    ['cliff', 16_384, 64, [60 * 16_384, 16_384, 0, 1], [map { 2**$_ } 0 .. 14]],

    # If no trials are left, the bracket is wide, or there is none.
    ['cliff', 100, 1, [60,             1,  0,   0], [1]],
    ['cliff', 100, 7, [60 * 64,        64, 0,   0], [map { 2**$_ } 0 .. 6]],
    ['cliff', 100, 8, [60 * 64.64,     64, 128, 0], [map { 2**$_ } 0 .. 7]],
    ['cliff', 100, 9, [60 * 96.32,     96, 128, 0], [(map { 2**$_ } 0 .. 7), 96]],
    ['cliff', 100, -5, [60,            1,  0,   0], [1]],

    # Accidental failures: these numbers of streams failed, although more streams pass.
    ['cliff', 7,    64, [60 * 7.01,  7,  8,  0], [1, 2, 4, 8, 6, 7, 16], 1],
    ['cliff', 7,    64, [60 * 3.01,  3,  4,  0], [1, 2, 4, 3, 8], 4],
    ['cliff', 8,    64, [60 * 8.01,  8,  9,  0], [1, 2, 4, 3, 8, 16, 12, 10, 9], 4],
    ['cliff', 1000, 8,  [60 * 14.02, 14, 16, 0], [1, 2, 4, 3, 8, 16, 12, 14], 1, 4, 16],
    ['cliff', 100,  64, [60 * 95.01, 95, 96, 0], [(map { 2**$_ } 0 .. 7), 96, 80, 88, 92, 94, 95], 96],

    # The longest search there is.
    ['cliff', 1e9, 64, [60 * 16_383.01, 16_383, 16_384, 0], undef, map { 4**$_ } 0 .. 7],

    # A trial that fails ends the search.
    ['broken', 2, 64, [-1, 1, 0, 0], [1, 2]],
    ['broken', 8, 64, [-1, 4, 0, 0], [1, 2, 4, 8]],
);
#>>>

for my $case (@SEARCHES) {
    my ($kind, $amount, $most, $expected, $tried, @accidents) = @$case;
    my ($result, @trials) = searched($kind, $amount, $most, @accidents);
    my $name = "$kind, $amount, at most $most trials" . (@accidents ? ", accidents at @accidents" : q{});
    my ($fps, @others) = @$expected;
    is_deeply($result,                   [sprintf('%.6f', $fps), @others], "$name: the result");
    is_deeply([map { $_->[0] } @trials], $tried, "$name: the numbers of streams that were tried") if $tried;
}

done_testing();
