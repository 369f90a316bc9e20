package UnixBench::Command::Measure;

# Measures: what Run does without a command. Prepares the machine, then measures a plan, or resumes a run.

use strict;
use warnings;

use UnixBench::Command  ();
use UnixBench::Features ();

# Options that say how often each test is measured, with how many copies, and for how long at most; and what is done
# before the first pass, or instead of it.
my @OF_PASSES = (
    {
        flag     => '-c',
        is_usual => 1,
        key      => 'copies',
        value    => 'N',
        kind     => 'wholes',
        max      => 65_536,
        choices  => [qw(all sweep)],
        list     => 1,
        text     => 'run N copies of each test in parallel; all: one for each CPU (default: 1, then all)',
        more => 'Several numbers make several runs: -c 1 -c 8, or -c 1,8. sweep: 1, 2, 4 and so on, half of the CPUs, '
            . 'the cores, and all CPUs, at most nine numbers.',
    },
    {
        flag     => '-i',
        is_usual => 1,
        key      => 'iterations',
        value    => 'N',
        kind     => 'whole',
        max      => 100_000,
        text     => 'passes of each long test (default 10); short tests get a third (default 3)',
        more     => 'A short test gets (N + 1) / 3 passes, rounded down.',
    },
    {
        flag  => '--timeout',
        key   => 'timeout_s',
        value => 'S',
        kind  => 'number',
        above => 0,
        max   => 1_000_000,
        text  => 'time limit for each copy in seconds (default: 1.5 times its duration plus 60)',
    },
    {
        flag         => '--setup',
        is_usual     => 1,
        is_momentary => 1,
        text         => 'install what is missing, build the programs, then measure',
        more         => 'It uses apt-get, dnf or apk, as root or by sudo. In a package, it only names what is missing. '
            . 'With --dry-run it does not measure.',
    },
    {
        flag        => '--resume',
        is_usual    => 1,
        value       => 'NAME',
        kind        => 'run',
        is_optional => 1,
        alone       => 'repeats the options of the interrupted run',
        text        => 'resume an interrupted run; without NAME, the only one',
        more => 'NAME is the name of the run, or the path of one of its files. Tests, copies and passes stay the '
            . 'same.',
    },
    { flag => '--dry-run', is_momentary => 1, text => 'print the plan and its estimated time' },
);

my @OF_QUICK_RUNS = (
    {
        flag     => '--quick',
        is_usual => 1,
        without  => [qw(iterations)],
        text     => 'estimate the index in a minute for each number of copies; hundreds of copies need more',
    },
    {
        flag    => '--precision',
        value   => 'P',
        kind    => 'percent',
        above   => 0,
        needs   => 'quick',
        text    => 'stop when the 95 % interval of the index is +- P percent (default 2)',
        more    => 'It looks after 24 rounds and 50 s, or more. A given P that is not reached has exit status 4.',
        reasons => [[4, '--precision', 'was not reached']],
    },
    {
        flag  => '--max-time',
        key   => 'max_time_s',
        value => 'T',
        kind  => 'duration',
        max   => 1_000_000,
        needs => 'quick',
        text  => 'time limit for each number of copies: 90, 90s, 5m or 1h (default 1m)',
        more  => 'A limit that is too short for eight rounds is refused. The default is longer if eight rounds need '
            . 'more. At least three are made.',
    },
    {
        flag  => '--seed',
        value => 'N',
        kind  => 'whole',
        max   => 999_999_999,
        needs => 'quick',
        text  => 'repeat the order of tests of the run that printed this seed',
    },
);

my @OF_OUTPUT = (
    '-q',
    {
        flag         => '-v',
        key          => 'verbose',
        is_of_output => 1,
        text         => 'also print the plan, each command, the result of each pass, and the commands of a build',
    },
    {
        flag         => '-b',
        lasting      => 1,
        key          => 'brief',
        is_of_output => 1,
        text         => 'print one line for each model of CPU in the report, not one for each CPU',
    },
    qw(--details --json --html --markdown --no-identity),
    {
        flag  => '--label',
        key   => 'labels',
        value => 'NAME=TEXT',
        kind  => 'label',
        list  => 1,
        most  => 100,
        text  => 'keep a label in the result, for comparisons of groups; may be given several times',
        more  => 'NAME has small letters, digits, - and _. TEXT is one printable line.',
    },
);

my @GROUPS = (
    {
        title   => 'Measure',
        text    => 'Each number of copies takes 28 minutes. Name other tests to measure those.',
        options => \@OF_PASSES,
    },
    {
        title => 'Quick runs',
        text  => 'A quick run estimates the index. It measures short passes of all tests in rounds, in random order, '
            . 'until the index is precise enough or the time is over.',
        options => \@OF_QUICK_RUNS,
    },
    {
        title => 'Output',
        text  => 'Each run writes a text report, a log and a page to the directory of results. FILE may be - for '
            . 'standard output, which then has no text report.',
        options => \@OF_OUTPUT,
    },
);

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    return {
        takes     => 'tests',
        arguments => '[test ...]',
        is_small  => 1,
        purpose   => 'measure how fast this Unix system is',
        about     => 'Measures how fast this Unix system is. Without options, it measures the tests of "index": once '
            . 'with one copy of each test, once with one copy for each CPU.',
        groups => \@GROUPS,
    };
}

# Takes a UnixBench::Call; returns the path that the files of the resumed run have in common, or undef. Dies with one or
# more lines if a file that the user names is wrong, or if the run can't be judged, or its time limit can't be met.
sub prepare {
    my ($call)  = @_;
    my $options = $call->options;
    my @wishes  = UnixBench::Features::wishes($options);
    $_->{class}->check($_->{value}) for @wishes;
    my $is_complete = $call->has_all_of_perl;
    my @read        = ((map { $_->{class}->files($_->{value}) } @wishes), $is_complete ? $call->judged_by : ());
    my $resumed     = $is_complete && defined $options->{resume} ? _unfinished($call) : undef;
    require UnixBench::Call::Output;
    my ($place, $given) = @{ $call->settings }{qw(resultdir output_name)};
    UnixBench::Call::Output::check($options, \@read, $resumed // (defined $given ? "$place/$given" : ()));
    return if !$is_complete;
    $call->request->judge->check;
    $call->request->check_time if $options->{quick};
    return $resumed;
}

sub _unfinished {
    my ($call) = @_;
    my $name = $call->options->{resume};
    return length $name ? $call->names->unfinished($name) : $call->interrupted;
}

# Takes a call and what prepare() returned; measures. Returns the outcome: "done", "failed", "wrong usage", "not met" or
# "inconclusive". After an interruption, dies of the signal.
sub run {
    my ($call, $resumed) = @_;
    my $options = $call->options;
    return _resumed($call, $resumed)->run if defined $options->{resume};
    if (!$options->{dry_run} || $options->{setup}) {
        my $preparation = $call->preparation;
        $preparation->set_up($call->words);
        $preparation->build;
        $call->forget;
    }
    return _show_plan($call) if $options->{dry_run};
    require UnixBench::Command::Measure::Steps;
    return UnixBench::Command::Measure::Steps->new(
        context     => $call->request,
        console     => $call->console,
        declaration => UnixBench::Command::declaration(),
    )->run;
}

# Builds nothing, because the programs must be those that were measured before.
sub _resumed {
    my ($call, $base) = @_;
    $call->preparation->set_up;
    $call->need_all_of_perl;
    require UnixBench::Command::Measure::Steps;
    return UnixBench::Command::Measure::Steps->resumed(
        call        => $call,
        base        => $base // _unfinished($call),
        declaration => UnixBench::Command::declaration()
    );
}

# Prints the plan; returns the outcome. Loads only the modules that this requires.
sub _show_plan {
    my ($call) = @_;
    my ($context, $console) = ($call->request, $call->console);
    $console->complain($_) for $context->warnings;
    my $refusal = $context->judge->refusal(sub { $console->complain(@_) }, sub { $context->result });
    return $console->inform($context->plan_in_words) ? 'done' : 'failed' if !defined $refusal;
    $console->refuse($refusal);
    return 'wrong usage';
}

1;
