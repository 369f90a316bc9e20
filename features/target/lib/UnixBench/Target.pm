package UnixBench::Target;

# The feature target: measuring on machines without Perl, by pgms/measure.sh, whose log is read here.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        files => [
            {
                word   => 'LOG',
                about  => 'LOG is the output of pgms/measure.sh; its reports are written anew.',
                reader => 'Target::Reader',
            },
        ],
    };
}

1;
