use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Needs qw(need_tools);

# shellcheck finds nothing in the scripts, which are for any POSIX shell; the completion is for bash.
need_tools('shellcheck');

is(qx(shellcheck -x -s sh pgms/*.sh build/*.sh .ci/run xt/every-build 2>&1), '', 'scripts');
is(qx(shellcheck -x -s sh xt/minimal-root xt/alpine-like xt/chroot.sh 2>&1), '', 'long checks');
is(qx(sed '/^#!perl/,\$d' pgms/gfx-x11 | shellcheck -s sh - 2>&1),           '', 'what gfx-x11 begins with');
is(qx(shellcheck -s bash share/completion.bash 2>&1),                        '', 'completion');

done_testing;
