use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use LoadPair qw(fast_side load_pass load_side slow_side);
use UnixBench::Base::JSONReader;
use UnixBench::Compare::Analysis;
use UnixBench::Compare::Analysis::Meters;

use constant T_OF_4 => 2.776445105;    # Student's t for 95 % with 4 degrees of freedom

sub of { my ($sides, %with) = @_; return UnixBench::Compare::Analysis::of($sides, %with) }

sub vector {
    open my $file, '<:raw', "$FindBin::Bin/../../data/multics.json" or die "multics.json: $!\n";
    local $/ = undef;
    return UnixBench::Base::JSONReader::decode(scalar readline $file);
}

# Takes keys to replace in the typed-in meters of A and of B; returns both sides.
sub typed_in {
    my ($of_a, $of_b) = @_;
    my $data = vector();
    my %data = (A => { %{ $data->{A} }, %$of_a }, B => { %{ $data->{B} }, %{ $of_b || {} } });
    return [UnixBench::Compare::Analysis::Meters::typed_in(\%data)];
}

sub is_near {
    my ($found, $expected, $name) = @_;
    my $is_near = defined $found && abs($found - $expected) <= 1e-6 * abs $expected;
    return ok($is_near, $name) || diag 'found ' . ($found // 'nothing') . ", expected $expected";
}

sub value_of { my ($analysis, $effect) = @_; return $analysis->{effects}{$effect}{ratio}{value} }

# Takes a ratio; returns the meters that are missing for it, as "A cpu_total_s, B elapsed_s is 0".
sub lacks {
    my ($ratio) = @_;
    return join ', ', map { "$_->{letter} $_->{meter}" . ($_->{is_zero} ? ' is 0' : q{}) } @{ $ratio->{lacks} || [] };
}

subtest 'the analysis of 1973 is reproduced' => sub {
    my $analysis = of(typed_in({}));
    my $expected = vector()->{expected};
    my %ratio    = map { $_ => value_of($analysis, $_) } qw(total processor overhead product deviation);
    is_near($ratio{total},     14213 / 4860, 'the total effect is the ratio of total CPU times');
    is_near($ratio{processor}, 7999 / 4031,  'the processor effect is the ratio of good CPU times');
    is_near(
        $ratio{overhead},
        71.47 / (100 - 9.64) / (53.33 / 97.96),
        'the overhead effect is the ratio of useful to non-idle time'
    );
    is_near($ratio{product}, $ratio{processor} * $ratio{overhead}, 'the product is that of both effects');
    is_near(
        $ratio{deviation},
        $ratio{product} / $ratio{total},
        'the deviation is the product divided by the total effect'
    );
    is(sprintf('%.1f', $ratio{total}),     $expected->{cpu_total_ratio}, 'the total effect is as printed in 1973');
    is(sprintf('%.1f', $ratio{processor}), '2.0',                        'the processor effect is as printed in 1973');
    is(sprintf('%.2f', $ratio{overhead}),  $expected->{overhead_effect}, 'the overhead effect is as printed in 1973');
    is(sprintf('%.1f', $ratio{product}),   $expected->{product},         'the product is as printed in 1973');
    is($analysis->{is_apart}, 0, 'the product agrees with the total');
    my @shares = map { 1 / $_->{value} } @{ $analysis->{effects}{overhead}{values} };
    is(sprintf('%.4f', $shares[0]), $expected->{useful_share_A}, 'the useful share of A is as printed in 1973');
    is(sprintf('%.3f', $shares[1]), $expected->{useful_share_B}, 'the useful share of B is as printed in 1973');
    my %cost = map { $_->{label} => sprintf '%.1f', $_->{ratio}{value} } @{ $analysis->{costs} };
    is_deeply(\%cost, $expected->{cost_ratio}, 'the costs are as printed in 1973');
    is_deeply(
        [map { $_->{is_in_step} } @{ $analysis->{costs} }],
        [1, 0, 0],
        'only the first cost is in step with the total'
    );
    is($analysis->{effects}{total}{ratio}{low}, undef, 'a single measurement has no interval');
    is($analysis->{run_costs},                  undef, 'without prices there is no cost of a run');
    is_near($analysis->{meters}{elapsed_s}{ratio}{value}, 249.7 / 91.4, 'minutes are converted to seconds');
};

subtest 'three passes on each side give intervals' => sub {
    my @step  = map { exp } -0.03, 0, 0.03;
    my @sides = map {
        my $good_s = $_;
        load_side("$good_s.json", [map { load_pass(good_s => $good_s * $_, system_s => 0, driver_s => 1e-9) } @step])
    } 80, 40;
    my $analysis  = of(\@sides);
    my $processor = $analysis->{effects}{processor}{ratio};
    my $half      = T_OF_4 * 0.03 * sqrt 2 / 3;
    is_near($processor->{value}, 2,                        'good CPU: the geometric mean');
    is_near($processor->{low},   2 * exp -$half,           'good CPU: the lower end of the interval, computed by hand');
    is_near($processor->{high},  2 * exp $half,            'good CPU: the upper end of the interval');
    is_near($processor->{df},    4,                        'good CPU: the degrees of freedom');
    is_near($analysis->{effects}{overhead}{ratio}{low}, 1, 'an effect that does not vary has an interval of no width');
    is_near(
        $analysis->{effects}{product}{ratio}{low},
        2 * exp -$half,
        'the interval of the product is that of the effect that varies'
    );
    is_near($analysis->{effects}{deviation}{ratio}{$_},
        1, "the deviation does not vary if product and total vary together: $_")
        for qw(low high);
    is_near($analysis->{meters}{cpu_good_s}{values}[0]{value}, 80, 'the meter is the geometric mean of its passes');
};

subtest 'meters are computed from a pass' => sub {
    my $pass     = load_pass(elapsed_s => 30, lines => 2210, stretch => 1.5);
    my $analysis = of([map { load_side('x', [$pass]) } 1, 2]);
    my %value    = map { $_ => $analysis->{meters}{$_}{values}[0]{value} } keys %{ $analysis->{meters} };
    my %expected = (
        elapsed_s               => 30,
        lines_per_minute        => 4420,
        cpu_good_s              => 58,
        cpu_virtual_s           => 80,
        cpu_total_s             => 80.8,
        driver_cpu_s            => 0.8,
        useful_pct              => 50,
        time_user_pct           => 50,
        time_system_pct         => 20,
        time_idle_pct           => 25,
        time_iowait_pct         => 100 * 2 / 120,
        not_idle_pct            => 100 * 88 / 120,
        stretch                 => 1.5,
        response_p95_s          => 0.075,
        response_compile_mean_s => 0.156,
        response_compile_p95_s  => 0.3,
        users_faults_minor      => 1_400_000,
        machine_forks           => 13_000,
    );
    is_near($value{$_}, $expected{$_}, "$_ of a pass") for sort keys %expected;
    is_deeply(
        [grep { /compile/ } sort keys %value],
        [map { "response_compile_${_}_s" } qw(mean p95)],
        'a class of responses has only the mean and the 95th percentile'
    );
    is($value{users_faults_major},                     0,     'a meter that is 0 is known');
    is($analysis->{meters}{users_faults_major}{ratio}, undef, 'a meter that is 0 has no ratio');
    is_deeply([grep { /finished|cpu_user|machine_cpu/ } keys %value], [], 'parts of other meters are left out');
    is_near(value_of($analysis, $_), 1, "$_ of a side compared with itself is 1")
        for qw(total processor overhead product deviation);
    my @some = map {
        load_side($_, [map { load_pass(meters => { 'machine.forks' => $_ }) } 5, undef, 7])
    } 1, 2;
    ok(!exists of(\@some)->{meters}{machine_forks}, 'a meter that is missing in one pass is left out');
    my @zero = map {
        load_side($_, [map { load_pass(meters => { 'machine.forks' => $_ }) } 5, 0, 7])
    } 1, 2;
    is_near(of(\@zero)->{meters}{machine_forks}{values}[1]{value},
        4, 'a meter that is 0 in one pass has its arithmetic mean');
    my @new = map { load_side($_, [load_pass(meters => { 'machine.new_ones' => 8 })]) } 1, 2;
    is_near(of(\@new)->{meters}{machine_new_ones}{values}[0]{value}, 8, 'a new meter is accepted');
};

subtest 'users that finished stand for those that did not' => sub {
    my %finished = ('finished.cpu_user_s' => 40, 'finished.cpu_system_s' => 10, 'finished.faults_minor' => 1000);
    my $pass     = load_pass(finished => 16, good_s => 45, meters => \%finished);
    my $analysis = of([load_side('a', [$pass]), load_side('b', [load_pass()])]);
    my %value = map { $_ => $analysis->{meters}{$_}{values}[0]{value} } qw(cpu_good_s cpu_total_s users_faults_minor);
    is_near($value{cpu_good_s},         50,   'good CPU time is projected to all users');
    is_near($value{cpu_total_s},        63.3, 'the CPU time of the driver is not projected');
    is_near($value{users_faults_minor}, 1250, 'page faults are projected to all users');
    is_deeply([map { $_->{has_unfinished} } @{ $analysis->{sides} }],
        [1, 0], 'the side is marked as having unfinished users');
    $analysis = of([load_side('a', [load_pass(finished => 0, meters => \%finished)]), load_side('b', [load_pass()])]);
    is(lacks($analysis->{effects}{processor}), 'A cpu_good_s', 'good CPU time is not known if no user finished');
};

subtest 'a product that deviates from the total is marked' => sub {
    is(of(typed_in({ cpu_total_s => 14213 * $_->[0] }))->{is_apart},
        $_->[1], "the total times $_->[0]: is_apart is $_->[1]")
        for [0.9, 1], [0.93, 1], [0.945, 0], [1.03, 0], [1.05, 1];
    my $steal = load_pass(times => { steal => 30 });
    is(of([load_side('a', [load_pass()]), load_side('b', [$steal])])->{is_apart},
        1, 'time that is stolen from one side is a deviation');
};

subtest 'an effect needs its meters, and they must not be 0' => sub {
    my @cases = (
        [{ cpu_total_s   => undef },               total     => 'A cpu_total_s'],
        [{ cpu_total_s   => 0 },                   total     => 'A cpu_total_s is 0'],
        [{ cpu_good_s    => undef },               processor => 'A cpu_good_s'],
        [{ cpu_good_s    => undef },               product   => 'A cpu_good_s'],
        [{ other_pct     => undef },               overhead  => 'A useful_pct'],
        [{ other_pct     => 0 },                   overhead  => 'A useful_pct is 0'],
        [{ idle_zero_pct => undef },               overhead  => 'A not_idle_pct'],
        [{ idle_zero_pct => 100, other_pct => 0 }, overhead  => 'A not_idle_pct is 0, A useful_pct is 0'],
        [{ cpu_total_s   => undef },               deviation => 'A cpu_total_s'],
        [{ cpu_total_s   => undef },               product   => q{}],
        [{ cpu_total_s   => undef },               overhead  => q{}],
    );
    for my $case (@cases) {
        my ($of_a, $effect, $expected) = @$case;
        is(lacks(of(typed_in($of_a))->{effects}{$effect}),
            $expected, "missing for $effect: " . ($expected || 'nothing'));
    }
    my $analysis = of(typed_in({ cpu_total_s => undef }, { cpu_total_s => undef }));
    is(lacks($analysis->{effects}{total}), 'A cpu_total_s, B cpu_total_s', 'a meter may be missing on both sides');
    ok(!exists $analysis->{meters}{cpu_total_s}, 'a meter that is missing on both sides is left out');
    is($analysis->{is_apart},             0,     'without a total the product is not apart from it');
    is($analysis->{costs}[0]{is_in_step}, undef, 'without a total no cost is in step with it');
    my $bare = load_pass(meters => { map { ("machine.cpu_${_}_s" => undef) } qw(user system irq steal idle iowait) });
    is(
        lacks(of([load_side('a', [$bare]), load_side('b', [load_pass()])])->{effects}{overhead}),
        'A not_idle_pct, A useful_pct',
        'a system without CPU times has no overhead effect'
    );
};

subtest 'costs are compared' => sub {
    my $analysis = of(typed_in({ cost => { x => 5, y => 0 } }, { cost => { x => 10, z => 1 } }));
    my %cost     = map { $_->{label} => $_ } @{ $analysis->{costs} };
    is_near($cost{x}{ratio}{value}, 0.5, 'the ratio of two costs');
    is(lacks($cost{y}), 'A cost is 0, B cost', 'a cost of 0 and an unknown cost have no ratio');
    is(lacks($cost{z}), 'A cost',              'a cost that A does not have has no ratio');
    is_deeply($cost{z}{amounts}, [undef, 1], 'the cost of B is kept');
};

subtest 'prices of an hour give the costs of a run' => sub {
    my $costs = of(typed_in({}), prices => [1.2, 3])->{run_costs};
    is_near($costs->{values}[0]{value}, 1.2 * 249.7 / 60,         'the cost of a run on A');
    is_near($costs->{values}[1]{value}, 3 * 91.4 / 60,            'the cost of a run on B');
    is_near($costs->{ratio}{value},     1.2 * 249.7 / (3 * 91.4), 'the ratio of the costs');
    is_near($costs->{following},        1.2 * 14213 / 4860,       'the cost of B in step with the total');
    is($costs->{is_in_step}, 0, 'the prices are not in step with the total');
    is(of(typed_in({}), prices => [1, 249.7 * 4860 / (91.4 * 14213)])->{run_costs}{is_in_step},
        1, 'other prices are in step with the total');
    is(lacks(of(typed_in({}), prices => [1, 0])->{run_costs}), 'B price is 0', 'a price of 0 has no ratio');
    is(lacks(of(typed_in({ elapsed_min => undef }), prices => [1, 2])->{run_costs}),
        'A elapsed_s', 'without an elapsed time there is no ratio');
    is(of(typed_in({ cpu_total_s => undef }), prices => [1, 2])->{run_costs}{following},
        undef, 'without a total there is no cost in step with it');
    $costs = of([slow_side('a'), fast_side('b')], prices => [1, 2])->{run_costs};
    ok($costs->{ratio}{low} < $costs->{ratio}{value} && $costs->{ratio}{value} < $costs->{ratio}{high},
        'the ratio of the costs has an interval');
    my $elapsed = of([slow_side('a'), fast_side('b')])->{meters}{elapsed_s}{ratio};
    is_near($costs->{ratio}{low}, $elapsed->{low} / 2, 'the interval is that of the elapsed times');
};

subtest 'loads that differ are refused' => sub {
    my $refusals = sub { my ($of_b, %with) = @_; return of([load_side('a', [load_pass()]), $of_b], %with)->{refusals} };
    my $side     = sub { return load_side('b', [load_pass()], @_) };
    is_deeply($refusals->($side->()), [], 'the same load is not refused');
    my @cases = (
        [{ script      => 'cd34' x 16 }, 'script of the multi-user test: ab12ab12ab12 in A, cd34cd34cd34 in B'],
        [{ users       => [10] },        'users of the multi-user load: 20 in A, 10 in B'],
        [{ think_max_s => 10 },          'think times of the multi-user test: 0.04 to 0.3 s in A, 0.04 to 0.2 s in B'],
        [{ scale       => 1 },           'think times of the multi-user test: 0.04 to 0.3 s in A, 2 to 15 s in B'],
    );
    for my $case (@cases) {
        my ($load, $expected) = @$case;
        is_deeply($refusals->($side->(load => $load)), [$expected], "refused: $expected");
    }
    my $other = $side->(load => { scale => 1, users => [3] }, flags => '-O1');
    is(scalar @{ $refusals->($other) }, 3, 'each difference has a line');
    my $forced = of([load_side('a', [load_pass()]), $other], is_forced => 1);
    is_deeply($forced->{refusals}, [], 'a forced analysis has no refusals');
    is(scalar @{ $forced->{obstacles} }, 3, 'a forced analysis has the differences');
    is_near(value_of($forced, 'total'), 1, 'a forced analysis has effects');
    my $none = 'B has no pass of the test multiuser with meters';
    is_deeply($refusals->(load_side('b', []), %$_), [$none], 'a side without a load is refused') for { }
    , { is_forced => 1 };
    is_deeply(
        $refusals->(load_side('b', [], load => { limit => 2, users => [] })),
        ['B has no meters, because it is a search for the capacity'],
        'a search for the capacity is refused'
    );
};

done_testing();
