use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use AtOnce                         qw(at_once);
use MeasureScript                  qw(table);
use MeasureScriptCases             qw(@COMBINATIONS @PLAIN parts_of);
use Needs                          qw(need_tools);
use Place                          qw(text_of);

# measure.sh by the shell of Debian and by that of small systems. The folder long has all cases for all shells.
need_tools(qw(dash busybox));
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

is(text_of('pgms/measure.table'), table(1), 'pgms/measure.table is current: make reference');
my @others = (
    'options of the caller',
    'a directory of another user',
    'what a killed measurement has left',
    'programs without x bits'
);
at_once(
    parts_of(['dash'], @PLAIN, @others, @COMBINATIONS[0, 5, 8, 13]),
    parts_of([qw(busybox ash)], 'rounds', 'faults', @COMBINATIONS[3, 16]),
);

done_testing;
