package UnixBench::Progress::Terminal;

# A terminal whose last line is drawn again and again, until lines that stay replace it.
#
# The cursor waits at the start of that line. If the terminal becomes narrower, it may break the line into several, and
# the cursor stays at their start. So clearing everything after the cursor is right on every terminal.

use strict;
use warnings;

use Exporter 'import';
use POSIX ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Process::Writer ();

our @EXPORT_OK = qw(cut);

use constant { CLEARED => "\r\e[J", USUAL => "\e[m" };

# Select Graphic Rendition: ECMA-48, 8.3.117.
my %STYLE = (dim => "\e[2m", red => "\e[31m");

use constant CUT => '...';

# Takes a handle and the environment as { NAME => value }; returns the terminal, or undef if the handle is not a
# terminal that can draw a line again.
sub on {
    my ($class, $out, $env) = @_;
    return if ($env->{TERM} // q{}) =~ /\A(?:dumb)?\z/ || !POSIX::isatty(fileno $out);
    return $class->new(out => $out, env => $env);
}

# Takes out and env, as above, and perhaps columns, a function that returns the width (default: asks the terminal).
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(out env columns));
    return bless { columns => sub { UnixBench::Process::Writer::columns(@$given{qw(out env)}) }, %$given }, $class;
}

# Replaces the line that was drawn last by the beginning of a text that leaves a column free. In the background it draws
# nothing, because the terminal then belongs to another program.
sub draw {
    my ($self, $text) = @_;
    return if $self->_is_in_background;
    $self->_print(CLEARED . cut($text, $self->{columns}->() - 1) . "\r");
    $self->{is_drawn} = 1;
    return;
}

# Replaces the drawn line by a line that stays. Takes a text and perhaps its style.
sub write_line {
    my ($self, $text, $style) = @_;
    my $styles = length($self->{env}{NO_COLOR} // q{}) ? {} : \%STYLE;
    return $self->_print($self->_cleared . _piece($text, $styles->{ $style // q{} }) . "\n");
}

# Clears the line that was drawn, so that anything can be printed.
sub clear {
    my ($self) = @_;
    return $self->_print($self->_cleared);
}

# Returns the sequence that clears the drawn line, or an empty text. In the background a shell has begun a line of its
# own, so nothing may be cleared.
sub _cleared {
    my ($self) = @_;
    my $is_there = $self->{is_drawn} && !$self->_is_in_background;
    $self->{is_drawn} = 0;
    return $is_there ? CLEARED : q{};
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

# Takes a text and a number of columns; returns the beginning that fits, with dots if the rest is missing.
sub cut {
    my ($text, $columns) = @_;
    return length $text <= $columns ? $text : substr($text, 0, $columns > length CUT ? $columns - length CUT : 0) . CUT;
}

1;
