use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('numbers', qw(stats random));

sub said {
    return { map { split ' ' } said_by($program, @_) };
}

# Values; mean, standard deviation.
my @SAMPLES = (
    [[1 .. 5],                 3, '1.5811'],
    [[(7) x 4],                7, '0.0000'],
    [[2, 4, 4, 4, 5, 5, 7, 9], 5, '2.1381'],
    [[(0) x 99, 100],          1, '10.0000'],
);

for my $case (@SAMPLES) {
    my ($values, $mean, $deviation) = @$case;
    my $name = 'of ' . @$values . " values from $values->[0] to $values->[-1]";
    my $said = said('values', 0, @$values);
    is($said->{count},                      @$values,      "count $name");
    is($said->{mean},                       $mean,         "mean $name");
    is(sprintf('%.4f', $said->{deviation}), $deviation,    "standard deviation $name");
    is($said->{max},                        $values->[-1], "maximum $name");

    my $moved = said('values', 1_000_000_000, @$values);
    my $error = abs($moved->{deviation} - $said->{deviation});
    is($moved->{mean}, 1_000_000_000 + $mean, "far from 0: mean $name");
    cmp_ok($error, '<=', 1e-9 * $said->{deviation}, "far from 0: standard deviation $name");
}

my @KEYS = qw(count deviation rank500 rank999 known500);
is_deeply([@{ said('values', 0) }{@KEYS}],               [0, (-1) x 4],       'nothing is known without values');
is_deeply([@{ said('values', 0, 42) }{@KEYS}],           [1, -1, 42, 42, -1], 'one value has no standard deviation');
is_deeply([@{ said('values', 0, -5, 5) }{qw(max mean)}], [5, 2.5],            'a value below 0 counts as 0');

my $hundred = said('values', 0, 1 .. 100);
is_deeply([@$hundred{qw(rank500 rank900 rank950 rank990 rank999)}], [50, 90, 95, 99, 100], 'percentiles of 1 .. 100');

my $greatest = '9223372036854775807';
is(said('values', 0, $greatest)->{rank999}, $greatest, 'the greatest value of 64 bits is its own percentile');

# A percentile is known if at least ten values lie above it: their number, and how many percentiles are known.
for my $case ([19, 0], [20, 1], [999, 3], [1000, 4], [10_000, 5]) {
    my ($count, $known) = @$case;
    my $said  = said('values', 0, 1 .. $count);
    my @ranks = map { $said->{"rank$_"} } 500, 900, 950, 990, 999;
    is_deeply(
        [map { $said->{"known$_"} } 500, 900, 950, 990, 999],
        [@ranks[0 .. $known - 1], (-1) x (5 - $known)],
        "$count values: which percentiles are known"
    );
}

# Value, index, lowest and highest value of its bucket; as words, because they may need 64 bits.
my @KNOWN = (
    [qw(255 255 255 255)],
    [qw(256 256 256 257)],
    [qw(258 257 258 259)],
    [qw(512 384 512 515)],
    [qw(1000 506 1000 1003)],
    [qw(16666 1026 16640 16767)],
    [qw(16666667 2302 16646144 16711679)],
    [qw(999999999 3054 998244352 1002438655)],
    [qw(18446744073709551615 7423 18374686479671623680 18446744073709551615)],
);

my @said = said_by($program, 'index', map { $_->[0] } @KNOWN);
is($said[$_], "@{$KNOWN[$_]}[1 .. 3]", "the bucket of $KNOWN[$_][0]") for 0 .. $#KNOWN;

# Seed, number of values, number of parts.
for my $case ([1, 10_000, 16], [3, 3, 16], [5, 0, 3]) {
    my (undef, $count, $parts) = @$case;
    my @lines =
        map { s/\b(mean|deviation) ([0-9.e+-]+)/sprintf '%s %.9g', $1, $2/ger } said_by($program, 'merged', @$case);
    is($lines[2], 'alike',   "$count values in $parts merged parts: the histogram");
    is($lines[1], $lines[0], "$count values in $parts merged parts: the statistics");
}

done_testing;
