use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t/lib lib);
use MeasureScript                        ();
use MeasureScriptCases                   qw(@COMBINATIONS is_interrupted measures_really works_everywhere);
use Needs                                qw(need_built need_tools);

# measure.sh by every shell that may be the one of a small system: everything that it does, and the real programs.
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

for my $shell (['dash'], [qw(busybox ash)], ['mksh'], ['bash'], ['zsh']) {
    subtest "@$shell" => sub {
        need_tools($shell->[0]);
        my $script = MeasureScript->new(@$shell);
        works_everywhere($script);
        is_interrupted($script, @$_) for @COMBINATIONS;
    };
    subtest "@$shell, with real programs" => sub {
        need_tools($shell->[0]);
        need_built(qw(dhry2reg whetstone-double execl fstime pipe context1 spawn syscall looper));
        measures_really(MeasureScript->new(@$shell));
    };
}

done_testing;
