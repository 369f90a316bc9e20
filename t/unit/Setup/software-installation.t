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

my $LOCALEDEF = 'localedef -i en_US -f UTF-8 en_US.UTF-8';

# A package manager => the commands that install everything.
my %COMMANDS = (
    'apt-get' => [
        'apt-get update',
        'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev make perl locales '
            . 'dc grep x11-apps libgl-dev libx11-dev libgl1-mesa-dri',
        $LOCALEDEF
    ],
    dnf => [
        'dnf makecache',
        'dnf install -y gcc glibc-devel make perl glibc-langpack-en bc grep /usr/bin/x11perf '
            . 'mesa-libGL-devel libX11-devel mesa-dri-drivers',
    ],
    yum => [
        'yum makecache',
        'yum install -y gcc glibc-devel make perl-core glibc-common bc grep /usr/bin/x11perf '
            . 'mesa-libGL-devel libX11-devel mesa-dri-drivers',
        $LOCALEDEF
    ],
    zypper => [
        'zypper --non-interactive refresh',
        'zypper --non-interactive install gcc glibc-devel make perl glibc-locale bc grep x11perf '
            . 'Mesa-libGL-devel libX11-devel Mesa-dri',
    ],
    apk    => ['apk update', 'apk add gcc musl-dev make perl bc grep mesa-dev libx11-dev mesa-dri-gallium',],
    pacman => [
        'pacman -Syu --needed --noconfirm gcc glibc make perl bc grep xorg-x11perf ' . 'libglvnd libx11 mesa',
        $LOCALEDEF
    ],
    brew => ['brew update', 'brew install gcc make perl bc grep mesa libx11'],
    pkg  => [
        'env ASSUME_ALWAYS_YES=yes pkg update',
        'env ASSUME_ALWAYS_YES=yes pkg install -y gcc gmake perl5 x11perf ' . 'libglvnd libX11 mesa-dri',
    ],
);
my %WITHOUT = (
    apk  => 'locale x11perf',
    brew => 'headers locale x11perf',
    pkg  => 'headers locale dc grep'
);

for my $manager (sort keys %COMMANDS) {
    my $installation = installation([$manager]);
    is_deeply(commands($installation, @THINGS), $COMMANDS{$manager}, "$manager: commands that install everything");
    my @without = grep { !@{ commands($installation, $_) } } @THINGS;
    is("@without", $WITHOUT{$manager} // '', "$manager: things without a package");
}
is_deeply(commands(installation([]), @THINGS),       [], 'without a manager there are no commands');
is_deeply(commands(installation(['apt-get'])),       [], 'without missing things there are no commands');
is_deeply(commands(installation(['apk']), 'locale'), [], 'without a package there are no commands');

subtest 'one of several managers is used' => sub {
    my $both = sub { commands(installation([qw(apt-get dnf)], has_file => $_[0]), 'perl')->[1] };
    like($both->(sub { 0 }), qr/apt-get install/, 'an unknown system uses the first manager');
    like($both->(sub { $_[0] eq '/etc/redhat-release' }), qr/dnf install/,     'Red Hat uses dnf');
    like($both->(sub { $_[0] eq '/etc/debian_version' }), qr/apt-get install/, 'Debian uses apt-get');
    is(
        commands(installation([qw(yum dnf)], has_file => sub { 1 }), 'make')->[1],
        'dnf install -y make',
        'dnf is preferred to yum'
    );
};

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
    is_deeply(
        commands(installation([qw(brew sudo)], @user), 'make'),
        ['brew update', 'brew install make'],
        'brew needs no sudo'
    );
    my @make = missing('make');
    is(installation(['apk'])->refusal(@make), undef, 'root may install');
    is(installation([qw(apk sudo)], @user)->refusal(@make), undef, 'a user with sudo may install');
    is(installation(['brew'],       @user)->refusal(@make), undef, 'a user may install with brew');
    is(
        installation(['apk'], @user)->refusal(@make),
        'missing: the make (to run); --setup needs root or sudo to install that: '
            . 'ask an administrator for: apk update && apk add make',
        'other users may not install'
    );
    is(
        installation([qw(brew sudo)])->refusal(@make),
        'missing: the make (to run); brew must not be run as root: call ./Run --setup as an ordinary user',
        'root may not use brew'
    );
};

subtest 'without sources, nothing is installed' => sub {
    my @package = (has_sources => 0);
    my @dc      = missing('dc');
    my $refusal =
        'missing: the dc (to run); without the sources of the suite, --setup installs nothing: install with: ';
    my %line = (
        'apk update && apk add bc'                     => installation(['apk'],        @package),
        'apk update && apk add bc (as root)'           => installation(['apk'],        @package, euid => 1000),
        'sudo apk update && sudo apk add bc'           => installation([qw(apk sudo)], @package, euid => 1000),
        'brew update && brew install bc (not as root)' => installation(['brew'],       @package),
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

subtest 'messages name missing things and the commands' => sub {
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
    like(
        installation(['brew'])->message(@make),
        qr/: brew update && brew install make \(not as root\)$/,
        'the message for brew'
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
        installation(['pkg'])->message(missing('dc')),
        'missing: the dc (to run); pkg has no package for the dc',
        'the message without a command'
    );
    is(
        installation(['apk'])->failure(@make),
        'still missing after the installation: the make (to run)',
        'the message after an installation that did not help'
    );
};

done_testing;
