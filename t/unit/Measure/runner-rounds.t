use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use RoundsRun qw(copy events failed run);
use FakeProcess;
use Fixture qw(counted);
use TestRun;
use UnixBench::Measure::Runner;
use UnixBench::Plan;
use UnixBench::Score::StopRule;

# Tests of quick runs: their rounds, the passes that warm up before them, and several states that are measured in turns.

# Fake noise: takes the tags that it finds in each pass in turn. The first passes, "late" of them, end far too late.
{

    package Surroundings;

    sub new         { my ($class, @tags) = @_; return bless { tags => \@tags, seen => [], late => 0 }, $class }
    sub rest_begins { my ($self) = @_; push @{ $self->{seen} }, 'rest';   return }
    sub before      { my ($self) = @_; push @{ $self->{seen} }, 'before'; return }
    sub round_ends  { my ($self) = @_; push @{ $self->{seen} }, 'end';    return }

    sub after {
        my ($self) = @_;
        return { tags => shift @{ $self->{tags} } || [], noticed => {}, is_too_late => $self->{late}-- > 0 };
    }

    sub is_worth_repeating {
        my ($self, $tags) = @_;
        return scalar grep { $_->{level} eq 'disturbed' } @$tags;
    }
}

my %DISTURBED = (cause => 'others', level => 'disturbed', value => 0.5);

# Takes runs; returns { name => test } of the first one.
sub tests_of {
    my ($runs) = @_;
    return { map { $_->{name} => $_ } @{ $runs->[0]{tests} } };
}

# Takes a run; returns { test => [counts of its passes] }.
sub counts {
    my ($run) = @_;
    return { map { $_->{name} => [map { $_->{count} } @{ $_->{passes} }] } @{ $run->{tests} } };
}

subtest 'a quick run is made in rounds' => sub {
    my ($runs, $process, $rule) = run({ a => [10, 20, 60], b => [5], c => [7] }, copies => [1, 2]);
    is_deeply([map { $_->{rounds} } @$runs],               [3, 3],      'rounds are made until the rule ends the run');
    is_deeply([map { $_->{name} } @{ $runs->[0]{tests} }], [qw(a b c)], 'the tests are in the order of the words');
    my $test = tests_of($runs);
    is_deeply([map { $_->{number} } @{ $test->{$_}{passes} }], [1, 2, 3], "$_ has a numbered pass in each round")
        for qw(a b c);
    is_deeply(
        [@{ $test->{a} }{qw(status score samples time_s unit dropped kept passes_wanted)}],
        ['measured', 15, 3, 2, 'lps', [], [10, 20, 60], undef],
        'the score is the sum of the counts by the sum of the times; no pass is dropped'
    );
    is_deeply($rule->{asked}[1], [13, 6], 'the rule gets the seconds of the run, with its rest, and of a round');
    is_deeply($process->{done}, [('pause 1') x 2], 'there is a rest before each run, and no pause before a short pass');
    is(scalar(events(qr/^test_started/)), 6, 'the start of each test is reported once in a run');
    is_deeply([map { s/ .*//r } (events(q{}))[-3 .. -1]], [('test_done') x 3], 'the end of each test comes at the end');
    is_deeply([events(qr/^round/)], [('round 1', 'round 2', 'round 3: reached') x 2], 'each round is reported');
};

subtest 'a short pass that fails ends its test' => sub {
    my ($runs) = run({ a => [1, failed('no COUNT line')], b => [4] });
    my $test = tests_of($runs);
    is_deeply([@{ $test->{a} }{qw(status reason)}], ['failed', 'no COUNT line (pass 2, copy 1)'], 'it fails');
    is(scalar @{ $test->{b}{passes} }, 3, 'the other test is measured');
    is(scalar(events(qr{make /b/a})),  2, 'the failed test is not run again');
    run({ a => [failed('x')], b => [failed('y')] });
    is_deeply([events(qr/^round/)], ['round 1: failed'], 'there is one round if all tests fail');
};

subtest 'disturbed short passes are repeated' => sub {
    my $noise = Surroundings->new([\%DISTURBED], [\%DISTURBED], [], [{ %DISTURBED, level => 'note' }]);
    my ($runs, undef, $rule) = run({ a => [1, 2, 3, 4, 5] }, noise => $noise);
    my ($first, $second) = @{ $runs->[0]{tests}[0]{passes} };
    is($first->{count}, 3, 'a disturbed short pass is repeated, twice at most');
    my @aside = map { { count => $_, time_s => 2, tags => [\%DISTURBED] } } 1, 2;
    is_deeply($first->{set_aside}, \@aside, 'the disturbed short passes are set aside');
    is($second->{count}, 4, 'a short pass with a note is not repeated');
    my %needed = (copies => 1, elapsed_s => 3, pass_s => 1.52, ahead_s => 0, round_s => 1.52, round => 1);
    is_deeply($rule->{repeats}[0], \%needed, 'the rule gets the time that is spent and the time that is needed');
    is_deeply($rule->{asked}[0],   [7, 2],   'the time of repeated passes belongs to the run, not to a round');
    is_deeply($noise->{seen},      [qw(rest before before before end before end before end)], 'its calls, in order');

    # [outcomes, whether there is time, counts of the passes].
    for my $case ([[1 .. 9], 1, [3, 6, 9]], [[1 .. 3], 0, [1, 2, 3]], [[failed('x')], 1, [undef]]) {
        my ($outcomes, $has_time, $counts) = @$case;
        my $all = Surroundings->new(([\%DISTURBED]) x 9);
        ($runs) = run({ a => $outcomes }, noise => $all, rule => { has_time => $has_time });
        is_deeply(counts($runs->[0])->{a}, $counts, "if all are disturbed: @$counts[0 .. $#$counts - 1] ...");
    }
};

subtest 'load that stays' => sub {
    my $load = Surroundings->new(([\%DISTURBED]) x 10, [], ([\%DISTURBED]) x 9);
    run({ map { $_ => [1 .. 30] } qw(a b) }, noise => $load);
    is(scalar(events(qr{make /b/})), 9 + 1 + 1 + 3, 'no repetition after three passes in vain, until one is quiet');
};

subtest 'a short pass that is not valid is repeated' => sub {
    my $stop = sub { my ($process) = @_; $process->stop; return copy(9) };
    my ($runs, undef, $rule) = run({ a => [$stop, 1, 2, 3] });
    is_deeply(counts($runs->[0]), { a => [1, 2, 3] }, 'one that was stopped does not count');
    is_deeply($rule->{asked}[0],  [3, 2],             'nor does its time');
    for my $late (2, 3) {
        my $noise = Surroundings->new;
        $noise->{late} = $late;
        ($runs, undef, $rule) = run({ a => [1 .. 9] }, noise => $noise);
        is_deeply(counts($runs->[0]), { a => [3, 4, 5] }, "$late that ended far too late: the third one counts");
        is_deeply($rule->{asked}[0],  [3, 2],             'their time does not count');
        my @marked = grep { exists $_->{is_too_late} || $_->{set_aside} } @{ $runs->[0]{tests}[0]{passes} };
        is_deeply(\@marked, [], 'nothing of them is left');
    }
};

subtest 'file tests wait for pages that are written to the disk' => sub {
    my (undef, $process) = run({ f => [1] }, test => { drain_s => 0.5 }, draining => 2);
    is_deeply([splice @{ $process->{done} }, 1], [('pause 0.02') x 2], 'file tests wait until all pages are written');
    (undef, $process) = run({ f => [1] }, test => { drain_s => 0.5 }, draining => 1000, rule => { rounds => 1 });
    my $waits = grep { $_ eq 'pause 0.02' } @{ $process->{done} };
    ok($waits == 25 || $waits == 26, 'file tests wait for half a second');
    (undef, $process) = run({ f => [1] }, draining => 2);
    is_deeply($process->{done}, ['pause 1'], 'other tests do not wait');
};

subtest 'an interruption ends a quick run' => sub {
    my $interrupt = sub { my ($process) = @_; $process->interrupt; return copy(1) };
    my ($runs)    = run({ a => [5, 6, $interrupt], b => [7] });
    my $test      = tests_of($runs);
    is_deeply([map { $test->{$_}{status} } qw(a b)], [qw(measured measured)], 'tests with short passes are measured');
    is($test->{a}{score},  2.75, 'the short passes make the score');
    is($runs->[0]{rounds}, 2,    'only whole rounds are counted');
    ($runs) = run({ a => [$interrupt] });
    is($runs->[0]{tests}[0]{reason}, 'interrupted before its first pass', 'a test without a short pass is interrupted');
    ($runs) = run({ a => [5], b => [5] }, warm => { a => $interrupt, b => 1 });
    is_deeply([events(qr/^make/)], ['make /b/a warm'],                     'in the warm-up: nothing else is started');
    is_deeply([$runs->[0]{rounds}, scalar @{ $runs->[0]{tests} }], [0, 0], 'and the run has no round and no test');
};

# Takes a number and a count; returns a pass as a journal has it.
sub kept {
    my ($number, $count) = @_;
    return { number => $number, count => $count, time_s => 2, timebase => 1, unit => 'lps', copies => [copy($count)] };
}

subtest 'a resumed quick run continues its rounds' => sub {
    my @kept = ({ started => 5, passes => { a => [kept(1, 10), kept(2, 10)], b => [kept(1, 10)] } });
    my ($runs, undef, $rule) = run({ a => [20], b => [20] }, kept => \@kept, seed => 9);
    is_deeply(counts($runs->[0]), { a => [10, 10, 20], b => [10, 20, 20] }, 'kept short passes are used');
    is_deeply([map { $_->[0] } @{ $rule->{asked} }], [9, 13], 'the time of kept short passes counts as spent');
    my %ended = (started => 5, ended => 9, passes => { a => [kept(1, 10), kept(2, 10)] });
    ($runs) = run({ a => [20] }, kept => [\%ended], rule => { rounds => 9 });
    is($runs->[0]{rounds},        2,               'a run that had ended stays as it was');
    is((events(qr/^round 2/))[0], 'round 2: kept', 'its last round is reported as kept');
};

subtest 'each test warms up once, in the order of the tests' => sub {
    my @copies;
    my $warm = sub {
        push @copies, $_[1];
        return map { copy(9) } 1 .. $_[1];
    };
    my ($runs, $process, $rule) = run({ map { $_ => [5] } 'a' .. 'f' }, warm => { map { $_ => 9 } 'a' .. 'f' });
    my @made = events(qr/^make/);
    is_deeply([splice @made, 0, 6], [map { "make /b/$_ warm" } 'a' .. 'f'], 'before the first round');
    is(scalar(grep { /warm/ } @made), 0, 'and in no other');
    isnt("@made[0 .. 5]", join(q{ }, map { "make /b/$_ 1" } 'a' .. 'f'), 'the order of a round is another one');
    is_deeply(counts($runs->[0])->{a}, [5, 5, 5],                    'its pass is not counted');
    is_deeply([events(qr/^pass/)],     [events(qr/^pass [123] of/)], 'its pass is not reported');

    # The rest takes 1 s, the warm-up six times 0.5 s, a round six times 2 s.
    is_deeply($rule->{asked}[0], [1 + 3 + 12, 12], 'its time belongs to the run, not to a round');
    is_deeply($process->{done},  ['pause 1'],      'there is no pause before it, other than the rest');
    run({ a => [1] }, warm => { a => $warm }, copies => [1, 3]);
    is_deeply(\@copies, [1, 3], 'with each number of copies');
    run({ a => [1], b => [1] }, warm => { b => 1 });
    is_deeply([events(qr/^make .*warm/)], ['make /b/b warm'], 'but not a test without such a pass');
    run({ a => [1] }, warm => { a => 1 }, test => { skipped => 'skipped: no display' });
    is_deeply([events(qr/^make/)], [], 'nor one that is skipped');
    my $stops = 0;
    my $stop  = sub { my ($of) = @_; $of->stop if !$stops++; return copy(1) };
    (undef, undef, $rule) = run({ a => [5] }, warm => { a => $stop });
    is(scalar(events(qr/warm/)), 2, 'it is made twice if Run is stopped in it');
    is_deeply($rule->{asked}[0], [1 + 0.5 + 2, 2], 'and the first time is not counted');
};

# [outcome of the warm-up, reason of the failed test or undef].
my @WRONG = (
    [failed('counted nothing: "COUNT|0|1|lps"', status    => 0)],
    [failed('exit status 3',                    status    => 3)],
    [failed('no COUNT line',                    status    => 0)],
    [failed('killed by SIGSEGV',                signal    => 11, status => 0), 'killed by SIGSEGV'],
    [failed(q{can't run /b/a: No such file},    status    => 127)],
    [failed('out of time: not done after 60 s', elapsed_s => 60), 'out of time: not done after 60 s'],
);

for my $case (@WRONG) {
    my ($outcome, $why) = @$case;
    my $what = $outcome->()->{error};
    subtest "in the warm-up: $what" => sub {
        my ($runs) = run({ a => [5], b => [7] }, warm => { a => $outcome, b => 1 });
        my $tests = tests_of($runs);
        is_deeply(
            [@{ $tests->{a} }{qw(status reason)}, scalar @{ $tests->{a}{passes} }, scalar(events(qr{^make /b/a 1}))],
            defined $why ? ['failed', "$why (warm-up)", 0, 0] : ['measured', undef, 3, 3],
            'whether the test has failed'
        );
        is_deeply([@{ $tests->{b} }{qw(status score)}], ['measured', 3.5], 'the other test is measured');
        is(scalar(events(qr/^test_(?:started|done) a/)), 2, 'start and end of the test are reported once');
    };
}

subtest 'the first pass calibrates those that follow' => sub {
    my %work = (arguments => ['-n', '{loops}'], loops_each => 0.1);
    my %with = (test      => { fixed_work => \%work, seconds => 2 });
    my $both = sub { return map { copy(5000) } 1 .. $_[1] };
    run({ w => [5000] }, %with, copies => [1, 2]);
    is_deeply([events(qr/^make/)], [(('make /b/w 1'), ('make /b/w -n 1000') x 2) x 2], 'by the score of one copy');
    run({ w => [5000] }, %with, warm => { w => $both }, copies => [2]);
    is_deeply([events(qr/^make/)], ['make /b/w warm', ('make /b/w -n 1000') x 3], 'by the warm-up, if there is one');
    run({ w => [5000] }, %with, warm => { w => failed('counted nothing') });
    is_deeply([events(qr/^make/)], ['make /b/w warm', 'make /b/w 1', ('make /b/w -n 1000') x 2], 'by a short pass');

    # In the warm-up, 8 loops in 2 s are 4 loops in the short pass of a second.
    my %coarse = (command => ['/b/a', 'long'], seconds => 3, asked => undef, pass_s => 3.5, limit_s => 70);
    %with = (test => { coarse => \%coarse });
    my (undef, undef, $rule) = run({ a => [5] }, %with, warm => { a => 8 }, noise => Surroundings->new([\%DISTURBED]));
    is_deeply([(events(qr/^make/))[1, 2]], [('make /b/a long') x 2],        'passes are longer if loops take too long');
    is_deeply([@{ $rule->{repeats}[0] }{qw(pass_s round_s)}], [3.52, 3.52], 'a repetition has their length');
    run({ a => [5] }, %with, warm => { a => 20 });
    is((events(qr/^make/))[1], 'make /b/a 1', 'a test with ten loops in a short pass keeps its length');
};

my %TWO = (a => [10], b => [20], 'a in state 1' => [11], 'b in state 1' => [22]);

subtest 'each state has a run' => sub {
    my ($runs, undef, $rule) = run(\%TWO, states => 2, copies => [1, 3], rule => { rounds => 4 });
    is_deeply(
        [map { [@$_{qw(number state copies rounds)}] } @$runs],
        [[0, 0, 1, 4], [1, 1, 1, 4], [2, 0, 3, 4], [3, 1, 3, 4]],
        'with its number, its state, the number of copies and of rounds'
    );
    is_deeply([map { scalar @{ $_->{others} || [] } } @$runs], [1, 0, 1, 0], 'the first state has the other');
    is($runs->[0]{others}[0], $runs->[1], 'with the same number of copies');
    my @own = ({ a => [(10) x 4], b => [(20) x 4] }, { a => [(11) x 4], b => [(22) x 4] });
    is_deeply([map { counts($_) } @$runs[0, 1]],    \@own,                  'each run has its own passes');
    is_deeply([map { $_->{indexes} } @$runs[0, 1]], [[qw(a b)], [qw(a b)]], 'and its own indexes');
    is($runs->[1]{started}, $runs->[0]{started}, 'both start at the same time');
    is_deeply($rule->{asked}[0], [1 + 8, 8], 'a round has the passes of both states');
    my @rounds = map { $_ < 4 ? "round $_" : 'round 4: reached' } 1 .. 4;
    my @done   = map { "test_done $_" } 'a', 'b', 'a in 1', 'b in 1';
    is_deeply([events(qr/^(?:test_done|round)/)], [(@rounds, @done) x 2], 'a round once, a test in each state');
};

# Returns the passes of a test in the order in which they were made, as "0 1 1 0".
sub order {
    my ($name) = @_;
    return join q{ }, map { / in (\d)\z/ ? $1 : 0 } events(qr{^make /b/$name 1});
}

subtest 'the states of a test come in turns' => sub {
    run(\%TWO, states => 2, rule => { rounds => 4 });
    is(order('a'), '0 1 1 0 0 1 1 0', 'the order of the first test alternates');
    is(order('b'), '1 0 0 1 1 0 0 1', 'that of the second begins with the other state');
    my $made = join q{ }, map { m{/b/(\w)} } events(qr/^make/);
    like($made, qr/\A(?:a a b b ?|b b a a ?){4}\z/, 'states of a test follow each other');
    run({ a => [1] }, states => 3, rule => { rounds => 6 });
    is(order('a'), '0 1 2 2 1 0 1 2 0 0 2 1 2 0 1 1 0 2', 'three states have six orders');
};

subtest 'passes in a row' => sub {
    my ($runs) = run(\%TWO, states => 2, in_a_row => 2, rule => { rounds => 2 }, warm => { a => 1, b => 1 });
    my @made   = map { m{/b/(\w) 1(?: in (1))?} ? $1 . ($2 // 0) : () } events(qr/^make/);
    my @states = map { join q{ }, sort splice @made, 0, 4 } 1 .. 4;
    is_deeply(\@states, [('a0 a0 b0 b0', 'a1 a1 b1 b1')[0, 1, 1, 0]], 'all tests of a state, then those of the other');
    is(join(q{ }, map { / in / ? 1 : 0 } events(qr/warm\b/)), '0 0 1 1', 'they warm up in the same way');
    is_deeply([map { counts($_)->{b} } @$runs[0, 1]], [[(20) x 4], [(22) x 4]], 'a round has several of a test');
    my %one = (%TWO, 'a in state 1' => [11, failed('exit status 3')]);
    ($runs) = run(\%one, states => 2, in_a_row => 3, rule => { rounds => 2 });
    is(scalar @{ $runs->[1]{tests}[0]{passes} }, 2, 'a test that fails has no more');
    is_deeply([map { scalar @{ $_->{passes} } } map { @{ $_->{tests} } } @$runs], [6, 6, 2, 6], 'others have all');
};

subtest 'a test that fails in one state is measured in the other' => sub {
    my %one      = (%TWO, 'a in state 1' => [11, failed('exit status 3')]);
    my ($runs)   = run(\%one, states => 2, rule => { rounds => 4 });
    my @statuses = ('a measured', 'b measured', 'a failed', 'b measured');
    is_deeply([map { "$_->{name} $_->{status}" } map { @{ $_->{tests} } } @$runs], \@statuses, 'status in each state');
    is($runs->[1]{tests}[0]{reason}, 'exit status 3 (pass 2, copy 1)', 'reason');
    is_deeply(counts($runs->[0]), { a => [(10) x 4], b => [(20) x 4] }, 'the state without an error has all passes');
    my ($none) = run({ a => [1], 'a in state 1' => [failed('x')] }, states => 2, rule => { rounds => 4 });
    is_deeply([map { $_->{rounds} } @$none], [4, 4], 'the run continues with the state that is left');
};

subtest 'each state warms up' => sub {
    my %warm = (a => 1, 'a in state 1' => failed('killed by SIGSEGV', signal => 11), b => 1);
    my ($runs) = run(\%TWO, states => 2, warm => \%warm);
    is_deeply([events(qr/warm\b/)], [map { ("make /b/$_ warm", "make /b/$_ warm in 1") } qw(a b)], 'each in each');
    is($runs->[1]{tests}[0]{reason}, 'killed by SIGSEGV (warm-up)', 'a copy that a signal ends fails in that state');
    is($runs->[0]{tests}[0]{status}, 'measured',                    'only');
    my %longer = (command => ['/b/a', '2'], seconds => 2, asked => undef, pass_s => 2, limit_s => 63);
    %warm = (a => 1, 'a in state 1' => sub { return copy(9, gated => 0) });
    run({ a => [1] }, states => 2, warm => \%warm, test => { ungated => \%longer });
    is_deeply([sort { $a cmp $b } (events(qr/^make/))[2, 3]], ['make /b/a 1', 'make /b/a 2 in 1'], 'longer passes');
};

subtest 'a resumed run of several states continues in the same order' => sub {
    my @how = (states => 2, seed => 5, rule => { rounds => 4 });
    run(\%TWO, @how);
    my @whole = events(qr/^pass/);

    # Eleven passes were made: two rounds, and three passes of the third one.
    my @kept = map { { started => 7 + $_, passes => {} } } 0, 1;
    for my $pass (@whole[0 .. 10]) {
        my ($number, $name, $state) = $pass =~ /\Apass (\d) of (\w)(?: in (\d))?\z/;
        push @{ $kept[$state // 0]{passes}{$name} }, kept($number, 99);
    }
    my ($runs) = run(\%TWO, @how, kept => \@kept);
    is_deeply([events(qr/^pass/)], \@whole, 'passes are reported in the same order');
    is(scalar(events(qr/^make/)), 5, 'five passes are made');
    my @from_before = grep { $_ == 99 } map { @$_ } map { values %{ counts($_) } } @$runs;
    is(scalar @from_before, 11, 'the others are those of both states');
    is_deeply([map { [@$_{qw(started rounds)}] } @$runs], [[7, 4], [8, 4]], 'each run has its start, and all rounds');
    $_->{ended} = 50 for @kept;
    ($runs) = run(\%TWO, @how, kept => \@kept);
    is_deeply([events(qr/^make/), map { $_->{ended} } @$runs], [50, 50], 'if the runs had ended, no pass is made');
};

# Three rounds are the least. A set has two rounds with two states, and six with three.
subtest 'no pass begins after the time limit, once the least rounds are made' => sub {
    for my $case ([1, 3], [2, 4], [3, 6], [4, 4]) {
        my ($states, $least) = @$case;
        my ($runs) = run({ a => [1] }, states => $states, rule => { rounds => 99, has_time => 0 });
        is_deeply([map { $_->{rounds} } @$runs], [($least) x $states], "$states states have $least rounds");
        is((events(qr/^round/))[-1], "round $least: time", 'then the time is over');
    }
};

# Tests that a quick run has at least three rounds, that no further short pass would end after --max-time, and that a
# limit in which eight rounds do not fit is refused at once.

# Takes the name of a test; returns the keys of its lane in the only state.
sub of { my ($name) = @_; return (lane => $name, state => 0) }

# Takes the maximum time, the number of copies, the seconds that the short passes take in turn, and the seconds that
# went by before. Makes a quick run of three tests, whose short passes are planned as 1 s each. Returns the run and the
# seconds of all.
sub made {
    my ($limit_s, $copies, $lengths_s, $before_s) = @_;
    my $process = FakeProcess->new;
    my $began_s = $process->{now_s};
    my $slices  = 0;
    $process->{now_s} += $before_s;
    my %name =
        map { $_ => { name => $_, title => uc $_, category => 'system', command => [$_], pass_s => 1, of($_) } }
        qw(a b c);
    my $runner = UnixBench::Measure::Runner->new(
        process   => $process,
        clock     => $process,
        cpu_count => 2,
        began_s   => $began_s,
        rule      => UnixBench::Score::StopRule->new(precision => 1e-9, max_time_s => $limit_s),
        indexes   => sub { [] },
        one_pass  => sub {
            $process->{now_s} += $lengths_s->[$slices++ % @$lengths_s];
            return map { { elapsed_s => 1, counted($slices, 1, 'lps', 1) } } 1 .. $copies;
        },
        is_draining => sub { return },
        on          => {},
    );
    my %plan = (
        copies   => [$copies],
        settle_s => [],
        rest_s   => 1,
        states   => [{}],
        tests    => [@name{qw(a b c)}],
        quick    => { seed => 1 }
    );
    my ($run) = $runner->run(\%plan);
    return ($run, $process->{now_s} - $began_s);
}

# [name, maximum time, copies, seconds of the short passes in turn, seconds before, rounds that are made, whether the
# run ends in time].
#<<< a table
my @CASES = (
    ['as planned',                    20, 1,   [1.1],              0, 5, 1],
    ['passes take twice as long',     20, 1,   [2.2],              0, 3, 0],
    ['a slow start',                  20, 1,   [1.1],              6, 3, 1],
    ['one pass takes long',           20, 1,   [1, 1, 9, 1],       0, 3, 0],
    ['many copies',                   20, 301, [1.1],              0, 4, 1],
);
#>>>

for my $row (@CASES) {
    my ($name, $limit_s, $copies, $lengths_s, $before_s, $rounds, $is_in_time) = @$row;
    my ($run, $took_s) = made($limit_s, $copies, $lengths_s, $before_s);
    my $most_s = $limit_s - UnixBench::Plan::reserve_s($copies);
    cmp_ok($took_s, $is_in_time ? '<=' : '>', $most_s, "$name: whether the run ends in time, with a reserve");
    is($run->{rounds},            $rounds, "$name: number of whole rounds");
    is(scalar @{ $run->{tests} }, 3,       "$name: every test is in the run");
    my @few = grep { @{ $_->{passes} } < 3 } @{ $run->{tests} };
    is_deeply(\@few, [], "$name: every test has at least three passes");
}

subtest 'after three rounds, no short pass begins that would take longer than the time left' => sub {
    srand 1995;
    for (1 .. 200) {
        my $longest_s = 1.1 + rand 3;
        my $limit_s   = 5 + rand 40;
        my ($run, $took_s) = made($limit_s, 1, [map { $longest_s * (0.5 + rand 0.5) } 1 .. 50], 0);
        cmp_ok($run->{rounds}, '>=', 3, 'there are at least three rounds') or return;
        next if $run->{rounds} == 3;
        cmp_ok($took_s, '<=', $limit_s, 'the run ends in time') or return;
    }
};

# [number of tests with short passes of a second, copies, states, seconds of the warm-up pass, least maximum time]. That
# time is 1 s of rest, eight rounds of passes that take 1.1 * 1.02 s (with two copies 1.1 * 1.025 s), and 2 s in reserve
# (with two copies 2.01 s). Three states have six orders, so eight rounds allow them; five states have ten.
#<<< a table
my @LEAST = (
    [1,  1, 1, undef, 1 + 8 * 1.122 + 2],
    [12, 2, 1, undef, 1 + 8 * 12 * 1.1275 + 2.01],
    [12, 1, 1, 0.1,   1 + 12 * 0.132 + 8 * 12 * 1.122 + 2],
    [1,  1, 3, 0.1,   1 + 3 * 0.132 + 3 * 8 * 1.122 + 2],
    [1,  1, 5, 0.1,   1 + 5 * 0.132 + 5 * 10 * 1.122 + 2],
);
#>>>
for my $row (@LEAST) {
    my ($count, $copies, $states, $warm_s, $least_s) = @$row;
    my @warm = defined $warm_s ? (warm_up => { pass_s => $warm_s }) : ();
    my %plan = (
        copies => [1, $copies],
        rest_s => 1,
        states => [({}) x $states],
        tests  => [map { { name => $_, of($_), pass_s => 1, @warm } } 1 .. $count]
    );
    my $planned_s = UnixBench::Plan::least_s(\%plan);
    is(
        sprintf('%.4f', $planned_s),
        sprintf('%.4f', $least_s),
        "least time for $count tests, $copies copies, $states states" . (@warm ? ', with a warm-up' : q{})
    );
}

subtest 'a maximum time that is too short is refused' => sub {
    my $refused =
        qr/\ARun: option --max-time: (\S+ \S+) is too short for 8 rounds of these tests; use --max-time (\d+)s/;
    #<<< a table
    for my $words ([qw(-c 1 -c 2 --max-time 40s)], [qw(-c 1 --max-time 1 pipe)]) {
        #>>>
        my $test = TestRun->new(env => { UB_TIME_FACTOR => 1 });
        my $run  = $test->run('-q', '--quick', @$words);
        is($run->{status}, 2, "@$words: the exit status is 2");
        like($run->{err}, $refused, "@$words: the error has the least time that is enough");
        is_deeply([$test->reports], [], "@$words: no report is made");
        my ($least)  = $run->{err} =~ /(\d+)s or more$/m;
        my ($option) = grep { $words->[$_] eq '--max-time' } 0 .. $#$words;
        my @enough   = @$words;
        $enough[$option + 1] = $least;
        is($test->run('--dry-run', '--quick', @enough)->{status}, 0, "@enough: this time is accepted");
    }
};

done_testing;
