package ValidPage;

# What every page has to be.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use Test::More;

use InPath qw(path_of);

our @EXPORT_OK = qw(is_valid_page);

my $tidy = path_of('tidy');

# Takes a name and a page, tests that it is well formed, accessible and whole in itself.
sub is_valid_page {
    my ($name, $html) = @_;
    is(_unclosed($html), '', "$name: every element is closed");
    unlike($html, qr/<script|<link|<img|\burl\(|https?:|\@import/i, "$name: no script, no request to anywhere");
    unlike($html, qr/<th(?![^>]*\bscope=)(?!ead)/,                  "$name: every heading of a table has a scope");
    unlike($html, qr/[\x00-\x09\x0b-\x1f\x7f]/,                     "$name: no control characters");
    is((() = $html =~ /<table/g), (() = $html =~ /<caption/g), "$name: every table has a caption");
SKIP: {
        skip 'tidy is not installed', 1 if !$tidy;
        is(_complaints($html), '', "$name: valid");
    }
    return;
}

# The first element that is closed wrongly, or those that are left open.
sub _unclosed {
    my ($html) = @_;
    my @open;
    for my $tag ($html =~ m{<(/?\w+)}g) {
        next if $tag =~ /\A(?:meta|br|hr)\z/;
        if    ($tag !~ m{\A/(.*)})        { push @open, $tag }
        elsif (!@open || $1 ne pop @open) { return $tag }
    }
    return "@open";
}

sub _complaints {
    my ($html) = @_;
    my $file = File::Temp->new;
    binmode $file;
    print {$file} $html;
    close $file;
    return scalar qx('$tidy' -q -e --show-warnings yes '$file' 2>&1);
}

1;
