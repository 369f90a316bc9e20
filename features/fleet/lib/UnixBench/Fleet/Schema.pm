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
  copies?           whole               the number of copies whose indexes the kinds have; null without any
  kinds             [fleet_kind]        the kinds of measured hosts
  hosts             [fleet_host]        all hosts

fleet_kind: hosts with the same CPUs, programs and procedure
  letter?           text                the letter of the kind; null if there is only one
  title             text                what distinguishes it, such as the model of the CPU
  hosts             [text]              their names
  median?           positive            the median of their indexes; null if they are not compared
  of?               whole               the number of hosts of which the median is
  low?              positive            the least index of those that do not stand out
  high?             positive            the greatest of these

fleet_host: a host of a fleet
  host              text                its name
  outcome           measured|failed|unreachable|refused|running|untried
                                        how the measurement ended
  verdict?          PASS|FAIL|INCONCLUSIVE
                                        by the requirements; null if there are none, or if it was not measured
  accepted          boolean             whether it was measured, and meets the requirements
  kind?             text                the title of its kind
  is?               text                how it stands among its kind: slow, "not reliable", fast, uncertain, usual or
                                        "not compared"
  reason?           text                why it is not accepted, or stands out
  result?           text                the path of the result
  indexes           [fleet_index]       the index for each number of copies
  findings          [finding]           how it stands out
  unusual           [unusual_fact]      if it stands out: facts in which it differs from most hosts of its kind

fleet_index: an index of a host
  copies            whole               the copies of each test that ran at once
  title             text                the title of the category in the reports
  value             positive            the index
  low?              positive            the lower end of the 95 % interval of this run
  high?             positive            the upper end of the 95 % interval of this run

finding: how the index of a host stands out
  host              text                its name
  copies            whole               the copies of each test that ran at once
  title             text                the title of the index
  complete          boolean             whether it is that of all of its tests
  is                text                the way: slow, fast or "not reliable"
  value             number              the index
  median            number              the median of all hosts of its kind
  z                 number              its distance from the median, in deviations between healthy hosts

unusual_fact: a fact in which a host differs from most others
  label             text                the fact
  text              text                what it is
  usual?            text                what it is on most hosts; null if these have none
END

# Returns the declaration of the types.
sub types { return $DECLARATION }

1;
