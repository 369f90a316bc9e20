use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../t/lib ../lib ../../../t/lib);
use AtOnce                         qw(at_once);
use MeasureScriptCases             qw(@COMBINATIONS @PLAIN parts_of);
use Needs                          qw(need_tools);

# measure.sh by every shell that may be the one of a small system: all its cases.
need_tools(qw(dash busybox mksh bash zsh));
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

for my $shell (['dash'], [qw(busybox ash)], ['mksh'], ['bash'], ['zsh']) {
    at_once(parts_of($shell, @PLAIN, @COMBINATIONS));
}

done_testing;
