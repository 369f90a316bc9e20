package UnixBench::Report::Fleet::Swarm;

# Dots along a line that make room for each other above and below it.

use strict;
use warnings;

use constant APART => 1.4;    # percent of the width: a dot

my @LANES = (0, -5, 5, -10, 10);    # pixels

# Takes places along the line, in percent of its width; returns for each how far off the line, in pixels, a dot there
# has room. Where there is none it lies on the one that it hides the least of.
sub places {
    my (@places) = @_;
    my (@last, @off);
    for my $dot (sort { $places[$a] <=> $places[$b] } 0 .. $#places) {
        my ($lane) =
            sort { _hidden($places[$dot], $last[$a]) <=> _hidden($places[$dot], $last[$b]) || $a <=> $b } 0 .. $#LANES;
        $last[$lane] = $places[$dot];
        $off[$dot]   = $LANES[$lane];
    }
    return @off;
}

# How much of the dot before it one would hide.
sub _hidden {
    my ($place, $before) = @_;
    my $hidden = defined $before ? APART - ($place - $before) : 0;
    return $hidden > 0 ? $hidden : 0;
}

1;
