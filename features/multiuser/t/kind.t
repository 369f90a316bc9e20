# Loads of users that are compared, and those that are not.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Machines qw(side spread_rates);
use UnixBench::Compare::Comparison;
use UnixBench::Compare::Kind;

# Takes sides; returns their comparison with a least effect of 2 %.
sub compared {
    my ($sides, %with) = @_;
    return UnixBench::Compare::Comparison::of($sides, min_effect => 0.02, %with);
}

# Takes a label and tests; returns a side with one run of these tests.
sub one {
    my ($label, $tests, %with) = @_;
    return side($label, runs => { 1 => $tests }, %with);
}

my %LOAD = (users => [20], think_min_s => 2, think_max_s => 15, scale => 0.02, script => '0123456789ab' . 'c' x 52);

# Takes a label, the rates or the status of the multi-user test, and what differs from the usual load; returns a side.
sub of_users {
    my ($label, $rates, %other) = @_;
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => { %LOAD, %other });
    return one($label, { multiuser => $rates, pipe => spread_rates(100, 0.001) }, procedure => \%procedure);
}

subtest 'different loads of users are not compared' => sub {
    my $measured = spread_rates(4000, 0.001);
    my %search   = (users => [], limit => 2);
    my @cases    = (
        [{}, {} => []],
        [{}, { users       => [5] }     => ['users of the multi-user load: 20 in A, 5 in B']],
        [{}, { users       => [1, 20] } => ['users of the multi-user load: 20 in A, 1, then 20 in B']],
        [{}, { users       => ['20'] }  => []],
        [{}, { scale       => 1 }       => ['think times of the multi-user test: 0.04 to 0.3 s in A, 2 to 15 s in B']],
        [{}, { think_max_s => 16 } => ['think times of the multi-user test: 0.04 to 0.3 s in A, 0.04 to 0.32 s in B']],
        [{}, { think_min_s => 1, think_max_s => 7.5, scale => 0.04 } => []],
        [{}, { script      => 'f' x 64 } => ['script of the multi-user test: 0123456789ab in A, ffffffffffff in B']],
        [
            {},
            { script => '0123456789ab' . 'd' x 52 } =>
                ['script of the multi-user test: 0123456789ab in A, 0123456789ab in B']
        ],
        [{},       { script => undef }     => []],
        [{},       \%search                => ['multi-user test: load in A, capacity in B']],
        [\%search, \%search                => []],
        [\%search, { %search, limit => 3 } => ['limit of the multi-user capacity: 2 in A, 3 in B']],
        [
            {},
            { users => [5], scale => 1 } => [
                'users of the multi-user load: 20 in A, 5 in B',
                'think times of the multi-user test: 0.04 to 0.3 s in A, 2 to 15 s in B'
            ]
        ],
    );
    for my $case (@cases) {
        my ($first, $second, $obstacles) = @$case;
        my @sides = (of_users('a', $measured, %$first), of_users('b', $measured, %$second));
        is_deeply(compared(\@sides)->{obstacles}, $obstacles, "obstacles: @$obstacles");
    }
    my $failed = of_users('b', 'failed: no line was answered', users => [5]);
    is_deeply(compared([of_users('a', $measured), $failed])->{obstacles},
        [], 'a load that was not measured is not an obstacle');
    my $without = one('b', { pipe => spread_rates(100, 0.001) });
    is_deeply(compared([of_users('a', $measured), $without])->{obstacles},
        [], 'a load that was not asked for is not an obstacle');
    my $forced = compared([of_users('a', $measured), of_users('b', $measured, users => [5])], is_forced => 1);
    is(scalar @{ $forced->{pairs} }, 1, 'a forced comparison has both loads');
    my $begun = of_users('b', $measured, users => [5]);
    delete $_->{status} for @{ $begun->{summary}{runs}[0]{tests} };
    my @obstacles = UnixBench::Compare::Kind::obstacles(of_users('a', $measured), $begun);
    is_deeply(
        \@obstacles,
        ['users of the multi-user load: 20 in a, 5 in b'],
        'a load that has no passes yet is an obstacle'
    );
};

done_testing;
