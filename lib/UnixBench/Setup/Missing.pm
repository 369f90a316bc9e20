package UnixBench::Setup::Missing;

# Finds out what is missing on this machine for the tests that were asked for.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);

use constant GL_HEADER => 'GL/glx.h';

# What may be missing. check: how to look for it, see _has; for: its use, which is build or observe (if something is to
# be built or observed), run, or all tests; tests: the tests that use it, if only some do; package: its name in
# UnixBench::Setup::Installation. A run requires everything for build and run. Something with several uses is named
# once.
my @THINGS = (
    { what => 'a C compiler',          check => ['compiler'], for => 'build', package => 'compiler' },
    { what => 'make',                  check => ['make'],     for => 'build', package => 'make' },
    { what => 'the C headers',         check => [header  => 'stdio.h'],     for   => 'build',   package => 'headers' },
    { what => "Perl's Time::HiRes",    check => [module  => 'Time::HiRes'], for   => 'run',     package => 'perl' },
    { what => "Perl's Digest::SHA",    check => [module  => 'Digest::SHA'], for   => 'run',     package => 'perl' },
    { what => "Perl's B",              check => [module  => 'B'],           for   => 'run',     package => 'perl' },
    { what => 'the locale en_US.utf8', check => [locale  => 'en_US.utf8'],  for   => 'tests',   package => 'locale' },
    { what => 'bpftrace',              check => [program => 'bpftrace'],    for   => 'observe', package => 'bpftrace' },
    { what => 'gcc',                   check => [program => 'gcc'],         tests => ['C'],     package => 'gcc' },
    { what => 'dc',                    check => [program => 'dc'],          tests => ['dc'],    package => 'dc' },
    { what => 'grep',                  check => [program => 'grep'],        tests => ['grep'],  package => 'grep' },
    { what => 'x11perf',       check => [program => 'x11perf'],  tests => [qr/^2d-/],            package => 'x11perf' },
    { what => 'Xvfb',          check => [display => 'Xvfb'],     tests => [qr/^2d-/, 'ubgears'], package => 'xvfb' },
    { what => 'fonts for X11', check => [fonts   => 'jisx0208'], tests => ['2d-text'],           package => 'fonts' },
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
    tests   => 'for the tests, which else treat text as ASCII',
    observe => 'for --observe as root, which else takes strace',
);
my %IS_REQUIRED = (build => 1, run => 1);

# Takes has_program => function that tells whether a program is in PATH; has_module, has_header and has_locale => the
# same for a Perl module, a header's path and a locale's name; has_display => function that tells whether there is a
# display or a program for one; has_fonts => the same for its fonts; make => the program that builds; and perhaps env =>
# the environment, by default that of this program.
sub new {
    my ($class, @given) = @_;
    my @looks = map { "has_$_" } qw(program module header locale display fonts);
    return bless { env => \%ENV, %{ named(\@given, @looks, qw(make env)) } }, $class;
}

# Takes tests (their names), is_build (whether something is to be built), observe (whether something is to be observed)
# and unbuilt (those of the tests that need not be built, and are not). Returns ({ what, needed_for, required, package
# }, ...).
sub of {
    my ($self, %given) = @_;
    my %seen;
    my @needed = grep { !$seen{ $_->{what} }++ } grep { _is_needed($_, \%given) } @THINGS;
    return map { _described($_, $given{tests}) } grep { !$self->_has($_) } @needed;
}

sub _is_needed {
    my ($thing, $given) = @_;
    my $for = $thing->{for} // '';
    return $given->{observe} if $for eq 'observe';
    return !$thing->{tests} || _users($thing, $given->{tests}) if $for ne 'build' || $given->{is_build};
    return $thing->{tests} && _users($thing, $given->{unbuilt} || []);
}

# Returns the tests asked for that use a thing.
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

# Looks for the compiler that the user has named, or else for any that the Makefile uses.
sub _has_compiler {
    my ($self)   = @_;
    my ($chosen) = split ' ', $self->{env}{CC} // '';
    return grep { $self->{has_program}->($_) } defined $chosen ? $chosen : qw(gcc cc clang);
}

1;
