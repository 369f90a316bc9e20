package UnixBench::Progress::Words;

# What progress says of a pass.

use strict;
use warnings;

use UnixBench::Format qw(defused);

# What scripts search standard output for, to learn that a test failed.
use constant KEYWORD => 'aborting';

# Takes a pass; returns what came of it.
sub of_pass {
    my ($pass) = @_;
    my $what   = defined $pass->{error} ? $pass->{error} : sprintf '%.1f in %.1f s', @$pass{qw(count time_s)};
    return defused($what, KEYWORD);
}

1;
