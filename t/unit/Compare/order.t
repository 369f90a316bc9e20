# The order of the results that are compared, the groups into which a label or a fact sorts them, and the data of the
# table of groups.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons qw(by_groups compared of_groups);
use Machines    qw(side spread_rates);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::CLI::Declaration;
use UnixBench::Command;
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
    is(hosts(UnixBench::Compare::Order::by_speed(@SIDES[0, 1], $other, $SIDES[3])), 'pi4 vm nas x', 'the last one');
};

subtest 'another one is the first' => sub {
    my %wanted = (
        'nas'              => 'nas pi4 pi5 vm',
        'results/pi5.html' => 'pi5 pi4 nas vm',
        'pi5.html'         => 'pi5 pi4 nas vm',
        'as'               => 'nas pi4 pi5 vm',
        'pi'               => qq{option --baseline: 2 results have the name "pi"\n},
        'sun'              => qq{option --baseline: no result has the name "sun"\n},
    );
    is(eval { hosts(UnixBench::Compare::Order::beginning_with($_, @SIDES)) } // $@, $wanted{$_}, $_)
        for sort keys %wanted;
};

# Takes a label of a side, its rate, and parts of its summary; returns the side.
sub rated {
    my ($label, $rate, %with) = @_;
    return side($label, runs => { 1 => { pipe => spread_rates($rate, 0.002) } }, %with);
}

sub one { my ($label, %with) = @_; return rated($label, 1000, %with) }

# Takes by, a baseline or undef, and sides; returns a text for each group and for the files that are in none, joined, or
# the error.
sub sorted {
    my ($by, $first, @sides) = @_;
    my %is_found = map { $_->{label} => 1 } @sides;
    my $sorted   = eval { UnixBench::Compare::Order::groups_of(\@sides, { by => $by, baseline => $first }, \%is_found) }
        or return $@;
    my $members = sub { return join q{ }, map { $_->{label} } @{ $_[0]{sides} } };
    return join ' | ', (map { "$_->{name}: " . $members->($_) } @{ $sorted->{groups} }),
        map { s/\n//r } @{ $sorted->{left_out} };
}

subtest 'groups' => sub {
    my @states  = map { one("r$_", labels => { state  => $_ % 2 ? 'old' : 'new', one => 'x' }) } 1 .. 4;
    my @kernels = map { one("k$_", facts  => { Kernel => "6.$_.0 #1 SMP" }) } 1, 10, 1;
    my @builds  = map { one("b$_", facts  => { Kernel => "6.1.0 #$_ SMP" }) } 1, 2;
    my @short   = map { one("k$_", facts  => { Kernel => "$_ #1" }) } '6.1',     '6.1-rc1';
    my @named   = map { one($_,    labels => { kernel => $_ }) } qw(patched plain);
    my @against =
        map { one($_, facts => { 'Mitigation mds' => 'Clear', 'Mitigation meltdown' => $_ }) } qw(PTI Vulnerable PTI);
    my $facts = 'compiler, cpu, distribution, governor, host, kernel, mitigations, version';
    my @cases = (
        ['state',  undef,   \@states,                                           'old: r1 r3 | new: r2 r4'],
        ['state',  'new',   \@states,                                           'new: r2 r4 | old: r1 r3'],
        ['state',  undef,   [@states[0, 1], one('r9')],                         'old: r1 | new: r2 | r9 has no state'],
        ['state',  undef,   [@states[0, 1], one(x => facts => { state => 1 })], 'old: r1 | new: r2 | x has no state'],
        ['one',    undef,   \@states,  qq{option --by one: two groups are needed, and all results have "x"\n}],
        ['stage',  undef,   \@states,  "option --by stage: no result has this label, and facts are $facts\n"],
        ['state',  'older', \@states,  qq{option --baseline: no group has "older"; the groups are "old" and "new"\n}],
        ['kernel', undef,   \@kernels, '6.1.0: k1 k1 | 6.10.0: k10'],
        ['kernel', undef,   \@builds,  '6.1.0 #1 SMP: b1 | 6.1.0 #2 SMP: b2'],
        ['kernel', '6.1',   \@short,   '6.1: k6.1 | 6.1-rc1: k6.1-rc1'],
        ['kernel', '6.10',  \@kernels, '6.10.0: k10 | 6.1.0: k1 k1'],
        ['kernel', '6.1', \@kernels, qq{option --baseline: 2 groups have "6.1"; the groups are "6.1.0" and "6.10.0"\n}],
        ['kernel', undef, \@named,   'patched: patched | plain: plain'],
        ['compiler',     undef,  [map { one($_, facts   => { Compiler => $_ }) } qw(x y)],             'x: x | y: y'],
        ['cpu',          undef,  [map { one($_, facts   => { CPU => $_ }) } qw(x y)],                  'x: x | y: y'],
        ['governor',     undef,  [map { one($_, facts   => { 'Frequency governor' => $_ }) } qw(x y)], 'x: x | y: y'],
        ['distribution', undef,  [map { one($_, facts   => { Distribution => $_ }) } qw(x y)],         'x: x | y: y'],
        ['host',         undef,  [map { one($_, name    => $_) } qw(x y)],                             'x: x | y: y'],
        ['version',      undef,  [map { one($_, version => $_) } qw(8 9)],                             '8: 8 | 9: 9'],
        ['mitigations',  undef,  \@against, 'meltdown: PTI: PTI PTI | meltdown: Vulnerable: Vulnerable'],
        ['mitigations',  'Vuln', \@against, 'meltdown: Vulnerable: Vulnerable | meltdown: PTI: PTI PTI'],
    );
    is(sorted(@$_[0, 1], @{ $_->[2] }), $_->[3], "$_->[0]: $_->[3]") for @cases;
    my ($by) = grep { $_->{flag} eq '--by' }
        UnixBench::CLI::Declaration::options_of(UnixBench::Command::declaration('compare'));
    is(join(', ', @{ $by->{choices} }), $facts, 'the option names all facts');
};

# Takes by, and sides; returns the data of the table of their groups.
sub grouped {
    my ($by, @sides) = @_;
    my $sorted = UnixBench::Compare::Order::groups_of(\@sides, { by => $by }, {});
    return of_groups(@$sorted{qw(by same)}, @{ $sorted->{groups} })->{groups};
}

subtest 'other facts in which groups differ' => sub {
    my @built = map { { facts => { Compiler => $_, Kernel => "6.$_" } } } 12, 14, 14;
    my @mixed = map { { facts => { Compiler => $_ } } } 12, 12, 14;
    my @cases = (
        [state       => \@built,                              'Compiler A=12 B=14, Kernel A=6.12 B=6.14'],
        [state       => \@mixed,                              'Compiler A=12 B=12 and 14'],
        [state       => [map { { name => "vm$_" } } 1, 2, 2], 'host A=vm1 B=vm2'],
        [compiler    => \@built,                              'Kernel A=6.12 B=6.14'],
        [host        => [map { { name => "vm$_" } } 1, 2, 2], q{}],
        [mitigations => [map { { facts => { 'Mitigation mds' => $_ } } } qw(on off off)], q{}],
        [version     => [map { { version => $_, facts => { Suite => $_ } } } 8, 9, 9],    q{}],
    );
    for my $case (@cases) {
        my ($by, $facts, $wanted) = @$case;
        my @sides = map { one("r$_", labels => { state => $_ ? 'b' : 'a' }, %{ $facts->[$_] }) } 0 .. 2;
        my @differ;
        for my $fact (@{ grouped($by => @sides)->{also_differs} }) {
            push @differ, join q{ }, $fact->{label}, map { "$_->{side}=$_->{text}" } @{ $fact->{values} };
        }
        is(join(', ', @differ), $wanted, "by $by");
    }
};

# Takes a comparison; returns the ratios of a pair, by test and index.
sub ratios {
    my ($pair) = @_;
    return { map { ($_->{name} // $_->{category}) => $_->{ratio} } @{ $pair->{tests} }, @{ $pair->{indexes} } };
}

subtest 'each group is compared as two states are' => sub {
    my @factors   = (1, 1.02, 0.9, 0.91, 1.2, 1.25);
    my @sides     = map { rated("r$_", 1000 * $factors[$_], labels => { state => (qw(a b c))[$_ / 2] }) } 0 .. 5;
    my $groups    = by_groups(state => @sides)->{groups};
    my @of_groups = ('A a 2 r0 and r1', 'B b 2 r2 and r3', 'C c 2 r4 and r5');
    is_deeply([map { join q{ }, @$_{qw(letter name runs about)} } @{ $groups->{groups} }], \@of_groups, 'the groups');
    my ($table) = @{ $groups->{tables} };
    is_deeply([map { "$_->{kind} $_->{name}" } @{ $table->{rows} }], ['test pipe', 'index system'], 'the rows');
    for my $number (1, 2) {
        my $pair = compared([@sides[0, 1, 2 * $number, 2 * $number + 1]], sets => [2, 2])->{pairs}[0];
        my %own  = map { $_->{name} => $_->{others}[$number - 1]{ratio} } @{ $table->{rows} };
        is_deeply(\%own, ratios($pair), "the ratios of group $number are those of A1 A2 -- B1 B2");
    }
    my ($row) = @{ $table->{rows} };
    is_deeply([map { $_->{verdict} } @{ $row->{others} }], [qw(slower faster)], 'the verdicts');
    is(UnixBench::Base::Shape::difference($groups, UnixBench::Base::ResultSchema::shape('groups')), undef,
        'plain data');
};

subtest 'what was not compared' => sub {
    my %runs = (
        a => { pipe => [1, 2], spawn => [1, 2],                  hanoi => 'failed: killed' },
        b => { pipe => [1, 2], spawn => 'failed: exit status 3', hanoi => [1, 2] },
        c => { pipe => [1, 2], spawn => [1, 2],                  hanoi => [1, 2] },
    );
    my @sides = map { side($_, labels => { state => $_ }, runs => { 1 => $runs{$_} }) } sort keys %runs;
    my %row   = map { $_->{name} // 'mean' => $_ } @{ by_groups(state => @sides)->{groups}{tables}[0]{rows} };
    is_deeply([map { @{ $_->{remarks} } } @{ $row{hanoi}{others} }], ['A: killed', 'A: killed'], 'a test that A lacks');
    is_deeply([map { $_->{remarks} } @{ $row{spawn}{others} }],      [['exit status 3'], []],    'one that B lacks');
    is_deeply([map { $_->{ratio} ? 1 : 0 } @{ $row{spawn}{others} }], [0, 1],               'the others have a ratio');
    is_deeply($row{system}{others}[0]{remarks},                       ['its tests differ'], 'an index of other tests');
    is_deeply([map { $_->{ratio} ? 1 : 0 } @{ $row{mean}{others} }],  [1, 0],               'then the mean is there');
};

done_testing;
