use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use MeasureScript      ();
use MeasureScriptCases qw(@COMBINATIONS is_interrupted measures_rounds survives_faults works_everywhere);
use Needs              qw(need_tools);
use Place              qw(text_of);

# measure.sh by the shell of Debian and by that of small systems. t-all has all cases for all shells.
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

is(text_of('pgms/measure.table'), MeasureScript::table(1), 'pgms/measure.table is current: make reference');

subtest 'dash' => sub {
    need_tools('dash');
    my $script = MeasureScript->new('dash');
    works_everywhere($script);
    is_interrupted($script, @{ $COMBINATIONS[$_] }) for 0, 5, 8, 13;
};

subtest 'busybox ash' => sub {
    need_tools('busybox');
    my $script = MeasureScript->new(qw(busybox ash));
    measures_rounds($script);
    survives_faults($script);
    is_interrupted($script, @{ $COMBINATIONS[$_] }) for 3, 16;
};

done_testing;
