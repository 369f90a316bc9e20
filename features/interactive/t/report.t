# Reports of interactive tests. To record them again: UB_RECORD=1 prove -Ilib features/interactive/t/report.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases::Interactive             ();
use Golden                         qw(no_golden_left_over);
use RecordedReports                qw(are_recorded);

are_recorded($_, qw(text csv log blocks)) for Cases::Interactive::cases();
no_golden_left_over();

done_testing;
