package UnixBench::Accept::Bisection;

# Verdicts that a bisection can rely on. One wrong verdict ruins a bisection, and a run looks at its verdict several
# times. So a verdict has to be wrong in at most 0.1 % of all runs with independent passes. With noise that lasts up to
# a minute, see docs/kernels.md.

use strict;
use warnings;

use UnixBench::Score::StopRule ();

# All looks that may end a quick run share a half of the error, and its end has the other one.
use constant { ERROR => 0.001, OF_LOOKS => 0.5 };

# What the interval can't know, as a line.
use constant CAUTION =>
    "the interval knows the noise within one boot only; boots of the same kernel may differ by more\n";

# Takes a run, the number of requirements, which share the error, and whether this is a look at an unfinished run.
# Returns the confidence of the intervals. An official run has one verdict, at its end.
sub confidence {
    my ($run, $requirements, $is_look) = @_;
    my $part =
          !defined $run->{rounds} ? 1
        : $is_look                ? OF_LOOKS * UnixBench::Score::StopRule::part_of_look($run->{rounds})
        :                           1 - OF_LOOKS;
    return 1 - ERROR * $part / $requirements;
}

1;
