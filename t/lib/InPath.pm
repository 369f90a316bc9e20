package InPath;

# Search for programs of the system, and for a Python with certain modules.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

our @EXPORT_OK = qw(path_of python_with);

# Takes a name; returns the path of that program in PATH, or undef.
sub path_of {
    my ($name)  = @_;
    my ($found) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    return $found;
}

# The Pythons that were found, by the modules that they have.
my %python;

# Takes names of modules; returns the path of a Python that has them all, or undef.
sub python_with {
    my $modules = join ', ', @_;
    my @paths   = grep { defined && -x } path_of('python3'), '/usr/bin/python3';
    return $python{$modules} //=
        List::Util::first { system(qq('$_' -c 'import $modules' 2>/dev/null)) == 0 } @paths;
}

1;
