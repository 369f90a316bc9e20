use strict;
use warnings;

use FindBin;
use Test::More;

# shellcheck finds nothing in the scripts, which are for any POSIX shell; the completion is for bash.
chdir "$FindBin::Bin/../.." or die "chdir: $!\n";
plan skip_all => 'shellcheck is not here' if system('shellcheck --version >/dev/null 2>&1') != 0;

is(qx(shellcheck -s sh pgms/*.sh build/*.sh .ci/run xt/every-build 2>&1), '', 'scripts');
is(qx(shellcheck -s bash share/completion.bash 2>&1),                     '', 'completion');

done_testing;
