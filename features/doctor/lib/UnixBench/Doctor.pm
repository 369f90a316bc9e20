package UnixBench::Doctor;

# The feature doctor: what would prevent, limit or disturb a run.

use strict;
use warnings;

use UnixBench::Command ();

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        commands => { doctor => \&_command },
        steps    => [
            { after => 'poor',   step => sub { $_[0] ? './Run doctor graphics' : './Run doctor' } },
            { after => 'others', step => './Run doctor' },
        ],
    };
}

# Returns the declaration of the command, see UnixBench::CLI::Declaration. It has the options that say what a run
# measures, because what limits a run depends on them.
sub _command {
    my @of_run = grep { $_->{lasting} }
        map { @{ $_->{options} } } @{ UnixBench::Command::declaration()->{groups} };
    return {
        module    => 'Doctor::Command',
        takes     => 'tests',
        arguments => '[TEST ...]',
        is_small  => 1,
        purpose   => 'print what would prevent, limit or disturb a run',
        about     => 'It examines the machine for a run of these tests. It also takes the options of that run, such as '
            . '-c 8 or --quick: ./Run --help.',
        reasons => [[4, '--strict', 'found a problem']],
        groups  => [
            {
                options => [
                    { flag => '--strict', text => 'exit status 4 if there is a problem' },
                    { flag => '--facts',  text => 'also print the facts about the machine, and what is worth knowing' },
                ],
            },
            { options => \@of_run, is_hidden => 1 },
        ],
    };
}

1;
