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
                    . '*RESULT multiplies the number by the value in that result. N:NAME:times is what N copies do '
                    . 'as a multiple of the fewest copies of the run, and N:NAME:efficiency is that for each copy. '
                    . 'The requirements trust>=good and trust>=fair are about the whole result.',
                options => [requirements(), _bisect(), '--force'],
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

sub _bisect {
    return {
        flag         => '--bisect',
        needs        => 'requirements',
        without      => [qw(dry_run precision)],
        lasting      => 1,
        is_of_output => 1,

        # As "git bisect run" expects them. Any other outcome is the same for every commit, and stops the bisection.
        statuses => [
            [0   => 'good: each requirement is met',                                    'done'],
            [1   => 'bad: a requirement was not met',                                   'not met'],
            [125 => 'skip: a requirement is inconclusive, or a test failed',            'inconclusive', 'test failed'],
            [128 => 'stop: whatever is the same for every commit, such as wrong usage', 'other'],
        ],
        text => 'exit status for "git bisect run": 0 good, 1 bad, 125 skip, 128 stop',
        more => 'Skip: the verdict is not certain, or a test failed. Stop: a fault of every commit, such as a missing '
            . 'program. If passes vary independently, at most 0.1 % of the verdicts '
            . 'are wrong. A quick run ends when the verdict is certain, after 50 seconds or more.',
    };
}

1;
