package Gallery;

# Pages to be viewed by people and by a browser. They show everything that reports can show, even if it is rare. A
# feature has its pages in a module of its folder t/lib/Gallery. Its sub pages returns them, and its sub faults, if it
# has one, the faults that t-all/pages/faults.t plants: { name of a page => [faults] }.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(basename dirname);

use Gallery::Comparisons ();
use Gallery::Hostile     ();
use Gallery::Results     ();
use UnixBench::Catalog;
use UnixBench::Compare::Published;
use UnixBench::Report::Formats;
use UnixBench::Report::View;

our @EXPORT_OK = qw(bands gallery planted result_page);

my $HOME        = dirname(__FILE__) . '/../..';
my @OF_FEATURES = map { _of_feature($_) } glob "$HOME/features/*/t/lib/Gallery/*.pm";

my @PUBLISHED = UnixBench::Compare::Published::results($HOME);

# Returns the pages, each { name, html }.
sub gallery {
    my @results = (Gallery::Results::all(), Gallery::Hostile::results());
    my @reports = map { { name => $_->{name}, html => result_page($_->{result}) } } @results;
    return (@reports, Gallery::Comparisons::pages(), map { $_->can('pages')->() } @OF_FEATURES);
}

# Returns the pages of features in which faults are planted, { name => [html, fault, ...] }.
sub planted {
    my %planted;
    for my $module (grep { $_->can('faults') } @OF_FEATURES) {
        my %html   = map { $_->{name} => $_->{html} } $module->can('pages')->();
        my $faults = $module->can('faults')->();
        $planted{$_} = [$html{$_}, @{ $faults->{$_} }] for keys %$faults;
    }
    return \%planted;
}

# Takes the path of a module in a feature's folder t/lib/Gallery; loads it, and returns its package.
sub _of_feature {
    my ($path) = @_;
    my $tests = dirname(dirname(dirname($path)));
    push @INC, "$tests/lib", "$tests/../lib";
    require $path;
    return 'Gallery::' . basename($path) =~ s/[.]pm\z//r;
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
