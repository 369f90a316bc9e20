package UnixBench::Report::Markup;

# Elements of HTML and XML, in which every text from outside is cleaned and escaped, and the texts of pages.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text    qw(clean);
use UnixBench::Report::Block qw(text_of);
use UnixBench::Report::Cell  qw(cell_text);

our @EXPORT_OK = qw(element markup_of source string_of trusted);

use constant MEDIUM => { sign => "\xc2\xb1", blank => "\xc2\xa0", is_whole => 1, is_grouped => 1 };

my %ENTITY   = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', q{'} => '&#39;');
my %IS_VOID  = map { $_ => 1 } qw(meta link br hr);
my %IS_BLOCK = map { $_ => 1 } qw(
    html head body main section details table caption thead tbody tfoot tr td th ul li dl dt dd h1 h2 h3 p
    meta link title style summary div pre figure figcaption
);

# Takes a name, a hash of attributes if there are any, and content; returns markup. Content is markup made
# by this module, which is kept, or text from anywhere, which is cleaned and escaped.
sub element {
    my ($name, @content) = @_;
    my $attributes = ref $content[0] eq 'HASH' ? shift @content : {};
    my $tag        = join ' ', $name, map { qq{$_="} . _escaped($attributes->{$_}) . '"' } sort keys %{$attributes};
    my $end        = $IS_BLOCK{$name} ? "\n" : '';
    return trusted("<$tag>$end") if $IS_VOID{$name};
    my $inside = join '', map { source($_) } @content;
    my $start  = $inside =~ /\A</ && $end ? "\n" : '';
    return trusted("<$tag>$start$inside</$name>$end");
}

# Takes text that is markup already; returns it as markup. Use it only for text that the program itself contains.
sub trusted {
    my ($html) = @_;
    return bless \$html, __PACKAGE__;
}

# Takes markup or text, returns the HTML for it.
sub source {
    my ($content) = @_;
    return ref $content ? ${$content} : _escaped($content);
}

sub _escaped {
    my ($text) = @_;
    $text = clean($text);
    $text =~ s/([&<>"'])/$ENTITY{$1}/g;
    return $text;
}

# Takes a text; returns it as a string, for an attribute or an element that has strings only.
sub string_of {
    my ($text) = @_;
    return text_of($text, sub { my ($cell) = @_; return cell_text($cell, MEDIUM) });
}

# Takes a text, see UnixBench::Report::Block; returns its parts as markup or strings, a list.
sub markup_of {
    my ($text) = @_;
    return $text if !ref $text;
    return map { _part($_) } ref $text eq 'ARRAY' ? @$text : $text;
}

sub _part {
    my ($part) = @_;
    return ($part, $part =~ / \z/ ? trusted(q{ }) : ()) if !ref $part;
    return markup_of($part) if ref $part eq 'ARRAY';
    return cell_text($part, MEDIUM) if defined $part->{cell};
    my ($kind, $text) = %$part;
    return
          $kind eq 'strong' ? element('strong', markup_of($text))
        : $kind eq 'aside'  ? element('span', { class => 'quiet' }, markup_of($text))
        :                     element('code', string_of($text));
}

1;
