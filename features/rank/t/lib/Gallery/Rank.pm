package Gallery::Rank;

# Pages of rankings.

use strict;
use warnings;

use Rankings qw(ranking rankings);
use UnixBench::Report::HTML;

# Returns the pages, each { name, html }.
sub pages {
    my $rankings = rankings();
    return map { { name => "rank-$_", html => UnixBench::Report::HTML::render(ranking(@{ $rankings->{$_} })) } }
        sort keys %$rankings;
}

1;
