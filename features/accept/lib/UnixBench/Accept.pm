package UnixBench::Accept;

# The feature accept: requirements on a run or a result, and the verdicts on them.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        commands => { check => 'Accept::Check' },
        early    => { check => 'Accept::Check' },
        groups   => [{ measure => 'Accept::Options', report => 'Accept::Options' }],
        judges   => [{ option  => 'requirements',    module => 'Accept::Judge' }],
        statuses => [[3, 10, 'a requirement', 'was not met'], [4, 10, 'a requirement', 'is inconclusive']],

        # As "git bisect run" expects them: good, bad, and "skip this commit". Any other outcome is the same for every
        # commit, and stops the bisection.
        exits   => { bisect => { done => 0, 'not met' => 1, inconclusive => 125, 'test failed' => 125, other => 128 } },
        formats => [
            {
                kind     => 'junit',
                renderer => 'Accept::JUnit',
                value    => 'FILE',
                text     => 'write the verdicts on tests and requirements as JUnit XML',
            },
            {
                kind       => 'verdict',
                renderer   => 'Accept::VerdictBlock',
                value      => 'FILE',
                needs      => 'requirements',
                has_doubts => 1,
                text       => 'write the verdict for other programs, in lines of name=value',
            },
        ],
    };
}

1;
