package UnixBench::Fleet;

# The feature fleet: many hosts, of which each is judged, and compared with the others.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses      => [qw(accept)],
        commands  => { fleet => 'Fleet::Command' },
        documents => { fleet => 'Fleet::Schema' },
        places    => [['share/fleet.schema.json', 'the same of the file that fleet --json writes']],
    };
}

1;
