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

# Returns the faults that t-all/pages/faults.t plants: [name, selector, attribute, value, the finding].
sub faults {
    my @gone = (own_gone   => 'circle.own',  'class', 'other', '^7 dots for 8 results: ');
    my @away = (label_away => 'line.leader', 'x1',    '1%', '^a label that leads to no dot|^a label beside its line');
    return { 'rank-eight' => [\@gone, \@away] };
}

1;
