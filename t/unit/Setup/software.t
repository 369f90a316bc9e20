# What --setup finds missing, and how it is installed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(recorded_tree);
use UnixBench::Host::Machine;
use UnixBench::Setup::Preparation;
use UnixBench::Setup::Software;

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

done_testing;
