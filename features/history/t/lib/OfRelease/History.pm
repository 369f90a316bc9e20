package OfRelease::History;

# Reads a result of an earlier release as a history does, see Releases.

use strict;
use warnings;

use UnixBench::Store::Outline  ();
use UnixBench::History::Series ();

# Takes the path of a result; makes a history of it. Dies if that fails.
sub read_as_feature {
    my ($path)    = @_;
    my ($outline) = UnixBench::Store::Outline::of_file($path);
    UnixBench::History::Series::of([map { +{ path => $path, word => $path, outline => $outline } } 1, 2],
        effect => 0.02);
    return;
}

1;
