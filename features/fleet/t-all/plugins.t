# The Python modules of the Ansible collection: their own tests, and waves of many random inventories.

use strict;
use warnings;

use FindBin;
use JSON::PP   ();
use List::Util qw(max shuffle);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use Collection                     qw(python);
use Needs                          qw(need_tools skip_without);
use TestProgram                    qw(write_file);

use constant { INVENTORIES => 1000, SEED => 1995 };

need_tools('ansible-playbook');

my $python     = python() or skip_without(tool => 'the Python of Ansible');
my $collection = Collection->new;

for my $path (glob $collection->place('ansible_collections/unixbench/fleet/tests/unit/plugins/*/test_*.py')) {
    my ($name) = $path =~ m{/unit/(.*)};
    my $tests = $collection->run($python, $path);
    is($tests->{status}, 0, "$name passes") or diag $tests->{text};
    like($tests->{text}, qr/^Ran [1-9]/m, "$name has tests");
}

# Reads inventories, a line of JSON for each; writes their waves in the same way.
my $WAVES = <<'END';
import json, sys
from ansible_collections.unixbench.fleet.plugins.plugin_utils.waves import waves
for line in sys.stdin:
    print(json.dumps(waves(**json.loads(line))))
END

# Returns a random inventory: at most 30 hosts, of which some have one of at most 8 hypervisors.
sub inventory {
    my @hosts       = map { sprintf 'host%02d', $_ } 1 .. int rand 31;
    my $hypervisors = 1 + int rand 8;
    my %shares      = map { $_ => 'hv' . int rand $hypervisors } grep { rand() < 0.8 } @hosts;
    return { hosts => \@hosts, shares => \%shares, seed => int rand 1000 };
}

# Takes inventories; returns the waves of each.
sub waves {
    my (@inventories) = @_;
    my $json          = JSON::PP->new->canonical;
    my $path = write_file($collection->place('inventories'), join q{}, map { $json->encode($_) . "\n" } @inventories);
    my $run  = $collection->run('sh', '-c', 'exec "$0" -c "$1" < "$2"', $python, $WAVES, $path);
    die $run->{text} if $run->{status};
    return map { $json->decode($_) } split /\n/, $run->{text};
}

# Takes an inventory and its waves; returns what is wrong with them.
sub faults {
    my ($inventory, @waves) = @_;
    my (%seen, %size, @faults);
    for my $wave (@waves) {
        my %busy;
        $seen{$_}++ for @$wave;
        $busy{$_}++ for grep { defined } map { $inventory->{shares}{$_} } @$wave;
        push @faults, 'two machines of a hypervisor' if grep { $_ > 1 } values %busy;
    }
    push @faults, 'a host is missing, or measured twice'
        if join(q{ }, sort keys %seen) ne join(q{ }, sort @{ $inventory->{hosts} }) || grep { $_ != 1 } values %seen;
    $size{ $inventory->{shares}{$_} // q{} }++ for @{ $inventory->{hosts} };
    $size{q{}} = 1 if $size{q{}};
    push @faults, 'more or fewer waves than needed' if @waves != max(0, values %size);
    return @faults;
}

subtest INVENTORIES . ' random inventories' => sub {
    srand SEED;
    my @inventories = map { inventory() } 1 .. INVENTORIES;
    my @waves       = waves(@inventories);
    my @faulty      = grep { faults($inventories[$_], @{ $waves[$_] }) } 0 .. $#inventories;
    is(scalar @waves,   INVENTORIES, 'each inventory has waves');
    is(scalar(@faulty), 0,           'machines of one hypervisor are in different waves, as few as possible')
        or diag explain([$inventories[$faulty[0]], $waves[$faulty[0]]]);

    my @sorted_differently = waves(map { +{ %$_, hosts => [shuffle @{ $_->{hosts} }] } } @inventories);
    is_deeply(\@sorted_differently, \@waves, 'the order of the inventory is ignored');
    my @other = waves(map { +{ %$_, seed => $_->{seed} + 1 } } @inventories);
    my $same  = grep { JSON::PP::encode_json($waves[$_]) eq JSON::PP::encode_json($other[$_]) } 0 .. $#waves;
    cmp_ok($same, '<', INVENTORIES / 2, 'another seed usually gives another order');
};

done_testing;
