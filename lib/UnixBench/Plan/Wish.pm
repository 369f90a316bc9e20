package UnixBench::Plan::Wish;

# What an option of a feature changes in a run. This class changes nothing. A feature declares plan => { key of an
# option of measuring => class }, and the class extends this one. All are methods of the class.

use strict;
use warnings;

use UnixBench::Features qw(loaded);

# Takes the options; returns { class, key, value } for each of these options that is given.
sub asked {
    my ($options) = @_;
    my $classes = UnixBench::Features::merged('plan');
    return map { +{ class => loaded($classes->{$_}), key => $_, value => $options->{$_} } }
        grep { defined $options->{$_} } sort keys %$classes;
}

# Takes the value of the option; dies with one line if it is wrong.
sub check { return }

# Takes options and has_program, a function that returns whether a program is in PATH. Returns the extra pass that the
# option asks for, see UnixBench::Plan::Extra, or nothing.
sub extra_pass { return }

# Returns whether the option spreads the rounds of a quick run over time. Then its class has a method pace. It takes the
# plan, the value, and the number of CPUs, and dies with one line if this can't be. It returns an object:
#   rounds        returns how many rounds there will be
#   wait_s        takes how many there were, and the present time of a clock; returns the seconds until the next one
#   left_s        takes how many there were; returns about how many seconds all others need
#   in_procedure  returns what the key over of the procedure has
#   in_words      returns the plan in words, the end of a line
sub has_pace { return 0 }

# Returns whether the value is other states of a quick run, see UnixBench::Plan::Plan. Then the class has these methods:
#   refusal     takes the plan, and clock, process and sandbox; tries the states before the first pass, and returns why
#               the run can't begin, a line, or nothing
#   ratios      takes the results of all states; returns the key experiment of the first one, or undef
#   is_decided  takes an unfinished run; returns whether the verdicts on its ratios are decided
sub has_states { return 0 }

1;
