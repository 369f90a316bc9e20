package UnixBench::Graphics;

# The feature graphics: graphics tests on machines without a display.

use strict;
use warnings;

# The packages of each package manager.
my %XVFB  = ('apt-get' => 'xvfb',        dnf => 'xorg-x11-server-Xvfb', apk => 'xvfb');
my %FONTS = ('apt-get' => 'xfonts-base', dnf => 'xorg-x11-fonts-misc',  apk => 'font-misc-misc font-jis-misc');

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        displays => {
            virtual => {
                title   => 'virtual display',
                program => 'Xvfb',
                remedy  => 'install xvfb',
                module  => 'Graphics::Display',
            },
        },
        software => [
            {
                what     => 'Xvfb',
                follows  => 'x11perf',
                check    => [display => 'Xvfb'],
                tests    => [qr/^2d-/, 'ubgears'],
                package  => 'xvfb',
                packages => \%XVFB,
            },
            {
                what     => 'fonts for X11',
                follows  => 'Xvfb',
                check    => [own => 'Graphics::Fonts'],
                tests    => ['2d-text'],
                package  => 'fonts',
                packages => \%FONTS,
            },
        ],
        host_facts => { graphics => { line => 'renderer', of => 'display', module => 'Graphics::Renderer' } },
    };
}

1;
