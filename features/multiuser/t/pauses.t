use strict;
use warnings;

use FindBin;
use List::Util qw(max);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CDriver                        qw(driver said_by);
use Needs                          qw(need_compiler);

need_compiler();

my $NS     = 1e9;
my $PAUSES = driver('pauses', qw(script random));

# Takes the seed, the least and the most seconds, the user and the count; returns that many pauses in seconds.
sub pauses_s {
    my (@of) = @_;
    return map { $_ / $NS } said_by($PAUSES, @of);
}

subtest 'pauses are uniform' => sub {
    my ($least, $most, $count) = (2, 15, 10_000);
    my @seeds = ([1, 0], [1, 1], [2, 0], [999, 1999]);
    for my $of (@seeds) {
        my @drawn    = sort { $a <=> $b } pauses_s($of->[0], $least, $most, $of->[1], $count);
        my @expected = map  { $least + ($most - $least) * ($_ + 0.5) / $count } 0 .. $count - 1;
        my $distance = max(map { abs($drawn[$_] - $expected[$_]) } 0 .. $count - 1) / ($most - $least);

        # Kolmogorov-Smirnov test: 1.95 / sqrt(n) is exceeded in one of a thousand samples. The seeds are fixed.
        cmp_ok $distance,  '<',  1.95 / sqrt $count, "seed $of->[0], user $of->[1]: uniform";
        cmp_ok $drawn[0],  '>=', $least,             'no pause is too short';
        cmp_ok $drawn[-1], '<=', $most,              'no pause is too long';
    }
};

subtest 'pauses depend on seed and user only' => sub {
    is_deeply [pauses_s(1, 2, 15, 3, 100)], [pauses_s(1, 2, 15, 3, 100)], 'the same seed and user give the same pauses';
    isnt "@{[pauses_s(1, 2, 15, 3, 5)]}", "@{[pauses_s(2, 2, 15, 3, 5)]}", 'another seed gives other pauses';
    isnt "@{[pauses_s(1, 2, 15, 3, 5)]}", "@{[pauses_s(1, 2, 15, 4, 5)]}", 'another user has other pauses';
};

done_testing;
