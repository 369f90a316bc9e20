package UnixBench::Base::Files;

# Directories, and files that are written safely.

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

# Makes the directory and those above it, where missing. Dies when that fails or it can't be written to.
sub make_directory {
    my ($path) = @_;
    File::Path::make_path($path, { mode => FOR_GROUP, error => \my $errors });
    my ($why) = map { values %$_ } @$errors;
    die "can't make directory $path: $why\n" if defined $why;
    return if -w $path;
    local $! = EACCES;
    die "can't write to directory $path: $!\n";
}

# Writes a report file as a whole, so that nobody ever reads half of it: a text, or what a function hands to the
# function that it is given. Dies when that fails.
sub write_whole {
    my ($path, $text) = @_;
    return _die_of($path, _why_not_whole($path, $text, "$path.new"));
}

# Writes "<path>.new" in the same way, for the file that is to replace the one at the path. Dies when that fails.
sub write_new {
    my ($path, $text) = @_;
    return _die_of($path, _why_not_new($text, "$path.new"));
}

# Dies with one line when write_to() could not write to that path.
sub check_writable {
    my ($path) = @_;
    return _die_of($path, _why_not_writable($path));
}

# Takes a path; returns a text that is the same for all paths that name the same file, be it there or not.
sub identity {
    my ($path) = @_;
    my ($device, $inode) = stat $path;
    return "$device:$inode" if defined $inode;
    ($device, $inode) = stat dirname($path);
    return defined $inode ? "$device:$inode/" . basename($path) : $path;
}

# Writes a file that the user has named: as a whole where it can be replaced; a device, a link, or what something is
# mounted on is written to. Dies when that fails.
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

# What modes and links allow is not all: whether a file can be made is known when one was made.
sub _why_not_writable {
    my ($path) = @_;
    return EISDIR if $path =~ m{/\z} || -d $path;
    return -w _ ? 0 : EACCES if stat $path;
    my $target = $! != ENOENT ? undef : -l $path ? Cwd::abs_path($path) : $path;
    return $! + 0 if !defined $target;
    my $new = _own_new($target);
    return _new_file($new) && unlink($new) ? 0 : $! + 0;
}

# A name that no file of the user's has.
sub _own_new {
    my ($path) = @_;
    return "$path.$$.new";
}

sub _die_of {
    my ($path, $error) = @_;
    return if $error == 0;
    die "can't write " . clean($path) . q{: } . reason($error) . "\n";
}

# Takes the number of an error; returns its text, with what to do where that is not clear.
sub reason {
    my ($error) = @_;
    local $! = $error;
    return $error == EFBIG ? "$!: raise the limit on file sizes (ulimit -f)" : "$!";
}

# Writes text to a file that is open, down to the disk; returns whether that worked, else $! says why. Does without
# Perl's buffer, which would complain by itself.
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

# The text of a file, or undef when it can't be read.
sub content {
    my ($path) = @_;
    open my $file, '<:raw', $path or return;
    local $/ = undef;
    my $text = readline $file;
    close $file;
    return $text;
}

# Puts the names in a directory on the disk, as far as the system can: a file's content there is of no use without.
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
