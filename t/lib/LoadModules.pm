package LoadModules;

# What drivers of loads are built from.

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(load_modules);

# The names of all modules that the loads need: their own files, and what Video, X and Custom play frames with.
sub load_modules {
    my @own = map { m{(loads/[^/]+)\.c\z} } sort glob 'src/interbench/loads/*.c';
    return @own, qw(clock frames limits proc random stats tasks work);
}

1;
