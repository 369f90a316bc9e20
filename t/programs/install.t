use strict;
use warnings;

use File::Basename qw(basename);
use File::Copy     ();
use File::Path     qw(make_path);
use File::Temp     qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Needs       qw(need_built path_of skip_without);
use SourceTree  qw(copy_of_tree shell text_of);
use TestProgram qw(run write_file);
use Place       qw(write_program);

# Installations: where the files are, whether they work there, and whether uninstall removes them.

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
delete @ENV{qw(UB_CALLED_AS UB_RESULTDIR UB_TMPDIR XDG_DATA_HOME XDG_CACHE_HOME)};

my $PROGRAMS = q{PROGRAMS='example hanoi' UB_GCC_OPTIONS=-O0};
my $tree     = copy_of_tree('tree');
add_example($tree);
my $stage = tempdir(CLEANUP => 1) . '/to here';
my $home  = tempdir(CLEANUP => 1);
@ENV{qw(tree stage HOME)} = ($tree, $stage, $home);

# Takes words for make; returns what it prints. Dies if it fails.
sub make {
    my (@words) = @_;
    my $output = shell($tree, qq{make --no-print-directory $PROGRAMS DESTDIR="\$stage" @words});
    die $output if $?;
    return $output;
}

# Adds a feature to a tree, with a command that has a manual page and completions.
sub add_example {
    my ($to) = @_;
    my $feature = "$to/features/example";
    make_path(map { "$feature/$_" } qw(src lib/UnixBench), map { "share/completion/$_" } qw(bash fish zsh));
    write_file("$feature/build.mk", <<'END');
PROGRAMS += example
$(PROGDIR)/example: features/example/src/main.c ; $(BUILD)
END
    write_file("$feature/src/main.c", qq{#include <stdio.h>\nint main(void) { return puts("an example") == EOF; }\n});
    write_file("$feature/lib/UnixBench/Example.pm", "package UnixBench::Example;\nsub declaration { return {} }\n1;\n");
    write_file("$feature/share/$_",                 "example\n")
        for qw(example.1 completion/bash/example completion/fish/example.fish completion/zsh/_example);
    return;
}

# Returns the paths of all files and links of the installation, except modules.
sub installed {
    return grep { !/UnixBench/ } sort split /\n/, shell($stage, q{find . ! -type d | sed 's/^[.]//'});
}

sub directories {
    my @directories = sort split /\n/, shell($stage, q{find . -type d | sed 's/^[.]//'});
    return @directories;
}

my @PGMS = qw(build.info by-hand.sh example gfx-x11 hanoi index.base measure.sh measure.table multi.sh tst.sh
    unixbench.logo);

# What features have in their folder share, besides manual pages and completions, is installed with the share of all.
my @SHARED = map { basename($_) } grep { -f && !/[.]1\z/ } glob "\Q$tree\E/features/*/share/*";

my @USUAL = map { '/usr/local/' . $_ } (
    qw(bin/example bin/unixbench lib/unixbench/Run lib/unixbench/features lib/unixbench/lib),
    (map { "lib/unixbench/pgms/$_" } @PGMS),
    qw(lib/unixbench/share lib/unixbench/testdir),
    (map { "share/bash-completion/completions/$_" } qw(example unixbench)),
    (map { "share/doc/unixbench/$_" } qw(CHANGES.md LICENSE README.md USAGE.md docs/x)),
    (map { "share/fish/vendor_completions.d/$_.fish" } qw(example unixbench)),
    (map { "share/man/man1/$_.1" } qw(example unixbench)),
    (map { "share/unixbench/share/$_" } (map { "$_.schema.json" } qw(comparison report result)), sort @SHARED, 'x'),
    (map { "share/unixbench/testdir/$_" } qw(cctest.c dc.dat large.txt multiuser.script sort.src)),
    (map { "share/zsh/site-functions/_$_" } qw(example unixbench)),
);
make('install');
is_deeply([installed()], \@USUAL, 'the files of an installation');
is(
    text_of("$stage/usr/local/lib/unixbench/lib/UnixBench/Version.pm"),
    text_of("$tree/lib/UnixBench/Version.pm"),
    'the link beside Run leads to the modules'
);
like(text_of("$stage/usr/local/lib/unixbench/pgms/build.info"),
    qr/^portable=yes$/m, 'with DESTDIR, the build is portable');
like(text_of("$stage/usr/local/share/$_"), qr/\bcompare\b/, "made for the commands that there are: $_")
    for 'man/man1/unixbench.1', 'bash-completion/completions/unixbench';
unlike(make('install'), qr/ -o /, 'a second installation builds nothing');
is(shell('/', qq{"$stage/usr/local/bin/example"}), "an example\n", 'the installed program of a feature runs');

shell($tree, 'make -s share/result.schema.json');
my $schema = text_of("$tree/share/result.schema.json");
like($schema, qr/^"schema":[{]"description"/m, 'make makes the JSON Schema in the tree');
is(text_of("$stage/usr/local/share/unixbench/share/result.schema.json"), $schema, 'an installation has the same');

# The directories below which files lie, for each variable.
my %below = (
    BINDIR      => qr{/(?:unixbench|example)$},
    LIBEXECDIR  => qr{/unixbench/(?:Run|pgms/\S+|features|lib|share|testdir)$},
    DATADIR     => qr{/unixbench/(?:share|testdir)/\S+$},
    MANDIR      => qr{/man1/(?:unixbench|example)[.]1$},
    DOCDIR      => qr{/(?:README.md|docs/x|LICENSE)$},
    BASHCOMPDIR => qr{/unixbench$},
    ZSHCOMPDIR  => qr{/_unixbench$},
    FISHCOMPDIR => qr{/unixbench[.]fish$},
);
make('uninstall');
is_deeply([installed()],                          [], 'uninstall removes all files');
is_deeply([grep { m{/unixbench} } directories()], [], 'uninstall removes the directories that only the suite uses');
$ENV{$_} = "/a/$_ with/o'ne" for keys %below;    ## no critic (RequireLocalizedPunctuationVars)
my $places = join q{ }, map { qq{$_="\$$_"} } sort keys %below;
make("install $places");
my @installed = installed();

for my $name (sort keys %below) {
    my @there = grep { index($_, "$ENV{$name}/") == 0 } @installed;
    cmp_ok(scalar(grep { $_ =~ $below{$name} } @there), '>=', 1, "$name has its files");
}
my $said = shell('/', q{"$stage$BINDIR/unixbench" --a 'b c'});
like($said, qr{/Run unixbench \Q$home\E/\S+ \Q$home\E/\S+ --a b c$}, 'the command works');
make("uninstall $places");
delete @ENV{ keys %below };
is_deeply([installed()],                          [], 'uninstall removes all files');
is_deeply([grep { m{/unixbench} } directories()], [], 'uninstall removes its own directories');
make('install LIBEXECDIR=/opt DATADIR=/opt');
ok(-d "$stage/opt/unixbench/lib" && !-l "$stage/opt/unixbench/lib", 'programs and data may share a directory');
like(shell('/', q{"$stage/usr/local/bin/unixbench" x}), qr{ x$}, 'the command works there');
make('uninstall LIBEXECDIR=/opt DATADIR=/opt');
make(q{install INSTALL='install -p'});
is_deeply([installed()], \@USUAL, 'tools that build packages may give INSTALL, as usual');
make(q{uninstall INSTALL='install --strip-program=true'});
is_deeply([installed()], [], 'also to uninstall');
my $relative = qr/^BINDIR must begin with a slash, not "bin"$/m;
like(shell($tree, qq{make $PROGRAMS install DESTDIR="\$stage" BINDIR=bin}), $relative, 'a relative place is refused');
is_deeply([installed()], [], 'and nothing is installed');

# An earlier version had real directories where the links are now. A module of it must not stay.
shell($stage, 'mkdir -p usr/local/lib/unixbench/lib usr/local/lib/unixbench/testdir');
write_file("$stage/usr/local/lib/unixbench/lib/Old.pm", q{});
shell($tree, 'chmod 600 Run $(find lib -type f); chmod 700 lib');
make('install');
is_deeply([installed()], \@USUAL, 'an installation replaces one of an earlier version');
is(shell($stage, 'find . ! -type l ! -perm -o+r'), q{}, 'everybody may read it, whatever the modes of the sources are');
is(shell($stage, 'find . ! -type l -perm /go+w'),  q{}, 'only the owner may write to it');

my $command = "$stage/usr/local/bin/unixbench";
my $run     = "$stage/usr/local/bin/../lib/unixbench/Run";
local $ENV{command} = $command;
my $below_home = "$home/.local/share/unixbench/results $home/.cache/unixbench/tmp";
is(shell('/', q{"$command" -q 'a b'}), "$run unixbench $below_home -q a b\n", 'results are below the home directory');
my $xdg = "$run unixbench /d/unixbench/results /c/unixbench/tmp \n";
is(shell('/', q{XDG_DATA_HOME=/d XDG_CACHE_HOME=/c "$command"}), $xdg, 'results are where the XDG directories say');
is(shell('/', q{UB_RESULTDIR=/r UB_TMPDIR=/t "$command"}),     "$run unixbench /r /t \n",       'where the user says');
is(shell('/', q{PATH="$stage/usr/local/bin:$PATH" unixbench}), "$run unixbench $below_home \n", 'found in PATH');
symlink $command, "$home/short"   or die "symlink: $!\n";
symlink 'short',  "$home/shorter" or die "symlink: $!\n";
is(shell('/', q{"$HOME/shorter"}), "$run shorter $below_home \n", 'the command can be called by links');

is(shell('/', q{UB_CALLED_AS=name "$command"}), "$run name $below_home \n", 'another wrapper gives the name');

my $empty = tempdir(CLEANUP => 1);
local $ENV{empty} = $empty;
my $no_perl = "unixbench: there is no perl in PATH; install Perl 5.14 or newer\n";
is(shell('/', q{PATH="$empty" /bin/sh "$command"}), $no_perl, 'without Perl there is one line');
is($? >> 8,                                         1,        'without Perl: exit status 1');

# Services, initramfs and some accounts have no home directory, or one that does not exist.
my $private = "$empty/unixbench-$>";
local $ENV{TMPDIR} = $empty;
for my $no_home ('-u HOME', 'HOME=', 'HOME=//', 'HOME=/nonexistent') {
    my $said = shell('/', qq{env $no_home "\$command" x});
    is($said, "$run unixbench $private/results $private/tmp x\n", "without a home, results are below TMPDIR: $no_home");
    is(sprintf('%o', 07777 & (stat $private)[2]), '700',          'in a directory of this user alone');
}
is(
    shell('/', q{env -u HOME UB_TMPDIR=/t UB_RESULTDIR=/r TMPDIR=/none "$command" x}),
    "$run unixbench /r /t x\n",
    'without a home, the user may name both directories'
);
rmdir $private or die "$private: $!\n";
symlink $home, $private or die "symlink: $!\n";
my $linked = "unixbench: $private is not a directory of this user; set HOME, or UB_RESULTDIR and UB_TMPDIR\n";
is(shell('/', q{env -u HOME "$command" x}),       $linked, 'without a home, a link that was there before is refused');
is($? >> 8,                                       2,       'exit status 2');
is(shell('/', q{env -u HOME "$command" check x}), "$run    check x\n", 'check needs no directories');
unlink $private;

# A wrapper may leave only coreutils and Perl in PATH.
for my $program (qw(id ls mkdir perl readlink sh)) {
    symlink path_of($program), "$empty/$program" or die "symlink: $!\n";
}
my $no_find = "$run unixbench $private/results $private/tmp x\n";
is(shell('/', q{HOME= PATH="$empty" /bin/sh "$command" x}), $no_find, 'without a home, and without find');

# packaging/check-build.sh checks the built programs when a package is built.
my $ROOT   = "$FindBin::Bin/../..";
my $SCRIPT = 'packaging/check-build.sh';
skip_without(tool => 'make') if !path_of('make');
my @names = map { (split q{ })[0] } qx(make -s -C '$ROOT' brief);

subtest 'the programs of this tree' => sub {
    need_built(@names);
    my $result = run(['sh', $SCRIPT], in => $ROOT);
    is($result->{status}, 0, 'each program does its work') or diag $result->{out};
    like($result->{out}, qr/^ok     \Q$_\E$/m, "$_ is checked") for 'make check', @names, 'Run --dry-run';
};

subtest 'make brief has each program' => sub {
    my @all = split q{ }, qx(make -s -C '$ROOT' names GRAPHIC_TESTS=no);
    is_deeply([sort @names], [sort @all], 'the names are those of make names, without ubgears');
};

# A tree of shell scripts: make names two programs, one with words of its own.
sub tree_where {
    my ($good, $counts) = @_;
    my $place = File::Temp->newdir;
    File::Path::make_path(map { "$place/$_" } qw(packaging pgms));
    File::Copy::copy("$ROOT/$SCRIPT", "$place/packaging") or die "check-build.sh: $!\n";
    write_program("$place/make",
        "#!/bin/sh\ncase \$* in *brief) printf '%s\\n' 'good -w a b' 'counts -n 10' ;; esac\n");
    write_program("$place/Run",         "#!/bin/sh\n");
    write_program("$place/pgms/good",   "#!/bin/sh\n$good\n");
    write_program("$place/pgms/counts", "#!/bin/sh\n$counts\n");
    return $place;
}

sub checked {
    my ($place) = @_;
    return run(['sh', $SCRIPT], in => "$place", env => { MAKE => "$place/make" });
}

subtest 'programs that fail' => sub {
    my $place  = tree_where('[ "$*" = "-w a b" ]', '[ "$*" = "-n 10" ]');
    my $result = checked($place);
    is($result->{status}, 0, 'each program gets its own words') or diag $result->{out};
    $result = checked(tree_where('cat; exit 0', 'echo "wrong result" >&2; exit 1'));
    is($result->{status}, 1, 'a program that fails ends the check');
    like($result->{out}, qr{^ok     good\nNOT ok counts: pgms/counts -n 10\nwrong result\n\z}m, 'its words are shown');
    unlink "$place/pgms/good";
    is(checked($place)->{status}, 1, 'a program that is missing ends it');
    write_program("$place/make", "#!/bin/sh\n");
    like(checked($place)->{out}, qr/^NOT ok make brief: it names no program$/m, 'no program is not a success');
};

done_testing;
