package UnixBench::Under::Toggle;

# The two states between which --toggle switches the machine, see UnixBench::Plan::Wish.

use strict;
use warnings;

use parent 'UnixBench::Under::States';

use constant FLAG => '--toggle';

# Takes the values of the option, those of ON and OFF; returns the state that ON begins.
sub states {
    my (undef, $value) = @_;
    my ($on,   $off)   = @$value;
    return {
        command     => $on->{command},
        words       => [],
        on          => $on->{words},
        off         => $off->{words},
        off_command => $off->{command}
    };
}

# The keeper has tried both commands.
sub refusal { return }

1;
