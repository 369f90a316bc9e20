package Gallery::Under;

# States that a run measured in turns, for the gallery.

use strict;
use warnings;

use Experiments qw(four_states two_states);
use Gallery     qw(large_host);

# Returns results, see Gallery.
sub results {
    my ($two, $four) = ((two_states())[0], (four_states())[0]);
    return (_in_turns('turns-two' => 8, $two), _in_turns('turns-four' => 2, $four));
}

# Returns results with texts of users, see Gallery.
sub attacked {
    my ($plain) = four_states();
    return ['hostile-states', $plain];
}

# Takes a name, a number of CPUs and the result of the plain machine.
sub _in_turns {
    my ($name, $cpus, $result) = @_;
    my %of = map { $_ => $result->{$_} } qw(procedure notes experiment);
    return [$name, $result->{runs}, %of, host => large_host($cpus)];
}

1;
