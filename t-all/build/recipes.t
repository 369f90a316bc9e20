# Builds and installs by the commands of each recipe in packaging. A few lines stand for the helpers of the
# distribution. The names of variables, the installed files, the flags and the version are checked.
# t-all/build/packages.t does the same for Debian and RPM with their own tools, and lab/recipes runs what is installed,
# in a minimal root.

use strict;
use warnings;

use Cwd        ();
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib lib);
use InPath                               qw(path_of);
use Needs                                qw(need_compiler need_tools skip_without);
use Place                                qw(write_file);
use SourceTree                           qw(@SCRIPTS fresh_tree shell text_of);
use UnixBench::Version                   ();

need_compiler();
skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;

my $ROOT    = Cwd::abs_path("$FindBin::Bin/../..");
my $VERSION = $UnixBench::Version::VERSION;
my $PLACE   = tempdir(CLEANUP => 1);
my $TREE    = fresh_tree("unixbench-$VERSION");

# All recipes share one tree, which is built again if the flags of a recipe differ. -O0 saves time; its place in the
# flags is that of the suite's own level.
@ENV{qw(UB_GCC_OPTIONS LC_ALL HOME)} = ('-O0', 'C', $PLACE);
@ENV{qw(recipes version tree work)}  = ("$ROOT/packaging", $VERSION, $TREE, $PLACE);
make_path("$PLACE/bin");
symlink path_of('make'), "$PLACE/bin/gmake" or die "symlink: $!\n";
$ENV{PATH} = "$PLACE/bin:$ENV{PATH}";

# Takes the name of a recipe, { prefix, files => [further files] }, and a command line for the tree. Its variable stage
# has the directory of the installation. Checks what it installs.
sub installs {
    my ($name, $with, $command) = @_;
    my $stage = "$PLACE/stage-$name";
    make_path($stage);
    local $ENV{stage} = $stage;
    my $said = shell($TREE, $command);
    is($?, 0, "$name: it is built and installed") or diag $said;
    unlike($said, qr/warning:|undefined variable/, "$name: without a warning");
    my $installed = shell($stage, "find . ! -type d | sed 's/^.//'");
    my %change;
    $change{$_}++ for split /\n/, $installed;
    $change{$_}-- for expected($with->{prefix}), @{ $with->{files} || [] };
    is_deeply({ map { $change{$_} ? ($_ => $change{$_}) : () } keys %change }, {}, "$name: the files are right");
    my $record = text_of("$stage$with->{prefix}/lib/unixbench/pgms/build.info");
    like($record, qr/^portable=yes$/m, "$name: the build is portable");
    unlike($record, qr/native|^cpu=/m, "$name: it is for no certain processor");
    is(shell($stage, 'grep -rlF -e "$work" -e "$tree" .'), q{}, "$name: no file has a path of the build");
    return $stage;
}

# Takes a prefix; returns the paths of all files of an installation without ubgears.
sub expected {
    my ($prefix) = @_;
    my ($lib, $of) = ("$prefix/lib/unixbench", "$prefix/share");
    my @programs = split q{ }, shell($TREE, 'make -s --no-print-directory names GRAPHIC_TESTS=no');
    my $find     = q{find features/*/lib lib share testdir ! -type d ! -path 'lib/*/README.md' ! -path 'share/*.1'}
        . q{ ! -path 'share/completion/*' ! -path 'testdir/*.awk'};
    my $documents = 'find README.md USAGE.md CHANGES.md LICENSE docs ! -type d; echo docs/tests.md';
    return (
        (map { ("$prefix/bin/$_",                     "$of/man/man1/$_.1") } qw(unixbench interbench)),
        (map { ("$of/bash-completion/completions/$_", "$of/zsh/site-functions/_$_") } 'unixbench'),
        "$of/fish/vendor_completions.d/unixbench.fish",
        (map { "$lib/$_" } qw(Run features lib share testdir), map { "pgms/$_" } 'build.info', @programs, @SCRIPTS),
        (map { "$of/unixbench/$_" } split /\n/, shell($TREE, $find)),
        (map { "$of/unixbench/share/" . s{.*/}{}r } grep { -f && !/[.]1\z/ } glob "\Q$TREE\E/features/*/share/*"),
        (map { "$of/unixbench/share/$_.schema.json" } split /\n/, shell($TREE, 'perl build/schema --names')),
        (map { "$of/doc/unixbench/$_" } split /\n/,               shell($TREE, $documents)),
    );
}

# Takes a path in packaging and patterns with one group; returns what they find.
sub parts {
    my ($recipe, @patterns) = @_;
    my $text = text_of("$ROOT/packaging/$recipe");
    return map { my @found = $text =~ /$_/g; is(!!@found, !!1, "$recipe has $_"); "@found" } @patterns;
}

subtest 'arch/PKGBUILD' => sub {
    need_tools('bash');
    installs('arch', { prefix => '/usr', files => ['/usr/share/licenses/unixbench/LICENSE'] }, <<'END');
for step in build check package; do
    env CFLAGS='-O2 -pipe -fexceptions -Wformat' LDFLAGS='-Wl,-O1,--sort-common,--as-needed' pkgdir="$stage" \
        bash -eu -c '. "$recipes/arch/PKGBUILD"; [ "$pkgver" = "$version" ]; cd "$tree/.."; "$0"' $step || exit 1
done
END
};

subtest 'alpine/APKBUILD' => sub {
    need_tools('busybox');
    installs('alpine', { prefix => '/usr' }, <<'END');
for step in build check package; do
    env CC=gcc CFLAGS='-Os -fstack-clash-protection' LDFLAGS='-Wl,--as-needed' pkgdir="$stage" builddir="$tree" \
        busybox sh -eu -c '. "$recipes/alpine/APKBUILD"; [ "$pkgver" = "$version" ]; "$0"' $step || exit 1
done
rm -r checked
END
};

subtest 'buildroot' => sub {
    write_file("$PLACE/buildroot.mk", <<'END' =~ s/^ {4}/\t/gmr);
TARGET_CC = gcc
TARGET_CFLAGS = -Os
TARGET_CPPFLAGS = -D_LARGEFILE_SOURCE
TARGET_LDFLAGS =
TARGET_MAKE_ENV = LC_ALL=C
TARGET_DIR = $(stage)
generic-package =
include $(recipes)/buildroot/unixbench.mk
.PHONY: ./built ./installed
./built: ; [ $(UNIXBENCH_VERSION) = $(version) ]
    $(UNIXBENCH_BUILD_CMDS)
./installed: ./built; $(UNIXBENCH_INSTALL_TARGET_CMDS)
END
    my $command = 'make -R -f "$work/buildroot.mk" ./installed';
    my $stage   = installs('buildroot', { prefix => '/usr' }, $command);
    like(
        text_of("$stage/usr/lib/unixbench/pgms/build.info"),
        qr/^flags=-O0 -D_LARGEFILE_SOURCE$/m,
        'the level is that of the suite'
    );
    my $named = shell($TREE, "$command -n --warn-undefined-variables");
    unlike($named, qr/unixbench[.]mk:\d+: warning: undefined/, 'it uses no variable that does not exist');
    my ($licences) = parts('buildroot/unixbench.mk', qr/^UNIXBENCH_LICENSE_FILES = (\S+)$/ms);
    ok(-f "$TREE/$licences", 'the file of the licence exists');
};

subtest 'openembedded' => sub {
    my $recipe = "openembedded/unixbench_$VERSION.bb";
    my ($words, $off, $install) = parts(
        $recipe,
        qr/^EXTRA_OEMAKE = "([^"]*)"$/ms,
        qr/^PACKAGECONFIG\[graphics\] = "[^,"]*,([^,"]*),[^"]*"$/ms,
        qr/^do_install\(\) \{\n(.*?)^\}$/ms
    );
    local @ENV{qw(words install)} = ("$words $off", $install);
    installs('openembedded', { prefix => '/usr' }, <<'END');
D=$stage BPN=unixbench prefix=/usr bindir=/usr/bin libexecdir=/usr/lib datadir=/usr/share mandir=/usr/share/man
docdir=/usr/share/doc
oe_runmake() { make $words "$@"; }
set -eu
oe_runmake
eval "$install"
END
};

subtest 'freebsd/Makefile' => sub {
    need_tools('bmake');
    make_path("$PLACE/mk");
    write_file("$PLACE/mk/sys.mk",      q{});
    write_file("$PLACE/mk/bsd.port.mk", <<'END' =~ s/^ {4}/\t/gmr);
FIND = find
SORT = LC_ALL=C sort
STRIP_CMD = strip
PREFIX = /usr/local
CC = cc
E = PREFIX=${PREFIX} DESTDIR=${STAGEDIR} gmake ${MAKE_ARGS} ${OPENGL_MAKE_ARGS_OFF}
all:
    [ ${DISTVERSION} = ${version} ]
    ${E} ${ALL_TARGET}
    ${E} install
    ${.MAKE} -m ${MK} -f ${PORT} post-install
END
    my $stage = installs('freebsd', { prefix => '/usr/local' }, <<'END');
bmake -m "$work/mk" -f "$recipes/freebsd/Makefile" PORT="$recipes/freebsd/Makefile" MK="$work/mk" \
    STAGEDIR="$stage" TMPPLIST="$work/plist" all
END
    is(shell($stage, q{cd usr/local; find bin lib share ! -type d | LC_ALL=C sort}),
        text_of("$PLACE/plist"), 'the list of the package is right');
};

subtest 'nix/default.nix' => sub {
    my ($version, $flags) = parts('nix/default.nix', qr/^ +version = "(.*?)";$/ms, qr/^ +makeFlags = \[(.*?)\];$/ms);
    is($version, $VERSION, 'the version');
    my %value = ('stdenv.cc.targetPrefix' => q{}, 'placeholder "out"' => '$stage/nix');
    my @words = map { s/\$\{(.*?)\}/$value{$1}/gr } map { s/\A"|"\z//gr } $flags =~ /^ +("[^\n]*")$/mg;
    is(scalar @words, 4, 'its words for make');
    my $make = 'make ' . join q{ }, map { qq{"$_"} } @words;
    local $ENV{make} = $make;
    my $command = "$make && $make install && cp -R " . q{"$stage/nix/." "$stage" && rm -r "$stage/nix"};
    installs('nix', { prefix => q{} }, $command);
};

subtest 'container/Containerfile' => sub {
    my ($version, $build) =
        parts('container/Containerfile', qr/image[.]version=(\S+)/ms, qr/^RUN (make clean && make install [^\n]*)$/ms);
    is($version, $VERSION, 'the version');
    installs('container', { prefix => '/usr' }, $build =~ s{DESTDIR=/stage}{DESTDIR="\$stage"}r);
};

done_testing;
