package SetClock;

# Loaded into Run: the wall clock is ahead by the seconds in SET_CLOCK_S, which may be negative. The programs that Run
# starts load no modules of PERL5OPT, which would take most of their time.

use strict;
use warnings;

use Time::HiRes ();

BEGIN {
    my $now     = \&Time::HiRes::time;
    my $ahead_s = $ENV{SET_CLOCK_S};
    delete $ENV{PERL5OPT};    ## no critic (RequireLocalizedPunctuationVars)
    no warnings 'redefine';
    *CORE::GLOBAL::time = sub () { return CORE::time() + $ahead_s };
    *Time::HiRes::time  = sub () { return $now->() + $ahead_s };
}

1;
