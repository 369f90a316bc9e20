use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed measured result run);
use Machines                       qw(classic facts_of noisy_rates side spread_rates);
use Fleets                         qw(fleet_as);
use UnixBench::Fleet::Machines;
use UnixBench::Fleet::Wording;
use UnixBench::Report::Plain qw(in_plain);
use UnixBench::Fleet::Outliers;
use UnixBench::Score::Estimate;
use UnixBench::Store::Summary;

use constant { SEED => 1995, NOISE => 0.01, PASSES => 10 };
use constant RULE => { judged => 8, tests => 0 };

my %RATE = (
    'dhry2reg'         => 78_000_000,
    'whetstone-double' => 10_300,
    'execl'            => 3100,
    'fstime'           => 645_000,
    'fsbuffer'         => 229_000,
    'fsdisk'           => 1_288_000,
    'pipe'             => 1_635_000,
    'context1'         => 337_000,
    'spawn'            => 8245,
    'shell1'           => 5817,
    'shell8'           => 2184,
    'syscall'          => 2_465_000,
);

# Takes a number of machines, and NAME => what is odd about it:
#   factor   of all its rates
#   noise    coefficient of variation of its passes
#   tests    to which factor and noise are confined
#   ...      parts of a summary
# Returns machines m001 and so on, which otherwise differ by chance, as their passes do.
sub machines {
    my ($count, %odd) = @_;
    srand SEED;
    return [map { _machine(sprintf('m%03d', $_), %{ $odd{ sprintf 'm%03d', $_ } || {} }) } 1 .. $count];
}

sub _machine {
    my ($name, %odd) = @_;
    my ($factor, $noise, $tests) = map { delete $odd{$_} } qw(factor noise tests);
    my %is_odd = map { $_ => 1 } @{ $tests || [keys %RATE] };
    my %rates;
    for my $test (sort keys %RATE) {
        my $own = $is_odd{$test} ? $factor || 1     : 1;
        my $cv  = $is_odd{$test} ? $noise  || NOISE : NOISE;
        $rates{$test} = noisy_rates($RATE{$test} * $own, $cv, PASSES);
    }
    return side("$name.json", runs => { 1 => \%rates }, name => $name, %odd);
}

# Takes a fleet; returns { name of a machine that stands out => { finding => how often } }.
sub named {
    my ($fleet) = @_;
    my %named;
    for my $machine (@{ $fleet->{named} }) {
        $named{ $machine->{name} }{"$_->{is} $_->{kind}"}++ for @{ $machine->{findings} };
    }
    return \%named;
}

subtest 'the odd machines among a hundred are named' => sub {
    my %old   = (facts => { Kernel => '5.4', CPU => '2 x AMD EPYC' });
    my $fleet = UnixBench::Fleet::Machines::of(
        machines(
            100,
            m017 => { factor => 0.7,  %old },
            m044 => { factor => 0.7,  tests => ['pipe'] },
            m071 => { noise  => 0.08, tests => ['syscall'] },
            m090 => { factor => 1.3 },
        )
    );
    is_deeply($fleet->{refusals}, [], 'the fleet is judged');
    is_deeply(
        named($fleet),
        {
            m017 => { 'slow index'   => 1, 'unusual test' => 12 },
            m044 => { 'unusual test' => 1 },
            m071 => { 'noisy index'  => 1, 'noisy test'   => 1 },
            m090 => { 'fast index'   => 1, 'unusual test' => 12 },
        },
        'exactly the odd machines are named'
    );
    my %machine = map { $_->{name} => $_ } @{ $fleet->{named} };
    is_deeply(
        $machine{m017}{differences},
        [{ label => 'Kernel', text => '5.4', usual => '6.18.44' }],
        'a fact that differs from most is listed'
    );
    is_deeply($machine{m044}{differences}, [], 'a machine with the usual facts has no differences');
    my ($finding) = @{ $machine{m044}{findings} };
    is_deeply(
        [@$finding{qw(title copies is)}],
        ['Pipe Throughput', 1, 'unusual'],
        'the finding has title, copies and the way it is odd'
    );
    my ($pipe) = grep { $_->{title} eq 'Pipe Throughput' } @{ $fleet->{runs}[0]{measures} };
    is_deeply(
        [map { $_->{label} } @{ $pipe->{readings} }],
        [map { sprintf 'm%03d.json', $_ } 1 .. 100],
        'the measure has a reading of each machine'
    );
    is($pipe->{readings}[43]{value}, $finding->{value}, 'the reading has the value of the machine');
    is_deeply([map { sprintf '%.2f', $_ } @{ $pipe->{limits} }], ['0.82', '1.21'], 'the measure has its limits');
    cmp_ok(abs($finding->{value} / $finding->{median} - 0.7), '<', 0.02, 'the finding has value and median');
    cmp_ok($finding->{z}, '<', -3.5, 'the finding has the distance from the others');
};

subtest 'equal machines do not stand out' => sub {
    for my $count (8, 100) {
        my $fleet = UnixBench::Fleet::Machines::of(machines($count));
        is_deeply($fleet->{named}, [], "nothing stands out among $count");
        is($fleet->{count}, $count, "all $count are counted");
    }
    my ($machine) = @{ machines(1) };
    my $same = UnixBench::Fleet::Machines::of([($machine) x 12]);
    is_deeply($same->{named}, [], 'nothing stands out if all are the same result');
    is($same->{runs}[0]{measures}[0]{count}, 12, 'a result is counted as often as it is given');
};

subtest 'eight machines are a fleet' => sub {
    is_deeply(
        named(UnixBench::Fleet::Machines::of(machines(8, m003 => { factor => 0.7 }))),
        { m003 => { 'slow index' => 1, 'unusual test' => 12 } },
        'one of eight is slow'
    );
    is_deeply(
        UnixBench::Fleet::Machines::of(machines(7))->{refusals},
        ['no number of copies was measured on at least 8 machines'],
        'seven machines are refused'
    );
};

# Takes factors of machines, and what all of them have; returns these machines, the first of which is NAME1.
sub those {
    my ($name, $factors, %with) = @_;
    my $number = 0;
    return map {
        side(
            $name . ++$number,
            name => "$name$number",
            runs => { 1 => { pipe => spread_rates(1000 * $_, 0.01) } },
            %with
        )
    } @$factors;
}

subtest 'hosts that compiled their own programs' => sub {
    my %usual = (CPU => '2 x AMD EPYC 7', Compiler => 'gcc (Debian 12.2.0-14) 12.2.0', 'Compiler flags' => '-O3');
    my @near  = map { 1 + 0.002 * $_ } 1 .. 5;
    my $kinds = sub {
        my ($version, %other) = @_;
        my @machines = (
            those(a => \@near, facts_of(%usual, 'Program pipe' => 'a', 'Program multi.sh' => 'm')),
            those(
                b => \@near,
                facts_of(%usual, 'Program pipe' => 'b', 'Program multi.sh' => 'm', %other),
                version => $version // '8.0.0'
            )
        );
        return [map { $_->{kind} } @{ UnixBench::Fleet::Machines::of(\@machines, judged => 3, shown => 1)->{runs} }];
    };
    my $one   = 'AMD EPYC 7';
    my @cases = (
        ['the same build has other files', [$one]],
        [
            'a revision of the package makes no difference',
            [$one], undef, Compiler => 'gcc (Debian 12.2.0-14+deb12u1) 12.2.0'
        ],
        [
            'the same files make one kind, whatever built them', [$one], undef,
            Compiler       => 'clang',
            'Program pipe' => 'a'
        ],
        [
            'another compiler',
            [$one, "$one, other build: gcc (Ubuntu 13.3.0) 13.3.0"],
            undef, Compiler => 'gcc (Ubuntu 13.3.0-6ubuntu2) 13.3.0'
        ],
        ['other flags',      [$one, "$one, other build: -O2"],         undef, 'Compiler flags' => '-O2'],
        ['another version',  [$one, "$one, other build: 8.1.0"],       '8.1.0'],
        ['another checkout', [$one, "$one, other build: fedcba"],      undef, 'Suite revision'   => 'fedcba'],
        ['another script',   [$one, "$one, other programs: multi.sh"], undef, 'Program multi.sh' => 'n'],
    );
    for my $case (@cases) {
        my ($name, $titles, @other) = @$case;
        is_deeply($kinds->(@other), $titles, $name);
    }
};

subtest 'hosts are compared with hosts of their kind' => sub {
    my @near = map { 1 + 0.002 * $_ } 1 .. 5;
    my %of   = (
        cpu       => { facts_of(CPU => '2 x AMD EPYC 9', Kernel => '6') },
        count     => { facts_of(CPU => '4 x AMD EPYC 7', Kernel => '6') },
        programs  => { facts_of(CPU => '2 x AMD EPYC 7', Kernel => '6', 'Program pipe' => 'b') },
        procedure => { procedure => { kind => 'quick', time_factor => 1, work_factor => 1 } },
    );
    my %usual = facts_of(CPU => '2 x AMD EPYC 7', Kernel => '6', 'Program pipe' => 'a');
    my %title = (
        cpu       => ['AMD EPYC 7',           'AMD EPYC 9'],
        count     => ['AMD EPYC 7, 2 CPUs',   'AMD EPYC 7, 4 CPUs'],
        programs  => ['AMD EPYC 7',           'AMD EPYC 7, other programs: pipe'],
        procedure => ['AMD EPYC 7, official', 'AMD EPYC 7, quick'],
    );
    for my $aspect (sort keys %of) {
        my @machines =
            (those(a => [@near, 1], %usual), those(b => [map { 0.8 * $_ } @near], %usual, %{ $of{$aspect} }));
        my $fleet = UnixBench::Fleet::Machines::of(\@machines, judged => 3, shown => 1);
        is_deeply($fleet->{named}, [], "$aspect: the kinds differ by 20 %, and no host is slow");
        is_deeply([map { $_->{kind} } @{ $fleet->{runs} }], $title{$aspect}, "$aspect: the titles of the kinds");
        push @machines, those(slow => [0.7], %usual, %{ $of{$aspect} });
        is_deeply(
            named(UnixBench::Fleet::Machines::of(\@machines, judged => 3, shown => 1)),
            { slow1 => { 'slow index' => 1 } },
            "$aspect: a host is slow among its kind"
        );
    }
    my @machines = (those(a => [@near], %usual), those(few => [0.5, 0.5], %usual, %{ $of{cpu} }));
    my $fleet    = UnixBench::Fleet::Machines::of(\@machines, judged => 3, shown => 1);
    is_deeply($fleet->{named}, [], 'hosts of a kind with too few are not judged');
    is_deeply(
        $fleet->{rankings}[0]{few},
        [{ letter => 'B', title => 'AMD EPYC 9', labels => ['few1', 'few2'] }],
        'they are listed'
    );
    is_deeply([sort keys %{ $fleet->{rankings}[0]{places} }], [map { "a$_" } 1 .. 5], 'the others have a median');
    my $text = fleet_as(text => $fleet);
    like($text, qr/\A7 machines of 2 kinds: 2 not compared\n/,     'the first line says so');
    like($text, qr/^7[.] few2 +0[.]4 +2[.]0 % +B +not compared$/m, 'so does the row of such a host');
    like(
        $text,
        qr/^Compared with nothing, since fewer than 3 hosts are of their kind: few1 and few2 [(]B: AMD EPYC 9[)][.]$/m,
        'and a sentence'
    );
    push @{ $fleet->{rankings} }, { %{ $fleet->{rankings}[0] }, copies => 2 };
    my @sentences = fleet_as(text => $fleet) =~ /^Compared with nothing/mg;
    is(scalar @sentences, 1, 'one sentence for all numbers of copies');
    $fleet = UnixBench::Fleet::Machines::of([@machines, those(few3 => [0.5], %usual, %{ $of{cpu} })], judged => 3);
    like(
        fleet_as(text => $fleet),
        qr/^Hosts with AMD EPYC 9 are 50 % below those with AMD EPYC 7[.]$/m,
        'the difference between kinds is one sentence'
    );
};

subtest 'a hidden CPU may have two kinds behind it' => sub {
    my $of = sub {
        my ($cpu, @factors) = @_;
        my %facts = facts_of(CPU => $cpu, Kernel => '6');
        return UnixBench::Fleet::Machines::of([those(m => \@factors, %facts)], judged => 3, shown => 1);
    };
    my @two   = (1, 1.01, 0.99, 1, 1.005, 1.2, 1.21, 1.19);
    my $fleet = $of->('2 x QEMU Virtual CPU version 2.5+', @two);
    is_deeply($fleet->{named},                                     [],     'no host is fast');
    is_deeply([map { $_->{count} } @{ $fleet->{runs}[0]{modes} }], [5, 3], 'the modes have five and three hosts');
    my $text = fleet_as(text => $fleet);
    like($text, qr/\A8 machines: 8 not compared\n/, 'the first line says so');
    like(
        $text =~ s/\n/ /gr,
        qr/the model of the CPU is hidden, and the indexes have two modes: 5 hosts near 0[.]8, 3 hosts near 1[.]0/,
        'and why'
    );
    is_deeply(
        named($of->('2 x AMD EPYC', @two)),
        { map { $_ => { 'fast index' => 1 } } qw(m6 m7 m8) },
        'if the model is known, they are fast'
    );
    is_deeply(
        named($of->('2 x Common KVM processor', @two[0 .. 4], 0.8)),
        { m6 => { 'slow index' => 1 } },
        'a single host is not a mode'
    );
};

subtest 'a fleet that is known to be one may be smaller' => sub {
    my $named = sub {
        my ($count, %with) = @_;
        my $fleet = UnixBench::Fleet::Machines::of(machines($count, m002 => { factor => 0.7 }), %with);
        return [[map { scalar @{ $_->{measures} } } @{ $fleet->{runs} }], named($fleet)];
    };
    my $slow = { m002 => { 'slow index' => 1 } };
    is_deeply($named->(3, judged => 3, shown => 1), [[13], $slow], 'one of three is slow');
    is_deeply($named->(2, judged => 3, shown => 1), [[13], {}], 'two machines are shown, and none of them is judged');
    is_deeply($named->(1, judged => 3, shown => 1), [[13], {}], 'a single machine is shown');
    is_deeply(
        UnixBench::Fleet::Machines::of(machines(2), judged => 3)->{refusals},
        ['no number of copies was measured on at least 3 machines'],
        'machines that are too few to be shown are refused'
    );
    my @readings = ((map { { label => $_, value => 100, spread => 0.01 } } 1 .. 6), { label => 'odd', value => 100 });
    $readings[6]{spread} = 0.2;
    is_deeply([UnixBench::Fleet::Outliers::outliers({ judged => 3, tests => 0 }, test => @readings)],
        [], 'spreads of fewer than eight machines are not judged');
};

# Takes a rule, the kind of a measure, and values, or [value, error] each; returns { position => outlier }.
sub outliers_of {
    my ($rule, $kind, @values) = @_;
    my @readings = map {
        {
            label => $_,
            value => ref $values[$_] ? $values[$_][0] : $values[$_],
            error => ref $values[$_] ? $values[$_][1] : undef
        }
    } 0 .. $#values;
    return { map { $_->{label} => $_ } UnixBench::Fleet::Outliers::outliers($rule, $kind, @readings) };
}

subtest 'z is as computed by hand' => sub {

    # The logarithms are 0 to 8 and 40 hundredths: the median is 4.5, the MAD is 2.5, that is 0.0403 for the normal
    # distribution, with an efficiency of 9 * 0.37 beside eight degrees of freedom of 1 %.
    my $shown  = 0.025 / 0.6745 * 10 / 9.2;
    my @values = map { 100 * exp($_ / 100) } 0 .. 8, 40;
    my $z      = outliers_of(RULE, index => @values)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / $shown), 'the deviation is at least that of the MAD');
    my @sure = map { [$_, 0.06] } @values;
    $z = outliers_of(RULE, index => @sure)->{9}{z};
    my $deviation = sqrt((8 * 0.06**2 + 3.33 * $shown**2) / 11.33);
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / 0.06), 'that of a host is at least its own error');
    $sure[9][1] = 0;
    $z = outliers_of(RULE, index => @sure)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / $deviation), 'errors count as eight degrees of freedom');

    # If all but one are equal, the MAD is 0, and 1 % is used instead.
    $z = outliers_of(RULE, index => (100) x 9, 94)->{9}{z};
    is(sprintf('%.4f', $z), sprintf('%.4f', log(0.94) / 0.01), 'and at least 1 %');

    # The MAD of three values, 3 hundredths, is multiplied by 1.495.
    $z = outliers_of({ judged => 3, tests => 0 }, index => map { 100 * exp($_ / 100) } 0, 3, 50)->{2}{z};
    is(sprintf('%.4f', $z), sprintf('%.4f', 0.47 / (1.495 * 0.03 / 0.6745)), 'the MAD of few values is corrected');
};

subtest 'a host of which little is known has to be further off' => sub {
    is_deeply(outliers_of(RULE, index => (map { [100, 0.01] } 1 .. 9), [85, 0.05]), {}, '15 % at an error of 5 %');
    is(outliers_of(RULE, index => (map { [100, 0.01] } 1 .. 9), [85, 0.01])->{9}{is}, 'slow',
        '15 % at an error of 1 %');
    is(outliers_of(RULE, index => (map { [100, 0.01] } 1 .. 9), [80, 0.05])->{9}{is}, 'slow',
        '20 % at an error of 5 %');
};

subtest 'tests take part in one level for the whole list' => sub {
    my $found = sub {
        my ($tests, $value) = @_;
        return outliers_of({ judged => 8, tests => $tests }, test => (100) x 9, $value)->{9};
    };

    # Student's t with four degrees of freedom: 16.24 is exceeded by one of 24,000 on each side, 23.3 by one of 100,000.
    is($found->(600,  100 * exp -0.161),       undef,     'of 600 values, a test 16.1 deviations off is usual');
    is($found->(600,  100 * exp -0.164)->{is}, 'unusual', 'one 16.4 off is not');
    is($found->(10,   100 * exp -0.161),       undef,     'a short list counts as one of 600');
    is($found->(2500, 100 * exp -0.230),       undef,     'of 2,500 values, a test 23.0 deviations off is usual');
    is($found->(2500, 100 * exp -0.235)->{is}, 'unusual', 'one 23.5 off is not');
    is_deeply(outliers_of(RULE, test => (100) x 6, 50), {}, 'tests of seven hosts are not judged');
};

subtest 'a value stands out beyond the limits' => sub {
    my $is = sub {
        my ($kind, $value) = @_;
        my @readings = map { { label => $_, value => 100 } } 1 .. 8;
        return join q{ },
            map { "$_->{label} $_->{is}" }
            UnixBench::Fleet::Outliers::outliers(RULE, $kind, @readings, { label => 'odd', value => $value });
    };
    my @cases = (
        [index => 95.01,  q{}],
        [index => 94.99,  'odd slow'],
        [test  => 84.98,  q{}],
        [test  => 84.97,  'odd unusual'],
        [index => 104.99, q{}],
        [index => 105.01, 'odd fast'],
        [test  => 117.67, q{}],
        [test  => 117.69, 'odd unusual'],
    );
    is($is->(@$_[0, 1]), $_->[2], "$_->[0]: $_->[1] among values of 100") for @cases;

    # Values from 94 to 106 and one of 90: it is more than 5 % below the median, but its z is only -2.1.
    my @spread = map { { label => $_, value => 100 + $_ } } -6, -4, -2, -1, 0, 1, 2, 4, 6;
    my @found  = UnixBench::Fleet::Outliers::outliers(RULE, index => @spread, { label => 'odd', value => 90 });
    is_deeply(\@found, [], 'a large percentage alone does not stand out');
};

subtest 'limits are as computed by hand' => sub {
    my @alike  = map { { label => $_, value => 100 } } 1 .. 8;
    my @spread = map { { label => $_, value => 100 + $_ } } -6, -4, -2, -1, 0, 1, 2, 4, 6;
    my $limits = sub {
        join q{ }, map { sprintf '%.4f', $_ } UnixBench::Fleet::Outliers::limits(RULE, @_);
    };
    is($limits->(index => @alike), '0.9500 1.0500', 'the limits of an index');
    is($limits->(test  => @alike), '0.8498 1.1768', 'the limits of a test: 16.28 deviations of 1 %');
    is(
        $limits->(index => @spread),
        '0.8904 1.1231',
        'the limits are 3.5 deviations off if that is more: 1.107 times the MAD log(1/0.98) by 0.6745'
    );
    is($limits->(index => @alike[0 .. 6]), q{}, 'seven readings have no limits');

    # With one more value the limits are 83.87 or 118.83: the MAD is that of two middle deviations, 0.0303 or 0.0297,
    # times 10 / 9.2.
    for my $case ([83.7, 99.5, 'slow'], [84.0, 99.5], [118.7, 100.5], [119.0, 100.5, 'fast']) {
        my ($value, $median, $is) = @$case;
        my @readings = (@spread, { label => 'odd', value => $value });
        my ($found) = UnixBench::Fleet::Outliers::outliers(RULE, index => @readings);
        my ($low, $high) = map { $_ * $median } UnixBench::Fleet::Outliers::limits(RULE, index => @readings);
        is($found && $found->{is}, $is, "outliers finds $value if it is beyond a limit");
        is($value < $low ? 'slow' : $value > $high ? 'fast' : undef,
            $is, "limits has $value beyond a limit if outliers finds it");
    }
};

# Half of the machines are 0.75 and 1.5 times 100 each: the MAD is the logarithm of 1.5 or so.
subtest 'a fleet that is too uneven has slow machines, and no fast ones' => sub {
    my @uneven = map { { label => "m$_", value => 100 * 1.5**($_ % 3 - 1) } } 1 .. 39;
    my $found  = sub {
        my ($value) = @_;
        my @readings = (@uneven, { label => 'odd', value => $value });
        return join q{ }, map { "$_->{label} $_->{is}" } UnixBench::Fleet::Outliers::outliers(RULE, index => @readings);
    };
    is($found->(4),    'odd slow', 'a machine at 4 % of the median is slow');
    is($found->(2500), q{},        'a machine at 25 times the median is not fast');
    is($found->(50),   q{},        'a machine at half of the median is like others');
    my $unevenness = UnixBench::Fleet::Outliers::unevenness(RULE, @uneven);
    is(sprintf('%.2f', $unevenness), '0.50', 'the machines differ by 50 %');
    my @limits = UnixBench::Fleet::Outliers::limits(RULE, index => @uneven);
    is(scalar @limits, 1, 'there is no upper limit');
    my @even = map { { label => "m$_", value => 100 * 1.19**($_ % 3 - 1) } } 1 .. 39;
    is(UnixBench::Fleet::Outliers::unevenness(RULE, @even), undef, 'a MAD of 17 % can be judged');
    is(scalar(UnixBench::Fleet::Outliers::unevenness({ judged => 40 }, @uneven)),
        undef, 'too few machines are not judged');

    my @machines = map {
        side("m$_.json", name => "m$_", runs => { 1 => { pipe => spread_rates(1000 * 1.5**($_ % 3 - 1), 0.01) } })
    } 1 .. 39;
    push @machines, side('odd.json', name => 'odd', runs => { 1 => { pipe => spread_rates(40, 0.01) } });
    my $fleet = UnixBench::Fleet::Machines::of(\@machines);
    is_deeply(named($fleet), { odd => { 'slow index' => 1 } }, 'only the slow machine is named');
    my $text = fleet_as(text => $fleet);
    like(
        $text,
        qr/\A40 machines: 1 slow; too uneven to judge: the hosts differ by 50 % from each other\n/,
        'the headline says so'
    );
    like(
        $text,
        qr/slow: System .* index [(]partial[)], 4 % of the median [(]z -/,
        'the slow machine has its percentage of the median'
    );
};

# Takes a factor of its rates, whether other load disturbed all passes, and perhaps at_least and at_most as
# parts of its values. Returns a machine.
sub loaded {
    my ($name, $factor, $is_loaded, %bounds) = @_;
    my $summary = side('x', name => $name, runs => { 1 => { pipe => spread_rates(1000 * $factor, 0.01) } })->{summary};
    my ($run) = @{ $summary->{runs} };
    for my $item (@{ $run->{tests} }, @{ $run->{indexes} }) {
        my $bad = $is_loaded ? 5 : 0;
        $item->{other_load} = $bad ? [{ cause => 'others', worst => 1.4, passes => $bad, badly => $bad }] : [];
        $item->{quiet}      = { passes => 5 - $bad, of => 5, is_enough => $bad ? 0 : 1 };
        my $value = $item->{estimate}{value};
        $item->{bounds} = { map { $_ => $value * $bounds{$_} } keys %bounds };
    }
    $summary->{trust} = { level => $is_loaded ? 'poor' : 'good' };
    return { label => "$name.json", summary => $summary };
}

subtest 'a host that is slow only while other load was at work is doubtful' => sub {
    my @quiet = map { loaded("m$_", 1 + 0.001 * $_) } 1 .. 9;
    my $fleet = UnixBench::Fleet::Machines::of([@quiet, loaded(loud => 0.5, 1), loaded(slow => 0.6)]);
    is_deeply(
        named($fleet),
        {
            loud => { 'doubtful index' => 1, 'doubtful test' => 1 },
            slow => { 'slow index'     => 1, 'unusual test'  => 1 },
        },
        'the disturbed host is doubtful, the other one is slow'
    );
    my $text = fleet_as(text => $fleet);
    like($text, qr/^Machine +Index +.* +Verdict +Trust$/m,   'the ranking has a column for trust');
    like($text, qr/^11[.] loud .* not reliable +poor$/m,     'a row of a host that is not reliable');
    like($text, qr/^10[.] slow .* slow +good$/m,             'a row of a slow host');
    like($text, qr/\A11 machines: 1 slow, 1 not reliable\n/, 'the headline');
    like($text, qr/not reliable: System .* 50 % below the median [(]z .*[)], while other load was at work/,
        'the finding');

    my @loud   = map { loaded("loud$_", 0.5 + 0.001 * $_, 1) } 1 .. 9;
    my $others = UnixBench::Fleet::Machines::of([@loud, loaded(quiet => 1)]);
    is_deeply(
        named($others)->{quiet},
        { 'doubtful index' => 1, 'doubtful test' => 1 },
        'a host that is fast only because the others were disturbed is doubtful'
    );
    my $mixed = UnixBench::Fleet::Machines::of([@loud, @quiet, loaded(slow => 0.6)]);
    is(named($mixed)->{slow}{'slow index'}, 1, 'hosts that were not disturbed are compared with each other');
    is_deeply([grep { /\Am/ } keys %{ named($mixed) }], [], 'hosts that were not disturbed are not fast');
};

subtest 'a host stands out in spite of other load if this explains too little' => sub {
    my @quiet = map { loaded("m$_", 1 + 0.001 * $_) } 1 .. 9;
    my %of    = (
        'slow by more than that' => [0.3, at_most  => 1.2],
        'slow by less'           => [0.5, at_most  => 2],
        'fast by more'           => [1.5, at_least => 1 / 1.2],
        'fast by less'           => [1.3, at_least => 1 / 1.4],
        'slow, if not raised'    => [0.5, at_least => 1],
    );
    my %hosts;
    for my $what (sort keys %of) {
        my ($factor, @bounds) = @{ $of{$what} };
        my $fleet = UnixBench::Fleet::Machines::of([@quiet, loaded(loud => $factor, 1, @bounds)]);
        $hosts{$what} = join q{, }, sort keys %{ named($fleet)->{loud} };
    }
    is_deeply(
        \%hosts,
        {
            'slow by more than that' => 'slow index, unusual test',
            'slow by less'           => 'doubtful index, doubtful test',
            'fast by more'           => 'fast index, unusual test',
            'fast by less'           => 'doubtful index, doubtful test',
            'slow, if not raised'    => 'doubtful index, doubtful test',
        },
        'the ceiling and the floor decide'
    );
};

subtest 'a machine stands out if its spread is larger than that of others' => sub {
    my $noisy = sub {
        my (@spreads) = @_;
        my @readings  = map { { label => "m$_", value => 100, spread => $spreads[$_] } } 0 .. $#spreads;
        return join q{ }, map { "$_->{label} $_->{is}" } UnixBench::Fleet::Outliers::outliers(RULE, test => @readings);
    };
    my @alike = (0.008, 0.009, 0.0095, 0.01, 0.0105, 0.011, 0.012, 0.013);
    is($noisy->(@alike),                      q{},        'similar spreads do not stand out');
    is($noisy->(@alike, 0.1),                 'm8 noisy', 'a spread ten times that of the others stands out');
    is($noisy->((0.01) x 8, 0.0249),          q{},        'a spread 2.49 times that of others does not');
    is($noisy->((0.01) x 8, 0.0251),          'm8 noisy', 'one 2.51 times that of others does');
    is($noisy->(@alike, 0.001),               q{},        'a small spread does not stand out');
    is($noisy->(@alike, 0.1, undef, 0),       'm8 noisy', 'spreads that are unknown or 0 are ignored');
    is($noisy->((0.01) x 8),                  q{},        'equal spreads do not stand out');
    is($noisy->((1) x 8),                     q{},        'spreads of 1, whose logarithm is 0, do not stand out');
    is($noisy->((undef) x 9),                 q{},        'unknown spreads do not stand out');
    is($noisy->((undef) x 9, 0.01, 0.01, 99), q{},        'with too few known spreads nothing stands out');
};

subtest 'an index is noisy if its tests are' => sub {

    # Takes a number and a coefficient of variation; returns that number of passes, on both sides of 100, that have it.
    my $passes = sub {
        my ($count, $cv) = @_;
        my $off = 100 * $cv * sqrt(($count - 1) / $count);
        return [(100 - $off, 100 + $off) x ($count / 2)];
    };
    my $machine = sub {
        my ($name, $pipe, $spawn) = @_;
        return side($name, runs => { 1 => { pipe => $pipe, spawn => $spawn } });
    };
    my $found = sub {
        my (@odd)    = @_;
        my @machines = map { $machine->("m$_", $passes->(100, 0.01), $passes->(100, 0.01)) } 1 .. 10;
        my $fleet    = UnixBench::Fleet::Machines::of([@machines, $machine->(odd => @odd)]);
        return grep { $_->{is} eq 'noisy' } map { @{ $_->{findings} } } @{ $fleet->{named} };
    };
    is_deeply([$found->($passes->(2, 0.01), $passes->(2, 0.01))], [], 'two passes are too few to be noisy');
    my ($finding) = $found->($passes->(100, 0.03), $passes->(100, 0.04));
    is($finding->{kind}, 'index', 'an index whose passes vary is noisy');
    cmp_ok(abs($finding->{value} / sqrt((0.03**2 + 0.04**2) / 2) - 1),
        '<', 1e-9, 'the noise of an index is the quadratic mean of its tests');
    cmp_ok(abs($finding->{median} / 0.01 - 1), '<', 1e-9, 'the finding has the median of all machines');
    is_deeply([map { $_->{kind} } $found->($passes->(100, 0.03), [100])],
        ['test'], 'the noise of an index is not known if a test has one pass');
};

subtest 'differences from most machines are listed' => sub {
    my %usual    = ('Program pipe' => 'aa', 'Program spawn' => 'bb', 'Input sort.src' => 'cc', Kernel => '6');
    my @machines = map { side("m$_", runs => { 1 => { pipe => spread_rates(100, 0.01) } }, facts_of(%usual)) } 1 .. 9;
    my $slow     = { runs => { 1 => { pipe => spread_rates(50, 0.01) } } };
    my $named    = sub {
        my (%facts) = @_;
        return UnixBench::Fleet::Machines::of([@machines, side('slow', %$slow, facts_of(%facts))])->{named}[0];
    };
    my $machine = $named->(%usual, 'Input sort.src' => 'x', Kernel => 'y');
    is_deeply($machine->{other_files}, ['Inputs that differ from most: sort.src'], 'inputs that differ are listed');
    is_deeply(
        $machine->{differences},
        [{ label => 'Kernel', text => 'y', usual => '6' }],
        'facts that differ are listed'
    );
    is_deeply($named->('Program pipe' => 'aa', 'Program dhry2reg' => 'x')->{other_files},
        [], 'programs of other tests are not listed');
    is_deeply(
        $named->(%usual, 'CPU time limit' => 'the time of 0.50 CPUs')->{differences},
        [{ label => 'CPU time limit', text => 'the time of 0.50 CPUs', usual => 'none' }],
        'a fact that the other machines do not have is listed'
    );
    my $odd = $named->(%usual, 'Nice value' => '19', 'CPUs it may use' => '1 of 2, CPU 0');
    is_deeply(
        [UnixBench::Fleet::Wording::unusual($odd)],
        ['CPUs it may use: 1 of 2, CPU 0 (most: all)', 'Nice value 19 (most: 0)'],
        'a fact that is usual elsewhere has the usual value'
    );
};

subtest 'an index has half of the width of its interval' => sub {
    my $machines = machines(9);
    my @measures = @{ UnixBench::Fleet::Machines::of($machines)->{runs}[0]{measures} };
    my ($index)  = grep { $_->{kind} eq 'index' } @measures;
    my $halves   = sub {
        return [map { sprintf '%.9f', UnixBench::Score::Estimate::half_width($_->{estimate}) } @_];
    };
    my @of_runs = map { $_->{summary}{runs}[0]{indexes}[0] } @$machines;
    is_deeply($halves->(@{ $index->{readings} }), $halves->(@of_runs), 'the reading of each machine has it');
    @{ $_->{repeat} }{qw(deviation df known)} = (0.01, 8, 0) for @of_runs[0 .. 5];
    my $fleet    = UnixBench::Fleet::Machines::of($machines);
    my ($varied) = grep { $_->{kind} eq 'index' } @{ $fleet->{runs}[0]{measures} };
    my @wide     = grep { UnixBench::Score::Estimate::half_width($_->{estimate}) > 0.02 } @{ $varied->{readings} };
    is(scalar @wide, 6, 'it is that of the machine, with how much runs differ');
    my ($legend) = UnixBench::Fleet::Wording::legend($fleet);
    like(in_plain($legend), qr/ of the machine, .* differ [(]known for 3 of 9 hosts[)]/, 'which the list says');
    is_deeply([grep { exists $_->{estimate} } map { @{ $_->{readings} } } grep { $_->{kind} eq 'test' } @measures],
        [], 'readings of tests do not have it');
    $_ = { label => $_->{label}, summary => classic($_->{summary}) } for @$machines;
    ($index) = @{ UnixBench::Fleet::Machines::of($machines)->{runs}[0]{measures} };
    is_deeply([grep { exists $_->{estimate} } @{ $index->{readings} }], [], 'classic indexes have no interval');
};

subtest 'machines have the names of their hosts' => sub {
    my @hosts    = ('alone', 'twin', 'twin', undef, q{}, "odd\n", map { "h$_" } 1 .. 3);
    my %rates    = (runs => { 1 => { pipe => spread_rates(100, 0.01) } });
    my @machines = map { side("dir/$_.json", name => $hosts[$_], %rates) } 0 .. $#hosts;
    is_deeply(
        UnixBench::Fleet::Machines::of(\@machines)->{names},
        {
            'dir/0.json' => 'alone',
            'dir/1.json' => 'twin (1.json)',
            'dir/2.json' => 'twin (2.json)',
            'dir/3.json' => 'dir/3.json',
            'dir/4.json' => 'dir/4.json',
            'dir/5.json' => 'odd\n',
            (map { ("dir/$_.json" => 'h' . ($_ - 5)) } 6 .. 8),
        },
        'hosts with the same name also have the file; a machine without a host has its path'
    );
    my @pairs = ((map { ['twin', "$_/index.json"] } 1 .. 3), ["odd\n", 'a'], ['odd\n', 'b']);
    is_deeply(
        [UnixBench::Fleet::Machines::names(@pairs)],
        ['twin (index.json)', 'twin (index.json) (2)', 'twin (index.json) (3)', 'odd\n', 'odd\n (2)'],
        'all names differ, also where files or printable names do not'
    );
};

subtest 'runs with the same number of copies are judged' => sub {
    my $run      = { pipe => spread_rates(100, 0.01) };
    my @machines = map { side("m$_", runs => { 1 => $run, ($_ < 9 ? 4 : 8) => $run }) } 1 .. 10;
    my $fleet    = UnixBench::Fleet::Machines::of(\@machines);
    is_deeply([map { $_->{copies} } @{ $fleet->{runs} }],
        [1, 4], 'numbers of copies that eight machines share are judged');
    is_deeply(
        [map { $_->{lacking} } @{ $fleet->{runs} }],
        [[], ['m9', 'm10']],
        'machines without such a run are listed'
    );
    is_deeply(
        $fleet->{omissions},
        ['8 copies: only m9 and m10 have such a run; 8 machines are needed'],
        'a number of copies that few machines have is listed as not judged'
    );
    my $slow = side('twice', runs => { 4 => { pipe => spread_rates(10, 0.01) } });
    push @{ $machines[$_]{summary}{runs} }, @{ $slow->{summary}{runs} } for 0 .. 4, 9;
    $fleet = UnixBench::Fleet::Machines::of(\@machines);
    is_deeply(
        $fleet->{omissions},
        [
            '8 copies: only m9 and m10 have such a run; 8 machines are needed',
            '4 copies: m1, m2, m3 and 2 others have several such runs, of which only the first is used',
        ],
        'second runs are listed as not judged'
    );
    is_deeply([map { $_->{label} } @{ $fleet->{named} }],
        ['m10'], 'first runs are judged, whatever runs are before them');
};

subtest 'a test may be missing on a machine' => sub {
    my %both     = (pipe => spread_rates(100, 0.01), spawn => spread_rates(100, 0.01));
    my @machines = map { side("m$_", runs => { 1 => {%both} }) } 1 .. 9;
    push @machines, side('failed', runs => { 1 => { %both, spawn => 'failed: exit status 3' } });
    push @machines, side('more',   runs => { 1 => { %both, hanoi => [1, 2] } });
    my $fleet   = UnixBench::Fleet::Machines::of(\@machines);
    my %measure = map { $_->{title} => $_ } @{ $fleet->{runs}[0]{measures} };
    is_deeply($measure{'Process Creation'}{lacking}, ['failed'], 'a test that failed is missing on its machine');
    is($measure{'Process Creation'}{count}, 10, 'the other machines have the test');
    is_deeply($measure{'System Benchmarks'}{lacking}, ['failed'], 'the index of that machine is missing, too');
    is_deeply([map { $_->{is_partial} } @measure{ 'System Benchmarks', 'Process Creation' }],
        [1, 0], 'the index of that machine is partial');
    is($measure{'Recursion Test -- Tower of Hanoi'}{count}, 1, 'a test that only one machine has is counted');
    is_deeply($fleet->{named}, [], 'no machine stands out');
};

subtest 'machines of different kinds are not judged' => sub {
    my $machines = machines(9, m002 => { flags => '-O2' }, m005 => { flags => '-O2' });
    my $sentence =
        'compiler flags: -O3 in m001.json, m003.json, m004.json and 4 others, -O2 in m002.json and m005.json';
    my $refused = UnixBench::Fleet::Machines::of($machines);
    is_deeply($refused->{refusals},        [$sentence], 'the difference is a refusal');
    is_deeply([@$refused{qw(runs named)}], [[], []],    'nothing is judged');
    my $forced = UnixBench::Fleet::Machines::of($machines, is_forced => 1);
    is_deeply(
        [$forced->{refusals}, $forced->{obstacles}],
        [[],                  [$sentence]],
        'a forced fleet has the difference as an obstacle'
    );
};

subtest 'with a text report, a fleet is judged by classic scores' => sub {
    my @machines =
        map { { label => $_->{label}, summary => $_->{summary} } } @{ machines(10, m004 => { factor => 0.8 }) };
    $machines[9]{summary} = classic($machines[9]{summary});
    my $fleet = UnixBench::Fleet::Machines::of(\@machines);
    is_deeply([grep { !$_->{is_trimmed} } @{ $fleet->{runs}[0]{measures} }], [], 'all measures are classic scores');
    my @median = map { $_->{median} } grep { $_->{title} eq 'Pipe Throughput' } @{ $fleet->{runs}[0]{measures} };
    cmp_ok($median[0], '>', $RATE{pipe}, 'classic scores are above the mean of all passes');
    is_deeply(named($fleet), { m004 => { 'slow index' => 1, 'unusual test' => 12 } }, 'the slow machine is named');
};

subtest 'a file that is given twice is two machines' => sub {
    my ($slow, @others) = @{ machines(10, m001 => { factor => 0.8 }) };
    my $fleet = UnixBench::Fleet::Machines::of([$slow, @others, $slow]);
    is_deeply(
        [map { $_->{label} } @{ $fleet->{named} }],
        ['m001.json', 'm001.json (2)'],
        'both are named, with different labels'
    );
    is(scalar @{ $fleet->{named}[0]{findings} }, 13, 'each has findings of its own');
    my @without = map { side($_, runs => {}) } 'a', 'a (2)', 'a', "b\n", 'b\n', 'c', 'c ';
    $fleet = UnixBench::Fleet::Machines::of([@others, @without]);
    is_deeply(
        $fleet->{runs}[0]{lacking},
        ['a', 'a (2)', 'a (3)', 'b\n', 'b\n (2)', 'c', 'c (2)'],
        'files with similar names have different labels'
    );
};

# Takes a summary; returns it with other titles of tests and indexes.
sub retitled {
    my ($summary) = @_;
    my @runs = map {
        my $run = $_;
        +{
            %$run,
            map {
                $_ => [map { +{ %$_, title => "Zzz $_->{title}" } } @{ $run->{$_} }]
            } qw(tests indexes)
        }
    } @{ $summary->{runs} };
    return { %$summary, runs => \@runs };
}

subtest 'a fleet whose results have different titles is one fleet' => sub {
    my @machines =
        map {
        side("m$_", runs => { 1 => { pipe => [map { $_ * ($_ == 5 ? 1e6 : 2e6) } 1, 1.001] } })
        } 1 .. 8;
    my @retitled = map { $_ % 2 ? $machines[$_] : { %{ $machines[$_] }, summary => retitled($machines[$_]{summary}) } }
        0 .. $#machines;
    my ($usual, $others) = map { UnixBench::Fleet::Machines::of($_) } \(@machines, @retitled);
    my @measures = map {
        [map { scalar @{ $_->{readings} } } @{ $_->{runs}[0]{measures} }]
    } $usual, $others;
    is_deeply($measures[0], [8, 8],       'each of two measures has a reading of all machines');
    is_deeply($measures[1], $measures[0], 'with other titles, too');
    is_deeply(
        [map { [$_->{label}, $_->{is}] } @{ $others->{named} }],
        [map { [$_->{label}, $_->{is}] } @{ $usual->{named} }],
        'the same machines are named'
    );
};

subtest 'the mean of the other tests is not used as the index' => sub {
    my @names = sort keys %RATE;
    my @whole = map {
        measured($_, 1, map { 1000 * $_ } 1, 2, 3)
    } @names;
    my @lacks     = map { $_->{name} eq 'pipe' ? failed('pipe', 'killed by SIGSEGV') : $_ } @whole;
    my @summary   = map { UnixBench::Store::Summary::of(result([run(1, @$_)])) } \(@whole, @lacks);
    my $fleet     = UnixBench::Fleet::Machines::of([map { { label => "m$_", summary => $summary[$_ > 7] } } 0 .. 8]);
    my ($measure) = @{ $fleet->{runs}[0]{measures} };
    is_deeply([@$measure{qw(kind count lacking)}], ['index', 8, ['m8']], 'eight of nine machines have the index');
};

done_testing();
