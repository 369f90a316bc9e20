package UnixBench::Report::PageTable;

# Tables of pages. A wide one becomes, on a phone, a list of its rows, where each cell has the heading of its column
# before it.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format   qw(clean);
use UnixBench::Report::Markup qw(element);

our @EXPORT_OK = qw(PLUS_MINUS across badge cell drawing number pairs row table text wide_row word);

use constant {
    PLUS_MINUS     => "\xc2\xb1",
    COLUMNS_NARROW => 3,
    SHORT          => 40,           # characters of a title that may be left in one line
};

# Takes a caption, headings, a list of rows and those that sum them up; returns the table. A heading that begins with a
# star stands above numbers; [text, axis] stands above drawings, which makes a picture of the table.
sub table {
    my ($caption, $headings, $rows, @foot) = @_;
    my @columns = map { _column($_) } @$headings;
    my $class   = (grep { $_->{axis} } @columns) ? 'chart' : @columns > COLUMNS_NARROW ? 'stacked' : 'plain';
    my @parts   = (
        element('caption', $caption),
        element('thead',   element('tr', map { _heading($_) } @columns)),
        element('tbody',   map { _row($_, @columns) } @$rows),
    );
    push @parts, element('tfoot', map { _row($_, @columns) } @foot) if @foot;
    return element('table', { class => $class }, @parts);
}

sub _column {
    my ($heading) = @_;
    return { text => $heading->[0], axis => $heading->[1], class => 'picture' } if ref $heading;
    return $heading =~ /\A[*](.*)/s ? { text => $1, class => 'number' } : { text => $heading };
}

sub _heading {
    my ($column) = @_;
    my %class = $column->{class} ? (class => $column->{class}) : ();
    return element('th', { scope => 'col', %class }, @$column{ 'text', $column->{axis} ? 'axis' : () });
}

sub _row {
    my ($row, @columns) = @_;
    my $span  = $row->{span} || 1;
    my @cells = map { _cell($row->{cells}[$_], $columns[$span + $_]) } 0 .. $#{ $row->{cells} };
    my %about = (scope => 'row', $span > 1 ? (colspan => $span) : (), _is_short($row) ? (class => 'short') : ());
    return element('tr', element('th', \%about, @{ $row->{title} }), @cells);
}

sub _is_short {
    my ($row)   = @_;
    my ($title) = @{ $row->{title} };
    return length clean($title) <= SHORT;
}

sub _cell {
    my ($cell, $column) = @_;
    my $label = $cell->{colspan} || $column->{axis} ? {} : { 'data-label' => $column->{text} };
    my %about = map { $_ => $cell->{$_} } grep { $cell->{$_} } qw(class colspan);
    return element('td', { %about, %$label }, $cell->{content});
}

# Takes what a row is about, a text, or a list of those and badges, and its cells; returns the row.
sub row {
    my ($title, @cells) = @_;
    return { title => ref $title eq 'ARRAY' ? $title : [$title], cells => \@cells };
}

# Takes how many columns the title has, the title, and the cells of the others; returns the row.
sub wide_row {
    my ($span, $title, @cells) = @_;
    return { %{ row($title, @cells) }, span => $span };
}

# Takes a word, returns it as a cell.
sub cell {
    my ($word) = @_;
    return { content => $word };
}

# Takes words of our own, returns them as a cell in which none is broken.
sub word {
    my ($words) = @_;
    return { content => $words, class => 'word' };
}

# Takes a text of any length, returns it as a cell.
sub text {
    my ($text) = @_;
    return { content => $text, class => 'text' };
}

# Takes a number as text, or an interval, returns it as a cell. It is not broken, but for an interval between its
# numbers, or where it has more digits than there is room for.
sub number {
    my ($text) = @_;
    my @marks = ($text =~ /[ ].*[ ]/ ? 'several' : (), $text =~ /[^ ]{17}/ ? 'long' : ());
    return { content => $text, class => join q{ }, 'number', @marks };
}

# Takes a picture, returns it as a cell.
sub drawing {
    my ($picture) = @_;
    return { content => $picture, class => 'picture' };
}

# Takes a number of columns and why there is nothing in them; returns that as a cell.
sub across {
    my ($columns, $reason) = @_;
    return { content => $reason, class => 'missing', colspan => $columns };
}

# Takes a word, returns it as a mark for the title of a row.
sub badge {
    my ($word) = @_;
    return element('span', { class => 'badge' }, $word);
}

# Takes a caption and [label, text] each; returns the table of them.
sub pairs {
    my ($caption, @pairs) = @_;
    my @rows = map { element('tr', element('th', { scope => 'row' }, $_->[0]), element('td', $_->[1])) } @pairs;
    return element('table', { class => 'facts' }, element('caption', $caption), element('tbody', @rows));
}

1;
