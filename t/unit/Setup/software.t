use strict;
use warnings;

use Test::More;

use UnixBench::Setup::Software;

my @THINGS = qw(compiler make headers perl locale gcc dc grep x11perf gl);

# Takes the programs that exist and other arguments; returns an installation for root on an unknown system.
sub installation {
    my ($programs, %other) = @_;
    my %is_there = map { $_ => 1 } @$programs;
    return UnixBench::Setup::Software->new(
        has_program => sub { $is_there{ $_[0] } },
        has_file    => sub { 0 },
        euid        => 0,
        %other
    );
}

# Takes keys of packages; returns the missing things that Setup reports for them.
sub missing {
    return map { +{ what => "the $_", needed_for => 'to run', package => $_ } } @_;
}

# Takes an installation and keys of packages; returns the commands that install them, each as a line.
sub commands {
    my ($installation, @things) = @_;
    return [map { "@$_" } $installation->commands(missing(@things))];
}

# A package manager => the commands that install everything, and what it has no package for.
my %COMMANDS = (
    'apt-get' => [
        'apt-get update',
        'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev make perl locales '
            . 'dc grep x11-apps libgl-dev libx11-dev libgl1-mesa-dri',
        'localedef -i en_US -f UTF-8 en_US.UTF-8'
    ],
    dnf => [
        'dnf makecache',
        'dnf install -y gcc glibc-devel make perl glibc-langpack-en bc grep /usr/bin/x11perf '
            . 'mesa-libGL-devel libX11-devel mesa-dri-drivers',
    ],
    apk => ['apk update', 'apk add gcc musl-dev make perl bc grep mesa-dev libx11-dev mesa-dri-gallium'],
);

for my $manager (sort keys %COMMANDS) {
    is_deeply(commands(installation([$manager]), @THINGS), $COMMANDS{$manager}, "$manager: what installs everything");
}
is_deeply(commands(installation([]), @THINGS),       [], 'without a manager there are no commands');
is_deeply(commands(installation(['apt-get'])),       [], 'without missing things there are no commands');
is_deeply(commands(installation(['apk']), 'locale'), [], 'without a package there are no commands');
my @both = ([qw(apt-get dnf)], has_file => sub { $_[0] eq '/etc/redhat-release' });
is(commands(installation(@both), 'make')->[1], 'dnf install -y make', "one of several managers is the system's own");

subtest 'an installation needs root or sudo' => sub {
    my @user = (euid => 1000);
    is_deeply(
        commands(installation([qw(apk sudo)], @user), 'make'),
        ['sudo apk update', 'sudo apk add make'],
        'sudo is used'
    );
    is_deeply(
        commands(installation(['apk'], @user), 'make'),
        ['apk update', 'apk add make'],
        'without sudo the commands are for root'
    );
    my @make = missing('make');
    is(installation(['apk'])->refusal(@make),               undef, 'root may install');
    is(installation([qw(apk sudo)], @user)->refusal(@make), undef, 'a user with sudo may install');
    is(
        installation(['apk'], @user)->refusal(@make),
        'missing: the make (to run); --setup needs root or sudo to install that: '
            . 'ask an administrator for: apk update && apk add make',
        'other users may not install'
    );
};

subtest 'without sources, nothing is installed' => sub {
    my @package = (has_sources => 0);
    my @dc      = missing('dc');
    my $refusal =
        'missing: the dc (to run); without the sources of the suite, --setup installs nothing: install with: ';
    my %line = (
        'apk update && apk add bc'           => installation(['apk'],        @package),
        'apk update && apk add bc (as root)' => installation(['apk'],        @package, euid => 1000),
        'sudo apk update && sudo apk add bc' => installation([qw(apk sudo)], @package, euid => 1000),
    );
    for my $line (sort keys %line) {
        is($line{$line}->refusal(@dc), $refusal . $line,                                "--setup refuses: $line");
        is($line{$line}->message(@dc), "missing: the dc (to run); install with: $line", "the message: $line");
    }
    like(
        installation(['apt-get'], @package)->refusal(missing('locale')),
        qr/^missing: the locale .*: install with: apt-get update .* locales && localedef /,
        'a locale alone has its command, too'
    );
};

subtest 'messages' => sub {
    my @make = missing('make');
    my %WHO  = (
        './Run --setup does that' => installation(['apk']),
        'as root'                 => installation(['apk'], euid => 1000),
    );
    is(
        $WHO{$_}->message(missing(qw(make dc))),
        "missing: the make (to run), the dc (to run); install with: apk update && apk add make bc ($_)",
        "the message ends with: $_"
    ) for sort keys %WHO;
    like(
        installation([qw(apk sudo)], euid => 1000)->message(@make),
        qr/sudo apk add make \(\.\/Run --setup/,
        'the message has sudo'
    );
    is(
        installation([])->message(@make),
        "missing: the make (to run); install it with your system's package manager",
        'the message without a manager'
    );
    is(
        installation(['apk'])->message(missing(qw(make x11perf locale))),
        'missing: the make (to run), the x11perf (to run), the locale (to run); install with: '
            . 'apk update && apk add make (./Run --setup does that); apk has no package for the x11perf and the locale',
        'the message names things without a package'
    );
    is(
        installation([$_])->message(missing('locale')),
        'the locale en_US.utf8 is missing: the shell tests will run in ASCII and be faster',
        "the message has one short line if only the locale is missing: $_"
    ) for qw(apt-get apk none);
    is(
        installation(['apk'])->message(missing('x11perf')),
        'missing: the x11perf (to run); apk has no package for the x11perf',
        'the message without a command'
    );
    is(
        installation(['apk'])->failure(@make),
        'still missing after the installation: the make (to run)',
        'the message after an installation that did not help'
    );
};

# Takes missing things ("program dc", "module Time::HiRes", ...) and other arguments; returns the software of a machine
# that has everything else.
sub setup {
    my ($missing, %other) = @_;
    my %is_missing = map { $_ => 1 } @$missing;
    my $has        = sub {
        my ($kind) = @_;
        return sub { !$is_missing{"$kind $_[0]"} };
    };
    return UnixBench::Setup::Software->new(
        (map { ("has_$_" => $has->($_)) } qw(program module header locale display fonts)),
        make => 'make',
        env  => {},
        %other,
    );
}

# Takes the software, tests, whether something is built, and unbuilt programs; returns the names of the missing things.
sub names {
    my ($setup, $tests, $is_build, @unbuilt) = @_;
    my %about = (tests => [split ' ', $tests], is_build => $is_build, unbuilt => \@unbuilt);
    return join '; ', map { $_->{what} } $setup->missing(%about);
}

my @BARE    = map { "program $_" } qw(gcc cc clang make gmake dc grep x11perf);
my @HEADERS = ('header stdio.h',     'header GL/glx.h');
my @PERL    = ('module Time::HiRes', 'module Digest::SHA', 'module B');
my @LOCALE  = ('locale en_US.utf8');
my %OWN     = (CC => 'tcc -O1');

# [name, missing things, other arguments, tests, whether something is built, names that are reported].
my @CASES = (
    ['nothing is missing',              [],               {}, 'dc C grep 2d-text ubgears', 1, ''],
    ['cc is enough',                    ['program gcc'],  {}, 'pipe',                      1, ''],
    ['a build needs compiler and make', \@BARE,           {}, 'pipe',                      1, 'a C compiler; make'],
    ['built programs need no tools',    \@BARE,           {}, 'pipe',                      0, ''],
    ['a compiler in CC',               \@BARE,            { env => \%OWN },                  'pipe', 1, 'make'],
    ['a missing compiler in CC',       ['program tcc'],   { env => \%OWN },                  'pipe', 1, 'a C compiler'],
    ['another make',                   \@BARE,            { make => 'bmake', env => \%OWN }, 'pipe', 1, ''],
    ['make does not replace gmake',    ['program gmake'], { make => 'gmake' },               'pipe', 1, 'make'],
    ['tests need their programs',      \@BARE,            {}, 'dc C grep', 0, 'gcc; dc; grep'],
    ['2d-text needs x11perf',          \@BARE,            {}, '2d-text',   0, 'x11perf'],
    ['a build needs headers',          \@HEADERS,         {}, 'ubgears',   1, 'the C headers; the OpenGL headers'],
    ['pipe needs no OpenGL headers',   \@HEADERS,         {}, 'pipe',      1, 'the C headers'],
    ['each thing is named once',       [@BARE, @HEADERS], {}, 'pipe',      1, 'a C compiler; make; the C headers'],
    ['built programs need no headers', \@HEADERS,         {}, 'ubgears',   0, ''],
    ['shell tests need the locale',    \@LOCALE,          {}, 'shell1 shell8 shell16', 0, 'the locale en_US.utf8'],
    ['grep needs the locale',          \@LOCALE,          {}, 'pipe grep',             0, 'the locale en_US.utf8'],
    ['other tests need no locale',     \@LOCALE,          {}, 'pipe dhry2reg dc C fsdisk 2d-text ubgears', 1, ''],
    ['modules of Perl',                \@PERL, {}, 'pipe', 0, "Perl's Time::HiRes; Perl's Digest::SHA; Perl's B"],
);

for my $case (@CASES) {
    my ($what, $missing, $other, $tests, $is_build, $expected) = @$case;
    is(names(setup($missing, %$other), $tests, $is_build), $expected, $what);
}
is(
    names(setup(\@HEADERS), 'ubgears pipe', 0, 'ubgears'),
    'the OpenGL headers',
    'a program that is not built needs its headers'
);

my $minimal = setup(['module Time::HiRes', 'locale en_US.utf8', @BARE, @HEADERS]);
is_deeply(
    [
        map { "$_->{what}, $_->{needed_for}, $_->{required}, $_->{package}" }
            $minimal->missing(tests => [qw(pipe dc ubgears shell1 shell8)], is_build => 1)
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

done_testing;
