package UnixBench::Store::OfResult;

# What features add to runs and results. A feature declares of_results => { key => class }. The class has some of these
# methods:
#   of_run      takes a run and its result; returns what reports and files have at this key of the run, or undef
#   of_result   takes a summary, see UnixBench::Summary; returns [what they have at this key of the result]
#   of_scaling  takes that list; returns [{ kind ("test" or "index"), name, words, to }] about the scaling: in words,
#               and the copies from which more of them gain less, or undef
#   variations  takes a result; returns what its own rounds show about runs, as the key earlier of a result has it

use strict;
use warnings;

use UnixBench::Features ();

# Takes the name of a method, and the parts of a result or of a plan, see UnixBench::Base::Result::parts. Returns
# { key => class } of the classes that have this method. Loads those of all features that take part.
sub with {
    my ($method, $parts) = @_;
    return UnixBench::Features::having(of_results => $method, $parts);
}

1;
