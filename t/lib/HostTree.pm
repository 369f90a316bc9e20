package HostTree;

# Invented machines, made of a few files.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);
use File::Path     qw(make_path);
use File::Temp     ();

use Place qw(write_file);

our @EXPORT_OK = qw(host_tree);

my @kept;    # directories that exist until the end of the test

# Takes { path => text }; writes the files below a temporary directory and returns that directory.
sub host_tree {
    my (%text) = @_;
    push @kept, my $root = File::Temp->newdir;
    for my $path (sort keys %text) {
        make_path(dirname("$root$path"));
        write_file("$root$path", $text{$path});
    }
    return "$root";
}

1;
