package UnixBench::Work;

# The feature work: requirements on the cycles of a loop.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return { uses => [qw(accept)], of_requirements => { work => 'Work::Required' } };
}

1;
