use strict;
use warnings;

use Test::More;

use UnixBench::Setup::Software;

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
        (map { ("has_$_" => $has->($_)) } qw(program module header locale display own)),
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
