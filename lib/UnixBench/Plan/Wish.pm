package UnixBench::Plan::Wish;

# What an option of a feature changes in a run. This class changes nothing. A feature declares plan => { key of an
# option of measuring => class }, and the class extends this one. All are methods of the class.

use strict;
use warnings;

# Takes the value of the option; dies with one line if it is wrong.
sub check { return }

# Takes the value; returns the paths of files that the run reads because of it.
sub files { return }

# Takes options and has_program, a function that returns whether a program is in PATH. Returns the extra pass that the
# option asks for, or nothing. After all passes of all runs, each test then runs once more, and the feature measures
# something else, such as its system calls. The extra pass is an object with these methods:
#   planned($test, $wish)     takes a test of the catalog and the arguments of UnixBench::Plan::make; returns the
#                             further keys of the test of the plan, key => value
#   seconds($test)            takes a test of the plan; returns the seconds of its extra pass, 0 without one
#   in_words($plan, $copies)  returns lines about the extra passes of that run
#   demand()                  returns what is needed in addition, { processes, of_copy (processes of each copy),
#                             memory_kb }
#   prepare(%with)            gets ready before the first pass; takes process, clock, scratch and result, whose keys it
#                             may add
#   keep($runs, $so_far)      takes [runs] and [those of the journal], and adds what was measured before a resume
#   measure(%with)            measures; takes process, one_pass, plan, runs, and on => { event => function }, see
#                             UnixBench::Measure::Session
#   key()                     returns the key that it adds to tests, one of "of_tests" in UnixBench::Features
#   doing()                   returns what the progress shows
#   announcement($result)     returns a line for the user before the first pass, or undef
#   complaint($test, $run)    returns a line for the user if the extra pass of a test has failed, or undef
#   problem($result)          returns why the result of a state is not complete, or undef
sub extra_pass { return }

# Returns whether the option spreads the rounds of a quick run over time. Then its class has a method pace. It takes the
# plan, the value, and the number of CPUs, and dies with one line if this can't be. It returns an object:
#   rounds        returns how many rounds there will be
#   wait_s        takes how many there were, and the present time of a clock; returns the seconds until the next one
#   left_s        takes how many there were; returns about how many seconds all others need
#   in_procedure  returns the keys of the procedure of a result that describe it
#   in_words      returns the plan in words, the end of a line
sub has_pace { return 0 }

# Returns whether the value is other states of a quick run, see UnixBench::Plan. Then the class has these methods:
#   states      takes the value; returns these states
#   keeper      takes process, clock, states (of the plan), output (the path of a file for the output of commands) and
#               look, a function that returns a result without runs, with the facts of this moment. Returns an object:
#     begin       tries to get into each state; returns why the run can't begin, a line, or nothing
#     in_a_row    takes the plan; returns how many passes of a test a round has in a row, see UnixBench::Measure::Rounds
#     facts       returns the facts about the machine in each state, or nothing if they are the same
#     enter       takes the number of a state; changes to it. Throws a UnixBench::Base::Halt if it can't
#     round_ends  looks from time to time whether the first state is what it was. If not, throws one, too
#     end         does both at the end
#   refusal     takes the plan, and clock, process, sandbox and keeper; tries the states before the first pass, and
#               returns why the run can't begin, a line, or nothing
#   ratios      takes the results of all states; returns the key experiment of the first one, or undef
#   is_decided  takes an unfinished run; returns whether the verdicts on its ratios are decided
sub has_states { return 0 }

1;
