use strict;
use warnings;

use FindBin;
use List::Util ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use PlayedRun qw(plan play);
use UnixBench::Progress::Estimate;

my %QUICK = (seed => 1995, precision => 0.02, max_time_s => 60);
my @INDEX = qw(dhry2reg whetstone-double execl fstime pipe context1 spawn syscall shell1 shell8);

# Takes a plan and options; simulates its passes. Returns the relative error of the estimated total at the start of each
# pass, the runs, and the seconds that are left in the end. after => number of the first passes whose errors are left
# out.
sub off {
    my ($plan, %with) = @_;
    my @decided  = $with{is_decided} ? (is_decided => $with{is_decided}) : ();
    my $estimate = UnixBench::Progress::Estimate->new(plan => $plan, @decided);
    my @totals_s;
    my $listeners = sub {
        my ($clock) = @_;
        my $start_s = $clock->monotonic_s;
        my %told    = map {
            my $event = $_;
            $event => sub { $estimate->$event(@_) }
        } grep { $estimate->can($_) } qw(run_started pass_started pass_done round_done test_done);
        return ({ pass_started => sub { push @totals_s, $clock->monotonic_s - $start_s + $estimate->left_s } }, \%told);
    };
    my ($runs, $truth_s) = play($plan, $listeners, %with);
    my @off = map { $_ / $truth_s - 1 } @totals_s;
    return ([splice @off, $with{after} || 0], $runs, $estimate->left_s);
}

# Tests that no estimate is off by more than that percentage; returns the runs.
sub is_right {
    my ($percent, $name, $plan, %with) = @_;
    my ($off, $runs) = off($plan, %with);
    my $worst = List::Util::max(map { 100 * abs } @$off);
    ok(@$off && $worst <= $percent, "$name: within $percent %") or diag "off by $worst %, @$off";
    return $runs;
}

# Takes the seconds that a pass needs to start, and factors of tests. Returns a function that gives a pass its planned
# seconds, multiplied by the factor of its test.
sub lasting {
    my ($start_s, %factor) = @_;
    return sub {
        my ($test) = @_;
        return ($start_s + $test->{pass_s} * ($factor{ $test->{name} } // 1), 1000);
    };
}

subtest 'the time of an official run is estimated' => sub {
    my $plan = plan(\@INDEX, copies => [1, 2]);
    is_right(0.001, 'passes take the planned time', $plan);
    is_right(5, 'one test takes a fifth longer', $plan, outcome => lasting(0.1, spawn => 1.2));
    is_right(
        0.001, 'one test takes a fifth longer, after its first pass',
        plan([qw(spawn pipe)], iterations => 9),
        outcome => lasting(0.1, spawn => 1.2),
        after   => 1
    );
    is_right(
        0.001, 'one test takes a fifth longer with another number of copies',
        plan([qw(pipe spawn)], copies => [1, 2], iterations => 9),
        outcome => lasting(0.1, spawn => 1.2),
        after   => 10
    );
    is_right(
        0.001,
        'graphics tests are skipped with several copies',
        plan([qw(ubgears pipe)], copies => [1, 4], display => ':0')
    );
    is_right(0.001, 'graphics tests are skipped without a display', plan([qw(ubgears pipe)]));
    my $failing = sub { my ($test, $attempt) = @_; return (1, $attempt == 2 ? 'killed by SIGSEGV' : 1000) };
    my $failed  = sub { $_[0]{name} eq 'syscall' ? $failing->(@_) : ($_[0]{pass_s} + 0.1, 1000) };
    is_right(
        0.001, 'the rest of a failed test is not made', plan([qw(syscall pipe)]),
        outcome => $failed,
        after   => 4
    );
};

subtest 'the time of a failed pass is not used' => sub {
    my $outcome = sub {
        my ($test, undef, $copies) = @_;
        return $copies == 1 ? (1, 'exit status 3') : ($test->{pass_s} + 0.1, 1000);
    };
    is_right(
        0.001, 'after a failure with one copy', plan(['pipe'], copies => [1, 2]),
        outcome => $outcome,
        after   => 1
    );
};

subtest 'the time of a pass that was suspended is not used' => sub {
    my $plan    = plan(['pipe'], iterations => 12);
    my $stopped = sub { my ($test, $attempt) = @_; return ($test->{pass_s} + ($attempt == 3 ? 3600 : 0.1), 1000) };
    is_right(0.001, 'after a suspended pass', $plan, outcome => $stopped, after => 3);
};

subtest 'the time of a resumed run is estimated' => sub {
    my $plan    = plan([qw(pipe syscall execl)], copies => [1, 2]);
    my ($whole) = off($plan);
    my $runs    = is_right(0.001, 'nothing is kept', $plan);
    my %made    = map { $_->{name} => $_->{passes} } @{ $runs->[0]{tests} };
    my $kept    = sub { return [{ started => 1, passes => {@_} }] };
    is_right(0.001, 'two tests are kept',    $plan, kept => $kept->(pipe => $made{pipe}, syscall => $made{syscall}));
    is_right(0.001, 'three passes are kept', $plan, kept => $kept->(pipe => [@{ $made{pipe} }[0 .. 2]]));
    my $failed = [{ %{ $made{pipe}[0] }, error => 'no COUNT line', where => 'pass 1, copy 1' }];
    is_right(0.001, 'a test that has failed is kept', $plan, kept => $kept->(pipe => $failed));
    my @kept = map {
        +{ started => 1, ended => 2, passes => { map { $_->{name} => $_->{passes} } @{ $_->{tests} } } }
    } @$runs;
    is_right(0.001, 'a whole run is kept', $plan, kept => [$kept[0]]);
};

# Takes a part. Returns a function that gives short passes their planned seconds, and rates which differ from round to
# round by up to this part.
sub slices {
    my ($part) = @_;
    my @sway = (1, -1, 0.4, -0.3, 0.7, -0.8, 0.1);
    return sub {
        my ($test, $attempt) = @_;
        return (UnixBench::Plan::Plan::short_passes_s($test), 1e6 * (1 + $part * $sway[$attempt % @sway]));
    };
}

# Takes a part. Returns the same function for several states: the rates of the plain machine do not differ.
sub apart {
    my ($part) = @_;
    my @differing = (slices(0), slices($part), slices(2 * $part));
    return sub { return $differing[$_[0]{state}]->(@_) };
}

subtest 'the time of a quick run is estimated if its maximum time ends it' => sub {
    my $plan = plan(\@INDEX, quick => \%QUICK);
    my $runs = is_right(2, 'from the start', $plan, outcome => slices(0.1));

    # A round takes 4.3 s: 0.32 s for each of five tests, 0.42 s for whetstone-double, 0.52 s for fstime and context1,
    # and 0.62 s for each shell test. The rest before it takes 1 s, the warm-up 1.5 s, and the last 2 s are
    # reserved.
    is($runs->[0]{rounds}, 12, 'the run has 12 rounds');
    is_right(
        2,
        'several numbers of copies',
        plan(\@INDEX, quick => \%QUICK, copies => [1, 2, 8]),
        outcome => slices(0.1)
    );
    is_right(
        2,
        'a maximum time that is shorter than three rounds',
        plan(\@INDEX, quick => { %QUICK, max_time_s => 5 }),
        outcome => slices(0.1)
    );
    is_right(
        2,
        'a maximum time that is shorter than three rounds, with their warm-up, for each number of copies',
        plan(\@INDEX, quick => { %QUICK, max_time_s => 5 }, copies => [1, 2]),
        outcome => slices(0.1)
    );
    my $slow = sub { my ($took_s, $count) = slices(0.1)->(@_); return (1.2 * $took_s, $count) };
    is_right(15, 'short passes take longer',                        $plan, outcome => $slow);
    is_right(2,  'short passes take longer, after the first round', $plan, outcome => $slow, after => scalar @INDEX);
    is_right(2,  'one test',                plan(['pipe'],  quick => \%QUICK), outcome => slices(0.5));
    is_right(2,  'a test without an index', plan(['hanoi'], quick => \%QUICK), outcome => slices(0.5));
};

# A copy of shell8 makes twenty loops a second if it runs alone, and one if there are two.
subtest 'the time of a quick run is estimated if loops take too long for its short passes' => sub {
    my $slow = sub {
        my ($test, $attempt, $copies) = @_;
        my ($took_s, $count) = slices(0.1)->(@_);
        return ($took_s, $test->{name} eq 'shell8' ? ($copies == 1 ? 20 : 1) * $test->{seconds} : $count);
    };
    my $runs = is_right(2, 'from the start', plan(\@INDEX, quick => \%QUICK, copies => [2]), outcome => $slow);
    my ($shell) = grep { $_->{name} eq 'shell8' } @{ $runs->[0]{tests} };
    is($shell->{command}[2], 2, 'its passes take 2 s');
    my $both = plan(\@INDEX, quick => \%QUICK, copies => [1, 2]);
    my (undef, $twice) = off($both, outcome => $slow);
    my $first = @{ $twice->[0]{tests} } * $twice->[0]{rounds};
    is_right(2, 'in the second run, whose passes are longer', $both, outcome => $slow, after => $first);
};

subtest 'the time of a run of several states is estimated' => sub {
    my @pair = qw(pipe shell1);
    for my $states (2 .. 3) {
        my $plan = plan(\@pair, quick => { %QUICK, max_time_s => 120 }, states => [({}) x ($states - 1)]);
        my $runs = is_right(2, "$states states, until the time is over", $plan, outcome => apart(0.3));
        my $sets = $runs->[0]{rounds} % ($states == 2 ? 2 : 6);
        is($sets, 0, "$states states: their sets are complete");
    }
    my $plan = plan(\@pair, quick => { %QUICK, max_time_s => 600 }, states => [{}]);
    my $runs = is_right(2, 'until the ratios are precise enough', $plan, outcome => apart(0.001), after => 4 * 4);
    is($runs->[0]{rounds}, 24, 'that run has 24 rounds');
    is_right(
        2,
        'a set of several rounds is always made',
        plan(\@pair, quick => { %QUICK, max_time_s => 5 }, states => [{}, {}]),
        outcome => apart(0.1)
    );
};

subtest 'the time of a quick run is estimated if its precision ends it' => sub {
    my $plan = plan(\@INDEX, quick => { %QUICK, max_time_s => 600 });
    my $runs = is_right(2, 'after four rounds', $plan, outcome => slices(0.001), after => 4 * @INDEX);
    is($runs->[0]{rounds}, 24, 'the run has 24 rounds');
    $runs = is_right(
        2, 'a test without an index', plan(['hanoi'], quick => \%QUICK),
        outcome => slices(0.001),
        after   => 4
    );
    is($runs->[0]{rounds}, 24, 'the run with one test has 24 rounds');
    my $brief = plan(\@INDEX, quick => \%QUICK);
    $runs = is_right(2, 'a verdict that stays open', $brief, outcome => slices(0.001), is_decided => sub { 0 });
    is($runs->[0]{rounds}, 12, 'the run has 12 rounds');
    my ($off) = off($plan, outcome => slices(0.001));
    cmp_ok($off->[0], '>', 0.15, 'the first estimate is too long, as the precision is not known yet');
};

subtest 'the time of a quick run with failures is estimated' => sub {
    my $plan   = plan(\@INDEX, quick => \%QUICK);
    my $failed = sub { return $_[0]{name} eq 'shell8' && $_[1] == 2 ? (1, 'exit status 3') : slices(0.1)->(@_) };
    is_right(10, 'a test fails', $plan, outcome => $failed, after => 2 * @INDEX);
    my $all = sub { return $_[1] == 2 ? (1, 'exit status 3') : slices(0.1)->(@_) };
    my (undef, $runs, $left_s) = off($plan, outcome => $all);
    is_deeply([$runs->[0]{rounds}, $left_s], [2, 0], 'nothing is left if all tests fail');
};

# Fake noise that disturbs a short pass if a function, given its rank, returns true.
{

    package Disturbing;
    sub new         { my ($class, $ranks) = @_; return bless { made => 0, ranks => $ranks }, $class }
    sub rest_begins { return }
    sub before      { return }
    sub round_ends  { return }
    sub after { my ($self) = @_; return { tags => [{ level => 'note', rank => $self->{made}++ }], noticed => {} } }
    sub is_worth_repeating { my ($self, $tags) = @_; return $self->{ranks}->($tags->[0]{rank}) }
}

subtest 'the time of repeated short passes is estimated' => sub {
    my $plan = plan(\@INDEX, quick => \%QUICK);
    is_right(
        15, 'one in ten is repeated', $plan,
        outcome => slices(0.1),
        noise   => Disturbing->new(sub { $_[0] % 10 == 3 })
    );
    is_right(
        15, 'each of the first twenty is repeated',
        $plan,
        outcome => slices(0.1),
        noise   => Disturbing->new(sub { $_[0] < 20 })
    );
    is_right(15, 'each is repeated', $plan, outcome => slices(0.1), noise => Disturbing->new(sub { 1 }));
};

subtest 'the time of a resumed quick run is estimated' => sub {
    my $plan = plan(\@INDEX, quick => \%QUICK);
    my (undef, $runs) = off($plan, outcome => slices(0.1));
    my %passes = map { $_->{name} => [@{ $_->{passes} }[0 .. 2]] } @{ $runs->[0]{tests} };
    my $kept   = [{ started => 1, passes => \%passes }];
    is_right(2, 'three rounds are kept', $plan, outcome => slices(0.1), kept => $kept);
};

done_testing();
