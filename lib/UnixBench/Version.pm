package UnixBench::Version;

# The version of the suite.

use strict;
use warnings;

our $VERSION = '7.1.0';

1;
