# The percentiles of the delays of a call, and the end of its histogram.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use UnixBench::Observe::Values;

# Takes the longest delay of a call, and [start of a column, count] for each column of its histogram; returns the call.
sub call_of {
    my ($max_ns, @delays) = @_;
    my @columns = map { +{ from_ns => $_->[0], count => $_->[1] } } @delays;
    my %call    = (name     => 'read', count => 1000, returned => 1000, total_ns => 1000, max_ns => $max_ns);
    my %test    = (observed => { tracer => 'bpftrace', calls => [{ %call, delays => \@columns }] });
    return UnixBench::Observe::Values::of_test(\%test)->{calls}[0];
}

# Takes the same; returns both percentiles.
sub bounds { return [@{ call_of(@_) }{qw(p50 p99)}] }

is_deeply(bounds(900,   [512 => 1000]), [({ most  => 900 }) x 2],  'no bound is above the longest delay');
is_deeply(bounds(undef, [512 => 1000]), [({ below => 1024 }) x 2], 'a column ends at twice its start');
is_deeply(
    bounds(5000, [512 => 900], [4096 => 100]),
    [{ below => 1024 }, { most => 5000 }],
    'each percentile has its own column'
);
is_deeply(
    bounds(9_000_000_000, [1_073_741_824 => 900], [2_147_483_648 => 100]),
    [{ below => 2_147_483_648 }, { most => 9_000_000_000 }],
    'the last column of bpftrace 0.17 ends with the longest delay'
);
is_deeply(bounds(900, [512 => 100]), [{ most => 900 }, undef], 'a percentile of too few delays is unknown');
is_deeply(bounds(900, [512 => 19]), [undef, undef], 'so are both of very few');
is_deeply(
    call_of(5000, [0 => 1], [512 => 2], [1024 => 0])->{delays},
    [{ from => 0, to => 1, count => 1 }, { from => 512, to => 5000, count => 2 }],
    'the histogram ends at the longest delay, and columns without delays are left out'
);

done_testing;
