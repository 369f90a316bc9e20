use strict;
use warnings;

use File::Temp ();
use FindBin    qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                 qw(write_file);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('responses', 'stats');
my $file    = File::Temp->new;

# Takes the number of classes, the capacity and [class, nanoseconds]...; returns the printed numbers as a list for all
# and one for each class.
sub said_of {
    my ($classes, $capacity, @responses) = @_;
    write_file("$file", join q{}, map { "@$_\n" } @responses);
    my @said = said_by('sh', '-c', "'$program' $classes $capacity <'$file'");
    return map { [split] } @said;
}

# Tests that a list is the expected count and the expected nanoseconds, in seconds.
sub is_said {
    my ($said, $expected, $name)    = @_;
    my (undef, $count,    @seconds) = @$said;
    my ($expected_count, @ns) = @$expected;
    is($count, $expected_count, "$name: count");
    my @off = grep { abs($seconds[$_] * 1e9 - $ns[$_]) > 1e-9 * (1 + $ns[$_]) } 0 .. 5;
    is("@off", '', "$name: mean, p50, p90, p95, p99, max") or diag("@seconds, not @ns");
    return;
}

#<<< a table: nanoseconds; mean, p50, p90, p95, p99, max
my @BY_HAND = (
    ['no response',               [],             [0, 0, 0, 0, 0, 0]],
    ['one response',              [7],            [7, 7, 7, 7, 7, 7]],
    ['eleven responses',          [1 .. 11],      [6, 6, 10, 11, 11, 11]],
    ['twenty responses',          [1 .. 20],      [10.5, 10, 18, 19, 20, 20]],
    ['a hundred responses',       [reverse 1 .. 100], [50.5, 50, 90, 95, 99, 100]],
    ['ties',                      [1, (2) x 17, 3, 3], [2.05, 2, 2, 3, 3, 3]],
    ['a response before its start counts as 0', [-5, 5], [2.5, 0, 5, 5, 5, 5]],
    ['a large and a small one', [9_000_000_000_000_000_000, 2], [4_500_000_000_000_000_001, 2, 9e18, 9e18, 9e18, 9e18]],
);
#>>>
for my $case (@BY_HAND) {
    my ($name, $ns, $expected) = @$case;
    my ($all, $of) = said_of(1, 10, map { [0, sprintf '%.0f', $_] } @$ns);
    is_said($all, [scalar @$ns, @$expected], $name);
    is_said($of,  [scalar @$ns, @$expected], "$name, as a class");
}

# Four classes, one of them without responses; room for one response at first.
my @of_four = said_of(4, 1, map { [(0, 1, 3)[$_ % 3], $_] } 1 .. 300);
is_said($of_four[0],           [300, 150.5, 150, 270, 285, 297, 300], 'all of four classes');
is_said($of_four[$_->[0] + 1], $_->[1],                               "class $_->[0]")
    for [0, [100, 151.5, 150, 270, 285, 297, 300]], [1, [100, 149.5, 148, 268, 283, 295, 298]], [2, [0, (0) x 6]];

done_testing();
