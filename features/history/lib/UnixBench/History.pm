package UnixBench::History;

# The feature history: when the results of hosts changed, and what changed with them.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        commands => { history => 'History::Command' },
        statuses =>
            [[3, 30, 'a history', 'is worse', 'history'], [4, 50, 'no run of a history', 'can be used', 'history']],
        changes_in => ['History::ChangePoints'],
        documents  => { history => 'History::Schema' },
        types      => ['Compare::Facts'],
        names      => { 'history-accepted' => 'the accepted changes of a history' },
        places     => [
            ['share/history.schema.json',    'the same of the file that history --json writes'],
            ['results/history-accepted.log', 'the changes that history --accept has accepted, a line for each'],
        ],
    };
}

1;
