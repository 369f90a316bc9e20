package UnixBench::History;

# The feature history: when the results of hosts changed, and what changed with them.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses     => [qw(changes)],
        commands => { history => \&_command },
        types    => [{ of    => 'history',          module => 'History::JSON' }],
        steps    => [{ after => 'directories',      step   => sub { @_ > 2 ? "./Run history @_" : undef } }],
        files    => [{ name  => 'history-accepted', about  => 'the changes that history --accept has accepted' },],
    };
}

sub _command {
    return {
        module    => 'History::Command',
        takes     => 'result',
        arguments => '[RESULT ...]',
        purpose   => 'show when results changed, and what changed with them',
        about     => 'Without an argument, all results of the results directory are read. The exit status is 3 if a '
            . 'confirmed change for the worse is not accepted. It is 4 if no run, or no latest one, can be used.',
        reasons => [[3, 'a history', 'is worse'], [4, 'no run of a history', 'can be used']],
        options => [
            {
                flag  => '--min-effect',
                value => 'PERCENT',
                kind  => 'percent',
                text  => 'ignore changes up to this size (default: 2)',
            },
            {
                flag  => '--accept',
                value => 'REASON',
                kind  => 'text',
                text  => 'accept the changes for the worse; the report then shows the reason',
            },
            qw(--copies --cpus --html --markdown --json),
        ],
    };
}

1;
