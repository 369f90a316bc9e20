package SetClock;

# Loaded into Run with -MSetClock: the wall clock is ahead by the seconds in SET_CLOCK_S, which may be negative. The
# programs that Run starts load no modules of PERL5OPT, which would take most of their time. LoadedRun loads this module
# before those of Run, because Perl looks for another "time" when it compiles, and calls import() in a fork.

use strict;
use warnings;

use Time::HiRes ();

my $ahead_s = 0;

BEGIN {
    my $now = \&Time::HiRes::time;
    no warnings 'redefine';
    *CORE::GLOBAL::time = sub () { return CORE::time() + $ahead_s };
    *Time::HiRes::time  = sub () { return $now->() + $ahead_s };
}

sub import {
    $ahead_s = $ENV{SET_CLOCK_S};
    delete $ENV{PERL5OPT};    ## no critic (RequireLocalizedPunctuationVars)
    return;
}

1;
