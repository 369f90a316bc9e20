package UnixBench::Base::SafeRead;

# Reads a file that the user has named: never without end, and never more than a limit.

use strict;
use warnings;

use Errno qw(EAGAIN EINTR EISDIR);
use Fcntl qw(O_NONBLOCK O_RDONLY);

use UnixBench::Base::Format qw(clean);

use constant { MB => 1_048_576, PIECE => 65_536, SILENT_MOST_S => 60 };

# Takes a path, and a function from the first bytes of the file (64 KB at most) to the most MB that it may have; returns
# the file's text as bytes. Dies with one line when the file can't be read, is a device, is larger, or is a pipe from
# which nothing comes for a minute.
sub text {
    my ($path, $limit_mb) = @_;
    my $file = _opened($path);
    my $text = q{};
    _read($path, $file, \$text) or return $text;
    my $most_mb = $limit_mb->($text);
    _check_size($path, $most_mb, -f $file ? -s _ : 0);
    _check_size($path, $most_mb, length $text) while _read($path, $file, \$text);
    return $text;
}

# A pipe without a writer, and files of the kernel, would be waited for when they are opened or read.
sub _opened {
    my ($path)  = @_;
    my $is_open = sysopen my $file, $path, O_RDONLY | O_NONBLOCK;
    local $! = EISDIR if $is_open && -d $file;
    _refuse($path, "$!") if !$is_open                         || -d $file;
    _refuse($path, 'it is a device; give a file') if -c $file || -b _;
    binmode $file;
    return $file;
}

# Appends what can be read next; returns how many bytes that are, 0 at the end.
sub _read {
    my ($path, $file, $text) = @_;
    my $is_pipe = -p $file;
    while (1) {
        _await($path, $file) if $is_pipe;
        my $size = sysread $file, $$text, length $$text ? MB : PIECE, length $$text;
        return $size if defined $size;
        _refuse($path, "$!") if $! != EINTR && !($is_pipe && $! == EAGAIN);
    }
    return;
}

sub _await {
    my ($path, $file) = @_;
    return if has_something($file, SILENT_MOST_S);
    _refuse($path, 'nothing comes from this pipe (waited ' . SILENT_MOST_S . ' s); give a file');
    return;
}

# Takes a pipe and seconds; waits as long for something to read, or its end, and returns whether that has come.
sub has_something {
    my ($file, $seconds) = @_;
    my $is_readable = q{};
    vec($is_readable, fileno $file, 1) = 1;
    return 0 != select $is_readable, undef, undef, $seconds;
}

sub _check_size {
    my ($path, $most_mb, $size) = @_;
    _refuse($path, "it is larger than $most_mb MB, the limit for such a file") if $size > $most_mb * MB;
    return;
}

sub _refuse {
    my ($path, $why) = @_;
    die "can't read " . clean($path) . ": $why\n";
}

1;
