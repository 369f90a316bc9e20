package UnixBench::Files;

# Directories, the names of the report files, scratch directories.

use strict;
use warnings;

use Errno      qw(EACCES EEXIST ENOENT);
use Fcntl      qw(O_CREAT O_EXCL O_WRONLY);
use File::Path ();
use IO::Handle ();
use POSIX      ();

use constant NUMBERS_MAX => 9999;

# All files of one result share a base name and differ in what follows it.
my @SUFFIXES = (q{}, qw(.log .html .csv .json .journal));

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

# Reserves a base name for the report files and opens the log below it: <host>-<YYYY-MM-DD>-<NN>, with the
# first number that nobody has, or, with a name given, that name, whose earlier files are removed.
# Returns (path of the base, handle of the log).
sub reserve {
    my ($directory, $host, $time, $given) = @_;
    return _replace("$directory/$given") if defined $given;
    (my $plain = $host) =~ s/[^A-Za-z0-9._-]/_/g;
    $plain =~ s/\A[.-]|\A\z/_/;
    my $day = POSIX::strftime('%Y-%m-%d', localtime $time);
    for my $number (1 .. NUMBERS_MAX) {
        my $base = sprintf '%s/%s-%s-%02d', $directory, $plain, $day, $number;
        next if grep { -e "$base$_" || -l "$base$_" } @SUFFIXES;
        my $log = _new_file("$base.log");
        return ($base, $log) if $log;
        die "can't write $base.log: $!\n" if $! != EEXIST;
    }
    die "$directory holds @{[NUMBERS_MAX]} reports of today: move some elsewhere\n";
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

# Writes text to a file that is open, down to the disk; returns whether that worked, else $! says why. Does without
# Perl's buffer, which would complain by itself.
sub append {
    my ($file, $text) = @_;
    while (length $text) {
        my $written = syswrite $file, $text or return 0;
        substr $text, 0, $written, q{};
    }
    return $file->sync;
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

# Makes a new private directory below that one. Dies when that fails.
sub make_scratch {
    my ($parent) = @_;
    for my $try (1 .. NUMBERS_MAX) {
        my $path = "$parent/run-$$-$try";
        return $path if mkdir $path, 0700;
        die "can't make directory $path: $!\n" if $! != EEXIST;
    }
    die "can't make a scratch directory in $parent\n";
}

# Makes a scratch directory for each copy, where it is not there yet; returns their paths.
sub make_copies_scratch {
    my ($scratch, $copies) = @_;
    my @paths = map { "$scratch/copy$_" } 1 .. $copies;
    for my $path (@paths) { mkdir $path, 0700 or $! == EEXIST or die "can't make directory $path: $!\n" }
    return \@paths;
}

# Removes what copies have left in their scratch directories and empties the files beside those; they serve
# again in the next pass.
sub clear_copies_scratch {
    my ($scratch) = @_;
    opendir my $directory, $scratch or return;
    for my $name (grep { !/\A[.]{1,2}\z/ } readdir $directory) {
        my $path = "$scratch/$name";
        next if -l $path ? unlink $path : truncate $path, 0;
        File::Path::remove_tree($path, { keep_root => 1, error => \my $unused });
    }
    closedir $directory;
    return;
}

# Removes a directory with its content.
sub remove {
    my ($path) = @_;
    File::Path::remove_tree($path, { error => \my $unused });
    return;
}

sub _replace {
    my ($base) = @_;
    for my $path (map { "$base$_" } @SUFFIXES) {
        unlink $path or $! == ENOENT or die "can't write $path: $!\n";
    }
    my $log = _new_file("$base.log") or die "can't write $base.log: $!\n";
    return ($base, $log);
}

sub _new_file {
    my ($path) = @_;
    sysopen my $file, $path, O_CREAT | O_EXCL | O_WRONLY, 0666 or return;
    binmode $file;
    return $file;
}

1;
