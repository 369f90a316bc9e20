package OtherHost;

# Loaded into Run: the machine has the name that OTHER_HOST gives.

use strict;
use warnings;

use POSIX ();

BEGIN {
    my @uname = POSIX::uname();
    $uname[1] = $ENV{OTHER_HOST};
    no warnings 'redefine';
    *POSIX::uname = sub { return @uname };
}

1;
