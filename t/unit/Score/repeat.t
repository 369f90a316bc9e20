# Tests of the deviation from run to run: UnixBench::Score::Repeat.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(@INDEX);
use UnixBench::Score::Estimate;
use UnixBench::Score::Repeat;

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

done_testing;
