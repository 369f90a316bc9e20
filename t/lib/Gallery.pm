package Gallery;

# Pages to be viewed by people and by a browser. They show everything that reports can show, even if it is rare.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);

use Gallery::Comparisons ();
use Gallery::Histories   ();
use Gallery::Hostile     ();
use Gallery::Results     ();
use UnixBench::Catalog;
use UnixBench::Compare::Published;
use UnixBench::Report::Formats;
use UnixBench::Report::View;

our @EXPORT_OK = qw(bands gallery result_page);

my @PUBLISHED = UnixBench::Compare::Published::results(dirname(__FILE__) . '/../..');

# Returns the pages, each { name, html }.
sub gallery {
    my @results = (Gallery::Results::all(), Gallery::Hostile::results());
    my @reports = map { { name => $_->{name}, html => result_page($_->{result}) } } @results;
    return (@reports, Gallery::Comparisons::pages(), Gallery::Histories::pages());
}

# Returns { title of a test => [low, high] }: between these two scores lie most of the published ones. A test without
# published scores has undef.
sub bands {
    my %bands = UnixBench::Compare::Published::bands(@PUBLISHED);
    return { map { $_->{title} => $bands{ $_->{name} } } UnixBench::Catalog::tests() };
}

# Takes a result; returns its page, with its place among the published ones.
sub result_page {
    my ($result) = @_;
    my $view = UnixBench::Report::View->new(result => $result, published => \@PUBLISHED);
    return UnixBench::Report::Formats::of_result(html => $view);
}

1;
