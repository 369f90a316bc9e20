package ValidPage;

# Checks that hold for every HTML page.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Needs qw(path_of skip_without);
use Place qw(file_with);

our @EXPORT_OK = qw(is_valid_page);

my ($tidy, $xmllint) = map { path_of($_) } qw(tidy xmllint);

my $REFERENCE = qr/\s(?:aria-(?:labelledby|describedby|controls|owns|details)|for|headers)="([^"]*)"/;

# The icon of the tab is empty.
my $ICON = qr{<link href="data:," rel="icon">\n};

# Takes a name and a page; tests that it is well-formed and accessible, and needs no other file.
sub is_valid_page {
    my ($name, $html) = @_;
    is((() = $html =~ /$ICON/g), 1, "$name: one icon");
    unlike(
        _without_data($html) =~ s/$ICON//r,
        qr/<script|<link|<img|\burl\(|https?:|\@import/i,
        "$name: no script and no request"
    );
    unlike($html, qr/<th(?![^>]*\bscope=)(?!ead)/, "$name: every heading of a table has a scope");
    unlike($html, qr/[\x00-\x09\x0b-\x1f\x7f]/,    "$name: no control characters");
    is((() = $html =~ /<table/g), (() = $html =~ /<caption/g), "$name: every table has a caption");
    is_deeply([_lost($html)], [], "$name: every referenced id exists");
SKIP: {
        skip_without(tool => 'tidy', 1) if !$tidy;
        my $file = file_with($html);
        is(qx('$tidy' -q -e --show-warnings yes '$file' 2>&1), q{}, "$name: valid HTML");
    }
SKIP: {
        skip_without(tool => 'xmllint', 1) if !$xmllint;
        my $file = file_with(join q{}, "<all>\n", $html =~ m{<svg\b.*?</svg>}gs, '</all>');
        is(qx('$xmllint' --noout --nonet '$file' 2>&1), q{}, "$name: pictures are well-formed XML");
    }
    return;
}

# Returns a page without the elements that hold data for programs. Browsers do not execute them.
sub _without_data {
    my ($html) = @_;
    return $html =~ s{<script type="application/json" id="unixbench-(?:summary|result)">[^<]*</script>\n}{}gr;
}

# Returns references to ids that do not exist, in lists of ids and in links within the page.
sub _lost {
    my ($html) = @_;
    my %is_id  = map { $_ => 1 } $html =~ /<[^<>]*\sid="([^"]*)"/g;
    my @tags   = $html                 =~ /(<[^<>]*>)/g;
    my @listed = map { split q{ } } map { /$REFERENCE/g } @tags;
    my @linked = map { /\s(?:xlink:)?href="\#([^"]*)"/g, /\burl\(\#([^)]*)\)/g } @tags;
    return grep { !$is_id{$_} } @listed, @linked;
}

1;
