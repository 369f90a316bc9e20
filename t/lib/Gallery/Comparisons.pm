package Gallery::Comparisons;

# Pages of comparisons and fleets.

use strict;
use warnings;

use Comparisons      qw(distributions);
use FleetLists       qw(fleet_lists);
use Gallery::Hostile qw(hostile);
use Gallery::Results ();
use Machines         qw(classic side spread_rates);
use Rendered         qw(comparison_as fleet_as);
use UnixBench::Compare::Comparison;
use UnixBench::Compare::Fleet;
use UnixBench::Report::Formats;
use UnixBench::Store::Summary;

my @TESTS = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);

# Returns the pages, each { name, html }.
sub pages {
    my $all = _attack();
    return (
        _compared('compare-two'    => _side('before.json', 1, 1, 2), _side('after.json', 0.96, 1, 2)),
        _compared('compare-itself' => _real('one'),                  _real('one')),
        _compared('compare-five'   => map { _side("results/kernel-$_.json", 1 + $_ / 20, 1, 8) } 1 .. 5),
        _compared('compare-eight'  => _real('eight'), _real('many-cpus')),
        _compared('compare-quick'  => _real('quick'), _real('quick-two')),
        _compared_sets('compare-sets' => map { _real($_) } ('eight') x 2, ('many-cpus') x 2),
        _compared('compare-forced'  => _real('quick'),     _real('graphics')),
        _compared('compare-classic' => _classic('old', 1), _side('new.json', 1.3, 1)),
        _compared('compare-failed'  => _real('failed'),    _real('disturbed')),
        _compared('compare-hostile' => _hostile($all),     _hostile(_attack(1)), _side('b.json', 1, 1, 4)),
        { name => 'compare-groups', html => comparison_as(html => distributions(8, 3)) },
        { name => 'compare-many',   html => comparison_as(html => distributions(9, 2)) },
        _fleet_of_few(),
        _fleet('fleet-quiet'   => _machines(8)),
        _fleet('fleet-hundred' => _machines(100, 17 => 0.85, 44 => 1.2, 71 => 0.8)),
        _fleet('fleet-hostile' => _hostile($all, 0.5), _hostile(_attack(1), 1.5), _machines(9, 4 => 0.5)),
        _outcomes(),
    );
}

# Returns the pages of large fleets.
sub large {
    return map { _fleet("fleet-$_" => _machines($_, 17 => 0.85, 44 => 1.2)) } 50, 1000;
}

# Returns the page of the smallest fleet that is judged.
sub _fleet_of_few {
    my $fleet = UnixBench::Compare::Fleet::of([_machines(3, 2 => 0.7)], judged => 3, shown => 1, is_forced => 1);
    return { name => 'fleet-three', html => fleet_as(html => $fleet) };
}

# Returns the page of a fleet in which hosts have all outcomes.
sub _outcomes {
    my %list = fleet_lists();
    my ($most) = sort { @{ $list{$b}{hosts} } <=> @{ $list{$a}{hosts} } } sort keys %list;
    return { name => 'fleet-outcomes', html => UnixBench::Report::Formats::of_fleet(html => $list{$most}) };
}

sub _compared {
    my ($name, @sides) = @_;
    return _page($name, \@sides);
}

# Takes a name and four sides; returns the page of a comparison of two states with two runs each.
sub _compared_sets {
    my ($name, @sides) = @_;
    return _page($name, \@sides, sets => [2, 2]);
}

sub _page {
    my ($name, $sides, %with) = @_;
    my $comparison = UnixBench::Compare::Comparison::of($sides, min_effect => 0.02, is_forced => 1, %with);
    return { name => $name, html => comparison_as(html => $comparison) };
}

sub _fleet {
    my ($name, @machines) = @_;
    my $fleet = UnixBench::Compare::Fleet::of(\@machines, is_forced => 1);
    return { name => $name, html => fleet_as(html => $fleet) };
}

# Takes the name of a result of the gallery; returns it as a side of a comparison.
sub _real {
    my ($name)    = @_;
    my ($of_name) = grep { $_->{name} eq $name } Gallery::Results::all();
    return { label => "results/$name.json", summary => UnixBench::Store::Summary::of($of_name->{result}) };
}

# Takes a label, a factor for the rates, and numbers of copies; returns a side with a run for each number of copies.
sub _side {
    my ($label, $factor, @copies) = @_;
    my $number = 0;
    my %rates  = map { $_ => 1000 * $factor * ++$number } @TESTS;
    my %runs;
    for my $copies (@copies) {
        $runs{$copies} = { map { $_ => spread_rates($rates{$_} * $copies, 0.004) } @TESTS };
    }
    my %facts = (Kernel => "6.$number.0 #1 SMP", CPU => '2 x AMD EPYC', 'Mitigation srso' => "$factor: Safe RET");
    return side($label, runs => \%runs, facts => \%facts);
}

sub _classic {
    my ($label, $factor) = @_;
    my $side = _side($label, $factor, 1);
    return { %$side, summary => classic($side->{summary}) };
}

sub _machines {
    my ($count, %factor) = @_;
    my @machines = map { _side(sprintf('m%03d.json', $_), $factor{$_} || 1 + 0.001 * ($_ * 7 % 11), 1) } 1 .. $count;
    $machines[$_]{summary}{name} = "node-$_.cluster.example" for 0 .. $#machines;
    return @machines;
}

# Takes a number; returns a function that returns the attacks in turn, from that one on. Without a number, it returns
# all in one text.
sub _attack {
    my ($turn) = @_;
    my @texts = Gallery::Hostile::texts();
    return defined $turn ? sub { $texts[$turn++ % @texts] } : sub { join q{ }, @texts };
}

sub _hostile {
    my ($attack, $factor) = @_;
    return hostile(_side('file.json', $factor || 0.9, 1, 4), $attack);
}

1;
