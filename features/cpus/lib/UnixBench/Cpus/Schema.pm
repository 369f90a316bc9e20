package UnixBench::Cpus::Schema;

# The types of the file of cpus --json.

use strict;
use warnings;

my $DECLARATION = <<'END';
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
  value             positive            its speed as a part of that of the fastest kind
  low               positive            the lower end of its 95 % interval
  high              positive            the upper end of its 95 % interval
  off?              number              its distance from the others of its kind, a part of 1, if it is sure
  off_half?         unsigned            half of the 95 % interval of that

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
  pieces            natural             the pieces of more than 0.2 ms
  low?              unsigned            seconds: a tenth of the pieces is shorter
  high?             unsigned            seconds: a tenth of the pieces is longer
  period_s?         positive            the time from a piece to the next, if it is always the same
  sizes             [unsigned]          the seconds of each piece
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

# Returns the declaration of the types.
sub types { return $DECLARATION }

1;
