package UnixBench::Fleet;

# The feature fleet: many hosts, of which each is judged, and compared with the others.

use strict;
use warnings;

use UnixBench::CLI::Declaration qw(shared);
use UnixBench::Features         qw(loaded);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses     => [qw(accept check)],
        commands => { fleet => \&_command },
        types    => [{ of => 'fleet', module => 'Fleet::JSON' }],
        steps    => [{
            after => 'directories',
            step  => sub { my ($old, $new, @more) = @_; @more ? undef : "./Run fleet $new --against $old" }
        }],
    };
}

sub _command {
    my ($verdict, $junit) = shared(qw(--verdict --junit));
    return {
        module    => 'Fleet::Command',
        takes     => 'result',
        arguments => 'LIST | RESULT ...',
        needs     => 'a list or results',
        purpose   => 'list all hosts of a fleet, also those without a result',
        about     => 'LIST is a file NAME.csv with the columns host, outcome, reason and result. '
            . 'With --require, each host has a verdict. The exit status is 1 if a host is not measured.',
        options => [
            loaded('Accept')->can('requirements')->(),
            qw(--copies --cpus --html --markdown --json),
            $junit,
            { %$verdict, needs => undef },    # hosts also have outcomes without requirements
        ],
    };
}

1;
