package UnixBench::Rank;

# The feature rank: a result among those that people have published.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return { commands => { rank => 'Rank::Command' } };
}

1;
