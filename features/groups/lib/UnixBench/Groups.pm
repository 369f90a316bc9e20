package UnixBench::Groups;

# The feature groups: results that a label or a fact sorts into groups, each compared with the first group.

use strict;
use warnings;

# The names of the facts of UnixBench::Groups::Sorting.
my @FACTS = qw(compiler cpu governor host kernel mitigations version);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        groupings => { by => 'Groups::Sorting' },
        options   => [
            {
                follows => { compare => q{} },
                flag    => '--by',
                value   => 'NAME',
                kind    => 'text',
                choices => \@FACTS,
                text    => 'compare groups of results: by a label, or by a fact',
                more    => "NAME is that of a label (--label), or one of the facts @FACTS. --baseline then names the "
                    . 'value of a group.',
            },
        ],
    };
}

1;
