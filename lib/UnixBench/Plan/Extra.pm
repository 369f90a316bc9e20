package UnixBench::Plan::Extra;

# Extra passes: after all passes of all runs, each test runs once more, and a feature measures something else, such as
# its system calls. The sub extra_pass in UnixBench::Plan::Wish returns an object, which is among the extras of a plan.
# It has these methods:
#
#   planned($test, $wish)     takes a test of the catalog and the arguments of UnixBench::Plan::Plan::make; returns the
#                             further keys of the test of the plan, key => value
#   seconds($test)            takes a test of the plan; returns the seconds of its extra pass, 0 without one
#   in_words($plan, $copies)  returns lines about the extra passes of that run
#   demand()                  returns what is needed in addition, { processes, of_copy (processes of each copy),
#                             memory_kb, reports_kb (of each test with an extra pass) }
#   prepare(%with)            gets ready before the first pass; takes process, clock, scratch and result, whose keys it
#                             may add
#   keep($runs, $so_far)      takes [runs] and [those of the journal], and adds what was measured before a resume
#   measure(%with)            measures; takes process, one_pass, plan, runs, and on => { event => function }, see
#                             UnixBench::Measure::Session
#   key()                     returns the key that it adds to tests, one of of_tests in UnixBench::Features
#   doing()                   returns what the progress shows
#   announcement($result)     returns a line for the user before the first pass, or undef
#   complaint($test, $run)    returns a line for the user if the extra pass of a test has failed, or undef
#   problem($result)          returns why the result of a state is not complete, or undef

use strict;
use warnings;

use List::Util ();

# Takes a plan and tests of it; returns the seconds of the extra passes of these tests.
sub seconds {
    my ($plan, @tests) = @_;
    my $seconds = 0;
    for my $extra (@{ $plan->{extras} }) { $seconds += $extra->seconds($_) for @tests }
    return $seconds;
}

# Takes a plan and the name of a need, see demand(); returns that of all extras.
sub need {
    my ($plan, $name) = @_;
    return List::Util::sum(0, map { $_->demand->{$name} } @{ $plan->{extras} });
}

1;
