package UnixBench::Observe;

# The feature observe: the system calls of each test, which bpftrace or strace counts in a short pass after all others.

use strict;
use warnings;

use UnixBench::Features qw(loaded);

# The types of observed system calls in a result, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
observing: how system calls were observed
  tracer?           text                the program that counted them: bpftrace or strace
  why_not?          text                why they could not be observed, or not by bpftrace

observed: the system calls of a test, from one short pass with all copies
  command           [text]              the program of a copy and its arguments
  error?            text                why the test was not observed; all other keys are missing then
  slowdown?         positive            the score divided by the rate of this short pass
  loops?            natural             the loops that the programs counted
  calls?            [call]              sums for each system call
  processes?        natural             with --rows: the processes
  rows?             [process_row]       with --rows: the processes with the most calls
  unlisted?         unlisted            with --rows: the sums of all other processes

call: a system call of an observed test
  name              text                its name, or # and its number
  count             natural             the calls
  returned          natural             the calls that came back; the next two keys are of these
  total_ns          natural             the sum of all delays, from call to return
  max_ns?           natural             the longest delay

process_row: a process of an observed test
  at                moment              its first call
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

sub _tracer {
    my ($name, $when) = @_;
    return {
        what       => $name,
        follows    => "Perl's B",
        check      => [program => $name],
        option     => 'observe',
        when       => $when,
        system     => 'linux',
        needed_for => 'for --observe',
        package    => $name,
        packages   => { map { $_ => $name } qw(apt-get dnf apk) },
    };
}

# Take the options, and a function that returns whether a program is in PATH. --setup installs bpftrace where it can
# run; elsewhere, and without bpftrace, strace is needed.
sub _wants_bpftrace { my ($options) = @_; return $options->{setup} && _can_run_bpftrace() }

sub _needs_strace {
    my ($options, $has_program) = @_;
    return !_can_run_bpftrace() || !$options->{setup} && !$has_program->('bpftrace');
}

sub _can_run_bpftrace { return !defined loaded('Observe::Bpftrace')->can('obstacle')->() }

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
        part    => [qw(observing observed)],
        options => [
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
        ],
        plan     => { observe => 'Observe::ExtraPass' },
        software => [_tracer('bpftrace', \&_wants_bpftrace), _tracer('strace', \&_needs_strace)],
        topics   => [\%topic],
        types    => [$TYPES],
        of_tests => { observed => 'Observe::Observation' },
        stays    => {
            (map { $_ => 1 } qw(call.name top_call.name)),
            (map { $_ => 'words' } qw(observing.why_not observed.error)),
            'observing.tracer' => 1,
            'observed.command' => 'test.command',
        },
    };
}

1;
