package UnixBench::CLI::OptionTable;

# The table of options. The parser, --help, the completion, docs/reference.md and the manual page are made from it.

use strict;
use warnings;

use UnixBench::Report::Formats ();

my @MODES = qw(resume report compare fleet rank);

# The groups of options, in the order of --help: name, title, and what the user should know before reading the options.
my @GROUPS = (
    {
        name  => 'measure',
        title => 'Measure',
        text  => 'Without options, ./Run measures the tests of "index": once with one copy of each test, once with '
            . 'one copy for each CPU. Each number of copies takes 28 minutes. Name other tests to measure those.',
    },
    {
        name  => 'quick',
        title => 'Quick runs',
        text  => 'A quick run estimates the index. It measures short passes of all tests in rounds, in random order, '
            . 'until the index is precise enough or the time is over. It makes at least three rounds. A quick result '
            . 'is compared with quick results only.',
    },
    {
        name  => 'look',
        title => 'Look first',
        text  => 'These options measure nothing.',
    },
    {
        name  => 'output',
        title => 'Output',
        text  => 'Each run writes a text report, a log and a page to the directory of results. FILE may be - for '
            . 'standard output, which then has no text report.',
    },
    {
        name  => 'results',
        title => 'Existing results',
        text  => 'RESULT is a page, a JSON file or a text report, or the bare name of a run in the directory of '
            . 'results. A directory stands for all results in it. With -- between results, each side has several: '
            . './Run --compare A1 A2 -- B1 B2. Eight results or more are shown as a fleet.',
    },
    {
        name  => 'acceptance',
        title => 'Acceptance',
        text  => q{EXPR is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT, such as 'index>=1500' or }
            . q{'8:fsdisk>=0.95*good'. NAME is index, 2d-index, 3d-index or a test. N is a number of copies; without }
            . 'it the requirement is for each number of copies. *RESULT multiplies the number by the value in that '
            . 'result.',
    },
    {
        name  => 'multiuser',
        title => 'Interactive and multi-user',
        text  => './Run interactive measures the scheduling latency of interactive tasks under load. ./Run multiuser '
            . 'runs a script with 20 users, each with a shell of its own. These options are for multiuser.',
    },
);

# The options. Keys of each:
#   flag, value   the option as it is written, and the name of its value; optional: the same if it may be left out
#   short         another way to write the flag
#   key           its key in the parsed options
#   group         a name of a group
#   kind          the kind of value (see UnixBench::CLI::OptionValues), with max, above and choices
#   list          it may be given several times, and its key has a list
#   text          one line for --help; more: further sentences for the reference
#   is_usual      it is in the short help (-h)
#   is_action     it says what Run does; only one action may be given
#   is_output     it writes a report to its file or, without a value, to standard output
#   lasting       it also holds when the run is resumed
#   with          the modes, besides measuring, in which it is accepted
#   only          the key of an option that it needs; a resumed run may have that from the interrupted one
#   without       the keys of options that it contradicts
#   test          the test that it is for
my @OPTIONS = (
    {
        flag     => '-c',
        lasting  => 1,
        key      => 'copies',
        group    => 'measure',
        is_usual => 1,
        value    => 'N',
        kind     => 'wholes',
        max      => 65_536,
        list     => 1,
        text     => 'run N copies of each test in parallel (default: 1, then one for each CPU)',
        more     => 'Several numbers make several runs: -c 1 -c 8, or -c 1,8.',
    },
    {
        flag     => '-i',
        lasting  => 1,
        key      => 'iterations',
        group    => 'measure',
        is_usual => 1,
        value    => 'N',
        kind     => 'whole',
        max      => 100_000,
        text     => 'passes of each long test (default 10); short tests get a third (default 3)',
        more     => 'A short test gets (N + 1) / 3 passes, rounded down. Interactive and multi-user tests get N passes '
            . '(default 1; 5 with --find-capacity).',
    },
    {
        flag     => '--setup',
        key      => 'setup',
        group    => 'measure',
        is_usual => 1,
        text     => 'install what is missing, build the programs, then measure',
        more     =>
            'It uses apt-get, dnf, yum, zypper, apk, pacman, brew or pkg, as root or by sudo. Without the sources of '
            . 'the suite, as in a package, it installs nothing, and names what is missing. With --dry-run it stops '
            . 'before measuring.',
    },
    {
        flag      => '--resume',
        key       => 'resume',
        group     => 'measure',
        is_usual  => 1,
        is_action => 1,
        value     => 'NAME',
        kind      => 'name',
        text      => 'resume an interrupted run',
        more      => 'NAME is the name of the run, or the path of one of its files. Tests, copies and passes are those '
            . 'of the interrupted run.',
    },
    {
        flag    => '--timeout',
        lasting => 1,
        key     => 'timeout_s',
        group   => 'measure',
        value   => 'S',
        kind    => 'seconds',
        text    => 'time limit for each copy in seconds (default: 1.5 times its duration plus 60)',
    },
    {
        flag    => '--observe',
        key     => 'observe',
        group   => 'measure',
        value   => 'WHAT',
        kind    => 'choice',
        choices => [qw(syscalls)],
        without => [qw(doctor explain)],
        lasting => 1,
        text    => 'also trace the system calls of each test (WHAT: syscalls)',
        more    => 'Tracing takes one more short pass of each test, after all scores are known.',
    },
    {
        flag    => '--rows',
        key     => 'rows',
        group   => 'measure',
        only    => 'observe',
        lasting => 1,
        text    => 'with --observe syscalls: print a row for each process, too',
    },
    {
        flag     => '--quick',
        key      => 'quick',
        group    => 'quick',
        is_usual => 1,
        without  => [qw(iterations)],
        lasting  => 1,
        text     => 'estimate the index in two minutes for each number of copies',
    },
    {
        flag    => '--precision',
        key     => 'precision',
        group   => 'quick',
        value   => 'P',
        kind    => 'precision',
        only    => 'quick',
        lasting => 1,
        text    => 'stop when the 95 % interval of the index is +- P percent (default 1)',
        more    => 'If the time is over first, the exit status is 4.',
    },
    {
        flag    => '--max-time',
        key     => 'max_time_s',
        group   => 'quick',
        value   => 'T',
        kind    => 'duration',
        max     => 1_000_000,
        only    => 'quick',
        lasting => 1,
        text    => 'time limit for each number of copies: 90, 90s, 5m or 1h (default 2m)',
        more    => 'A limit that is too short for three rounds is refused. The default limit is longer if three rounds '
            . 'need more. If three rounds take longer than planned, they are made anyway, with a warning.',
    },
    {
        flag    => '--seed',
        key     => 'seed',
        group   => 'quick',
        value   => 'N',
        kind    => 'whole',
        max     => 999_999_999,
        only    => 'quick',
        lasting => 1,
        text    => 'repeat the order of tests of the run that printed this seed',
    },
    { flag => '-h', key => 'usage', group => 'look', with => \@MODES, text => 'print the usual options' },
    {
        flag     => '--help',
        optional => '[GROUP]',
        key      => 'help',
        group    => 'look',
        with     => \@MODES,
        text     => 'print all options, or those of a group with explanations',
    },
    {
        flag  => '--version',
        short => '-V',
        key   => 'version',
        group => 'look',
        with  => \@MODES,
        text  => 'print the version'
    },
    {
        flag      => '--list',
        key       => 'list',
        group     => 'look',
        is_usual  => 1,
        is_action => 1,
        text      => 'list the tests and their aliases',
    },
    {
        flag      => '--explain',
        key       => 'explain',
        group     => 'look',
        is_action => 1,
        text      => 'print what each test does, what limits it, and what its score does not tell',
    },
    {
        flag      => '--doctor',
        key       => 'doctor',
        group     => 'look',
        is_usual  => 1,
        is_action => 1,
        text      => 'print what would prevent, limit or disturb this run',
    },
    {
        flag  => '--strict',
        key   => 'strict',
        group => 'look',
        only  => 'doctor',
        text  => 'with --doctor: exit status 4 if there is a problem',
    },
    { flag => '--dry-run', key => 'dry_run', group => 'look', text => 'print the plan and its estimated time' },
    {
        flag     => '-q',
        key      => 'quiet',
        group    => 'output',
        is_usual => 1,
        without  => [qw(verbose)],
        with     => \@MODES,
        text     => 'print the classic report and nothing else',
    },
    {
        flag  => '-v',
        key   => 'verbose',
        group => 'output',
        with  => [qw(resume)],
        text  => 'also print the plan, each command, the result of each pass, and the commands of a build',
    },
    {
        flag    => '-b',
        key     => 'brief',
        group   => 'output',
        lasting => 1,
        with    => [qw(resume)],
        text    => 'print one line for each model of CPU in the report, not one for each CPU',
    },
    {
        flag  => '--details',
        key   => 'details',
        group => 'output',
        with  => [qw(resume report)],
        text  => 'after the report, print intervals, spread and disturbances',
    },
    (map { +{ %{ UnixBench::Report::Formats::option($_) }, group => 'output' } } qw(json html markdown)),
    { %{ UnixBench::Report::Formats::export_option() }, group => 'output' },
    {
        flag    => '--no-identity',
        key     => 'no_identity',
        group   => 'output',
        lasting => 1,
        text    => 'leave the names of host, users and directories out of all reports',
    },
    {
        flag      => '--report',
        key       => 'report',
        group     => 'results',
        is_action => 1,
        value     => 'RESULT',
        kind      => 'name',
        text      => 'print the report of an existing result',
        more      => 'Reports that are missing next to the result are written.',
    },
    {
        flag      => '--compare',
        key       => 'compare',
        group     => 'results',
        is_usual  => 1,
        is_action => 1,
        text      => 'compare results with the first one: ./Run --compare OLD NEW',
    },
    {
        flag  => '--min-effect',
        key   => 'min_effect',
        group => 'results',
        value => 'P',
        kind  => 'percent',
        only  => 'compare',
        with  => [qw(compare)],
        text  => 'with --compare: ignore differences up to P percent (default 2)',
    },
    {
        flag      => '--fleet',
        key       => 'fleet',
        group     => 'results',
        is_action => 1,
        text      => 'list all hosts of a fleet, also those without a result: ./Run --fleet LIST',
        more      => 'LIST is a file NAME.csv with the columns host, shares, phase, try, outcome, reason and result. '
            . 'Results may be named instead. With --require, each host has a verdict. The exit status is 1 if a host '
            . 'is not measured.',
    },
    {
        flag    => '--force',
        key     => 'force',
        group   => 'results',
        lasting => 1,
        with    => [qw(report compare fleet)],
        text    => 'compare even if the procedures differ',
    },
    {
        flag      => '--rank',
        key       => 'rank',
        group     => 'results',
        is_action => 1,
        text      => 'list published indexes of other machines, with a result among them: ./Run --rank RESULT',
        more      => 'Without RESULT, the newest result that can be ranked is used.',
    },
    {
        flag     => '--require',
        key      => 'requirements',
        group    => 'acceptance',
        is_usual => 1,
        value    => 'EXPR',
        kind     => 'requirement',
        list     => 1,
        lasting  => 1,
        with     => [qw(report fleet)],
        text     => q{require a value, such as 'index>=1500'; may be given several times},
        more     => 'The 95 % interval decides: the exit status is 3 if a requirement is not met, and 4 if it is '
            . 'inconclusive.',
    },
    (map { +{ %{ UnixBench::Report::Formats::option($_) }, group => 'acceptance' } } qw(junit tap verdict)),
    {
        flag      => '--check',
        key       => 'check',
        group     => 'acceptance',
        is_action => 1,
        value     => 'FILE',
        kind      => 'source',
        text      => 'print the verdict in FILE, for Nagios and other monitoring systems',
        more      => 'The exit status is 0 for pass, 1 for inconclusive, 2 for fail, and 3 if the verdict is unknown, '
            . 'missing or too old.',
    },
    {
        flag  => '--max-age',
        key   => 'max_age_s',
        group => 'acceptance',
        value => 'T',
        kind  => 'duration',
        max   => 1_000_000_000,
        only  => 'check',
        with  => [qw(check)],
        text  => 'with --check: the oldest verdict that is accepted: 90s, 5m, 1h or 7d (default 7d)',
    },
    {
        flag    => '--users',
        key     => 'users',
        group   => 'multiuser',
        value   => 'N',
        kind    => 'whole',
        max     => 2000,
        list    => 1,
        test    => 'multiuser',
        without => [qw(find_capacity)],
        lasting => 1,
        text    => 'number of users (default 20); given twice, two loads run one after the other',
    },
    {
        flag    => '--think',
        key     => 'think_s',
        group   => 'multiuser',
        value   => 'MIN-MAX',
        kind    => 'range',
        max     => 3600,
        test    => 'multiuser',
        lasting => 1,
        text    => 'think time before each line in seconds (default 2-15), multiplied by --scale',
    },
    {
        flag    => '--scale',
        key     => 'scale',
        group   => 'multiuser',
        value   => 'F',
        kind    => 'number',
        above   => 0,
        max     => 1000,
        test    => 'multiuser',
        lasting => 1,
        text    => 'factor for think times (default 0.02; 1 is the pace of 1973)',
    },
    {
        flag    => '--script',
        key     => 'script',
        group   => 'multiuser',
        value   => 'FILE',
        kind    => 'source',
        test    => 'multiuser',
        lasting => 1,
        text    => 'run FILE instead of testdir/multiuser.script',
    },
    {
        flag    => '--find-capacity',
        key     => 'find_capacity',
        group   => 'multiuser',
        test    => 'multiuser',
        lasting => 1,
        text    => 'find the largest number of users that is served in time (5 passes, or -i N)',
    },
    {
        flag    => '--limit',
        key     => 'limit',
        group   => 'multiuser',
        value   => 'F',
        kind    => 'number',
        above   => 1,
        max     => 1000,
        only    => 'find_capacity',
        lasting => 1,
        text    => q{with --find-capacity: the p95 response may be F times a single user's (default 2)},
    },
);

# Returns the options; see above for their keys.
sub options { return @OPTIONS }

# Returns the groups of options, { name, title, text } each.
sub groups { return @GROUPS }

1;
