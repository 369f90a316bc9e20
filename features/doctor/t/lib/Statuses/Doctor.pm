package Statuses::Doctor;

# A call that ends with the exit status of this feature, see t/run/statuses.t of the core.

use strict;
use warnings;

use TestRun ();

# More copies than a usual limit of processes or open files allows.
use constant COPIES => 60_000;

# Returns "command" and the status => function that makes it.
sub made {
    return ('doctor 4' => sub { TestRun->new->run(qw(doctor --strict pipe -c), COPIES)->{status} });
}

1;
