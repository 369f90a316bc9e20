package UnixBench::Cpus;

# The feature cpus: what the CPUs of this machine are: cores or threads, their kinds, the time that is taken from them,
# and what the place of two processes changes.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        commands => { cpus => \&_command },
        part     => [],                                             # it takes part in no report of a result
        types    => [{ of => 'cpus', module => 'Cpus::Schema' }],
    };
}

# Returns the declaration of the command, see UnixBench::CLI::Declaration.
sub _command {
    return {
        module  => 'Cpus::Command',
        takes   => 'nothing',
        purpose => 'measure what the CPUs of this machine are worth',
        about   => 'It measures one copy of a test, half of the copies, spread and packed, and a copy for each CPU. It '
            . 'also measures context switches by place, and the time that is taken from the CPUs. It binds copies to '
            . 'CPUs, so its values are not scores.',
        options => [
            {
                flag  => '--tests',
                key   => 'counted',
                value => 'NAMES',
                kind  => 'text',
                text  => 'the tests whose copies are counted (default: dhry2reg,syscall)',
                more  =>
                    'They must compute all the time, such as pipe, execl or hanoi. The first one tells kinds of CPUs.',
            },
            qw(--html --json --markdown --no-identity),
        ],
    };
}

1;
