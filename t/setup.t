use strict;
use warnings;

use Test::More;

use UnixBench::Setup;

# Takes what is missing ("program dc", "module Time::HiRes", ...) and what else differs from a machine that has
# it all.
sub setup {
    my ($missing, %other) = @_;
    my %is_missing = map { $_ => 1 } @$missing;
    my $has        = sub {
        my ($kind) = @_;
        return sub { !$is_missing{"$kind $_[0]"} };
    };
    return UnixBench::Setup->new(
        which      => $has->('program'),
        has_module => $has->('module'),
        has_header => $has->('header'),
        has_locale => $has->('locale'),
        euid       => 0,
        env        => {},
        %other,
    );
}

# What that machine lacks for these tests, by name.
sub names {
    my ($setup, $tests, $is_build) = @_;
    return join '; ', map { $_->{what} } $setup->missing(tests => $tests, is_build => $is_build);
}

is(names(setup([]),              [qw(dc C grep 2d-text ubgears)], 1), '', 'nothing is missing');
is(names(setup(['program gcc']), ['pipe'],                        1), '', 'cc is a compiler');
my @bare = map { "program $_" } qw(gcc cc clang make gmake dc grep Xvfb x11perf);
is(names(setup(\@bare), ['pipe'], 1), 'a C compiler; make', 'what a build needs');
is(names(setup(\@bare), ['pipe'], 0), '',                   'nothing to build');
my %own = (CC => 'tcc -O1', MAKE => 'bmake');
is(names(setup(\@bare, env => \%own),                    ['pipe'], 1), '',             'a compiler of their own');
is(names(setup(['program tcc'], env => { CC => 'tcc' }), ['pipe'], 1), 'a C compiler', 'which is not there');
is(names(setup(\@bare),                                  [qw(dc C grep)], 0), 'gcc; dc; grep', 'what tests need');
is(names(setup(\@bare),                                  [qw(2d-text)],   0), 'x11perf; Xvfb', 'what graphics need');
is(names(setup(\@bare, env => { DISPLAY => ':0' }),      ['ubgears'],     0), '',              'a display');
my @headers = ('header stdio.h', 'header GL/glx.h');
is(names(setup(\@headers), ['ubgears'], 1), 'the C headers; the OpenGL headers', 'headers');

my $minimal = setup(['module Time::HiRes', 'locale en_US.utf8', 'program dc']);
my @missing = $minimal->missing(tests => [qw(pipe dc)], is_build => 0);
is_deeply(
    [map { "$_->{what}, $_->{needed_for}, $_->{required}, $_->{package}" } @missing],
    [
        "Perl's Time::HiRes, to run, 1, perl",
        'the locale en_US.utf8, for the tests, which else treat text as ASCII, 0, locale',
        'dc, for dc, 0, dc',
    ],
    'a minimal Perl, no locale, no dc'
);
is_deeply(
    [$minimal->commands(@missing)],
    [
        [qw(apt-get update)],
        [qw(env DEBIAN_FRONTEND=noninteractive apt-get install -y perl locales dc)],
        [qw(localedef -i en_US -f UTF-8 en_US.UTF-8)],
    ],
    'commands for root'
);
is(
    $minimal->message(@missing),
    "missing: Perl's Time::HiRes (to run), the locale en_US.utf8 "
        . '(for the tests, which else treat text as ASCII), dc (for dc); install by: '
        . 'apt-get update && env DEBIAN_FRONTEND=noninteractive apt-get install -y '
        . 'perl locales dc && localedef -i en_US -f UTF-8 en_US.UTF-8 (./Run --setup does that)',
    'message'
);

my $user = setup(['program dc'], euid => 1000);
is_deeply(
    [$user->commands($user->missing(tests => ['dc']))],
    [[qw(sudo apt-get update)], [qw(sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y dc)],],
    'through sudo'
);
my $alone = setup(['program dc', 'program sudo'], euid => 1000);
is(($alone->commands($alone->missing(tests => ['dc'])))[0][0], 'apt-get', 'without sudo, for root to type');
my $elsewhere = setup(['program dc', 'program apt-get']);
like(
    $elsewhere->message($elsewhere->missing(tests => ['dc'])),
    qr/^missing: dc \(for dc\); install by your system/,
    'an unknown package manager'
);
is_deeply([setup([])->commands], [], 'nothing to install');

done_testing;
