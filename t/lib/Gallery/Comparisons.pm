package Gallery::Comparisons;

# Pages of comparisons.

use strict;
use warnings;

use Exporter 'import';

use Comparisons      qw(distributions);
use Gallery::Hostile qw(hostile);
use Gallery::Results ();
use Machines         qw(classic side spread_rates);
use Rendered         qw(comparison_as);
use UnixBench::Compare::Comparison;
use UnixBench::Store::Summary;

our @EXPORT_OK = qw(attack attacked_side whole_side);

my @TESTS = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);

# Returns the pages, each { name, html }.
sub pages {
    my $all = attack();
    return (
        _compared('compare-two'    => whole_side('before.json', 1, 1, 2), whole_side('after.json', 0.96, 1, 2)),
        _compared('compare-itself' => _real('one'),                       _real('one')),
        _compared('compare-five'   => map { whole_side("results/kernel-$_.json", 1 + $_ / 20, 1, 8) } 1 .. 5),
        _compared('compare-ten'    => map { whole_side("host-$_.json", 1 + int($_ / 3) / 40, 1) } 1 .. 10),
        _compared('compare-eight'  => _real('eight'), _real('many-cpus')),
        _compared('compare-quick'  => _real('quick'), _real('quick-two')),
        _compared_sets('compare-sets' => map { _real($_) } ('eight') x 2, ('many-cpus') x 2),
        _compared('compare-forced'  => _real('quick'),      _real('graphics')),
        _compared('compare-classic' => _classic('old', 1),  whole_side('new.json', 1.3, 1)),
        _compared('compare-failed'  => _real('failed'),     _real('disturbed')),
        _compared('compare-hostile' => attacked_side($all), attacked_side(attack(1)), whole_side('b.json', 1, 1, 4)),
        { name => 'compare-groups', html => comparison_as(html => distributions(8, 3)) },
        { name => 'compare-many',   html => comparison_as(html => distributions(9, 2)) },
    );
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

# Takes the name of a result of the gallery; returns it as a side of a comparison.
sub _real {
    my ($name)    = @_;
    my ($of_name) = grep { $_->{name} eq $name } Gallery::Results::all();
    return { label => "results/$name.json", summary => UnixBench::Store::Summary::of($of_name->{result}) };
}

# Takes a label, a factor for the rates, and numbers of copies; returns a side with a run for each number of copies.
sub whole_side {
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
    my $side = whole_side($label, $factor, 1);
    return { %$side, summary => classic($side->{summary}) };
}

# Takes a number; returns a function that returns the attacks in turn, from that one on. Without a number, it returns
# all in one text.
sub attack {
    my ($turn) = @_;
    my @texts = Gallery::Hostile::texts();
    return defined $turn ? sub { $texts[$turn++ % @texts] } : sub { join q{ }, @texts };
}

# Takes an attack, see attack(), and perhaps a factor for the rates (default: 0.9); returns a side with that text
# wherever a side has texts.
sub attacked_side {
    my ($attack, $factor) = @_;
    return hostile(whole_side('file.json', $factor || 0.9, 1, 4), $attack);
}

1;
