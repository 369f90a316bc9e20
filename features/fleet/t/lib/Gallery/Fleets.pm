package Gallery::Fleets;

# Pages of fleets.

use strict;
use warnings;

use FleetLists qw(fleet_lists hosts_of list_of);
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

# Returns the pages of large fleets.
sub large {
    my @factors = map { 1 + 0.001 * ($_ * 7 % 11) } 1 .. 1000;
    @factors[17, 44] = (0.85, 1.2);
    return map { _page("fleet-$_" => list_of(hosts_of(node => [@factors[0 .. $_ - 1]]))) } 50, 1000;
}

sub _page {
    my ($name, $list) = @_;
    return { name => $name, html => UnixBench::Fleet::Report::in_format(html => $list) };
}

1;
