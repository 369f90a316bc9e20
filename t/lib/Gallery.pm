package Gallery;

# Pages to be viewed by people and by a browser. They show everything that reports can show, even if it is rare.

use strict;
use warnings;

use Exporter 'import';

use Gallery::Comparisons ();
use Gallery::Hostile     ();
use Gallery::Results     ();
use Rendered             qw(rendered);

our @EXPORT_OK = qw(gallery);

# Returns the pages, each { name, html }.
sub gallery {
    my @results = (Gallery::Results::all(), Gallery::Hostile::results());
    my @reports = map { { name => $_->{name}, html => rendered(html => $_->{result}) } } @results;
    return (@reports, Gallery::Comparisons::pages());
}

1;
