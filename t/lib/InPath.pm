package InPath;

# Search for programs of the system.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(path_of);

# Takes a name; returns the path of that program in PATH, or undef.
sub path_of {
    my ($name)  = @_;
    my ($found) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    return $found;
}

1;
