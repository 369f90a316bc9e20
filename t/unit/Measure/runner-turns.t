# Tests of quick runs that measure several states of the machine in turns.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use RoundsRun qw(copy events failed run);
use UnixBench::Score::StopRule;

# Takes a run; returns { test => [counts of its passes] }.
sub counts {
    my ($run) = @_;
    return {
        map {
            $_->{name} => [map { $_->{count} } @{ $_->{passes} }]
        } @{ $run->{tests} }
    };
}

# Returns the passes of a test in the order in which they were made, as "0 1 1 0".
sub order {
    my ($name) = @_;
    return join q{ }, map { / in (\d)\z/ ? $1 : 0 } events(qr{^make /b/$name 1});
}

my %TWO = (a => [10], b => [20], 'a in state 1' => [11], 'b in state 1' => [22]);

subtest 'each state has a run' => sub {
    my ($runs, undef, $rule) = run(\%TWO, states => 2, copies => [1, 3], rule => { rounds => 4 });
    is_deeply(
        [map { [@$_{qw(number state copies rounds)}] } @$runs],
        [[0, 0, 1, 4], [1, 1, 1, 4], [2, 0, 3, 4], [3, 1, 3, 4]],
        'with its number, its state, the number of copies and of rounds'
    );
    is_deeply([map { scalar @{ $_->{others} || [] } } @$runs], [1, 0, 1, 0],
        'the run of the first state has the other');
    is($runs->[0]{others}[0], $runs->[1], 'with the same number of copies');
    is_deeply(
        [map { counts($_) } @$runs[0, 1]],
        [{ a => [(10) x 4], b => [(20) x 4] }, { a => [(11) x 4], b => [(22) x 4] }],
        'each run has its own passes'
    );
    is_deeply([map { $_->{indexes} } @$runs[0, 1]], [[qw(a b)], [qw(a b)]], 'and its own indexes');
    is($runs->[1]{started}, $runs->[0]{started}, 'both start at the same time');
    is_deeply($rule->{asked}[0], [1 + 8, 8], 'a round has the passes of both states');
    is_deeply(
        [events(qr/^(?:test_|round)/)],
        [
            ((grep { /^test_started/ } events(q{}))[0 .. 3], map { $_ < 4 ? "round $_" : 'round 4: reached' } 1 .. 4),
            (map { ("test_done $_") } 'a', 'b', 'a in 1', 'b in 1'),
            (grep { /^test_started/ } events(q{}))[4 .. 7],
            (map { $_ < 4 ? "round $_" : 'round 4: reached' } 1 .. 4),
            (map { ("test_done $_") } 'a', 'b', 'a in 1', 'b in 1'),
        ],
        'a round is reported once, a test in each state'
    );
};

# Rounds of the second set take longer than those of the first, and end after the time limit.
subtest 'every round counts' => sub {
    my $rule = UnixBench::Score::StopRule->new(precision => 0.0001, max_time_s => 100);
    my $slow = sub { my ($process) = @_; $process->{now_s} += 3; return copy(1) };
    my %pass = map { ('a' . ($_ ? " in state $_" : q{}) => [(1 + $_) x 4, ($slow) x 8]) } 0 .. 3;
    no warnings 'once';
    local *RoundsRun::Rule::decide = sub { my (undef, @run) = @_; $run[0]{indexes} = []; return $rule->decide(@run) };
    local *RoundsRun::Rule::has_time_for = sub { my (undef, @pass) = @_; return $rule->has_time_for(@pass) };
    my ($runs) = run(\%pass, states => 4);
    is_deeply([map { $_->{rounds} } @$runs], [(8) x 4], 'the run ends after a complete set of orders');
    is(scalar @{ $runs->[0]{tests}[0]{passes} }, 8, 'and no pass is left over');
};

subtest 'the states of a test come in turns' => sub {
    run(\%TWO, states => 2, rule => { rounds => 4 });
    is(order('a'), '0 1 1 0 0 1 1 0', 'the order of the first test alternates');
    is(order('b'), '1 0 0 1 1 0 0 1', 'that of the second begins with the other state');
    my $made = join q{ }, map { m{/b/(\w)} } events(qr/^make/);
    like($made, qr/\A(?:a a b b ?|b b a a ?){4}\z/, 'states of a test follow each other');
    run({ a => [1] }, states => 3, rule => { rounds => 6 });
    is(order('a'), '0 1 2 2 1 0 1 2 0 0 2 1 2 0 1 1 0 2', 'three states have six orders');
};

subtest 'a test that fails in one state is measured in the other' => sub {
    my %one = (%TWO, 'a in state 1' => [11, failed('exit status 3')]);
    my ($runs) = run(\%one, states => 2, rule => { rounds => 4 });
    is_deeply(
        [
            map {
                [map { @$_{qw(name status)} } @{ $_->{tests} }]
            } @$runs
        ],
        [[qw(a measured b measured)], [qw(a failed b measured)]],
        'status in each state'
    );
    is($runs->[1]{tests}[0]{reason}, 'exit status 3 (pass 2, copy 1)', 'reason');
    is_deeply(counts($runs->[0]), { a => [(10) x 4], b => [(20) x 4] }, 'the state without an error has all passes');
    my ($none) = run({ a => [1], 'a in state 1' => [failed('x')] }, states => 2, rule => { rounds => 4 });
    is_deeply([map { $_->{rounds} } @$none], [4, 4], 'the run continues with the state that is left');
};

subtest 'each state warms up' => sub {
    my %warm = (a => 1, 'a in state 1' => failed('killed by SIGSEGV', signal => 11), b => 1);
    my ($runs) = run(\%TWO, states => 2, warm => \%warm);
    is_deeply(
        [events(qr/warm\b/)],
        ['make /b/a warm', 'make /b/a warm in 1', 'make /b/b warm', 'make /b/b warm in 1'],
        'each test in each state'
    );
    is(
        $runs->[1]{tests}[0]{reason},
        'killed by SIGSEGV (warm-up)',
        'a copy that a signal ends there fails in that state'
    );
    is($runs->[0]{tests}[0]{status}, 'measured', 'only');
};

subtest 'passes of a state without a start gate are longer' => sub {
    my %longer  = (command => ['/b/a', '2'], seconds => 2, asked => undef, pass_s => 2, limit_s => 63);
    my $ungated = sub { return copy(9, gated => 0) };
    run(
        { a => [1] },
        states => 2,
        warm   => { a       => 1, 'a in state 1' => $ungated },
        test   => { ungated => \%longer }
    );
    is_deeply([sort { $a cmp $b } (events(qr/^make/))[2, 3]], ['make /b/a 1', 'make /b/a 2 in 1'], 'only there');
};

# Takes a number and a count; returns a pass as a journal has it.
sub kept {
    my ($number, $count) = @_;
    return { number => $number, count => $count, time_s => 2, timebase => 1, unit => 'lps', copies => [copy($count)] };
}

subtest 'a resumed run continues in the same order' => sub {
    run(\%TWO, states => 2, seed => 5, rule => { rounds => 4 });
    my @whole = events(qr/^pass/);

    # Eleven passes were made: two rounds, and three passes of the third one.
    my @kept = map { { started => 7 + $_, passes => {} } } 0, 1;
    for my $pass (@whole[0 .. 10]) {
        my ($number, $name, $state) = $pass =~ /\Apass (\d) of (\w)(?: in (\d))?\z/;
        push @{ $kept[$state // 0]{passes}{$name} }, kept($number, 99);
    }
    my ($runs) = run(\%TWO, states => 2, seed => 5, rule => { rounds => 4 }, kept => \@kept);
    is_deeply([events(qr/^pass/)], \@whole, 'passes are reported in the same order');
    is(scalar(events(qr/^make/)), 5, 'five passes are made');
    my $kept_of = sub {
        return scalar grep { $_ == 99 } map { @$_ } values %{ counts($_[0]) };
    };
    is($kept_of->($runs->[0]) + $kept_of->($runs->[1]), 11, 'the others are those of both states');
    is_deeply([map { $_->{started} } @$runs], [7, 8], 'each run has its start');
    is_deeply([map { $_->{rounds} } @$runs],  [4, 4], 'both have all rounds');
    $_->{ended} = 50 for @kept;
    ($runs) = run(\%TWO, states => 2, seed => 5, rule => { rounds => 4 }, kept => \@kept);
    is_deeply([events(qr/^make/)],          [],       'if the runs had ended, no pass is made');
    is_deeply([map { $_->{ended} } @$runs], [50, 50], 'and they keep their ends');
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

done_testing;
