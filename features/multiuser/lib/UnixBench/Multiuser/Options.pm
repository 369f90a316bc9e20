package UnixBench::Multiuser::Options;

# The options of the multi-user test.

use strict;
use warnings;

use constant LOADS_MAX => 32;    # the limit of the program multiuser

# Returns the group of the options, see UnixBench::CLI::Declaration.
sub group {
    return {
        title => 'Interactive and multi-user',
        text  => './Run interactive measures the scheduling latency of interactive tasks under load. ./Run multiuser '
            . 'runs a script with 20 users, each with a shell of its own. These options are for multiuser.',
        options => [_of_load(), _of_capacity()],
    };
}

# Options that describe the load.
sub _of_load {
    return (
        {
            flag    => '--users',
            value   => 'N',
            kind    => 'whole',
            max     => 2000,
            list    => 1,
            most    => LOADS_MAX,
            once    => 'use -i N to repeat a load',
            test    => 'multiuser',
            without => [qw(find_capacity)],
            text    => 'number of users (default 20); given twice, two loads run one after the other',
        },
        {
            flag  => '--think',
            key   => 'think_s',
            value => 'MIN-MAX',
            kind  => 'range',
            max   => 3600,
            test  => 'multiuser',
            text  => 'think time before each line in seconds (default 2-15), multiplied by --scale',
        },
        {
            flag  => '--scale',
            value => 'F',
            kind  => 'number',
            above => 0,
            max   => 1000,
            test  => 'multiuser',
            text  => 'factor for think times (default 0.02; 1 is the pace of 1973)',
        },
        {
            flag  => '--script',
            value => 'FILE',
            kind  => 'source',
            test  => 'multiuser',
            text  => 'run FILE instead of testdir/multiuser.script',
        },
    );
}

# Options about the largest load.
sub _of_capacity {
    return (
        {
            flag => '--find-capacity',
            test => 'multiuser',
            text => 'find the largest number of users that is served in time (5 passes, or -i N)',
        },
        {
            flag  => '--limit',
            value => 'F',
            kind  => 'number',
            above => 1,
            max   => 1000,
            needs => 'find_capacity',
            text  => q{with --find-capacity: the p95 response may be F times a single user's (default 2)},
        },
    );
}

1;
