package UnixBench::Version;

# The version of the suite, and the date of its release.

use strict;
use warnings;

our $VERSION = '9.0.0';
our $DATE    = '2026-11-29';

1;
