package Gallery::Fleets;

# Pages of fleets.

use strict;
use warnings;

use FleetLists qw(fleet_lists);
use UnixBench::Fleet::Report;

# Returns the pages, each { name, html }.
sub pages {
    my %list = fleet_lists();
    return
        map { { name => "fleet-$_", html => UnixBench::Fleet::Report::in_format(html => $list{$_}) } }
        qw(kinds mixed hostile);
}

1;
