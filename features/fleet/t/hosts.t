# From the tries of a list to hosts.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Gallery::Fleets                qw(host_of);
use UnixBench::Fleet::Hosts        qw(names outcome_of);

subtest 'the last measured try counts' => sub {
    my @cases = (
        [['FAIL',        'PASS']        => 'PASS',        'a second verdict replaces the first'],
        [['PASS',        'FAIL']        => 'FAIL',        'also if it is worse'],
        [['FAIL',        'unreachable'] => 'FAIL',        'a host that is lost later keeps its verdict'],
        [['unreachable', 'measured']    => 'measured',    'a host may be measured later'],
        [['failed',      'unreachable'] => 'unreachable', 'without a measured try, the last one counts'],
    );
    for my $case (@cases) {
        my ($outcomes, $outcome, $name) = @$case;
        my @hosts = UnixBench::Fleet::Hosts::of(map { host_of(h => $_) } @$outcomes);
        is_deeply([map { outcome_of($_) } @hosts], [$outcome], $name);
    }
};

subtest 'one result counts once, for its own host' => sub {
    my $of = sub {
        my @hosts =
            UnixBench::Fleet::Hosts::of(map { host_of($_->[0], 'PASS', name => $_->[1], identity => $_->[2]) } @_);
        return [map { $_->{reason} // outcome_of($_) } @hosts];
    };
    is_deeply($of->([h1 => 'vm', 1], [h2 => 'vm', 1]), ['PASS', 'its result is also that of h1'], 'the first of two');
    is_deeply($of->([h1 => 'h2', 1], [h2 => 'h2', 1]), ['its result is of the host h2', 'PASS'],  'the one it names');
    is_deeply($of->([h1 => 'h2', 1], [h2 => 'h1', 2]), [map { "its result is of the host $_" } qw(h2 h1)], 'exchanged');
    is_deeply($of->(['10.0.0.1' => 'vm', 1], ['H1.example.org' => 'h1', 2]), [qw(PASS PASS)], 'other names');
    is_deeply($of->([h1 => 'h1', undef], [h2 => undef, undef]),              [qw(PASS PASS)], 'results without a time');
};

is_deeply(
    [names(['vm', '/a/x.json'], ['slow', 'y'], [undef, "z\e"], ['vm', '/b/x.json'])],
    ['vm (x.json)', 'slow', 'z\x1b', 'vm (x.json) (2)'],
    'hosts have names of their own'
);

done_testing();
