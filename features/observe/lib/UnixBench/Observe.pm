package UnixBench::Observe;

# The feature observe: the system calls of each test, which a tracer counts in a short pass after all others.

use strict;
use warnings;

# The types of observed system calls in a result, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
observing, after interruption: how system calls were observed
  tracer?           bpftrace|strace     the tracer; null if no tracer works
  why_not?          text                the reason if it is not bpftrace; without a tracer, the reasons for both

observed, after estimate: the system calls of a test, from one short pass with all copies
  tracer            bpftrace|strace     the tracer
  command           [text]              the program of a copy and its arguments
  error?            text                why the test was not observed; all other keys are missing then
  unit?             text                as of a pass, as the next three
  count?            measured            the count of all copies together
  time_s?           measured            the mean time of the copies
  timebase?         timebase            the rate is count / (time_s / timebase), or count if this is 0
  slowdown?         positive            the score divided by the rate of this short pass
  loops?            natural             the loops that the programs counted
  processes?        natural             the processes; missing if strace made sums
  lost?             natural             processes that could not be followed; missing with strace
  calls?            [call]              sums for each system call
  rows?             [process_row]       with --rows: the processes with the most calls
  unlisted?         unlisted            with --rows: the sums of all other processes

call: a system call of an observed test
  name              text                its name, or # and its number
  count             natural             the calls
  returned          natural             the calls that came back; the next three keys are of these
  total_ns          natural             the sum of all delays, from call to return
  max_ns?           natural             the longest delay
  delays?           [delays]            a histogram by powers of two

delays: a column of the histogram of delays
  from_ns           natural             a power of two, or 0
  count             natural             the delays from this one to below twice that; for 0, below 1

process_row: a process of an observed test
  at                moment              when it began; with strace: its first call
  pid               natural             its number
  count             natural             its calls
  returned          natural             the calls that came back; the next two keys are of these
  total_ns          natural             the sum of all delays, from call to return
  max_ns?           natural             the longest delay
  top               [top_call]          its most frequent calls, three at most

top_call: a frequent call of a process
  name              text                its name
  count             natural             how often it was made

unlisted: the processes without a row
  processes         natural             their number
  count             natural             their calls
END

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
        types        => ['Observe'],
        of_tests     => { observed => 'Observe::Observation' },
        redacts      => {
            (map { $_ => 1 } qw(observed.unit call.name top_call.name call_in_states.name test_in_states.name)),
            (map { $_ => 1 } qw(test_in_states.title call_in_state.letter)),
            (map { $_ => 'words' } qw(observing.why_not observed.error)),
            'observed.command' => 'test.command',
        },
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

# Returns the declaration of the types.
sub types { return $TYPES }

1;
