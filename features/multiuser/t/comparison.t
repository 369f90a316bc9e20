# Meters and effects of two multi-user loads, and how a comparison prints them. To record the table again: UB_RECORD=1
# prove -Ilib features/multiuser/t/comparison.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(result run);
use Golden                         qw(is_golden no_golden_left_over);
use Cases::Multiuser               qw(asked load_lines played);
use Place                          qw(place text_of write_file);
use Rendered                       qw(rendered);
use UnixBench::Base::JSON;
use UnixBench::Command::Compare;
use UnixBench::Multiuser::Comparison;
use UnixBench::Report::Block qw(document);
use UnixBench::Report::Formats;

use constant T_OF_4 => 2.776445105;

# Seconds of two CPUs during a load of about a minute.
my %TIMES = (user => 60, system => 24, irq => 1, steal => 3, idle => 30, iowait => 2);

# Statistics of responses, as multiples of the median.
my @RESPONSE = ([mean => 1.3], [p50 => 1], [p90 => 2], [p95 => 2.5], [p99 => 4], [max => 9]);

# Returns a pass as UnixBench::Multiuser::Results does. Takes, all optional:
#     good_s, system_s  CPU time of the users
#     driver_s          CPU time of the driver
#     elapsed_s, users, finished, lines, stretch
#     times             { seconds of the machine's CPUs }
#     meters            { other meters, or undef for unknown ones }
#     response_s        the median
sub load_pass {
    my (%how)  = (good_s => 58, system_s => 22, driver_s => 0.8, elapsed_s => 60, users => 20, lines => 4420, @_);
    my %times  = (%TIMES, %{ $how{times} || {} });
    my %meters = (
        (map { ("machine.cpu_${_}_s" => $times{$_}) } keys %times),
        'machine.elapsed_s'        => $how{elapsed_s},
        'machine.forks'            => 13_000,
        'machine.memory_most_kb'   => 300 * 1024,
        'group.faults_major'       => 3,
        'users.cpu_user_s'         => $how{good_s},
        'users.cpu_system_s'       => $how{system_s},
        'users.faults_minor'       => 1_400_000,
        'users.faults_major'       => 0,
        'users.switches_voluntary' => 35_000,
        'users.rss_most_kb'        => 21 * 1024,
        'driver.cpu_s'             => $how{driver_s},
        %{ $how{meters} || {} },
    );
    my $median_s = $how{response_s} // 0.03;
    my @classes  = (_class(all => $how{lines}, $median_s), _class(compile => $how{lines} / 10, 4 * $median_s));
    return {
        (map { $_ => $how{$_} } qw(users lines elapsed_s stretch)),
        finished  => $how{finished} // $how{users},
        meters    => { map { $_ => $meters{$_} } grep { defined $meters{$_} } keys %meters },
        responses => \@classes,
    };
}

sub _class {
    my ($class, $count, $median_s) = @_;
    my %response = map { ("$_->[0]_s" => $median_s * $_->[1]) } @RESPONSE;
    return { class => $class, count => $count, %response };
}

# Takes a letter and passes, and perhaps a shortfall; returns the side.
sub load_side {
    my ($letter, $passes, $shortfall) = @_;
    my $load = { passes => $passes, shortfall => $shortfall };
    return { letter => $letter, label => "$letter.json", summary => { name => lc $letter }, loads => [$load] };
}

# Takes the passes of A and of B; returns their comparison.
sub of_passes {
    my ($of_a, $of_b) = @_;
    return UnixBench::Multiuser::Comparison->of_sides(load_side(A => $of_a), load_side(B => $of_b));
}

# Takes sides; returns their section as text.
sub text_of_sides {
    my (@sides) = @_;
    my $section = UnixBench::Multiuser::Comparison->section_of(UnixBench::Multiuser::Comparison->of_sides(@sides));
    return UnixBench::Report::Formats::of_blocks(text => document({ title => 'Loads', is_folded => 1 }, $section));
}

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
    my $paper    = UnixBench::Base::JSON::decode(text_of("$FindBin::Bin/data/multics.json"));
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
    my $effects = of_passes(@of)->{effects};
    my $half    = T_OF_4 * 0.03 * sqrt 2 / 3;
    is_near($effects->{processor}{value}, 2,              'the geometric mean');
    is_near($effects->{processor}{low},   2 * exp -$half, 'the lower end of the interval, computed by hand');
    is_near($effects->{product}{high}, 2 * exp $half, 'the interval of the product is that of the effect that varies');
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
        response_compile_mean_s => 0.156,
        users_faults_minor      => 1_400_000,
        machine_forks           => 13_000,
    );
    is_near($value{$_}, $expected{$_}, "$_ of a pass") for sort keys %expected;
    is($compared->{meters}{users_faults_major}{ratio}, undef, 'a meter that is 0 has no ratio');
};

my %FINISHED = ('finished.cpu_user_s' => 40, 'finished.cpu_system_s' => 10, 'finished.faults_minor' => 1000);

subtest 'users that finished stand for those that did not' => sub {
    my $compared = of_passes([load_pass(finished => 16, meters => \%FINISHED)], [load_pass()]);
    my %value = map { $_ => $compared->{meters}{$_}{values}[0]{value} } qw(cpu_good_s cpu_total_s users_faults_minor);
    is_near($value{cpu_good_s},         50,   'good CPU time is projected to all users');
    is_near($value{cpu_total_s},        63.3, 'the CPU time of the driver is not projected');
    is_near($value{users_faults_minor}, 1250, 'page faults are projected to all users');
    $compared = of_passes([load_pass(finished => 0, meters => \%FINISHED)], [load_pass()]);
    is($compared->{effects}{processor}, undef, 'the effect of the processor is unknown if no user finished');
};

subtest 'the section' => sub {
    my ($slow, $fast) = map {
        my $of = $_;
        [map { load_pass(good_s => $of->[0] * $_, elapsed_s => $of->[1] * $_, stretch => $of->[2]) } 0.99, 1, 1.01]
    } [58, 61.5, 2.5], [30, 45, 1.4];
    is_golden('loads.txt', text_of_sides(load_side(A => $slow), load_side(B => $fast)));
    my $why  = '3 lines failed, 4 of 20 users did not finish';
    my $dead = load_side(A => [load_pass(finished => 16, meters => \%FINISHED)], $why);
    my $text = text_of_sides($dead, load_side(B => [load_pass(times => { steal => 70, idle => 5 })]));
    like($text, qr/^A: $why[.] CPU time, page faults and/m, 'users that did not finish');
    like($text, qr/^The product differs by more than 5 %/m, 'a product that differs from the total effect');
    unlike($text, qr/Stretch/, 'a meter that is unknown on both sides is left out');
};

my $place = place();

# Takes a name, and what differs in each pass of a load; writes its result, and returns the path.
sub load_file {
    my ($name, @passes) = @_;
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => asked(20));
    my $test      = played(map { [load_lines(%$_)] } @passes);
    my $result    = result([run(1, $test)], asked => ['multiuser'], procedure => \%procedure);
    return write_file("$place/$name.json", rendered(json => $result));
}

subtest './Run compare' => sub {
    my @old      = map { load_file("old$_", { factor => $_ },       { factor => 1.02 * $_ }) } 1, 1.0002;
    my @new      = map { load_file("new$_", { factor => 0.5 * $_ }, { factor => 0.49 * $_ }) } 1, 1.0002;
    my $compared = sub {
        my $report = UnixBench::Command::Compare::of(@_)->{report};
        return UnixBench::Report::Formats::of_blocks(text => $report);
    };
    my $elapsed = qr/^Elapsed time, s +61[.]8 +30[.]3 +0[.]490 +\d/m;
    like($compared->(files => [$old[0], $new[0]]), $elapsed, 'two results');
    like($compared->(files => [@old, @new], sets => [2, 2]), $elapsed, 'several results of two states');
    like($compared->(files => [$old[0], @new]), qr/effects of B, .*effects of C, /s, 'each with the first');
};

no_golden_left_over();
done_testing();
