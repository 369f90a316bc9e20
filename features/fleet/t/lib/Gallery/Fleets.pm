package Gallery::Fleets;

# Pages of fleets.

use strict;
use warnings;

use FleetLists           qw(fleet_lists);
use Fleets               qw(fleet_as);
use Gallery::Comparisons qw(attack attacked_side whole_side);
use UnixBench::Fleet::Machines;
use UnixBench::Fleet::Report;

# Returns the pages, each { name, html }.
sub pages {
    my %list    = fleet_lists();
    my @hostile = (attacked_side(attack(), 0.5), attacked_side(attack(1), 1.5));
    return (
        _page('fleet-three'   => [_machines(3, 2 => 0.7)], judged => 3, shown => 1),
        _page('fleet-quiet'   => [_machines(8)]),
        _page('fleet-hundred' => [_machines(100, 17 => 0.85, 44 => 1.2, 71 => 0.8)]),
        _page('fleet-hostile' => [@hostile, _machines(9, 4 => 0.5)]),
        { name => 'fleet-outcomes', html => UnixBench::Fleet::Report::in_format(html => $list{mixed}) },
        { name => 'fleet-names', html => _with_long_name(UnixBench::Fleet::Report::in_format(html => $list{mixed})) },
    );
}

# Takes a page; returns it with the name that a host has in a cloud.
sub _with_long_name {
    my ($html) = @_;
    return $html =~ s/>(?:\d[.] )?\Kagain\b/ip-172-31-14-207.eu-west-1/gr;
}

# Returns the pages of large fleets.
sub large {
    return map { _page("fleet-$_" => [_machines($_, 17 => 0.85, 44 => 1.2)]) } 50, 1000;
}

# Returns the faults that t-all/pages/faults.t plants: [name, selector, attribute, value, the finding].
sub faults {
    #<<< a table
    return {
        'fleet-outcomes' => [
            [host      => 'circle.machine',   'cx',         '50.3%',          '^machine: '],
            [host_gone => 'circle.machine',   'class',      'other',          '^\d+ dots for \d+ machines: '],
            [extremes  => 'td.picture > svg', 'aria-label', 'from 0.9 to 1.1 times the median', '^least value: '],
            [slow      => 'circle.slow',      'class',      'machine',        '^a machine on the wrong side of a '],
            [usual     => 'circle.machine',   'class',      'machine slow',   '^a machine on the wrong side of a '],
            [no_limit  => 'rect.band',        'class',      'other',          '^no band: '],
            [median    => 'line.mean',        'transform',  'translate(2)',   '^mean: '],
            [place     => 'rect.bar',         'width',      '2%',             '^bar: '],
            [begin     => 'rect.bar',         'transform',  'translate(9)',   '^a bar that does not begin '],
            [share     => 'rect.part',        'width',      '30%',            '^part: '],
            [order     => 'rect.part ~ rect', 'x',          '24%',            '^part: '],
            [key       => 'li.key',           'text',       '3 fail',         '^a part with the text of another: '],
            [colour    => 'li.key',           'class',      'key',            '^a part with the colour of another: '],
            [part_gone => 'rect.part',        'class',      'other',          '^not a text for each part: '],
            [all       => 'h1', 'text', 'UnixBench fleet, 13 hosts: none', '^parts of 12, not of 13: '],
        ],
    };
    #>>>
}

sub _page {
    my ($name, $machines, %with) = @_;
    my $fleet = UnixBench::Fleet::Machines::of($machines, %with, is_forced => 1);
    return { name => $name, html => fleet_as(html => $fleet) };
}

# Takes a number of machines, and { number => factor of its rates }; returns the machines.
sub _machines {
    my ($count, %factor) = @_;
    my @machines =
        map { whole_side(sprintf('m%03d.json', $_), $factor{$_} || 1 + 0.001 * ($_ * 7 % 11), 1) } 1 .. $count;
    $machines[$_]{summary}{name} = "node-$_.cluster.example" for 0 .. $#machines;
    return @machines;
}

1;
