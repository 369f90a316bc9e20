package ValidMarkdown;

# Checks that hold for all Markdown reports.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Needs                 qw(skip_without);
use ReadMarkdown          qw(read_by readers);
use UnixBench::Base::Text qw(clean);

our @EXPORT_OK = qw(are_valid_markdown as_read complaints expected);

# The elements that are allowed, as the two parsers name them.
my @WANTED = qw(
    heading paragraph text code strong table table_header table_row table_cell list item block_quote
    code_inline thead tbody tr th td bullet_list list_item blockquote code_block fence
);

# Texts outside of code that servers turn into references, mentions, pictures or links.
my $REFERENCE = qr{[@#!\$%&~^*_`|<>\\{}\[\]]\w|\bgh-\d|:(?!\d\d:)\w+:|://|www[.]|[a-z][.][a-z]|--[a-z]}i;

# Takes { name => text }; tests each text, and returns { name => [result of each parser, see ReadMarkdown, with the
# parser's name as "by"] }.
sub are_valid_markdown {
    my (%text_of) = @_;
    my @names     = sort keys %text_of;
    my %read_of   = map { $_ => [] } @names;
    for my $reader (readers()) {
        my @read = read_by($reader, @text_of{@names});
        push @{ $read_of{ $names[$_] } }, { %{ $read[$_] }, by => $reader } for 0 .. $#names;
    }
    _check($_, $text_of{$_}, @{ $read_of{$_} }) for @names;
    return \%read_of;
}

sub _check {
    my ($name, $text, @read) = @_;
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    unlike(
        $text,
        qr/[ ]$|\n\n\n|\A\n|[^\n]\z/m,
        "$name: no trailing blanks or needless blank lines, and a newline at the end"
    );
    unlike($text, qr/^[|][-|:]*-{71}/m, "$name: no rule that scripts look for");
    my @tables = $text =~ /((?:^[|].*\n)+)/mg;
    is_deeply([grep { !/\A.*\n[|](?:-{3,}:?[|])+\n/ } @tables], [], "$name: tables have a rule below their heads");
SKIP: { skip_without(tool => 'cmark-gfm, or python3 with markdown_it and linkify_it', 1) if !@read }
    for my $read (@read) {
        is_deeply([complaints($read)], [], "$name: no unwanted element, read by $read->{by}");
        is(scalar @{ $read->{tables} }, scalar @tables, "$name: all tables, read by $read->{by}");
    }
    return;
}

# Takes the result of a parser; returns a text for each unwanted element or reference.
sub complaints {
    my ($read) = @_;
    my %unwanted = %{ $read->{elements} };
    delete @unwanted{@WANTED};
    my @references = grep { $_ =~ $REFERENCE } @{ $read->{texts} };
    return (map({ "element $_" } sort keys %unwanted), map { "reference $_" } @references);
}

# Returns the text that a parser should find for a given text.
sub expected { my ($text) = @_; return as_read(clean($text)) }

# Returns a parser's text without differences that no page shows: repeated blanks, and escaped backticks and
# backslashes.
sub as_read {
    my ($text) = @_;
    return $text =~ s/ +/ /gr =~ s/\A | \z//gr =~ s/\\x60/`/gr =~ s/\\x5c/\\/gr;
}

1;
