package UnixBench::Report::Block;

# What reports consist of: blocks, which are plain data. Topics make them and know no format; the renderers (Plain,
# Markdown, HTML) print them and know no topic.
#
# A text is a string of any origin, or a list of parts: strings and what strong, name and aside return. Numbers are
# texts, too: topics decide how many digits are shown. Where a constructor takes a list of texts or blocks and that is
# empty, it returns nothing.
#
# A report shows blocks to an extent: "full" is a page, "detail" a terminal, "brief" what is pasted into a ticket. A
# block without a mark belongs to all of them.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(
    aside name strong
    explained heading list notices paragraphs quiet said
    facts row table
    bar chart dot drawn grid rule span swarm
    beside card cards document fold formula group section
    in_brief in_detail in_full not_in_brief not_in_detail not_in_full
    plainer text_of within
);
our %EXPORT_TAGS = (all => \@EXPORT_OK);

# Parts of a text.

# Takes a text that is to be seen first; returns it as a part of another one.
sub strong { my ($text) = @_; return { strong => $text } }

# Takes a text that is one name or value, such as a path; returns it as a part of another one.
sub name { my ($text) = @_; return { name => $text } }

# Takes a text that stands apart, below the one that it is said of where there is room; returns it as a part of that.
sub aside { my ($text) = @_; return { aside => $text } }

# Takes a text; returns it as a string, as if its parts were all alike.
sub text_of {
    my ($text) = @_;
    return ref $text ? join q{}, map { ref ? values %$_ : $_ } @$text : $text;
}

# Texts.

# Takes a style and texts; returns a paragraph for each. Beside those of the subs below there are styles for cards:
# title, number and words (the one thing that a card says), sure and concern.
sub said {
    my ($style, @texts) = @_;
    return @texts ? { kind => 'paragraphs', style => $style, texts => \@texts } : ();
}

# Takes texts; returns a paragraph for each.
sub paragraphs { my (@texts) = @_; return said('plain', @texts) }

# The same for texts that explain something and are not read first. In brief they are one paragraph.
sub quiet { my (@texts) = @_; return said('quiet', @texts) }

# The same for texts that the reader must not miss.
sub notices { my (@texts) = @_; return said('notice', @texts) }

# The same for texts that explain the paragraphs right above them.
sub explained { my (@texts) = @_; return said('below', @texts) }

# Takes a text; returns the heading of what follows within a section.
sub heading { my ($text) = @_; return { kind => 'heading', text => $text } }

# Takes a text that stands above, or undef, and items, texts or lists again; returns the list.
sub list {
    my ($head, @items) = @_;
    return @items ? { kind => 'list', head => $head, items => \@items } : ();
}

# Tables.

# Takes a title and [label, text] each; returns the table of these.
sub facts {
    my ($title, @pairs) = @_;
    return @pairs ? { kind => 'facts', title => $title, pairs => \@pairs } : ();
}

# Takes what a table has:
#   columns  [type => heading, ...], the first of what the rows are about; a type is "number", "word" (our own, short)
#            or "text" (of any origin and length)
#   rows     [row, ...], and perhaps foot, rows that sum them up
#   title    what stands above it; or
#   caption  the same where only a page has to say it,
#   corner   and what replaces the first heading where there is no caption
#   remarks  the heading of the last column, if rows have remarks
#   split    how many columns there is room for beside the first; more are shown in several tables
# Returns the table.
sub table {
    my (%table) = @_;
    return { foot => [], %table, kind => 'table', columns => _columns(@{ $table{columns} }) };
}

sub _columns {
    my (@pairs) = @_;
    my @columns;
    while (my ($type, $heading) = splice @pairs, 0, 2) {
        push @columns, { type => $type, heading => $heading };
    }
    return \@columns;
}

# Takes the title of a row; its cells, texts in the order of the columns; and perhaps badges, words that mark the title,
# or a remark, a text of any length. A row without cells, undef, has a reason. Returns the row. A cell that is undef is
# empty; at the front of a row of the foot it leaves its room to the title.
sub row {
    my ($title, $cells, %more) = @_;
    return { badges => [], %more, title => $title, cells => $cells };
}

# Charts. Values are places on a logarithmic scale; y and height are pixels from the top.

# Takes what a chart has:
#   title          what stands above it
#   axis, values   what its scale means, and all values that have to be on it
#   height         of a row, in pixels
#   columns, rows  as those of a table, but that the rows are of drawn; perhaps foot, likewise
#   legend         texts that tell how to read it
# Returns the chart.
sub chart {
    my (%chart) = @_;
    return { foot => [], legend => [], %chart, kind => 'chart', columns => _columns(@{ $chart{columns} }) };
}

# Takes what a row of a chart is about, its shapes, the same in words, its cells, and perhaps badges; returns the row.
sub drawn {
    my ($title, $shapes, $words, $cells, %more) = @_;
    return { %{ row($title, $cells, %more) }, shapes => $shapes, words => $words };
}

# Takes a class, two values, y, height, and perhaps what it is in words; returns a bar between the values.
sub bar {
    my ($class, $from, $to, $y, $height, $words) = @_;
    return { shape => 'bar', class => $class, from => $from, to => $to, y => $y, height => $height, words => $words };
}

# Takes a class, two values and y; returns a line between the values.
sub span {
    my ($class, $from, $to, $y) = @_;
    return { shape => 'span', class => $class, from => $from, to => $to, y => $y };
}

# Takes a class and a value; returns a line through the whole height there.
sub rule {
    my ($class, $at) = @_;
    return { shape => 'rule', class => $class, at => $at };
}

# Takes a class, a value, y and what it is in words; returns a dot.
sub dot {
    my ($class, $at, $y, $words) = @_;
    return { shape => 'dot', class => $class, at => $at, y => $y, words => $words };
}

# Takes a class, y and [value, words] each; returns dots that make room for each other around y.
sub swarm {
    my ($class, $y, @dots) = @_;
    return { shape => 'swarm', class => $class, y => $y, dots => \@dots };
}

# Returns lines at the values that are written at the scale.
sub grid { return { shape => 'grid' } }

# Arrangement.

# Takes a title, or { title, is_folded => whether paragraphs are folded where lines are text }, and blocks; returns the
# report.
sub document {
    my ($title, @blocks) = @_;
    return { ref $title ? %$title : (title => $title), blocks => \@blocks };
}

# Takes a title, or { id => what links lead to, title }, and blocks; returns the section.
sub section {
    my ($title, @blocks) = @_;
    return @blocks ? { kind => 'section', ref $title ? %$title : (title => $title), blocks => \@blocks } : ();
}

# Takes a title and blocks that are shown on request where that is possible.
sub fold {
    my ($title, @blocks) = @_;
    return @blocks ? { kind => 'fold', title => $title, blocks => \@blocks } : ();
}

# Takes blocks that are read as one.
sub group {
    my (@blocks) = @_;
    return @blocks ? { kind => 'group', blocks => \@blocks } : ();
}

# Takes two lists of blocks that stand side by side where there is room, the second less important.
sub beside {
    my ($main, $other) = @_;
    return { kind => 'beside', blocks => [group(@$main), group(@$other)] };
}

# Takes cards, the first thing to be seen: they sum up what stands below them.
sub cards {
    my (@cards) = @_;
    return @cards ? { kind => 'cards', blocks => \@cards } : ();
}

# Takes what a card has: title; perhaps link, the id of a section; perhaps class, a kind of finding; blocks. Returns it.
sub card {
    my (%card) = @_;
    return { %card, kind => 'card' };
}

# Takes what a formula has: title; parts, all of them equal, each a text or [above, below] of a fraction; result;
# interval (a text, may be empty); name, lines that tell what it is called; sentences, what it means; notices. Or title
# and left_out, why there is none. Returns it.
sub formula {
    my (%formula) = @_;
    return { %formula, kind => 'formula' };
}

# Extents.

# Take blocks, or functions that return blocks, which are called only where these are shown; return them as blocks of
# that extent alone, or of the other two.
sub in_full       { my (@blocks) = @_; return _only([qw(full)],         @blocks) }
sub in_detail     { my (@blocks) = @_; return _only([qw(detail)],       @blocks) }
sub in_brief      { my (@blocks) = @_; return _only([qw(brief)],        @blocks) }
sub not_in_full   { my (@blocks) = @_; return _only([qw(detail brief)], @blocks) }
sub not_in_detail { my (@blocks) = @_; return _only([qw(full brief)],   @blocks) }
sub not_in_brief  { my (@blocks) = @_; return _only([qw(full detail)],  @blocks) }

sub _only {
    my ($extents, @blocks) = @_;
    my %is_extent = map { $_ => 1 } @$extents;
    return @blocks ? { kind => 'extent', extents => \%is_extent, blocks => \@blocks } : ();
}

# Takes an extent and blocks; returns those that belong to it, without marks. What holds none of them is left out.
sub within {
    my ($extent, @blocks) = @_;
    return map { _within($extent, $_) } @blocks;
}

sub _within {
    my ($extent, $block) = @_;
    return $block if !$block->{blocks};
    my $extents = $block->{extents};
    return if $extents && !$extents->{$extent};
    my @left = within($extent, map { ref eq 'CODE' ? $_->() : $_ } @{ $block->{blocks} });
    return @left if $extents;
    return @left ? { %$block, blocks => \@left } : ();
}

# Takes a block that needs a page; returns what stands for it elsewhere: a table of the numbers of a chart, and what is
# in cards and folds below their titles.
sub plainer {
    my ($block) = @_;
    my $kind = $block->{kind};
    return { %$block, kind => 'table' } if $kind eq 'chart';
    return map { group(heading($_->{title}), @{ $_->{blocks} }) } @{ $block->{blocks} } if $kind eq 'cards';
    return (heading($block->{title}), @{ $block->{blocks} }) if $kind eq 'fold';
    return @{ $block->{blocks} };
}

1;
