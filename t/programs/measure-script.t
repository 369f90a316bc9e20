use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use InPath             qw(path_of);
use MeasureScriptCases qw(@COMBINATIONS is_interrupted works_everywhere);
use MeasureScript      ();
use Needs              qw(skip_without);
use Place              qw(text_of);

# measure.sh by the shells of Debian and of small systems. t-all has the other shells, and the real programs.
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

is(text_of('pgms/measure.table'), scalar `build/measure-table`, 'pgms/measure.table is current: make reference');

my $turn = 0;
for my $shell (['dash'], [qw(busybox ash)]) {
SKIP: {
        path_of($shell->[0]) or skip_without(tool => $shell->[0], 1);
        subtest "@$shell" => sub {
            my $script = MeasureScript->new(@$shell);
            works_everywhere($script);
            is_interrupted($script, @{ $COMBINATIONS[$_] }) for grep { $_ % 4 == $turn } 0 .. $#COMBINATIONS;
            $turn++;
        };
    }
}

done_testing;
