use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(failed);
use QuickRun qw(in_rounds run_of_rounds);
use UnixBench::Score::StopRule;

my %USUAL = (precision => 0.01, max_time_s => 120);

# Rates of rounds that differ by 0.01 %, by 10 % and by 1 %.
my @QUIET = map { 1e6 + 100 * $_ } 1,   -1, 2,   -2, 0,   1;
my @NOISY = map { 1e6 + 1e5 * $_ } 1,   -1, 0.5, 0,  1.5, -0.5;
my @FAIR  = map { 1e6 + 2e4 * $_ } 0.8, -1, 0.5, 0,  1.2, -0.5;

# Takes a number of rounds, and rates of tests, which come again and again; returns their run after these rounds.
sub after {
    my ($rounds, %rates) = @_;
    my %of = map { $_ => [(@{ $rates{$_} }) x (1 + $rounds / @{ $rates{$_} })] } keys %rates;
    return run_of_rounds(map { in_rounds($_, @{ $of{$_} }[0 .. $rounds - 1]) } sort keys %of);
}

# Takes the rates of pipe, a number of rounds and the seconds since the start; returns the decision of the rule.
sub decided {
    my ($rates, $rounds, $elapsed_s, %with) = @_;
    return
        scalar UnixBench::Score::StopRule->new(%USUAL, %with)->decide(after($rounds, pipe => $rates), $elapsed_s, 16);
}

subtest 'a run ends when it is precise enough' => sub {
    is(decided(\@QUIET, 23, 64),                   undef,     '23 rounds are too few');
    is(decided(\@QUIET, 24, 80),                   'reached', '24 rounds are enough');
    is(decided(\@NOISY, 24, 80),                   undef,     'noisy rounds are not precise enough');
    is(decided(\@FAIR, 24, 80, precision => 0.01), 'reached', 'fair rounds reach 1 %');
    is(decided(\@QUIET, 24, 49.9),             undef,     'before 50 seconds, noise that lasts may not have been seen');
    is(decided(\@QUIET, 24, 50),               'reached', 'after them, the same rounds are enough');
    is(decided(\@QUIET, 24, 5, factor => 0.1), 'reached', 'shorter passes need less time');
};

subtest 'the rule looks seldom' => sub {
    my @looks = grep { decided(\@QUIET, $_, 80) } 1 .. 130;
    is_deeply(\@looks, [24, 36, 54, 81, 122], 'each look follows half as many rounds again');
    is(UnixBench::Score::StopRule::next_look(25, 1), 36, 'the next look after the first');
    is(UnixBench::Score::StopRule::next_look(1,  5), 30, 'five states: ten orders, so the first one is later');
    is(UnixBench::Score::StopRule::next_look(31, 5), 40, 'and the second one');
    my $error = 0;
    for (my $look = 24; $look < 1e9; $look = UnixBench::Score::StopRule::next_look($look + 1, 1)) {
        $error += UnixBench::Score::StopRule::part_of_look($look);
    }
    cmp_ok($error, '<', 1,    'all looks share the error');
    cmp_ok($error, '>', 0.95, 'and use most of it');
    is(sprintf('%.6f', UnixBench::Score::StopRule::part_of_look($_)), '0.607927', "$_ rounds: the first look")
        for 24, 30, 35;
    is(sprintf('%.6f', UnixBench::Score::StopRule::part_of_look(36)), '0.151982', 'the second one');
};

subtest 'a run ends when there is no time for another round' => sub {
    is(decided(\@NOISY, 6,  102),   undef,     'the next round ends in time');
    is(decided(\@NOISY, 6,  102.1), 'time',    'the next round ends too late');
    is(decided(\@NOISY, 3,  102.1), 'time',    'the time is over after three rounds');
    is(decided(\@NOISY, 2,  1000),  undef,     'the time is never over after two rounds');
    is(decided(\@QUIET, 24, 1000),  'reached', 'a late run may be precise enough');
    is(decided(\@NOISY, 3, 9, max_time_s => 26), 'time', 'the next round ends too late with a lower limit');
};

subtest 'a run ends when its verdict is certain' => sub {
    my @asked;
    my %open = (is_decided => sub { push @asked, $_[0]{rounds}; return @{ $_[0]{tests}[0]{passes} } > 24 });
    is(decided(\@QUIET, 24, 80,  %open), undef,     'an open verdict needs more rounds');
    is(decided(\@QUIET, 36, 96,  %open), 'reached', 'a certain verdict ends the run');
    is(decided(\@QUIET, 24, 103, %open), 'time',    'an open verdict does not extend the time');
    is_deeply(\@asked, [24, 36, 24], 'the function gets the run');
};

# Takes a number of rounds, and the rates of pipe in each state; returns the run of the first one, with the others.
sub in_turns {
    my ($rounds, @states) = @_;
    my ($first,  @others) = map { after($rounds, pipe => $_) } @states;
    return { %$first, others => \@others };
}

# The rates of both states drift together, by 10 % from round to round. The ratio differs by 0.01 %.
my @DRIFTING = map { 1.1**$_ * 1e6 } 0 .. 35;
my @SLOWER   = map { 0.9 * $DRIFTING[$_] * (1 + ($_ % 2 ? 1e-4 : 0)) } 0 .. 35;

subtest 'a run of several states ends when their ratios are precise enough, after a complete set of orders' => sub {
    my $decided = sub {
        my ($rounds, $states, $elapsed_s, %with) = @_;
        my $rule = UnixBench::Score::StopRule->new(%USUAL, %with);
        return scalar $rule->decide(in_turns($rounds, @$states), $elapsed_s, @$states == 5 ? 7 : 10);
    };
    my @two = (\@DRIFTING, \@SLOWER);
    is($decided->(23, \@two, 50),                    undef,     '23 rounds make an incomplete set');
    is($decided->(24, \@two, 60),                    'reached', '24 rounds are enough, whatever the indexes do');
    is($decided->(24, \@two, 60, precision => 1e-6), undef,     'unless more precision is wanted');
    is($decided->(24, [@two, \@SLOWER], 60),         'reached', 'three states have sets of six rounds');
    is($decided->(24, [@two, (\@SLOWER) x 3], 60),   undef,     'five states of ten, so there is no look yet');
    is($decided->(30, [@two, (\@SLOWER) x 3], 60),   'reached', 'but after three of them');
    is($decided->(24, [@two, [1e6, 9e5]], 50),       undef,     'the least certain ratio decides');
    is($decided->(6, \@two, 108.1, is_decided => sub { 0 }),     'time', 'two more rounds would end too late');
    is($decided->(6, \@two, 108, is_decided => sub { 0 }),       undef,  'than they begin before it, or as near');
    is($decided->(7, \@two, 500),                                undef,  'within a set the rule does not decide');
    is($decided->(4, \@two, 108.1),                              'time', 'four may be all that there is time for');
    is($decided->(6, [@two, \@SLOWER], 82.1, precision => 1e-5), 'time', 'three states need time for six rounds');
    is($decided->(6, [@two, \@SLOWER], 82, precision => 1e-5),   undef,  'of ten seconds, a fifth beyond the limit');
    my @five = [@two, (\@SLOWER) x 3];
    is($decided->(10, @five, 69, precision => 1e-5), undef, 'five states: ten rounds end within that fifth');
    my ($run) = in_turns(6, @two);
    $run->{others} = [{ %{ $run->{others}[0] }, tests => [] }];
    $run->{rounds} = 24;
    is(UnixBench::Score::StopRule->new(%USUAL)->decide($run, 60, 10), undef, 'a state without scores has no precision');
};

subtest 'a short pass is repeated only if there is time' => sub {
    my $rule  = UnixBench::Score::StopRule->new(%USUAL, max_time_s => 60);
    my %time  = (copies => 1, elapsed_s => 40, ahead_s => 15, pass_s => 3, round => 5, round_s => 10);
    my $is_ok = sub { $rule->may_repeat(%time, @_) ? 1 : 0 };
    is($is_ok->(),                           1, 'there is time');
    is($is_ok->(pass_s => 3.1),              0, 'there is no time for the short pass');
    is($is_ok->(ahead_s => 17),              0, 'there is no time for the rest of the round');
    is($is_ok->(round => 7),                 1, 'a round after those that are needed leaves time');
    is($is_ok->(round => 4),                 0, 'there is no time for the fifth round');
    is($is_ok->(round => 4, ahead_s => 5),   1, 'there is time for the fifth round');
    is($is_ok->(round => 1, elapsed_s => 1), 0, 'there is no time for four more rounds');
    my $many = UnixBench::Score::StopRule->new(%USUAL, limits_s => { 512 => 300 });
    is_deeply([map { $many->has_time_for($_, 130, 3) ? 1 : 0 } 1, 512], [0, 1], 'many copies have their own limit');
    is_deeply([map { $many->may_repeat(%time, copies => $_, elapsed_s => 130) ? 1 : 0 } 1, 512],
        [0, 1], 'for repetitions, too');
};

# Takes a run; returns [title of the value that is known worst, its half-width in units of 1e-6].
sub known_of {
    my ($run)     = @_;
    my $precision = UnixBench::Score::StopRule::precision_of($run);
    my $half      = $precision->{half_width};
    return [$precision->{of}, defined $half ? sprintf('%.0f', 1e6 * $half) : undef];
}

# Takes a name, a part and signs; returns a test. The logarithms of its rates have a standard error of 0.35355 times the
# part.
sub with_noise {
    my ($name, $part, @signs) = @_;
    return in_rounds($name, map { 1e6 * exp($part * $_) } @signs ? @signs : (1, -1, 0.5, -0.5, 0));
}

subtest 'a set of orders that has begun is completed' => sub {
    my $rule = UnixBench::Score::StopRule->new(precision => 0.01, max_time_s => 120);
    my $ends = sub { return $rule->has_time_for(1, @_) ? 1 : 0 };
    is($ends->(100, 10),    1, 'one state: a pass that ends in time');
    is($ends->(115, 10),    0, 'one that does not');
    is($ends->(115, 10, 4), 1, 'four states: up to a fifth beyond the limit');
    is($ends->(140, 10, 4), 0, 'but not more');
    my %time = (copies => 1, elapsed_s => 75, pass_s => 1, ahead_s => 5, round_s => 16);
    my @may  = map { $rule->may_repeat(%time, round => 5, states => $_) ? 1 : 0 } 1, 4;
    is_deeply(\@may, [1, 0], 'no repetition takes the time of the three rounds that complete a set of four');
    is($rule->may_repeat(%time, round => 8, states => 4) ? 1 : 0, 1, 'in its last round there are none to come');
};

subtest 'the precision of a run is that of its worst value' => sub {
    my $title = 'System Benchmarks';
    my @hanoi = (with_noise('hanoi', 0.01), 'Recursion Test -- Tower of Hanoi');
    is_deeply(known_of(run_of_rounds($hanoi[0])), [$hanoi[1], 9816], 'one test without an index: t(4) = 2.7764');
    is_deeply(known_of(run_of_rounds($hanoi[0], with_noise('arithoh', 0.03))), [undef, 28_041], 'two without an index');
    is_deeply(known_of(run_of_rounds($hanoi[0], with_noise('pipe', 0.001))), [$title, 982], 'a test with an index');
    is_deeply(
        known_of(run_of_rounds(with_noise('pipe', 0.01), with_noise('2d-rects', 0.02))),
        ['2D Graphics Benchmarks', 19_632],
        'two indexes: the wider interval'
    );
    is_deeply(
        known_of(run_of_rounds(with_noise('pipe', 0.01), with_noise('2d-rects', 0.02, 1))),
        ['2D Graphics Benchmarks', undef],
        'two indexes, one of them without an interval'
    );
    is_deeply(known_of(run_of_rounds(failed('pipe', 'gone'))), [undef, undef], 'no measured test');
};

done_testing;
