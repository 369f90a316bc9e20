package UnixBench::Observe;

# The feature observe: the system calls of each test, which a tracer counts in a short pass after all others.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        types    => ['Observe::Schema'],
        of_tests => { observed  => 'Observe::Observation' },
        redacts  => { observing => { texts => ['why_not'] }, observed => { texts => ['error'], paths => ['command'] } },
    };
}

1;
