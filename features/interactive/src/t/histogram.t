use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

# Value, index, lowest and highest value of its bucket; as words, because they may need 64 bits.
my @KNOWN = (
    [qw(0 0 0 0)],
    [qw(1 1 1 1)],
    [qw(127 127 127 127)],
    [qw(128 128 128 128)],
    [qw(255 255 255 255)],
    [qw(256 256 256 257)],
    [qw(257 256 256 257)],
    [qw(258 257 258 259)],
    [qw(511 383 510 511)],
    [qw(512 384 512 515)],
    [qw(1000 506 1000 1003)],
    [qw(16666 1026 16640 16767)],
    [qw(1000000 1780 999424 1003519)],
    [qw(16666667 2302 16646144 16711679)],
    [qw(999999999 3054 998244352 1002438655)],
    [qw(18446744073709551615 7423 18374686479671623680 18446744073709551615)],
);

my $program = driver('numbers', qw(stats random));

my @said = said_by($program, 'index', map { $_->[0] } @KNOWN);
is($said[$_], "@{$KNOWN[$_]}[1 .. 3]", "the bucket of $KNOWN[$_][0]") for 0 .. $#KNOWN;

my @buckets = map { [split] } said_by($program, 'edges');
is(scalar @buckets, 7424, 'there are 7424 buckets');
is_deeply([grep { $buckets[$_][0] != $_ } 0 .. $#buckets], [], 'the lowest value of each bucket lies in it');
is_deeply([grep { $buckets[$_][1] != $_ } 0 .. $#buckets], [], 'the highest value of each bucket lies in it');
is_deeply([grep { $buckets[$_ - 1][3] + 1 != $buckets[$_][2] } 1 .. $#buckets], [],
    'there are no gaps between buckets');
is_deeply([grep { $_->[2] != $_->[3] } @buckets[0 .. 255]], [], 'values below 256 are exact');
is_deeply([grep { ($_->[3] - $_->[2] + 1) * 128 > $_->[2] } @buckets[256 .. 7423]],
    [], 'no other bucket is wider than 1/128 of its values');

# Seed, number of values, number of parts.
for my $case ([1, 10_000, 2], [2, 10_000, 16], [3, 3, 16], [4, 1, 2], [5, 0, 3]) {
    my (undef, $count, $parts) = @$case;
    my @lines = said_by($program, 'merged', @$case);
    my ($all, $merged) = map {
        { split }
    } @lines[0, 1];
    is($lines[2], 'alike', "$count values in $parts merged parts: the histogram is that of all values");
    for my $key (qw(mean deviation)) {
        my ($one, $other) = (delete $all->{$key}, delete $merged->{$key});
        cmp_ok(
            abs($one - $other),
            '<=',
            1e-12 * abs $one,
            "$count values in $parts merged parts: the $key is that of all values"
        );
    }
    is_deeply($merged, $all, "$count values in $parts merged parts: count, extremes and percentiles are those of all");
}

done_testing;
