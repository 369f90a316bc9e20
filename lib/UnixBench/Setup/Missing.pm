package UnixBench::Setup::Missing;

# Finds out which software is missing on this machine for the requested tests.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);

use constant GL_HEADER => 'GL/glx.h';

# The things that may be missing. Those for build and run are required, unless only some tests use them.
#   what     its name in messages; a thing with several uses is reported once
#   check    how to look for it, see _has
#   for      its use: build (only if programs are to be built), observe (only if tests are to be observed), or run;
#            missing for a thing that only some tests use
#   tests    the tests that use it, if not all do
#   package  its name in UnixBench::Setup::Installation
my @THINGS = (
    { what => 'a C compiler',       check => ['compiler'], for => 'build', package => 'compiler' },
    { what => 'make',               check => ['make'],     for => 'build', package => 'make' },
    { what => 'the C headers',      check => [header  => 'stdio.h'],     for   => 'build',    package => 'headers' },
    { what => "Perl's Time::HiRes", check => [module  => 'Time::HiRes'], for   => 'run',      package => 'perl' },
    { what => "Perl's Digest::SHA", check => [module  => 'Digest::SHA'], for   => 'run',      package => 'perl' },
    { what => "Perl's B",           check => [module  => 'B'],           for   => 'run',      package => 'perl' },
    { what => 'bpftrace',           check => [program => 'bpftrace'],    for   => 'observe',  package => 'bpftrace' },
    { what => 'gcc',                check => [program => 'gcc'],         tests => ['C'],      package => 'gcc' },
    { what => 'dc',                 check => [program => 'dc'],          tests => ['dc'],     package => 'dc' },
    { what => 'grep',               check => [program => 'grep'],        tests => ['grep'],   package => 'grep' },
    { what => 'x11perf',            check => [program => 'x11perf'],     tests => [qr/^2d-/], package => 'x11perf' },
    { what => 'Xvfb',          check => [display => 'Xvfb'],     tests => [qr/^2d-/, 'ubgears'], package => 'xvfb' },
    { what => 'fonts for X11', check => [fonts   => 'jisx0208'], tests => ['2d-text'],           package => 'fonts' },
    {
        what    => 'the locale en_US.utf8',
        check   => [locale => 'en_US.utf8'],
        tests   => [qr/^shell/, 'grep', 'multiuser'],
        package => 'locale'
    },
    {
        what    => 'the OpenGL headers',
        check   => [header => GL_HEADER],
        for     => 'build',
        tests   => ['ubgears'],
        package => 'gl'
    },
    { what => 'a C compiler',  check => ['compiler'],          tests => ['multiuser'], package => 'compiler' },
    { what => 'make',          check => ['make'],              tests => ['multiuser'], package => 'make' },
    { what => 'the C headers', check => [header => 'stdio.h'], tests => ['multiuser'], package => 'headers' },
);

my %NEEDED_FOR = (
    build   => 'to build',
    run     => 'to run',
    observe => 'for --observe as root; otherwise strace is used',
);
my %IS_REQUIRED = (build => 1, run => 1);

# Takes these functions, each of which returns whether something exists:
#   has_program  takes a program in PATH
#   has_module   takes a Perl module
#   has_header   takes the path of a C header
#   has_locale   takes the name of a locale
#   has_display  a display, or a program for one
#   has_fonts    the fonts of that display
#
# Also takes make => the program make, and optionally env => the environment, by default that of this program.
sub new {
    my ($class, @given) = @_;
    my @looks = map { "has_$_" } qw(program module header locale display fonts);
    return bless { env => \%ENV, %{ named(\@given, @looks, qw(make env)) } }, $class;
}

# Takes these arguments; returns ({ what, needed_for, required, package }, ...):
#   tests     the names of the requested tests
#   is_build  whether programs are to be built
#   observe   whether tests are to be observed
#   unbuilt   the requested tests whose programs are not built and are optional
sub of {
    my ($self, %given) = @_;
    my %seen;
    my @needed = grep { !$seen{ $_->{what} }++ } grep { _is_needed($_, \%given) } @THINGS;
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
    my ($thing, $given) = @_;
    my $for = $thing->{for} // '';
    return $given->{observe} if $for eq 'observe';
    return !$thing->{tests} || _users($thing, $given->{tests}) if $for ne 'build' || $given->{is_build};
    return $thing->{tests} && _users($thing, $given->{unbuilt} || []);
}

# Takes a thing and the requested tests. Returns those that use the thing.
sub _users {
    my ($thing, $tests) = @_;
    return grep {
        my $test = $_;
        grep { ref() ? $test =~ $_ : $test eq $_ } @{ $thing->{tests} }
    } @$tests;
}

sub _described {
    my ($thing, $tests) = @_;
    my $for = $thing->{tests} ? undef : $thing->{for};
    return {
        what       => $thing->{what},
        package    => $thing->{package},
        required   => $for && $IS_REQUIRED{$for} ? 1                 : 0,
        needed_for => $for                       ? $NEEDED_FOR{$for} : 'for ' . join(' ', _users($thing, $tests)),
    };
}

sub _has {
    my ($self, $thing) = @_;
    my ($kind, $name)  = @{ $thing->{check} };
    return $self->{"has_$kind"}->($name) if defined $name;
    return $self->_has_compiler if $kind eq 'compiler';
    return $self->{has_program}->($self->{make});
}

# Returns whether there is the compiler that the user has named, or else any compiler that the Makefile uses.
sub _has_compiler {
    my ($self)   = @_;
    my ($chosen) = split ' ', $self->{env}{CC} // '';
    return grep { $self->{has_program}->($_) } defined $chosen ? $chosen : qw(gcc cc clang);
}

1;
