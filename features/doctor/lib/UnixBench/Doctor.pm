package UnixBench::Doctor;

# The feature doctor: what would prevent, limit or disturb a run.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        commands => { doctor => 'Doctor::Command' },
        remedies => ['./Run doctor'],
        statuses => [[4, 40, '--strict', 'found a problem', 'doctor']],
    };
}

1;
