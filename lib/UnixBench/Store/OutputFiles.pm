package UnixBench::Store::OutputFiles;

# The files of a result, which have a path in common, the base: their names, and how they are made, moved and removed.
# No link is followed.

use strict;
use warnings;

use Errno          qw(EEXIST ENOENT EPERM);
use Fcntl          qw(O_APPEND O_CREAT O_EXCL O_RDWR);
use File::Basename qw(dirname);
use IO::Handle     ();

use UnixBench::Base::Result qw(@SUFFIXES);

use constant OWNER => 4;    # of the values that stat returns

# Takes a base; returns whether any file of such a result exists.
sub is_used {
    my ($base) = @_;
    return scalar grep { -e || -l } _all($base);
}

# Takes a base; returns whether any file of such a result exists besides log and journal.
sub has_reports {
    my ($base) = @_;
    return scalar grep { -e || -l } reports($base);
}

# Takes a base; returns the paths that the files of such a result may have, without log and journal.
sub reports {
    my ($base) = @_;
    return grep { $_ ne "$base.journal" && $_ ne "$base.log" } _all($base);
}

# Takes a base and whether an earlier result has that name; returns the path of the log while the run lasts.
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

# Takes a path; makes that file and returns a handle to write to and to read from, or nothing if it exists. Dies if it
# can't be made.
sub created {
    my ($path) = @_;
    if (sysopen my $file, $path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0666) {
        binmode $file;
        return $file;
    }
    return if $! == EEXIST;
    die "can't write $path: $!\n";
}

# Takes a path; does the same, but dies if the file exists.
sub new_file {
    my ($path) = @_;
    my $file = created($path);
    return $file if $file;
    local $! = EEXIST;
    die "can't write $path: $!\n";
}

# Takes a base; removes what earlier runs have left of reports that were not finished. Dies if that fails.
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

# Takes a path and another one; renames the file, and replaces one of that name. Dies if that fails.
sub replace {
    my ($from, $to) = @_;
    rename $from, $to or die "can't write $to: $!\n";
    return;
}

# Takes a path and another one; renames the file if that name is free, even if another program takes the name at the
# same moment: only file systems without hard links can't prevent that. Returns whether it did.
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
