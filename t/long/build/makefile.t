use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs      qw(skip_without);
use SourceTree qw(@SCRIPTS copy_of_tree shell text_of);
use Place      qw(write_file);
use UnixBench::Setup::Build;

my $root = "$FindBin::Bin/../../..";
skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;

my $makefile = text_of("$root/Makefile");
my @literal  = ('OPTON = -O3 -ffast-math', 'OPTON += -march=native -mtune=native', '# GRAPHIC_TESTS = defined',);
for my $line (@literal) {
    like($makefile, qr/^ *\Q$line\E$/m, "the Makefile has the line that scripts search for: $line");
}
like($makefile, qr/^$_:/m, "the Makefile has the classic target $_") for qw(all programs distr check clean spotless);
my $help = shell($root, 'make -s help');
like($help, qr/\ABuilds.*^ +make check .*^ +PORTABLE=yes .*^ +JOBS [^#]*\z/ms, 'help prints its first comment alone');

# The command that builds hanoi if make is called in this way.
my $tree = copy_of_tree(q{it's a "naïve" tree});
$ENV{tree} = $tree;
my @flags = (
    ['make',                             qr/^gcc -O3 -ffast-math -march=native -mtune=native -std=c17/],
    ['make ARCH=aarch64',                qr/^gcc -O3 -ffast-math -march=native -mtune=native -std=c17/],
    ['make OPTON=-O7 CC="cc -g"',        qr/^cc -g -O7 -std=c17/],
    ['env UB_GCC_OPTIONS="-O1 -g" make', qr/^gcc -O1 -g -std=c17/],
    ['make UB_GCC_OPTIONS=-O1 CFLAGS=-DX="\'a b\'" LDFLAGS=-s', qr/^gcc -DX='a b' -O1 .*hanoi\.c -s /],
    ['make PORTABLE=1 CPPFLAGS=-DY CFLAGS="-g -O2"',            qr/^gcc -O3 -ffast-math -DY -g -std=c17/],
    ['make DESTDIR=/stage PORTABLE=no CFLAGS=-O2', qr/^gcc -O3 -ffast-math -march=native -mtune=native -std=c17/],
    ['make PORTABLE=yes CFLAGS="-march=x86-64 -flto=auto -fno-plt -O"', qr/ -march=x86-64 -flto=auto -fno-plt -std/],
    ['make PORTABLE=yes LDFLAGS="-Wl,-O1 -O2 -s"',                      qr/^gcc -O3 [^\n]* -Wl,-O1 -s -fno-lto/],
    [qq{env CFLAGS='-g\n -O2' LDFLAGS='-s\n-L.' make PORTABLE=yes}, qr/^gcc -O3 -ffast-math -g -std=c17.* -s -L[.] /],
    ['make PORTABLE=0 CPPFLAGS=-DY', qr/^gcc -DY -O3 -ffast-math -march=native -mtune=native -std=c17/],
    [q{sed -i.orig 's/OPTON = -O3 -ffast-math/OPTON = -O2/' Makefile && make},   qr/^gcc -O2 -march=native/],
    [q{sed -i.orig 's/+= -march.*/+= -march=no-such-cpu -O2/' Makefile && make}, qr/ -ffast-math -O2 -std/],
);
for my $case (@flags) {
    my ($line, $expected) = @$case;
    shell($root, 'cp Makefile "$tree"') if $line =~ /^sed/;
    my ($command) = shell($tree, "$line -n pgms/hanoi") =~ /^(\S+ .*-o pgms\/hanoi .*)$/m;
    like($command, $expected, $line);
}
shell($root, 'cp -p Makefile "$tree"');

# What make says about levels of optimisation that it ignores.
my @ignored = (
    ['CFLAGS=-O2', "ignored in CFLAGS: -O2 (use UB_GCC_OPTIONS)\n"],
    [
        'CPPFLAGS=-O LDFLAGS=--optimize=3',
        join q{},
        map { "ignored in $_ (use UB_GCC_OPTIONS)\n" } 'CPPFLAGS: -O',
        'LDFLAGS: --optimize=3'
    ],
    ['CFLAGS="-g -march=x86-64" LDFLAGS=-Wl,-O1', q{}],
    ['OPTON=-Os',                                 q{}],
);
for my $case (@ignored) {
    my ($words, $expected) = @$case;
    is(shell($tree, "make -s HAS_GL=yes $words notes"), $expected, "what is ignored: $words");
}
my @twice = map { shell($tree, 'make -s PROGRAMS=hanoi CFLAGS=-O2 programs') } 1, 2;
is_deeply(\@twice, [($ignored[0][1]) x 2], 'it is said in each build, also if nothing is to be built');

# Whether ubgears is built where a program can or can't be linked with OpenGL.
my @graphics = (
    ['make HAS_GL=yes',                                                                            1],
    ['make HAS_GL=',                                                                               0],
    ['make HAS_GL=yes GRAPHIC_TESTS=no',                                                           0],
    ['env GRAPHIC_TESTS=defined make HAS_GL=',                                                     1],
    [q{sed -i.orig 's/^# GRAPHIC_TESTS = defined/GRAPHIC_TESTS =/' Makefile && make HAS_GL=yes},   0],
    [q{cp Makefile.orig Makefile; sed -i 's/^# \(GRAPHIC_TESTS =\)/\1/' Makefile && make HAS_GL=}, 1],
);
for my $case (@graphics) {
    my ($line, $is_built) = @$case;
    is(scalar(() = shell($tree, "$line -n programs") =~ m{-o pgms/ubgears }g), $is_built, "ubgears: $line");
}
shell($tree, 'mv Makefile.orig Makefile');
is(
    shell($tree, 'rm pgms/build.info; make -s GRAPHIC_TESTS= PROGRAMS=hanoi programs; grep GRAPHIC pgms/build.mk'),
    "LAST_GRAPHIC_TESTS = no\n",
    'an installation remembers an empty value'
);

SKIP: {
    my $probe = 'gcc -include GL/glx.h -x c - -lGL -lX11 -o /dev/null';
    my $can   = sub { !system "echo 'int main(void) { return !XOpenDisplay(0); }' | $probe @_ 2>/dev/null" };
    skip_without(tool    => 'OpenGL headers',                  3) if !$can->();
    skip_without(machine => 'OpenGL without static libraries', 3) if $can->('-static');
    my $text = shell($tree, q{make -j4 CC=gcc OPTON='-static -O0'});
    is($?, 0, 'a static build succeeds where OpenGL has no static libraries');
    unlike($text, qr{ -o pgms/ubgears }, 'ubgears is left out');
    like(
        $text,
        qr/^ubgears is not built: OpenGL can't be linked with these flags [(]GRAPHIC_TESTS=yes shows why[)]$/m,
        'and make says so'
    );
}
shell($tree, 'make spotless');

# Returns the permissions of the directories for reports and scratch files, in octal digits.
sub modes {
    return join q{ }, map { -d "$tree/$_" ? sprintf '%o', 07777 & (stat _)[2] : 'none' } qw(results tmp);
}

write_file("$tree/src/hanoi.c.new", "not C\n");
shell($tree, 'mv src/hanoi.c hanoi.c; mv src/hanoi.c.new src/hanoi.c');
my $check = q{make check UB_GCC_OPTIONS=-O0 PROGRAMS='hanoi pipe'};    # two are enough, because all are built below
like(shell($tree, "$check -k"), qr{^missing: pgms/hanoi$}m, 'check names a missing program');
is($?, 0, 'a run of the index does not need it');
shell($root, 'cp -p --parents lib/UnixBench/Catalog.pm lib/UnixBench/Base/Text.pm "$tree"');
my $broken = shell($tree, q{rm pgms/pipe; make UB_GCC_OPTIONS=-O0 PROGRAMS='hanoi pipe'});
is($?, 0, 'a program that is in no index stops nothing');
like($broken, qr/ error: .*^hanoi can't be built\n.* -o pgms\/pipe .*^not built: hanoi, for hanoi\n/ms, 'it is named');
shell($tree, 'make -s UB_GCC_OPTIONS=-O0 PROGRAMS=hanoi pgms/hanoi');
isnt($?, 0, 'it fails if it is asked for');
shell($tree,
    'mv src/pipe.c pipe.c; cp src/hanoi.c src/pipe.c; make UB_GCC_OPTIONS=-O0 PROGRAMS="pipe looper" programs');
isnt($?, 0, 'a build without a program of the index fails');
shell($tree, $check);
isnt($?, 0, 'and check fails');
ok(-e "$tree/pgms/looper", 'and builds the others');
like(shell($tree, 'make CC=no-such-compiler programs'), qr/^the programs can't be built\n[^\n]*\n\z/m, 'only once');
shell($tree, 'mv hanoi.c src/hanoi.c; mv pipe.c src/pipe.c; make spotless');
like(
    shell($tree, "umask 022; $check"),
    qr/ -o pgms\/hanoi .*^all files that the index needs exist$/ms,
    'check builds missing programs'
);
is($?,      0,         'check succeeds after building');
is(modes(), '755 755', 'check makes the directories results and tmp');

# The classic suite builds without its scripts and its baseline, too.
my $lost = shell($tree, "cp -R pgms kept; rm -rf pgms; make UB_GCC_OPTIONS=-O0 PROGRAMS='hanoi pipe'");
is($?, 0, 'without pgms, the programs are built');
my $needed = qr{^missing: pgms/index[.]base.*\nAll programs are built, but runs need these files: [^\n]*\n\z}m;
like($lost, $needed, 'the end says what is missing, and what to do');
shell($tree, 'make distr');
isnt($?, 0, 'distr fails');
shell($tree, 'rm -rf pgms; mv kept pgms; make -s clean');

for my $case (['000', '775 775'], ['077', '700 700']) {
    my ($umask, $modes) = @$case;
    shell($tree, "rm -rf results tmp; umask $umask; make places");
    is(modes(), $modes, "only owner and group may write to results and tmp: umask $umask");
}
shell($tree, 'chmod 711 results; make places');
is(modes(), '711 700', 'existing directories keep their permissions');
shell($tree, 'make spotless');
is(modes(), 'none none', 'spotless removes results and tmp');
my $output = shell($tree, 'make -j4 UB_GCC_OPTIONS=-O0');
is($?, 0, 'a parallel build succeeds');
unlike($output, qr/warning/, 'a parallel build has no warning');
like(shell($tree, 'make check UB_GCC_OPTIONS=-O0'), qr/^all files that the index needs exist$/, 'all are there');
is((() = shell($tree, 'make UB_GCC_OPTIONS=-O0') =~ /-o pgms/g), 0, 'no program is built twice');
my $build  = UnixBench::Setup::Build->new(dir => $tree, cpu_kind => 'any', env => {});
my $record = $build->record;
is_deeply([@$record{qw(compiler flags)}], ['gcc', '-O0'], 'the record has compiler and flags');
like($record->{version}, qr/gcc.*\d+\.\d+/,            'the record has the version of the compiler');
like($record->{libc},    qr/^(?:glibc|musl) \d+\.\d+/, 'the record has the C library');
is($build->needs([qw(dhry2reg whetstone-double register looper)]), undef, 'Setup::Build finds all of them');
my @libraries = shell($tree, 'readelf -d pgms/execl') =~ /NEEDED.*\[(lib\w+)/g;
is("@libraries", 'libc', 'execl needs only the C library');

my $page = "$tree/share/unixbench.1";
like(text_of($page), qr/^[.]TH UNIXBENCH 1 /, 'a build makes the manual page');
ok((grep { -e } glob "\Q$tree\E/share/completion/*/*unixbench*") == 3, 'and three completions');
write_file($page, 'old');
shell($tree, 'touch -d 2020-01-01 share/unixbench.1; make UB_GCC_OPTIONS=-O0');
like(text_of($page), qr/^[.]TH /, 'it is made again if a declaration is newer');
shell($tree, 'make clean');
ok(!-e $page, 'clean removes it');
shell($tree, 'mkdir bin; find $(echo $PATH | tr : " ") -maxdepth 1 ! -name "perl*" -exec ln -sf {} bin \\;');
is(shell($tree, 'PATH="$PWD/bin" make -s UB_GCC_OPTIONS=-O0 PROGRAMS=hanoi programs'), q{}, 'a build needs no Perl');
ok(-e "$tree/pgms/hanoi" && !-e $page, 'then the manual page is missing');
shell($tree, 'rm -r bin; make clean');
opendir my $pgms, "$tree/pgms" or die "pgms: $!\n";
is_deeply([sort grep { !/^\./ } readdir $pgms], [sort @SCRIPTS], 'clean leaves the scripts');
ok(-d "$tree/results", 'clean leaves the results');
shell($tree, 'make spotless');
ok(!-d "$tree/results", 'spotless removes the results');

done_testing;
