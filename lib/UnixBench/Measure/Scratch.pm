package UnixBench::Measure::Scratch;

# The scratch directory of a run: new and private, with a directory for the files of each copy.

use strict;
use warnings;

use Errno      qw(EEXIST);
use Fcntl      qw(O_CREAT O_EXCL O_WRONLY);
use File::Path ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Base::Halt      ();

use constant {
    TRIES     => 9999,
    PROBED_KB => 64,
};

# Takes parent, the directory in which it is made. Dies if that fails.
sub new {
    my ($class, @given) = @_;
    my $parent = named(\@given, qw(parent))->{parent};
    for my $try (1 .. TRIES) {
        my $path = "$parent/run-$$-$try";
        return bless { parent => $parent, path => $path, place => _place($path) }, $class
            if mkdir $path, 0700;
        die "can't make directory $path: $!\n" if $! != EEXIST;
    }
    die "can't make a scratch directory in $parent\n";
}

# Returns its path.
sub path { my ($self) = @_; return $self->{path} }

# Returns the directory in which it was made.
sub parent { my ($self) = @_; return $self->{parent} }

# Returns whether it still exists at its path.
sub is_there {
    my ($self) = @_;
    return _place($self->{path}) eq $self->{place};
}

# Takes the number of copies. Makes a directory for each copy that has none; returns [paths]. Dies if that fails. Throws
# a UnixBench::Base::Halt if the disk is full.
sub for_copies {
    my ($self, $copies) = @_;
    return [map { $self->directory("copy$_") } 1 .. $copies];
}

# Takes a name. Makes this directory unless it exists; returns its path. Dies as above.
sub directory {
    my ($self, $name) = @_;
    my $path = "$self->{path}/$name";
    return $path if mkdir($path, 0700) || $! == EEXIST;
    my ($errno, $line) = (int $!, "can't make directory $path: $!\n");
    die UnixBench::Base::Halt::means_no_space($errno)
        ? UnixBench::Base::Halt->new(line => $line, is_no_space => 1)
        : $line;
}

# Returns whether the disk is so full that even a small file does not fit.
sub is_full {
    my ($self) = @_;
    my $path = "$self->{path}/probe";
    sysopen my $file, $path, O_CREAT | O_EXCL | O_WRONLY, 0600 or return UnixBench::Base::Halt::means_no_space(int $!);
    my $is_full = !UnixBench::Base::Files::append($file, "\0" x (PROBED_KB * 1024))
        && UnixBench::Base::Halt::means_no_space(int $!);
    close $file;
    unlink $path;
    return $is_full ? 1 : 0;
}

# Returns the size of all its files in KB.
sub size_kb {
    my ($self) = @_;
    return _size_kb($self->{path});
}

sub _size_kb {
    my ($path) = @_;
    my $size_kb = 0;
    for my $below (map { "$path/$_" } UnixBench::Base::Files::names_in($path)) {
        $size_kb += ((lstat $below)[12] || 0) / 2;
        $size_kb += _size_kb($below) if -d _;
    }
    return $size_kb;
}

sub _place {
    my ($path) = @_;
    my ($device, $inode) = lstat $path;
    return -d _ ? "$device:$inode" : q{};
}

# Removes what the last pass has left: empties all directories in it, and the files next to them.
sub clear {
    my ($self) = @_;
    for my $name (UnixBench::Base::Files::names_in($self->{path})) {
        my $path = "$self->{path}/$name";
        next if -l $path ? unlink $path : truncate $path, 0;
        File::Path::remove_tree($path, { keep_root => 1, error => \my $unused });
    }
    return;
}

# Removes it with all its files. Another directory in its place is not touched.
sub remove {
    my ($self) = @_;
    File::Path::remove_tree($self->{path}, { error => \my $unused }) if $self->is_there;
    return;
}

1;
