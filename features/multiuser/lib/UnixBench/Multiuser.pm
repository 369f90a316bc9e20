package UnixBench::Multiuser;

# The feature multiuser: many users with real shells, who run the same script.

use strict;
use warnings;

my @PACE = qw(--think {think} --scale {scale} --script {script} --home {scratch});

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part       => ['multiuser'],
        categories => [
            {
                name        => 'multiuser',
                subject     => 'Multi-User',
                kind        => 'multi-user',
                copies_max  => 1,
                is_optional => 1,
                loops       => 'lines',
                is_apart    => 1,
            },
        ],
        tests => [
            {
                name     => 'multiuser',
                title    => 'Multi-User Script',
                category => 'multiuser',
                length   => 'once',
                seconds  => 60,
                command  => [qw(multiuser --users {users}), @PACE],
                timed    => 'answers',
                load     => 'Multiuser::Load',
                software => ['the locale en_US.utf8', 'a C compiler', 'make', 'the C headers'],
                runs     => [qw(/bin/sh cc)],
                search   => {
                    title   => 'Multi-User Capacity',
                    length  => 'few',
                    command => [qw(multiuser --find-capacity --limit {limit}), @PACE],
                },
            },
        ],
        groups  => [{ measure => 'Multiuser::Options' }],
        more    => { -i     => 'Interactive and multi-user tests get N passes (default 1; 5 with --find-capacity).' },
        checks  => { script => 'Multiuser::Load' },
        aspects => ['Multiuser::Kind'],
        changes     => { load  => 'Multiuser::Load' },
        comparisons => { loads => 'Multiuser::Comparison' },
        types       => ['Multiuser::Schema'],
        of_runs     => { multiuser => 'Multiuser::Results' },
        shortfalls  => { multiuser => 'Multiuser::Results' },
        topics      => [{ topic => 'Multiuser::Topic', of_run => 25 }],
    };
}

1;
