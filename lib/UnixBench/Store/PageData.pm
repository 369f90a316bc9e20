package UnixBench::Store::PageData;

# The data in a page: two elements of HTML that browsers do not execute. The head has the summary of the result, for
# programs that read only the first kilobytes. The body has the whole result, with the same bytes as its JSON file.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(ELEMENT_END begin_of has_data result_in);

use constant ELEMENT_END => "</script>\n";

my %ID = (summary => 'unixbench-summary', result => 'unixbench-result');

# Takes "summary" or "result"; returns the start tag of its element. The data and ELEMENT_END follow. The data must not
# contain "<".
sub begin_of {
    my ($kind) = @_;
    return qq{<script type="application/json" id="$ID{$kind}">};
}

# Takes a reference to the beginning of a file; returns whether it is a page that has data.
sub has_data {
    my ($text) = @_;
    return $$text =~ /\A\s*<!DOCTYPE html>/i && index($$text, begin_of('summary')) >= 0;
}

# Takes a reference to the text of a page; returns the JSON of its result, or undef if the text does not have all of it.
sub result_in {
    my ($text) = @_;
    my $begin  = begin_of('result');
    my $from   = index $$text, $begin;
    return if $from < 0;
    $from += length $begin;
    my $to = index $$text, '<', $from;
    return $to < 0 ? undef : substr $$text, $from, $to - $from;
}

1;
