package UnixBench::Progress::Line;

# Lines of parts that fit into the columns of a terminal. A part is { text, style, least }: the style is dim, red or
# undef; a part with a least may be cut down to that number of columns.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

our @EXPORT_OK = qw(columns_of cut dim flexible red usual);

use constant { BETWEEN => q{  }, CUT => '...' };

# Characters of two columns, and of none: Unicode Standard Annex 11, East Asian Width.
my $WIDE = qr/[\p{East_Asian_Width=Wide}\p{East_Asian_Width=Fullwidth}]/;
my $NONE = qr/[\p{General_Category=Mn}\p{General_Category=Me}]/;

# Each takes a text and returns a part; a flexible part may be cut down to a number of columns.
sub usual    { my ($text) = @_; return { text => $text } }
sub dim      { my ($text) = @_; return { text => $text, style => 'dim' } }
sub red      { my ($text) = @_; return { text => $text, style => 'red' } }
sub flexible { my ($text, $least) = @_; return { text => $text, least => $least } }

# Takes a number of columns and lines, each [part, ...], from the fullest one to the shortest; returns the pieces of the
# first that fits, each { text, style }, with blanks between them, or nothing if none fits.
sub fitted {
    my ($columns, @lines) = @_;
    for my $line (@lines) {
        my $missing = _sum(map { _least($_) } @$line) + length(BETWEEN) * $#$line - $columns;
        return _pieces(-$missing, @$line) if $missing <= 0;
    }
    return;
}

# Takes parts; returns their pieces, however wide they are.
sub whole {
    my (@parts) = @_;
    return map { $_ ? (usual(BETWEEN), $parts[$_]) : $parts[$_] } 0 .. $#parts;
}

# Takes UTF-8 that can be printed; returns the number of columns that it takes on a terminal.
sub columns_of {
    my ($text) = @_;
    utf8::decode($text);
    return _sum(map { _width($_) } split //, $text);
}

# Takes the same and a number of columns; returns the part of it that fits, with dots if something is missing.
sub cut {
    my ($text, $columns) = @_;
    return $text if columns_of($text) <= $columns;
    my $dots = $columns > length CUT ? CUT : q{};
    my $room = $columns - length $dots;
    utf8::decode($text);
    my @characters = split //, $text;
    my $kept       = q{};
    $kept .= shift @characters while @characters && ($room -= _width($characters[0])) >= 0;
    utf8::encode($kept);
    return $kept . $dots;
}

# Takes the columns that are left if each part takes its least.
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

sub _width {
    my ($character) = @_;
    return $character =~ $NONE ? 0 : $character =~ $WIDE ? 2 : 1;
}

sub _sum { my (@numbers) = @_; return List::Util::sum(0, @numbers) }

1;
