package UnixBench::Progress::Terminal;

# A terminal whose last line is drawn again and again, until lines that stay replace it. Also fits the parts of such a
# line to the width of the terminal.
#
# The cursor waits at the start of that line. If the terminal becomes narrower, it may break the line into several, and
# the cursor stays at their start. So clearing everything after the cursor is right on every terminal.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Process::Writer ();
use UnixBench::Report::Lines   qw(columns_of);

our @EXPORT_OK = qw(cut dim flexible painter red usual);

use constant { CLEARED => "\r\e[J", USUAL => "\e[m" };

# Select Graphic Rendition: ECMA-48, 8.3.117.
my %STYLE = (dim => "\e[2m", red => "\e[31m", green => "\e[32m", yellow => "\e[33m");

# The styles of levels of trust.
my %OF_LEVEL = (good => 'green', fair => 'yellow', poor => 'red', incomplete => 'red');

use constant { BETWEEN => q{  }, CUT => '...' };

# Takes a handle and the environment as { NAME => value }; returns the terminal, or undef if the handle is not a
# terminal that can draw a line again.
sub on {
    my ($class, $out, $env) = @_;
    return if ($env->{TERM} // q{}) =~ /\A(?:dumb)?\z/ || !POSIX::isatty(fileno $out);
    return $class->new(out => $out, env => $env);
}

# Takes the same; returns a function that colours a level of trust, or undef if the handle is not a terminal that has
# colours.
sub painter {
    my ($out, $env) = @_;
    my $styles = __PACKAGE__->on($out, $env) ? _styles($env) : {};
    return %$styles ? sub { my ($level) = @_; return _piece($level, $styles->{ $OF_LEVEL{$level} // q{} }) } : undef;
}

# Takes out and env, as above, and perhaps columns, a function that returns the width (default: asks the terminal).
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(out env columns));
    return bless { columns => sub { UnixBench::Process::Writer::columns(@$given{qw(out env)}) }, %$given }, $class;
}

# Replaces the line that was drawn last. Takes lines as fitted() does, and draws the first one that leaves a column
# free. In the background it draws nothing, because the terminal then belongs to another program.
sub draw {
    my ($self, @lines) = @_;
    return if $self->_is_in_background;
    my @pieces = fitted($self->{columns}->() - 1, @lines);
    $self->_print(CLEARED . $self->_styled(@pieces) . "\r");
    $self->{is_drawn} = 1;
    return;
}

# Replaces the drawn line by a line that stays. Takes lines as fitted() does. If none fits, prints the last one, which
# then takes several lines of the terminal.
sub write_line {
    my ($self, @lines) = @_;
    my @pieces = fitted($self->{columns}->(), @lines);
    @pieces = whole(@{ $lines[-1] }) if !@pieces;
    return $self->_print($self->_cleared . $self->_styled(@pieces) . "\n");
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

# Takes pieces as fitted() returns them; returns them as a text with styles.
sub _styled {
    my ($self, @pieces) = @_;
    my $styles = _styles($self->{env});
    return join q{}, map { _piece($_->{text}, $styles->{ $_->{style} // q{} }) } @pieces;
}

# Returns the styles. The variable NO_COLOR switches them off: https://no-color.org.
sub _styles {
    my ($env) = @_;
    return length($env->{NO_COLOR} // q{}) ? {} : \%STYLE;
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

# Each takes a text and returns a part of a line. A flexible part may be cut, but not below the given number of columns.
sub usual    { my ($text) = @_; return { text => $text } }
sub dim      { my ($text) = @_; return { text => $text, style => 'dim' } }
sub red      { my ($text) = @_; return { text => $text, style => 'red' } }
sub flexible { my ($text, $least) = @_; return { text => $text, least => $least } }

# Takes a number of columns and lines, from the fullest to the shortest, each [part, ...]. Returns the pieces of the
# first line that fits, each { text, style }, with blanks between them, or nothing if none fits.
sub fitted {
    my ($columns, @lines) = @_;
    for my $line (@lines) {
        my $missing = List::Util::sum(0, map { _least($_) } @$line) + length(BETWEEN) * $#$line - $columns;
        return _pieces(-$missing, @$line) if $missing <= 0;
    }
    return;
}

# Takes parts; returns their pieces, with blanks between them, however wide they are.
sub whole {
    my (@parts) = @_;
    return map { $_ ? (usual(BETWEEN), $parts[$_]) : $parts[$_] } 0 .. $#parts;
}

# Takes printable UTF-8 and a number of columns; returns the beginning that fits, with dots if the rest is missing.
sub cut {
    my ($text, $columns) = @_;
    return $text if columns_of($text) <= $columns;
    my $dots = $columns > length CUT ? CUT : q{};
    my $room = $columns - length $dots;
    utf8::decode($text);
    my @characters = split //, $text;
    my $kept       = q{};
    $kept .= shift @characters while @characters && ($room -= columns_of($characters[0])) >= 0;
    utf8::encode($kept);
    return $kept . $dots;
}

# Takes the number of columns that are left if each part has its least width, and the parts. Returns their pieces;
# flexible parts use the columns that are left, from left to right.
sub _pieces {
    my ($spare, @parts) = @_;
    my @cut;
    for my $part (@parts) {
        my $text = defined $part->{least} ? cut($part->{text}, _least($part) + $spare) : $part->{text};
        $spare -= columns_of($text) - _least($part);
        push @cut, { %$part, text => $text };
    }
    return whole(@cut);
}

sub _least {
    my ($part) = @_;
    my $columns = columns_of($part->{text});
    return defined $part->{least} ? List::Util::min($part->{least}, $columns) : $columns;
}

1;
