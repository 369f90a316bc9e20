package UnixBench::Groups;

# The feature groups: results that a label or a fact sorts into groups, each compared with the first group.

use strict;
use warnings;

# The names of the facts of UnixBench::Groups::Sorting.
my @FACTS = qw(compiler cpu governor host kernel mitigations version);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        about     => { compare => 'With --by they are sorted into groups.' },
        groupings => { by      => 'Groups::Sorting' },
        options   => [
            {
                follows => { compare => q{} },
                flag    => '--by',
                value   => 'NAME',
                kind    => 'text',
                choices => \@FACTS,
                text    => 'compare groups of results: by a label, or by a fact',
                more    => "NAME is that of a label (--label), or one of the facts @FACTS.",
            },
            {
                follows => { compare => q{} },
                flag    => '--baseline',
                value   => 'TEXT',
                kind    => 'text',
                needs   => 'by',
                text    => 'compare with the group of this value (default: that of the first result)',
                more    => 'A part of the value is enough if no other group has it.',
            },
        ],
    };
}

1;
