package UnixBench::Check;

# The feature check: verdicts for other programs, which monitoring systems and CI servers read.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses     => [qw(accept)],
        commands => { check => \&_check },
        options  => [{ follows => { measure => '--force', report => '--force' }, options => [qw(--junit --verdict)] }],
        formats  => [
            {
                kind          => 'junit',
                renderer      => 'Check::JUnit',
                value         => 'FILE',
                takes_several => 1,
                text          => 'write the verdicts on tests and requirements as JUnit XML',
            },
            {
                kind          => 'verdict',
                renderer      => 'Check::Verdict',
                value         => 'FILE',
                needs         => 'requirements',
                has_doubts    => 1,
                takes_several => 1,
                text          => 'write the verdict in lines of name=value, for programs',
            },
        ],
    };
}

sub _check {
    return {
        module    => 'Check::Command',
        takes     => 'file',
        arguments => 'FILE',
        needs     => 'a file',
        most      => 1,
        is_small  => 1,
        is_closed => 1,
        is_early  => 1,
        statuses  => [
            [0 => 'pass'],
            [1 => 'inconclusive'],
            [2 => 'fail'],
            [3 => 'the verdict is unknown, missing or too old, or wrong usage'],
        ],
        purpose => 'print the verdict in FILE, for a monitoring system',
        about   => 'FILE is what --verdict has written. The exit status is 0 for pass, 1 for inconclusive, 2 for fail, '
            . 'and 3 if the verdict is unknown, missing or too old.',
        options => [
            {
                flag  => '--max-age',
                value => 'T',
                kind  => 'age',
                text  => 'the oldest verdict that is accepted: 90s, 5m, 1h or 7d (default 7d)',
            },
        ],
    };
}

1;
