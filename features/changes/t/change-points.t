# Tests of changes in series, and of the events of several. How often they are wrong is shown by lab/false-alarms.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use UnixBench::Changes::ChangePoints;
use UnixBench::Changes::Events;
use UnixBench::Changes::Splits;
use UnixBench::Score::Stats qw(mean);

use constant { DEVIATION => 0.01, STEP => 0.1, NEAR => 0.02 };

my $state = 1995;

# Returns a random number with a mean of 0 and a deviation of 1, the same in each run of this test: the sum of twelve
# uniform ones.
sub random {
    my $sum = -6;
    for (1 .. 12) {
        $state = ($state * 1_103_515_245 + 12_345) % 2**31;
        $sum += $state / 2**31;
    }
    return $sum;
}

# Takes a number of runs and their mean; returns values with a deviation of 1 %.
sub runs {
    my ($count, $mean) = @_;
    return map { ($mean // 0) + DEVIATION * random() } 1 .. $count;
}

# Takes values; returns what is found in them if they are one of 64 series.
sub found {
    my (@values) = @_;
    my ($found)  = UnixBench::Changes::ChangePoints::of([\@values], watched => 64);
    return $found;
}

# Takes what was found; returns the runs of its confirmed changes.
sub confirmed {
    my ($found) = @_;
    return [map { $_->{at} } grep { defined $_->{confirmed} } @{ $found->{changes} }];
}

# Takes what was found, and a name; tests that there is no change.
sub is_unchanged { my ($found, $name) = @_; return is_deeply($found->{changes}, [], $name) }

subtest 'no change' => sub {
    my $found = found(runs(60));
    is_unchanged($found, 'a flat history has none');
    is_deeply([map { @$_{qw(first last is_drift)} } @{ $found->{segments} }], [0, 59, 0], 'there is one segment');
    my %flat = (
        'two modes in turns'           => [map { $_ % 2 ? STEP : 0 } 0 .. 59],
        'equal values'                 => [(0) x 20],
        'a step that does not matter'  => [runs(30),                runs(30, 0.012)],
        'a step of less than 2 %'      => [map { $_ / 4 } runs(30), runs(30, 0.06)],
        'no run'                       => [],
        'a single run'                 => [0.5],
        'a decision before five runs'  => [0, 0, 1, 1],
        'three of a hundred that vary' => [map { (runs(1))[0] - ($_ % 7 == 3 || $_ % 11 == 4 ? 0.1 : 0) } 0 .. 99],
    );
    is_unchanged(found(@{ $flat{$_} }), $_) for sort keys %flat;
    my ($other) = UnixBench::Changes::ChangePoints::of([$flat{'a step of less than 2 %'}], effect => 0);
    is_deeply(confirmed($other), [30], 'the least change can be chosen');
};

subtest 'a step' => sub {
    for my $sign (1, -1) {
        my $found = found(runs(20), runs(8, $sign * STEP));
        my ($change) = @{ $found->{changes} };
        is_deeply(confirmed($found), [20], "$sign: it is where it is");
        cmp_ok($change->{found}, '<=', 22, "$sign: it is found after two or three runs");
        is($change->{confirmed}, $change->{found} + 1, "$sign: it is confirmed by the next run");
        ok($change->{low} < $sign * STEP && $sign * STEP < $change->{high}, "$sign: its interval has the true size");
        cmp_ok($change->{high} - $change->{low}, '<', 1.5 * NEAR, "$sign: and is narrow");
        is_deeply([map { @$_{qw(first last)} } @{ $found->{segments} }], [0, 19, 20, 27], "$sign: two segments");
    }
    my @before = runs(40);
    my ($old, $fresh) = map { found(@$_) } [@before], [@before, runs(2, 2 * STEP)];
    is_deeply([map { $_->{confirmed} } @{ $fresh->{changes} }], [undef], 'two runs are provisional');
    is($fresh->{sees}, $old->{sees}, 'what can be seen is that of the runs before them');
    my @gaps = (runs(20), runs(8, STEP));
    splice @gaps, 22, 0, undef, undef;
    my %steps = (
        'a step and back'                        => [[20, 35], runs(20), runs(15, STEP), runs(20)],
        'a step at the third run'                => [[2],  runs(2), runs(30, 10 * STEP)],
        'runs without a value'                   => [[21], undef,   @gaps],
        'a level for four runs, and another one' => [[30, 34], runs(30), runs(4, -STEP), runs(20, -STEP / 2)],
        (map { ("nine weeks at half the speed after $_" => [[$_], runs($_), runs(9, log 0.48)]) } 3, 5, 40),
    );

    for my $name (sort keys %steps) {
        my ($places, @values) = @{ $steps{$name} };
        is_deeply(confirmed(found(@values)), $places, $name);
    }
};

subtest 'outliers' => sub {
    for my $count (1, 2) {
        my $found = found(runs(30), runs($count, -0.2), runs(20));
        is_unchanged($found, "$count: they are not a change");
        is_deeply([sort keys %{ $found->{outliers} }], [30 .. 29 + $count], "$count: they are named");
    }
    is_deeply([keys %{ found(runs(30), -0.2)->{outliers} }],     [30], 'the last run may be one');
    is_deeply([keys %{ found(0.3,      runs(40))->{outliers} }], [0],  'the first run may be one');
    is_deeply(confirmed(found(runs(30), runs(5, -0.2))), [30], 'three in a row are a step');
};

# The table of the module is coarse: it says when real noise shows a step; here it is normal.
subtest 'after how many runs a step is seen' => sub {
    my $said = sub { UnixBench::Changes::ChangePoints::seen_after($_[0], { count => $_[1], spread => DEVIATION }) };
    for my $case ([2.5, 20], [2, 40], [4, 15]) {
        my ($times, $before) = @$case;
        my $runs = $said->($times * DEVIATION, $before);
        my @seen;
        for (1 .. 60) {
            my @old      = runs($before);
            my $by       = $times * found(@old)->{spread};
            my ($change) = @{ found(@old, runs($runs, $by))->{changes} };
            push @seen, $change ? $change->{found} - $before + 1 : 2 * $runs;
        }
        my $name = "$times deviations, $before runs before it, $runs after it:";
        cmp_ok(scalar(grep { $_ <= $runs } @seen),     '>=', 42, "$name it is seen");
        cmp_ok(scalar(grep { $_ <= $runs / 3 } @seen), '<',  42, "$name not much earlier");
    }
    is($said->(DEVIATION,     80), undef, 'a small one may not be seen in 100 runs');
    is($said->(9 * DEVIATION, 5),  undef, 'nor may any after five runs');
    cmp_ok($said->(3 * DEVIATION, 79), '<', $said->(2 * DEVIATION, 40), 'a larger one is seen earlier');
};

# Takes the size of a step, the runs before it, and { run => shift }; returns what is found eight runs later.
sub with_outliers {
    my ($step, $before, %shift) = @_;
    my @values = (runs($before), runs(8, $step));
    $values[$_] += $shift{$_} for keys %shift;
    return found(@values);
}

# Each of these would fail if outliers were judged by values behind the step.
subtest 'outliers before a step' => sub {
    my @listed = (
        1000, 1003, 998, 1001, 996, 190, 1002, 999, 1004, 997, 1001, 1000,
        998,  480,  483, 478,  481, 479, 482,  477, 480
    );
    for my $value (999, 190) {
        my $found = found(map { log } @listed[0 .. 4], $value, @listed[6 .. $#listed]);
        is_deeply(confirmed($found), [13], "$value: the step is found");
        is(sprintf('%.1f', 100 * exp($found->{changes}[0]{by}) - 100), '-52.0', "$value: with its size");
    }
    for my $before (7, 15, 29) {
        my ($one, $pairs) = (0, 0);
        for my $place (0 .. $before - 1) {
            my $other = ($place + int($before / 2)) % $before;
            $one++ if "@{ confirmed(with_outliers(-3 * STEP, $before, $place => -2)) }" eq $before;
            $pairs++ if "@{ confirmed(with_outliers(-3 * STEP, $before, $place => -2, $other => 0.5)) }" eq $before;
        }
        is($one, $before, "a step after $before runs, with an outlier at any place");
        cmp_ok($pairs, '>=', $before - 1, "a step after $before runs, with one up and one down") if $before > 7;
    }
};

subtest 'a change whose interval holds 0 now is withdrawn' => sub {
    my @values = (runs(20), runs(6, 0.06), map { (runs(1, 0.06 * ($_ % 2 ? -1 : 1)))[0] } 1 .. 60);
    my @early  = found(@values[0 .. 25]);
    is(scalar @{ confirmed($early[0]) }, 1, 'it was confirmed');
    my $found = found(@values);
    ok(!(grep { $_->{low} <= 0 && $_->{high} >= 0 } grep { defined $_->{confirmed} } @{ $found->{changes} }),
        'no confirmed change is left whose interval holds 0');
    is(scalar @{ $found->{segments} }, 1 + @{ $found->{changes} }, 'its segments are one');
};

subtest 'a slow change' => sub {
    for my $fall (0.002, 0.003, 0.01) {
        my $found = found(map { (runs(1))[0] / 2 - $fall * $_ } 0 .. 59);
        is_unchanged($found, "$fall: it is not a step");
        my $drift = $found->{segments}[-1]{drift};
        ok(defined $drift->{confirmed}, "$fall: it is confirmed");
        is_deeply([@$drift{qw(at last)}], [0, 59], "$fall: from the first run to the last");
        cmp_ok(abs($drift->{by} + 59 * $fall), '<', 0.02, "$fall: its size is the sum");
        ok($drift->{low} < $drift->{by} && $drift->{by} < $drift->{high} && $drift->{high} < 0.5 * $drift->{by},
            "$fall: it has an interval");
    }
};

subtest 'several series' => sub {
    my @found = UnixBench::Changes::ChangePoints::of([[runs(30)], [runs(20), runs(10, STEP)], [runs(30)]]);
    is_deeply([map { confirmed($_) } @found], [[], [20], []], 'each has its own changes');
    my $last  = 0;
    my @alike = map { [map { $last = 0.8 * $last + DEVIATION * random() } 1 .. 60] } 1 .. 12;
    is_deeply([map { @{ confirmed($_) } } UnixBench::Changes::ChangePoints::of(\@alike)], [], 'no steps');
};

# Simulated with 40,076,144 series.
subtest 'thresholds' => sub {
    for my $case ([64, 20, 6.813], [1024, 200, 5.492]) {
        my ($series, $count, $value) = @$case;
        my $threshold = UnixBench::Changes::Splits::threshold($count, $series);
        cmp_ok(abs($threshold / $value - 1), '<', 0.01, "$series series, $count runs") or diag $threshold;
    }
};

subtest 'the values before the last change' => sub {
    my @level = map { 0.002 * sin $_ } 1 .. 20;
    is(UnixBench::Changes::ChangePoints->last_change(@level),                          0,  'none without a change');
    is(UnixBench::Changes::ChangePoints->last_change(@level, map { $_ - 0.2 } @level), 20, 'those before a step');
    is(UnixBench::Changes::ChangePoints->last_change(0, 0.001),                        0,  'none of two values');
    is(UnixBench::Changes::ChangePoints->last_change(@level, -0.2),                    0,  'a last value is none');
    is(UnixBench::Changes::ChangePoints->last_change(0, -1, -1.01),                    1, 'a large step of few values');
};

# By hand: the pairs in which the second value is larger, their mean m n / 2, and variance m n (m + n + 1) / 12.
subtest 'ranks' => sub {
    my @cases = (
        [(10 - 8) / sqrt(16 * 9 / 12), [1, 3, 5, 7], [2, 4, 6, 8], '10 of 16 pairs'],
        [-(6 - 3) / sqrt(6 * 6 / 12),  [9, 8],       [3, 1, 2],    'no pair, in any order'],
        [(5 - 3) / sqrt(6 * 6 / 12),   [1, 2, 2],    [2, 3],       'equal values are half a pair'],
    );
    cmp_ok(abs(UnixBench::Changes::Splits::z(@$_[1, 2]) - $_->[0]), '<', 1e-9, $_->[3]) for @cases;
    my @many   = ([1 .. 100], [51 .. 150]);
    my @differ = (
        [1, [1 .. 20],         [19.5, 21, 22], 1, '59 of 60 pairs are enough'],
        [0, [1 .. 20],         [18.5, 21, 22], 1, '58 are not'],
        [0, @many,             3, 'neighbours are alike'],
        [1, [reverse 1 .. 20], [-3 .. -1], 1, 'down as well as up'],
    );
    is(UnixBench::Changes::Splits::differ(@$_[1 .. 3]), $_->[0], $_->[4]) for @differ;
    my @old = map { (runs(1))[0] / 4 + ($_ % 14 == 7 ? STEP : 0) } 0 .. 99;
    is_unchanged(found(@old, map { $_ / 4 + 0.95 * STEP } runs(3)), 'a step to values that occurred before is none');
};

subtest 'a few runs with another level are outliers once the former level is back' => sub {
    for my $count (3, 4) {
        my $found = found(runs(30), runs($count, -STEP), runs(20));
        is_unchanged($found, "$count runs are not a change");
        is_deeply([sort { $a <=> $b } keys %{ $found->{outliers} }], [30 .. 29 + $count],  "$count: they are outliers");
        is_deeply([map { @$_{qw(first last)} } @{ $found->{segments} }], [0, 49 + $count], "$count: one segment");
        is_deeply(confirmed(found(runs(30), runs($count, -STEP))),       [30],             "$count: a change");
    }
};

# Takes values; returns the runs of the confirmed changes if there is a run each week.
sub weekly {
    my (@values) = @_;
    my ($found) =
        UnixBench::Changes::ChangePoints::of([\@values], watched => 64, days => [map { 7 * $_ } 0 .. $#values]);
    return confirmed($found);
}

subtest 'runs are not days' => sub {
    for my $count (3, 4) {
        is_deeply(weekly(runs(30), runs($count, -STEP), runs(20)), [30, 30 + $count], "$count weeks are a change");
    }
    my @small = ((runs(14)), (runs(3, STEP / 3)), (runs(3, 2 * STEP / 3)), (runs(14, STEP)));
    is_deeply(weekly(map { $_ / 2 } @small), [], 'small steps within two months are not a large one');
};

# Takes an autocorrelation; returns the share of 120 series in which a step of the size that they see is seen after
# three more runs, and the mean of these sizes.
sub seen_with {
    my ($again) = @_;
    my ($last, $seen, @sees) = (0, 0);
    for (1 .. 10) {
        my @all = map { [map { $last = $again * $last + sqrt(1 - $again**2) * DEVIATION * random() } 1 .. 23] } 1 .. 12;
        my @said = map { $_->{sees} } UnixBench::Changes::ChangePoints::of([map { [@$_[0 .. 19]] } @all]);
        for my $number (0 .. $#all) {
            $_ -= $said[$number] for @{ $all[$number] }[20 .. 22];
        }
        $seen += grep { @{ $_->{changes} } } UnixBench::Changes::ChangePoints::of(\@all);
        push @sees, @said;
    }
    return ($seen / @sees, mean(@sees));
}

subtest 'what a series sees is seen, also if neighbours are alike' => sub {
    my %sees;
    for my $again (0, 0.3) {
        (my $share, $sees{$again}) = seen_with($again);
        cmp_ok($share, '>=', 0.85, "autocorrelation $again: as often as that");
    }
    cmp_ok($sees{0.3}, '>', 1.1 * $sees{0}, 'then the step is larger');
    is(found(runs(4))->{sees}, undef, 'is unknown after four runs');
};

# Events of 30 runs: UnixBench::Changes::Events.

use constant QUARTER => log 1.25;

# Takes functions from a run to the logarithm of its value; returns series with these values and noise.
sub series {
    my (@shifts) = @_;
    my @values = map {
        my $shift = $_;
        [map { $shift->($_) + ($_ % 3 - 1) / 300 + ($_ % 5 - 2) / 500 } 0 .. 29]
    } @shifts;
    return [UnixBench::Changes::ChangePoints::of(\@values)];
}

# Takes series, and perhaps keys of some runs; returns their events, each "kind run sizes", with "?" if unconfirmed.
sub events {
    my ($series, %of) = @_;
    my @runs   = map { +{ is_evidence => 1, is_early => 0, %{ $of{$_} || {} } } } 0 .. 29;
    my @events = UnixBench::Changes::Events::of($series, @runs);
    return join '; ', map {
        my @changes = map { sprintf('%+.0f%%', 100 * $_->{by}) . (defined $_->{last} ? " to $_->{last}" : q{}) }
            @{ $_->{changes} };
        "$_->{kind} $_->{run} @changes" . ($_->{is_confirmed} ? q{} : q{?})
    } @events;
}

my $flat = sub { 0 };
my $fall = sub { $_[0] < 12                ? 0 : -QUARTER };
my $rise = sub { $_[0] < 13                ? 0 : 2 * QUARTER };
my $dip  = sub { $_[0] < 10 || $_[0] >= 20 ? 0 : -QUARTER };
my $line = sub { -0.02 * $_[0] };

is(events(series($flat, $flat)), q{},                                'none');
is(events(series($fall, $flat)), 'step 12 -20%',                     'a step');
is(events(series($fall, $rise)), 'step 12 +56% -20%',                'steps at neighbouring runs, the largest first');
is(events(series($dip)),         'step 20 +25%; step 10 -20% to 19', 'a level that is over, the latest event first');
is(events(series($line)),        'drift 0 -44% to 29',               'a drift');

my $fallen = series($fall);
is(events($fallen, map { $_ => { is_early => 1 } } 0 .. 11), 'step 12 -20%?', 'in doubt: runs before it may be later');
is(events($fallen, map { $_ => { is_early => 1 } } 0 .. 29), 'step 12 -20%',  'not if all may be wrong alike');
$_->{is_of_load} = 1 for @{ $fallen->[0]{changes} };
is(events($fallen), 'step 12 -20%?', 'other load may be the reason');

my @runs = map { +{ is_evidence => $_ == 11 ? 0 : 1 } } 0 .. 29;
my ($event) = UnixBench::Changes::Events::of(series($fall), @runs);
is_deeply([@$event{qw(before since is_worse)}], [10, 18, 1], 'runs that are not evidence do not count');

done_testing;
