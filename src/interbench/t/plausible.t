use strict;
use warnings;

use FindBin  qw($Bin);
use JSON::PP ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);
use Plausible             qw(fewest_values is_plausible least_deviation rank_correlation);

# Whether the numbers of a table are possible. This one was printed by the program of 2006: X under each load in 30 s,
# 300 frames; times in milliseconds.
my $COUNT = 300;

open my $file, '<', "$Bin/data/interbench-2006.json" or die "interbench-2006.json: $!";
my @rows = @{ JSON::PP->new->decode(do { local $/ = undef; <$file> }) };
close $file or die "interbench-2006.json: $!";
is(scalar @rows, 7, 'the table of 2006 has seven rows');

for my $row (@rows) {
    my ($load, $mean, $deviation, $max) = @$row{qw(load mean deviation max)};
    ok(!is_plausible($COUNT, $mean, $deviation, $max), "$load: the printed standard deviation is impossible (D1)");
    is(
        sprintf('%.1f', least_deviation($COUNT, $mean, $max)),
        sprintf('%.1f', $row->{least_deviation}),
        "$load: the smallest possible standard deviation"
    );
    is(fewest_values($mean, $deviation, $max),
        $row->{fewest}, "$load: the number of values that the deviation would need");
    like($deviation / $mean, qr/\A1(?:[.]00\d*)?\z/, "$load: the printed deviation is the mean");
    is(sprintf('%.3g', 100 * $row->{met_of_300} / $COUNT),
        $row->{met}, "$load: the percentage is of all deadlines in 30 s");
    cmp_ok($row->{met}, '<=', $row->{desired}, "$load: the deadlines met are not above the work done");
}

my @ordered = sort { $a->{mean} <=> $b->{mean} } @rows;
is(
    join(' ', map { $_->{load} } @ordered),
    'None Read Memload Write Video Burn Compile',
    'the loads ordered by their means'
);
my %SIGN = (mean => 1, deviation => 1, max => 1, desired => -1, met => -1);
for my $one (sort keys %SIGN) {
    for my $other (sort keys %SIGN) {
        my ($ones, $others) = map {
            my $key = $_;
            [map { $_->{$key} } @rows]
        } $one, $other;
        is(
            sprintf('%.9g', rank_correlation($ones, $others)),
            $SIGN{$one} * $SIGN{$other},
            "the rank correlation of $one and $other is 1 or -1"
        );
    }
}
is(sprintf('%.9g', rank_correlation([1, 2, 3, 4], [2, 1, 4, 3])), 0.6, 'a rank correlation between 0 and 1');

my @burn = grep { $_->{met} == 44 && $_->{desired} == 78.5 } @rows;
is(join(' ', map { $_->{load} } @burn), 'Burn', '44 % and 78.5 % are the row of Burn');
ok($burn[0]{max} > 3000 && $burn[0]{mean} < 30, 'Burn has a maximum above 3 s and a mean below 30 ms');

SKIP: {
    need_compiler(1);
    subtest 'rows of our own are plausible' => sub {
        my $program = driver('numbers', qw(stats random));
        for my $asked (['to', 300], ['values', 0, (0) x 99, 100], map { ['merged', $_, $_ * 7, 4] } 1 .. 40) {
            for my $line (grep { /\Acount/ } said_by($program, @$asked)) {
                my %said = split ' ', $line;
                ok(
                    is_plausible(@said{qw(count mean deviation max)}),
                    "our numbers are plausible: $asked->[0] $asked->[1]"
                );
            }
        }
    };
}

done_testing;
