use strict;
use warnings;

use FindBin;
use JSON::PP   ();
use List::Util qw(sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../../t/lib);
use Needs                          qw(need_mount_namespaces need_tools skip_without);
use SourceTree                     qw(copy_of_tree shell text_of);

# A static release on a target that has only busybox: its size, and the whole index by measure.sh, in a root directory
# of its own.

use constant { MOST_BYTES => 1_500_000, TESTS => 12 };

need_tools(qw(make gcc git tar xz busybox));
need_mount_namespaces();
skip_without(tool => 'a busybox without libraries') if `busybox ldd \$(command -v busybox) 2>&1` =~ /=>/;

my $root     = "$FindBin::Bin/../../../..";
my $tree     = copy_of_tree('tree');
my @PROGRAMS = qw(dhry2reg whetstone-double execl fstime pipe context1 spawn syscall looper);
local @ENV{qw(root programs)} = ($root, "@PROGRAMS");
shell($tree, 'rm -r pgms testdir; cp -R "$root/lib" "$root/testdir" .; mkdir pgms');
shell($tree, 'cd "$root/pgms"; cp index.base unixbench.logo gfx-x11 *.sh measure.table "$OLDPWD/pgms"');
my $said = shell($tree, 'make -s static PROGRAMS="$programs" && mkdir out out/root && tar -xf unixbench-*.xz -C out');
is($?, 0, 'the release is there') or diag $said;

# Programs of one file count once, as on the target.
my $suite = (glob "$tree/out/unixbench-*")[0];
my @FILES = (@PROGRAMS, qw(execl.static multi.sh tst.sh by-hand.sh measure.sh measure.table build.info));
my %size  = map { (stat)[1] => -s } map { "$suite/pgms/$_" } @FILES;
cmp_ok(sum(0, values %size), '<=', MOST_BYTES, 'the programs of the index and the script are small');

# A root directory with busybox and the files of a target, where passes have a hundredth of their length.
my $place = "$tree/out/root";
local @ENV{qw(place suite files)} = ($place, $suite, "@FILES");
$said = shell($root, <<'END');
mkdir "$place/bin" "$place/proc" "$place/dev" "$place/tmp" "$place/pgms" && touch "$place/dev/null" &&
cp "$(command -v busybox)" "$place/bin" && mv "$suite/testdir" "$place" &&
(cd "$suite/pgms" && mv $files "$place/pgms") &&
for applet in $(busybox --list | grep -vx busybox); do ln -s busybox "$place/bin/${applet##*/}"; done &&
features/target/build/measure-table 0.01 > "$place/pgms/measure.table"
END
is($?, 0, 'a root directory is there') or diag $said;
$said = shell($place, <<'END');
unshare -m sh -c 'mount -t proc proc proc && mount --bind /dev/null dev/null &&
    exec chroot . /bin/env -i PATH=/bin sh /pgms/measure.sh -i 1 -c 2' > log
END
is($?, 0, 'it is measured') or diag $said;
unlike($said, qr/^measure[.]sh: /m, 'without a message');
is(shell($place, 'ls -A tmp'), q{}, 'nothing is left there');

$said = shell($root, './Run report "$place/log" --json "$place/json" 2>&1');
is($?, 0, 'Run reports the log') or diag $said;
my $result = JSON::PP::decode_json(text_of("$place/json"));
is(scalar(grep { $_->{score} } @{ $result->{runs}[0]{tests} }), TESTS, 'all tests of the index have scores');
like($result->{build}{execl_linking}, qr/\Astatically linked/,      'the report knows that execl was the static one');
like("@{ $result->{notes} }",         qr/measured by measure[.]sh/, 'and who measured');

done_testing;
