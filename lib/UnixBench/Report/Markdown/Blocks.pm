package UnixBench::Report::Markdown::Blocks;

# Paragraphs, lists and tables in Markdown. Lines are not folded, since forums keep the breaks.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Report::Markdown::Text qw(source trusted);

our @EXPORT_OK = qw(document headed heading list paragraph quote table);

# A column that is wider is not padded, and its rule is no rule for those who look for one of 72 dashes.
use constant { WIDTH_MOST => 40, WIDTH_LEAST => 3 };

# What makes another block of the text that begins with it.
my $MARK = qr{(?:-{1,3}|[+]|\d+[.)])(?!\S)};

# Takes blocks, returns the text, with blank lines between them.
sub document {
    my (@blocks) = @_;
    return join "\n", map { source($_) } @blocks;
}

# Takes a level and a text, as all below markup or text from anywhere; returns the heading.
sub heading {
    my ($level, $text) = @_;
    return trusted('#' x $level . q{ } . source($text) . "\n");
}

# Takes texts; returns a paragraph for each.
sub paragraph {
    my (@texts) = @_;
    return map { trusted(_block($_) . "\n") } @texts;
}

# Takes texts; returns them as paragraphs of a quotation, or nothing for none.
sub quote {
    my (@texts) = @_;
    return @texts ? trusted(join ">\n", map { '> ' . _block($_) . "\n" } @texts) : ();
}

# Takes texts; returns them as a list, or nothing for none.
sub list {
    my (@texts) = @_;
    return @texts ? trusted(join q{}, map { '- ' . _block($_) . "\n" } @texts) : ();
}

# Takes a text and those that belong below it; returns them as a paragraph and a list, or nothing when there are none
# below.
sub headed {
    my ($head, @texts) = @_;
    return @texts ? (paragraph($head), list(@texts)) : ();
}

sub _block {
    my ($text) = @_;
    return source($text) =~ s/\A *\K($MARK)/`$1`/r;
}

# Takes headings and rows, each a list of texts, some perhaps undef; returns a table. A heading that begins with a star
# stands above numbers.
sub table {
    my ($headings, @rows) = @_;
    my @is_number = map { /\A[*]/ ? 1 : 0 } @$headings;
    my @lines     = map { [_cells(@$_)] } [map { s/\A[*]//r } @$headings], @rows;
    my @widths;
    for my $cells (@lines) {
        $widths[$_] = List::Util::max($widths[$_] // WIDTH_LEAST, _width($cells->[$_])) for 0 .. $#$headings;
    }
    $_ = List::Util::min($_, WIDTH_MOST) for @widths;
    my ($head, @body) = map { _line(\@is_number, \@widths, @$_) } @lines;
    my $rule = join q{|},
        map { $is_number[$_] ? '-' x ($widths[$_] + 1) . q{:} : '-' x ($widths[$_] + 2) } 0 .. $#widths;
    return trusted(join q{}, map { "$_\n" } $head, "|$rule|", @body);
}

sub _cells {
    my (@texts) = @_;
    return map { source($_ // q{}) =~ s/[|]/\\|/gr } @texts;
}

sub _line {
    my ($is_number, $widths, @cells) = @_;
    my @padded;
    for my $column (0 .. $#$widths) {
        my $cell   = $cells[$column] // q{};
        my $blanks = q{ } x List::Util::max(0, $widths->[$column] - _width($cell));
        push @padded, $is_number->[$column] ? "$blanks$cell" : "$cell$blanks";
    }
    return '| ' . join(' | ', @padded) . ' |';
}

# In characters.
sub _width {
    my ($text) = @_;
    my $characters = $text // q{};
    utf8::decode($characters);
    return length $characters;
}

1;
