package UnixBench::Base::Files;

# Handles files and directories safely. All files that the suite reads and writes go through these functions, apart from
# the files of a run in progress (UnixBench::Store::OutputFiles):
#
#   text_within, content, opened_plain  read a file, within a limit of size, and without waiting for it
#   write_to                            write a file that the user has named
#   write_whole, write_new              write a file of the suite; no reader sees a half-written one
#
# A new file is written under a temporary name, which no file of the user has, and which is removed if a signal ends the
# program.

use strict;
use warnings;

use Cwd            ();
use Errno          qw(EACCES EAGAIN EBUSY EEXIST EFBIG EINTR EISDIR ENOENT EPERM);
use Fcntl          qw(O_APPEND O_CREAT O_EXCL O_NONBLOCK O_RDONLY O_RDWR O_TRUNC O_WRONLY);
use File::Basename qw(basename dirname);
use File::Path     ();
use IO::Handle     ();
use POSIX          ();

use UnixBench::Base::Halt       ();
use UnixBench::Base::OtherUsers qw(user_in_words);
use UnixBench::Base::Text       qw(clean);

use constant FOR_GROUP => 0775;    # mode of new directories, less the umask: other users never get write access
use constant { MB         => 1_048_576, PIECE => 65_536, SILENT_MOST_S => 60 };
use constant { CONTENT_MB => 64, NAME_MOST    => 255,    NEW_MOST => 99 }; # NAME_MOST: bytes; the system has this limit

use constant {
    LINKS_MOST => 40,                                                      # in a path; the same limit as in the kernel
    OWNER      => 4,                                                       # place in the list that stat returns
};

# Takes a path. Makes the directory and its missing parents. Dies if that fails, or if the directory is not writable.
sub make_directory {
    my ($path) = @_;
    File::Path::make_path($path, { mode => FOR_GROUP, error => \my $errors });
    my ($at, $why) = map { %$_ } @$errors;
    die join(': ', "can't make directory $path", (grep { length && $_ ne $path } $at), $why) . "\n" if defined $why;
    local $! = _why_not_replaceable($path) or return;
    die "can't write to directory $path: $!\n";
}

# Takes a path and a text. The text may be a function: it gets another function, to which it passes the pieces of the
# text. Writes the file under a temporary name, then renames it, so that it is replaced as a whole. Dies if that fails.
sub write_whole {
    my ($path, $text) = @_;
    return _die_of($path, _why_not_whole($path, $text));
}

# Takes a path and a text, as write_whole() does; writes only the file with the temporary name, which the caller renames
# later, and returns its path. Dies if that fails.
sub write_new {
    my ($path,    $text) = @_;
    my ($why_not, $new)  = _why_not_new($path, $text);
    _die_of($path, $why_not);
    return $new;
}

# Takes a path. Creates a file in the same directory with the temporary name "<path>.<PID>.new"; returns its handle, for
# reading and appending, and its path. Returns nothing if it can't be created: then $! has the reason. It follows no
# link, and a file of the user is never taken for it.
sub new_beside {
    my ($path) = @_;
    my ($directory, $name) = $path =~ m{\A(.*/)?(.*)\z}s;
    for my $number (0 .. NEW_MOST) {
        my $end = ".$$" . ($number ? "-$number" : q{}) . '.new';
        my $new = ($directory // q{}) . substr($name, 0, NAME_MOST - length $end) . $end;
        if (sysopen my $file, $new, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0666) {
            binmode $file;
            return ($file, $new);
        }
        last if $! != EEXIST;
    }
    return;
}

# Takes the name of a file. Returns the number of the process that has made it, if it is a temporary name, or undef.
sub maker_of {
    my ($name) = @_;
    return $name =~ /[.]([0-9]+)(?:-[0-9]+)?[.]new\z/ ? $1 : undef;
}

# Takes a path. Dies with one line if write_to() can't write to it.
sub check_writable {
    my ($path) = @_;
    _refuse_special($path);
    return _die_of($path, _why_not_writable($path));
}

# Takes a path. Returns whether it is that of a FIFO, a pipe in a file system. It could take forever to open it. A pipe
# that this program has inherited has a path, too, such as /dev/stdout or /dev/fd/63 of a shell's <(COMMAND). It is
# open, so it is not a FIFO here.
sub is_fifo {
    my ($path) = @_;
    return -p $path && $path !~ m{\A/(?:dev/(?:fd/[0-9]+|std(?:in|out|err))|proc/(?:self|[0-9]+)/fd/[0-9]+)\z};
}

# Dies if the path leads to something that is not written to, or if it is a link of another user, who chooses its
# target.
sub _refuse_special {
    my ($path)   = @_;
    my $owner    = -l $path ? (lstat $path)[OWNER] : 0;
    my $is_other = $owner && $owner != $>;
    my $why =
          is_fifo($path) ? 'it is a pipe (FIFO); give a file'
        : -S $path       ? 'it is a socket; give a file'
        : -b _           ? 'it is a disk; give a file'
        : $is_other      ? 'it is a symbolic link of ' . user_in_words($owner) . '; remove it, or name its target'
        :                  return;
    die "can't write " . clean($path) . ": $why\n";
}

# Takes a path. Returns a text that is the same for all paths that lead to one file, even if the file does not exist.
sub identity {
    my ($path) = @_;
    my ($device, $inode) = stat $path;
    return "$device:$inode" if defined $inode;
    $path = target_of($path);
    ($device, $inode) = stat dirname($path);
    return defined $inode ? "$device:$inode/" . basename($path) : $path;
}

# Takes a path. Returns the path of the file to which its links lead, also if there is none.
sub target_of {
    my ($path) = @_;
    for (1 .. LINKS_MOST) {
        my $target = readlink $path // return $path;
        $path = $target =~ m{\A/} ? $target : dirname($path) . "/$target";
    }
    return $path;
}

# Takes the path of a file that the user has named, and a text. Replaces a plain file as a whole. Writes directly into a
# device, a mount point or the target of a link, or if the directory is not writable. Dies if that fails.
sub write_to {
    my ($path, $text) = @_;
    _refuse_special($path);
    if (-w dirname($path) && !-l $path && (!-e $path || -f _)) {
        my $why_not = _why_not_whole($path, $text);
        return _die_of($path, $why_not) if $why_not != EBUSY;
    }
    my $is_open    = sysopen my $file, $path, O_CREAT | O_WRONLY | O_TRUNC, 0666;
    my $is_written = $is_open && put($file, $text) && close $file;
    return _die_of($path, $is_written ? 0 : $! + 0);
}

sub _why_not_whole {
    my ($path,    $text) = @_;
    my ($why_not, $new)  = _why_not_new($path, $text, sub { rename $_[0], $path });
    return $why_not;
}

# Returns the number of an error, or 0, and the path of the temporary file. Removes the file after an error, and if a
# signal ends the program meanwhile.
sub _why_not_new {
    my ($path, $text, $finish) = @_;
    my ($new, $signal);
    my $end = sub {
        $signal = $_[0];
        return if !defined $new;
        unlink $new;
        $SIG{$signal} = 'DEFAULT';    ## no critic (RequireLocalizedPunctuationVars)
        kill $signal, $$;
    };
    my @ending = grep { ($SIG{$_} || 'DEFAULT') eq 'DEFAULT' } UnixBench::Base::Halt::deadly_signals();
    local @SIG{@ending} = ($end) x @ending;
    (my $file, $new) = new_beside($path);
    my $why_not = $! + 0;
    $new //= q{};
    $end->($signal) if $signal;
    return ($why_not, $new) if !$file;
    my $is_done = eval { append($file, $text) && close $file && (!$finish || $finish->($new)) ? 1 : 0 };
    return (0, $new) if $is_done;
    my $error = $@;
    $why_not = $! + 0;
    unlink $new;
    die $error if !defined $is_done;
    return $why_not;
}

# Makes and removes a file to find out whether the path is writable. Modes and links alone do not show that.
sub _why_not_writable {
    my ($path) = @_;
    return EISDIR if $path =~ m{/\z} || -d $path;
    return _why_not_replaceable($path) if stat $path;
    my $target = $! != ENOENT ? undef : -l $path ? Cwd::abs_path($path) : $path;
    return $! + 0 if !defined $target;
    return (_why_not_new($target, q{}, sub { unlink $_[0] }))[0];
}

# Takes the path of a file, or of a directory to write to. Returns why it can't be written or replaced, the number of an
# error, or 0. For root, modes do not show a file system that is read-only. In a directory such as /tmp, only its owner
# may replace a file.
sub _why_not_replaceable {
    my ($path) = @_;
    return EACCES if !-w $path;
    return $! + 0 if $< == $> && !POSIX::access($path, POSIX::W_OK());
    my $place = dirname($path);
    return 0 if -l $path || !-f $path || !-w $place || !-k $place || !$>;
    return (grep { (stat)[OWNER] == $> } $path, $place) ? 0 : EPERM;
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

# Takes a path, and perhaps a limit in MB. Returns the text of that file as bytes, or undef if it can't be read, is not
# a plain file, or is larger than the limit.
sub content {
    my ($path, $most_mb) = @_;
    my $file = opened_plain($path) or return;
    my $most = ($most_mb // CONTENT_MB) * MB;
    my $text = q{};
    return if -s $file > $most;
    while (1) {
        my $size = sysread $file, $text, length $text ? MB : PIECE, length $text;
        return if !defined $size && $! != EINTR || length $text > $most;
        last if defined $size && !$size;
    }
    close $file;
    return $text;
}

# Takes a path. Opens that file for reading, without waiting; returns its handle, or nothing if it can't be opened, or
# is not a plain file.
sub opened_plain {
    my ($path) = @_;
    return if $path =~ /\0/ || !sysopen my $file, $path, O_RDONLY | O_NONBLOCK;
    return if !-f $file;
    binmode $file;
    return $file;
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
    _refuse_to_read($path, 'it is a socket; give a file') if -S $path;
    my $is_open = sysopen my $file, $path, O_RDONLY | O_NONBLOCK;
    local $! = EISDIR if $is_open && -d $file;
    _refuse_to_read($path, "$!") if !$is_open                         || -d $file;
    _refuse_to_read($path, 'it is a device; give a file') if -c $file || -b _;
    binmode $file;
    return $file;
}

sub _read {
    my ($path, $file, $text) = @_;
    my $is_pipe = -p $file;
    while (1) {
        _refuse_to_read($path, 'this pipe sent nothing for ' . SILENT_MOST_S . ' s; give a file')
            if $is_pipe && !has_something($file, SILENT_MOST_S);
        my $size = sysread $file, $$text, length $$text ? MB : PIECE, length $$text;
        return $size if defined $size;
        _refuse_to_read($path, "$!") if $! != EINTR && !($is_pipe && $! == EAGAIN);
    }
    return;
}

# Takes a path; returns the names in that directory in alphabetical order, without "." and "..". If it can't be read, it
# has none.
sub names_in {
    my ($path) = @_;
    opendir my $names, $path or return;
    my @names = sort grep { !/\A[.]{1,2}\z/ } readdir $names;
    closedir $names;
    return @names;
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

1;
