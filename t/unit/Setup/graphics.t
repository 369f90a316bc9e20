# Xvfb and its fonts as software that --setup installs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../../../lib);
use HostTree qw(recorded_tree);
use UnixBench::Host::Machine;
use UnixBench::Setup::Preparation;
use UnixBench::Setup::Software;

# Takes the programs that exist, and whether there is a display; returns the software of a machine without fonts, which
# has everything else.
sub software {
    my ($programs, $has_display) = @_;
    my %is_there = map { $_ => 1 } @$programs;
    my @others   = map {
        ("has_$_" => sub { 1 })
    } qw(module header locale);
    return UnixBench::Setup::Software->new(
        @others,
        has_program => sub { $is_there{ $_[0] } },
        has_display => sub { $has_display },
        has_fonts   => sub { 0 },
        has_file    => sub { 0 },
        make        => 'make',
        euid        => 0,
        env         => {},
    );
}

# Takes words; returns the names of the missing things for these tests, and what they are needed for.
sub missing {
    my ($tests, @machine) = @_;
    my @missing = software(@machine)->missing(tests => [split q{ }, $tests], options => {}, unbuilt => []);
    return join '; ', map { "$_->{what} $_->{needed_for}" } @missing;
}

is(
    missing('2d-text dc grep', [], 0),
    'dc for dc; grep for grep; x11perf for 2d-text; Xvfb for 2d-text; fonts for X11 for 2d-text',
    'both follow x11perf'
);
is(missing('2d-rects ubgears', ['x11perf'], 0), 'Xvfb for 2d-rects ubgears', 'other tests need no fonts');
is(missing('2d-text ubgears',  ['x11perf'], 1), 'fonts for X11 for 2d-text', 'a display that exists needs no Xvfb');
is(missing('pipe',             [],          0), q{},                         'other tests need no display');

my %INSTALL = (
    'apt-get' => 'xvfb xfonts-base',
    dnf       => 'xorg-x11-server-Xvfb xorg-x11-fonts-misc',
    apk       => 'xvfb font-misc-misc font-jis-misc',
);
for my $manager (sort keys %INSTALL) {
    my $software = software([$manager, 'x11perf'], 0);
    my @lines    = map { "@$_" } $software->commands($software->missing(tests => ['2d-text'], options => {}));
    like($lines[-1], qr/ \Q$INSTALL{$manager}\E\z/, "$manager: the packages");
}

# Takes a recorded machine; returns whether the fonts are there.
sub has_fonts {
    return UnixBench::Setup::Preparation::has_fonts(UnixBench::Host::Machine->new(root => recorded_tree($_[0])))
        ? 1
        : 0;
}

{
    local $ENV{DISPLAY} = q{};
    is_deeply([map { has_fonts($_) } qw(x86-vm one-cpu)], [0, 1], 'machines without and with the fonts');
    local $ENV{DISPLAY} = ':7';
    is(has_fonts('x86-vm'), 1, 'a given display needs no fonts here');
}

done_testing;
