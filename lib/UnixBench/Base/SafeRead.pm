package UnixBench::Base::SafeRead;

# Reads a file that the user has named: within a limit of size and time, in UTF-8 or UTF-16.

use strict;
use warnings;

use Errno qw(EAGAIN EINTR EISDIR);
use Fcntl qw(O_NONBLOCK O_RDONLY);

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(clean);

use constant { MB => 1_048_576, PIECE => 65_536, SILENT_MOST_S => 60 };

# The first high and the first low surrogate of UTF-16, the code point after them, and the replacement for half of a
# pair.
use constant { HIGH => 0xd800, LOW => 0xdc00, AFTER => 0xe000, REPLACEMENT => 0xfffd };

# Byte order mark => the template by which unpack reads the units after it.
my %UNITS = ("\xff\xfe" => 'v*', "\xfe\xff" => 'n*');

# Takes a path, and a function that takes the first bytes of the file (64 KB at most) and returns its size limit in MB.
# Returns the file's text as bytes. Dies with one line if the file can't be read, is a device or a FIFO, or is larger
# than the limit. The same happens if it is a pipe of the caller that sends nothing for a minute.
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

# Opens a file without waiting. Otherwise it could take forever to read some files of the kernel.
sub _opened {
    my ($path) = @_;
    _refuse($path, 'it is a pipe (FIFO); give a file') if UnixBench::Base::Files::is_fifo($path);
    my $is_open = sysopen my $file, $path, O_RDONLY | O_NONBLOCK;
    local $! = EISDIR if $is_open && -d $file;
    _refuse($path, "$!") if !$is_open                         || -d $file;
    _refuse($path, 'it is a device; give a file') if -c $file || -b _;
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
        _refuse($path, "$!") if $! != EINTR && !($is_pipe && $! == EAGAIN);
    }
    return;
}

sub _await {
    my ($path, $file) = @_;
    return if has_something($file, SILENT_MOST_S);
    _refuse($path, 'this pipe sent nothing for ' . SILENT_MOST_S . ' s; give a file');
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
    _refuse($path, "it is larger than $most_mb MB, the limit for such a file") if $size > $most_mb * MB;
    return;
}

sub _refuse {
    my ($path, $why) = @_;
    die "can't read " . clean($path) . ": $why\n";
}

# Takes a reference to bytes. Returns them as UTF-8 if they are UTF-16 with a byte order mark, else undef. Half of a
# surrogate pair becomes U+FFFD.
sub from_utf16 {
    my ($bytes) = @_;
    return if length $$bytes < 2;
    my $units = $UNITS{ substr $$bytes, 0, 2 } // return;
    my @units = unpack $units, substr $$bytes, 2;
    my $text  = q{};
    while (@units) {
        my $code    = shift @units;
        my $is_pair = $code >= HIGH && $code < LOW && @units && $units[0] >= LOW && $units[0] < AFTER;
        $code = 0x10000 + ($code - HIGH) * 0x400 + shift(@units) - LOW if $is_pair;
        $text .= chr($code >= HIGH && $code < AFTER ? REPLACEMENT : $code);
    }
    utf8::encode($text);
    return $text;
}

1;
