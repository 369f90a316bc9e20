package UnixBench::Store::JournalFile;

# The file of a journal: private, and locked while its Run, or the guardian that cleans up after it, is alive. No link
# is followed.

use strict;
use warnings;

use Cwd            ();
use Errno          qw(ELOOP EPERM EWOULDBLOCK);
use Fcntl          qw(LOCK_EX LOCK_NB O_APPEND O_CREAT O_EXCL O_NOFOLLOW O_RDWR);
use File::Basename qw(basename dirname);
use Time::HiRes    ();

use constant {
    PRIVATE  => 0600, # whatever the umask: a user who can open it can lock it, and one who can write to it controls Run
    WRITABLE => 0022, # bits of a mode: for others than its owner
    CLEANING_S => 5,      # a guardian needs less to end the processes of a killed Run
    LOOK_S     => 0.05,
    MODE       => 2,      # of what stat returns, as are the next two
    LINKS      => 3,
    OWNER      => 4,
};

# Takes the base of a result's files. Opens and locks the journal of an unfinished run, which must be the user's own,
# since it controls its reader. Returns a handle for reading and appending. Dies if there is none, if others can change
# it, or if its Run is alive.
sub opened {
    my ($base) = @_;
    my $path = "$base.journal";
    sysopen my $journal, $path, O_RDWR | O_APPEND | O_NOFOLLOW or die _why_not_opened($path);
    binmode $journal;
    my $why_not = _why_not_trusted($journal, $path);
    die $why_not if defined $why_not;
    _lock($journal, $base);
    die "there is no $path: that run has just been finished\n" if !is_at($journal, $path);
    chmod PRIVATE, $journal;
    return $journal;
}

# Takes the same. Opens the journal, or makes it, and locks it. Returns its handle, or nothing when it was removed
# meanwhile, or had other names and was removed for that. Dies when it can't be written or its Run is alive.
sub taken {
    my ($base) = @_;
    my $path = "$base.journal";
    sysopen my $journal, $path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE or die "can't write $path: $!\n";
    binmode $journal;
    my ($links, $owner) = (stat $journal)[LINKS, OWNER];
    die "$path belongs to somebody else\n" if $owner != $>;
    die "$path is no file\n" if !-f _;
    _lock($journal, $base);
    return if !is_at($journal, $path);
    return $journal if $links == 1 && chmod PRIVATE, $journal;
    unlink $path;
    return;
}

# Takes the same. Makes a new journal and locks it. Returns its handle, or nothing when there is one, or it can't be
# made: then $! says why.
sub created {
    my ($base) = @_;
    sysopen my $journal, "$base.journal", O_RDWR | O_APPEND | O_CREAT | O_EXCL, PRIVATE or return;
    binmode $journal;
    chmod PRIVATE, $journal;
    _lock($journal, $base);
    return $journal;
}

# Returns the text of a journal or a log that is open for reading, also when it has no name any more.
sub text_of {
    my ($journal) = @_;
    seek $journal, 0, 0;
    local $/ = undef;
    return readline $journal // q{};
}

# Returns whether a path, of which the last part is no link, leads to the file that is open. Some file systems number
# the same file anew: then Linux knows its path.
sub is_at {
    my ($file, $path) = @_;
    my @there = lstat $path or return 0;
    my @here  = stat $file;
    return 1 if $here[0] == $there[0] && $here[1] == $there[1];
    my $directory = Cwd::abs_path(dirname($path)) // return 0;
    return (path_of($file) // q{}) eq $directory . q{/} . basename($path) ? 1 : 0;
}

# Returns the path that a file has that is open, or undef where the system can't tell.
sub path_of { my ($file) = @_; return readlink '/proc/self/fd/' . fileno $file }

# Returns how many names a file has that is open.
sub names_of { my ($file) = @_; return (stat $file)[LINKS] }

sub _why_not_opened {
    my ($path) = @_;
    return "$path is a link: it would be followed to somebody's file\n" if $! == ELOOP;
    return "can't go on from $path: $!\n";
}

# A user who can change it, or a file that has it as a second name, decides which programs are run.
sub _why_not_trusted {
    my ($journal, $path) = @_;
    my ($mode, $links, $owner) = (stat $journal)[MODE, LINKS, OWNER];
    return "$path belongs to somebody else\n" if $owner != $>;
    return "$path is no file\n" if !-f _;
    return "$path can be changed by others: look at what it says, then chmod 600 it\n" if $mode & WRITABLE;
    return "$path has a second name (a hard link): put a copy in its place\n" if $links > 1;
    return;
}

# Waits a little for a guardian that is still cleaning up. File systems without locks are accepted.
sub _lock {
    my ($journal, $base) = @_;
    for (1 .. CLEANING_S / LOOK_S) {
        return if flock($journal, LOCK_EX | LOCK_NB) || $! != EWOULDBLOCK;
        Time::HiRes::sleep(LOOK_S);
    }
    my ($pid) = reverse text_of($journal) =~ /^[{]"(?:head|resumed)".*?"pid":([0-9]+)/mg;
    die "process $pid that wrote $base.journal has ended, but another holds its lock: end that (fuser tells which)\n"
        if defined $pid && !kill(0, $pid) && $! != EPERM;
    my $who = defined $pid ? "another Run (process $pid)" : 'another Run';
    die "$who is measuring and writing $base: wait for its end, or choose another name\n";
}

1;
