package UnixBench::Report::Markdown::Text;

# Text as Markdown that reads the same as plain text. A word is quoted as code if a renderer could take it for markup, a
# link, a reference or a mention. No renderer looks for these in code. Backslashes are not sufficient: GitHub finds "#1"
# and "@all" in the page and makes references of them.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text qw(clean);

our @EXPORT_OK = qw(bold fact inline source);

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

# Takes markup of this module and texts of any origin; returns them as markup that stays within its line. Markup is
# kept, texts are made harmless.
sub inline {
    my (@content) = @_;
    return trusted(join q{}, map { source($_) } @content);
}

# Takes the same, returns it in bold type.
sub bold {
    my (@content) = @_;
    return trusted('**' . source(inline(@content)) =~ s/\A +//r . '**');
}

# Takes a text that is one name or value; returns it as it is. If a part has to be quoted, the whole text is quoted.
sub fact {
    my ($text)   = @_;
    my $cleaned  = clean($text);
    my $harmless = source($cleaned);
    return trusted($harmless =~ /`/ ? _quoted($cleaned) : $harmless);
}

# Takes text that is Markdown already; returns it as markup. Use it only for text that the program itself contains.
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
