package PlantedCause;

# Loaded with -MPlantedCause: the table of causes has one more row. It is all that a new cause needs, next to the module
# that reads its counter.

use strict;
use warnings;

use File::Basename ();

use lib File::Basename::dirname(__FILE__) . '/../../lib';
use UnixBench::Noise::Causes ();

push @UnixBench::Noise::Causes::CAUSES,
    {
    name         => 'moon',
    value        => sub { $_[0]{after}{moon} },
    note         => 0.25,
    disturbed    => 0.75,
    is_low_worst => 0,
    load         => 'cpu',
    title        => 'moonlight',
    amount       => sub { sprintf '%.2f moons', $_[0] },
    what         => 'light of the moon',
    seen         => 'the moon shone with {most}',
    advice       => 'Close the curtains.',
    before       => { seen => 'The moon shines with {worst}.' },
    };

1;
