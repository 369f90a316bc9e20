# Tests of damaged text reports: more of those in t/unit/Store/classic-changed.t.

use strict;
use warnings;

use FindBin;

local @ARGV = (30_001, 31_000);
my $test = "$FindBin::Bin/../../unit/Store/classic-changed.t";
do $test or die "$test: $@\n";
