package InPath;

# Where the programs of the system are.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(path_of);

# The path of a program in PATH, or undef.
sub path_of {
    my ($name)  = @_;
    my ($found) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    return $found;
}

1;
