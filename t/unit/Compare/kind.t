# Tests of the kinds of results: which results, and which of their runs, are compared with each other.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons                            qw(compared);
use Machines                               qw(one side spread_rates summary);
use Fixture                                qw(@INDEX measured run steady_result);
use UnixBench::Report::Comparison::Wording qw(first_lines);
use UnixBench::Summary;

# Takes tests and numbers of copies; returns a side with a run of these tests for each number.
sub several {
    my ($tests, @copies) = @_;
    my @runs = map { @{ summary(runs => { $_ => $tests })->{runs} } } @copies;
    return { label => "@copies", summary => { %{ summary(runs => {}) }, runs => \@runs } };
}

subtest 'runs with the same number of copies are compared' => sub {
    my $rates = { pipe => spread_rates(100, 0.001) };
    my $slow  = { pipe => spread_rates(50,  0.001) };
    my $few   = side('a', runs => { 1 => $rates, 2 => $rates });
    my $many  = side('b', runs => { 2 => $slow,  1 => $slow, 8 => $slow });
    is_deeply([map { $_->{runs}[1]{copies} } @{ compared([$few, $many])->{pairs} }], [1, 2], 'the common ones');
    my $one    = side('a', runs => { 1 => $rates });
    my $four   = side('b', runs => { 4 => $slow });
    my $across = compared([$one, $four]);
    is($across->{pairs}[0]{indexes}[0]{verdict}, 'slower', 'the only runs of two sides, whatever their copies');
    is($across->{pairs}[0]{is_same_count},       0,        'the pair is marked as having different numbers of copies');
    is($across->{is_worse},                      0,        'the comparison is not worse');

    for my $forced (0, 1) {
        is_deeply(
            compared([$few, $four], is_forced => $forced)->{refusals},
            ['no number of copies in common: A has 1 copy and 2 copies, B has 4 copies'],
            "several runs without a common number are refused with force $forced"
        );
    }
    my @no_run = ('no number of copies in common: A has 1 copy, B has no run');
    is_deeply(compared([$one, side('b', runs => {})])->{refusals}, \@no_run, 'a side without a run is refused');
    my $twice = summary(runs => { 1 => $rates });
    push @{ $twice->{runs} }, @{ $four->{summary}{runs} }, @{ summary(runs => { 1 => $slow })->{runs} };
    my ($pair) = @{ compared([{ label => 'a', summary => $twice }, $one])->{pairs} };
    cmp_ok(abs($pair->{tests}[0]{values}[0]{value} - 100), '<', 1e-7, 'the first of two runs of as many copies');
};

subtest 'runs that are not compared' => sub {
    my $rates = { pipe => spread_rates(100, 0.001) };
    my @cases = (
        ['1',     '1'     => []],
        ['1 2',   '1'     => ['2 copies: only A has such a run']],
        ['1',     '1 2 8' => ['2 copies: only B has such a run', '8 copies: only B has such a run']],
        ['1',     '4'     => []],
        ['1',     '1 2', '2 1' => ['2 copies: A has no such run']],
        ['1 2',   '1',   '1'   => ['2 copies: only A has such a run']],
        ['1 2',   '1',   '1 2' => ['2 copies: B has no such run']],
        ['1',     '4',   '1'   => []],
        ['1',     '1',   '1 4' => ['4 copies: only C has such a run']],
        ['1',     '1 1'     => ['1 copy: B has several such runs, of which only the first is used']],
        ['1 2 2', '2 1 2 2' => ['2 copies: A and B have several such runs, of which only the first is used']],
    );
    for my $case (@cases) {
        my ($sentences, @copies) = reverse @$case;
        my @sides = map { several($rates, split) } reverse @copies;
        is_deeply(compared(\@sides)->{omissions}, $sentences, join ' compared with ', reverse @copies);
    }
    my @sides = (side('a', runs => { 1 => $rates }), side('b', runs => { 1 => $rates, 2 => $rates }, flags => '-O2'));
    is_deeply(compared(\@sides)->{omissions}, [], 'no run is listed if the comparison is refused');
};

subtest 'results of different kinds are refused' => sub {
    my %rates  = (runs => { 1 => { pipe => spread_rates(100, 0.001), spawn => spread_rates(100, 0.001) } });
    my %change = (
        'compiler flags: -O3 in A, -O2 in B'                  => { flags => '-O2' },
        'compiler flags: -O3 in A, none in B'                 => { flags => q{} },
        'length of passes (UB_TIME_FACTOR): 1 in A, 0.1 in B' =>
            { procedure => { kind => 'official', time_factor => '0.10', work_factor => 1 } },
        'MULTI_SH_WORK_FACTOR: 1 in A, 3 in B' =>
            { procedure => { kind => 'official', time_factor => '1.0', work_factor => 3 } },
        'baseline of Pipe Throughput: 12440 in A, 12441 in B' => { baseline => { pipe => 12441 } },
    );
    for my $sentence (sort keys %change) {
        my @sides   = (side('a', %rates), side('b', %rates, %{ $change{$sentence} }));
        my $refused = compared(\@sides);
        is_deeply($refused->{refusals},                        [$sentence], "refused: $sentence");
        is_deeply([@$refused{qw(pairs differences is_worse)}], [[], [], 0], "nothing is compared: $sentence");
        my $forced = compared(\@sides, is_forced => 1);
        is_deeply($forced->{refusals},  [],          "not refused with force: $sentence");
        is_deeply($forced->{obstacles}, [$sentence], "an obstacle with force: $sentence");
        is(scalar @{ $forced->{pairs} }, 1, "compared with force: $sentence");
    }
    my @three = map { side($_, %rates, flags => $_ eq 'b' ? '-O2' : '-O3') } qw(a b c);
    is_deeply(compared(\@three)->{refusals}, ['compiler flags: -O3 in A and C, -O2 in B'], 'three sides have letters');
    my %unknown = (procedure => { map { $_ => undef } qw(kind time_factor work_factor) }, flags => undef);
    is_deeply(compared([side('a', %rates), side('b', %rates, %unknown)])->{obstacles}, [], 'an unknown kind');
    my $other_test = side('b', runs => { 1 => { pipe => [1, 2], execl => [1, 2] } }, baseline => { execl => 1 });
    is_deeply(compared([side('a', %rates), $other_test])->{obstacles}, [], 'a baseline that A does not have');
};

# Takes a place of context1 or undef, its factor, and that of all other tests; returns a side.
sub placed {
    my ($place, $of_context1, $of_others) = @_;
    my @tests = map {
        my $by = $_ eq 'context1' ? $of_context1 : $of_others;
        measured($_, 1, map { $by * (1000 + $_) } 1 .. 8)
    } @INDEX;
    return {
        label   => 'vm',
        summary => UnixBench::Summary::of(steady_result([run(1, @tests)], place => $place))
    };
}

subtest 'an index does not depend on the place of context1' => sub {
    my $on_one = placed('same core', 1, 1);
    for my $case ([1, 'equal'], [0.9, 'slower']) {
        my ($factor, $verdict) = @$case;
        my $comparison = compared([$on_one, placed('other cores', 7, $factor)]);
        my ($index) = @{ $comparison->{pairs}[0]{indexes} };
        is($index->{verdict}, $verdict, "$verdict without it");
        cmp_ok(abs($index->{ratio}{value} - $factor), '<', 1e-9, 'the ratio of the others');
        is(
            (first_lines($comparison))[0],
            'The two processes of context1 had other places (same core in A, other cores in B): '
                . 'the index is compared without it.',
            'the report says so'
        );
    }
    for my $place (undef, 'same core') {
        my ($index) = @{ compared([$on_one, placed($place, 7, 1)])->{pairs}[0]{indexes} };
        is($index->{verdict}, 'faster', 'else it counts');
    }
};

done_testing();
