package UnixBench::Files;

# Directories, and files that are written safely.

use strict;
use warnings;

use Errno          qw(EACCES EISDIR ENOENT);
use Fcntl          qw(O_CREAT O_EXCL O_TRUNC O_WRONLY);
use File::Basename qw(dirname);
use File::Path     ();
use IO::Handle     ();

# Makes the directory and those above it, where missing. Dies when that fails or it can't be written to.
sub make_directory {
    my ($path) = @_;
    File::Path::make_path($path, { error => \my $errors });
    my ($why) = map { values %$_ } @$errors;
    die "can't make directory $path: $why\n" if defined $why;
    return if -w $path;
    local $! = EACCES;
    die "can't write to directory $path: $!\n";
}

# Writes a report file as a whole, so that nobody ever reads half of it. Dies when that fails.
sub write_whole {
    my ($path, $text) = @_;
    my $new = "$path.new";
    unlink $new;
    my $file       = _new_file($new);
    my $is_written = $file && append($file, $text) && close $file;
    return if $is_written && rename $new, $path;
    my $why = "$!";
    unlink $new;
    die "can't write $path: $why\n";
}

# Dies with one line when write_to() could not write to that path.
sub check_writable {
    my ($path) = @_;
    my $place  = -e $path ? $path : dirname($path);
    local $! = -d $path ? EISDIR : !-e $place ? ENOENT : -w $place ? 0 : EACCES;
    die "can't write $path: $!\n" if $! != 0;
    return;
}

# Writes a file that the user has named: as a whole where it can be replaced; a device or a link is written to.
# Dies when that fails.
sub write_to {
    my ($path, $text) = @_;
    return write_whole($path, $text) if -w dirname($path) && !-l $path && (!-e $path || -f _);
    my $is_open    = sysopen my $file, $path, O_CREAT | O_WRONLY | O_TRUNC, 0666;
    my $is_written = $is_open && _written($file, $text) && close $file;
    die "can't write $path: $!\n" if !$is_written;
    return;
}

# Writes text to a file that is open, down to the disk; returns whether that worked, else $! says why. Does without
# Perl's buffer, which would complain by itself.
sub append {
    my ($file, $text) = @_;
    return _written($file, $text) && $file->sync;
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
