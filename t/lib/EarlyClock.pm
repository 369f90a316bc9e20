package EarlyClock;

# Loaded into Run: the wall clock is set to 60 years ago.

use strict;
use warnings;

use Time::HiRes ();

use constant EARLIER_S => 60 * 365.25 * 86_400;

BEGIN {
    my $now = \&Time::HiRes::time;
    no warnings 'redefine';
    *CORE::GLOBAL::time = sub () { return CORE::time() - EARLIER_S };
    *Time::HiRes::time  = sub () { return $now->() - EARLIER_S };
}

1;
