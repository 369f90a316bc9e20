package OtherReader;

# Has texts read by programs other than ours: the text in a file, and a Python with certain modules.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();

use InPath qw(path_of);

our @EXPORT_OK = qw(file_with python_with);

# Takes a text of bytes; returns a File::Temp with it. The file is removed with the object.
sub file_with {
    my ($text) = @_;
    my $file = File::Temp->new;
    binmode $file;
    print {$file} $text;
    close $file or die "$file: $!\n";
    return $file;
}

# Takes names of modules; returns the path of a Python that has them all, or undef.
sub python_with {
    my $modules = join ', ', @_;
    my @paths   = grep { defined && -x } path_of('python3'), '/usr/bin/python3';
    return (grep { system(qq('$_' -c 'import $modules' 2>/dev/null)) == 0 } @paths)[0];
}

1;
