package ReleasedEarlier;

# Loaded into Run with -MReleasedEarlier: this version was released in 2025, so results that a test dates since then can
# be of it.

use strict;
use warnings;

use lib __FILE__ =~ s{[^/]*\z}{../../lib}r;
use UnixBench::Version;

sub import {
    $UnixBench::Version::DATE = '2025-06-01';
    return;
}

1;
