package UnixBench::Report::Plain;

# A report as plain text for a terminal. The titles of the report and of its sections are not shown, because its tables
# have their own titles.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text    qw(clean defused);
use UnixBench::Report::Block qw(content plainer text_of within);
use UnixBench::Report::Cell  qw(cell_text is_number);
use UnixBench::Report::Lines qw(aligned folded plain);

our @EXPORT_OK = qw(in_plain table_lines);

use constant { INDENT => 3, MEDIUM => { sign => '+-', blank => q{ } } };

# Texts by which scripts find the beginning of a report, or its score.
my @MARKS = ('Index Score', 'Benchmark Run', 'parallel cop');

# Takes a text; returns it as a string for a terminal.
sub in_plain {
    my ($text) = @_;
    return text_of($text, sub { my ($cell) = @_; return cell_text($cell, MEDIUM) });
}

# Takes a report and whether it is printed below a text report; returns the text, with blank lines between blocks. Below
# a text report, no line may look like a line of that report.
sub render {
    my ($report, $is_below) = @_;
    my %how = (
        clean => $is_below                         ? \&plain  : \&clean,
        line  => $is_below                         ? \&plain  : sub { defused(clean($_[0]), @MARKS) },
        fold  => $is_below || $report->{is_folded} ? \&folded : sub { _indented($_[1] // 0, $_[0]) },
    );
    my @groups = grep { @$_ } map { _groups($_, \%how) } within('detail', @{ $report->{blocks} });
    return join "\n", map { _joined($how{line}, @$_) } @groups;
}

sub _joined {
    my ($printable, @lines) = @_;
    return join q{}, map { $printable->($_) . "\n" } @lines;
}

my %GROUPS_OF = (
    paragraphs => sub { [_paragraphs(@_)] },
    heading    => sub { [$_[1]{fold}->(in_plain($_[0]{text}))] },
    list       => sub { [_list(@_)] },
    screen     => sub { [@{ $_[0]{lines} }] },
    few_facts  => sub {
        [map { "$_->[0]: " . in_plain($_->[1]) } @{ $_[0]{pairs} }]
    },
    facts => sub { [_facts(@_)] },
    table => \&_tables,
    group => sub {
        my ($block, $how) = @_;
        return [map { @$_ } map { _groups($_, $how) } @{ $block->{blocks} }];
    },
);

# Returns a block as groups of lines. Groups are separated by blank lines.
sub _groups {
    my ($block, $how) = @_;
    my $groups_of = $GROUPS_OF{ $block->{kind} };
    return $groups_of ? $groups_of->($block, $how) : map { _groups($_, $how) } plainer($block);
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

sub _facts {
    my ($block) = @_;
    return ($block->{title}, _indented(INDENT, map { "$_->[0]: " . in_plain($_->[1]) } @{ $block->{pairs} }));
}

sub _indented {
    my ($columns, @lines) = @_;
    return map { q{ } x $columns . $_ } @lines;
}

# Returns the lines of a table, or of several tables if it is too wide.
sub _tables {
    my ($table, $how) = @_;
    my @title  = defined $table->{title} ? $how->{fold}->(in_plain($table->{title})) : ();
    my @others = 1 .. $#{ $table->{columns} };
    my @groups;
    do {
        my @some = splice @others, 0, $table->{split} // @others;
        push @groups, [@title, table_lines($table, $how->{clean}, 0, @some)];
    } while (@others);
    return @groups;
}

# Takes a table, see UnixBench::Report::Block, a function that makes a text printable, and perhaps the places of the
# columns to be shown; returns its lines, without a title. The reason or remark of a row is printed below it.
sub table_lines {
    my ($table, $clean, @shown) = @_;
    @shown = 0 .. $#{ $table->{columns} } if !@shown;
    my @columns = map { $table->{columns}[$_] } @shown;
    my @rows    = (@{ $table->{rows} }, @{ $table->{foot} });
    my @heads   = map { in_plain($_->{heading}) } @columns;
    $heads[0] = $table->{corner} // $heads[0];
    my @cells = (\@heads, map { _cells($_, @columns) } @rows);
    for my $place (grep { !is_number($columns[$_]{kind}) } 0 .. $#columns) {
        $_->[$place] = $clean->($_->[$place]) for @cells[1 .. $#cells];
        _pad($place, @cells) if $place;
    }
    my ($head, @lines) = aligned(@cells);
    return ($head, map { ($lines[$_], _below($rows[$_])) } 0 .. $#rows);
}

sub _cells {
    my ($row, @columns) = @_;
    return [map { $_->{key} eq 'title' ? _title($row) : $row->{item} ? in_plain(content($row, $_)) : undef } @columns];
}

sub _title {
    my ($row) = @_;
    return join q{ }, in_plain($row->{title}), map { "($_)" } @{ $row->{badges} };
}

# Makes the words of a column begin at the same place.
sub _pad {
    my ($column, @rows) = @_;
    my $width = List::Util::max(map { length($_->[$column] // q{}) } @rows);
    $_->[$column] = sprintf '%-*s', $width, $_->[$column] // q{} for @rows;
    return;
}

sub _below {
    my ($row) = @_;
    return map { folded(in_plain($_), INDENT) } grep { defined } @$row{qw(reason remark)};
}

1;
