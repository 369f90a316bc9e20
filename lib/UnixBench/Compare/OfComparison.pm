package UnixBench::Compare::OfComparison;

# What features compare. A feature declares of_comparisons => { key => class }. The class has some of these methods:
#   aspects          returns what must be equal in results that are compared, see UnixBench::Compare::Kind
#   change_in_words  takes a change, see UnixBench::Base::Result::changes; returns it in words, or undef
# A side of a comparison has at the key what these compare:
#   of_file          takes the path of a result and its summary; returns what is compared of it, or nothing
#   of_sides         takes two sides, which have a list of that at the key; returns their comparison, or nothing
#   section_of       takes that comparison; returns its section of the report
# A pair of runs that are compared has at the key what these find, and a change in a series. An option with the same key
# asks for it:
#   of_pair          takes the arguments of UnixBench::Compare::Comparison::of_features; returns the value
#   blocks_of        takes the value, and whether the option is given; returns blocks of the report
#   next_step        takes the values of all pairs; returns in words what the option would show, or nothing
#   explained        takes the value; returns { name of a test => { row, ratio } }: the reason of its change, as files
#                    have it, and what the reason alone makes of the rate
#   words_of         takes such a row; returns it in words

use strict;
use warnings;

use UnixBench::Features ();

# Takes the name of a method, and perhaps the parts of results, see UnixBench::Base::Result::parts. Returns
# { key => class } of the classes that have this method. Loads those of all features that take part.
sub with {
    my ($method, $parts) = @_;
    return UnixBench::Features::having(of_comparisons => $method, $parts);
}

1;
