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
    unlink map { "$tree/$_" } qw(features/example/src/.main.c pgms/execl pgms/execl.static);
    return;
}

# Takes the environment and other arguments of Build; returns the build of the tree for CPU One.
sub build {
    my ($env, %other) = @_;
    return UnixBench::Setup::Build->new(dir => $tree, cpu_kind => 'CPU One', env => $env, %other);
}

sub without {
    my ($name) = @_;
    return sub { unlink "$tree/$name" }
}

sub newer {
    my ($name) = @_;
    return sub { put($name, 1) }
}

# [what is changed in a fresh tree, why hanoi has to be built then].
my @CHANGES = (
    [sub { }, undef],
    [without('testdir/large.txt')          => 'testdir/large.txt is not made'],
    [without('pgms/hanoi')                 => 'hanoi is not built'],
    [without('pgms/build.info')            => 'there is no record of the build'],
    [newer('src/ub.h')                     => 'the programs are older than src/ub.h'],
    [newer('features/example/src/main.c')  => 'the programs are older than features/example/src/main.c'],
    [newer('Makefile')                     => 'the programs are older than Makefile'],
    [newer('features/example/src/.main.c') => undef],
    [sub { put('pgms/hanoi', -1); chmod 0755, "$tree/pgms/hanoi" } => 'hanoi is older than the record of the build'],
    [without('Makefile')                                           => undef],
);
for my $change (@CHANGES) {
    my ($how, $why) = @$change;
    fresh();
    $how->();
    is(build({})->needs(['hanoi']), $why, $why // 'nothing has to be built');
}
ok(!build({})->can_build, "a tree without a Makefile can't be built");

subtest 'the record' => sub {
    fresh();
    is_deeply(build({})->record, \%BUILT_WITH, 'is read');
    is(build({})->record("$tree/src"), undef, 'programs of another directory have none');
    fresh(
        execl_size             => 'text 5, data 2, bss 0',
        execl_linking          => 'dynamically linked',
        'execl.static_size'    => 'text 1, data 1, bss 1',
        'execl.static_linking' => 'statically linked'
    );
    put('pgms/execl',        0, '123456789');
    put('pgms/execl.static', 0, 'static');
    my %execl = (execl_size => '9 bytes: text 5, data 2, bss 0', execl_linking => 'dynamically linked');
    is_deeply(build({})->record, { %BUILT_WITH, %execl }, 'the file of execl is described');
    %execl = (execl_size => '6 bytes: text 1, data 1, bss 1', execl_linking => 'statically linked');
    is_deeply(build({})->record("$tree/pgms", 'execl.static'), { %BUILT_WITH, %execl }, 'so is its stand-in');
};

subtest 'another CPU' => sub {
    fresh();
    my @two   = ({}, cpu_kind => 'CPU Two');
    my $moved = 'the programs were built for another CPU (CPU One; this is CPU Two)';
    is(build(@two)->needs(['hanoi']), $moved, 'its programs are built again');
    is(build(@two)->refusal,          undef,  'and not refused');
    my @read_only = (may_write => sub { 0 });
    is(build(@two, @read_only)->needs(['hanoi', 'pipe']), undef, 'a read-only tree builds nothing');
    like(build(@two, @read_only)->refusal, qr/^\Q$moved\E; they can't be built again here/, 'and is refused');
    is(build({}, @read_only)->refusal, undef, 'but not on this CPU');
    my @unknown = ({}, cpu_kind => undef);
    is(build(@unknown)->needs(['hanoi']),    undef, 'an unknown CPU is not another one');
    is(build(@unknown, @read_only)->refusal, undef, 'also in a read-only tree');
    fresh(flags => '-O2');
    is(build(@two)->needs(['hanoi']), undef, 'programs without native flags are for each CPU');
};

# [what the record has, the environment, why hanoi has to be built].
my %PORTABLE = (flags => '-O1 -DX -g', portable => 'yes');
my @FLAGS    = (
    [{}, { UB_GCC_OPTIONS => '-O3   -march=native' }, undef],
    [{}, { UB_GCC_OPTIONS => '-O1' },                 'the programs were built with -O3 -march=native, not -O1'],
    [{}, { CFLAGS => '-O2 -Ofast --optimize=1', UB_GCC_OPTIONS => '-O3 -march=native' },               undef],
    [{ flags => '-DX -march=native' }, { CPPFLAGS => '-DX', UB_GCC_OPTIONS => '-march=native' },       undef],
    [\%PORTABLE, { CC => '/opt/bin/gcc', UB_GCC_OPTIONS => '-O1', CPPFLAGS => '-DX', CFLAGS => '-g' }, undef],
    [{},         { CC => 'clang' }, 'the programs were built by gcc, not clang'],
);
for my $case (@FLAGS) {
    my ($record, $env, $why) = @$case;
    my $what = join q{ }, %$record, map { "$_=$env->{$_}" } sort keys %$env;
    fresh(%$record);
    is(build({%$env})->needs(['hanoi']), $why, $what);
}

my @target = ('--no-print-directory', '-C', $tree, 'PROGDIR=pgms', 'programs');
is_deeply([build({ MAKE => 'my-make -j4' })->command], ['my-make', '-j4', @target], 'the program in MAKE builds');
like((build({})->command)[0], qr/^g?make$/, 'make or gmake by default');

done_testing;
