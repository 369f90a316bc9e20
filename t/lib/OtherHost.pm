package OtherHost;

# Loaded into Run: the machine gets the name in OTHER_HOST, and the kernel the release in OTHER_RELEASE, if it is set.

use strict;
use warnings;

use POSIX ();

BEGIN {
    my @uname = POSIX::uname();
    $uname[1] = $ENV{OTHER_HOST};
    @uname[2, 3] = ($ENV{OTHER_RELEASE}, '#1') if defined $ENV{OTHER_RELEASE};
    no warnings 'redefine';
    *POSIX::uname = sub { return @uname };
}

1;
