package UnixBench::Scratch;

# A directory for the files of the tests while they run: private, new, with one directory for each copy.

use strict;
use warnings;

use Errno      qw(EEXIST);
use Fcntl      qw(O_CREAT O_EXCL O_WRONLY);
use File::Path ();
use IO::Handle ();

use UnixBench::NoSpace ();

use constant {
    TRIES     => 9999,
    PROBED_KB => 64,
};

# Takes the directory below which it is made. Dies when that fails.
sub new {
    my ($class, $parent) = @_;
    for my $try (1 .. TRIES) {
        my $path = "$parent/run-$$-$try";
        return bless { path => $path }, $class if mkdir $path, 0700;
        die "can't make directory $path: $!\n" if $! != EEXIST;
    }
    die "can't make a scratch directory in $parent\n";
}

# Its path.
sub path { my ($self) = @_; return $self->{path} }

# Makes a directory for each copy, where it is not there yet; returns their paths. Dies when that fails, with a
# UnixBench::NoSpace when the disk is full.
sub for_copies {
    my ($self, $copies) = @_;
    return [map { $self->directory("copy$_") } 1 .. $copies];
}

# The same for one directory of that name.
sub directory {
    my ($self, $name) = @_;
    my $path = "$self->{path}/$name";
    return $path if mkdir($path, 0700) || $! == EEXIST;
    my ($errno, $line) = (int $!, "can't make directory $path: $!\n");
    die UnixBench::NoSpace::is_errno($errno) ? UnixBench::NoSpace->new($line) : $line;
}

# Whether the disk is so full that not even a small file has room there.
sub is_full {
    my ($self) = @_;
    my $path = "$self->{path}/probe";
    sysopen my $file, $path, O_CREAT | O_EXCL | O_WRONLY, 0600 or return UnixBench::NoSpace::is_errno(int $!);
    my $size    = PROBED_KB * 1024;
    my $written = syswrite $file, "\0" x $size;
    my $is_full =
        defined $written && $written < $size || !($written && $file->sync) && UnixBench::NoSpace::is_errno(int $!);
    close $file;
    unlink $path;
    return $is_full ? 1 : 0;
}

# Removes what copies have left in their directories and empties the files beside those; they serve again in
# the next pass.
sub clear {
    my ($self) = @_;
    opendir my $directory, $self->{path} or return;
    for my $name (grep { !/\A[.]{1,2}\z/ } readdir $directory) {
        my $path = "$self->{path}/$name";
        next if -l $path ? unlink $path : truncate $path, 0;
        File::Path::remove_tree($path, { keep_root => 1, error => \my $unused });
    }
    closedir $directory;
    return;
}

# Removes it with all that is in it.
sub remove {
    my ($self) = @_;
    File::Path::remove_tree($self->{path}, { error => \my $unused });
    return;
}

1;
