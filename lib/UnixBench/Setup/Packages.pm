package UnixBench::Setup::Packages;

# The package managers that are known, and what they call the things that the tests need.

use strict;
use warnings;

use List::Util ();

# What nearly all call the same.
my %USUAL = (make => 'make', perl => 'perl', gcc => 'gcc', dc => 'bc', grep => 'grep');

# Those of Red Hat; dnf and yum find the package of a path by themselves, and that of x11perf has had several names.
my %RED_HAT = (
    %USUAL,
    compiler => 'gcc glibc-devel',
    headers  => 'glibc-devel',
    locale   => 'glibc-langpack-en',
    x11perf  => '/usr/bin/x11perf',
    xvfb     => 'xorg-x11-server-Xvfb',
    fonts    => 'xorg-x11-fonts-misc',
    gl       => 'mesa-libGL-devel libX11-devel mesa-dri-drivers',
    bpftrace => 'bpftrace',
);

my $LOCALEDEF = 'localedef -i en_US -f UTF-8 en_US.UTF-8';

# program: what is called; sign: a file that only systems have whose own manager it is, for those that have others
# too; refuses_root: whether it must not be root; refresh and install: commands that ask nothing; packages: those of
# a thing, where there are any: the base system has some things, or all languages; then: what is run after those.
my @MANAGERS = (
    {
        program  => 'apt-get',
        sign     => '/etc/debian_version',
        refresh  => 'apt-get update',
        install  => 'env DEBIAN_FRONTEND=noninteractive apt-get install -y',
        packages => {
            %USUAL,
            compiler => 'gcc libc6-dev',
            headers  => 'libc6-dev',
            locale   => 'locales',
            dc       => 'dc',
            x11perf  => 'x11-apps',
            xvfb     => 'xvfb',
            fonts    => 'xfonts-base',
            gl       => 'libgl-dev libx11-dev libgl1-mesa-dri',
            bpftrace => 'bpftrace',
        },
        then => { locale => $LOCALEDEF },
    },
    {
        program  => 'dnf',
        sign     => '/etc/redhat-release',
        refresh  => 'dnf makecache',
        install  => 'dnf install -y',
        packages => {%RED_HAT},
    },
    {
        program  => 'yum',
        sign     => '/etc/redhat-release',
        refresh  => 'yum makecache',
        install  => 'yum install -y',
        packages => { %RED_HAT, perl => 'perl-core', locale => 'glibc-common' },
        then     => { locale         => $LOCALEDEF },
    },
    {
        program  => 'zypper',
        sign     => '/etc/zypp/zypp.conf',
        refresh  => 'zypper --non-interactive refresh',
        install  => 'zypper --non-interactive install',
        packages => {
            %USUAL,
            compiler => 'gcc glibc-devel',
            headers  => 'glibc-devel',
            locale   => 'glibc-locale',
            x11perf  => 'x11perf',
            xvfb     => 'xorg-x11-server-Xvfb',
            fonts    => 'xorg-x11-fonts',
            gl       => 'Mesa-libGL-devel libX11-devel Mesa-dri',
            bpftrace => 'bpftrace',
        },
    },
    {
        program  => 'apk',
        sign     => '/etc/alpine-release',
        refresh  => 'apk update',
        install  => 'apk add',
        packages => {
            %USUAL,
            compiler => 'gcc musl-dev',
            headers  => 'musl-dev',
            xvfb     => 'xvfb',
            fonts    => 'font-misc-misc font-jis-misc',
            gl       => 'mesa-dev libx11-dev mesa-dri-gallium',
            bpftrace => 'bpftrace',
        },
    },

    # Arch supports no index that is newer than the packages installed, so these are brought up to it.
    {
        program  => 'pacman',
        sign     => '/etc/arch-release',
        install  => 'pacman -Syu --needed --noconfirm',
        packages => {
            %USUAL,
            compiler => 'gcc glibc',
            headers  => 'glibc',
            locale   => 'glibc',
            x11perf  => 'xorg-x11perf',
            xvfb     => 'xorg-server-xvfb',
            fonts    => 'xorg-fonts-misc',
            gl       => 'libglvnd libx11 mesa',
            bpftrace => 'bpftrace',
        },
        then => { locale => $LOCALEDEF },
    },
    {
        program      => 'brew',
        refuses_root => 1,
        refresh      => 'brew update',
        install      => 'brew install',
        packages     => { %USUAL, compiler => 'gcc', xvfb => 'xorg-server', gl => 'mesa libx11' },
    },
    {
        program  => 'pkg',
        refresh  => 'env ASSUME_ALWAYS_YES=yes pkg update',
        install  => 'env ASSUME_ALWAYS_YES=yes pkg install -y',
        packages => {
            compiler => 'gcc',
            gcc      => 'gcc',
            make     => 'gmake',
            perl     => 'perl5',
            x11perf  => 'x11perf',
            xvfb     => 'xorg-vfbserver',
            fonts    => 'font-misc-misc font-jis-misc',
            gl       => 'libglvnd libX11 mesa-dri',
        },
    },
);

# Takes functions that tell whether a program can be run and whether a file is there; returns this system's manager, or
# undef: where several are, the one whose sign is there, else the first.
sub manager {
    my ($has_program, $is_there) = @_;
    my @here = grep { $has_program->($_->{program}) } @MANAGERS;
    return (List::Util::first { $_->{sign} && $is_there->($_->{sign}) } @here) || $here[0];
}

# Takes a manager and a thing; returns whether it has a package for it.
sub has {
    my ($manager, $thing) = @_;
    return defined $manager->{packages}{$thing};
}

# Takes a manager and things that it has packages for; returns the commands that install these, each a list of words.
sub commands {
    my ($manager, @things) = @_;
    my %seen;
    my @packages = grep { !$seen{$_}++ } map { split ' ', $manager->{packages}{$_} } @things;
    my @then     = grep { defined } map      { $manager->{then}{$_} } @things;
    return map { [split ' '] } grep { defined } $manager->{refresh}, "$manager->{install} @packages", @then;
}

1;
