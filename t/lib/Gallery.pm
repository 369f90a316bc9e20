package Gallery;

# Pages to be viewed by people and by a browser. They show everything that reports can show, even if it is rare. A
# feature has a module in its folder t/lib/Gallery, with some of these subs:
#
#     pages       the pages of the feature, each { name, html }
#     large       the same of pages that are too large for tests
#     results     results, each [name, runs, key => value, ...], see Gallery::Results
#     attacked    results, each [name, result], whose texts Gallery::Hostile replaces
#     tests       tests with every kind of data, for the page of a result with everything
#     everything  takes that result; returns it with the other data of the feature

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);

use Gallery::Comparisons ();
use Gallery::Hostile     ();
use Gallery::OddRuns     qw(of_features);
use Gallery::Results     ();
use UnixBench::Compare::Published;
use UnixBench::Report::Formats;
use UnixBench::Report::View;

our @EXPORT_OK = qw(gallery large planted result_page);

my $HOME = dirname(__FILE__) . '/../..';

my @PUBLISHED = UnixBench::Compare::Published::results($HOME);

# Returns the pages, each { name, html }.
sub gallery {
    my @results = (Gallery::Results::all(), Gallery::Hostile::results());
    my @reports = map { { name => $_->{name}, html => result_page($_->{result}) } } @results;
    return (@reports, Gallery::Comparisons::pages(), of_features('pages'));
}

# Returns pages that are too large for tests, each { name, html }.
sub large {
    return of_features('large');
}

# Takes a result; returns its page, with its place among the published ones.
sub result_page {
    my ($result) = @_;
    my $view = UnixBench::Report::View->new(result => $result, published => \@PUBLISHED);
    return UnixBench::Report::Formats::of_result(html => $view);
}

1;
