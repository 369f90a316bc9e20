package UnixBench::Version;

use strict;
use warnings;

our $VERSION = '7.0.0';

1;
