package Statuses::History;

# Calls that end with each exit status of this feature, see t/run/statuses.t of the core.

use strict;
use warnings;

use TestRun ();
use Weeks   qw(write_weeks);

# Returns "command" and the status => function that makes it, for each.
sub made {
    return (
        'history 3' => sub { _history([0, 19], [20, 29, factor => { pipe => 0.8 }]) },
        'history 4' => sub { _history([0, 9, disturbed => 1]) },
    );
}

# Takes [the first and the last week, and what differs], ...; returns the exit status of their history.
sub _history {
    my (@weeks) = @_;
    my $test = TestRun->new;
    write_weeks($test->place('results'), @$_) for @weeks;
    return $test->run('history')->{status};
}

1;
