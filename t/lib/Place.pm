package Place;

# Temporary directories for tests, and their files.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();

our @EXPORT_OK = qw(names_in place touch);

# Returns a new directory; it is removed with the last reference.
sub place { return File::Temp->newdir }

# Creates empty files.
sub touch {
    my (@paths) = @_;
    for my $path (@paths) { open my $file, '>', $path or die "$path: $!\n" }
    return;
}

# Returns the names in a directory, in order.
sub names_in {
    my ($directory) = @_;
    return [sort map { s{.*/}{}r } glob "$directory/* $directory/.[!.]*"];
}

1;
