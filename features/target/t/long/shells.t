use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../lib ../../../../t/lib);
use AtOnce                         qw(at_once);
use MeasureScriptCases             qw(@COMBINATIONS @PLAIN parts_of);
use Needs                          qw(need_tools);

# measure.sh by every shell that may be the one of a small system: all its cases.
need_tools(qw(dash busybox mksh bash zsh));
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

my @others = (
    'options of the caller',
    'a directory of another user',
    'what a killed measurement has left',
    'programs without x bits'
);
for my $shell (['dash'], [qw(busybox ash)], ['mksh'], ['bash'], ['zsh']) {
    at_once(parts_of($shell, @PLAIN, @others, @COMBINATIONS));
}

done_testing;
