package ToldTimes;

# Loaded into Run: the clock of a copy is not compared with that of Run. So fake programs can report any time of their
# work, and end at once. Programs that start Run pass PERL5OPT on to it; the programs that Run starts load no modules.

use strict;
use warnings;

use File::Basename ();

use lib File::Basename::dirname(__FILE__) . '/../../lib';

require UnixBench::Measure::Copy;

delete $ENV{PERL5OPT} if $0 =~ /\bRun\z/;    ## no critic (RequireLocalizedPunctuationVars)

{
    no warnings 'redefine';
    *UnixBench::Measure::Copy::_wrong_clock = sub { return };
}

1;
