# Meters and effects of two multi-user loads, and how a comparison prints them.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use LoadPair qw(load_pass load_side);
use UnixBench::Base::Files;
use UnixBench::Base::JSON;
use UnixBench::Multiuser::Comparison;

use constant T_OF_4 => 2.776445105;

sub of { my (@sides) = @_; return UnixBench::Multiuser::Comparison::of(@sides) }

# Takes the passes of A and of B; returns their comparison.
sub of_passes { my ($of_a, $of_b) = @_; return of(load_side(A => $of_a), load_side(B => $of_b)) }

sub is_near {
    my ($found, $expected, $name) = @_;
    my $is_near = defined $found && abs($found - $expected) <= 1e-6 * abs $expected;
    return ok($is_near, $name) || diag 'found ' . ($found // 'nothing') . ", expected $expected";
}

# Takes a system of the paper; returns a pass that reports its figures.
sub pass_of_1973 {
    my ($system) = @_;
    my ($total_s, $virtual_s, $good_s) = @$system{qw(cpu_total_s cpu_virtual_s cpu_good_s)};
    my ($useful, $idle) = @$system{qw(other_pct idle_zero_pct)};
    return load_pass(
        elapsed_s => 60 * $system->{elapsed_min},
        good_s    => $good_s,
        system_s  => $virtual_s - $good_s,
        driver_s  => $total_s - $virtual_s,
        times     =>
            { user => $useful, idle => $idle, system => 100 - $useful - $idle, map { $_ => 0 } qw(irq steal iowait) }
    );
}

subtest 'the effects of 1973 are reproduced' => sub {
    my $paper    = UnixBench::Base::JSON::decode(UnixBench::Base::Files::content("$FindBin::Bin/data/multics.json"));
    my $expected = $paper->{expected};
    my $compared = of_passes([pass_of_1973($paper->{A})], [pass_of_1973($paper->{B})]);
    my %effect   = map { $_ => $compared->{effects}{$_}{value} } qw(total processor overhead product deviation);
    is(sprintf('%.1f', $effect{total}),     $expected->{cpu_total_ratio}, 'the total effect is as printed in 1973');
    is(sprintf('%.1f', $effect{processor}), '2.0',                        'the processor effect is as printed in 1973');
    is(sprintf('%.2f', $effect{overhead}),  $expected->{overhead_effect}, 'the overhead effect is as printed in 1973');
    is(sprintf('%.1f', $effect{product}),   $expected->{product},         'the product is as printed in 1973');
    is_near($effect{deviation}, 7999 / 4031 * 71.47 / 90.36 * 97.96 / 53.33 / (14213 / 4860), 'the deviation is exact');
    is($compared->{effects}{is_apart},   0,     'the product agrees with the total');
    is($compared->{effects}{total}{low}, undef, 'a single measurement has no interval');
    my $shares = $compared->{meters}{useful_pct}{values};
    is(sprintf('%.2f', $shares->[0]{value}), 100 * $expected->{useful_share_A}, 'the useful share of A is as printed');
    is(sprintf('%.1f', $shares->[1]{value}), 100 * $expected->{useful_share_B}, 'the useful share of B is as printed');
    is_near($compared->{meters}{elapsed_s}{ratio}{value}, 91.4 / 249.7, 'the ratio of a meter is that of B to A');
};

subtest 'three passes on each side give intervals' => sub {
    my @of = map {
        my $good_s = $_;
        [map { load_pass(good_s => $good_s * exp $_, system_s => 0, driver_s => 1e-9) } -0.03, 0, 0.03]
    } 80, 40;
    my $compared = of_passes(@of);
    my $effects  = $compared->{effects};
    my $half     = T_OF_4 * 0.03 * sqrt 2 / 3;
    is_near($effects->{processor}{value}, 2,              'the geometric mean');
    is_near($effects->{processor}{low},   2 * exp -$half, 'the lower end of the interval, computed by hand');
    is_near($effects->{product}{high}, 2 * exp $half, 'the interval of the product is that of the effect that varies');
    is_near($effects->{overhead}{low}, 1,             'an effect that does not vary has an interval of no width');
    is_near($effects->{deviation}{$_}, 1,             "product and total vary together: $_") for qw(low high);
    my @results = map { load_side($_->[0] => $_->[1]) } [A => $of[0]], [B => $of[1]];
    push @{ $_->{loads} }, { passes => [$_->{loads}[0]{passes}[0]] } for @results;
    is_near(of(@results)->{effects}{processor}{df}, 2, 'several results of a side have one value each');
};

subtest 'meters are computed from a pass' => sub {
    my $pass     = load_pass(elapsed_s => 30, lines => 2210, stretch => 1.5);
    my $compared = of_passes([$pass], [$pass]);
    my %value    = map { $_ => $compared->{meters}{$_}{values}[0]{value} } keys %{ $compared->{meters} };
    my %expected = (
        elapsed_s               => 30,
        lines_per_minute        => 4420,
        cpu_good_s              => 58,
        cpu_virtual_s           => 80,
        cpu_total_s             => 80.8,
        driver_cpu_s            => 0.8,
        useful_pct              => 100 * 60 / 88,
        time_user_pct           => 50,
        time_iowait_pct         => 100 * 2 / 120,
        stretch                 => 1.5,
        response_p95_s          => 0.075,
        response_compile_mean_s => 0.156,
        users_faults_minor      => 1_400_000,
        machine_forks           => 13_000,
    );
    is_near($value{$_}, $expected{$_}, "$_ of a pass") for sort keys %expected;
    is($value{users_faults_major},                     0,     'a meter that is 0 is known');
    is($compared->{meters}{users_faults_major}{ratio}, undef, 'a meter that is 0 has no ratio');
    is_deeply([grep { /finished|cpu_user|machine_cpu|compile_p50/ } keys %value],
        [], 'parts of other meters are left out');
    is_near($compared->{effects}{$_}{value}, 1, "$_ of a side compared with itself is 1")
        for qw(total processor overhead product deviation);
    my $forks = sub {
        return [map { load_pass(meters => { 'machine.forks' => $_ }) } @_];
    };
    my ($some, $zero) = map { of_passes($_, $_)->{meters}{machine_forks} } $forks->(5, undef, 7), $forks->(5, 0, 7);
    is($some, undef, 'a meter that is missing in one pass is left out');
    is_near($zero->{values}[1]{value}, 4, 'a meter that is 0 in one pass has its arithmetic mean');
};

subtest 'users that finished stand for those that did not' => sub {
    my %finished = ('finished.cpu_user_s' => 40, 'finished.cpu_system_s' => 10, 'finished.faults_minor' => 1000);
    my $pass     = load_pass(finished => 16, good_s => 45, meters => \%finished);
    my $compared = of_passes([$pass], [load_pass()]);
    my %value = map { $_ => $compared->{meters}{$_}{values}[0]{value} } qw(cpu_good_s cpu_total_s users_faults_minor);
    is_near($value{cpu_good_s},         50,   'good CPU time is projected to all users');
    is_near($value{cpu_total_s},        63.3, 'the CPU time of the driver is not projected');
    is_near($value{users_faults_minor}, 1250, 'page faults are projected to all users');
    $compared = of_passes([load_pass(finished => 0, meters => \%finished)], [load_pass()]);
    is($compared->{effects}{processor}, undef, 'the effect of the processor is unknown if no user finished');
};

subtest 'a product that deviates from the total is marked' => sub {
    for my $case ([0.9, 1], [0.94, 1], [0.96, 0], [1.04, 0], [1.06, 1]) {
        my ($factor, $is_apart) = @$case;
        my %effects = %{
            UnixBench::Multiuser::Comparison::effects(
                { cpu_total_s => [1], cpu_good_s => [$factor], useful_pct => [50] },
                { cpu_total_s => [1], cpu_good_s => [1],       useful_pct => [50] }
            )
        };
        is($effects{is_apart}, $is_apart, "the product is $factor of the total");
    }
};

subtest 'an effect needs its meters, and they must not be 0' => sub {
    my %all   = (cpu_total_s => [10],            cpu_good_s => [8],            useful_pct => [50]);
    my %needs = (total       => ['cpu_total_s'], processor  => ['cpu_good_s'], overhead   => ['useful_pct']);
    $needs{product}   = [map { @$_ } @needs{qw(processor overhead)}];
    $needs{deviation} = [map { @$_ } @needs{qw(product total)}];
    for my $meter (sort keys %all) {
        my @needing = sort grep {
            grep { $_ eq $meter }
                @{ $needs{$_} }
        } keys %needs;
        for my $value (undef, [0]) {
            my $effects = UnixBench::Multiuser::Comparison::effects(\%all, { %all, $meter => $value });
            is_deeply([sort grep { !defined $effects->{$_} } keys %$effects],
                \@needing, "without $meter: " . ($value ? 0 : 'unknown'));
        }
    }
    is(of(load_side(A => [load_pass()]), { letter => 'B' }), undef, 'a side without a load is not compared');
};

done_testing();
