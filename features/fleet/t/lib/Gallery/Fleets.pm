package Gallery::Fleets;

# Pages of fleets.

use strict;
use warnings;

use FleetLists qw(fleet_lists);
use UnixBench::Fleet::Report;

# Returns the pages, each { name, html }.
sub pages {
    my %list = fleet_lists();
    return (
        (map { _page("fleet-$_" => $list{$_}) } qw(kinds mixed hostile)),
        { name => 'fleet-names', html => _with_long_name(UnixBench::Fleet::Report::in_format(html => $list{mixed})) },
    );
}

# Takes a page; returns it with the name that a host has in a cloud.
sub _with_long_name {
    my ($html) = @_;
    return $html =~ s/>(?:\d[.] )?\Kopen\b/ip-172-31-14-207.eu-west-1/gr;
}

sub _page {
    my ($name, $list) = @_;
    return { name => $name, html => UnixBench::Fleet::Report::in_format(html => $list) };
}

1;
