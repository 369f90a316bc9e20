use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(is_here);

# shellcheck finds nothing in the scripts, which are for any POSIX shell; the completion is for bash.
plan skip_all => 'shellcheck is not here' if !is_here('shellcheck');

is(qx(shellcheck -x -s sh pgms/*.sh build/*.sh .ci/run xt/every-build 2>&1), '', 'scripts');
is(qx(shellcheck -x -s sh xt/minimal-root xt/alpine-like xt/chroot.sh 2>&1), '', 'long checks');
is(qx(sed '/^#!perl/,\$d' pgms/gfx-x11 | shellcheck -s sh - 2>&1),           '', 'what gfx-x11 begins with');
is(qx(shellcheck -s bash share/completion.bash 2>&1),                        '', 'completion');

done_testing;
