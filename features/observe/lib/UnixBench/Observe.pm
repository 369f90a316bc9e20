package UnixBench::Observe;

# The feature observe: the system calls of each test, which a tracer counts in a short pass after all others.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    my %topic = (
        topic                => 'Observe::Report',
        before_runs          => 35,
        of_run               => 35,
        of_result            => 5,
        below_classic_run    => 10,
        below_classic_report => 10,
    );
    return {
        part         => [qw(observing observed)],
        options      => [_options()],
        extra_passes => [{ option => 'observe', module => 'Observe::ExtraPass' }],
        software     => [_bpftrace()],
        topics       => [\%topic],
        types        => ['Observe::Schema'],
        of_tests => { observed  => 'Observe::Observation' },
        redacts  => { observing => { texts => ['why_not'] }, observed => { texts => ['error'], paths => ['command'] } },
    };
}

# Returns the software that --setup installs. There is no tracer for other systems.
sub _bpftrace {
    return {
        what       => 'bpftrace',
        follows    => "Perl's B",
        check      => [program => 'bpftrace'],
        option     => 'observe',
        system     => 'linux',
        needed_for => 'for --observe as root; otherwise strace is used',
        package    => 'bpftrace',
        packages   => { map { $_ => 'bpftrace' } qw(apt-get dnf yum zypper apk pacman) },
    };
}

sub _options {
    return (
        {
            follows => { measure => '--timeout' },
            flag    => '--observe',
            value   => 'WHAT',
            kind    => 'choice',
            choices => ['syscalls'],
            without => ['under'],
            text    => 'also trace the system calls of each test (WHAT: syscalls)',
            more    => 'Tracing takes one more short pass of each test, after all scores are known.',
        },
        {
            follows => { measure => '--timeout' },
            flag    => '--rows',
            needs   => 'observe',
            text    => 'with --observe syscalls: print a row for each process, too',
        },
    );
}

1;
