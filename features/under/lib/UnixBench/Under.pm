package UnixBench::Under;

# The feature under: what a change costs. A quick run measures each test on the plain machine and under commands, in
# turns.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part       => ['experiment'],
        groups     => [{ measure => 'Under::Options' }],
        more_first => {
            '--precision' => 'With --under, it is that of each ratio (default 1).',
            '--max-time'  => 'With --under, it is for all states (default: a minute for each).',
        },
        checks  => { under => 'Under::Options' },
        states  => { under => { trial => 'Under::Trial', ratios => 'Under::Ratios' } },
        topics  => [{ topic => 'Under::Topic', before_runs => 20 }],
        formats => [
            {
                kind         => 'turns',
                renderer     => 'Report::Plain',
                is_of_blocks => 1,
                is_below     => 1,
                of_result    => 'Under::Topic',
                part         => 'experiment',
                without      => 'details',
            },
        ],
    };
}

1;
