package UnixBench::Report::HTML::Text;

# Texts of pages, with the numbers in them.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Block  qw(text_of);
use UnixBench::Report::Cell   qw(cell_text);
use UnixBench::Report::Markup qw(element trusted);

our @EXPORT_OK = qw(markup_of string_of);

use constant MEDIUM    => { sign => "\xc2\xb1", blank => "\xc2\xa0", is_whole => 1, is_grouped => 1 };
use constant WORD_MOST => 30;    # characters of a word that has room on a phone

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
    return element('a', { href => "#$part->{to}" }, markup_of($part->{link})) if defined $part->{link};
    my ($kind, $text) = %$part;
    return
          $kind eq 'strong' ? element('strong', markup_of($text))
        : $kind eq 'aside'  ? element('span', { class => 'quiet' }, markup_of($text))
        :                     element('code', _words(string_of($text)));
}

sub _words {
    my ($text) = @_;
    my ($first, @others) = grep { length } split / /, $text;
    return (_word($first // q{}), map { (trusted(q{ }), _word($_)) } @others);
}

# A short word of code, such as a flag, is not broken at its hyphens.
sub _word {
    my ($word) = @_;
    return length $word > WORD_MOST ? $word : element('span', { class => 'word' }, $word);
}

1;
