package UnixBench::History;

# The feature history: when the results of hosts changed, and what changed with them.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return { commands => { history => 'History::Command' }, documents => { history => 'History::Schema' } };
}

1;
