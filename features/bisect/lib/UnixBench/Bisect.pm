package UnixBench::Bisect;

# The feature bisect: the verdict on a commit, as "git bisect run" expects it.

use strict;
use warnings;

# The option, see UnixBench::CLI::Declaration.
my %OPTION = (
    follows      => { measure => '--require' },
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
);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses    => [qw(accept)],
        options => [\%OPTION],
        judges  => [{ option => 'bisect', module => 'Bisect::Judge' }],
    };
}

1;
