package UnixBench::Store::OutputFiles;

# The files of a result: their names, and functions that create, move and remove them. The base is their common path,
# without a suffix. Symbolic links are not followed. The journal is private. It is locked as long as its Run is alive,
# or the guardian that cleans up after this Run.

use strict;
use warnings;

use Cwd            ();
use Errno          qw(EEXIST ELOOP ENOENT EPERM EWOULDBLOCK);
use Fcntl          qw(LOCK_EX LOCK_NB LOCK_SH O_APPEND O_CREAT O_EXCL O_NOFOLLOW O_NONBLOCK O_RDONLY O_RDWR);
use File::Basename qw(basename dirname);

use UnixBench::Base::Files        ();
use UnixBench::Base::OtherUsers   ();
use UnixBench::Base::Result       qw(@SUFFIXES why_no_name);
use UnixBench::Base::ResultSchema ();

use constant {
    PRIVATE    => 0600,    # for any umask: a user who can open the file could lock it; one who can write controls Run
    WRITABLE   => 0022,    # bits of a mode: others than the owner can write
    CLEANING_S => 5,       # a guardian ends the processes of a killed Run in less time
    LOOK_S     => 0.05,    # between attempts to lock
    MODE       => 2,       # an index in the list that stat returns, as the next two
    LINKS      => 3,
    OWNER      => 4,
    MOST_MB    => 1024,
    HEAD_SIZE  => 64,
};

use constant HOME => Cwd::abs_path(dirname(__FILE__) . '/../../..');    # of the suite to which this file belongs

# Takes a path; returns its base, and its suffix or an empty string.
sub split_path {
    my ($path)   = @_;
    my ($suffix) = grep { length $path > length && substr($path, -length) eq $_ } @SUFFIXES;
    return defined $suffix ? (substr($path, 0, -length $suffix), $suffix) : ($path, q{});
}

# Takes a path; returns base and suffix of the existing file to which it leads if this is a file of a run: one with a
# journal, or with the log of one. Else returns nothing.
sub run_of {
    my ($path) = @_;
    my ($base, $suffix) = split_path(UnixBench::Base::Files::target_of($path));
    return if !-e $path;
    return -e "$base.journal" || _head("$base.log") =~ /\A\#{40}/ ? ($base, $suffix) : ();
}

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

# Takes the base of another state of a run. Returns whether it is that of a result of its own: a state has only a page
# and a log.
sub is_result {
    my ($base) = @_;
    return scalar grep { !/[.](?:html|log)\z/ && (-e || -l) } _all($base);
}

# Takes a base, and the suffixes of the other states of its run. Dies with one line if the run would replace another
# result.
sub check_states {
    my ($base, @suffixes) = @_;
    my ($taken) = grep { is_result($_) } map { "$base$_" } @suffixes;
    die "can't write $taken.html: $taken is another result; move it, or choose another name\n" if defined $taken;
    return;
}

# Takes a directory; returns the names of the unfinished runs in it.
sub unfinished {
    my ($directory) = @_;
    my @unfinished = sort map { /\A(.+)[.]journal\z/s ? $1 : () } UnixBench::Base::Files::names_in($directory);
    return @unfinished;
}

# Takes a directory; returns the names of the interrupted runs in it: the unfinished ones that no Run is writing.
sub interrupted {
    my ($directory) = @_;
    return grep { !_is_written("$directory/$_.journal") } unfinished($directory);
}

sub _is_written {
    my ($path) = @_;
    sysopen my $journal, $path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW or return 0;
    return !flock($journal, LOCK_SH | LOCK_NB) && $! == EWOULDBLOCK;
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

# Takes a path; creates a file with a temporary name in the same directory, and returns its handle and its path. Dies if
# that fails.
sub temporary {
    my ($path) = @_;
    my ($file, $new) = UnixBench::Base::Files::new_beside($path) or die "can't write $path: $!\n";
    return ($file, $new);
}

# Takes a base and its journal, which is locked. Removes the temporary files that the processes have left which wrote
# the journal. Dies if that fails.
sub remove_left {
    my ($base,      $journal) = @_;
    my ($directory, $name)    = (dirname($base), basename($base));
    my %is_writer = map { $_ => 1 } _writers($journal) or return;
    my $suffix    = join q{|}, map { quotemeta } @SUFFIXES;
    my @left      = grep { /\A\Q$name\E(?:-[a-z])?(?:$suffix)?[.][0-9]+(?:-[0-9]+)?[.]new\z/ }
        UnixBench::Base::Files::names_in($directory);
    remove("$directory/$_") for grep { $is_writer{ UnixBench::Base::Files::maker_of($_) } } @left;
    return;
}

sub _writers {
    my ($journal) = @_;
    return text_of($journal) =~ /^[{]"(?:head|resumed)".*?"pid":([0-9]+)/mg;
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
    my ($taken) = grep { -d && !-l } _all($base);
    die "can't write $taken: it is a directory\n" if defined $taken;
    my ($format) = _head("$base.json") =~ /\A[{]"format":"(unixbench[-a-z]*)"/;
    die "can't write $base.html: $base.json is not a result of Run; move both, or choose another name\n"
        if defined $format && $format ne UnixBench::Base::ResultSchema::FORMAT;
    my $directory = dirname($base);
    return if !-k $directory;
    my ($foreign) = grep { ((lstat)[OWNER] // $>) != $> } _all($base);
    local $! = EPERM;
    die "can't write $foreign: $!\n" if defined $foreign;
    return;
}

# Takes the path of a report that a new result does not have. Returns whether an earlier result had it, as JSON or CSV.
sub is_earlier {
    my ($path) = @_;
    return $path !~ /[.](?:json|csv)\z/
        || _head($path) =~ /\A(?:[{]"format":"${\UnixBench::Base::ResultSchema::FORMAT}"|"?Concurrency"?,)/;
}

sub _head {
    my ($path) = @_;
    my $file   = UnixBench::Base::Files::opened_plain($path);
    my $head   = q{};
    read $file, $head, HEAD_SIZE if $file;
    return $head;
}

sub _all {
    my ($base) = @_;
    return ($base, map { "$base$_" } @SUFFIXES);
}

# Takes a base. Opens and locks the journal of an unfinished run;
# returns a handle for reading and appending. Dies if there is no journal, if its Run is alive, or if another user owns
# it or can change it: a resumed run starts the programs that it names.
sub opened_journal {
    my ($base) = @_;
    my $path   = "$base.journal";
    my $why    = why_no_name(basename($base));
    die "can't resume $path: the name of a run must not $why; rename the journal\n" if defined $why;
    sysopen my $journal, $path, O_RDWR | O_APPEND | O_NOFOLLOW
        or die $! == ELOOP
        ? "$path is a symbolic link, which may lead to another file; remove it\n"
        : "can't resume $path: $!\n";
    binmode $journal;
    my $why_not = _why_not_trusted($journal, $path);
    die $why_not if defined $why_not;
    _lock($journal, $base);
    die "there is no $path: that run has just been finished\n" if !is_at($journal, $path);
    chmod PRIVATE, $journal;
    return $journal;
}

# Takes a base. Opens or creates the journal and locks it; returns its handle. Returns nothing if the journal was
# removed meanwhile. Also removes a journal that has a second name (a hard link) and returns nothing. Dies if the
# journal can't be written, belongs to another user, or if its Run is alive.
sub taken_journal {
    my ($base) = @_;
    my $path = "$base.journal";
    sysopen my $journal, $path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE or die "can't write $path: $!\n";
    binmode $journal;
    my ($links, $owner) = (stat $journal)[LINKS, OWNER];
    die "$path belongs to another user\n" if $owner != $>;
    die "$path is not a plain file\n" if !-f _;
    _lock($journal, $base);
    return if !is_at($journal, $path);
    return $journal if $links == 1 && chmod PRIVATE, $journal;
    unlink $path;
    return;
}

# Takes a base. Creates a new journal and locks it; returns its handle. Returns nothing if there is one already or if it
# can't be created: then $! has the reason.
sub created_journal {
    my ($base) = @_;
    sysopen my $journal, "$base.journal", O_RDWR | O_APPEND | O_CREAT | O_EXCL, PRIVATE or return;
    binmode $journal;
    chmod PRIVATE, $journal;
    _lock($journal, $base);
    return $journal;
}

# Takes an open journal or log; returns its text, even if the file has no name any more. Dies if it is too large for
# one.
sub text_of {
    my ($journal) = @_;
    die "the journal or log is larger than @{[MOST_MB]} MB, the limit for such a file\n" if -s $journal > MOST_MB << 20;
    seek $journal, 0, 0;
    local $/ = undef;
    return readline $journal // q{};
}

# Takes an open file and a path; returns whether the path leads to this file and is not itself a link. Some file systems
# change the number of an open file: then the path that Linux knows is compared.
sub is_at {
    my ($file, $path) = @_;
    my @there = lstat $path or return 0;
    my @here  = stat $file;
    return 1 if $here[0] == $there[0] && $here[1] == $there[1];
    my $directory = Cwd::abs_path(dirname($path)) // return 0;
    return (path_of($file) // q{}) eq $directory . q{/} . basename($path) ? 1 : 0;
}

# Takes an open file; returns its path, or undef if the system does not know it.
sub path_of { my ($file) = @_; return readlink '/proc/self/fd/' . fileno $file }

# Takes an open journal and its path; returns why it is not trusted, or nothing. A user who can change it, perhaps under
# a second name, decides which programs are run. Who can replace this suite decides that anyway.
sub _why_not_trusted {
    my ($journal, $path) = @_;
    my ($mode, $links, $owner) = (stat $journal)[MODE, LINKS, OWNER];
    return "$path belongs to another user\n" if $owner != $>;
    return "$path is not a plain file\n" if !-f _;
    return "$path can be changed by other users; check its contents, then chmod 600 it\n"
        if $mode & WRITABLE && !UnixBench::Base::OtherUsers::is_given_away($path, HOME);
    return "$path has a second name (a hard link); replace it with a copy\n" if $links > 1;
    return;
}

# Locks the journal; waits a little for a guardian that is still cleaning up. Dies if another process holds the lock.
# Accepts file systems without locks.
sub _lock {
    my ($journal, $base) = @_;
    for (1 .. CLEANING_S / LOOK_S) {
        return if flock($journal, LOCK_EX | LOCK_NB) || $! != EWOULDBLOCK;
        select undef, undef, undef, LOOK_S;
    }
    my ($pid) = reverse _writers($journal);
    die "process $pid, which wrote $base.journal, has ended, but another process has locked this file: "
        . "find it with fuser, and end it\n"
        if defined $pid && !kill(0, $pid) && $! != EPERM;
    my $who = defined $pid ? "another Run (process $pid)" : 'another Run';
    die "$who is measuring and writing $base: wait for its end, or choose another name\n";
}

1;
