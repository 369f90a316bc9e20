use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(@INDEX tag);
use QuickRun qw(in_rounds run_of_rounds);
use Worked   qw(worked);
use UnixBench::Score::Estimate;
use UnixBench::Score::Repeat;
use UnixBench::Score::Turns;

# Tests of the deviation from run to run: UnixBench::Score::Repeat.

# Takes values; returns runs of them, each without an error of its own.
sub runs {
    return map { +{ value => $_, log_se => 0, started => 86_400 } } @_;
}

sub shown { return UnixBench::Score::Repeat::shown_by(@_) }

# Returns the repeat of an exact value, or of another estimate.
sub repeat {
    return UnixBench::Score::Repeat::of(estimate => UnixBench::Score::Estimate::around(1000, 0, 1e6), of_pass => 0, @_);
}

# Returns the deviation of a repeat in percent, with three digits, and its degrees of freedom.
sub in_brief {
    my $repeat = repeat(@_);
    return sprintf '%.3g %.3g', 100 * $repeat->{deviation}, $repeat->{df};
}

my $ESTIMATE = UnixBench::Score::Estimate::around(1000, 0.01, 6);

subtest 'one run assumes what is usual' => sub {
    is(in_brief(),                                      '0.5 8', 'the index of a machine of its own');
    is(in_brief(is_virtual => 1),                       '1 8',   'the index of a virtual machine');
    is(in_brief(is_virtual => 1, tests => ['pipe']),    '3.5 8', 'a test');
    is(in_brief(is_virtual => 1, tests => ['ubgears']), '2 8',   'a test of which nothing is known');
};

subtest 'an index of some tests varies less than they do' => sub {
    is(in_brief(is_virtual => 1, tests => [qw(execl spawn)]),
        '1.48 8', 'two that vary by 2 %: 4 x (0.1 + 0.9 / 2) is 1.48 squared');
    is(in_brief(tests => [qw(pipe syscall)]),
        '0.189 8', 'others on a machine of its own: (0.3^2 + 0.2^2) / 2 x (0.1 + 0.9 / 2)');
    is(in_brief(is_virtual => 1, tests => \@INDEX),           '1 8',    'all tests are the whole index');
    is(in_brief(is_virtual => 1, tests => [@INDEX[0 .. 10]]), '1.04 8', 'one less is nearly the same');
    is(sprintf('%.3f', 100 * UnixBench::Score::Repeat::of_unknown(qw(execl spawn))->{deviation}),
        '1.483', 'a text report assumes the same');
};

subtest 'passes that vary much raise the assumption' => sub {
    is(in_brief(of_pass => 0.03),                                       '1.8 8',  '0.6 of their deviation');
    is(repeat(of_pass => 0.03)->{assumed},                              'passes', 'and the repeat says so');
    is(in_brief(of_pass => 0.03, is_virtual => 1, tests => ['fsdisk']), '4.2 8',  'unless it is lower');
};

subtest 'earlier runs add what they show' => sub {
    my @alike = runs(map { exp } -0.01, 0.01);
    is(in_brief(earlier    => shown(runs(1))), '0.5 8', 'one run shows nothing');
    is(in_brief(is_virtual => 1, earlier => shown(@alike)),
        '1.13 3.64', 'two: the assumption counts 8 / (1 + 2 x 2 / 2 + 1/36) = 2.64; (2.64 + 2) / 3.64 is 1.13 squared');
    is(in_brief(is_virtual => 1, earlier => shown(runs(map { exp } -0.1, 0.1))),
        '8.21 3', 'two that contradict it are not alone: (2 + 200) / 3');
    is(in_brief(is_virtual => 1, earlier => shown((runs(1)) x 50)),
        '0.0491 49.1', 'fifty that do not vary: 8 / (1 + 49 x 49 / 36) = 0.118; 0.118 / 49.1');
    $_->{log_se} = 0.01 for @alike;
    is(in_brief(is_virtual => 1, earlier => shown(@alike)),
        '1 6.24', 'without what their passes explain: 8 / (1 + 1 / 2 + 1/36) = 5.24; (5.24 + 2 - 1) / 6.24');
};

subtest 'the assumption fades, the larger what runs show is, and the more runs there are' => sub {
    my $varied = sub {
        my ($percent, $runs) = @_;
        return repeat(
            is_virtual => 1,
            earlier    => { runs => $runs, squares => ($runs - 1) * ($percent / 100)**2, within => 0 }
        );
    };
    is(sprintf('%.2f', 100 * $varied->(5, 5)->{deviation}),
        '4.98', 'five that vary by five times as much hardly need it');
    for my $percent (map { $_ / 10 } 3 .. 20) {
        my ($less, $more) = map { $varied->($percent + $_, 5)->{next} } 0, 0.001;
        cmp_ok(abs($more / $less - 1), '<', 0.003, "five that vary by $percent %, or a little more");
    }
    my ($five, $six) = map { $varied->(@$_)->{next} } [1.387, 5], [1.387 * sqrt 4 / 5, 6];
    cmp_ok($six / $five, '>', 0.88, 'one more at their mean changes little');
    my @next = map { 100 * $varied->($_, 20)->{next} } 0.55, 0.65, 0.75;
    cmp_ok($next[0], '<', 1.75, "twenty that vary by 0.55 %: $next[0]");
    cmp_ok($next[1], '<', 2,    "by 0.65 %: $next[1]");
    cmp_ok($next[2], '<', 2.3,  "by 0.75 %: $next[2]");
};

subtest 'a run whose rounds were spread over a day has averaged what its windows show' => sub {
    my %day    = (runs => 24, squares => 0.01**2 * 23, within => 0, since => 86_400, over_s => 86_400);
    my $own    = repeat(is_virtual => 1, earlier => \%day, is_spread => 1);
    my $other  = repeat(is_virtual => 1, earlier => \%day);
    my $varies = repeat(is_virtual => 1, earlier => { %day, squares => 0.04**2 * 23 }, is_spread => 1);
    is_deeply([@$own{qw(assumed known df)}], ['days', 0, 8], 'it does not know how days differ');
    is(sprintf('%.3f', 100 * $own->{deviation}),    '0.400', 'that is 0.4 of the assumption');
    is(sprintf('%.2f', 100 * $varies->{deviation}), '0.82',  'or that of the mean of its windows: 4 % / sqrt 24');
    is_deeply([@$other{qw(assumed known)}], ['virtual', 0], 'another run does not know it, either');
    cmp_ok(abs(100 * $other->{deviation} - sqrt(1 + 0.4**2)), '<', 0.02, 'it varies as windows and days do');
    my $short = repeat(is_virtual => 1, earlier => { %day, over_s => 48 * 60, squares => 0 }, is_spread => 1);
    is(sprintf('%.3f', 100 * $short->{deviation}), '0.745',
        'an hour is the least part of a day: sqrt(1 / (1 + 48/60))');
    my $after = repeat(is_virtual => 1, earlier => { %day, over_s => 48 * 60, runs => 24 });
    cmp_ok($after->{df},        '<', 31,   "$after->{df} degrees of freedom after 48 minutes");
    cmp_ok($after->{deviation}, '>', 0.01, 'and the deviation is not that of 48 minutes');
};

subtest 'the interval of the machine has both parts' => sub {
    my $machine = UnixBench::Score::Repeat::of_machine($ESTIMATE, { deviation => 0.01, df => 8 });
    is(sprintf('%.4f %.3f', @$machine{qw(log_se df)}), '0.0141 13.714',
        'errors add as squares; Welch: 4 / (1/6 + 1/8)');
    is(sprintf('%.1f', $machine->{value}), '1000.0', 'the value is the same');
    is_deeply(UnixBench::Score::Repeat::of_machine($ESTIMATE, undef), $ESTIMATE, 'nothing is known of the repeat');
    my $single = UnixBench::Score::Estimate::known(1000);
    is_deeply(UnixBench::Score::Repeat::of_machine($single, { deviation => 0.01, df => 8 }),
        $single, 'a value without an interval has none');
    my $of_few = UnixBench::Score::Estimate::around(1000, 0.03, 2);
    is_deeply(UnixBench::Score::Repeat::of_machine($of_few, { deviation => 0.01, df => 8 }),
        $of_few, 'it is not narrower than that of a few passes');
    my $states = UnixBench::Score::Repeat::of_states([[$of_few]], [[{ deviation => 0.01, df => 8, runs => 0 }]]);
    is(sprintf('%.3f', $states->{values}[0]{low}), sprintf('%.3f', $of_few->{low}), 'neither is that of a state');
};

subtest 'the next run differs by both runs' => sub {
    my $half = 0.01 * sqrt(2) * 2.306004;
    is(sprintf('%.4f', repeat(is_virtual => 1)->{next}), sprintf('%.4f', exp($half) - 1), 'twice the variance, t of 8');
    is(sprintf('%.4f', repeat(estimate   => $ESTIMATE)->{within}), '0.0248', 'of this run: t is 2.447 with 6');
};

# Tests of the ratio of two states that a run measured in turns: UnixBench::Score::Turns.

# Student's t for 95 %, by degrees of freedom, from tables.
my %T = (1 => 12.7062047362, 3 => 3.1824463053);

use constant STEP => log 1.1;

# Takes an estimate, its value, half of the width of its interval as a logarithm, and a name; tests it.
sub is_estimate {
    my ($estimate, $value, $half, $name) = @_;
    my %wanted = (value => $value, low => $value * exp(-$half), high => $value * exp $half);
    for my $key (sort keys %wanted) {
        cmp_ok(abs($estimate->{$key} / $wanted{$key} - 1), '<', 1e-9, "$name: $key")
            || diag "$estimate->{$key}, not $wanted{$key}";
    }
    return;
}

# Takes rates, undef in rounds without a pass, and the numbers of the rounds with other load; returns what is known.
sub known {
    my ($rates, @loaded) = @_;
    my @rounds = grep { defined $rates->[$_] } 0 .. $#$rates;
    return { rounds => \@rounds, rates => [@$rates[@rounds]], loaded => \@loaded };
}

# Takes [what is known of each test] for two states, and the number of states; returns the ratio.
sub ratio { my ($first, $second, $states) = @_; return UnixBench::Score::Turns::ratio($first, $second, $states // 2) }

subtest 'what is known of a test' => sub {
    my $load = [tag(others => 'disturbed', 0.5)];
    my $test = in_rounds(
        'pipe',
        { count  => 10, time_s => 2 },
        { number => 3,  count  => 30, tags => $load },
        { number => 4,  count  => 40, tags => [tag(others => 'note',      0.1)] },
        { number => 5,  count  => 50, tags => [tag(steal  => 'disturbed', 0.5)] }
    );
    is_deeply(
        UnixBench::Score::Turns::of_test($test),
        {
            rounds      => [0, 2,  3,  4],
            rates       => [5, 30, 40, 50],
            loaded      => [2],
            start       => undef,
            work_rounds => [],
            works       => []
        },
        'its rounds from 0, their rates, and the rounds that other load disturbed'
    );
};

# Takes the cycles of a loop in each round, undef where they are not known; returns what is known of the turns.
sub of_cycles {
    my (@cycles) = @_;
    my @rounds = grep { defined $cycles[$_] } 0 .. $#cycles;
    return { %{ known([(100) x @cycles], 0 .. $#cycles) }, work_rounds => \@rounds, works => [@cycles[@rounds]] };
}

subtest 'the cycles of a loop' => sub {
    my @steal = (tags => [tag(steal => 'note', 0.02)]);
    my $test  = worked(in_rounds('pipe', 10, { count => 10, @steal }, (10) x 4), 1000, 2000, 1100, 1210, 1000);
    my $of    = UnixBench::Score::Turns::of_test($test, 2);
    is_deeply(
        [map { sprintf '%.2f', $_ } @{ $of->{works} }],
        ['1000.00', '1153.69', '1000.00'],
        'the mean of each round'
    );
    is_deeply($of->{work_rounds}, [0, 1, 2], 'the rounds that have them');

    my $ratio = sub { UnixBench::Score::Turns::ratio_of_work(@_, 2) };
    my $first = of_cycles((1000) x 6);
    is_estimate(
        $ratio->([$first], [of_cycles(1000, 1210, 1000, 1210, undef, undef)]),
        1.1,
        STEP * sqrt(1 / 3) * $T{3},
        'their ratio, though other load disturbed all rounds'
    );
    is($ratio->([$first], [of_cycles(1000,  1210)]),  undef, 'two rounds are too few');
    is($ratio->([$first], [of_cycles(undef, undef)]), undef, 'so is none');
};

subtest 'several passes of a round' => sub {
    my $load = [tag(others => 'disturbed', 0.5)];
    my @made = ([10, 0], [40, 0], [90, 1], [10, 1], [30, 1], [20, 0], [50, 0]);
    my $test = in_rounds('pipe', map { +{ count => $_->[0], time_s => 1, $_->[1] ? (tags => $load) : () } } @made);
    my $of   = UnixBench::Score::Turns::of_test($test, 3);
    is_deeply(
        [map { sprintf '%.6f', $_ } @{ $of->{rates} }],
        [map { sprintf '%.6f', $_ } 20, 6000**(1 / 3), 50],
        'their mean, without those that other load disturbed, if half are left'
    );
    is_deeply([@$of{qw(rounds loaded)}], [[0, 1, 2], [1]], 'one value for each round');
};

subtest 'the start of a command that is part of the passes of a test' => sub {
    my $test = in_rounds('pipe', 10, 10);
    $_->{copies}[0]{elapsed_s}                 = 2 for @{ $test->{passes} };
    $test->{passes}[0]{copies}[0]{data}{start} = ['0.030000'];
    $test->{passes}[1]{copies}[0]{data}{start} = ['0.050000'];
    my $known = UnixBench::Score::Turns::of_test($test);
    is($known->{start}, 0.025, 'its largest part is known');
    my $got = ratio([known([100])], [{ %{ known([100]) }, start => 0.025 }], 1);
    is($got->{start}, 0.025, 'also of the ratio');
    my %is_long = (0.025 => 1, 0.0101 => 1, 0.01 => q{});
    is(UnixBench::Score::Turns::is_start_long({ start => $_ }),    $is_long{$_}, "$_ of a pass") for sort keys %is_long;
    is(UnixBench::Score::Turns::is_start_long({ start => undef }), q{},          'without a start');
};

# The steps of the ratio are 0, 2, 0, 2: the mean is 1, the standard deviation sqrt(4/3), the error sqrt(1/3).
subtest 'the ratio over all rounds' => sub {
    my $got = ratio([known([100, 100, 200, 200])], [known([100, 121, 200, 242])]);
    is_estimate($got->{ratio}, 1.1, STEP * sqrt(1 / 3) * $T{3}, 'four rounds');
    is_deeply([@$got{qw(rounds of is_open)}], [4, 4, 0], 'all of them are used');
};

subtest 'only complete sets of orders are used' => sub {
    my ($first, $second) = (known([(100) x 5]), known([100, 121, 100, 121, 900]));
    my $got = ratio([$first], [$second]);
    is_estimate($got->{ratio}, 1.1, STEP * sqrt(1 / 3) * $T{3}, 'the fifth round of two states is left out');
    is($got->{of}, 4, 'its number');

    # Three states have six orders, so five rounds are not enough, and seven make one set.
    $got = ratio([$first], [$second], 3);
    is_deeply($got, { ratio => undef, rounds => 0, of => 0, is_open => 0, start => undef }, 'three are incomplete');
    $got = ratio([known([(100) x 7])], [known([(110) x 6, 900])], 3);
    is_deeply([sprintf('%.9f', $got->{ratio}{value}), @$got{qw(rounds of)}], ['1.100000000', 6, 6], 'one set');

    # The longest test tells how many rounds there were: in the others, a pass is missing.
    $got = ratio([known([100, 100]), known([100, 100, 100, 100])], [known([110, 110]), known([110, 110, 110, 110])]);
    is_deeply([@$got{qw(rounds of)}], [2, 2], 'rounds in which a test is missing are left out');
    $got = ratio([known([100, undef, 100, 100])], [known([121, 900, 100, undef])]);
    is_estimate($got->{ratio}, 1.1, STEP * $T{1}, 'rounds in which a state is missing are left out');
};

subtest 'rounds with other load are left out while three quiet ones remain' => sub {
    my @rates = ([(100) x 6], [110, 900, 110, 900, 110, 900]);
    my $got   = ratio([known($rates[0], 1)], [known($rates[1], 3, 5)]);
    is_estimate($got->{ratio}, 1.1, 0, 'load in either state');
    is_deeply([@$got{qw(rounds of is_open)}], [3, 6, 0], 'three rounds decide');

    # A round counts only as a whole: load during one test leaves the round out for all tests of the index.
    $got = ratio([known([100, 100, 100, 100], 2), known([(100) x 4])], [(known([(121) x 4])) x 2]);
    is_deeply([@$got{qw(rounds of is_open)}], [3, 4, 0], 'load during one of two tests');
    $got = ratio([known([(100) x 4], 0, 1)], [known([100, 121, 100, 121])]);
    is_estimate($got->{ratio}, 1.1, STEP * sqrt(1 / 3) * $T{3}, 'with two quiet rounds, the ratio is that of all');
    is_deeply([@$got{qw(rounds of is_open)}], [4, 4, 1], 'and it is open');
    $got = ratio([known([100, 100])], [known([110, 110])]);
    is_deeply([@$got{qw(rounds of is_open)}], [2, 2, 0], 'two rounds without load are not open');
};

# Takes { test => rates } for each state; returns the runs. The first has the others.
sub runs_in_turns {
    my ($first, @others) = map {
        my $of = $_;
        run_of_rounds(map { in_rounds($_, @{ $of->{$_} }) } sort keys %$of)
    } @_;
    return ({ %$first, others => \@others }, @others);
}

subtest 'the ratio of an index is that of the tests that both states have' => sub {
    my ($first, $second) = runs_in_turns(
        { pipe => [100, 100], spawn => [10, 10], execl => [5, 5] },
        { pipe => [110, 121], spawn => [10, 10], hanoi => [1, 1] }
    );
    my @rows = map { { name => $_, baseline => 1 } } qw(pipe spawn execl);
    my $of   = sub { UnixBench::Score::Turns::of_index({ rows => [@_] }, $first, $second) };

    # The steps of pipe are 1 and 2, those of spawn 0: the rounds have 1/2 and 1 steps.
    is_estimate($of->(@rows)->{ratio}, exp(0.75 * STEP), STEP / 4 * $T{1}, 'pipe and spawn');
    is($of->($rows[2])->{ratio}, undef, 'a test that has failed in one state has no ratio');
    is($of->({ name => 'pipe', baseline => undef })->{ratio}, undef, 'a test that is not in the index has none');
    $_->{status} = 'failed' for grep { $_->{name} eq 'pipe' } @{ $second->{tests} };
    is_estimate($of->(@rows)->{ratio}, 1, 0, 'a failed test is left out');
};

done_testing;
