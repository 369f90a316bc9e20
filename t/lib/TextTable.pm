package TextTable;

# Tables of texts, for tests of how tables look: the place of a text in its row is its key.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Block qw(column content row);
use UnixBench::Report::Plain qw(in_plain);

our @EXPORT_OK = qw(row_texts text_columns text_row);

# Takes pairs of a kind ("number", "word" or "text") and a heading; returns columns. The first one has the titles.
sub text_columns {
    my (@pairs) = @_;
    my @columns;
    while (my ($kind, $heading) = splice @pairs, 0, 2) {
        push @columns, column($heading, @columns ? $#columns : 'title', $kind eq 'number' ? 'cells' : $kind);
    }
    return \@columns;
}

# Takes the title of a row, its texts and cells, and more of a row; returns the row.
sub text_row {
    my ($title, $texts, %more) = @_;
    return row($title, undef,                                               %more) if !$texts;
    return row($title, { map { $_ => _text($texts->[$_]) } 0 .. $#$texts }, %more);
}

# Takes a table, a row of it, and perhaps a function that prints a text (by default, that of a terminal); returns the
# texts of its columns after the title. A row without values has none.
sub row_texts {
    my ($table, $row, $printed) = @_;
    $printed ||= \&in_plain;
    my ($first, @columns) = grep { $_->{kind} ne 'picture' } @{ $table->{columns} };
    return $row->{item} ? map { $printed->(content($row, $_)) } @columns : ();
}

sub _text { my ($text) = @_; return defined $text && !ref $text ? [$text] : $text }

1;
