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

# Values; mean, standard deviation, and the root mean square that the old program printed as deviation (D1).
my @SAMPLES = (
    [[1 .. 5],                 3,      '1.5811',  '3.6469'],
    [[(7) x 4],                7,      '0.0000',  '7.8262'],
    [[2, 4, 4, 4, 5, 5, 7, 9], 5,      '2.1381',  '5.7181'],
    [[(0) x 99, 100],          1,      '10.0000', '10.0504'],
    [[(16_667) x 301],         16_667, '0.0000',  '16694.0'],
);

for my $case (@SAMPLES) {
    my ($values, $mean, $deviation, $wrong) = @$case;
    my $name = 'of ' . @$values . " values from $values->[0] to $values->[-1]";
    my $said = said('values', 0, @$values);
    is($said->{count},                      @$values,   "count $name");
    is($said->{mean},                       $mean,      "mean $name");
    is(sprintf('%.4f', $said->{deviation}), $deviation, "standard deviation $name");
    is_deeply([@$said{qw(min max)}], [@$values[0, -1]], "extremes $name");
    isnt(sprintf('%.4f', $said->{deviation}), $wrong, "standard deviation, not the root mean square, $name");

    my $moved = said('values', 1_000_000_000, @$values);
    is($moved->{mean}, 1_000_000_000 + $mean, "far from 0: mean $name");
    cmp_ok(
        abs($moved->{deviation} - $said->{deviation}),
        '<=',
        1e-9 * $said->{deviation},
        "far from 0: standard deviation $name"
    );
}

my $none = said('values', 0);
is($none->{$_},    -1, "$_ without values is unknown") for qw(deviation rank500 rank999 known500 known999);
is($none->{count}, 0,  'the count without values is 0');

my $one = said('values', 0, 42);
is($one->{deviation}, -1, 'one value has no standard deviation');
is_deeply(
    [@$one{qw(count mean min max rank500 rank999 known500)}],
    [1, 42, 42, 42, 42, 42, -1],
    'one value has count, mean, extremes and percentiles'
);

my $negative = said('values', 0, -5, 5);
is_deeply([@$negative{qw(min max mean)}], [0, 5, 2.5], 'a value below 0 counts as 0');

my $hundred = said('to', 100);
is_deeply([@$hundred{qw(rank500 rank900 rank950 rank990 rank999)}], [50, 90, 95, 99, 100], 'percentiles of 1 .. 100');

my $greatest = '9223372036854775807';
is(said('values', 0, $greatest)->{rank999}, $greatest, 'the greatest value of 64 bits is its own percentile');

# Numbers of values, and the percentiles with at least ten values above them.
my %KNOWN = (
    19     => [],
    20     => [500],
    99     => [500],
    100    => [500, 900],
    199    => [500, 900],
    200    => [500, 900, 950],
    999    => [500, 900, 950],
    1000   => [500, 900, 950, 990],
    9999   => [500, 900, 950, 990],
    10_000 => [500, 900, 950, 990, 999],
);

for my $count (sort { $a <=> $b } keys %KNOWN) {
    my $said  = said('to', $count);
    my @known = grep { $said->{"known$_"} >= 0 } 500, 900, 950, 990, 999;
    is_deeply(\@known, $KNOWN{$count}, "$count values: which percentiles are known");
    is_deeply(
        [map { $said->{"known$_"} } @known],
        [map { $said->{"rank$_"} } @known],
        "$count values: known percentiles have the value of their rank"
    );
}

# Takes a per mille and sorted values; returns the value of the nearest rank.
sub exact {
    my ($per_mille, @sorted) = @_;
    my $rank = int((@sorted * $per_mille + 999) / 1000);
    return $sorted[$rank - 1];
}

srand 5;
for my $count (1, 2, 3, 10, 101, 2000) {
    my @values = sort { $a <=> $b } map { int exp rand 20 } 1 .. $count;
    my $said   = said('values', 0, @values);
    for my $per_mille (500, 900, 950, 990, 999) {
        my $exact = exact($per_mille, @values);
        my $rank  = $said->{"rank$per_mille"};
        ok(
            $rank >= $exact && $rank <= $exact * (1 + 1 / 128) && $rank <= $values[-1],
            "$count random values: percentile $per_mille is $rank for $exact"
        );
    }
}

done_testing;
