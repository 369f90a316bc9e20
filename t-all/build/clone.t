# A clone has the same bytes everywhere, also on a machine whose Git is set up for the line ends of Windows.

use strict;
use warnings;

use Cwd        ();
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Needs                                qw(need_tools skip_without);
use SourceTree                           qw(shell);

need_tools(qw(git diff));

my $ROOT  = Cwd::abs_path("$FindBin::Bin/../..");
my $PLACE = File::Temp->newdir;
skip_without(machine => 'a git checkout') if !-e "$ROOT/.git";

# A repository with the present files, which may not be committed yet.
my $identity = '-c user.name=A -c user.email=a@bench.test';
@ENV{qw(place HOME GIT_CONFIG_NOSYSTEM)} = ("$PLACE", "$PLACE", 1);
my $FILES = 'git ls-files -co --exclude-standard -z';
is(shell($ROOT, qq{mkdir "\$place/origin" && $FILES | tar -c --null -T - | tar -x -C "\$place/origin"}),
    q{}, 'the files are copied');
is(shell("$PLACE/origin", "git init -q . && git add -A && git $identity commit -qm one"), q{}, 'they are committed');

for my $settings ('core.autocrlf=true', 'core.eol=crlf', 'core.autocrlf=input') {
    is(shell("$PLACE",       "rm -rf clone && git clone -q -c $settings origin clone"), q{}, "$settings: a clone");
    is(shell("$PLACE",       'diff -r -x .git origin clone'), q{}, "$settings: all files have the same bytes");
    is(shell("$PLACE/clone", 'git status --short'),           q{}, "$settings: no file has changed");
    like(shell("$PLACE/clone", './Run --version'), qr/\A\S.*[0-9.]+/, "$settings: Run starts");
    is(shell("$PLACE/clone", "git archive --prefix=packed/ HEAD | tar -x && diff -r -x .git -x packed . packed"),
        q{}, "$settings: an archive has the same files");
    is(shell("$PLACE/clone", 'make -s PROGRAMS=hanoi pgms/hanoi && pgms/hanoi -n 1 2>&1 | grep -c COUNT'),
        "1\n", "$settings: a program is built");
}

done_testing;
