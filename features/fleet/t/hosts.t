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

my $named = [names(['vm', '/a/x.json'], ['slow', 'y'], [undef, "z\e"], ['vm', '/b/x.json'])];
is_deeply($named, ['vm (x.json)', 'slow', 'z\x1b', 'vm (x.json) (2)'], 'hosts have names of their own');

done_testing();
