# The order of the results that are compared.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Machines qw(side spread_rates);
use UnixBench::Compare::Order;

# Takes the name of a host, and { number of copies => the rate of its tests }; returns a side.
sub machine {
    my ($name, %rate) = @_;
    my %runs =
        map { $_ => { pipe => spread_rates($rate{$_}, 0.01), spawn => spread_rates($rate{$_}, 0.01) } } keys %rate;
    return side("results/$name.html", name => $name, runs => \%runs);
}

sub hosts {
    return join q{ }, map { $_->{summary}{name} } @_;
}

my @SIDES = (machine(pi4 => 1 => 100), machine(nas => 1 => 50), machine(pi5 => 1 => 300), machine(vm => 1 => 200));

subtest 'the others follow by their speed' => sub {
    is(hosts(UnixBench::Compare::Order::by_speed(@SIDES)), 'pi4 pi5 vm nas', 'the first one stays, then the fastest');
    my @counts = (machine(a => 2 => 10), machine(b => 2 => 20, 1 => 1), machine(c => 2 => 30, 1 => 0.5));
    is(hosts(UnixBench::Compare::Order::by_speed(@counts)), 'a c b', 'by the number of copies that the first one has');
    my $other = machine(x => 8 => 1e6, 4 => 1e6);
    is(hosts(UnixBench::Compare::Order::by_speed(@SIDES[0, 1], $other, $SIDES[3])),
        'pi4 vm nas x', 'without a run in common: last');
};

subtest 'another one is the first' => sub {
    my $first = sub {
        return eval { hosts(UnixBench::Compare::Order::beginning_with($_[0], @SIDES)) } // $@;
    };
    is($first->('nas'),              'nas pi4 pi5 vm',                         'by its host');
    is($first->('results/pi5.html'), 'pi5 pi4 nas vm',                         'by its file');
    is($first->('pi5.html'),         'pi5 pi4 nas vm',                         'by the name of its file');
    is($first->('as'),               'nas pi4 pi5 vm',                         'by a part that no other has');
    is($first->('pi'),  qq{option --baseline: 2 results have the name "pi"\n}, 'not by a part that two have');
    is($first->('sun'), qq{option --baseline: no result has the name "sun"\n}, 'not by another name');
};

done_testing;
