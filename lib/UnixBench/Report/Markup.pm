package UnixBench::Report::Markup;

# Elements of HTML and XML, in which every text from outside is cleaned and escaped.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text qw(clean);

our @EXPORT_OK = qw(element source trusted);

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

1;
