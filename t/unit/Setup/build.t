use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

use UnixBench::Setup::Build;

my $tree = tempdir(CLEANUP => 1);
make_path(map { "$tree/$_" } qw(src features/example/src build pgms testdir));

use constant BUILT => 1_000_000;

my %BUILT_WITH = (
    compiler => 'gcc',
    version  => 'gcc 12 (a = b)',
    flags    => '-O3 -march=native',
    ldflags  => '',
    cpu      => 'CPU One',
    libc     => 'glibc 2.36',
    time     => '2026-11-20T02:12:30Z',
);

# Takes a name, seconds and a text; writes a file that was changed that many seconds after the build.
sub put {
    my ($name, $age_s, $text) = @_;
    open my $file, '>', "$tree/$name" or die "$name: $!\n";
    print $file $text // '';
    close $file or die "$name: $!\n";
    utime BUILT, BUILT + $age_s, "$tree/$name" or die "$name: $!\n";
    return;
}

# Makes a tree in which nothing has to be built. Takes what else its record has, key => value.
sub fresh {
    my %record = (%BUILT_WITH, @_);
    put($_, -9)
        for qw(src/hanoi.c src/ub.h features/example/src/main.c features/example/build.mk Makefile build/record.sh
        testdir/large.txt);
    put('pgms/build.info', 0, join '', map { "$_=$record{$_}\n" } sort keys %record);
    put('pgms/hanoi', 0);
    chmod 0755, "$tree/pgms/hanoi";
    return;
}

# Takes the environment and other arguments of Build; returns the build of the tree for CPU One.
sub build {
    my ($env, %other) = @_;
    return UnixBench::Setup::Build->new(dir => $tree, cpu_kind => 'CPU One', env => $env, %other);
}

fresh();
is(build({})->needs(['hanoi']),         undef,               'a complete tree needs no build');
is(build({})->needs(['hanoi', 'pipe']), 'pipe is not built', 'a missing program needs a build');
unlink "$tree/testdir/large.txt";
is(build({})->needs(['hanoi']), 'testdir/large.txt is not made', 'the text of the grep test is made by a build');
fresh();
is_deeply(build({})->record, \%BUILT_WITH, 'the record is read');
is(build({})->record("$tree/src"), undef, 'programs of another directory have no record');
put('pgms/execl',        0, '123456789');
put('pgms/execl.static', 0, 'static');
is_deeply(build({})->record, { %BUILT_WITH, execl_size => '9 bytes' }, 'the size of execl is always known');
my %EXECL        = (execl_size          => 'text 5, data 2, bss 0', execl_linking          => 'dynamically linked');
my %EXECL_STATIC = ('execl.static_size' => 'text 1, data 1, bss 1', 'execl.static_linking' => 'statically linked');
fresh(%EXECL, %EXECL_STATIC);
is_deeply(
    build({})->record,
    { %BUILT_WITH, %EXECL, execl_size => '9 bytes: text 5, data 2, bss 0' },
    'the file of execl is described'
);
is_deeply(
    build({})->record("$tree/pgms", 'execl.static'),
    { %BUILT_WITH, execl_size => '6 bytes: text 1, data 1, bss 1', execl_linking => 'statically linked' },
    'so is one that stands in for it'
);
unlink map { "$tree/pgms/$_" } qw(execl execl.static);
fresh();

put($_, 1) for 'src/ub.h';
is(build({})->needs(['hanoi']), 'the programs are older than src/ub.h', 'a newer header needs a build');
fresh();
put('features/example/src/main.c', 1);
is(
    build({})->needs(['hanoi']),
    'the programs are older than features/example/src/main.c',
    'a newer file in a directory needs a build'
);
fresh();
put('features/example/src/.main.c', 1);
is(build({})->needs(['hanoi']), undef, 'a hidden file is not a source');
unlink "$tree/features/example/src/.main.c";
fresh();
put('features/example/build.mk', 1);
is(
    build({})->needs(['hanoi']),
    'the programs are older than features/example/build.mk',
    "a feature's newer part of the Makefile needs a build"
);
fresh();
put('Makefile', 1);
is(build({})->needs(['hanoi']), 'the programs are older than Makefile', 'an edited Makefile needs a build');
fresh();
put('pgms/hanoi', -1);
chmod 0755, "$tree/pgms/hanoi";
is(
    build({})->needs(['hanoi']),
    'hanoi is older than the record of the build',
    'a build that was broken off is repeated'
);
fresh();
unlink "$tree/pgms/build.info";
is(build({})->needs(['hanoi']), 'there is no record of the build', 'a missing record needs a build');

fresh();
my $other = build({}, cpu_kind => 'CPU Two');
my $moved = 'the programs were built for another CPU (CPU One; this is CPU Two)';
is($other->needs(['hanoi']), $moved, 'programs for another CPU need a build');
is($other->refusal,          undef,  'programs that can be built again are not refused');
my $read_only = build({}, cpu_kind => 'CPU Two', may_write => sub { 0 });
is($read_only->needs(['hanoi', 'pipe']), undef, 'a read-only tree builds nothing');
like(
    $read_only->refusal,
    qr/^\Q$moved\E; they can't be built again here/,
    'a read-only tree for another CPU is refused'
);
is(build({}, may_write => sub { 0 })->refusal, undef, 'a read-only tree for this CPU is not refused');
my %unknown = (cpu_kind => undef);
is(build({}, %unknown)->needs(['hanoi']), undef, 'an unknown CPU needs no build');
is(build({}, %unknown, may_write => sub { 0 })->refusal, undef, 'nor is a read-only tree refused');
put('pgms/build.info', 0, "compiler=gcc\nflags=-march=native\n");
is(build({})->needs(['hanoi']), undef, 'nor do programs that were built for an unknown CPU');
fresh();

is(build({ UB_GCC_OPTIONS => '-O3   -march=native' })->needs(['hanoi']), undef, 'the same flags need no build');
like(
    build({ UB_GCC_OPTIONS => '-O1' })->needs(['hanoi']),
    qr/with -O3 -march=native, not -O1$/,
    'other flags need a build'
);
is(build({ CC     => 'gcc', CFLAGS => '-g' })->needs(['hanoi']), undef, 'CFLAGS alone need no build');
is(build({ CFLAGS => '-O2 -Ofast --optimize=1', UB_GCC_OPTIONS => '-O3 -march=native' })->needs(['hanoi']),
    undef, 'levels of optimisation in CFLAGS are ignored, as by make');
put('pgms/build.info', 0, "compiler=gcc\nflags=-DX -march=native\ncpu=CPU One\n");
is(build({ CPPFLAGS => '-DX', UB_GCC_OPTIONS => '-march=native' })->needs(['hanoi']),
    undef, 'CPPFLAGS and CFLAGS come before the chosen flags');
fresh();
put('pgms/build.info', 0, "compiler=gcc\nflags=-O1 -DX -g\nportable=yes\n");
is(build({ CC => '/opt/bin/gcc', UB_GCC_OPTIONS => '-O1', CPPFLAGS => '-DX', CFLAGS => '-g' })->needs(['hanoi']),
    undef, 'in a portable build, they come last, and the compiler has no path');
fresh();
like(build({ CC => 'clang' })->needs(['hanoi']), qr/built by gcc, not clang$/, 'another compiler needs a build');

put('pgms/build.info', 0, "compiler=gcc\nflags=-O2\ncpu=CPU One\n");
is($other->needs(['hanoi']), undef, 'without native flags another CPU needs no build');
put('pgms/build.info', 0, '');
is(build({ CC => 'gcc' })->needs(['hanoi']), 'there is no record of the build', 'an empty record needs a build');

my @target = ('--no-print-directory', '-C', $tree, 'PROGDIR=pgms', 'programs');
is_deeply(
    [build({ MAKE => 'my-make -j4' })->command],
    ['my-make', '-j4', @target],
    'the command has the program in MAKE'
);
like((build({})->command)[0], qr/^g?make$/, 'the command is make or gmake by default');

fresh();
unlink "$tree/Makefile";
is(build({})->needs(['pipe']), undef, 'an installed tree builds nothing');
ok(!build({})->can_build, "an installed tree can't be built");

done_testing;
