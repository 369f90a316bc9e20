package UnixBench::Under;

# The feature under: what a change costs. A quick run measures each test on the plain machine and under commands, or in
# two states of the machine, in turns.

use strict;
use warnings;

# The group of options of measuring, see UnixBench::CLI::Declaration.
my %OPTIONS = (
    title   => 'What a change costs',
    follows => { measure => 'Quick runs' },
    text    => 'Measures this machine in several states in turns, so that its drift cancels. State A is the plain '
        . 'machine. Each COMMAND is one more state, in which it stands in front of the command of each copy: '
        . 'docker run ..., taskset -c 0, strace -f. It is a quick run, whose result has the ratio of each state '
        . 'to A with its interval. --toggle is for a change of the machine itself: then A is the state that OFF '
        . 'begins.',
    options => [
        {
            flag     => '--under',
            is_usual => 1,
            value    => 'COMMAND',
            kind     => 'command',
            list     => 1,
            most     => 5,
            implies  => 'quick',
            without  => [qw(iterations)],
            text     => 'also measure each test under COMMAND, in turns; up to five times',
            more     => 'Words are quoted as in a shell, but no shell runs. In COMMAND, {home} is the directory of '
                . 'the suite, {scratch} that of the copy, {tmp} that of the file tests (UB_TMPDIR). The name of '
                . 'the test is {test}. COMMAND has to pass on UB_TIME, UB_USED, UB_SCRATCH and UB_TMPDIR. The '
                . 'results are NAME, NAME-b, NAME-c. --precision is that of each ratio (default 1), --max-time '
                . 'that of all states (default: a minute for each).',
        },
        {
            flag     => '--toggle',
            is_usual => 1,
            value    => 'ON OFF',
            words    => 2,
            kind     => 'command',
            implies  => 'quick',
            without  => [qw(iterations under)],
            text     => 'also measure each test after the command ON, in turns; OFF ends that state',
            more     => 'Both are commands as those of --under, such as "sysctl -qw vm.swappiness=0". They run '
                . 'before passes, outside of the measured time, in the directory /. They return when the state '
                . 'has settled. OFF also runs at the beginning and at the end, even if the run is killed. See '
                . 'docs/kernels.md.',
        },
    ],
);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part    => ['experiment'],
        options => [\%OPTIONS],
        plan    => { under => 'Under::States', toggle => 'Under::Toggle' },
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
