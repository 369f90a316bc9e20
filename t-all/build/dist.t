# The release tarball of the sources.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Needs                                qw(need_tools skip_without);
use SourceTree                           qw(copy_of_tree shell);
use TestProgram                          qw(write_file);
use UnixBench::Version;

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
need_tools(qw(git sha256sum));

my $name = "unixbench-$UnixBench::Version::VERSION";
my $tree = copy_of_tree('tree');
like(shell($tree, 'make -s dist'), qr/^make dist needs a git checkout$/m, 'a tree without git is refused');

my $identity = '-c user.name=A -c user.email=a@example.org';
write_file("$tree/.gitignore", "unixbench-*\npgms/hanoi\n");
shell($tree, "git init -q . && git add -A && git $identity commit -qm one");
is(shell($tree, 'umask 022; make -s dist'), shell($tree, "sha256sum $name.tar.gz"), 'the checksum is printed');
is($?,                                      0,                                      'the tarball is made');
shell($tree, "mv $name.tar.gz first; touch -d tomorrow src/*.c; git status --short");
shell($tree, 'umask 077; TZ=JST-9 LANG=de_DE make -s dist');
is(shell($tree, "cmp first $name.tar.gz"), q{}, 'two tarballs have the same bytes');
shell($tree, 'rm first');
is(shell($tree, "sha256sum -c --quiet $name.tar.gz.sha256"), q{}, 'the checksum fits');

write_file("$tree/src/hanoi.c", "not C\n");
like(shell($tree, 'make -s dist'), qr/^1 changed files? .* not committed/m, 'a change that is not committed is named');
shell($tree, "mkdir out && tar -x -C out -f $name.tar.gz");
is(shell("$tree/out/$name", 'make -s PROGRAMS=hanoi programs && pgms/hanoi -n 1 2>&1 | grep -c COUNT'),
    "1\n", 'the tarball has what was committed, and can be built');

done_testing;
