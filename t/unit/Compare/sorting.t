# The groups into which a label or a fact sorts results.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib);
use Comparisons                    qw(of_groups);
use Machines                       qw(classic side spread_rates);
use UnixBench::CLI::Declaration;
use UnixBench::Command;
use UnixBench::Compare::Sorting;

# Takes a label of a side, the factor of its rates, and parts of its summary; returns the side.
sub one {
    my ($label, $factor, %with) = @_;
    return side($label, runs => { 1 => { pipe => spread_rates(1000 * $factor, 0.002) } }, %with);
}

# Takes by, perhaps undef or a baseline, and sides; returns [a text for each group, then a line about files
# that are in none], or the error.
sub sorted {
    my ($by, $first, @sides) = @_;
    my %is_found = map { $_->{label} => 1 } @sides;
    my $sorted = eval { UnixBench::Compare::Sorting::groups_of(\@sides, { by => $by, baseline => $first }, \%is_found) }
        or return $@;
    my @texts = map {
        "$_->{name}: " . join q{ },
            map { $_->{label} }
            @{ $_->{sides} }
    } @{ $sorted->{groups} };
    return [@texts, map { s/\n//r } @{ $sorted->{left_out} }];
}

my @STATES = map { one("r$_", 1, labels => { state => $_ % 2 ? 'old' : 'new', 'only-one' => 'x' }) } 1 .. 4;

subtest 'groups by a label' => sub {
    is_deeply(sorted('state', undef, @STATES), ['old: r1 r3', 'new: r2 r4'], 'in the order of the results');
    is_deeply(sorted('state', 'new', @STATES), ['new: r2 r4', 'old: r1 r3'], 'a baseline comes first');
    is_deeply(
        sorted('state', undef, @STATES[0, 1], one('r9', 1)),
        ['old: r1', 'new: r2', 'r9 has no state'],
        'a result without the label is in no group'
    );
    is(
        sorted('only-one', undef, @STATES),
        qq{option --by only-one: two groups are needed, and all results have "x"\n},
        'a single group is refused'
    );
    is(
        sorted('stage', undef, @STATES),
        'option --by stage: no result has this label, and facts are compiler, cpu, governor, host, kernel, '
            . "mitigations, version\n",
        'so is a name that is neither a label nor a fact'
    );
    is(
        sorted('state', 'older', @STATES),
        qq{option --baseline: no group has "older"; the groups are "old" and "new"\n},
        'and a baseline that no group has'
    );
};

subtest 'groups by a fact' => sub {
    my @kernels = map { one("k$_", 1, facts => { Kernel => "6.$_.0 #1 SMP" }) } 1, 10, 1;
    is_deeply(sorted('kernel', undef, @kernels), ['6.1.0: k1 k1', '6.10.0: k10'], 'kernel, by its release');
    my @builds = map { one("b$_", 1, facts => { Kernel => "6.1.0 #$_ SMP" }) } 1, 2;
    is_deeply(sorted('kernel', undef, @builds), ['6.1.0 #1 SMP: b1', '6.1.0 #2 SMP: b2'], 'two builds of a release');
    my @short = map { one("k$_", 1, facts => { Kernel => "$_ #1" }) } '6.1', '6.1-rc1';
    is_deeply(sorted('kernel', '6.1',  @short)->[0], '6.1: k6.1',                     'a baseline by its release');
    is_deeply(sorted('kernel', '6.10', @kernels),    ['6.10.0: k10', '6.1.0: k1 k1'], 'a part of a baseline is enough');
    is(
        sorted('kernel', '6.1', @kernels),
        qq{option --baseline: 2 groups have "6.1"; the groups are "6.1.0" and "6.10.0"\n},
        'but not if several groups have it'
    );
    my %facts = (compiler => 'Compiler', cpu => 'CPU', governor => 'Frequency governor');

    for my $by (sort keys %facts) {
        my @sides = map { one($_, 1, facts => { $facts{$by} => $_ }) } qw(x y);
        is_deeply(sorted($by, undef, @sides), ['x: x', 'y: y'], $by);
    }
    is_deeply(sorted('host', undef, map { one($_, 1, name => $_) } qw(a b)), ['a: a', 'b: b'], 'host');
    is_deeply(sorted('version', undef, map { one($_, 1, version => $_) } '8.0', '9'), ['8.0: 8.0', '9: 9'], 'version');
    is_deeply(
        sorted('state', undef, @STATES[0, 1], one('new', 1, facts => { state => 'x' })),
        ['old: r1', 'new: r2', 'new has no state'],
        'a fact of any other name is none'
    );
    my @labelled = map { one($_, 1, labels => { kernel => $_ }) } qw(patched plain);
    is_deeply(sorted('kernel', undef, @labelled), ['patched: patched', 'plain: plain'], 'a label comes before a fact');
};

subtest 'groups by mitigations' => sub {
    my @sides =
        map { one($_, 1, facts => { 'Mitigation mds' => 'Clear buffers', 'Mitigation meltdown' => $_, CPU => 'x' }) }
        qw(PTI Vulnerable PTI);
    is_deeply(
        sorted('mitigations', undef, @sides),
        ['meltdown: PTI: PTI PTI', 'meltdown: Vulnerable: Vulnerable'],
        'their names have only what differs'
    );
    is_deeply(sorted('mitigations', 'Vuln', @sides)->[0], 'meltdown: Vulnerable: Vulnerable', 'a baseline');
};

# Takes by, and sides; returns the data of the table of their groups.
sub grouped {
    my ($by, @sides) = @_;
    my $sorted = UnixBench::Compare::Sorting::groups_of(\@sides, { by => $by }, {});
    return of_groups(@$sorted{qw(by same)}, @{ $sorted->{groups} })->{groups};
}

# Takes by, and the facts of three results of two groups a and b; returns { fact => "values" } that differ, too.
sub also_differs {
    my ($by, @facts) = @_;
    my @labels = ({ state => 'a' }, { state => 'b' }, { state => 'b' });
    my @sides  = map { one("r$_", 1, labels => $labels[$_], %{ $facts[$_] }) } 0 .. 2;
    my $groups = grouped($by => @sides);
    return {
        map {
            $_->{label} => join q{ },
                map { "$_->{side}=$_->{text}" }
                @{ $_->{values} }
        } @{ $groups->{also_differs} }
    };
}

subtest 'other facts in which groups differ' => sub {
    my @facts = map { { facts => { Compiler => $_, Kernel => "6.$_" } } } 12, 14, 14;
    is_deeply(also_differs(state    => @facts), { Compiler => 'A=12 B=14', Kernel => 'A=6.12 B=6.14' }, 'by a label');
    is_deeply(also_differs(compiler => @facts), { Kernel   => 'A=6.12 B=6.14' }, 'by the compiler');
    my @hosts = map { { name => "vm$_" } } 1, 2, 2;
    is_deeply(also_differs(host => @hosts), {}, 'by the host');
    my @mitigations = map { { facts => { 'Mitigation mds' => $_ } } } qw(on off off);
    is_deeply(also_differs(mitigations => @mitigations), {}, 'by mitigations');
    my @versions = map { { version => $_, facts => { Suite => $_ } } } 8, 9, 9;
    is_deeply(also_differs(version => @versions), {}, 'by the version');
};

subtest 'groups of text reports' => sub {
    my @texts = map { { label => $_, summary => { %{ classic(one($_, 1)->{summary}) }, name => $_ } } } qw(a b);
    my ($row) = @{ grouped(host => @texts)->{tables}[0]{rows} };
    is($row->{others}[0]{verdict}, 'unknown', 'they have ratios without intervals');
};

subtest 'the option names the facts' => sub {
    my ($by) = grep { $_->{flag} eq '--by' }
        UnixBench::CLI::Declaration::options_of(UnixBench::Command::declaration('compare'));
    my ($facts) = sorted('x', undef, @STATES) =~ /facts are (.*)/;
    is(join(', ', @{ $by->{choices} }), $facts, 'all of them');
};

done_testing();
