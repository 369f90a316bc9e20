package Picture;

# Pictures with a byte each of red, green and blue: reads dumps of xwd, saves them as PNG, changes and compares them.

use strict;
use warnings;

use Compress::Zlib ();

use constant {
    PNG    => "\x89PNG\r\n\x1a\n",
    FORM   => pack('C5', 8, 2, 0, 0, 0),    # eight bits, three colours, and nothing special
    UNLIKE => 40,                           # a pixel differs if a colour differs by more than this, of 255
};

# Takes width, height and the bytes of the colours of each pixel, row by row.
sub new {
    my ($class, $width, $height, $bytes) = @_;
    return bless { width => $width, height => $height, bytes => $bytes }, $class;
}

# Takes the path of a window dump of xwd; returns the picture. Dies if its format is not supported.
sub from_xwd {
    my ($class, $path) = @_;
    my $dump = _content($path);
    my ($size, $format, $width, $height, $order, $bits, $row, $red, $colours) =
        (unpack 'N20', $dump)[0, 2, 4, 5, 7, 11, 12, 14, 19];
    die "$path: not in full colours\n" if $format != 2 || $bits != 32 || $red != 0xff0000;
    my $from   = $size + 12 * $colours;
    my $word   = $order ? 'N*' : 'V*';
    my @pixels = map { unpack $word, substr $dump, $from + $_ * $row, 4 * $width } 0 .. $height - 1;
    return $class->new($width, $height, pack 'C*', map { ($_ >> 16 & 255, $_ >> 8 & 255, $_ & 255) } @pixels);
}

# Takes the path of a PNG file by write_png; returns the picture. Dies if it is another file.
sub from_png {
    my ($class, $path) = @_;
    my $text  = _content($path);
    my $at    = length PNG;
    my %chunk = map { $_ => '' } qw(IHDR IDAT);
    while ($at < length $text) {
        my ($length, $type) = unpack 'N a4', substr $text, $at;
        $chunk{$type} .= substr $text, $at + 8, $length;
        $at += 12 + $length;
    }
    my ($width, $height, $form) = unpack 'N2 a5', $chunk{IHDR};
    my @rows    = unpack '(C a' . 3 * $width . ')*', Compress::Zlib::uncompress($chunk{IDAT}) // '';
    my $filters = join '', @rows[map { 2 * $_ } 0 .. $#rows / 2];
    die "$path: not a picture of ours\n" if $form ne FORM || $filters ne '0' x $height;
    return $class->new($width, $height, join '', @rows[map { 2 * $_ + 1 } 0 .. $height - 1]);
}

sub write_png {
    my ($self, $path) = @_;
    my $row  = 3 * $self->{width};
    my $rows = join '', map { "\0$_" } unpack "(a$row)*", $self->{bytes};
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} PNG, _chunk('IHDR', pack 'N2 a5', @$self{qw(width height)}, FORM),
        _chunk('IDAT', Compress::Zlib::compress($rows, 9)), _chunk('IEND', '');
    close $file or die "$path: $!\n";
    return;
}

sub width  { my ($self) = @_; return $self->{width} }
sub height { my ($self) = @_; return $self->{height} }

# Takes a function from the three colours of a pixel to three others; returns a new picture.
sub recoloured {
    my ($self, $function) = @_;
    my $bytes = join '', map { pack 'C3', $function->(unpack 'C3', $_) } unpack '(a3)*', $self->{bytes};
    return ref($self)->new(@$self{qw(width height)}, $bytes);
}

# Returns a new picture with left and right exchanged.
sub mirrored {
    my ($self) = @_;
    my $row    = 3 * $self->{width};
    my $bytes  = join '', map { reverse unpack '(a3)*', $_ } unpack "(a$row)*", $self->{bytes};
    return ref($self)->new(@$self{qw(width height)}, $bytes);
}

# Returns the share of pixels that differ from another picture; 1 if that has another size.
sub share_unlike {
    my ($self, $other) = @_;
    return 1 if $self->{width} != $other->{width} || $self->{height} != $other->{height};
    my @ours   = unpack '(a3)*', $self->{bytes};
    my @theirs = unpack '(a3)*', $other->{bytes};
    my $unlike = grep { $ours[$_] ne $theirs[$_] && _is_unlike($ours[$_], $theirs[$_]) } 0 .. $#ours;
    return $unlike / @ours;
}

sub _is_unlike {
    my (@pixels) = @_;
    my @colours  = map { unpack 'C3', $_ } @pixels;
    return grep { abs($colours[$_] - $colours[$_ + 3]) > UNLIKE } 0 .. 2;
}

# Returns a part of a PNG file: length, type, data, checksum.
sub _chunk {
    my ($type, $data) = @_;
    return pack 'N a4 a* N', length $data, $type, $data, Compress::Zlib::crc32("$type$data");
}

sub _content {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar <$file>;
}

1;
