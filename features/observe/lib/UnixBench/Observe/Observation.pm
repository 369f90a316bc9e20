package UnixBench::Observe::Observation;

# The key observed of a test: what makes sense there, and what it counts.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Score ();

# Takes the observation of a test; dies with one line unless it has either calls or an error, or if its slowdown is
# absurd.
sub check {
    my ($observed) = @_;
    die "an observation must have either calls or an error\n" if 1 != grep { defined $observed->{$_} } qw(calls error);
    die "the slowdown of an observation is out of range\n"
        if !UnixBench::Score::Score::is_sensible($observed->{slowdown} // 1);
    return;
}

# Takes the same; returns { calls => system calls a loop }, or {} if they are unknown.
sub counts {
    my ($observed) = @_;
    my ($calls, $loops) = @$observed{qw(calls loops)};
    return {} if !$loops || !@{ $calls || [] };
    return { calls => List::Util::sum(map { $_->{count} } @$calls) / $loops };
}

1;
