use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

use UnixBench::Setup::Build;

my $tree = tempdir(CLEANUP => 1);
make_path(map { "$tree/$_" } qw(src/interbench build pgms));

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

# Writes a file that was last changed so many seconds after the programs were built.
sub put {
    my ($name, $age_s, $text) = @_;
    open my $file, '>', "$tree/$name" or die "$name: $!\n";
    print $file $text // '';
    close $file or die "$name: $!\n";
    utime BUILT, BUILT + $age_s, "$tree/$name" or die "$name: $!\n";
    return;
}

# A tree in which all is well.
sub fresh {
    put("src/$_",          -9) for qw(hanoi.c ub.h interbench/main.c);
    put($_,                -9) for 'Makefile', 'build/record.sh';
    put('pgms/build.info', 0, join '', map { "$_=$BUILT_WITH{$_}\n" } sort keys %BUILT_WITH);
    put('pgms/hanoi',      0);
    chmod 0755, "$tree/pgms/hanoi";
    return;
}

# Takes the environment and what else differs from the usual.
sub build {
    my ($env, %other) = @_;
    return UnixBench::Setup::Build->new(dir => $tree, cpu_kind => 'CPU One', env => $env, %other);
}

fresh();
is(build({})->needs(['hanoi']),         undef,               'all is well');
is(build({})->needs(['hanoi', 'pipe']), 'pipe is not built', 'a program is missing');
is_deeply(build({})->record, \%BUILT_WITH, 'the record');
is(build({})->record("$tree/src"), undef, 'programs from elsewhere, without a record');
put('pgms/execl.info', 0, "execl_size=23456 bytes\n");
is_deeply(build({})->record, { %BUILT_WITH, execl_size => '23456 bytes' }, 'with that of execl');
unlink "$tree/pgms/execl.info";

put($_, 1) for 'src/ub.h';
is(build({})->needs(['hanoi']), 'the programs are older than src/ub.h', 'a newer header');
fresh();
put('src/interbench/main.c', 1);
is(build({})->needs(['hanoi']), 'the programs are older than src/interbench/main.c', 'a newer file in a directory');
fresh();
put('src/interbench/.main.c', 1);
is(build({})->needs(['hanoi']), undef, 'one that is hidden is no source');
unlink "$tree/src/interbench/.main.c";
fresh();
put('Makefile', 1);
is(build({})->needs(['hanoi']), 'the programs are older than Makefile', 'an edited Makefile');
fresh();
put('pgms/hanoi', -1);
chmod 0755, "$tree/pgms/hanoi";
is(build({})->needs(['hanoi']), 'hanoi is older than the record of the build', 'a build that was broken off');
fresh();
unlink "$tree/pgms/build.info";
is(build({})->needs(['hanoi']), 'there is no record of the build', 'no record');

fresh();
my $other = build({}, cpu_kind => 'CPU Two');
my $moved = 'the programs were built for another CPU (CPU One; this is CPU Two)';
is($other->needs(['hanoi']), $moved, 'another CPU');
is($other->refusal,          undef,  'they are built again, so nothing is refused');
my $read_only = build({}, cpu_kind => 'CPU Two', may_write => sub { 0 });
is($read_only->needs(['hanoi', 'pipe']), undef, 'a read-only tree builds nothing');
like($read_only->refusal, qr/^\Q$moved\E; they can't be built again here/, 'it refuses');
is(build({}, may_write => sub { 0 })->refusal, undef, 'on its own CPU it does not');

is(build({ UB_GCC_OPTIONS => '-O3   -march=native' })->needs(['hanoi']), undef, 'the same flags');
like(build({ UB_GCC_OPTIONS => '-O1' })->needs(['hanoi']), qr/with -O3 -march=native, not -O1$/, 'other flags');
is(build({ CC => 'gcc', CFLAGS => '-g' })->needs(['hanoi']), undef, 'CFLAGS alone build nothing');
like(build({ CC => 'clang' })->needs(['hanoi']), qr/built by gcc, not clang$/, 'another compiler');

put('pgms/build.info', 0, "compiler=gcc\nflags=-O2\ncpu=CPU One\n");
is($other->needs(['hanoi']), undef, 'another CPU does not matter without native flags');
put('pgms/build.info', 0, '');
is(build({ CC => 'gcc' })->needs(['hanoi']), 'there is no record of the build', 'an empty record');

my @target = ('--no-print-directory', '-C', $tree, 'PROGDIR=pgms', 'programs');
is_deeply([build({ MAKE => 'my-make -j4' })->command], ['my-make', '-j4', @target], 'command, MAKE given');
like((build({})->command)[0], qr/^g?make$/, 'command');

fresh();
unlink "$tree/Makefile";
is(build({})->needs(['pipe']), undef, 'an installed tree builds nothing');
ok(!build({})->can_build, 'and says so');

done_testing;
