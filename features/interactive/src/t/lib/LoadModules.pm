package LoadModules;

# The modules of which drivers of loads are built.

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(load_modules);

# Returns the names of all modules that the loads need: their own files, and the modules for frames of Video, X and
# Custom.
sub load_modules {
    my @own = map { m{(loads/[^/]+)\.c\z} } sort glob 'features/interactive/src/loads/*.c';
    return @own, qw(clock frames limits proc random stats tasks work);
}

1;
