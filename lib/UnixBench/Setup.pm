package UnixBench::Setup;

# What this machine lacks for the tests asked for, and the commands that install it. Decides, runs nothing.

use strict;
use warnings;

use List::Util ();

# What may be missing. check: how to look for it, see _has; for: build (only when something is to be built),
# run, or all tests; tests: the tests that use it, for what only some need; package: a key of the tables
# below. No run begins without what build and run need.
my @THINGS = (
    { what => 'a C compiler',       check => [program => qw(gcc cc clang)], for => 'build', package => 'gcc' },
    { what => 'make',               check => [program => qw(make gmake)],   for => 'build', package => 'make' },
    { what => 'the C headers',      check => [header  => 'stdio.h'],        for => 'build', package => 'headers' },
    { what => "Perl's Time::HiRes", check => [module  => 'Time::HiRes'],    for => 'run',   package => 'perl' },
    {
        what    => 'the locale en_US.utf8',
        check   => [locale => 'en_US.utf8'],
        for     => 'tests',
        package => 'locale'
    },
    { what => 'gcc',     check => [program => 'gcc'],     tests => ['C'],                  package => 'gcc' },
    { what => 'dc',      check => [program => 'dc'],      tests => ['dc'],                 package => 'dc' },
    { what => 'grep',    check => [program => 'grep'],    tests => ['grep'],               package => 'grep' },
    { what => 'x11perf', check => [program => 'x11perf'], tests => [qr/^2d-/],             package => 'x11perf' },
    { what => 'Xvfb',    check => ['display'],            tests => [qr/^2d-/, 'ubgears'],  package => 'xvfb' },
    { what => 'the OpenGL headers', check => [header => 'GL/glx.h'], tests => ['ubgears'], package => 'gl' },
);

my %NEEDED_FOR = (
    build => 'to build',
    run   => 'to run',
    tests => 'for the tests, which else treat text as ASCII',
);

# Package managers: the program that tells which one is here, the commands, and the packages' names.
my @MANAGERS = (
    {
        program  => 'apt-get',
        update   => [qw(apt-get update)],
        install  => [qw(env DEBIAN_FRONTEND=noninteractive apt-get install -y)],
        packages => {
            gcc     => ['gcc'],
            make    => ['make'],
            headers => ['libc6-dev'],
            perl    => ['perl'],
            locale  => ['locales'],
            dc      => ['dc'],
            grep    => ['grep'],
            x11perf => ['x11-apps'],
            xvfb    => ['xvfb'],
            gl      => [qw(libgl-dev libx11-dev)],
        },
        after => { locale => [qw(localedef -i en_US -f UTF-8 en_US.UTF-8)] },
    },
);

# Makes one. which: a function that tells whether a program is in PATH; has_module, has_header, has_locale:
# the same for a Perl module, a header's path and a locale's name; euid: the user; env: the environment.
sub new {
    my ($class, %given) = @_;
    return bless { %given, env => $given{env} || \%ENV }, $class;
}

# Takes tests (their names) and is_build (whether something is to be built); returns what is missing:
# ({ what, needed_for, required, package }, ...).
sub missing {
    my ($self, %given) = @_;
    return map { _described($_, $given{tests}) } grep { !$self->_has($_) }
        grep { _is_needed($_, $given{tests}, $given{is_build}) } @THINGS;
}

# Takes what is missing; returns the commands that install it, each a list of words; none where no package
# manager is known, or where there is nothing to do.
sub commands {
    my ($self, @missing) = @_;
    my $manager = List::Util::first { $self->{which}->($_->{program}) } @MANAGERS;
    return unless $manager && @missing;
    my @things   = _unique(map { $_->{package} } @missing);
    my @packages = _unique(map { @{ $manager->{packages}{$_} || [] } } @things);
    my @after    = map { $manager->{after}{$_} || () } @things;
    return map { [$self->_as_root, @$_] } $manager->{update}, [@{ $manager->{install} }, @packages], @after;
}

# Takes what is missing; returns one line that names all of it and the command that installs it.
sub message {
    my ($self, @missing) = @_;
    my $text     = 'missing: ' . join ', ', map { "$_->{what} ($_->{needed_for})" } @missing;
    my @commands = map { join ' ', @$_ } $self->commands(@missing);
    return "$text; install by your system's package manager" unless @commands;
    return "$text; install by: " . join(' && ', @commands) . ' (./Run --setup does that)';
}

sub _is_needed {
    my ($thing, $tests, $is_build) = @_;
    return $is_build if ($thing->{for} // '') eq 'build';
    return !$thing->{tests} || _users($thing, $tests);
}

# The tests asked for that use a thing.
sub _users {
    my ($thing, $tests) = @_;
    return grep {
        my $test = $_;
        grep { ref() ? $test =~ $_ : $test eq $_ } @{ $thing->{tests} }
    } @$tests;
}

sub _described {
    my ($thing, $tests) = @_;
    my $for = $thing->{for};
    return {
        what       => $thing->{what},
        package    => $thing->{package},
        required   => $for && $for ne 'tests' ? 1                 : 0,
        needed_for => $for                    ? $NEEDED_FOR{$for} : 'for ' . join(' ', _users($thing, $tests)),
    };
}

sub _has {
    my ($self, $thing) = @_;
    my ($kind, @names) = @{ $thing->{check} };
    return $self->{has_module}->(@names) if $kind eq 'module';
    return $self->{has_header}->(@names) if $kind eq 'header';
    return $self->{has_locale}->(@names) if $kind eq 'locale';
    return length($self->{env}{DISPLAY} // '') || $self->{which}->('Xvfb') if $kind eq 'display';
    return $self->_has_program($thing, @names);
}

# A compiler or make may have been named by the user.
sub _has_program {
    my ($self, $thing, @names) = @_;
    my $variable = { 'a C compiler' => 'CC', make => 'MAKE' }->{ $thing->{what} };
    my ($chosen) = split ' ', $variable && $self->{env}{$variable} || '';
    return grep { $self->{which}->($_) } $chosen // @names;
}

sub _as_root {
    my ($self) = @_;
    return $self->{euid} != 0 && $self->{which}->('sudo') ? 'sudo' : ();
}

sub _unique {
    my (@words) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @words;
}

1;
