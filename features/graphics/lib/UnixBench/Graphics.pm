package UnixBench::Graphics;

# The feature graphics: graphics tests on machines without a display.

use strict;
use warnings;

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
        host_facts => { graphics => { line => 'renderer', of => 'display', module => 'Graphics::Renderer' } },
    };
}

1;
