package LoadModules;

# What drivers of loads are built from.

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(load_modules);

# The names of all modules that the loads need: their own files, and what Video, X and Custom play frames with.
sub load_modules {
    my @own = map { m{([^/]+)\.c\z} } sort glob 'src/interbench/load*.c';
    return @own, qw(clock distribution frames histogram moments random schedule tasks work);
}

1;
