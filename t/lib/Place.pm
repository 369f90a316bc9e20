package Place;

# Temporary directories for tests, and their files.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();

our @EXPORT_OK = qw(content file_with names_in place text_of touch write_file write_program);

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

# Returns the content of a file as bytes, or an empty text if it can't be read.
sub content {
    my ($path) = @_;
    open my $file, '<:raw', $path or return q{};
    local $/ = undef;
    return scalar(<$file>) // q{};
}

# Returns the content of a file as bytes. Dies if it can't be read.
sub text_of {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar <$file>;
}

# Writes a file and returns its path.
sub write_file {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

# Writes an executable file and returns its path.
sub write_program {
    my ($path, $text) = @_;
    write_file($path, $text);
    chmod 0755, $path or die "$path: $!\n";
    return $path;
}

# Takes a text of bytes; returns a File::Temp with it. The file is removed with the object.
sub file_with {
    my ($text) = @_;
    my $file = File::Temp->new;
    binmode $file;
    print {$file} $text;
    close $file or die "$file: $!\n";
    return $file;
}

1;
