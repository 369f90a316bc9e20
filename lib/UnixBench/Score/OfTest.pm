package UnixBench::Score::OfTest;

# What features know of tests. A feature declares of_tests => { key => class }: the key of a test at which it has what
# was measured after the passes, and whose type has the same name; or the name of a test. The class has some of these
# methods:
#   check       takes what was measured; dies with one line if it makes no sense
#   counts      takes the same; returns { name => count a loop }, see UnixBench::Score::Work
#   shortfall   takes a test of a run; returns in words what it did not do although it was measured, such as "3 lines
#               failed", or undef
#   complaints  takes the same; returns a line for each part of that

use strict;
use warnings;

use UnixBench::Features ();

# Takes the name of a method and a key; returns the class that has this method, or undef.
sub class { my ($method, $key) = @_; return UnixBench::Features::class(of_tests => $method, $key) }

my $DECLARED = UnixBench::Features::merged('of_tests');

# Takes the name of a method and a test; returns what the method returns of what was measured after its passes.
sub of_measured {
    my ($method, $test) = @_;
    my @keys = grep { $test->{$_} && class($method, $_) } keys %$DECLARED;
    return map { class($method, $_)->$method($test->{$_}) } @keys;
}

# Takes a test of a run; returns its shortfall in words, or undef if there is none.
sub shortfall {
    my ($test) = @_;
    my $class = class(shortfall => $test->{name});
    return $class && scalar $class->shortfall($test);
}

# Takes a test of a run; returns a line for each part of its shortfall.
sub complaints {
    my ($test) = @_;
    my $class = class(complaints => $test->{name});
    return $class ? $class->complaints($test) : ();
}

1;
