package UnixBench::Report::Page;

# A page, and the parts that pages have in common.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Markup qw(element source trusted);
use UnixBench::Report::Style  ();

our @EXPORT_OK = qw(folded headed list notices page paragraph quiet section);

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

# Takes a hash of attributes, if there are any, a title, and what is below it; returns the section.
sub section {
    my @parts      = @_;
    my $attributes = ref $parts[0] eq 'HASH' ? shift @parts : {};
    my $title      = shift @parts;
    return element('section', $attributes, element('h2', $title), @parts);
}

# Takes what it is, and the parts that are shown on request; returns them, or nothing when there are none.
sub folded {
    my ($summary, @parts) = @_;
    return @parts ? element('details', element('summary', $summary), @parts) : ();
}

# Takes texts; returns a paragraph for each.
sub paragraph {
    my (@texts) = @_;
    return map { element('p', $_) } @texts;
}

# The same of texts that are not the first thing to be read.
sub quiet {
    my (@texts) = @_;
    return map { element('p', { class => 'quiet' }, $_) } @texts;
}

# The same of texts that nobody may miss.
sub notices {
    my (@texts) = @_;
    return map { element('p', { class => 'notice' }, $_) } @texts;
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

1;
