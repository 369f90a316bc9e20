package UnixBench::Report::Markdown;

# A report as Markdown for forums, tickets and the like. Lines are not wrapped, because forums keep line breaks.
#
# A text reads the same as plain text. A word is quoted as code if a renderer could take it for markup, a link, a
# reference or a mention. No renderer looks for these in code. Backslashes are not sufficient: GitHub finds "#1" and
# "@all" in the page and makes references of them.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text    qw(clean);
use UnixBench::Report::Block qw(content text_of within);
use UnixBench::Report::Cell  qw(is_number);

our @EXPORT_OK = qw(fact source);

use constant { OF_REPORT => 2, OF_SECTION => 3 };                # levels of headings
use constant { MEDIUM    => { sign => '+-', blank => q{ } } };

# Marks that would turn a text that begins with them into another kind of block.
my $MARK = qr{(?:-{1,3}|[+]|\d+[.)])(?!\S)};

# Words that have no meaning in any renderer. A dot between letters may belong to a host's name, which some renderers
# turn into a link. They do the same with "www." and with GH and a number (an issue). Two dashes of an option could
# become one.
my $PLAIN = do {
    my $inside = qr{[-+/=,'](?=[A-Za-z0-9(])|(?<=\d)[.](?=\d)|(?<=\d):(?=\d\d(?!\d))};
    my $word   = qr{(?!.*(?:\bgh-\d|www))[a-z0-9(](?:[a-z0-9()]|$inside){0,999}%?}i;
    qr{(?:(?:[+]-|[-+])(?=\d))?$word|-{1,3}|[+]-?|[/=%@&]};
};

my $OPENING = qr{[("']*};
my $CLOSING = qr{[)"']{0,3}(?:(?:[.]{3}|[.,?!])[)"']{0,3}|[:;])?};

# A command in a text: it follows a colon, and ends at the next mark or at the end of the text.
my $COMMAND = do {
    my $of_run = qr{[.]/Run[ ](?:--[a-z]|(?:compare|doctor|explain|report)\b)};
    qr{(?<=:[ ])((?:$of_run|pgms/\w+[ ]|(?:cpupower|ulimit)[ ]).*?(?=[.,;:)]+(?:[ ]|\z)|\z))};
};

# Placeholders for the ends of a code span, in a text without control characters.
my ($BEGIN, $END) = ("\x01", "\x02");

my %PRINTED = (
    paragraphs => \&_paragraphs,
    heading    => sub { my ($block) = @_; return _bold_line($block->{text}) },
    list       => \&_list,
    screen     => \&_screen,
    table      => \&_table,
    section    => sub { my ($block) = @_; return (_heading(OF_SECTION, $block->{title}), _blocks($block)) },
);

# Takes a report; returns its text, with blank lines between blocks.
sub render {
    my ($report) = @_;
    my @blocks   = map { _block($_) } within('brief', @{ $report->{blocks} });
    my @program  = defined $report->{program} ? _paragraph($report->{program}) : ();
    return join "\n", _heading(OF_REPORT, $report->{title}), @program, @blocks;
}

# Returns a block as texts. Blank lines are put between them.
sub _block {
    my ($block) = @_;
    my $printed = $PRINTED{ $block->{kind} };
    return $printed ? $printed->($block) : _blocks($block);
}

sub _blocks {
    my ($block) = @_;
    return map { _block($_) } @{ $block->{blocks} };
}

sub _heading {
    my ($level, $text) = @_;
    return '#' x $level . q{ } . source(_string($text)) . "\n";
}

sub _paragraphs {
    my ($block) = @_;
    my ($style, @texts) = ($block->{style}, @{ $block->{texts} });
    return join ">\n", map { '> ' . _line($_) . "\n" } @texts if $style eq 'notice';
    return _paragraph(join q{ }, map { _string($_) } @texts) if $style eq 'quiet' && @texts > 1;
    return map { _paragraph($_) } @texts;
}

sub _paragraph { my ($text) = @_; return _line($text) . "\n" }

sub _list {
    my ($block) = @_;
    my @head = defined $block->{head} ? _paragraph($block->{head}) : ();
    return (@head, join q{}, _items(q{}, @{ $block->{items} }));
}

sub _items {
    my ($indent, @items) = @_;
    return map {
        ref eq 'HASH'
            ? (_items($indent, $_->{head}), _items("$indent  ", @{ $_->{items} }))
            : "$indent- "
            . _line($_) . "\n"
    } @items;
}

# Returns lines as code. No line may look like the end of the code.
sub _screen {
    my ($block) = @_;
    my @lines   = map { clean($_) } @{ $block->{lines} };
    my $fence   = '`' x (1 + List::Util::max(2, map { length } map { /(`+)/g } @lines));
    return join q{}, map { "$_\n" } $fence, @lines, $fence;
}

# Returns a text as a line that does not begin like another kind of block.
sub _line {
    my ($text) = @_;
    return (ref $text ? _part($text) =~ s/ +\z//r : source($text)) =~ s/\A *\K($MARK)/`$1`/r;
}

sub _part {
    my ($part) = @_;
    return source($part) . ($part =~ / \z/ ? q{ } : q{}) if !ref $part;
    return join q{}, map { _part($_) } @$part if ref $part eq 'ARRAY';
    my $string = _string($part);
    return fact($string) if defined $part->{name};
    return defined $part->{strong} ? '**' . source($string) =~ s/\A +//r . '**' : source($string);
}

sub _string { my ($text) = @_; return text_of($text, MEDIUM) }

sub _bold_line { my ($text) = @_; return _paragraph([{ strong => $text }]) }

# Returns a table and its title, if it has one. The reasons and remarks of rows are in a last column.
sub _table {
    my ($table)   = @_;
    my @columns   = @{ $table->{columns} };
    my @rows      = (@{ $table->{rows} }, @{ $table->{foot} });
    my $is_said   = grep { defined $_->{reason} || defined $_->{remark} } @rows;
    my @said      = $is_said ? { kind => 'word', heading => $table->{remarks} } : ();
    my @is_number = map { is_number($_->{kind}) } @columns, @said;
    my ($corner, @headings) = map { source(_string($_->{heading} // q{})) } @columns, @said;
    my @lines = map { [_row($_, @columns)] } @rows;
    $corner = source($table->{corner}) if defined $table->{corner};
    return (
        (defined $table->{title} ? _bold_line($table->{title}) : ()),
        _table_lines(\@is_number, [$corner, @headings], @lines)
    );
}

sub _row {
    my ($row, @columns) = @_;
    my $said = join '; ', map { _string($_) } grep { defined } @$row{qw(reason remark)};
    return ((map { _cell($row, $_) } @columns), source($said));
}

sub _cell {
    my ($row, $column) = @_;
    my $text =
          $column->{key} eq 'title' ? _string($row->{title})
        : $row->{item}              ? _string(content($row, $column))
        :                             q{};
    return $column->{kind} eq 'text' ? fact($text) : source($text);
}

# Takes a list that says for each column whether it has numbers, and lines, each a list of cells in Markdown. Returns
# the lines of the table.
sub _table_lines {
    my ($is_number, @lines) = @_;
    my @texts = map {
        join ' | ',
            map { s/[|]/\\|/gr }
            @$_[0 .. $#$is_number]
    } @lines;
    my ($head, @body) = map { "| $_ |\n" } @texts;
    return join q{}, $head, '|', (map { $_ ? '---:|' : '---|' } @$is_number), "\n", @body;
}

# Takes a text that is one name or value; returns it in Markdown. If a part has to be quoted, the whole text is quoted.
sub fact {
    my ($text) = @_;
    my $harmless = source($text);
    return $harmless =~ /`/ ? _quoted(clean($text)) : $harmless;
}

# Takes a text; returns the Markdown for it.
sub source {
    my ($text) = @_;
    return _harmless(clean($text));
}

sub _harmless {
    my ($text) = @_;
    $text =~ s/[ ]+/ /g;
    my $is_command = 1;
    return join q{}, map { ($is_command = !$is_command) ? _quoted($_) : _words($_) } split $COMMAND, $text, -1;
}

sub _words {
    my ($text) = @_;
    $text =~ s/([^ ]+)/_word($1)/ge;
    $text =~ s/$END $BEGIN/ /g;
    $text =~ s/$BEGIN([^$END]*)$END/_quoted($1)/ge;
    return $text;
}

# Takes a word; returns it, marked as code if it is not a plain word. Quotes and parentheses around it, and the end of a
# sentence, stay outside.
sub _word {
    my ($word) = @_;
    my ($opening, $core, $closing) = $word =~ /\A($OPENING)(.*?)($CLOSING)\z/s;
    if ($core =~ /[(]/ && $closing =~ /\A(.*[)])(.*)/) { ($core, $closing) = ($core . $1, $2) }
    return $word if $core =~ /\A(?:$PLAIN)?\z/;
    return "$opening$BEGIN$core$END$closing";
}

# Takes a text; returns it as code. A backtick would end the code. A backslash before a bar would undo the escape of the
# bar in a table. Some renderers take a backslash at the end for an escape of the last backtick. All these are replaced.
sub _quoted {
    my ($text) = @_;
    $text =~ s/`/\\x60/g;
    $text =~ s/\\(?=[|]|\z)/\\x5c/g;
    return "`$text`";
}

1;
