use strict;
use warnings;

use Test::More;

use UnixBench::Setup::Missing;

# Takes what is missing ("program dc", "module Time::HiRes", ...) and what else differs from a machine that has
# it all.
sub setup {
    my ($missing, %other) = @_;
    my %is_missing = map { $_ => 1 } @$missing;
    my $has        = sub {
        my ($kind) = @_;
        return sub { !$is_missing{"$kind $_[0]"} };
    };
    return UnixBench::Setup::Missing->new(
        (map { ("has_$_" => $has->($_)) } qw(program module header locale display fonts)),
        make => 'make',
        env  => {},
        %other,
    );
}

# What that machine lacks for these tests, by name.
sub names {
    my ($setup, $tests, $is_build, @unbuilt) = @_;
    my %about = (tests => [split ' ', $tests], is_build => $is_build, unbuilt => \@unbuilt);
    return join '; ', map { $_->{what} } $setup->of(%about);
}

my @BARE    = map { "program $_" } qw(gcc cc clang make gmake dc grep x11perf);
my @NO_X11  = ('display Xvfb',       'fonts jisx0208');
my @HEADERS = ('header stdio.h',     'header GL/glx.h');
my @PERL    = ('module Time::HiRes', 'module Digest::SHA', 'module B');
my %OWN     = (CC => 'tcc -O1');

# What is missing, what else differs, tests, whether something is to be built => what is named.
my @CASES = (
    ['nothing',                      [],                {}, 'dc C grep 2d-text ubgears', 1, ''],
    ['cc is a compiler',             ['program gcc'],   {}, 'pipe',                      1, ''],
    ['what a build needs',           \@BARE,            {}, 'pipe',                      1, 'a C compiler; make'],
    ['nothing to build',             \@BARE,            {}, 'pipe',                      0, ''],
    ['a compiler of their own',      \@BARE,            { env => \%OWN },                  'pipe', 1, 'make'],
    ['which is not there',           ['program tcc'],   { env => \%OWN },                  'pipe', 1, 'a C compiler'],
    ['make by another name',         \@BARE,            { make => 'bmake', env => \%OWN }, 'pipe', 1, ''],
    ['one make is not the other',    ['program gmake'], { make => 'gmake' },               'pipe', 1, 'make'],
    ['what tests need',              \@BARE,            {}, 'dc C grep', 0, 'gcc; dc; grep'],
    ['what graphics need',           [@BARE, @NO_X11],  {}, '2d-text',   0, 'x11perf; Xvfb; fonts for X11'],
    ['fonts for text alone',         \@NO_X11,          {}, '2d-rects',  0, 'Xvfb'],
    ['what gears need',              \@NO_X11,          {}, 'ubgears',   0, 'Xvfb'],
    ['headers',                      \@HEADERS,         {}, 'ubgears',   1, 'the C headers; the OpenGL headers'],
    ['headers of what is not asked', \@HEADERS,         {}, 'pipe',      1, 'the C headers'],
    ['headers of what is built',     \@HEADERS,         {}, 'ubgears',   0, ''],
    ['what users compile with',      \@BARE,            {}, 'multiuser', 0, 'a C compiler; make'],
    ['and what that needs',          \@HEADERS,         {}, 'multiuser', 0, 'the C headers'],
    ['each once',                    [@BARE, @HEADERS], {}, 'multiuser', 1, 'a C compiler; make; the C headers'],
    ['the smallest Perl',            \@PERL, {}, 'pipe', 0, "Perl's Time::HiRes; Perl's Digest::SHA; Perl's B"],
);

for my $case (@CASES) {
    my ($what, $missing, $other, $tests, $is_build, $expected) = @$case;
    is(names(setup($missing, %$other), $tests, $is_build), $expected, $what);
}
is(names(setup(\@HEADERS), 'ubgears pipe', 0, 'ubgears'), 'the OpenGL headers', 'headers of what is not built');

is(names(setup(['program bpftrace']), 'pipe'), '', 'no tracer where nothing is observed');
is_deeply(
    [setup(['program bpftrace', 'module B'])->of(tests => ['pipe'], observe => 1)],
    [
        { what => "Perl's B", needed_for => 'to run', required => 1, package => 'perl' },
        {
            what       => 'bpftrace',
            needed_for => 'for --observe as root, which else takes strace',
            required   => 0,
            package    => 'bpftrace'
        }
    ],
    'it is named where something is, and there is another way'
);
is_deeply([setup([])->of(tests => ['pipe'], observe => 1)], [], 'but not where it is there');

my $minimal = setup(['module Time::HiRes', 'locale en_US.utf8', @BARE, @HEADERS, @NO_X11]);
is_deeply(
    [
        map { "$_->{what}, $_->{needed_for}, $_->{required}, $_->{package}" }
            $minimal->of(tests => [qw(pipe dc ubgears)], is_build => 1)
    ],
    [
        'a C compiler, to build, 1, compiler',
        'make, to build, 1, make',
        'the C headers, to build, 1, headers',
        "Perl's Time::HiRes, to run, 1, perl",
        'the locale en_US.utf8, for the tests, which else treat text as ASCII, 0, locale',
        'dc, for dc, 0, dc',
        'Xvfb, for ubgears, 0, xvfb',
        'the OpenGL headers, for ubgears, 0, gl',
    ],
    'what it is needed for, and whether nothing goes without it'
);

done_testing;
