package UnixBench::Report::Markdown::Text;

# Text in Markdown that reads the same as plain text. What any renderer could take for markup, a link, a reference or a
# mention is quoted as code, in which none of them looks for such: backslashes do not keep "#1" or "@all" from becoming
# references on GitHub, which finds them in the page.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format qw(clean);

our @EXPORT_OK = qw(bold fact inline source trusted);

# Words that mean nothing anywhere. A dot between letters may be one of a host's name, which some renderers link, as
# they do with "www." and, for an issue, with GH and a number; typography would make one dash of the two of an option.
my $PLAIN = do {
    my $inside = qr{[-+/=,'](?=[A-Za-z0-9(])|(?<=\d)[.](?=\d)|(?<=\d):(?=\d\d(?!\d))};
    my $word   = qr{(?!.*(?:\bgh-\d|www))[a-z0-9(](?:[a-z0-9()]|$inside){0,999}%?}i;
    qr{(?:[-+](?=\d))?$word|-{1,3}|[+]-?|[/=%@&]};
};

my $OPENING = qr{[("']*};
my $CLOSING = qr{[)"']{0,3}(?:(?:[.]{3}|[.,?!])[)"']{0,3}|[:;])?};

# What stands for the ends of a code span in a text without control characters.
my ($BEGIN, $END) = ("\x01", "\x02");

# Takes markup of this module, which is kept, and texts of any origin, which are made harmless; returns them as markup
# that stays within its line.
sub inline {
    my (@content) = @_;
    return trusted(join q{}, map { source($_) } @content);
}

# Takes the same, returns it in bold type.
sub bold {
    my (@content) = @_;
    return trusted('**' . source(inline(@content)) =~ s/\A +//r . '**');
}

# Takes a text that is one name or value; returns it as it is or, where a part has to be quoted, quoted as a whole.
sub fact {
    my ($text)   = @_;
    my $cleaned  = clean($text);
    my $harmless = source($cleaned);
    return trusted($harmless =~ /`/ ? _quoted($cleaned) : $harmless);
}

# Takes text that is Markdown already, returns it as markup: for what is written in the program itself.
sub trusted {
    my ($markdown) = @_;
    return bless \$markdown, __PACKAGE__;
}

# Takes markup or a text, returns the Markdown for it.
sub source {
    my ($content) = @_;
    return ref $content ? ${$content} : _harmless(clean($content));
}

sub _harmless {
    my ($text) = @_;
    $text =~ s/[ ]+/ /g;
    $text =~ s/([^ ]+)/_word($1)/ge;
    $text =~ s/$END $BEGIN/ /g;
    $text =~ s/$BEGIN([^$END]*)$END/_quoted($1)/ge;
    return $text;
}

# Quotes and parentheses around a word, and what ends a sentence, stay outside.
sub _word {
    my ($word) = @_;
    my ($opening, $core, $closing) = $word =~ /\A($OPENING)(.*?)($CLOSING)\z/s;
    if ($core =~ /[(]/ && $closing =~ /\A(.*[)])(.*)/) { ($core, $closing) = ($core . $1, $2) }
    return $word if $core =~ /\A(?:$PLAIN)?\z/;
    return "$opening$BEGIN$core$END$closing";
}

# A backtick would end it, a backslash would undo that the table escapes the bar behind it, and some take one at the end
# for an escape of that.
sub _quoted {
    my ($text) = @_;
    $text =~ s/`/\\x60/g;
    $text =~ s/\\(?=[|]|\z)/\\x5c/g;
    return "`$text`";
}

1;
