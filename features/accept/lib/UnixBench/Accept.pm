package UnixBench::Accept;

# The feature accept: requirements on a run or a result, and the verdicts on them.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(requirements);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        options => [
            {
                follows => { measure => q{} },
                title   => 'Acceptance',
                text    => q{EXPR is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT, such as 'index>=1500' or }
                    . q{'8:fsdisk>=0.95*good'. NAME is index, 2d-index, 3d-index or a test. N is a number of copies, }
                    . 'or all for one copy for each CPU; without it the requirement is for each number of copies. '
                    . '*RESULT multiplies the number by the value in that result or pattern. N:NAME:times is what N '
                    . 'copies do as a multiple of the fewest copies of the run, and N:NAME:efficiency is that for each '
                    . 'copy. The requirements trust>=good and trust>=fair are about the whole result.',
                options => [requirements(), '--force'],
            },
            { follows => { report => q{} }, options => [requirements(), '--force'] },
        ],
        judges => [{ option => 'requirements', module => 'Accept::Judge', takes_several => 1 }],
    };
}

# Returns the option --require.
sub requirements {
    return {
        flag     => '--require',
        is_usual => 1,
        key      => 'requirements',
        value    => 'EXPR',
        kind     => 'requirement',
        values   => 'Accept::Requirement',
        list     => 1,
        text     => q{require a value, such as 'index>=1500'; may be given several times},
        more     => 'The 95 % interval decides: the exit status is 3 if a requirement is not met, and 4 if it is '
            . 'inconclusive.',
        reasons => [[3, 'a requirement', 'was not met'], [4, 'a requirement', 'is inconclusive']],
    };
}

1;
