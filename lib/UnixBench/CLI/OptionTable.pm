package UnixBench::CLI::OptionTable;

# The table of command-line options.

use strict;
use warnings;

use UnixBench::Report::Formats ();

my @MODES = qw(resume report compare sequence);

# The options. Each has these keys, most of which are optional:
#   flag                 the option as the user writes it
#   key                  its key in the hash that UnixBench::CLI::Options::parse returns
#   text                 its explanation in --help
#   value                the name of its value in --help; an option without this key takes no value
#   kind                 the kind of the value, see UnixBench::CLI::OptionValues
#   above, max, choices  limits of the value
#   list                 the option may be given several times
#   lasting              the option also holds when the run is resumed
#   with                 the modes, besides measuring, in which the option is allowed
#   only                 the key of an option that it requires
#   without              the keys of options that it excludes
#   test                 the test that it is for
#   is_output            it writes a report: to the file that is its value, or to standard output if it takes no value
my @OPTIONS = (
    {
        flag => '-q',
        key  => 'quiet',
        with => \@MODES,
        text => 'no logo, no directories, no progress; the report is printed all the same'
    },
    {
        flag => '-v',
        key  => 'verbose',
        with => [qw(resume sequence)],
        text => 'also the list of tests, each command and the result of each pass'
    },
    {
        flag    => '-b',
        key     => 'brief',
        lasting => 1,
        with    => [qw(resume)],
        text    => 'one line for each kind of CPU in the report, not for each CPU'
    },
    {
        flag    => '-i',
        lasting => 1,
        key     => 'iterations',
        value   => 'N',
        kind    => 'whole',
        max     => 100_000,
        text    => 'N passes of every long test (default 10), a third of every short one (default 3), N of an '
            . 'interactive or multi-user one (default 1, 5 with --find-capacity)',
    },
    {
        flag    => '-c',
        lasting => 1,
        key     => 'copies',
        value   => 'N',
        kind    => 'whole',
        max     => 65_536,
        list    => 1,
        text    => 'N copies at once; again for another run (default: 1, then one for each usable CPU)',
    },
    { flag => '--help',    key => 'help',    with => \@MODES, text => 'this text' },
    { flag => '--version', key => 'version', with => \@MODES, text => 'the version' },
    {
        flag => '--list',
        key  => 'list',
        with => \@MODES,
        text => 'every test with title, category, passes and seconds'
    },
    { flag => '--explain', key => 'explain', text => 'what each test does, what limits it and what it does not tell' },
    { flag => '--doctor',  key => 'doctor', text => 'what would disturb a run here, and what to do; measures nothing' },
    { flag => '--dry-run', key => 'dry_run', text => 'the plan with its estimated time; measures nothing' },
    {
        flag => '--setup',
        key  => 'setup',
        with => [qw(sequence)],
        text => 'first install what is missing; with --dry-run: install and build only',
    },
    {
        flag  => '--resume',
        key   => 'resume',
        value => 'NAME',
        kind  => 'name',
        text  => 'go on with the interrupted run whose reports have that name',
    },
    {
        flag    => '--quick',
        key     => 'quick',
        without => [qw(iterations)],
        lasting => 1,
        text    => 'an estimate within two minutes: rounds of short passes, until the index is precise'
    },
    {
        flag    => '--precision',
        key     => 'precision',
        value   => 'P',
        kind    => 'precision',
        only    => 'quick',
        lasting => 1,
        text    => 'with --quick: the half-width of the 95 % interval to be reached (default 1 percent)',
    },
    {
        flag    => '--max-time',
        key     => 'max_time_s',
        value   => 'T',
        kind    => 'duration',
        only    => 'quick',
        lasting => 1,
        text    => 'with --quick: end within T seconds (90s, 5m, 1h) for each number of copies (default 2m)',
    },
    {
        flag    => '--seed',
        key     => 'seed',
        value   => 'N',
        kind    => 'whole',
        max     => 999_999_999,
        only    => 'quick',
        lasting => 1,
        text    => 'with --quick: the same order of tests as in a run that printed this seed',
    },
    {
        flag    => '--timeout',
        lasting => 1,
        key     => 'timeout_s',
        value   => 'S',
        kind    => 'seconds',
        text    => 'end a copy after S seconds (default: its seconds, half of them again, and 60)',
    },
    {
        flag    => '--users',
        key     => 'users',
        value   => 'N',
        kind    => 'whole',
        max     => 2000,
        list    => 1,
        test    => 'multiuser',
        without => [qw(find_capacity)],
        lasting => 1,
        text    => 'multiuser: N users at once play the script (default 20); again for another load behind it',
    },
    {
        flag    => '--think',
        key     => 'think_s',
        value   => 'MIN-MAX',
        kind    => 'range',
        max     => 3600,
        test    => 'multiuser',
        lasting => 1,
        text    => 'multiuser: seconds that users think before a line (default 2-15), times what --scale says',
    },
    {
        flag    => '--scale',
        key     => 'scale',
        value   => 'F',
        kind    => 'number',
        above   => 0,
        max     => 1000,
        test    => 'multiuser',
        lasting => 1,
        text    => 'multiuser: how much of that time passes (default 0.02; 1 is the pace of 1973)',
    },
    {
        flag    => '--script',
        key     => 'script',
        value   => 'FILE',
        kind    => 'source',
        test    => 'multiuser',
        lasting => 1,
        text    => 'multiuser: another script than testdir/multiuser.script',
    },
    {
        flag    => '--find-capacity',
        key     => 'find_capacity',
        test    => 'multiuser',
        lasting => 1,
        text    => 'multiuser: search the most users that the system has time for (5 passes, or -i N)',
    },
    {
        flag    => '--limit',
        key     => 'limit',
        value   => 'F',
        kind    => 'number',
        above   => 1,
        max     => 1000,
        only    => 'find_capacity',
        lasting => 1,
        text    => "with --find-capacity: the p95 of responses at most F times a single user's (default 2)",
    },
    {
        flag    => '--observe',
        key     => 'observe',
        value   => 'WHAT',
        kind    => 'choice',
        choices => [qw(syscalls sequence)],
        without => [qw(doctor explain)],
        lasting => 1,
        text => 'syscalls: each test once more, which system calls it makes; sequence, alone: whether none is missed',
    },
    {
        flag    => '--rows',
        key     => 'rows',
        only    => 'observe',
        lasting => 1,
        text    => 'with --observe syscalls: also a row for each process, its most frequent calls and their delays',
    },
    {
        flag    => '--no-identity',
        key     => 'no_identity',
        lasting => 1,
        text    => 'no name of the host, of users or directories in any report or its name',
    },
    {
        flag => '--details',
        key  => 'details',
        with => [qw(resume report)],
        text => 'spread, intervals, disturbances behind the report, as always on a terminal'
    },
    (map { UnixBench::Report::Formats::option($_) } qw(json html markdown)),
    {
        flag    => '--require',
        key     => 'requirements',
        value   => 'EXPR',
        kind    => 'requirement',
        list    => 1,
        lasting => 1,
        with    => [qw(report)],
        text    => 'what an index or a test must reach, see below; may be repeated',
    },
    (map { UnixBench::Report::Formats::option($_) } qw(junit tap)),
    {
        flag  => '--report',
        key   => 'report',
        value => 'RESULT',
        kind  => 'name',
        text  => 'print the report of an existing result',
    },
    {
        flag => '--compare',
        key  => 'compare',
        text => 'compare results in files, JSON or text reports, with the first of them'
    },
    {
        flag  => '--min-effect',
        key   => 'min_effect',
        value => 'P',
        kind  => 'percent',
        only  => 'compare',
        with  => [qw(compare)],
        text  => 'with --compare: take differences up to P percent for none (default 2)',
    },
    {
        flag => '--analysis',
        key  => 'analysis',
        only => 'compare',
        with => [qw(compare)],
        text => 'with --compare: what makes the difference between two multi-user loads: processor or overhead',
    },
    {
        flag  => '--price',
        key   => 'prices',
        value => 'A,B',
        kind  => 'prices',
        only  => 'analysis',
        with  => [qw(compare)],
        text  => 'with --analysis: what an hour of each machine costs, to tell what a run does',
    },
    {
        flag    => '--force',
        key     => 'force',
        lasting => 1,
        with    => [qw(report compare)],
        text    => 'compare, or require by, also what was not measured in the same way'
    },
);

# Returns the options, with the keys that are described above.
sub options { return @OPTIONS }

1;
