package UnixBench::Setup::Software;

# The software that tests and the build need: what is missing on this machine, and how this system's package manager
# installs it, as commands and in words. Runs nothing.

use strict;
use warnings;

use UnixBench::Catalog ();
use List::Util         ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Text      qw(unique);
use UnixBench::Features        ();

use constant GL_HEADER => 'GL/glx.h';

# The things that may be missing. Those for build and run are required, unless only some tests use them.
#   what     its name in messages; a thing with several uses is reported once
#   check    how to look for it, see _has
#   for      its use: build (only if programs are to be built), or run; missing for a thing that only some tests use
#   tests    the tests that use it, if not all do; a test of the catalog may also name what it needs
#   package  the key of its packages, see %PACKAGES
# Features declare things, too, which are not required. They have also
#   follows     the thing that it follows in lists
#   option      the key of an option: the thing is needed only with that option (optional)
#   when        function that takes the options, and has_program, and returns whether it is needed then
#   system      the system on which it is needed then, as Perl calls it
#   needed_for  this in words
#   packages    { program of a package manager => its packages there }
my @THINGS = (
    { what => 'a C compiler',       check => ['compiler'], for => 'build', package => 'compiler' },
    { what => 'make',               check => ['make'],     for => 'build', package => 'make' },
    { what => 'the C headers',      check => [header  => 'stdio.h'],     for   => 'build',    package => 'headers' },
    { what => "Perl's Time::HiRes", check => [module  => 'Time::HiRes'], for   => 'run',      package => 'perl' },
    { what => "Perl's Digest::SHA", check => [module  => 'Digest::SHA'], for   => 'run',      package => 'perl' },
    { what => "Perl's B",           check => [module  => 'B'],           for   => 'run',      package => 'perl' },
    { what => 'gcc',                check => [program => 'gcc'],         tests => ['C'],      package => 'gcc' },
    { what => 'dc',                 check => [program => 'dc'],          tests => ['dc'],     package => 'dc' },
    { what => 'grep',               check => [program => 'grep'],        tests => ['grep'],   package => 'grep' },
    { what => 'x11perf',            check => [program => 'x11perf'],     tests => [qr/^2d-/], package => 'x11perf' },
    { what => 'Xvfb',               check => [display => 'Xvfb'], tests => [qr/^2d-/, 'ubgears'], package => 'xvfb' },
    { what => 'fonts for X11',      check => [fonts   => 'X11'],  tests => ['2d-text'],           package => 'fonts' },
    {
        what    => 'the locale en_US.utf8',
        check   => [locale => 'en_US.utf8'],
        tests   => [qr/^shell/, 'grep'],
        package => 'locale'
    },
    {
        what    => 'the OpenGL headers',
        check   => [header => GL_HEADER],
        for     => 'build',
        tests   => ['ubgears'],
        package => 'gl'
    },
    { what => 'a C compiler',  check => ['compiler'],          tests => [], package => 'compiler' },
    { what => 'make',          check => ['make'],              tests => [], package => 'make' },
    { what => 'the C headers', check => [header => 'stdio.h'], tests => [], package => 'headers' },
);

my %NEEDED_FOR = (build => 'to build', run => 'to run');

use constant WITHOUT_LOCALE => 'the locale en_US.utf8 is missing: the shell tests will run in ASCII and be faster';

# The package managers. On other systems, only the names of what is missing are known.
#   program           the name of its program
#   sign              a file that exists where this is the system's own manager; some systems have several managers
#   refresh, install  commands that ask no questions
#   then              a command after the installation of a thing
my @MANAGERS = (
    {
        program => 'apt-get',
        sign    => '/etc/debian_version',
        refresh => 'apt-get update',
        install => 'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends',
        then    => { locale => 'localedef -i en_US -f UTF-8 en_US.UTF-8' },
    },
    { program => 'dnf', sign => '/etc/redhat-release', refresh => 'dnf makecache', install => 'dnf install -y' },
    { program => 'apk', sign => '/etc/alpine-release', refresh => 'apk update',    install => 'apk add' },
);

# The packages of each thing for apt-get, dnf and apk: undef if the base system always has it, or if there is none. dnf
# finds the package of x11perf by a path, because it has had several names.
#<<< a table
my %PACKAGES = (
    compiler => ['gcc libc6-dev', 'gcc glibc-devel',      'gcc musl-dev'],
    headers  => ['libc6-dev',     'glibc-devel',          'musl-dev'],
    make     => [('make') x 3],
    perl     => [('perl') x 3],
    gcc      => [('gcc') x 3],
    dc       => ['dc',            'bc',                   'bc'],
    grep     => [('grep') x 3],
    locale   => ['locales',       'glibc-langpack-en',    undef],
    x11perf  => ['x11-apps',      '/usr/bin/x11perf',     undef],
    xvfb     => ['xvfb',          'xorg-x11-server-Xvfb', 'xvfb'],
    fonts    => ['xfonts-base',   'xorg-x11-fonts-misc',  'font-misc-misc font-jis-misc'],
    gl       => [
        'libgl-dev libx11-dev libgl1-mesa-dri',
        'mesa-libGL-devel libX11-devel mesa-dri-drivers',
        'mesa-dev libx11-dev mesa-dri-gallium',
    ],
);
#>>>

for my $thing (UnixBench::Features::list('software')) {
    my $before = List::Util::first { $THINGS[$_]{what} eq $thing->{follows} } 0 .. $#THINGS;
    splice @THINGS, ($before // $#THINGS) + 1, 0, $thing;
    $PACKAGES{ $thing->{package} } ||= [map { $thing->{packages}{ $_->{program} } } @MANAGERS];
}
for my $number (0 .. $#MANAGERS) {
    $MANAGERS[$number]{packages} = { map { $_ => $PACKAGES{$_}[$number] } keys %PACKAGES };
}

# Takes these functions, each of which returns whether something exists:
#   has_program  takes a program in PATH
#   has_module   takes a Perl module (default: tries to load it)
#   has_header   takes the path of a C header
#   has_locale   takes the name of a locale
#   has_display  a display, or a program for one
#   has_fonts    the fonts of X11 that the tests of text use
#   has_file     takes a path (default: looks for the file)
#
# Also takes make => the program make, euid, has_sources => whether this is a source tree, and optionally env => the
# environment, by default that of this program. Without sources, as in a package, nothing is installed: that is up to
# the administrator.
sub new {
    my ($class, @given) = @_;
    my @looks = map { "has_$_" } qw(program module header locale display fonts file);
    return bless {
        has_module  => \&has_module,
        has_file    => sub { -e $_[0] },
        has_sources => 1,
        env         => \%ENV,
        %{ named(\@given, @looks, qw(make euid has_sources env)) },
    }, $class;
}

# Takes these arguments; returns ({ what, needed_for, required, package }, ...):
#   tests     the names of the requested tests
#   is_build  whether programs are to be built
#   options   the parsed options
#   unbuilt   the requested tests whose programs are not built and are optional
sub missing {
    my ($self, %given) = @_;
    my %seen;
    my @needed = grep { !$seen{ $_->{what} }++ } grep { $self->_is_needed($_, \%given) } @THINGS;
    return map { _described($_, $given{tests}) } grep { !$self->_has($_) } @needed;
}

# Takes a Perl module; returns whether it is installed. Dies with Perl's own message if it is there, but can't be
# loaded.
sub has_module {
    my ($module) = @_;
    return 1 if eval { require($module =~ s{::}{/}gr . '.pm'); 1 };
    return 0 if $@ =~ /\ACan't locate \S+[.]pm in \@INC\b/;
    die $@;
}

# Returns the modules of Perl that are needed to run and that are not installed: distributions may have only a part of
# Perl. Dies as has_module() does.
sub perl_modules {
    return grep { !has_module($_) } map { $_->{check}[0] eq 'module' ? $_->{check}[1] : () } @THINGS;
}

sub _is_needed {
    my ($self, $thing, $given) = @_;
    my ($for, $options) = ($thing->{for} // '', $given->{options});
    my $is_asked = $thing->{option} && defined $options->{ $thing->{option} } && $thing->{system} eq $^O;
    return $is_asked && $thing->{when}->($options, $self->{has_program}) if $thing->{option};
    return !$thing->{tests} || _users($thing, $given->{tests}) if $for ne 'build' || $given->{is_build};
    return $thing->{tests} && _users($thing, $given->{unbuilt} || []);
}

sub _users {
    my ($thing, $tests) = @_;
    return grep {
        my $test = $_;
        my $of   = UnixBench::Catalog::test($test) || {};
        grep    { ref()                ? $test =~ $_ : $test eq $_ } @{ $thing->{tests} },
            map { $_ eq $thing->{what} ? $test       : () } @{ $of->{software} || [] };
    } @$tests;
}

sub _described {
    my ($thing, $tests) = @_;
    my $for = $thing->{tests} ? undef : $thing->{for};
    return {
        what       => $thing->{what},
        package    => $thing->{package},
        required   => $for ? 1 : 0,
        needed_for => $thing->{needed_for} // ($for ? $NEEDED_FOR{$for} : 'for ' . join(' ', _users($thing, $tests))),
    };
}

sub _has {
    my ($self, $thing) = @_;
    my ($kind, $name)  = @{ $thing->{check} };
    return $self->{"has_$kind"}->($name) if defined $name;
    return $self->compilers if $kind eq 'compiler';
    return $self->{has_program}->($self->{make});
}

# Returns the installed compilers, each as a list of words: the one that the user has named, or else those that the
# Makefile looks for.
sub compilers {
    my ($self) = @_;
    my @chosen = split q{ }, $self->{env}{CC} // q{};
    return grep { $self->{has_program}->($_->[0]) } @chosen ? \@chosen : map { [$_] } qw(gcc cc clang);
}

# Returns this system's package manager, or undef. If there are several, it is the first one whose sign exists, or else
# the first one.
sub _manager {
    my ($self) = @_;
    my @here = grep { $self->{has_program}->($_->{program}) } @MANAGERS;
    return (List::Util::first { $self->{has_file}->($_->{sign}) } @here) || $here[0];
}

# Takes missing things, see missing(). Returns the commands that install all of them that have packages, each a list of
# words. Returns nothing if no package manager is known.
sub commands {
    my ($self, @missing) = @_;
    my @things = map { $_->{package} } grep { $self->_has_package($_) } @missing;
    return if !@things;
    my $manager  = $self->_manager;
    my @sudo     = $self->{euid} != 0 && $self->{has_program}->('sudo') ? 'sudo' : ();
    my @packages = unique(map { split q{ }, $manager->{packages}{$_} } @things);
    my @then     = grep { defined } map { $manager->{then}{$_} } @things;
    return map { [@sudo, split q{ }] } $manager->{refresh}, "$manager->{install} @packages", @then;
}

# Takes missing things. Returns one line with the reason why --setup can't run the commands, or undef.
sub refusal {
    my ($self, @missing) = @_;
    my $named = 'missing: ' . _list(@missing);
    return "$named; without the sources of the suite, --setup installs nothing: install with: "
        . $self->_line_for(@missing)
        if !$self->{has_sources};
    return if $self->{euid} == 0 || $self->{has_program}->('sudo');
    my $command = _line($self->commands(@missing));
    return "$named; --setup needs root or sudo to install that: ask an administrator for: $command";
}

# Takes missing things. Returns one line that names all of them, and the commands that install them.
sub message {
    my ($self, @missing) = @_;
    return WITHOUT_LOCALE if !grep { $_->{package} ne 'locale' } @missing;
    my $text = 'missing: ' . _list(@missing);
    return "$text; install it with your system's package manager" if !$self->_manager;
    my $command = $self->_line_for(@missing);
    $text .= "; install with: $command" if length $command;
    my @unknown = map { $_->{what} } grep { !$self->_has_package($_) } @missing;
    $text .= '; ' . $self->_manager->{program} . ' has no package for ' . join ' and ', @unknown if @unknown;
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
    my $can_install = $self->{euid} == 0 || $self->{has_program}->('sudo');
    my $who         = !$can_install ? 'as root' : $self->{has_sources} ? './Run --setup does that' : undef;
    return _line($self->commands(@missing)) =~ s/(?<=.)\z/defined $who ? " ($who)" : q{}/er;
}

sub _list {
    my (@missing) = @_;
    return join ', ', map { "$_->{what} ($_->{needed_for})" } @missing;
}

sub _line {
    my (@commands) = @_;
    return join ' && ', map { join ' ', @$_ } @commands;
}

sub _has_package {
    my ($self, $missing) = @_;
    return $self->_manager && defined $self->_manager->{packages}{ $missing->{package} };
}

1;
