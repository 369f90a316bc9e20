package UnixBench::Under;

# The feature under: what a change costs. A quick run measures each test on the plain machine and under commands, in
# turns.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part    => ['experiment'],
        options => [_options()],
        plan    => { under => 'Under::States' },
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

# Returns the group of options of measuring, see UnixBench::CLI::Declaration.
sub _options {
    return {
        title   => 'What a change costs',
        follows => { measure => 'Quick runs' },
        text    => 'Measures this machine in several states in turns, so that its drift cancels. State A is the plain '
            . 'machine. Each COMMAND is one more state, in which it stands in front of the command of each copy: '
            . 'docker run ..., taskset -c 0, strace -f. It is a quick run, whose result has the ratio of each state '
            . 'to A with its interval.',
        options => [_under()],
    };
}

sub _under {
    return {
        flag     => '--under',
        is_usual => 1,
        value    => 'COMMAND',
        kind     => 'command',
        list     => 1,
        most     => 5,
        implies  => 'quick',
        without  => [qw(iterations)],
        text     => 'also measure each test under COMMAND, in turns; up to five times',
        more => 'Words are quoted as in a shell, but no shell runs. The word {home} stands for the directory of the '
            . 'suite, {scratch} for that of the copy, {test} for the name of the test. The word {tmp} stands for the '
            . 'directory of the file tests, UB_TMPDIR. COMMAND has to pass on the variables UB_TIME, UB_USED, '
            . 'UB_SCRATCH and UB_TMPDIR. The results are NAME, NAME-b, NAME-c. '
            . '--precision is then that of each ratio (default 1), and --max-time is for all states (default: a minute '
            . 'for each).',
    };
}

1;
