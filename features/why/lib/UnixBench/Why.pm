package UnixBench::Why;

# The feature why: the factors of a ratio, and the facts that can cause them.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    my %of_blocks = (is_of_blocks => 1, of_result => 'Why::Topic', asked_by => 'why');
    return {
        part    => ['scaling'],
        options => [
            {
                follows      => { report => '--details', compare => '--fail-on' },
                flag         => '--why',
                is_of_output => 1,
                without      => ['by'],
                text         => 'divide each ratio into CPU time, clock, user work and kernel work',
                more         => 'See docs/why.md. For a single result: why several copies do not do several times the '
                    . 'work.',
            },
        ],
        types      => ['Compare::Facts', 'Why::Schema'],
        of_results => { why => 'Why::Reasons' },
        of_pairs   => { why => 'Why::Pair' },
        topics     => [{ topic => 'Why::Topic', of_result => 20 }],
        formats    => [
            { kind => 'why',          renderer => 'Report::Plain',    %of_blocks, is_below   => 1 },
            { kind => 'markdown why', renderer => 'Report::Markdown', %of_blocks, instead_of => 'markdown' },
        ],
    };
}

1;
