# The ratio of two states of repeated runs: UnixBench::Score::Repeat.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons   qw(found);
use Fixture       qw(tag);
use StatesInTurns qw(states_in_turns);
use UnixBench::Compare::Comparison;
use UnixBench::Report::Comparison::Wording qw(trust_of_sides);
use UnixBench::Score::Estimate;
use UnixBench::Score::Repeat;
use UnixBench::Score::Stats qw(t_quantile);
use UnixBench::Summary;

# The logarithm of 1.1: the rates of these tests are powers of 1.1.
use constant STEP => log 1.1;

# Takes what is assumed and what runs show, { the variance of a run in squares of steps, and its degrees of freedom }.
# Returns the variance and the degrees of freedom of both, by the rule of UnixBench::Score::Repeat.
sub both {
    my ($assumed, $known, $squares, $df) = @_;
    my $weight = $known / (1 + ($squares / $df / $assumed)**2 / 2 + ($df / 6)**2);
    return (($weight * $assumed + $squares) / ($weight + $df), t_quantile(0.975, $weight + $df));
}

# A machine of which two steps from run to run are assumed.
my %ASSUMED = (deviation => 2 * STEP, df => 8, runs => 0, known => 0);

my $UNKNOWN = UnixBench::Score::Repeat::of_unknown();

# Takes estimates of both states, and perhaps repeats of both.
sub of_states {
    my ($states, $repeats) = @_;
    return UnixBench::Score::Repeat::of_states($states, $repeats || [[\%ASSUMED], [\%ASSUMED]]);
}

# Takes numbers; returns an estimate of each, without an interval.
sub known {
    return [map { UnixBench::Score::Estimate::known($_) } @_];
}

# Takes an estimate, its value, half of the width of its interval as a logarithm, and a name; tests it.
sub is_estimate {
    my ($estimate, $value, $half, $name) = @_;
    my %wanted = (value => $value, low => $value * exp(-$half), high => $value * exp $half);
    for my $key (sort keys %wanted) {
        my ($got, $should) = ($estimate->{$key}, $wanted{$key});
        cmp_ok(abs($got / $should - 1), '<', 1e-9, "$name: $key") || diag "$got, not $should";
    }
    return;
}

sub is_near {
    my ($got, $wanted, $name) = @_;
    return cmp_ok(abs($got - $wanted), '<', 1e-12, $name) || diag "$got, not $wanted";
}

# Takes what of_states() returns, and the number of a state with two exact runs; returns the deviation of one of them.
sub deviation {
    my ($got, $number) = @_;
    return $got->{values}[$number]{log_se} * sqrt 2;
}

subtest 'three runs of a state and two of another, by hand' => sub {

    # In steps, the logarithms are 0, 1, 2 above that of 100, and 0, 2 above that of 200. The means are 1 and 1, so the
    # values are 110 and 220, and the ratio is 2. The sums of squares are 2 and 2 with 3 degrees of freedom, and 4 is
    # assumed with 8.
    my $got = of_states([known(100, 110, 121), known(200, 242)]);
    my ($variance, $t) = both(4, 8, 4, 3);
    is_near($got->{scatter}, STEP * sqrt(4 / 3), 'the scatter of the runs, without what is assumed');
    is_estimate($got->{values}[0], 110, STEP * sqrt($variance / 3) * $t,     'first state');
    is_estimate($got->{values}[1], 220, STEP * sqrt($variance / 2) * $t,     'second state');
    is_estimate($got->{ratio},     2,   STEP * sqrt($variance * 5 / 6) * $t, 'ratio: the runs count once');
};

subtest 'a state with one run varies as the other one does' => sub {
    my $got = of_states([known(100), known(100, 121)]);
    my ($variance, $t) = both(4, 8, 2, 1);
    is_estimate($got->{ratio},     1.1, STEP * sqrt($variance * 1.5) * $t, 'ratio');
    is_estimate($got->{values}[0], 100, STEP * sqrt($variance) * $t,       'the state with one run');
};

subtest 'the ratio is that of the second state to the first' => sub {
    my @states = (known(100, 110, 121), known(200, 242));
    my ($there, $back) = (of_states([@states]), of_states([reverse @states]));
    is_near($back->{ratio}{value} * $there->{ratio}{value}, 1, 'the other way round, it is the inverse');
    is_near($back->{ratio}{low} * $there->{ratio}{high},    1, 'so are the ends of its interval');
};

subtest 'one run of each state has what is assumed' => sub {
    my $got = of_states([known(100), known(110)]);
    is($got->{scatter}, undef, 'no state shows a scatter');
    is_estimate($got->{ratio}, 1.1, STEP * sqrt(8) * 2.1199052992, 'ratio, with 16 degrees of freedom');
};

subtest 'the earliest run of a state tells what was known before it' => sub {
    my @repeats = ({ %ASSUMED, runs => 3, deviation => 9 }, { %ASSUMED, runs => 2 });
    my $got     = of_states([known(100, 100), known(110, 110)], [[@repeats], [@repeats]]);
    is_near(deviation($got, 0), STEP * sqrt((both(4, 8, 0, 2))[0]), 'that of the fewest runs');
    my %days = (%ASSUMED, deviation => STEP, assumed => 'days');
    $got = of_states([known(100, 100), known(110, 110)], [[\%days, $repeats[1]], [\%days, \%days]]);
    my $why = 'a state is known as a day only if all of its runs are';
    is_near(deviation($got, $_), STEP * sqrt((both((4, 1)[$_], 8, 0, 2))[0]), $why) for 0, 1;
};

subtest 'text reports have runs without an error of their own' => sub {
    my $got = of_states([known(100, 100), known(110, 110)], [[$UNKNOWN], [$UNKNOWN]]);
    my ($variance, $t) = both(1, 8, 0, 2);
    is_estimate($got->{ratio}, 1.1, 0.01 * sqrt($variance) * $t, 'ratio');
};

subtest 'the intervals hold the truth in 95 of 100 cases, or a few more, if the assumption is right' => sub {
    srand 1995;
    my $normal = sub { my $sum = -6; $sum += rand for 1 .. 12; return $sum };
    my $runs   = sub {
        my ($log, $count) = @_;
        return known(map { exp($log + 0.01 * $normal->()) } 1 .. $count);
    };
    for my $counts ([1, 1], [2, 2], [1, 4], [3, 3]) {
        my $holds = 0;
        for (1 .. 2000) {
            my $ratio =
                of_states([$runs->(3, $counts->[0]), $runs->(3.1, $counts->[1])], [[$UNKNOWN], [$UNKNOWN]])->{ratio};
            $holds++ if $ratio->{low} <= exp 0.1 && exp 0.1 <= $ratio->{high};
        }
        my $text = "@$counts runs: $holds of 2000 intervals hold the ratio";
        ok($holds >= 0.94 * 2000 && $holds <= 0.985 * 2000, $text);
    }
};

# States that a run measured in turns are compared by pairs.
subtest 'results of different runs are not compared by pairs' => sub {
    my @sides = map { { label => $_, loads => [] } } qw(a b);
    my $ratio = sub {
        my (%other) = @_;
        my @summaries = map { UnixBench::Summary::of($_) } states_in_turns(['env'], tests => ['pipe']);
        $summaries[1] = { %{ $summaries[1] }, %other };
        my @both = map { { %{ $sides[$_] }, summary => $summaries[$_] } } 0, 1;
        return UnixBench::Compare::Comparison::of(\@both)->{pairs}[0]{tests}[0]{turns};
    };
    ok($ratio->(), 'states of the same run are');
    is($ratio->(started => 5), undef, 'another run has another start');
};

# Takes the factor of a second state beside other load, and names of tests; returns the comparison of both states. The
# copies of both ran for 40 % of the time.
sub beside_load {
    my ($factor, @tests) = @_;
    my @results = states_in_turns(['env'], factors => [$factor], tests => \@tests);
    for my $pass (map { @{ $_->{passes} } } map { @{ $_->{runs}[0]{tests} } } @results) {
        my $span_s = $pass->{copies}[0]{elapsed_s};
        $pass->{tags} = [tag(others => disturbed => 1.6)];
        $pass->{used} = { span_s => $span_s, user_s => 0.4 * $span_s, kernel_s => 0 };
    }
    my @sides = map { { label => $_, loads => [], summary => UnixBench::Summary::of(shift @results) } } qw(a b);
    return UnixBench::Compare::Comparison::of(\@sides);
}

subtest 'a state has one number in its report and in the table' => sub {
    my @results = states_in_turns(['env'], factors => [0.9], tests => ['pipe']);
    my @passes  = @{ $results[0]{runs}[0]{tests}[0]{passes} };
    for my $pass (@passes[0, 1]) {
        $pass->{tags} = [tag(others => disturbed => 1.6)];
        $pass->{count} /= 2;
    }
    my @sides      = map { { label => $_, loads => [], summary => UnixBench::Summary::of(shift @results) } } qw(a b);
    my $comparison = UnixBench::Compare::Comparison::of(\@sides);
    my ($row)      = @{ $comparison->{pairs}[0]{tests} };
    my @trusted =
        ("The ratio is that of $row->{turns}{rounds} of $row->{turns}{of} rounds: other load disturbed the others.");
    is_deeply([trust_of_sides($comparison)], \@trusted, 'the trust is that in the ratio');
    my $value = $sides[0]{summary}{runs}[0]{tests}[0]{estimate}{value};
    is($row->{values}[0]{value}, $value, 'that of all passes');
    ok($row->{turns}{rounds} < $row->{turns}{of}, 'while quiet rounds decide the ratio');
};

subtest 'a state that is slower than other load can explain' => sub {
    my $comparison = beside_load(1 / 65, qw(dhry2reg pipe));
    my ($index) = @{ $comparison->{pairs}[0]{indexes} };
    is($index->{verdict}, 'slower', 'a factor of 65 is slower');
    my ($first) = found($comparison);
    like($first, qr/ at least 10 times slower than A [(]vm[)]; slower: dhry2reg, pipe\z/, 'in words');
    is(beside_load(1 / 5, qw(dhry2reg pipe))->{pairs}[0]{indexes}[0]{verdict}, 'inconclusive', 'a factor of 5 is open');
    is(beside_load(65,    qw(dhry2reg pipe))->{pairs}[0]{indexes}[0]{verdict}, 'faster', 'a factor of 65 is faster');
    my ($mixed) = @{ beside_load(1 / 65, qw(pipe context1))->{pairs} };
    is($mixed->{indexes}[0]{verdict}, 'slower', 'an index is slower with and without a test that other load can raise');
    my ($raised) = grep { $_->{name} eq 'context1' } @{ $mixed->{tests} };
    is($raised->{verdict}, 'inconclusive', 'that test is open');
};

done_testing;
