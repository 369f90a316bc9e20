package UnixBench::Version;

# The version of the suite.

use strict;
use warnings;

our $VERSION = '7.0.0';

1;
