# The data of the table of groups.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons qw(by_groups compared);
use Machines    qw(side spread_rates);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;

# Takes a label of a side, the factor of its rates, and parts of its summary; returns the side.
sub one {
    my ($label, $factor, %with) = @_;
    return side($label, runs => { 1 => { pipe => spread_rates(1000 * $factor, 0.002) } }, %with);
}

# Takes a comparison; returns the ratios of a pair, by test and index.
sub ratios {
    my ($pair) = @_;
    return { map { ($_->{name} // $_->{category}) => $_->{ratio} } @{ $pair->{tests} }, @{ $pair->{indexes} } };
}

subtest 'each group is compared as two states are' => sub {
    my @factors   = (1, 1.02, 0.9, 0.91, 1.2, 1.25);
    my @sides     = map { one("r$_", $factors[$_], labels => { state => (qw(a b c))[$_ / 2] }) } 0 .. 5;
    my $groups    = by_groups(state => @sides)->{groups};
    my @of_groups = ('A a 2 r0 and r1', 'B b 2 r2 and r3', 'C c 2 r4 and r5');
    is_deeply([map { join q{ }, @$_{qw(letter name runs about)} } @{ $groups->{groups} }], \@of_groups, 'the groups');
    my ($table) = @{ $groups->{tables} };
    is_deeply([map { "$_->{kind} $_->{name}" } @{ $table->{rows} }], ['test pipe', 'index system'], 'the rows');
    for my $number (1, 2) {
        my $pair = compared([@sides[0, 1, 2 * $number, 2 * $number + 1]], sets => [2, 2])->{pairs}[0];
        my %own  = map { $_->{name} => $_->{others}[$number - 1]{ratio} } @{ $table->{rows} };
        is_deeply(\%own, ratios($pair), "the ratios of group $number are those of A1 A2 -- B1 B2");
    }
    my ($row) = @{ $table->{rows} };
    is_deeply([map { $_->{verdict} } @{ $row->{others} }], [qw(slower faster)], 'the verdicts');
    is(UnixBench::Base::Shape::difference($groups, UnixBench::Base::ResultSchema::shape('groups')), undef,
        'plain data');
};

subtest 'what was not compared' => sub {
    my %runs = (
        a => { pipe => [1, 2], spawn => [1, 2],                  hanoi => 'failed: killed' },
        b => { pipe => [1, 2], spawn => 'failed: exit status 3', hanoi => [1, 2] },
        c => { pipe => [1, 2], spawn => [1, 2],                  hanoi => [1, 2] },
    );
    my @sides = map { side($_, labels => { state => $_ }, runs => { 1 => $runs{$_} }) } sort keys %runs;
    my %row   = map { $_->{name} // 'mean' => $_ } @{ by_groups(state => @sides)->{groups}{tables}[0]{rows} };
    is_deeply([map { @{ $_->{remarks} } } @{ $row{hanoi}{others} }], ['A: killed', 'A: killed'], 'a test that A lacks');
    is_deeply([map { $_->{remarks} } @{ $row{spawn}{others} }],      [['exit status 3'], []],    'one that B lacks');
    is_deeply([map { $_->{ratio} ? 1 : 0 } @{ $row{spawn}{others} }], [0, 1],               'the others have a ratio');
    is_deeply($row{system}{others}[0]{remarks},                       ['its tests differ'], 'an index of other tests');
    is_deeply([map { $_->{ratio} ? 1 : 0 } @{ $row{mean}{others} }],  [1, 0],               'then the mean is there');
};

done_testing();
