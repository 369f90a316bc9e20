package UnixBench::Report::Page;

# A page, and the parts that pages have in common.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Markup qw(element source trusted);
use UnixBench::Report::Style  ();

our @EXPORT_OK = qw(cell headed list number page paragraph row table text);

# Takes a title and what is below it, returns one HTML file that needs nothing else.
sub page {
    my ($title, @parts) = @_;
    my $head = element(
        'head',
        element('meta',  { charset => 'utf-8' }),
        element('meta',  { name    => 'viewport', content => 'width=device-width, initial-scale=1' }),
        element('title', $title),
        element('style', trusted("\n" . UnixBench::Report::Style::sheet())),
    );
    my $body = element('body', element('main', element('h1', $title), @parts));
    return "<!DOCTYPE html>\n" . source(element('html', { lang => 'en' }, $head, $body));
}

# Takes texts; returns a paragraph for each.
sub paragraph {
    my (@texts) = @_;
    return map { element('p', $_) } @texts;
}

# Takes texts; returns them as a list, or nothing for none.
sub list {
    my (@texts) = @_;
    return @texts ? element('ul', map { element('li', $_) } @texts) : ();
}

# Takes a text and those that belong below it; returns them as a paragraph and a list, or nothing when there are none
# below.
sub headed {
    my ($head, @texts) = @_;
    return @texts ? (paragraph($head), list(@texts)) : ();
}

# Takes a caption, headings, a list of rows and perhaps a last row, returns a table. A heading that begins with a star
# stands above numbers.
sub table {
    my ($caption, $headings, $rows, $foot) = @_;
    my @headings = map { /\A[*](.*)/s ? _heading($1, class => 'number') : _heading($_) } @$headings;
    my @parts    = (element('thead', element('tr', @headings)), element('tbody', @$rows));
    push @parts, element('tfoot', $foot) if $foot;
    return element('div', { class => 'wide' }, element('table', element('caption', $caption), @parts));
}

sub _heading {
    my ($text, %attributes) = @_;
    return element('th', { scope => 'col', %attributes }, $text);
}

# Takes what a row is about, and its cells; returns the row.
sub row {
    my ($title, @cells) = @_;
    return element('tr', element('th', { scope => 'row' }, $title), @cells);
}

# Takes a word, returns it as a cell.
sub cell {
    my ($word) = @_;
    return element('td', $word);
}

# Takes a text of any length, returns it as a cell.
sub text {
    my ($text) = @_;
    return element('td', { class => 'text' }, $text);
}

# Takes a number as text, returns it as a cell.
sub number {
    my ($text) = @_;
    return element('td', { class => 'number' }, $text);
}

1;
