package UnixBench::Multiuser;

# The feature multiuser: many users with real shells, who run the same script.

use strict;
use warnings;

use constant LOADS_MAX => 32;    # the limit of the program multiuser

my @PACE = qw(--think {think} --scale {scale} --script {script} --home {scratch});

# The types of the multi-user load, and of what its test reports, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
users_asked: the load of the multi-user test
  users             [whole]             the users of each load, one load after the other; none in a search
  think_min_s       unsigned            the shortest pause before a line, before it is scaled
  think_max_s       unsigned            the longest one
  scale             unsigned            the factor for pauses
  script?           text                the SHA-256 of the script
  limit?            positive            in a search: how many times a single user's p95 is allowed

load_change: the load of the multi-user test if it differs from the default
  users             [whole]             the users of each load, one load after the other; none in a search
  pause_min_s       unsigned            the shortest pause before a line
  pause_max_s       unsigned            the longest one
  limit?            positive            in a search: how many times a single user's p95 is allowed
  lines?            natural             the lines of each user; null if the script could not be read
  has_other_script  boolean             whether --script named the script

multiuser: what the multi-user test reported besides its score; incidents are added, others are medians
  passes            whole               the number of passes
  users?            unsigned            the users that began
  finished?         unsigned            the users that finished the script; the fewest of a pass
  lines?            unsigned            the lines of all users that were answered
  elapsed_s?        unsigned            how long the load took
  stretch?          unsigned            the mean response divided by that of a single user; null if no user was alone
  shortfall?        text                what went wrong, such as "3 lines failed, 1 of 20 users did not finish"
  incident_count    natural             how often a line failed or hung, or a user ended early
  incidents         [incident]          the first of these, of each pass
  meters            [meter]             what was counted while the load ran, in the order of the reports
  shares?           shares              how the time of all CPUs was used
  responses         [response]          from a line's input until its answer: of all lines, then of each class
  trials            [user_load]         each number of users, ascending: one load after the other, or trials of a search
  capacity?         capacity            the result of a search

incident: a line that failed or hung, or a user that ended early
  pass              whole               the pass
  user              whole               the user, from 1
  line              natural             the number of the line in the file; 0 if it is about no line
  what              text                what happened, such as "exit status 1 instead of 0"
  text              text                the beginning of the line

meter: what was counted while the load ran
  name              text                what was counted, with its unit if it has one: cpu_user_s
  machine?          unsigned            in the whole machine
  group?            unsigned            in the control group of the run
  users?            unsigned            in the users' shells and all their descendants
  finished?         unsigned            the same of the users that finished
  per_finished?     unsigned            the same for each user that finished

shares: how the time of all CPUs was used, in per cent
  user?             unsigned            programs
  system?           unsigned            the kernel, for programs
  irq?              unsigned            interrupts
  steal?            unsigned            taken by the hypervisor
  iowait?           unsigned            idle, while a program waited for a disk
  idle?             unsigned            idle otherwise

response: the response times of a class of lines
  class             text                the part of the script; "all" for every line
  count?            unsigned            the lines that were answered
  mean_s?           unsigned            the mean
  p50_s?            unsigned            the median
  p90_s?            unsigned            the 90th percentile
  p95_s?            unsigned            the 95th percentile
  p99_s?            unsigned            the 99th percentile
  max_s?            unsigned            the longest of all passes

user_load: a number of users, and how they were served
  users             whole               the users at the same time
  passes            whole               the number of passes
  lines?            unsigned            the lines that were answered
  elapsed_s?        unsigned            how long it took
  mean_s?           unsigned            the mean response
  p50_s?            unsigned            the median response
  p95_s?            unsigned            the 95th percentile of the responses
  stretch?          unsigned            the mean response divided by that of a single user in the same pass

capacity: the result of a search for the number of users that are served in time
  users             natural             the most users within the limit; of several searches the median
  value?            unsigned            where the limit is crossed, between two numbers of users: a geometric mean
  low?              unsigned            the lower end of its 95 % interval
  high?             unsigned            the upper end of its 95 % interval
  alone_p95_s?      unsigned            the p95 of a single user
  limit?            unsigned            how many times that is the limit
  is_least          boolean             whether, in a pass, the most users that were tried were within the limit
END

# The group of options of measuring, see UnixBench::CLI::Declaration.
my %OPTIONS = (
    follows => { measure => q{} },
    title   => 'Interactive and multi-user',
    text    => './Run interactive measures the scheduling latency under load. ./Run multiuser runs a script with 20 '
        . 'users, each with a shell of its own. -i N makes N passes (default 1; 5 with --find-capacity). These '
        . 'options are for multiuser.',
    options => [
        {
            flag    => '--users',
            value   => 'N',
            kind    => 'whole',
            max     => 2000,
            list    => 1,
            most    => LOADS_MAX,
            needs   => 'multiuser',
            without => [qw(find_capacity)],
            text    => 'number of users (default 20); given twice, two loads run one after the other',
        },
        {
            flag  => '--think',
            key   => 'think_s',
            value => 'MIN-MAX',
            kind  => 'range',
            max   => 3600,
            needs => 'multiuser',
            text  => 'think time before each line in seconds (default 2-15), multiplied by --scale',
        },
        {
            flag  => '--scale',
            value => 'F',
            kind  => 'number',
            above => 0,
            max   => 1000,
            needs => 'multiuser',
            text  => 'factor for think times (default 0.02; 1 is the pace of 1973)',
        },
        {
            flag  => '--script',
            value => 'FILE',
            kind  => 'source',
            needs => 'multiuser',
            text  => 'run FILE instead of testdir/multiuser.script',
        },
        {
            flag  => '--find-capacity',
            needs => 'multiuser',
            text  => 'find the largest number of users that is served in time (5 passes, or -i N)',
        },
        {
            flag  => '--limit',
            value => 'F',
            kind  => 'number',
            above => 1,
            max   => 1000,
            needs => 'find_capacity',
            text  => q{with --find-capacity: the p95 response may be F times a single user's (default 2)},
        },
    ],
);

my $CLASS = qr/all|archive|compare|compile|compute|edit|list|run|search|shell|text/;
my $METER = qr/(?:machine|group|users|finished|driver)[.][a-z_]{1,40}/;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part  => ['multiuser'],
        tests => [
            {
                name        => 'multiuser',
                subject     => 'Multi-User',
                kind        => 'multi-user',
                copies_max  => 1,
                is_optional => 1,
                loops       => 'lines',
                is_apart    => 1,
                tests       => [
                    {
                        name     => 'multiuser',
                        title    => 'Multi-User Script',
                        length   => 'once',
                        seconds  => 60,
                        command  => [qw(multiuser --users {users}), @PACE],
                        timed    => 'answers',
                        load     => 'Multiuser::Load',
                        software => ['the locale en_US.utf8', 'a C compiler', 'make', 'the C headers'],
                        search   => {
                            title   => 'Multi-User Capacity',
                            length  => 'few',
                            command => [qw(multiuser --find-capacity --limit {limit}), @PACE],
                        },
                    },
                ],
            },
        ],
        options        => [\%OPTIONS],
        plan           => { script => 'Multiuser::Load' },
        types          => [$TYPES],
        of_results     => { multiuser => 'Multiuser::Results' },
        of_tests       => { multiuser => 'Multiuser::Results' },
        of_comparisons => { loads     => 'Multiuser::Comparison' },
        stays          => {
            'copy.data multiuser' =>
                qr/(?:load|capacity)[.][a-z0-9_]+|(?:trial|incident)[.][0-9]+[.]|response[.]$CLASS[.]|meter[.]$METER/,
            'meter.name'          => 1,
            'response.class'      => $CLASS,
            'users_asked.script'  => qr/[0-9a-f]{64}/,
            'incident.what'       => 'words',
            'multiuser.shortfall' => 'words',
        },
        topics => [{ topic => 'Multiuser::Topic', before_runs => 5, of_run => 25, in_block => 1 }],
    };
}

1;
