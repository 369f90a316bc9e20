package UnixBench::Base::Files;

# Handles files and directories safely. No reader sees a half-written file. A file that the user has named is read
# within a limit of size and time. A directory that other users could replace is found.

use strict;
use warnings;

use Cwd            ();
use Errno          qw(EACCES EAGAIN EBUSY EFBIG EINTR EISDIR ENOENT);
use Fcntl          qw(O_CREAT O_EXCL O_NONBLOCK O_RDONLY O_TRUNC O_WRONLY S_ISDIR);
use File::Basename qw(basename dirname);
use File::Path     ();
use IO::Handle     ();

use UnixBench::Base::Text qw(clean);

use constant FOR_GROUP => 0775;    # mode of new directories, less the umask: other users never get write access
use constant { MB => 1_048_576, PIECE => 65_536, SILENT_MOST_S => 60 };

# For the check whether other users could replace a directory.
use constant {
    LINKS_MOST => 40,      # in a path; the same limit as in the kernel
    BY_ALL     => 0002,
    BY_GROUP   => 0020,
    STICKY     => 01000,
    MODE       => 2,       # index in the list that stat returns, as are the next two
    OWNER      => 4,
    GROUP      => 5,
};

# Takes a path. Makes the directory and its missing parents. Dies if that fails, or if the directory is not writable.
sub make_directory {
    my ($path) = @_;
    File::Path::make_path($path, { mode => FOR_GROUP, error => \my $errors });
    my ($why) = map { values %$_ } @$errors;
    die "can't make directory $path: $why\n" if defined $why;
    return if -w $path;
    local $! = EACCES;
    die "can't write to directory $path: $!\n";
}

# Takes a path and a text. The text may be a function: it gets another function, to which it passes the pieces of the
# text. Writes the file under the name "<path>.new", then renames it, so that it is replaced as a whole. Dies if that
# fails.
sub write_whole {
    my ($path, $text) = @_;
    return _die_of($path, _why_not_whole($path, $text, "$path.new"));
}

# Takes the same. Writes only "<path>.new", which the caller renames later. Dies if that fails.
sub write_new {
    my ($path, $text) = @_;
    return _die_of($path, _why_not_new($text, "$path.new"));
}

# Takes a path. Dies with one line if write_to() can't write to it.
sub check_writable {
    my ($path) = @_;
    _refuse_fifo($path);
    return _die_of($path, _why_not_writable($path));
}

# Takes a path. Returns whether it is that of a FIFO, a pipe in a file system. It could take forever to open it. A pipe
# that this program has inherited has a path, too, such as /dev/stdout or /dev/fd/63 of a shell's <(COMMAND). It is
# open, so it is not a FIFO here.
sub is_fifo {
    my ($path) = @_;
    return -p $path && $path !~ m{\A/(?:dev/(?:fd/[0-9]+|std(?:in|out|err))|proc/(?:self|[0-9]+)/fd/[0-9]+)\z};
}

sub _refuse_fifo {
    my ($path) = @_;
    die "can't write " . clean($path) . ": it is a pipe (FIFO); give a file\n" if is_fifo($path);
    return;
}

# Takes a path. Returns a text that is the same for all paths that lead to one file, even if the file does not exist.
sub identity {
    my ($path) = @_;
    my ($device, $inode) = stat $path;
    return "$device:$inode" if defined $inode;
    ($device, $inode) = stat dirname($path);
    return defined $inode ? "$device:$inode/" . basename($path) : $path;
}

# Takes the path of a file that the user has named, and a text. Replaces a plain file as a whole. Writes directly into a
# device, a mount point or the target of a link, or if the directory is not writable. Dies if that fails.
sub write_to {
    my ($path, $text) = @_;
    _refuse_fifo($path);
    if (-w dirname($path) && !-l $path && (!-e $path || -f _)) {
        my $why_not = _why_not_whole($path, $text, _own_new($path));
        return _die_of($path, $why_not) if $why_not != EBUSY;
    }
    my $is_open    = sysopen my $file, $path, O_CREAT | O_WRONLY | O_TRUNC, 0666;
    my $is_written = $is_open && put($file, $text) && close $file;
    return _die_of($path, $is_written ? 0 : $! + 0);
}

# The next three subs return the number of an error, or 0 on success.
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

# Makes and removes a file to find out whether the path is writable. Modes and links alone do not show that.
sub _why_not_writable {
    my ($path) = @_;
    return EISDIR if $path =~ m{/\z} || -d $path;
    return -w _ ? 0 : EACCES if stat $path;
    my $target = $! != ENOENT ? undef : -l $path ? Cwd::abs_path($path) : $path;
    return $! + 0 if !defined $target;
    my $new = _own_new($target);
    return _new_file($new) && unlink($new) ? 0 : $! + 0;
}

# Returns a name for a temporary file that differs from the names of the user's files.
sub _own_new {
    my ($path) = @_;
    return "$path.$$.new";
}

sub _die_of {
    my ($path, $error) = @_;
    return if $error == 0;
    die "can't write " . clean($path) . q{: } . reason($error) . "\n";
}

# Takes the number of an error. Returns its text. For a file that is too large, the text includes the remedy.
sub reason {
    my ($error) = @_;
    local $! = $error;
    return $error == EFBIG ? "$!: raise the limit on file sizes (ulimit -f)" : "$!";
}

# Takes an open file, and a text or a function as write_whole() does. Writes the text to the disk. Returns whether that
# worked, else sets $!. It bypasses Perl's buffer, because Perl would print a warning of its own.
sub append {
    my ($file, $text) = @_;
    return put($file, $text) && $file->sync;
}

# Does the same, but does not wait for the disk.
sub put {
    my ($file, $source) = @_;
    return _written($file, $source) if !ref $source;
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

# Takes a path. Returns the text of that file, or undef if it can't be read, or is a FIFO.
sub content {
    my ($path) = @_;
    return if is_fifo($path);
    open my $file, '<:raw', $path or return;
    local $/ = undef;
    my $text = readline $file;
    close $file;
    return $text;
}

# Takes a path, and a function that takes the first bytes of the file (64 KB at most) and returns its size limit in MB.
# Returns the file's text as bytes. Dies with one line if the file can't be read, is a device or a FIFO, or is larger
# than the limit. The same happens if it is a pipe of the caller that sends nothing for a minute.
sub text_within {
    my ($path, $limit_mb) = @_;
    my $file = _opened($path);
    my $text = q{};
    _read($path, $file, \$text) or return $text;
    my $most_mb = $limit_mb->($text);
    _check_size($path, $most_mb, -f $file ? -s _ : 0);
    _check_size($path, $most_mb, length $text) while _read($path, $file, \$text);
    return $text;
}

# Opens a file without waiting. Otherwise it could take forever to read some files of the kernel.
sub _opened {
    my ($path) = @_;
    _refuse_to_read($path, 'it is a pipe (FIFO); give a file') if is_fifo($path);
    my $is_open = sysopen my $file, $path, O_RDONLY | O_NONBLOCK;
    local $! = EISDIR if $is_open && -d $file;
    _refuse_to_read($path, "$!") if !$is_open                         || -d $file;
    _refuse_to_read($path, 'it is a device; give a file') if -c $file || -b _;
    binmode $file;
    return $file;
}

# Appends the next bytes to the text. Returns their number, 0 at the end.
sub _read {
    my ($path, $file, $text) = @_;
    my $is_pipe = -p $file;
    while (1) {
        _await($path, $file) if $is_pipe;
        my $size = sysread $file, $$text, length $$text ? MB : PIECE, length $$text;
        return $size if defined $size;
        _refuse_to_read($path, "$!") if $! != EINTR && !($is_pipe && $! == EAGAIN);
    }
    return;
}

sub _await {
    my ($path, $file) = @_;
    return if has_something($file, SILENT_MOST_S);
    _refuse_to_read($path, 'this pipe sent nothing for ' . SILENT_MOST_S . ' s; give a file');
    return;
}

# Takes a pipe and a number of seconds. Waits at most that long for something to read, or for the end of the pipe.
# Returns whether one of these happened.
sub has_something {
    my ($file, $seconds) = @_;
    my $is_readable = q{};
    vec($is_readable, fileno $file, 1) = 1;
    return 0 != select $is_readable, undef, undef, $seconds;
}

sub _check_size {
    my ($path, $most_mb, $size) = @_;
    _refuse_to_read($path, "it is larger than $most_mb MB, the limit for such a file") if $size > $most_mb * MB;
    return;
}

sub _refuse_to_read {
    my ($path, $why) = @_;
    die "can't read " . clean($path) . ": $why\n";
}

# Takes a directory. Writes its list of names to the disk, if the system can do that. Otherwise a new file could lose
# its name in a crash.
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

# Takes an absolute path and that of the suite. Returns in words why other users could replace files in the first path,
# or nothing if they can't. Trusted users are root, the caller, and the owners of the suite and of the directories above
# it. Trusted groups are those of the caller, and those that may write to these directories: they could replace the
# suite as well. Directories that do not exist yet are ignored.
sub danger {
    my ($path, $home) = @_;
    my @home       = grep { @$_ } map { [lstat] } _way_to($home);
    my %is_trusted = (
        users  => { map { $_ => 1 } 0, $<, $>, map { $_->[OWNER] } @home },
        groups =>
            { map { $_ => 1 } 0, split(q{ }, "$( $)"), map { $_->[GROUP] } grep { _is_for_group($_->[MODE]) } @home },
    );
    my ($danger) = map { _danger($_, \%is_trusted) // () } _way_to($path);
    return $danger;
}

# Takes the scratch directory and the path of the suite. Dies with one line if other users could replace files there.
sub check_scratch {
    my ($path, $home) = @_;
    my $danger = danger($path, $home) // return;
    die "scratch files are not safe in $path: $danger; choose another directory by UB_TMPDIR\n";
}

# Returns the existing directories and links on the way to a path, from the top.
sub _way_to {
    my ($path) = @_;
    my @ahead = _names_of($path);
    my ($here, $links, @way) = (q{}, 0, q{/});
    while (@ahead) {
        my $name = shift @ahead;
        my $next = $name eq q{..} ? $here =~ s{/[^/]*\z}{}r : "$here/$name";
        push @way, $next;
        my $target = $name eq q{..} ? undef : readlink $next;
        if (!defined $target) { $here = $next }
        else {
            last if ++$links > LINKS_MOST;
            $here = q{} if $target =~ m{\A/};
            unshift @ahead, _names_of($target);
        }
    }
    return @way;
}

# Returns why an existing directory or link is not trusted, or undef.
sub _danger {
    my ($path, $is_trusted) = @_;
    my ($mode, $owner, $group) = (lstat $path)[MODE, OWNER, GROUP];
    return if !defined $owner;
    return clean($path) . ' belongs to ' . _user($owner) if !$is_trusted->{users}{$owner};
    return if !-d _ || $mode & STICKY;
    return clean($path) . ' can be written to by all users' if $mode & BY_ALL;
    return if !_is_for_group($mode) || $is_trusted->{groups}{$group};
    return clean($path) . ' can be written to by ' . _group($group);
}

# Takes a mode. Returns whether it is the mode of a directory that a group may write to. Links are ignored, because all
# their bits are set.
sub _is_for_group {
    my ($mode) = @_;
    return S_ISDIR($mode) && $mode & BY_GROUP;
}

sub _user {
    my ($number) = @_;
    my $name = getpwuid $number;
    return defined $name ? "the user $name" : "the user with the number $number";
}

sub _group {
    my ($number) = @_;
    my $name = getgrgid $number;
    return defined $name ? "the group $name" : "the group with the number $number";
}

sub _names_of {
    my ($path) = @_;
    return grep { length && $_ ne q{.} } split m{/}, $path;
}

1;
