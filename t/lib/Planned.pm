package Planned;

# Plans of a single test, with fixed directories.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Plan ();

our @EXPORT_OK = qw(make planned);

# Takes arguments of UnixBench::Plan::make; the default is one copy of pipe on a machine that has everything.
# Returns the plan.
sub make {
    my %wish = @_;
    return UnixBench::Plan::make(
        tests    => ['pipe'],
        copies   => [1],
        factor   => 1,
        words    => { bindir => '/b in', tmpdir => '/t' },
        is_there => sub { 1 },
        display  => 'given',
        %wish
    );
}

# Takes the name of a test, and arguments as make does; returns the test in the plan.
sub planned { return make(tests => [shift], @_)->{tests}[0] }

1;
