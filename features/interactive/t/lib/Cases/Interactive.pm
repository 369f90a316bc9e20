package Cases::Interactive;

# The results of interactive tests that all reports are tested with, see Cases.

use strict;
use warnings;

use Fixture     qw(result run);
use Interactive qw(capacity response);

# Returns the cases, each { name, result }.
sub cases {
    my @runs = run(1, capacity(541.857), response(1));
    return { name => 'interactive', result => result(\@runs, asked => ['interactive']) };
}

1;
