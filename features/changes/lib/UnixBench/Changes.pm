package UnixBench::Changes;

# The feature changes: the runs at which series of values changed. The features history and over use its modules.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return { of_directories => [{ last_change => 'Changes::ChangePoints' }] };
}

1;
