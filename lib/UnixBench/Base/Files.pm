package UnixBench::Base::Files;

# Makes directories, and writes files so that no reader sees half of one.

use strict;
use warnings;

use Cwd            ();
use Errno          qw(EACCES EBUSY EFBIG EISDIR ENOENT);
use Fcntl          qw(O_CREAT O_EXCL O_TRUNC O_WRONLY);
use File::Basename qw(basename dirname);
use File::Path     ();
use IO::Handle     ();

use UnixBench::Base::Format qw(clean);

use constant FOR_GROUP => 0775;    # of directories, less the umask: never for all to write to

# Makes the directory and those above it, if missing. Dies if that fails, or if it can't be written to.
sub make_directory {
    my ($path) = @_;
    File::Path::make_path($path, { mode => FOR_GROUP, error => \my $errors });
    my ($why) = map { values %$_ } @$errors;
    die "can't make directory $path: $why\n" if defined $why;
    return if -w $path;
    local $! = EACCES;
    die "can't write to directory $path: $!\n";
}

# Takes a path, and a text or a function that passes pieces of it to the function that it gets. Writes the file as a
# whole, by way of "<path>.new". Dies if that fails.
sub write_whole {
    my ($path, $text) = @_;
    return _die_of($path, _why_not_whole($path, $text, "$path.new"));
}

# Takes the same. Writes "<path>.new" only, which the caller renames later. Dies if that fails.
sub write_new {
    my ($path, $text) = @_;
    return _die_of($path, _why_not_new($text, "$path.new"));
}

# Dies with one line if write_to() could not write to that path.
sub check_writable {
    my ($path) = @_;
    return _die_of($path, _why_not_writable($path));
}

# Takes a path. Returns a text that is the same for all paths of one file, even if the file does not exist.
sub identity {
    my ($path) = @_;
    my ($device, $inode) = stat $path;
    return "$device:$inode" if defined $inode;
    ($device, $inode) = stat dirname($path);
    return defined $inode ? "$device:$inode/" . basename($path) : $path;
}

# Writes a file that the user has named: replaces a plain file as a whole, and writes into a device, a link or a mount
# point. Dies if that fails.
sub write_to {
    my ($path, $text) = @_;
    if (-w dirname($path) && !-l $path && (!-e $path || -f _)) {
        my $why_not = _why_not_whole($path, $text, _own_new($path));
        return _die_of($path, $why_not) if $why_not != EBUSY;
    }
    my $is_open    = sysopen my $file, $path, O_CREAT | O_WRONLY | O_TRUNC, 0666;
    my $is_written = $is_open && _written($file, $text) && close $file;
    return _die_of($path, $is_written ? 0 : $! + 0);
}

# These return the number of an error, 0 for none.
sub _why_not_whole {
    my ($path, $text, $new) = @_;
    my $why_not_new = _why_not_new($text, $new);
    return $why_not_new if $why_not_new;
    return 0 if rename $new, $path;
    my $why_not = $! + 0;
    unlink $new;
    return $why_not;
}

sub _why_not_new {
    my ($text, $new) = @_;
    unlink $new;
    my $file = _new_file($new);
    return 0 if $file && append($file, $text) && close $file;
    my $why_not = $! + 0;
    unlink $new;
    return $why_not;
}

# Makes a file to see whether one can be made: modes and links do not tell.
sub _why_not_writable {
    my ($path) = @_;
    return EISDIR if $path =~ m{/\z} || -d $path;
    return -w _ ? 0 : EACCES if stat $path;
    my $target = $! != ENOENT ? undef : -l $path ? Cwd::abs_path($path) : $path;
    return $! + 0 if !defined $target;
    my $new = _own_new($target);
    return _new_file($new) && unlink($new) ? 0 : $! + 0;
}

# Returns a name that no file of the user's has.
sub _own_new {
    my ($path) = @_;
    return "$path.$$.new";
}

sub _die_of {
    my ($path, $error) = @_;
    return if $error == 0;
    die "can't write " . clean($path) . q{: } . reason($error) . "\n";
}

# Takes the number of an error. Returns its text, with the remedy if that is not obvious.
sub reason {
    my ($error) = @_;
    local $! = $error;
    return $error == EFBIG ? "$!: raise the limit on file sizes (ulimit -f)" : "$!";
}

# Takes an open file and a text. Writes the text to the disk. Returns whether that worked, else sets $!. It bypasses
# Perl's buffer, which would print a warning of its own.
sub append {
    my ($file, $text) = @_;
    return (ref $text ? _has_put($file, $text) : _written($file, $text)) && $file->sync;
}

sub _has_put {
    my ($file, $source) = @_;
    my $is_written = 1;
    $source->(sub { $is_written &&= _written($file, $_[0]) });
    return $is_written;
}

sub _written {
    my ($file, $text) = @_;
    while (length $text) {
        my $written = syswrite $file, $text or return 0;
        substr $text, 0, $written, q{};
    }
    return 1;
}

# Takes a path. Returns the text of that file, or undef if it can't be read.
sub content {
    my ($path) = @_;
    open my $file, '<:raw', $path or return;
    local $/ = undef;
    my $text = readline $file;
    close $file;
    return $text;
}

# Writes the names in a directory to the disk, if the system can: without its name, a file would be lost.
sub sync_directory {
    my ($path) = @_;
    open my $directory, '<', $path or return;
    $directory->sync;
    close $directory;
    return;
}

sub _new_file {
    my ($path) = @_;
    sysopen my $file, $path, O_CREAT | O_EXCL | O_WRONLY, 0666 or return;
    binmode $file;
    return $file;
}

1;
