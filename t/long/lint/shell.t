use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lint/lib t/lib);
use Needs                                   qw(need_tools);
use Tree                                    qw(text_of);

# shellcheck finds nothing in the scripts, which are for any POSIX shell, and in the completions for bash.
need_tools('shellcheck');

is(qx(shellcheck -x -s sh pgms/*.sh build/*.sh .ci/run lab/every-build 2>&1),
    '', 'shellcheck finds nothing in the scripts');
is(qx(shellcheck -x -s sh packaging/*.sh debian/tests/gears debian/tests/two-results 2>&1),
    '', 'shellcheck finds nothing in the scripts of packages');
my @checks = map { "lab/$_" } qw(minimal-root packages chroot.sh);
is(qx(shellcheck -x -s sh @checks 2>&1), q{}, 'shellcheck finds nothing in the long checks');

for my $script (grep { -f && text_of($_) =~ m{\A#!/bin/sh\n} } glob 'features/*/lab/*') {
    is(qx(shellcheck -x -s sh $script 2>&1), '', "shellcheck finds nothing in $script");
}
is(
    qx(sed '/^#!perl/,\$d' pgms/gfx-x11 | shellcheck -s sh - 2>&1),
    '',
    'shellcheck finds nothing in the shell part of gfx-x11'
);
my @completions = glob '{build,share,features/*/share}/completion/bash/*';
is(qx(shellcheck -s bash @completions 2>&1), '', 'shellcheck finds nothing in the completions for bash');

done_testing;
