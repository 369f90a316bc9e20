package UnixBench::Store::OutputFiles;

# The files of a result: their names, and functions that create, move and remove them. The base is their common path,
# without a suffix. Symbolic links are not followed.

use strict;
use warnings;

use Errno          qw(EEXIST ENOENT EPERM);
use Fcntl          qw(O_APPEND O_CREAT O_EXCL O_RDWR);
use File::Basename qw(dirname);
use IO::Handle     ();

use UnixBench::Base::Result qw(@SUFFIXES);

use constant OWNER => 4;    # an index in the list that stat returns

# Takes a base; returns whether any file with this base exists.
sub is_used {
    my ($base) = @_;
    return scalar grep { -e || -l } _all($base);
}

# Takes a base; returns whether any of its files exists, apart from the log and the journal.
sub has_reports {
    my ($base) = @_;
    return scalar grep { -e || -l } reports($base);
}

# Takes a base; returns the paths that its files may have, without the log and the journal.
sub reports {
    my ($base) = @_;
    return grep { $_ ne "$base.journal" && $_ ne "$base.log" } _all($base);
}

# Takes a base and whether an earlier result has this name; returns the path of the log during the run.
sub log_path {
    my ($base, $is_replacing) = @_;
    return "$base.log" . ($is_replacing ? '.new' : q{});
}

# Takes a directory; returns the names of the unfinished runs in it.
sub unfinished {
    my ($directory) = @_;
    opendir my $names, $directory or return;
    my @unfinished = sort map { /\A(.+)[.]journal\z/s ? $1 : () } readdir $names;
    closedir $names;
    return @unfinished;
}

# Takes a path; creates the file and returns a handle for reading and appending, or nothing if the file exists. Dies if
# it can't be created.
sub created {
    my ($path) = @_;
    if (sysopen my $file, $path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0666) {
        binmode $file;
        return $file;
    }
    return if $! == EEXIST;
    die "can't write $path: $!\n";
}

# Takes a path; creates the file and returns its handle. Dies if the file exists or can't be created.
sub new_file {
    my ($path) = @_;
    my $file = created($path);
    return $file if $file;
    local $! = EEXIST;
    die "can't write $path: $!\n";
}

# Takes a base; removes unfinished reports that earlier runs have left. Dies if that fails.
sub remove_unpublished {
    my ($base) = @_;
    remove("$_.new") for _all($base);
    return;
}

# Takes a path; removes the file if it exists. Dies if that fails.
sub remove {
    my ($path) = @_;
    unlink $path or $! == ENOENT or die "can't write $path: $!\n";
    return;
}

# Takes an old and a new path; renames the file and replaces an earlier file at the new path. Dies if that fails.
sub replace {
    my ($from, $to) = @_;
    rename $from, $to or die "can't write $to: $!\n";
    return;
}

# Takes an old and a new path; renames the file if there is no file at the new path. Returns whether it did. A file that
# another program creates there at the same moment is not replaced, except on file systems without hard links.
sub has_moved {
    my ($from, $to) = @_;
    return unlink $from if link $from, $to;
    return $! != EEXIST && !-e $to && rename $from, $to;
}

# Takes a base; dies if it is already clear that one of its files can't be replaced.
sub check_replaceable {
    my ($base)  = @_;
    my ($taken) = grep { -d && !-l } map { ($_, "$_.new") } _all($base);
    die "can't write $taken: it is a directory\n" if defined $taken;
    my $directory = dirname($base);
    return if $> == 0 || !-k $directory || (stat _)[OWNER] == $>;
    my ($foreign) = grep { ((lstat)[OWNER] // $>) != $> } _all($base);
    local $! = EPERM;
    die "can't write $foreign: $!\n" if defined $foreign;
    return;
}

sub _all {
    my ($base) = @_;
    return ($base, map { "$base$_" } @SUFFIXES);
}

1;
