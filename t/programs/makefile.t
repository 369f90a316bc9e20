use strict;
use warnings;

use Cwd        qw(abs_path);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs qw(skip_without);
use UnixBench::Setup::Build;

my $root    = abs_path("$FindBin::Bin/../..");
my $temp    = tempdir(CLEANUP => 1);
my @SCRIPTS = qw(index.base unixbench.logo multi.sh tst.sh by-hand.sh gfx-x11);
my @DATA    = qw(cctest.c dc.dat large.txt sort.src multiuser.script);

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;
delete @ENV{qw(CC CFLAGS LDFLAGS UB_GCC_OPTIONS OPTON ARCH GRAPHIC_TESTS GL_LIBS PROGDIR)};
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};

# Runs a command line in a directory; returns its output. Its wait status is in $?.
sub shell {
    my ($dir, $line) = @_;
    local $ENV{dir} = $dir;
    return scalar `exec 2>&1; cd "\$dir" && $line`;
}

# Makes a tree with the sources, an empty file for each script and data file, and a Run; returns its path.
sub copy_of_tree {
    my ($name) = @_;
    my $tree = "$temp/$name";
    make_path("$tree/pgms", "$tree/testdir", "$tree/lib", "$tree/share");
    local $ENV{tree} = $tree;
    shell($root, 'cp -Rp Makefile src build "$tree"') and die "cp failed\n";
    shell($tree, 'touch lib/X.pm share/x; for page in interbench unixbench; do echo $page > share/$page.1; done');
    shell($tree, "cd pgms; touch @SCRIPTS; cd ../testdir; touch @DATA");
    shell($tree, q{printf '#!/bin/sh\necho "$0" "$UB_RESULTDIR" "$UB_TMPDIR" "$@"\n' > Run; chmod +x Run});
    return $tree;
}

sub text_of {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar <$file>;
}

sub put {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return;
}

my $makefile = text_of("$root/Makefile");
my @literal  = ('OPTON = -O3 -ffast-math', 'OPTON += -march=native -mtune=native', '# GRAPHIC_TESTS = defined',);
for my $line (@literal) {
    like($makefile, qr/^ *\Q$line\E$/m, "the Makefile has the line that scripts search for: $line");
}
for my $target (qw(all check programs distr clean spotless test lint install uninstall dist setup reference)) {
    like($makefile, qr/^\Q$target\E:/m, "the Makefile has the target $target");
}
require UnixBench::Version;
like($makefile, qr/^VERSION = \Q$UnixBench::Version::VERSION\E$/m, 'the Makefile has the version of the suite');

# The command that builds hanoi if make is called in this way.
my $tree = copy_of_tree(q{it's a "naïve" tree});
$ENV{tree} = $tree;
my @flags = (
    ['make',                             qr/^gcc -O3 -ffast-math -march=native -mtune=native -std=c17/],
    ['make ARCH=aarch64',                qr/^gcc -O3 -ffast-math -march=native -mtune=native -std=c17/],
    ['make OPTON=-O7 CC="cc -g"',        qr/^cc -g -O7 -std=c17/],
    ['env OPTON=-O7 CC=cc make',         qr/^cc -O7 -std=c17/],
    ['env UB_GCC_OPTIONS="-O1 -g" make', qr/^gcc -O1 -g -std=c17/],
    ['make UB_GCC_OPTIONS=-O1 CFLAGS=-DX="\'a b\'" LDFLAGS=-s',                  qr/^gcc -DX='a b' -O1 .*hanoi\.c -s /],
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

# Returns the permissions of the directories for reports and scratch files, in octal digits.
sub modes {
    return join q{ }, map { -d "$tree/$_" ? sprintf '%o', 07777 & (stat _)[2] : 'none' } qw(results tmp);
}

put("$tree/src/hanoi.c.new", "not C\n");
shell($tree, 'mv src/hanoi.c hanoi.c; mv src/hanoi.c.new src/hanoi.c');
my $check = q{make check UB_GCC_OPTIONS=-O0 PROGRAMS='hanoi pipe'};    # two are enough, because all are built below
like(shell($tree, "$check -k"), qr{^missing: pgms/hanoi$}m, 'check names a missing program');
isnt($?, 0, 'check fails if a program is missing');
shell($tree, 'mv hanoi.c src/hanoi.c; make spotless');
like(
    shell($tree, "umask 022; $check"),
    qr/ -o pgms\/hanoi .*^all files that a run needs exist$/ms,
    'check builds missing programs'
);
is($?,      0,         'check succeeds after building');
is(modes(), '755 755', 'check makes the directories results and tmp');

for my $case (['000', '775 775'], ['077', '700 700'], ['002', '775 775'], ['0777', '700 700']) {
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
my $programs = () = $output =~ /^gcc -O0 .* -o pgms/mg;
ok($programs >= 18, 'a parallel build builds all programs');
like(
    shell($tree, 'make check UB_GCC_OPTIONS=-O0'),
    qr/^all files that a run needs exist$/,
    'check succeeds after a build'
);
is((() = shell($tree, 'make UB_GCC_OPTIONS=-O0') =~ /-o pgms/g), 0, 'no program is built twice');
my $build  = UnixBench::Setup::Build->new(dir => $tree, cpu_kind => 'any', env => {});
my $record = $build->record;
is_deeply([@$record{qw(compiler flags)}], ['gcc', '-O0'], 'the record has compiler and flags');
like($record->{version}, qr/gcc.*\d+\.\d+/,            'the record has the version of the compiler');
like($record->{libc},    qr/^(?:glibc|musl) \d+\.\d+/, 'the record has the C library');
is($build->needs([qw(dhry2reg whetstone-double register looper)]), undef,
    'Setup::Build finds that everything is built');
my @libraries = shell($tree, 'readelf -d pgms/execl') =~ /NEEDED.*\[(lib\w+)/g;
is("@libraries", 'libc', 'execl needs only the C library');

# Takes a program and perhaps a PATH; returns the lines that record.sh prints about it, { name => value }.
sub described {
    my ($program, $path) = @_;
    local @ENV{qw(program PATH)} = ($program, $path // $ENV{PATH});
    return {
        map { /^[a-z]+_(\w+)=(.*)$/ ? ($1 => $2) : () } split /\n/,
        shell($tree, '/bin/sh build/record.sh --program "$program"')
    };
}

my $facts = described('pgms/execl');
is_deeply(
    [map { $record->{"execl_$_"} } sort keys %$facts],
    [@$facts{ sort keys %$facts }],
    'the record has the facts about execl'
);
my $segments = qr/text \d+, data \d+, bss \d+/;
like($facts->{size}, qr/\A${\-s "$tree\/pgms\/execl"} bytes: $segments\z/, 'the record has the size of execl');
SKIP: {
    skip_without(machine => 'x86-64 with glibc', 4) if shell($tree, 'gcc -dumpmachine') !~ /\Ax86_64.*-gnu$/;
    is($facts->{machine}, 'Advanced Micro Devices X86-64, 64 bit, little-endian',
        'the record has the machine of execl');
    my $dynamic = 'dynamically linked by ld-linux-x86-64.so.2 with libc.so.6';
    my $static  = 'statically linked: not comparable with a dynamically linked one';
    my %linking = (
        '-fPIE -pie'      => "$dynamic, position-independent",
        '-no-pie'         => "$dynamic, at a fixed address",
        '-static -no-pie' => "$static, at a fixed address",
    );
    for my $flags (sort keys %linking) {
        shell($tree, "gcc -O1 $flags -o linked src/execl.c");
        is(described('linked')->{linking}, $linking{$flags}, "the record says how a program is linked with $flags");
    }
}
my ($id) = shell($tree, 'readelf -n pgms/execl') =~ /Build ID: ([0-9a-f]+)/;
is($facts->{build_id}, $id, 'the record has the build ID of execl');
put("$tree/digits", '123456789');
is_deeply(
    described('digits'),
    { size => '9 bytes', crc32 => 'cbf43926' },
    'a file that is not a program has size and checksum'
);
mkdir "$tree/few" or die "few: $!\n";
shell($tree, qq{ln -s "\$(command -v $_)" few/$_}) for qw(wc awk);
is_deeply(
    described('pgms/execl', 'few'),
    { size => (-s "$tree/pgms/execl") . ' bytes' },
    'without readelf, size and gzip only the size is recorded'
);

put("$tree/build/reference", "#!/bin/sh\necho the documents are made\n");
like(shell($tree, 'make reference'), qr/^the documents are made$/m, 'reference makes the documents');

my $prefix  = q{opt/o'ne};
my $destdir = "$temp/to here";
local @ENV{qw(destdir prefix HOME)} = ($destdir, "/$prefix", '/home/me');
delete @ENV{qw(UB_RESULTDIR UB_TMPDIR XDG_DATA_HOME XDG_CACHE_HOME)};
shell($tree, 'rm pgms/hanoi; make install DESTDIR="$destdir" PREFIX="$prefix" CC=gcc UB_GCC_OPTIONS=-O0');
is($?, 0, 'install succeeds');
my $home      = "$destdir/$prefix/lib/unixbench";
my @installed = qw(Run lib/X.pm share/x pgms/hanoi pgms/build.info pgms/execl.info pgms/index.base testdir/dc.dat);
ok(-e "$home/$_",  "installed: $_")     for @installed;
ok(!-e "$home/$_", "not installed: $_") for qw(src Makefile results tmp);
my $wrapper = "$destdir/$prefix/bin/unixbench";
like(text_of($wrapper), qr/^#!\/bin\/sh\n/, 'install writes the wrapper');
like(shell('/', qq{"$destdir/$prefix/bin/interbench" --help}), qr/^Usage: interbench /,
    'the installed interbench runs');
is(text_of("$destdir/$prefix/share/man/man1/$_.1"), "$_\n", "install writes the manual page of $_")
    for qw(interbench unixbench);
shell('/', qq{sed -i.orig "s|^home=|home='\$destdir'|" "$wrapper"; rm "$wrapper.orig"});
is(
    shell('/', qq{"$wrapper" -q 'a b'}),
    "$home/Run /home/me/.local/share/unixbench/results /home/me/.cache/unixbench/tmp -q a b\n",
    'the wrapper starts Run'
);

for my $no_home (q{}, 'HOME=', 'HOME=/', 'HOME=//') {
    my $env  = "env -u HOME $no_home";
    my $line = "unixbench: there is no home directory: set HOME, or UB_RESULTDIR and UB_TMPDIR\n";
    is(shell('/', qq{$env "$wrapper" -q x}), $line, "the wrapper refuses to run without a home: $no_home");
    is($? >> 8,                              2,     'the wrapper without a home: exit status 2');
    is(shell('/', qq{$env UB_TMPDIR=/t "$wrapper" -q x}),
        $line, 'the wrapper without a home refuses if only one directory is set');
    is(
        shell('/', qq{$env UB_TMPDIR=/t UB_RESULTDIR=/r "$wrapper" -q x}),
        "$home/Run /r /t -q x\n",
        'the wrapper runs without a home if both directories are set'
    );
    is(
        shell('/', qq{$env XDG_CACHE_HOME=/c XDG_DATA_HOME=/d "$wrapper" -q x}),
        "$home/Run /d/unixbench/results /c/unixbench/tmp -q x\n",
        'the wrapper runs without a home if both XDG directories are set'
    );
    for my $words (qw(--version --explain), '--compare a b') {
        is(shell('/', qq{$env "$wrapper" $words}), "$home/Run   $words\n",
            "the wrapper runs without a home for $words");
    }
}
shell($tree, 'make uninstall DESTDIR="$destdir" PREFIX="$prefix"');
ok(!-e $home && !-e $wrapper && -d "$destdir/$prefix/lib", 'uninstall removes the home and the wrapper');
is(join(q{ }, grep { -e || -l } glob qq{"$destdir/$prefix"/{bin,share/man/man1}/*}),
    q{}, 'uninstall leaves no program and no manual page');

SKIP: {
    skip_without(tool => 'clang', 3) if !`clang --version 2>/dev/null`;
    $output = shell($tree, 'CC=clang UB_GCC_OPTIONS=-O0 make programs -j4');
    is(scalar(() = $output =~ /^clang -O0 .* -o pgms/mg), $programs, 'clang builds all programs again');
    unlike($output, qr/warning/, 'clang has no warning');
    is_deeply([@{ $build->record }{qw(compiler flags)}], ['clang', '-O0'], 'the record names clang');
}

shell($tree, 'make clean');
opendir my $pgms, "$tree/pgms" or die "pgms: $!\n";
is_deeply([sort grep { !/^\./ } readdir $pgms], [sort @SCRIPTS], 'clean leaves the scripts');
ok(-d "$tree/results", 'clean leaves the results');
shell($tree, 'make spotless');
ok(!-d "$tree/results", 'spotless removes the results');

done_testing;
