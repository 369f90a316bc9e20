package UnixBench::Fleet::Schema;

# The types of the file that fleet --json writes, see UnixBench::Base::ResultSchema.

use strict;
use warnings;

my $DECLARATION = <<'END';
fleet: the file of fleet --json
  format            =unixbench-fleet    distinguishes such a file from all others
  schema            =1                  the version of this description
  version           text                the version of the suite that compared
  summary           text                the numbers of hosts with each outcome, in a sentence
  kinds             [fleet_kind]        the kinds of measured hosts
  between           [text]              how much the kinds differ, a sentence for each number of copies
  hosts             [fleet_host]        all hosts
  sharing           [hypervisor]        what machines lose to each other on a hypervisor

fleet_kind: hosts with the same CPUs, programs and procedure
  copies            whole               the copies of each test that ran at once
  kind              text                what distinguishes them, such as the model of the CPU
  hosts             [text]              their names
  compared          boolean             whether they are compared with each other
  median?           positive            the median of their indexes, or scores of the only test; null if not compared
  modes?            [fleet_mode]        if the model of the CPU is hidden, and the indexes have two modes: these

fleet_mode: a mode of indexes
  value             positive            the geometric mean of its hosts
  count             whole               the number of its hosts

fleet_host: a host of a fleet
  host              text                its name
  shares?           text                the name of its hypervisor
  outcome           measured|failed|unreachable|refused|running|untried
                                        how the measurement ended
  verdict?          PASS|FAIL|INCONCLUSIVE
                                        by the requirements; null if there are none, or if it was not measured
  accepted          boolean             whether it was measured, and meets the requirements
  reason?           text                why it is not accepted
  tries             [fleet_try]         every try
  findings          [finding]           how it stands out
  unusual           [unusual_fact]      if it stands out: facts in which it differs from most hosts

fleet_try: an attempt to measure a host
  phase             alone|together      alone, or together with the other machines of the hypervisor
  try               whole               its number
  outcome           measured|failed|unreachable|refused|running|untried
                                        how it ended
  verdict?          PASS|FAIL|INCONCLUSIVE
                                        by the requirements
  reason?           text                why it was not measured, or the requirements that are not met
  result?           text                the path of the result
  indexes           [index_of_try]      the index for each number of copies

index_of_try: an index of a try
  copies            whole               the copies of each test that ran at once
  title             text                the title of the category in the reports
  value             positive            the index from all passes
  low?              positive            the lower end of the 95 % interval of this run
  high?             positive            the upper end of the 95 % interval of this run
  repeat?           repeat              how much it varies from run to run

finding: how a host stands out
  copies            whole               the copies of each test that ran at once
  is                text                the way: slow, fast, "not reliable", noisy or unusual
  kind              index|test          what stands out
  title             text                its title
  value             number              the value; of a noisy host its variation
  median            number              the median of all hosts of its kind
  z                 number              its distance from the median, in deviations between healthy hosts

unusual_fact: a fact in which a host differs from most others
  label             text                the fact
  text              text                what it is
  usual?            text                what it is on most hosts; null if these have none

hypervisor: the machines of a hypervisor together, compared with each alone
  shares            text                its name
  copies            whole               the copies of each test that ran at once
  machines          whole               the number of machines
  value             positive            the index together, divided by that alone
  low?              positive            the lower end of its 95 % interval
  high?             positive            the upper end of its 95 % interval
END

# Returns the declaration of the types.
sub types { return $DECLARATION }

1;
