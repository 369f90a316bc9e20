package UnixBench::Since;

# The feature since: what has changed in a fleet since an earlier time.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses    => [qw(accept fleet)],
        options => [
            {
                follows => { fleet => q{} },
                flag    => '--against',
                value   => 'EARLIER',
                kind    => 'text',
                text    => 'compare each host with itself in an earlier list, directory or result',
                more    => 'Then a requirement may be on the ratio of a host to itself, such as b/a:index>=0.95.',
                reasons => [[3, 'a host', 'is slower than before'], [4, 'whether a host is slower', 'is not certain']],
            },
        ],
        types     => [{ of => 'fleet', module => 'Since::Fleet' }],
        of_fleets => { against => 'Since::Fleet' },
    };
}

1;
