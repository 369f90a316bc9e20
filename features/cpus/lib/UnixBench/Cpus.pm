package UnixBench::Cpus;

# The feature cpus: what the CPUs of this machine are: cores or threads, their kinds, the time that is taken from them,
# and what the place of two processes changes.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        commands       => { cpus => \&_command },
        part           => ['place'],
        topics         => [{ topic        => 'Cpus::Own', before_runs => 12, in_block => 1 }],
        types          => [{ of           => 'cpus', module => 'Cpus' }],
        of_directories => [{ of_directory => 'Cpus::Own' }],
        steps          => [{ after        => 'steal', step => './Run cpus' }],
    };
}

sub _command {
    return {
        module  => 'Cpus::Command',
        takes   => 'nothing',
        purpose => 'measure what the CPUs of this machine are worth',
        about   => 'It measures one copy of a test, half of the copies, spread and packed, and a copy for each CPU. It '
            . 'also measures context switches by place, and the time that is taken from the CPUs. It binds copies to '
            . 'CPUs, so its values are not scores.',
        options => [
            {
                flag  => '--tests',
                key   => 'counted',
                value => 'NAMES',
                kind  => 'text',
                text  => 'the tests whose copies are counted (default: dhry2reg,syscall)',
                more  => 'They must compute all the time, such as pipe or hanoi. The first one tells kinds of CPUs.',
            },
            qw(--html --json --markdown --no-identity),
        ],
    };
}

# Returns the declaration of the types of the file of cpus --json, see UnixBench::Base::ResultSchema.
sub types {
    return <<'END';
cpus: the file of cpus --json
  format            =unixbench-cpus     distinguishes such a file from all others
  schema            =1                  the version of this description
  version           text                the version of the suite that measured
  host?             text                the machine's name
  model?            text                the model of its CPUs
  started           moment              when the measurement began
  seconds           positive            how long it took
  cpus              cpus_found          what was found

cpus_found: what the CPUs are
  declared          text                what the kernel declares, in words
  rounds            whole               the rounds; those after the seventh are of pairs alone
  alone             [cpus_speed]        the speed of CPUs that work alone
  kinds             [cpus_kind]         the kinds of CPUs, the fastest first
  worth             [cpus_worth]        for each test, what a copy for each CPU does
  pairs             cpus_pairs          whether the declared cores are true
  taken             cpus_taken          the time that was taken from the CPUs
  places            [cpus_place]        context switches by the place of the two processes
  own?              cpus_own            where the processes of the newest result were

cpus_speed: the speed of a CPU that works alone
  cpu               natural             its number
  socket            natural             its socket, in the order of appearance, as the next three
  node              natural             its node
  l3                natural             its L3 cache
  core              natural             its core
  kind              natural             its kind, a place in the list of kinds
  speed             estimate            its speed as a part of that of the fastest kind
  beside?           estimate            its speed as a part of that of the others of its kind, if it surely differs

cpus_kind: a kind of CPUs
  name?             text                its name; null if there is only one
  cpus              [natural]           the CPUs of this kind that were measured alone
  value             positive            its speed as a part of that of the fastest kind

cpus_worth: what a copy for each CPU does
  name              text                the test
  copies            whole               the number of copies
  alone             estimate            they do this multiple of one copy that is alone
  busy?             estimate            the same of one with a core while others are busy, if known
  half?             estimate            what "from" copies do as a multiple of one
  shape             line|corner|falls|undetermined
                                        how it grows: all add the same; those beyond "from" less; or less than nothing
  from              whole               the number of copies beyond which they may add less
  adds              number              what each copy beyond "from" adds, as a part of one before it

cpus_pairs: whether the declared cores are true
  declared          boolean             whether threads of one core are declared
  copies            whole               the copies that were compared, spread and packed
  word              true|false|undetermined
                                        about what is declared
  tests             [cpus_packed]       the comparison by each test

cpus_packed: packed copies beside spread ones
  name              text                the test
  ratio?            estimate            what packed copies do as a part of spread ones
  packed?           less|equal|more     in a word; null if it is not determined

cpus_taken: the time that was taken from the CPUs
  share             unsigned            as a part of 1
  stolen?           unsigned            what the hypervisor reports as stolen; all these are parts of 1
  quota?            unsigned            what a quota explains
  others?           unsigned            what other processes of this machine explain
  rest              unsigned            what nothing explains
  period_s?         positive            the time from a piece to the next, if it is always the same
  sizes             [unsigned]          the seconds of each piece of more than 0.2 ms
  quota_run_s?      positive            the tightest quota: the CPU time in each period,
  quota_period_s?   positive            and the period

cpus_place: context switches in a place
  name              text                what the two processes have in common
  cpus              [natural]           the CPUs
  rate              estimate            round trips a second
  index?            positive            the index of that rate

cpus_own: where the processes of the newest result were
  result            text                the name of the result
  index             positive            its index of context1
  place             text                the place whose rate it has
  system?           positive            its index of the system
  other             text                the fastest place
  would?            positive            what its index of the system would be there
END
}

1;
