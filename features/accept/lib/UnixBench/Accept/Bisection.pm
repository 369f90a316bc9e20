package UnixBench::Accept::Bisection;

# Verdicts that a bisection can rely on. One wrong verdict ruins a bisection, and a run asks for its verdict several
# times, after each round. So a verdict has to be wrong in at most 0.1 % of all runs.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Stats ();

# The sum of 1/k^2 over all whole numbers is pi^2 / 6, so the errors of all looks add up to ERROR.
use constant { ERROR => 0.001, ALL_LOOKS => UnixBench::Score::Stats::PI**2 / 6 };

# What the interval can't know, as a line.
use constant CAUTION =>
    "the interval knows the noise within one boot only; boots of the same kernel may differ by more\n";

# Takes a run and the number of requirements, which share the error. Returns the confidence of the intervals at this
# look at its verdict. A look follows each round, and the end of a round that the time limit has cut. In an official run
# there is only one.
sub confidence {
    my ($run, $requirements) = @_;
    my $look = defined $run->{rounds} ? List::Util::max(1, map { scalar @{ $_->{passes} } } @{ $run->{tests} }) : 1;
    return 1 - ERROR / ALL_LOOKS / $look**2 / $requirements;
}

1;
