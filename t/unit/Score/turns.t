# Tests of the ratio of two states that a run measured in turns: UnixBench::Score::Turns.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(tag);
use QuickRun qw(in_rounds run_of_rounds);
use Worked   qw(worked);
use UnixBench::Score::Turns;

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
sub runs {
    my ($first, @others) = map {
        my $of = $_;
        run_of_rounds(map { in_rounds($_, @{ $of->{$_} }) } sort keys %$of)
    } @_;
    return ({ %$first, others => \@others }, @others);
}

subtest 'the ratio of an index is that of the tests that both states have' => sub {
    my ($first, $second) = runs(
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
