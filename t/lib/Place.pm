package Place;

# Directories of their own for tests, and what is in them.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();

our @EXPORT_OK = qw(names_in place touch);

# A new directory that goes with its last user.
sub place { return File::Temp->newdir }

# Makes empty files.
sub touch {
    my (@paths) = @_;
    for my $path (@paths) { open my $file, '>', $path or die "$path: $!\n" }
    return;
}

# The names in a directory, in order.
sub names_in {
    my ($directory) = @_;
    return [sort map { s{.*/}{}r } glob "$directory/* $directory/.[!.]*"];
}

1;
