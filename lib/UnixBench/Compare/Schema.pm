package UnixBench::Compare::Schema;

# The type of a fact that differs, see UnixBench::Compare::Facts, for features whose files have such facts.

use strict;
use warnings;

my $DECLARATION = <<'END';
fact_apart, after at_copies: a fact that differs
  key?              text                its key, such as kernel.mitigations.meltdown
  label             text                the fact
  first?            text                on the first side; null if it is unknown
  second?           text                on the second side
END

# Returns the declaration of the type, see UnixBench::Base::ResultSchema.
sub types { return $DECLARATION }

1;
