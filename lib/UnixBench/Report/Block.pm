package UnixBench::Report::Block;

# The blocks of which reports consist: plain data and its constructors. Topics make blocks and know no format. The
# renderers (Plain, Markdown, HTML) print blocks and know no topic.
#
# A text is a string of any origin, or a list of parts: texts, the values that strong, name and aside return,
# and cells (see UnixBench::Report::Cell). A number is a cell, because the renderers decide how many digits are shown.
# A constructor that takes a list of texts or blocks returns nothing if that list is empty.
#
# A report is shown to one of three extents: "full" on a page, "detail" on a terminal, "brief" in a ticket. A block
# without a mark belongs to all of them.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Cell qw(cell cell_text);

our @EXPORT_OK = qw(
    aside capitalised cell joined name strong
    at_most explained heading list notices paragraphs quiet said screen
    column content facts row table
    document fold group headline section
    in_brief in_detail in_full not_in_brief not_in_full
    text_of within
);
our %EXPORT_TAGS = (all => \@EXPORT_OK);

# Parts of a text.

# Takes an important text; returns it as a part of another text.
sub strong { my ($text) = @_; return { strong => $text } }

# Takes a text that is one name or value, such as a path; returns it as a part of another text.
sub name { my ($text) = @_; return { name => $text } }

# Takes an additional text; returns it as a part of another text. A page shows it below that text.
sub aside { my ($text) = @_; return { aside => $text } }

# Takes a separator and texts; returns them as one text.
sub joined {
    my ($separator, @texts) = @_;
    return [map { ($_ ? $separator : (), $texts[$_]) } 0 .. $#texts];
}

# Takes a text; returns it with a capital letter, if it begins with a string.
sub capitalised {
    my ($text) = @_;
    return ucfirst $text if !ref $text;
    return $text if ref $text eq 'HASH';
    my ($first, @others) = @$text;
    return [capitalised($first), @others];
}

# Takes a text and a medium, see UnixBench::Report::Cell; returns the text as a string, without the kinds of its parts.
sub text_of {
    my ($text, $medium) = @_;
    return $text if !ref $text;
    return join q{}, map { text_of($_, $medium) } @$text if ref $text eq 'ARRAY';
    return cell_text($text, $medium) if defined $text->{cell};
    my ($kind) = grep { defined $text->{$_} } qw(strong name aside);
    return text_of($text->{$kind}, $medium);
}

# Texts.

# Takes a style and texts; returns a paragraph for each text. Each sub below has a style of its own.
sub said {
    my ($style, @texts) = @_;
    return @texts ? { kind => 'paragraphs', style => $style, texts => \@texts } : ();
}

# Takes texts; returns a paragraph for each.
sub paragraphs { my (@texts) = @_; return said('plain', @texts) }

# Does the same for texts that explain something and may be read later. In a ticket they are one paragraph.
sub quiet { my (@texts) = @_; return said('quiet', @texts) }

# Does the same for texts that the reader must not miss.
sub notices { my (@texts) = @_; return said('notice', @texts) }

# Does the same for texts that explain the paragraphs right above them.
sub explained { my (@texts) = @_; return said('below', @texts) }

# Takes a text; returns it as a heading within a section.
sub heading { my ($text) = @_; return { kind => 'heading', text => $text } }

# Takes a text for the line above the list, or undef, and items: texts, or lists again. Returns the list. A list with a
# line above it may have id, the target of links on a page.
sub list {
    my ($head, @items) = @_;
    return @items ? { kind => 'list', head => $head, items => \@items } : ();
}

# Takes a number, a function, and items. If there are more items than the number, the last ones are replaced by what the
# function returns for their count. Returns the items.
sub at_most {
    my ($most, $of_others, @items) = @_;
    return @items if @items <= $most;
    my @others = splice @items, $most - 1;
    return (@items, $of_others->(scalar @others));
}

# Takes lines; returns them as they look on a terminal.
sub screen { my (@lines) = @_; return @lines ? { kind => 'screen', lines => \@lines } : () }

# Tables.

# Takes a title and pairs [label, text]; returns their table.
sub facts {
    my ($title, @pairs) = @_;
    return @pairs ? { kind => 'facts', title => $title, pairs => \@pairs } : ();
}

# Takes a heading, the key of the values of a column, their kind (see UnixBench::Report::Cell), and perhaps
#   in           the extents that show the column, such as "full detail" (all by default)
#   none         the text of a value that is unknown (empty by default)
#   is_optional  whether the column is left out if only other columns have values
#   spare        a number: on a terminal that is too narrow for all columns, those with the highest number are left out
#                first
# Returns the column. The first column of a table has the key "title".
sub column {
    my ($heading, $key, $kind, %more) = @_;
    return { none => q{}, %more, heading => $heading, key => $key, kind => $kind };
}

# Takes
#   columns  [column, ...]; the first one has the titles of the rows
#   rows     [row, ...]
#   foot     rows that sum them up (optional)
#   title    the text above the table, or
#   caption  the text above the table, if only a page needs it
#   corner   replaces the first heading where there is no caption (optional)
#   remarks  the heading of the last column, if rows have remarks
#   legend   texts that say how to read its pictures (optional)
# Returns the table.
sub table {
    my (%table) = @_;
    my @items   = grep { defined } map { $_->{item} } @{ $table{rows} }, @{ $table{foot} || [] };
    my @columns = @{ $table{columns} };
    @columns = grep { my $of = $_; !$of->{is_optional} || grep { defined $_->{ $of->{key} } } @items } @columns
        if @items;
    return { foot => [], legend => [], %table, kind => 'table', columns => \@columns };
}

# Takes a row that has no reason, and a column; returns the text of the row in that column. A row may have a text
# instead of a value, or a cell of its own kind.
sub content {
    my ($row, $column) = @_;
    my $value   = $row->{item}{ $column->{key} } // return $column->{none};
    my $is_text = ref $value eq 'ARRAY' || ref $value eq 'HASH' && defined $value->{cell};
    return $is_text || $column->{kind} =~ /\A(?:word|text)\z/ ? $value : cell($column->{kind}, $value);
}

# Takes the title of a row and a hash with its values. Perhaps also takes remark, a text of any length; and for a
# picture shapes and words, their description. Returns the row. If the hash is undef, the row has a reason instead. At
# the beginning of a foot row, unknown values give their space to the title.
sub row {
    my ($title, $item, %more) = @_;
    return { %more, title => $title, item => $item };
}

# Arrangement.

# Takes a title, or a hash, and blocks; returns the report. The hash has
#   title      the title
#   program    a string: which program says this, below the title of a ticket, and at the top of the block (optional)
#   about      a string: the same for a page, above the numbers (optional)
#   how        texts that say how to read the page, at its foot (optional)
#   block      entries for a block at its end on a terminal, see UnixBench::Report::Plain::entry_lines (optional)
#   is_folded  whether paragraphs are wrapped in plain text
sub document {
    my ($title, @blocks) = @_;
    return { ref $title eq 'HASH' ? %$title : (title => $title), blocks => \@blocks };
}

# Takes a title, or { title, id => target of links }, and blocks; returns the section.
sub section {
    my ($title, @blocks) = @_;
    return @blocks ? { kind => 'section', ref $title eq 'HASH' ? %$title : (title => $title), blocks => \@blocks } : ();
}

# Takes a title and blocks; returns a fold. Where possible, its blocks are shown on request.
sub fold {
    my ($title, @blocks) = @_;
    return @blocks ? { kind => 'fold', title => $title, blocks => \@blocks } : ();
}

# Takes blocks that belong together; returns their group.
sub group {
    my (@blocks) = @_;
    return @blocks ? { kind => 'group', blocks => \@blocks } : ();
}

# Takes
#   numbers  [{ title, copies, link (the id of a section), number (undef if there is none), sure (its precision),
#            class, is_known (whether the title of the report has the number if it is the only one) }, ...]
#   blocks   what explains them
# Returns the headline of a page: what is seen first.
sub headline {
    my (%headline) = @_;
    return { %headline, kind => 'headline' };
}

# Extents.

# Take blocks, or functions that return blocks; return them as blocks of one extent, or of two. A function is called
# only if its blocks are shown.
sub in_full      { my (@blocks) = @_; return _only([qw(full)],         @blocks) }
sub in_detail    { my (@blocks) = @_; return _only([qw(detail)],       @blocks) }
sub in_brief     { my (@blocks) = @_; return _only([qw(brief)],        @blocks) }
sub not_in_full  { my (@blocks) = @_; return _only([qw(detail brief)], @blocks) }
sub not_in_brief { my (@blocks) = @_; return _only([qw(full detail)],  @blocks) }

sub _only {
    my ($extents, @blocks) = @_;
    my %is_extent = map { $_ => 1 } @$extents;
    return @blocks ? { kind => 'extent', extents => \%is_extent, blocks => \@blocks } : ();
}

# Takes an extent and blocks; returns the blocks that belong to it, and tables with their columns of it, without marks.
# Blocks that become empty are left out.
sub within {
    my ($extent, @blocks) = @_;
    return map { _within($extent, $_) } @blocks;
}

sub _within {
    my ($extent, $block) = @_;
    if ($block->{columns}) {
        my @columns = grep { !defined $_->{in} || $_->{in} =~ /\b$extent\b/ } @{ $block->{columns} };
        return { %$block, columns => \@columns };
    }
    return $block if !$block->{blocks};
    my $extents = $block->{extents};
    return if $extents && !$extents->{$extent};
    my @left = within($extent, map { ref eq 'CODE' ? $_->() : $_ } @{ $block->{blocks} });
    return @left if $extents;
    return @left ? { %$block, blocks => \@left } : ();
}

1;
