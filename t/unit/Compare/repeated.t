use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons   qw(found is_about);
use Machines      qw(classic facts_of side);
use Fixture       qw(tag);
use StatesInTurns qw(states_in_turns);
use UnixBench::Compare::Comparison;
use UnixBench::Compare::Repeated;
use UnixBench::Score::Stats                qw(t_quantile);
use UnixBench::Report::Comparison::Wording qw(trust_of_sides);
use UnixBench::Score::Estimate;
use UnixBench::Score::Repeat;
use UnixBench::Summary;

# Tests of comparisons of repeated runs of two states: A1 A2 against B1 B2.

# The logarithm of 1.1: the rates of these tests are powers of 1.1.
use constant STEP => log 1.1;

# Takes a sum of squares, in steps, its degrees of freedom, and perhaps what is assumed, by default 3.5 % as for pipe.
# Returns the standard deviation of a run, and half of the width of its 95 % interval. An assumption counts as eight
# degrees, and as fewer the more the runs differ.
sub deviation {
    my ($squares, $df, $assumed) = @_;
    my $variance = ($assumed // 0.035)**2;
    my $shown    = $squares * STEP**2;
    my $weight   = 8 / (1 + ($shown / $df / $variance)**2 / 2 + ($df / 6)**2);
    $weight = 2 * (2 - $df) if $weight < 2 * (2 - $df);
    my $deviation = sqrt(($weight * $variance + $shown) / ($weight + $df));
    return ($deviation, $deviation * t_quantile(0.975, $weight + $df));
}

# Takes the number of results of the first state and all sides; returns the comparison.
sub compared {
    my ($first, $sides, %with) = @_;
    my @sets = ($first, @$sides - $first);
    return UnixBench::Compare::Comparison::of($sides, min_effect => 0.02, sets => \@sets, %with);
}

# Takes a label and the rates of its tests, each a list or one rate of a single pass; returns a side of one copy.
sub one {
    my ($label, $rates, %with) = @_;
    my %list_of = map { $_ => $rates->{$_} =~ /\A[0-9.]+\z/ ? [$rates->{$_}] : $rates->{$_} } keys %$rates;
    return side($label, runs => { 1 => \%list_of }, %with);
}

# Takes the rates of the test pipe in each result, each of a single pass; returns the sides A, B and so on.
sub of_pipe {
    my @rates  = @_;
    my @labels = map { "r$_" } 1 .. @rates;
    return [map { one($labels[$_], { pipe => $rates[$_] }) } 0 .. $#rates];
}

# Tests the ratio of a row, and half of the width of its interval as a logarithm.
sub is_ratio {
    my ($row, $value, $half, $what) = @_;
    is_about($row->{ratio}{value}, $value,              "$what: ratio");
    is_about($row->{ratio}{low},   $value * exp -$half, "$what: lower end");
    is_about($row->{ratio}{high},  $value * exp $half,  "$what: upper end");
    return;
}

subtest 'runs that show how much they vary need no margin' => sub {
    my $verdict = sub {
        my ($runs, @with) = @_;
        my @rates = map { 1000 * exp(0.012 * $_) } ((-1, 0, 1) x 2)[0 .. $runs - 1];
        my $sides = of_pipe(@rates, map { 0.975 * $_ } @rates);
        my $row   = UnixBench::Compare::Comparison::of($sides, sets => [$runs, $runs], @with)->{pairs}[0]{tests}[0];
        ok($row->{ratio}{high} < 1 && $row->{ratio}{high} > 0.98, "$runs runs: 1 is not in the interval") if $runs > 2;
        return $row->{verdict};
    };
    is($verdict->(2),                     'inconclusive', 'two runs of each side');
    is($verdict->(6),                     'slower',       'six');
    is($verdict->(6, min_effect => 0.02), 'inconclusive', 'six, if the user asks for 2 %');
};

subtest 'the difference between runs of the same state widens the interval' => sub {

    # In steps, the logarithms of A are 0 and 1, those of B are 4 and 5. Each state has a sum of squares of 1/2 with one
    # degree of freedom. The variance of the ratio of two means of two runs is that of a run.
    my $comparison = compared(2, of_pipe(100, 110, 146.41, 161.051));
    my ($pair) = @{ $comparison->{pairs} };
    for my $row (@{ $pair->{tests} }, @{ $pair->{indexes} }) {
        my (undef, $half) = deviation(1, 2);    # an index, or mean, of one test varies as that test does
        is_ratio($row, 1.4641, $half, $row->{title} || 'mean');
        is_about($row->{deviation}, STEP * sqrt 0.5, 'the scatter of the runs');
        is($row->{verdict}, 'faster', 'the verdict');
    }
    is_about($pair->{tests}[0]{values}[0]{value}, sqrt(100 * 110), 'the value of a state is the mean of its runs');
    is_about(
        $pair->{tests}[0]{values}[0]{high},
        sqrt(100 * 110) * exp((deviation(1, 2))[1] / sqrt 2),
        'the value of a state has an interval'
    );
    is($comparison->{is_worse},                                     0, 'the comparison is not worse');
    is(compared(2, of_pipe(146.41, 161.051, 100, 110))->{is_worse}, 1, 'the other way round, it is worse');
    my ($alike) = @{ compared(2, of_pipe(100, 110, 103, 113))->{pairs} };
    is($alike->{indexes}[0]{verdict}, 'inconclusive', 'a difference that is small for these runs is inconclusive');
};

subtest 'text reports are compared by classic scores on both sides' => sub {
    my @rates = map { 100 + $_ } 0 .. 8;
    my $best  = exp((log(103) + log(104) + log(105) + log(106) + log(107) + log(108)) / 6);
    my @sides = map {
        my $factor = $_;
        one("r$_", { pipe => [map { $_ * $factor } @rates] })
    } 1, 1.1, 1.331, 1.4641;
    my @texts = map { { label => $_->{label}, summary => classic($_->{summary}) } } @sides;
    for my $case ([@texts], [@texts[0, 1], @sides[2, 3]], [$sides[0], $texts[1], @sides[2, 3]]) {
        my ($pair) = @{ compared(2, $case)->{pairs} };
        my ($row)  = @{ $pair->{tests} };
        is_ratio($row, 1.331, (deviation(1, 2))[1], 'ratio of classic scores');
        is_about($row->{values}[$_]{value}, $best * 1.1**(0.5 + 3 * $_), "classic score of side $_") for 0, 1;
        is($row->{is_trimmed}, 1, 'the row is marked as classic');
    }
    my ($row) = @{ compared(2, \@sides)->{pairs}[0]{tests} };
    is($row->{is_trimmed}, 0, 'without a text report, all passes are compared');
    cmp_ok($row->{values}[0]{value}, '<', $best * sqrt 1.1, 'their mean is lower');
};

subtest 'runs of one number of copies are compared if all results have it' => sub {
    my $run = { pipe => [100] };
    my $of  = sub {
        my @copies = @_;
        return side("of @copies", runs => { map { $_ => $run } @copies });
    };
    my $all = compared(2, [$of->(1, 4), $of->(1, 4), $of->(1, 4), $of->(1, 4)]);
    is_deeply([map { $_->{runs}[0]{copies} } @{ $all->{pairs} }], [1, 4], 'both are compared');
    is_deeply($all->{omissions}, [], 'nothing is omitted');
    my $some = compared(2, [$of->(1, 4), $of->(1), $of->(1, 4), $of->(1, 4, 8)]);
    is_deeply([map { $_->{runs}[0]{copies} } @{ $some->{pairs} }], [1], 'one is compared');
    is_deeply($some->{omissions}, ['4 copies: A2 has no such run', '8 copies: only B2 has such a run',], 'the others');
    is_deeply(
        compared(2, [$of->(1), $of->(2), $of->(1), $of->(1)])->{refusals},
        ['no number of copies in common: A has none in every result, B has 1 copy'],
        'without a common number of copies the comparison is refused'
    );
    my $twice = $of->(1);
    push @{ $twice->{summary}{runs} }, @{ one('x', { pipe => 50 })->{summary}{runs} };
    my ($pair, @more) = @{ compared(2, [$twice, $of->(1), $of->(1), $of->(1)])->{pairs} };
    is_deeply([scalar @more, $pair->{tests}[0]{ratio}{value}], [0, 1], 'the first of two such runs is compared');
};

subtest 'different machines within a state are reported' => sub {
    my %pipe  = (pipe => 100);
    my %usual = (CPU  => 'x', Kernel => '6.1', 'Program pipe' => 'a');
    my $sides = sub {
        my (%odd) = @_;
        my @hosts = map { one("r$_", \%pipe, facts_of(%usual)) } 1 .. 4;
        $hosts[1] = one('odd', \%pipe, facts_of(%usual, %odd), name => 'other', notes => ['changed procedure']);
        return \@hosts;
    };
    my $comparison = compared(2, $sides->(Kernel => '6.2', 'Program pipe' => 'b', 'Mitigation srso' => 'on'));
    my @within     = ('The results of A differ from each other: Kernel, Mitigation srso, Program pipe.');
    is_deeply($comparison->{within},      \@within, 'facts and programs that differ within a state are listed');
    is_deeply($comparison->{differences}, [],       'the states are compared by their first results');
    is($comparison->{sides}[0]{summary}{name}, 'vm and other', 'the side has the names of both hosts');
    is_deeply($comparison->{sides}[0]{summary}{notes}, ['changed procedure'], 'notes of all its results');
    is_deeply(compared(2, $sides->())->{within},       [],                    'equal machines are not listed');
    my @cut = ('The results of A differ from each other: F1, F2, F3, F4, F5, F6, 2 more.');
    is_deeply(compared(2, $sides->(map { ("F$_" => 1) } 1 .. 8))->{within}, \@cut, 'a long list is cut');
    my $between = $sides->();
    $between->[$_]{summary}{facts}{'host.release'} = '7' for 2, 3;
    $comparison = compared(2, $between);
    is_deeply(
        [@$comparison{qw(differences within)}],
        [[{ key => 'host.release', label => 'Kernel', texts => ['6.1', '7'] }], []],
        'a difference between the states is not one within'
    );
};

# Takes the standard deviation of a run; returns how many runs of each state show 2 %, or another difference.
sub runs_needed {
    my ($deviation, @difference) = @_;
    return UnixBench::Compare::Repeated::runs_needed({ log_se => $deviation }, [2, 2], @difference, 0.02);
}

# The largest deviation with which that many runs of each state show a difference with a power of 80 %, as a part of the
# logarithm of the ratio. The noncentral t distribution was integrated numerically, which is not what the module does.
my %LARGEST = (3 => 0.3252, 4 => 0.4203, 5 => 0.4943, 6 => 0.5571, 10 => 0.7548, 20 => 1.1, 50 => 1.7671);

subtest 'the number of runs has a power of 80 %' => sub {
    for my $runs (sort { $a <=> $b } keys %LARGEST) {
        my $deviation = $LARGEST{$runs} * log 1.02;
        is(runs_needed(0.99 * $deviation),  $runs,     "$runs runs are enough below the largest deviation");
        is(runs_needed(1.005 * $deviation), $runs + 1, "one more is needed above it");
    }
    is(runs_needed(0),       2,     'without scatter, two runs');
    is(runs_needed(0.2),     1000,  'a number beyond 1000 is 1000');
    is(runs_needed(0.01, 0), undef, 'no number of runs shows a difference of 0');
};

subtest 'results that fit as one reference' => sub {
    my %slower = (procedure => { kind => 'official', time_factor => 0.1, work_factor => 1 });
    my $number = 0;
    my $of = sub { my ($label, %with) = @_; return one($label, { pipe => [1, 2] }, started => 1e9 + $number++, %with) };
    my $own   = $of->('this run');
    my %other = (
        length => $of->('length', %slower),
        cpu    => $of->('cpu',    facts => { CPU => '2 x Xeon' }),
        text   => { label => 'text', summary => classic($own->{summary}) },
        twice  => { label => 'twice' },
    );
    my @fit = map { $of->($_) } qw(a b);
    $other{twice}{summary} = $fit[0]{summary};
    my @all = (@fit, { %$own, label => 'own' }, @other{qw(length cpu text twice)});
    my ($fitting, @others) = UnixBench::Compare::Repeated::fitting([$own], \@all);
    is_deeply([map { $_->{label} } @$fitting], [qw(a b)], 'the same procedure and CPU, each once, and another run');
    my %why = (
        length => 'does not fit: length of passes (UB_TIME_FACTOR): 1 in this run, 0.1 in the reference',
        cpu    => 'does not fit: CPU: 2 x AMD EPYC in this run, 2 x Xeon in the reference',
        text   => 'does not fit: a text report has no intervals',
        twice  => 'is another file of the run in a',
    );
    is_deeply({ map { @$_ } @others }, { map { $_ => "$_ $why{$_}\n" } keys %why }, 'the others are named');
    ($fitting, @others) = UnixBench::Compare::Repeated::fitting([$own], \@all, 1);
    is_deeply([map { $_->{label} } @$fitting], [qw(a b length cpu)], '--force accepts other kinds');
};

# The ratio of two states of repeated runs: UnixBench::Score::Repeat.

# The logarithm of 1.1: the rates of these tests are powers of 1.1.

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
sub deviation_of {
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
    is_near(deviation_of($got, 0), STEP * sqrt((both(4, 8, 0, 2))[0]), 'that of the fewest runs');
    my %days = (%ASSUMED, deviation => STEP, assumed => 'days');
    $got = of_states([known(100, 100), known(110, 110)], [[\%days, $repeats[1]], [\%days, \%days]]);
    my $why = 'a state is known as a day only if all of its runs are';
    is_near(deviation_of($got, $_), STEP * sqrt((both((4, 1)[$_], 8, 0, 2))[0]), $why) for 0, 1;
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
