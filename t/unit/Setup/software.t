use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(recorded_tree);
use UnixBench::Host::Machine;
use UnixBench::Setup::Preparation;
use UnixBench::Setup::Software;
use UnixBench::Setup::Build;

# What --setup finds missing, and how it is installed.

# Takes missing things ("program dc", "module Time::HiRes", ...) and other arguments; returns the software of a machine
# that has everything else.
sub software {
    my ($missing, %other) = @_;
    my %is_missing = map { $_ => 1 } @$missing;
    my %has        = map {
        my $kind = $_;
        ("has_$kind" => sub { !$is_missing{"$kind $_[0]"} })
    } qw(program module header locale display fonts);
    return UnixBench::Setup::Software->new(%has, has_file => sub { 0 }, make => 'make', euid => 0, env => {}, %other);
}

# Takes the software, tests, whether something is built, and unbuilt programs; returns the missing things.
sub missing {
    my ($software, $tests, $is_build, @unbuilt) = @_;
    return $software->missing(
        tests    => [split q{ }, $tests],
        options  => {},
        is_build => $is_build,
        unbuilt  => \@unbuilt
    );
}

sub names {
    return join '; ', map { $_->{what} } missing(@_);
}

my @BARE    = map { "program $_" } qw(gcc cc clang make gmake dc grep x11perf);
my @HEADERS = ('header stdio.h',     'header GL/glx.h');
my @PERL    = ('module Time::HiRes', 'module Digest::SHA', 'module B');
my @LOCALE  = ('locale en_US.utf8');
my @X11     = ('program x11perf', 'display Xvfb', 'fonts X11');
my %OWN     = (CC => 'tcc -O1');

# [name, missing things, other arguments, tests, whether something is built, names that are reported].
my @CASES = (
    ['nothing is missing',              [],                {}, 'dc C grep 2d-text ubgears',  1, ''],
    ['cc is enough',                    ['program gcc'],   {}, 'pipe',                       1, ''],
    ['a build needs compiler and make', \@BARE,            {}, 'pipe',                       1, 'a C compiler; make'],
    ['built programs need no tools',    \@BARE,            {}, 'pipe',                       0, ''],
    ['a compiler in CC',                \@BARE,            { env => \%OWN },    'pipe',      1, 'make'],
    ['a missing compiler in CC',        ['program tcc'],   { env => \%OWN },    'pipe',      1, 'a C compiler'],
    ['make does not replace gmake',     ['program gmake'], { make => 'gmake' }, 'pipe',      1, 'make'],
    ['tests need their programs',       \@BARE,            {},                  'dc C grep', 0, 'gcc; dc; grep'],
    ['a build needs headers',           \@HEADERS, {}, 'ubgears',               1, 'the C headers; the OpenGL headers'],
    ['pipe needs no OpenGL headers',    \@HEADERS, {}, 'pipe',                  1, 'the C headers'],
    ['built programs need no headers',  \@HEADERS, {}, 'ubgears',               0, ''],
    ['shell tests need the locale',     \@LOCALE,  {}, 'shell1 shell8 shell16', 0, 'the locale en_US.utf8'],
    ['other tests need no locale',      \@LOCALE,  {}, 'pipe dhry2reg dc C fsdisk 2d-text ubgears', 1, ''],
    ['modules of Perl',     \@PERL, {}, 'pipe',         0, "Perl's Time::HiRes; Perl's Digest::SHA; Perl's B"],
    ['2d-text needs X11',   \@X11,  {}, '2d-text grep', 0, 'x11perf; Xvfb; fonts for X11'],
    ['others need no font', \@X11,  {}, 'ubgears',      0, 'Xvfb'],
);
for my $case (@CASES) {
    my ($what, $missing, $other, $tests, $is_build, $expected) = @$case;
    is(names(software($missing, %$other), $tests, $is_build), $expected, $what);
}
is(names(software(\@HEADERS), 'ubgears pipe', 0, 'ubgears'), 'the OpenGL headers', 'those of an unbuilt program');
is_deeply(
    [
        map { "$_->{what}, $_->{needed_for}, $_->{required}, $_->{package}" }
            missing(software([$PERL[0], @LOCALE, @BARE, @HEADERS]), 'pipe dc ubgears shell1 shell8', 1)
    ],
    [
        'a C compiler, to build, 1, compiler',
        'make, to build, 1, make',
        'the C headers, to build, 1, headers',
        "Perl's Time::HiRes, to run, 1, perl",
        'dc, for dc, 0, dc',
        'the locale en_US.utf8, for shell1 shell8, 0, locale',
        'the OpenGL headers, for ubgears, 0, gl',
    ],
    'each thing has its use and whether it is required'
);

# Takes the package managers and other programs that exist, and other arguments; returns the software.
sub with_managers {
    my ($programs, %other) = @_;
    my %is_there = map { $_ => 1 } split q{ }, $programs;
    return UnixBench::Setup::Software->new(
        has_program => sub { $is_there{ $_[0] } },
        has_file    => sub { 0 },
        euid        => 0,
        %other
    );
}

# Takes keys of packages; returns missing things with them.
sub things {
    return map { +{ what => "the $_", needed_for => 'to run', package => $_ } } split q{ }, $_[0];
}

my @USER    = (euid        => 1000);
my @PACKAGE = (has_sources => 0);
my $EACH    = 'compiler make headers perl locale gcc dc grep x11perf xvfb fonts gl';

# [programs, other arguments, keys of packages, the commands that install them].
for my $case (
    [
        'apt-get',
        [],
        $EACH,
        'apt-get update',
        'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev make perl locales '
            . 'dc grep x11-apps xvfb xfonts-base libgl-dev libx11-dev libgl1-mesa-dri',
        'localedef -i en_US -f UTF-8 en_US.UTF-8'
    ],
    [
        'dnf',
        [],
        $EACH,
        'dnf makecache',
        'dnf install -y gcc glibc-devel make perl glibc-langpack-en bc grep /usr/bin/x11perf xorg-x11-server-Xvfb '
            . 'xorg-x11-fonts-misc mesa-libGL-devel libX11-devel mesa-dri-drivers',
    ],
    [
        'apk',
        [],
        $EACH,
        'apk update',
        'apk add gcc musl-dev make perl bc grep xvfb font-misc-misc font-jis-misc mesa-dev libx11-dev mesa-dri-gallium'
    ],
    [q{},        [],     $EACH],
    ['apt-get',  [],     q{}],
    ['apk',      [],     'locale'],
    ['apk sudo', \@USER, 'make', 'sudo apk update', 'sudo apk add make'],
    ['apk',      \@USER, 'make', 'apk update',      'apk add make'],
    [
        'apt-get dnf', [has_file => sub { $_[0] eq '/etc/redhat-release' }],
        'make',
        'dnf makecache',
        'dnf install -y make'
    ],
    )
{
    my ($programs, $other, $keys, @commands) = @$case;
    my $software = with_managers($programs, @$other);
    is_deeply([map { "@$_" } $software->commands(things($keys))], \@commands, "$programs: $keys");
}

my $APK     = 'apk update && apk add make';
my $MISSING = 'missing: the make (to run)';
my %REFUSAL = (
    "$MISSING; --setup needs root or sudo to install that: ask an administrator for: $APK"     => ['apk', @USER],
    "$MISSING; without the sources of the suite, --setup installs nothing: install with: $APK" => ['apk', @PACKAGE],
);
is(with_managers(@{ $REFUSAL{$_} })->refusal(things('make')), $_, "refused: $_") for sort keys %REFUSAL;
is(with_managers(@$_)->refusal(things('make')), undef, "@$_: not refused") for ['apk'], ['apk sudo', @USER];

# [programs, other arguments, keys of packages, the message].
my $LOCALE = 'the locale en_US.utf8 is missing: the shell tests will run in ASCII and be faster';
for my $case (
    ['apk',      [],                'make',    "$MISSING; install with: $APK (./Run --setup does that)"],
    ['apk',      \@USER,            'make',    "$MISSING; install with: $APK (as root)"],
    ['apk',      \@PACKAGE,         'make',    "$MISSING; install with: $APK"],
    ['apk',      [@PACKAGE, @USER], 'make',    "$MISSING; install with: $APK (as root)"],
    ['apk sudo', [@PACKAGE, @USER], 'make',    "$MISSING; install with: sudo apk update && sudo apk add make"],
    [q{},        [],                'make',    "$MISSING; install it with your system's package manager"],
    ['apk',      [],                'x11perf', 'missing: the x11perf (to run); apk has no package for the x11perf'],
    ['apt-get',  [],                'locale',  $LOCALE],
    [q{},        [],                'locale',  $LOCALE],
    )
{
    my ($programs, $other, $keys, $message) = @$case;
    is(with_managers($programs, @$other)->message(things($keys)), $message, $message);
}
my $still = 'still missing after the installation: the make (to run)';
is(with_managers('apk')->failure(things('make')), $still, 'the message after an installation that did not help');

# Takes a recorded machine; returns whether the fonts of X11 are there.
sub has_fonts {
    my $machine = UnixBench::Host::Machine->new(root => recorded_tree($_[0]));
    return UnixBench::Setup::Preparation::has_fonts($machine) ? 1 : 0;
}
for my $case (['x86-vm', q{}, 0], ['one-cpu', q{}, 1], ['x86-vm', ':7', 1]) {
    my ($machine, $display, $expected) = @$case;
    local $ENV{DISPLAY} = $display;
    is(has_fonts($machine), $expected, "the fonts of $machine with DISPLAY=$display");
}

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
