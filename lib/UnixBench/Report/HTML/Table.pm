package UnixBench::Report::HTML::Table;

# Tables of pages. On a phone, a wide table becomes a list of its rows; then each cell has the heading of its column
# before it.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Number   qw(grouped);
use UnixBench::Base::Text     qw(clean);
use UnixBench::Report::Markup qw(element);

our @EXPORT_OK = qw(facts_markup table_markup);

use constant {
    COLUMNS_NARROW => 3,
    COLUMNS_MANY   => 8,            # from here on they are in small print, and remarks are below the titles of rows
    SHORT          => 40,           # characters of a title that is kept in one line
    SHORT_WORDS    => 12,           # the same for a cell of type "word"
    PLUS_MINUS     => "\xc2\xb1",
};

# Takes a caption (text or markup) and a table, see UnixBench::Report::Block; returns the markup. A column may also have
# the type "picture": then it has axis, and its cells are pictures.
sub table_markup {
    my ($caption, $table) = @_;
    my @columns = _columns($table);
    my $class   = (grep { $_->{axis} } @columns) ? 'chart' : @columns > COLUMNS_NARROW ? 'stacked' : 'plain';
    $class .= ' small' if $class eq 'stacked' && _has_many_columns($table);
    my @rows = map { _row($_, @columns) } @{ $table->{rows} };
    my @foot = map { _foot_row($_, @columns) } @{ $table->{foot} };
    return element(
        'table',
        { class => $class },
        element('caption', $caption),
        element('thead',   element('tr', map { _heading($_) } @columns)),
        (@rows ? element('tbody', @rows) : ()),
        (@foot ? element('tfoot', @foot) : ()),
    );
}

sub _has_many_columns { my ($table) = @_; return @{ $table->{columns} } >= COLUMNS_MANY }

# Returns the columns, with an additional one for remarks if a row has one and there is room.
sub _columns {
    my ($table) = @_;
    my @columns = @{ $table->{columns} };
    return @columns if _has_many_columns($table) || !grep { defined $_->{remark} } @{ $table->{rows} };
    return (@columns, { type => 'remark', heading => $table->{remarks} });
}

sub _heading {
    my ($column) = @_;
    my ($type, $axis) = @$column{qw(type axis)};
    my %class = $type eq 'number' || $type eq 'picture' ? (class => $type) : ();
    return element('th', { scope => 'col', %class }, _heading_text($column), $axis // ());
}

sub _heading_text {
    my ($column) = @_;
    return $column->{heading} eq '+-' ? PLUS_MINUS : $column->{heading};
}

sub _row {
    my ($row,   @columns) = @_;
    my ($first, @others)  = grep { $_->{type} ne 'remark' } @columns;
    my @cells =
        defined $row->{reason}
        ? _reason($row->{reason}, scalar @others)
        : map { _cell($row->{cells}[$_], $others[$_]) } 0 .. $#others;
    push @cells, map { _cell($row->{remark} // q{}, $_) } grep { $_->{type} eq 'remark' } @columns;
    return element('tr', _title($row, has_remark => !grep { $_->{type} eq 'remark' } @columns), @cells);
}

# Returns a row of the foot. Its title has the space of missing cells at the beginning.
sub _foot_row {
    my ($row,   @columns) = @_;
    my ($first, @others)  = @columns;
    my @cells = map { [$row->{cells}[$_], $others[$_]] } 0 .. $#others;
    shift @cells while @cells && !defined $cells[0][0];
    my $span = @columns - @cells;
    return element('tr', _title($row, span => $span), map { _cell(@$_) } @cells);
}

# Returns the heading of a row. span is its number of columns, and has_remark tells whether it also has the remark.
sub _title {
    my ($row, %has) = @_;
    my $title = $row->{title};
    my @about = (
        length clean($title) <= SHORT ? (class   => 'short')    : (),
        ($has{span} // 1) > 1         ? (colspan => $has{span}) : ()
    );
    my @badges = map { element('span', { class => 'badge' }, $_) } @{ $row->{badges} };
    my @remark = $has{has_remark} && defined $row->{remark} ? element('div', { class => 'quiet' }, $row->{remark}) : ();
    return element('th', { scope => 'row', @about }, $title, @badges, @remark);
}

sub _reason {
    my ($reason, $columns) = @_;
    return element('td', { class => 'missing', colspan => $columns }, $reason);
}

sub _cell {
    my ($content, $column) = @_;
    $content //= q{};
    my $class = _class($content, $column->{type});
    $content = grouped($content) if $column->{type} eq 'number' && !ref $content;
    my %label = $column->{axis} ? () : ('data-label' => _heading_text($column));
    return element('td', { %label, length $class ? (class => $class) : () }, $content);
}

# Returns the class of a cell. An interval is broken only between its numbers, and a number only if it has more digits
# than there is room for. A cell of type "word" is broken only if it is long.
sub _class {
    my ($content, $type) = @_;
    return join q{ }, 'number', $content =~ /[ ].*[ ]/ ? 'several' : (), $content =~ /[^ ]{17}/ ? 'long' : ()
        if $type eq 'number';
    return length clean($content) <= SHORT_WORDS ? 'word' : 'text' if $type eq 'word';
    return $type eq 'remark'                     ? 'text' : $type;
}

# Takes a caption and pairs [label, text]; returns their table.
sub facts_markup {
    my ($caption, @pairs) = @_;
    my @rows = map { element('tr', element('th', { scope => 'row' }, $_->[0]), element('td', $_->[1])) } @pairs;
    return element('table', { class => 'facts' }, element('caption', $caption), element('tbody', @rows));
}

1;
