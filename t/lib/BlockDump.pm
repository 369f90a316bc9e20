package BlockDump;

# A report of blocks, see UnixBench::Report::Block, as lines that people can read: one for each block, text and row.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text    qw(clean);
use UnixBench::Report::Block qw(content);
use UnixBench::Report::Cell  qw(is_number);
use UnixBench::Report::Plain qw(in_plain);

our @EXPORT_OK = qw(dumped row_texts);

# The lines that stand below others in the present report. If three of them or more come again, "as above" replaces
# them.
my %is_known;

# Functions that dump a block, by its kind. A block of any other kind is dumped as a group of blocks.
my %LINES_OF = (
    paragraphs => sub {
        my ($block) = @_;
        return map { "$block->{style}: " . _text($_) } @{ $block->{texts} };
    },
    heading => sub { my ($block) = @_; return 'heading: ' . _text($block->{text}) },
    list    => \&_list,
    screen  => sub {
        my ($block) = @_;
        return ('screen', _below(map { clean($_) } @{ $block->{lines} }));
    },
    facts => sub {
        my ($block) = @_;
        return ("facts: $block->{title}", _below(map { _cells(@$_) } @{ $block->{pairs} }));
    },
    table    => \&_table,
    headline => \&_headline,
    chart    => sub {
        my ($chart) = @_;
        return ('chart: ' . _text($chart->{words}), _below(map { _shape($_) } @{ $chart->{shapes} }));
    },
);

# Takes a table, a row of it, and perhaps a function that prints a text (by default, that of a terminal); returns the
# texts of its columns after the title. A row without values has none.
sub row_texts {
    my ($table, $row, $printed) = @_;
    $printed ||= \&in_plain;
    my ($first, @columns) = grep { $_->{kind} ne 'picture' } @{ $table->{columns} };
    return $row->{item} ? map { $printed->(content($row, $_)) } @columns : ();
}

# Takes a report; returns its lines.
sub dumped {
    my ($report) = @_;
    %is_known = ();
    my $folded = $report->{is_folded} ? ' (folded)' : q{};
    return join q{}, map { "$_\n" } _text($report->{title}) . $folded, map { _block($_) } @{ $report->{blocks} };
}

sub _block {
    my ($block) = @_;
    return _extent($block) if $block->{extents};
    return $LINES_OF{ $block->{kind} }->($block) if $LINES_OF{ $block->{kind} };
    my @about = map { defined $block->{$_} ? "$_ " . _text($block->{$_}) : () } qw(class id link title);
    return (join(' | ', $block->{kind}, @about), _below(map { _block($_) } @{ $block->{blocks} }));
}

# Takes a block that is shown at some extents only; returns the lines of its blocks. The names of the extents are put
# before each line that is not indented.
sub _extent {
    my ($block) = @_;
    my $mark    = '[' . join(q{ }, sort keys %{ $block->{extents} }) . '] ';
    my @lines   = map { _block($_) } map { ref eq 'CODE' ? $_->() : $_ } @{ $block->{blocks} };
    return map { /\A / ? $_ : "$mark$_" } @lines;
}

sub _headline {
    my ($block) = @_;
    my @numbers = map { 'number: ' . _cells(@$_{qw(number sure title copies link)}) } @{ $block->{numbers} };
    my @chips   = map { "chip: $_->[0] $_->[1]" } @{ $block->{chips} };
    return ('headline', _below(@numbers, @chips, map { _block($_) } @{ $block->{blocks} }));
}

sub _below {
    my (@lines) = @_;
    return '  as above' if @lines > 2 && $is_known{ join "\n", @lines }++;
    return map { "  $_" } @lines;
}

sub _list {
    my ($list) = @_;
    my @items = map { ref eq 'HASH' ? _list($_) : _text($_) } @{ $list->{items} };
    return ('list: ' . _text($list->{head}), _below(@items));
}

sub _table {
    my ($table) = @_;
    my @about   = map { defined $table->{$_} ? "$_ " . _text($table->{$_}) : () } qw(title caption corner split);
    my @columns = @{ $table->{columns} };
    my @heads   = map { _head($_) } @columns;
    push @heads, "remarks $table->{remarks}" if defined $table->{remarks};
    my ($picture) = grep { $_->{values} } @columns;
    return (
        join(' | ', $table->{kind}, @about),
        _below(
            _cells(@heads),
            (map { _row($table, $_) } @{ $table->{rows} }),
            (map { 'sum: ' . _row($table, $_) } @{ $table->{foot} }),
            ($picture ? _scale(@{ $picture->{values} }) : ()),
            (map { 'legend: ' . _text($_) } @{ $table->{legend} })
        )
    );
}

# Returns the heading of a column. A star marks numbers, a quotation mark texts of any origin.
sub _head {
    my ($column) = @_;
    my $mark = is_number($column->{kind}) ? q{*} : $column->{kind} eq 'text' ? q{"} : q{};
    return $mark . _text($column->{heading}) . (defined $column->{in} ? " [$column->{in}]" : q{});
}

sub _scale {
    my (@values) = sort { $a <=> $b } @_;
    return 'scale: ' . join ' to ', map { _number($_) } @values[0, -1];
}

sub _row {
    my ($table, $row) = @_;
    my @said  = map { defined $row->{$_} ? "$_: " . _text($row->{$_}) : () } qw(reason remark words);
    my $title = join q{ }, _text($row->{title}), map { "($_)" } @{ $row->{badges} };
    return join '  ~  ', _cells($title, row_texts($table, $row)), @said, map { _shape($_) } @{ $row->{shapes} || [] };
}

sub _cells {
    my (@cells) = @_;
    return join ' | ', map { defined $_ ? _text($_) : '(none)' } @cells;
}

sub _shape {
    my ($shape) = @_;
    my @numbers = map { defined $shape->{$_} ? "$_ " . _number($shape->{$_}) : () } qw(at from to y height);
    my @words   = defined $shape->{words} ? q{"} . _text($shape->{words}) . q{"} : ();
    return join q{ }, $shape->{shape}, $shape->{class} // (), @numbers, @words;
}

# Returns a number with six digits; further digits differ from machine to machine.
sub _number { my ($number) = @_; return $number =~ /%/ ? $number : sprintf '%.6g', $number }

# Returns a text in one line, with marks around its parts: *strong*, `name`, _aside_, <link to id>.
sub _text {
    my ($text) = @_;
    return '(none)' if !defined $text;
    return clean($text) if !ref $text;
    return join q{}, map { _text($_) } @$text if ref $text eq 'ARRAY';
    return _part($text);
}

sub _part {
    my ($part) = @_;
    return in_plain($part) if defined $part->{cell};
    return '<' . _text($part->{link}) . " to $part->{to}>" if defined $part->{link};
    my ($kind, $text) = %$part;
    my %mark = (strong => q{*}, name => q{`}, aside => q{_});
    return $mark{$kind} . _text($text) . $mark{$kind};
}

1;
