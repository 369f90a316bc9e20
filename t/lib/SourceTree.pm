package SourceTree;

# Copies of the source tree in which tests build and install: with all files, or with small files instead of those that
# a build does not need.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Path     qw(make_path);
use File::Temp     qw(tempdir);

use Place qw(text_of write_file);

our @EXPORT_OK = qw(@DATA @SCRIPTS copy_of_tree fresh_tree shell text_of);

our @SCRIPTS = qw(index.base unixbench.logo multi.sh tst.sh by-hand.sh gfx-x11 measure.sh measure.table);
our @DATA    = qw(cctest.c dc.dat large.txt sort.src multiuser.script);

my $ROOT  = abs_path(dirname(__FILE__) . '/../..');
my $BUILD = 'build/*.sh build/*.c build/completion build/reference build/schema';

# Variables of the environment that make would use.
delete @ENV{qw(CC CPPFLAGS CFLAGS LDFLAGS UB_GCC_OPTIONS OPTON ARCH GRAPHIC_TESTS GL_LIBS PROGDIR PORTABLE)};
delete @ENV{qw(DESTDIR PREFIX BINDIR LIBEXECDIR DATADIR MANDIR DOCDIR BASHCOMPDIR ZSHCOMPDIR FISHCOMPDIR)};
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS SOURCE_DATE_EPOCH)};

# Takes a name; makes a tree with the sources, an empty file for each script and data file that is committed, and a Run
# that prints its path, its directories and its arguments. Returns the path of the tree, which is removed at the end.
sub copy_of_tree {
    my ($name) = @_;
    my $tree = tempdir(CLEANUP => 1) . "/$name";
    make_path("$tree/$_") for qw(build pgms testdir docs share/completion);
    local $ENV{tree} = $tree;
    shell($ROOT, qq{cp -Rp Makefile lib src "\$tree"; cp -Rp $BUILD "\$tree/build"});
    my $parts = 'features/*/build.mk features/*/src features/*/share';
    shell($ROOT, qq{for part in $parts; do [ ! -e "\$part" ] || cp -Rp --parents "\$part" "\$tree"; done});
    shell($tree, 'touch share/x docs/x; echo ubgears > share/ubgears.1');
    shell($ROOT, 'cp -p testdir/make-large.awk "$tree/testdir"');
    my @data = grep { $_ ne 'large.txt' } @DATA;
    shell($tree, "touch README.md USAGE.md CHANGES.md LICENSE; cd pgms; touch @SCRIPTS; cd ../testdir; touch @data");
    write_file("$tree/Run", qq{print "\$0 \$ENV{UB_CALLED_AS} \$ENV{UB_RESULTDIR} \$ENV{UB_TMPDIR} \@ARGV\\n";\n});
    return $tree;
}

# Takes a name. Returns the path of a copy of the sources that has no built programs. It is removed at the end.
sub fresh_tree {
    my ($name) = @_;
    my $tree = tempdir(CLEANUP => 1) . "/$name";
    local $ENV{tree} = $tree;
    shell($ROOT, qq{mkdir -p "\$tree/build" && cp -R $BUILD "\$tree/build"});
    shell($ROOT,
        'cp -R Makefile Run *.md LICENSE docs $(ls -d features 2>/dev/null) lib share src testdir pgms "$tree"');
    shell($tree, 'make clean');
    return $tree;
}

# Runs a command line in a directory; returns its output. Its wait status is in $?.
sub shell {
    my ($dir, $line) = @_;
    local $ENV{dir} = $dir;
    return scalar `exec 2>&1; cd "\$dir" && $line`;
}

1;
