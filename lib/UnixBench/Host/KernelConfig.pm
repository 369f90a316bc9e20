package UnixBench::Host::KernelConfig;

# The options that Linux was built with, where this system keeps them.

use strict;
use warnings;

use constant TEXT_MAX => 4_000_000;    # ten times the longest that distributions have

# Not every small Perl has it; without it a compressed file is as good as none. What is built on it needs four times the
# memory.
my $ZLIB = 'Compress/Raw/Zlib.pm';

# Makes one. files: a Host::Values; release: the kernel's, as uname has it.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Takes an option's name; returns what it is set to, such as "y" or "250", or undef when it is not set, or nothing is
# known.
sub value {
    my ($self, $name) = @_;
    $self->{text} = $self->_text // q{} if !defined $self->{text};
    return $self->{text} =~ /^CONFIG_\Q$name\E=(\w{1,40})$/m ? $1 : undef;
}

# The kernel itself knows best.
sub _text {
    my ($self)     = @_;
    my $compressed = $self->{files}->text('/proc/config.gz');
    my $text       = defined $compressed ? _uncompressed($compressed) : undef;
    return $text if defined $text;
    my $release = $self->{release} // q{};
    return if $release !~ /\A\w[\w.+~-]*\z/;
    for my $path ("/boot/config-$release", map { "/lib/modules/$release/$_" } qw(config build/.config)) {
        $text = $self->{files}->text($path);
        return $text if defined $text;
    }
    return;
}

# Undef also when it is cut off, or longer than it can be.
sub _uncompressed {
    my ($compressed) = @_;
    my $is_there     = eval { require $ZLIB };
    my $stream       = $is_there && Compress::Raw::Zlib::Inflate->new(
        WindowBits   => Compress::Raw::Zlib::WANT_GZIP(),
        LimitOutput  => 1,
        AppendOutput => 1,
    ) or return;
    my $text = q{};
    my ($status, $length);
    do {
        $length = length $text;
        $status = $stream->inflate($compressed, $text);
    } while length $text > $length && length $text < TEXT_MAX;
    return $status == Compress::Raw::Zlib::Z_STREAM_END() ? $text : undef;
}

1;
