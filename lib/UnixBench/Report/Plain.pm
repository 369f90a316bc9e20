package UnixBench::Report::Plain;

# A report as plain text for a terminal. The titles of the report and of its sections are not shown, because its tables
# have their own titles.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text    qw(aligned clean folded hanging plain unique wrapped);
use UnixBench::Report::Block qw(content text_of within);
use UnixBench::Report::Cell  qw(is_number);

our @EXPORT_OK = qw(entry_lines in_plain table_lines usable);

use constant { INDENT => 3, MEDIUM => { sign => '+-', blank => q{ } } };

# Columns of a terminal.
use constant {
    USABLE      => 40,    # a narrower terminal breaks the lines itself
    BETWEEN     => 2,     # columns of a table
    TITLE_LEAST => 38,    # for the titles of rows, and
    TEXT_LEAST  => 34,    # for the longest text: other columns are left out first
    PART_LEAST  => 16,    # for a part of a title or of a text
    BLOCK       => 72,    # the block at the end
    LABEL       => 11,    # the labels in it
    APART       => 3,     # its items
};

# How a command begins.
my $COMMAND = qr{\A[.]/Run };

# Takes a text; returns it as a string for a terminal.
sub in_plain { my ($text) = @_; return text_of($text, MEDIUM) }

# Takes a report, whether it is printed below a text report, and perhaps the terminal on which it is shown, see
# UnixBench::CLI::Console::screen. Returns the text, with blank lines between blocks. Words that scripts search for in a
# text report are broken only below one. On a terminal, the lines have its width, and the block of the report is at the
# end.
sub render {
    my ($report, $is_below, $screen) = @_;
    my $columns   = $screen && usable($screen->{columns});
    my $is_folded = $is_below || $screen || $report->{is_folded};
    my $clean     = $is_below ? \&plain : \&clean;
    my %how       = (
        columns => $columns,
        clean   => $clean,
        fold    => sub { $is_folded ? folded($clean->($_[0]), $_[1], $columns) : _indented($_[1] // 0, $_[0]) },
    );
    my @groups = grep { @$_ } map { _groups($_, \%how) } within('detail', @{ $report->{blocks} });
    my @block  = $screen && $report->{block} ? ($report->{program} // (), @{ $report->{block} }) : ();
    my $block  = join q{}, map { "$_\n" } @block ? entry_lines($screen, @block) : ();
    return join "\n", (map { _joined(\%how, @$_) } @groups), grep { length } $block;
}

# Returns a group of lines as a text. On a terminal, lines that are too long are broken at blanks.
sub _joined {
    my ($how,   @lines)   = @_;
    my ($clean, $columns) = @$how{qw(clean columns)};
    return join q{}, map { "$_\n" } map { _broken($columns, $clean->($_)) } @lines;
}

sub _broken {
    my ($columns, $line) = @_;
    return $line if !defined $columns || length $line <= $columns;
    my ($blanks) = $line =~ /\A( *)/;
    return hanging($line, $columns, length $blanks, 1);
}

# Takes the columns of a terminal; returns a width in which words have room.
sub usable {
    my ($columns) = @_;
    return List::Util::max($columns, USABLE);
}

# Takes a terminal (see UnixBench::CLI::Console::screen), and entries, each [label, item, ...], or a string with lines
# of its own. An item is a text, or { text } with lines of its own. Returns the lines of a block that is at most 72
# columns wide: labels in one column, and the items, which are not broken if there is room. A path or a command, which
# people copy, is not broken.
sub entry_lines {
    my ($screen, @entries) = @_;
    my $columns = List::Util::min(usable($screen->{columns}), $screen->{is_wide} ? () : BLOCK) - LABEL;
    return map { ref ? _entry($columns, @$_) : wrapped(clean($_), $columns + LABEL) } @entries;
}

sub _entry {
    my ($columns, $label, @items) = @_;
    my @lines = q{};
    for my $item (@items) {
        my $is_apart = ref $item eq 'HASH' && exists $item->{text};
        my $text     = clean(in_plain($is_apart ? $item->{text} : $item));
        my @wrapped  = $label eq 'Page' || $text =~ $COMMAND ? $text : wrapped($text, $columns);
        my $both     = length $lines[-1]                     ? $lines[-1] . q{ } x APART . $text : $text;
        if (!$is_apart && length $both <= $columns) { $lines[-1] = $both }
        else                                        { push @lines, @wrapped }
    }
    @lines = grep { length } @lines;
    return map { sprintf '%-*s%s', LABEL, $_ ? q{} : $label, $lines[$_] } 0 .. $#lines;
}

my %GROUPS_OF = (
    paragraphs => sub { [_paragraphs(@_)] },
    heading    => sub { [$_[1]{fold}->(in_plain($_[0]{text}))] },
    list       => sub { [_list(@_)] },
    screen     => sub { [@{ $_[0]{lines} }] },
    table      => \&_tables,
    group      => sub {
        my ($block, $how) = @_;
        return [map { @$_ } map { _groups($_, $how) } @{ $block->{blocks} }];
    },
);

# Returns a block as groups of lines. Groups are separated by blank lines.
sub _groups {
    my ($block, $how) = @_;
    my $groups_of = $GROUPS_OF{ $block->{kind} };
    return $groups_of ? $groups_of->($block, $how) : map { _groups($_, $how) } @{ $block->{blocks} };
}

sub _paragraphs {
    my ($block, $how) = @_;
    my $indent = $block->{style} eq 'below' ? INDENT : 0;
    return map { $how->{fold}->(in_plain($_), $indent) } @{ $block->{texts} };
}

sub _list {
    my ($block) = @_;
    my @lines = map { ref eq 'HASH' ? _list($_) : in_plain($_) } @{ $block->{items} };
    return defined $block->{head} ? (in_plain($block->{head}), _indented(INDENT, @lines)) : @lines;
}

sub _indented {
    my ($columns, @lines) = @_;
    return map { q{ } x $columns . $_ } @lines;
}

sub _tables {
    my ($table, $how) = @_;
    my @title = defined $table->{title} ? $how->{fold}->(in_plain($table->{title})) : ();
    return [@title, table_lines($table, $how->{clean}, $how->{columns})];
}

# Takes a table, see UnixBench::Report::Block, a function that makes a text printable, and perhaps the width of the
# terminal: columns that have no room are left out, and the longest text is broken. Returns its lines, without a title.
# The reason or remark of a row is printed below it.
sub table_lines {
    my ($table, $clean, $most) = @_;
    my @columns = @{ $table->{columns} };
    my @rows    = (@{ $table->{rows} }, @{ $table->{foot} });
    my ($first, @others) = map { in_plain($_->{heading}) } @columns;
    my @cells = ([$table->{corner} // $first, @others], map { _cells($_, $clean, @columns) } @rows);
    my ($places, $widths) = _fitting($most, \@columns, @cells);
    my @left_out = grep {
        my $place = $_;
        !grep { $_ == $place } @$places
    } 0 .. $#columns;
    my @parts = map { [_parts($_, $widths, @$places)] } @cells;
    my @lines = map { @$_ } @parts;
    for my $place (grep { $_ && !is_number($columns[$places->[$_]]{kind}) } 0 .. $#$places) {
        _pad($place, @lines);
    }
    @lines = aligned(@lines);
    my ($head, @of_rows) = map { [splice @lines, 0, scalar @$_] } @parts;
    my @names = unique(map { $cells[0][$_] } @left_out);
    my $more  = 'A wider terminal, or a file, also has ' . join(', ', @names) . q{.};
    my @below = @names ? folded($more, 0, $most) : ();
    return (@$head, (map { (@{ $of_rows[$_] }, _below($rows[$_], $clean, $most)) } 0 .. $#rows), @below);
}

sub _cells {
    my ($row, $clean, @columns) = @_;
    my @cells =
        map { $_->{key} eq 'title' ? in_plain($row->{title}) : $row->{item} ? in_plain(content($row, $_)) : undef }
        @columns;
    return [map { _has_texts($columns[$_]) ? $clean->($cells[$_]) : $cells[$_] } 0 .. $#columns];
}

# Takes the width of a terminal, or undef, the columns of a table, and its rows of cells. Returns [the places of the
# columns that have room], and { place => width } of all. Columns with the same value of the key "spare" are left out
# together, the highest first. Then the longest text and the titles are broken.
sub _fitting {
    my ($most, $columns, @cells) = @_;
    my @places = 0 .. $#$columns;
    return (\@places, {}) if !defined $most;
    my %width;
    for my $place (@places) {
        $width{$place} = List::Util::max(map { length($_->[$place] // q{}) } @cells);
    }
    my @texts  = grep { _has_texts($columns->[$_]) } @places[1 .. $#places];
    my ($text) = sort { $width{$b} <=> $width{$a} || $a <=> $b } @texts;
    my %least  = (%width, _narrowed(\%width, 0, TITLE_LEAST), _narrowed(\%width, $text, TEXT_LEAST));

    for my $spare (sort { $b <=> $a } unique(map { $_->{spare} // () } @$columns)) {
        last if _excess($most, @least{@places}) <= 0;
        @places = grep { ($columns->[$_]{spare} // 0) != $spare } @places;
    }
    for my $part ([$text, TEXT_LEAST], [0, TITLE_LEAST], [$text, PART_LEAST], [0, PART_LEAST]) {
        my $excess = _excess($most, @width{@places});
        %width = (%width, _narrowed(\%width, @$part, $excess)) if $excess > 0;
    }
    return (\@places, \%width);
}

# Returns whether a column has texts: they are made printable, and may be broken into lines.
sub _has_texts {
    my ($column) = @_;
    return !is_number($column->{kind});
}

# Takes { place => width }, a place or undef, its least width, and perhaps by how much it should become narrower;
# returns the place and its width then.
sub _narrowed {
    my ($width, $place, $least, $excess) = @_;
    return if !defined $place;
    my $now = $width->{$place};
    return ($place => List::Util::min($now, List::Util::max($least, $now - ($excess // $now))));
}

sub _excess {
    my ($most, @widths) = @_;
    return List::Util::sum(@widths) + BETWEEN * $#widths - $most;
}

# Returns the cells of a row, in lines: texts that are longer than their column are broken.
sub _parts {
    my ($cells, $widths, @places) = @_;
    my @columns = map { [_broken_cell($cells->[$_], $widths->{$_}, $_)] } @places;
    my @lines;
    for my $line (0 .. List::Util::max(map { $#$_ } @columns)) {
        push @lines, [map { $_->[$line] } @columns];
    }
    return @lines;
}

sub _broken_cell {
    my ($text, $width, $place) = @_;
    return $text if !defined $text || !defined $width || length $text <= $width;
    return $place ? wrapped($text, $width) : hanging($text, $width, 0);
}

# Makes the words of a column begin at the same place.
sub _pad {
    my ($column, @rows) = @_;
    my $width = List::Util::max(map { length($_->[$column] // q{}) } @rows);
    $_->[$column] = sprintf '%-*s', $width, $_->[$column] // q{} for @rows;
    return;
}

sub _below {
    my ($row, $clean, $columns) = @_;
    return map { folded($clean->(in_plain($_)), INDENT, $columns) } grep { defined } @$row{qw(reason remark)};
}

1;
