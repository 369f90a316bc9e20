package UnixBench::Undercalls;

# The feature undercalls: the system calls of all states in one table, with --observe and --under.

use strict;
use warnings;

# The types of what it adds to results, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
state_calls, after groups: the system calls of tests in each state, for a number of copies
  copies            whole               the copies of each test
  tests             [test_in_states]    the tests that were observed in A and in another state

test_in_states: a test that was observed in several states
  name              text                its name on the command line
  title             text                its title in the reports
  calls             [call_in_states]    the calls that belong to the loop in a state, twelve at most

call_in_states: a system call of a test
  name              text                its name, or # and its number
  states            [call_in_state]     the states in which the test was observed

call_in_state: a system call of a test in a state
  letter            text                the state
  count             natural             the calls
  per_loop?         unsigned            the calls divided by the loops of all copies; null if the loops are unknown
  mean_ns?          unsigned            the mean delay from call to return; null if none returned
END

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses      => [qw(observe under)],
        part      => ['experiment'],
        types     => ['Undercalls'],
        of_states => { state_calls => 'Undercalls::Calls' },
        topics    => [{ topic => 'Undercalls::Topic', before_runs => 21 }],
        formats   => [
            {
                kind         => 'calls of states',
                renderer     => 'Report::Plain',
                is_of_blocks => 1,
                is_below     => 1,
                of_result    => 'Undercalls::Topic',
                part         => 'state_calls',
                without      => 'details',
            },
        ],
    };
}

# Returns the declaration of the types.
sub types { return $TYPES }

1;
