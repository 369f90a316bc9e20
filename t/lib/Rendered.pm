package Rendered;

# Reports as texts.

use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use Exporter 'import';

use UnixBench::Report::Comparison ();
use UnixBench::Report::Formats    ();
use UnixBench::Report::View       ();

our @EXPORT_OK = qw(comparison_as rendered resealed unstyled);

# Takes the kind of a report (see UnixBench::Report::Formats), a result, and perhaps its cases (see
# UnixBench::Accept::Acceptance); returns the report.
sub rendered {
    my ($kind, $result, @cases) = @_;
    return UnixBench::Report::Formats::of_result($kind, UnixBench::Report::View->new(result => $result), @cases);
}

# Takes "text", "html" or "markdown", and a comparison; returns its report.
sub comparison_as {
    my ($kind, $comparison) = @_;
    return UnixBench::Report::Formats::of_blocks($kind, UnixBench::Report::Comparison::report_of($comparison));
}

# Takes a page; returns it without its style sheet, which is the same in all pages, and without its data. Each row of a
# table, each item of a list and each picture is one line.
sub unstyled {
    my ($html) = @_;
    my $page   = $html =~ s{<style>.*?</style>\n}{}sr =~ s{(<script [^>]*>)[^<]*(?=</script>)}{$1}gr;
    return $page =~ s{\n(?=<t[hd][ >]|</t[rhd]>|</(?:circle|line|rect)>)|<li>\K\n|\n(?=</li>)}{}gr;
}

# Takes the JSON of a result that a test has changed; returns it with its right checksum, which is in its last line.
sub resealed {
    my ($json) = @_;
    my ($body) = $json =~ /\A(.*\n)"sha256":/s or die "no checksum\n";
    return $json =~ s/^"sha256":"\K[0-9a-f]{64}/sha256_hex($body)/mer;
}

1;
