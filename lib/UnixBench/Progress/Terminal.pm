package UnixBench::Progress::Terminal;

# A terminal whose last line is drawn again and again, until lines that stay replace it.
#
# The cursor waits before that line. If the terminal becomes narrower and breaks the line into several, the cursor stays
# there, so clearing everything after the cursor is right on every terminal, whether it breaks lines again or not.

use strict;
use warnings;

use Config qw(%Config);
use POSIX  ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Process::Writer ();
use UnixBench::Progress::Line  ();

use constant { COLUMNS => 80, COLUMNS_MAX => 10_000, CLEARED => "\r\e[J", USUAL => "\e[m" };

# Select Graphic Rendition: ECMA-48, 8.3.117.
my %STYLE = (dim => "\e[2m", red => "\e[31m");

# The request TIOCGWINSZ: of most Linux systems, and of those that have it from BSD.
my $IS_LIKE_BSD = $^O ne 'linux' || $Config{archname} =~ /\A(?:mips|powerpc|ppc|sparc|alpha)/;
use constant { OF_LINUX => 0x5413, OF_BSD => 0x40087468 };

# Takes a handle and the environment as { NAME => value }; returns the terminal, or undef if the handle has none on
# which a line can be drawn again.
sub on {
    my ($class, $out, $env) = @_;
    return if ($env->{TERM} // q{}) =~ /\A(?:dumb)?\z/ || !POSIX::isatty(fileno $out);
    return $class->new(out => $out, env => $env);
}

# Takes out and env, as above, and perhaps columns, a function that returns the width.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(out env columns));
    return bless { columns => sub { columns(@$given{qw(out env)}) }, %$given }, $class;
}

# Takes a handle and the environment; returns the present number of columns of the terminal.
sub columns {
    my ($out, $env) = @_;
    my $size  = pack 'S4';
    my $found = ioctl $out, $IS_LIKE_BSD ? OF_BSD : OF_LINUX, $size;
    my (undef, $columns) = unpack 'S4', $size;
    return $columns if $found && $columns;
    return ($env->{COLUMNS} // q{}) =~ /\A0*([1-9][0-9]{0,3})\z/ ? $1 : COLUMNS;
}

# Replaces the line that was drawn last. Takes lines, from the fullest to the shortest, see UnixBench::Progress::Line;
# draws the first that leaves a column free. In the background it draws nothing: the terminal belongs to another program
# then.
sub draw {
    my ($self, @lines) = @_;
    return if $self->_is_in_background;
    my @pieces = UnixBench::Progress::Line::fitted($self->{columns}->() - 1, @lines);
    $self->_print(CLEARED . $self->_styled(@pieces) . "\r");
    $self->{is_drawn} = 1;
    return;
}

# Prints a line that stays, and replaces the one that was drawn. Takes lines as draw() does; if none fits, the last one
# is printed on several lines of the terminal.
sub write_line {
    my ($self, @lines) = @_;
    my @pieces = UnixBench::Progress::Line::fitted($self->{columns}->(), @lines);
    @pieces = UnixBench::Progress::Line::whole(@{ $lines[-1] }) if !@pieces;
    return $self->_print($self->_cleared . $self->_styled(@pieces) . "\n");
}

# Clears the line that was drawn, so that anything can be printed.
sub clear {
    my ($self) = @_;
    return $self->_print($self->_cleared);
}

# Returns the sequence that clears it. In the background a shell has begun a line of its own.
sub _cleared {
    my ($self) = @_;
    my $is_there = $self->{is_drawn} && !$self->_is_in_background;
    $self->{is_drawn} = 0;
    return $is_there ? CLEARED : q{};
}

# Returns the text of pieces, see UnixBench::Progress::Line. NO_COLOR: https://no-color.org.
sub _styled {
    my ($self, @pieces) = @_;
    my $styles = length($self->{env}{NO_COLOR} // q{}) ? {} : \%STYLE;
    return join q{}, map { _piece($_->{text}, $styles->{ $_->{style} // q{} }) } @pieces;
}

sub _piece {
    my ($text, $style) = @_;
    return defined $style ? $style . $text . USUAL : $text;
}

# Returns whether another process group is in the foreground.
sub _is_in_background {
    my ($self) = @_;
    my $front = POSIX::tcgetpgrp(fileno $self->{out}) // 0;
    return $front > 0 && $front != getpgrp;
}

sub _print {
    my ($self, $text) = @_;
    UnixBench::Process::Writer::put($self->{out}, $text);
    return;
}

1;
