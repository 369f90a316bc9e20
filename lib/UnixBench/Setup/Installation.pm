package UnixBench::Setup::Installation;

# The installation of missing software by this system's package manager, as commands and in words. Runs nothing.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

# The packages that have the same name on nearly all systems.
my %USUAL = (make => 'make', perl => 'perl', gcc => 'gcc', dc => 'bc', grep => 'grep');

# The packages of Red Hat. That of x11perf is given by a path, because it has had several names: dnf and yum find the
# package of a path.
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

use constant WITHOUT_LOCALE => 'the locale en_US.utf8 is missing: the shell tests will run in ASCII and be faster';

my $LOCALEDEF = 'localedef -i en_US -f UTF-8 en_US.UTF-8';

# The package managers:
#   program           the name of its program
#   sign              a file that exists where this is the system's own manager; some systems have several managers
#   refuses_root      whether root must not run it
#   refresh, install  commands that ask no questions
#   packages          the packages of each thing. A thing that the base system always has is missing here. So is the
#                     locale if the base system has all locales
#   then              a command after the installation of a thing
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

    # Arch does not support an index that is newer than the installed packages, so these are upgraded, too.
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

# Takes has_program => function that takes a program and returns whether it is in PATH, has_file => the same for a path,
# and euid. Optionally takes has_sources => whether this is a source tree (default: 1). A package installs nothing:
# that is up to the administrator.
sub new {
    my ($class, @given) = @_;
    my $self = bless { has_sources => 1, %{ named(\@given, qw(has_program has_file euid has_sources)) } }, $class;
    $self->{manager} = $self->_manager;
    return $self;
}

# Returns this system's package manager, or undef. If there are several, it is the first one whose sign exists, or else
# the first one.
sub _manager {
    my ($self) = @_;
    my @here = grep { $self->{has_program}->($_->{program}) } @MANAGERS;
    return (List::Util::first { $_->{sign} && $self->{has_file}->($_->{sign}) } @here) || $here[0];
}

# Takes missing things, see UnixBench::Setup::Missing. Returns the commands that install all of them that have packages,
# each a list of words. Returns nothing if no package manager is known.
sub commands {
    my ($self, @missing) = @_;
    my @things = map { $_->{package} } grep { $self->_has_package($_) } @missing;
    return if !@things;
    my $manager = $self->{manager};
    my @sudo    = $self->_needs_root && $self->{has_program}->('sudo') ? 'sudo' : ();
    my %seen;
    my @packages = grep { !$seen{$_}++ } map { split q{ }, $manager->{packages}{$_} } @things;
    my @then     = grep { defined } map      { $manager->{then}{$_} } @things;
    my @commands = grep { defined } $manager->{refresh}, "$manager->{install} @packages", @then;
    return map { [@sudo, split q{ }] } @commands;
}

# Takes missing things. Returns one line with the reason why --setup can't run the commands, or undef.
sub refusal {
    my ($self, @missing) = @_;
    my $program = $self->{manager}{program};
    return
          _named(@missing)
        . '; without the sources of the suite, --setup installs nothing: install with: '
        . $self->_line_for(@missing)
        if !$self->{has_sources};
    return _named(@missing) . "; $program must not be run as root: call ./Run --setup as an ordinary user"
        if $self->_refuses_root;
    return if !$self->_needs_root || $self->{has_program}->('sudo');
    my $command = _line($self->commands(@missing));
    return _named(@missing) . "; --setup needs root or sudo to install that: ask an administrator for: $command";
}

# Takes missing things. Returns one line that names all of them, and the commands that install them.
sub message {
    my ($self, @missing) = @_;
    return WITHOUT_LOCALE if !grep { $_->{package} ne 'locale' } @missing;
    my $text = _named(@missing);
    return "$text; install it with your system's package manager" if !$self->{manager};
    my $command = $self->_line_for(@missing);
    $text .= "; install with: $command" if length $command;
    my @unknown = map { $_->{what} } grep { !$self->_has_package($_) } @missing;
    $text .= "; $self->{manager}{program} has no package for " . join ' and ', @unknown if @unknown;
    return $text;
}

# Takes the things that are still missing after the commands were run. Returns one line that names them.
sub failure {
    my ($self, @missing) = @_;
    return 'still missing after the installation: ' . _list(@missing);
}

# Takes missing things. Returns the commands that install them, as a user types them, and who can do that. Returns an
# empty text if there are none.
sub _line_for {
    my ($self, @missing) = @_;
    my $who = $self->_who;
    return _line($self->commands(@missing)) =~ s/(?<=.)\z/defined $who ? " ($who)" : q{}/er;
}

# Returns who runs the commands, or undef if the caller does.
sub _who {
    my ($self) = @_;
    return 'not as root' if $self->_refuses_root;
    return 'as root' if $self->_needs_root && !$self->{has_program}->('sudo');
    return $self->{has_sources} ? './Run --setup does that' : undef;
}

sub _named {
    my (@missing) = @_;
    return 'missing: ' . _list(@missing);
}

sub _list {
    my (@missing) = @_;
    return join ', ', map { "$_->{what} ($_->{needed_for})" } @missing;
}

# Returns commands as a user types them.
sub _line {
    my (@commands) = @_;
    return join ' && ', map { join ' ', @$_ } @commands;
}

sub _has_package {
    my ($self, $missing) = @_;
    return $self->{manager} && defined $self->{manager}{packages}{ $missing->{package} };
}

sub _needs_root {
    my ($self) = @_;
    return $self->{euid} != 0 && !$self->{manager}{refuses_root};
}

sub _refuses_root {
    my ($self) = @_;
    return $self->{euid} == 0 && $self->{manager}{refuses_root};
}

1;
