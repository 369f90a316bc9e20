package OtherHost;

# Loaded into Run: the machine gets the name in OTHER_HOST.

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
