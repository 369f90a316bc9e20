package UnixBench::Report::HTML::Table;

# Tables of pages. On a phone, a wide table becomes a list of its rows; then each cell has the heading of its column
# before it.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text          qw(clean);
use UnixBench::Report::Block       qw(content);
use UnixBench::Report::Cell        qw(is_number);
use UnixBench::Report::HTML::Chart qw(axis_markup picture_markup scale_of);
use UnixBench::Report::HTML::Text  qw(markup_of string_of);
use UnixBench::Report::Markup      qw(element);

our @EXPORT_OK = qw(facts_markup table_markup);

use constant {
    COLUMNS_NARROW => 3,
    COLUMNS_MANY   => 8,     # from here on they are in small print, and remarks are below the titles of rows
    SHORT          => 40,    # characters of a title that is kept in one line
    SHORT_WORDS    => 12,    # the same for a cell of type "word"
};

# Takes a caption (text or markup) and a table, see UnixBench::Report::Block; returns the markup.
sub table_markup {
    my ($caption, $table) = @_;
    my @columns = map { $_->{kind} eq 'picture' ? { %$_, scale => scale_of($_) } : $_ } _columns($table);
    my $class   = (grep { $_->{scale} } @columns) ? 'chart' : @columns > COLUMNS_NARROW ? 'stacked' : 'plain';
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
    return (@columns, { kind => 'remark', key => 'remark', none => q{}, heading => $table->{remarks} });
}

sub _heading {
    my ($column) = @_;
    my $class = _class_of_column($column);
    return element(
        'th',
        { scope => 'col', $class eq 'number' || $class eq 'picture' ? (class => $class) : () },
        markup_of($column->{heading}),
        $column->{scale} ? axis_markup($column->{scale}) : ()
    );
}

sub _class_of_column {
    my ($column) = @_;
    return is_number($column->{kind}) ? 'number' : $column->{kind};
}

sub _row {
    my ($row, @columns) = @_;
    my ($first, @others) = grep { $_->{kind} ne 'remark' } @columns;
    my @remark = grep { $_->{kind} eq 'remark' } @columns;
    my @cells =
        defined $row->{reason}
        ? _reason($row->{reason}, scalar @others)
        : map { _cell(_content($row, $_), $_) } @others;
    push @cells, map { _cell([markup_of($row->{remark} // q{})], $_) } @remark;
    return element('tr', _title($row, has_remark => !@remark), @cells);
}

# Returns a row of the foot. Its title has the space of unknown values at the beginning.
sub _foot_row {
    my ($row,   @columns) = @_;
    my ($first, @others)  = @columns;
    shift @others while @others && !$others[0]{scale} && !defined $row->{item}{ $others[0]{key} };
    return element('tr', _title($row, span => @columns - @others), map { _cell(_content($row, $_), $_) } @others);
}

# Returns the heading of a row. span is its number of columns, and has_remark tells whether it also has the remark.
sub _title {
    my ($row, %has) = @_;
    my $title = string_of($row->{title});
    my @about = (
        length clean($title) <= SHORT ? (class   => 'short')    : (),
        ($has{span} // 1) > 1         ? (colspan => $has{span}) : ()
    );
    my @badges = map { element('span', { class => 'badge' }, $_) } @{ $row->{badges} };
    my @remark = $has{has_remark}
        && defined $row->{remark} ? element('div', { class => 'quiet' }, markup_of($row->{remark})) : ();
    return element('th', { scope => 'row', @about }, $title, @badges, @remark);
}

sub _reason {
    my ($reason, $columns) = @_;
    return element('td', { class => 'missing', colspan => $columns }, markup_of($reason));
}

# Returns the contents of a cell, strings and markup.
sub _content {
    my ($row, $column) = @_;
    return [markup_of(content($row, $column))] if !$column->{scale};
    return [@{ $row->{shapes} || [] } ? picture_markup($row, $column->{scale}) : ()];
}

sub _cell {
    my ($content, $column) = @_;
    my $class = _class(join(q{}, map { ref ? q{} : $_ } @$content), $column);
    my %label = $column->{scale} ? () : ('data-label' => string_of($column->{heading}));
    return element('td', { %label, length $class ? (class => $class) : () }, @$content);
}

# Returns the class of a cell. An interval is broken only between its numbers or before its sign, and a number only if
# it has more digits than there is room for. A cell of type "word" is broken only if it is long.
sub _class {
    my ($string, $column) = @_;
    my $class = _class_of_column($column);
    return join q{ }, 'number', $string =~ /[ ](?:.*[ ]|\xc2\xb1)/ ? 'several' : (),
        $string =~ /(?:[^ ,],?){17}/ ? 'long' : ()
        if $class eq 'number';
    return length clean($string) <= SHORT_WORDS ? 'word' : 'text' if $class eq 'word';
    return $class eq 'remark'                   ? 'text' : $class;
}

# Takes a caption and pairs [label, text]; returns their table.
sub facts_markup {
    my ($caption, @pairs) = @_;
    my @rows =
        map { element('tr', element('th', { scope => 'row' }, $_->[0]), element('td', markup_of($_->[1]))) } @pairs;
    return element('table', { class => 'facts' }, element('caption', $caption), element('tbody', @rows));
}

1;
