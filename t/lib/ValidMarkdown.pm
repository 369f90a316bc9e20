package ValidMarkdown;

# Checks that hold for all Markdown reports, by the parser of GitHub (cmark-gfm).

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Needs qw(path_of skip_without);
use Place qw(file_with);

our @EXPORT_OK = qw(are_valid_markdown);

my $CMARK = path_of('cmark-gfm');

# The elements that are allowed, as the parser names them.
my %IS_WANTED = map { $_ => 1 } qw(
    document heading paragraph text code strong table table_header table_row table_cell list item block_quote code_block
);

# Texts outside of code that servers turn into references, mentions, pictures or links.
my $REFERENCE = qr{[@#!\$%&~^*_`|<>\\{}\[\]]\w|\bgh-\d|:(?!\d\d:)\w+:|://|www[.]|[a-z][.][a-z]|--[a-z]}i;

# Takes { name => text }; tests each text.
sub are_valid_markdown {
    my (%text_of) = @_;
    _check($_, $text_of{$_}) for sort keys %text_of;
    return;
}

sub _check {
    my ($name, $text) = @_;
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    unlike(
        $text,
        qr/[ ]$|\n\n\n|\A\n|[^\n]\z/m,
        "$name: no trailing blanks or needless blank lines, and a newline at the end"
    );
    unlike($text, qr/^[|][-|:]*-{71}/m, "$name: no rule that scripts look for");
    my @tables = $text =~ /((?:^[|].*\n)+)/mg;
    is_deeply([grep { !/\A.*\n[|](?:-{3,}:?[|])+\n/ } @tables], [], "$name: tables have a rule below their heads");
SKIP: {
        skip_without(tool => 'cmark-gfm', 1) if !$CMARK;
        my $file = file_with($text);
        my $xml  = qx('$CMARK' -e table -e strikethrough -e autolink --unsafe -t xml '$file');
        my (@unwanted, @texts, $found);
        while ($xml =~ m{<(\w+)[^>]*?/?>(?:([^<]*)</text>)?}g) {
            push @unwanted, $1 if !$IS_WANTED{$1};
            push @texts,    $2 if $1 eq 'text';
            $found++ if $1 eq 'table';
        }
        my %character = (amp => '&', lt => '<', gt => '>', quot => q{"});
        is_deeply([@unwanted, grep { $_ =~ $REFERENCE } map { s/&(\w+);/$character{$1}/gr } @texts],
            [], "$name: no unwanted element or reference");
        is($found // 0, scalar @tables, "$name: all tables are read");
    }
    return;
}

1;
