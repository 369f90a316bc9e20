use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeProcess;
use Fixture qw(counted);
use UnixBench::Measure::Runner;

my @EVENTS;

# A rule that stops after so many rounds, and notes what it was asked.
{

    package Rule;

    sub new { my ($class, %with) = @_; return bless { %with, asked => [] }, $class }

    sub decide {
        my ($self, $run, @times_s) = @_;
        push @{ $self->{asked} }, [@times_s];
        return $run->{rounds} >= $self->{rounds} ? 'reached' : undef;
    }

    sub may_repeat {
        my ($self, %time) = @_;
        push @{ $self->{repeats} }, {%time};
        return $self->{has_time};
    }
}

# Something that finds a pass disturbed when its tags come to that.
{

    package Surroundings;

    sub new         { my ($class, @tags) = @_; return bless { tags => \@tags, seen => [] }, $class }
    sub rest_begins { my ($self) = @_; push @{ $self->{seen} }, 'rest';   return }
    sub before      { my ($self) = @_; push @{ $self->{seen} }, 'before'; return }
    sub after       { my ($self) = @_; return { tags => shift @{ $self->{tags} } || [], noticed => {} } }

    sub is_worth_repeating {
        my ($self, $tags) = @_;
        return scalar grep { $_->{level} eq 'disturbed' } @$tags;
    }
}

# Takes name => counts of its slices in turn, or a function that returns a copy; each slice takes 2 s, beginning a
# second of that. Returns the runs, process and rule.
sub run {
    my ($outcomes, %with) = @_;
    my $process = FakeProcess->new;
    my $rule    = Rule->new(rounds => 3, has_time => 1, %{ $with{rule} || {} });
    my %turn;
    @EVENTS = ();
    my $runner = UnixBench::Measure::Runner->new(
        process   => $process,
        clock     => $process,
        cpu_count => 3,
        rule      => $rule,
        noise     => $with{noise},
        indexes   => sub {
            [map { $_->{name} } grep { $_->{status} eq 'measured' } @{ $_[0] }]
        },
        one_pass => sub {
            my ($test, $copies) = @_;
            push @EVENTS, "make @{ $test->{command} }";
            $process->{now_s} += 2;
            my $outcome = $outcomes->{ $test->{name} }[$turn{ $test->{name} }++ % @{ $outcomes->{ $test->{name} } }];
            return ref $outcome ? $outcome->($process, $copies) : map { copy($outcome) } 1 .. $copies;
        },
        is_draining => sub { return $with{draining} && $with{draining}-- > 0 },
        on          => {
            (
                map {
                    my $event = $_;
                    $event => sub { push @EVENTS, "$event $_[0]{name}" }
                } qw(test_started test_done)
            ),
            pass_done  => sub { push @EVENTS, "pass $_[0]{number} of $_[1]{name}" },
            round_done => sub { push @EVENTS, "round $_[0]{rounds}" . (defined $_[1] ? ": $_[1]" : q{}) },
        },
    );
    my @tests = map { planned($_, %{ $with{test} || {} }) } sort keys %$outcomes;
    my %plan  = (
        copies   => $with{copies} || [1],
        settle_s => [],
        rest_s   => 1,
        tests    => \@tests,
        quick    => { seed => $with{seed} || 1 }
    );
    my @runs = $runner->run(\%plan, $with{kept});
    return (\@runs, $process, $rule);
}

sub planned {
    my ($name, %with) = @_;
    return {
        name     => $name,
        title    => uc $name,
        category => 'system',
        command  => ["/b/$name", '1'],
        pass_s   => 1.5,
        seconds  => 1,
        drain_s  => 0,
        %with
    };
}

sub copy {
    my ($count, %with) = @_;
    return { elapsed_s => 2, counted($count, 1, 'lps', 2), %with };
}

sub failed {
    my ($error) = @_;
    return sub { { elapsed_s => 1, error => $error, data => { ERROR => [$error] } } }
}

sub events {
    my ($pattern) = @_;
    return grep { /$pattern/ } @EVENTS;
}

my %DISTURBED = (cause => 'others', level => 'disturbed', value => 0.5);

subtest 'rounds' => sub {
    my ($runs, $process, $rule) = run({ a => [10, 20, 60], b => [5], c => [7] }, copies => [1, 2]);
    my ($run) = @$runs;
    is_deeply([map { $_->{rounds} } @$runs],           [3, 3],      'until the rule finds it enough');
    is_deeply([map { $_->{name} } @{ $run->{tests} }], [qw(a b c)], 'the tests are as asked, whatever came first');
    my %test = map { $_->{name} => $_ } @{ $run->{tests} };
    is_deeply([map { $_->{number} } @{ $test{$_}{passes} }], [1, 2, 3], "$_ in each, with its number") for qw(a b c);
    is_deeply(
        [@{ $test{a} }{qw(status score samples time_s unit)}],
        ['measured', 15, 3, 2, 'lps'],
        'a score: all that was counted by all the time'
    );
    is_deeply([@{ $test{a} }{qw(dropped kept passes_wanted)}], [[], [10, 20, 60], undef], 'nothing is dropped');
    is_deeply($rule->{asked}[1], [13, 6],           'asked with seconds of the run, rest and all, and of a round');
    is_deeply($process->{done},  [('pause 1') x 2], 'a rest before each run, nothing before a slice');
    is(scalar(events(qr/^test_started/)), 6, 'each is told to have begun once in a run');
    is_deeply([grep { /^test_done/ } @EVENTS[-3 .. -1]], [@EVENTS[-3 .. -1]],         'and to be done at the end');
    is_deeply([events(qr/^round/)], [('round 1', 'round 2', 'round 3: reached') x 2], 'rounds are told, too');
};

subtest 'order' => sub {
    my $order = sub {
        run({ map { $_ => [1] } 'a' .. 'h' }, seed => $_[0]);
        return join q{ }, events(qr/^make/);
    };
    is($order->(3), $order->(3), 'the same for the same seed');
    isnt($order->(3), $order->(4), 'another for another');
    my $all    = $order->(3);
    my @rounds = $all =~ m{((?:make /b/\w 1 ?){8})}g;
    isnt($rounds[0], $rounds[1], 'another in each round');
};

subtest 'a slice that fails' => sub {
    my ($runs) = run({ a => [1, failed('no COUNT line')], b => [4] });
    my %test = map { $_->{name} => $_ } @{ $runs->[0]{tests} };
    is_deeply(
        [@{ $test{a} }{qw(status reason score)}],
        ['failed', 'no COUNT line (pass 2, copy 1)', undef],
        'fails its test'
    );
    is(scalar @{ $test{b}{passes} },  3, 'the others go on');
    is(scalar(events(qr{make /b/a})), 2, 'without it');
    my ($none) = run({ a => [failed('x')], b => [failed('y')] });
    is($none->[0]{rounds}, 1, 'one round when all fail');
    is_deeply([events(qr/^round/)], ['round 1: failed'], 'as is told');
};

subtest 'skipped' => sub {
    my ($runs) = run({ a => [1] }, test => { skipped => 'skipped: no display' });
    is_deeply([map { @$_{qw(status reason)} } @{ $runs->[0]{tests} }], ['skipped', 'skipped: no display'], 'once');
    is($runs->[0]{rounds}, 1, 'and nothing more');
};

subtest 'disturbed' => sub {
    my $noise = Surroundings->new([\%DISTURBED], [\%DISTURBED], [], [{ %DISTURBED, level => 'note' }]);
    my ($runs, undef, $rule) = run({ a => [1, 2, 3, 4, 5] }, noise => $noise);
    my ($first, $second) = @{ $runs->[0]{tests}[0]{passes} };
    is($first->{count}, 3, 'a disturbed slice is made again, twice at most');
    is_deeply([map { $_->{count} } @{ $first->{set_aside} }], [1, 2], 'what it replaces is kept, but does not count');
    is_deeply($first->{set_aside}[0]{tags},                   [\%DISTURBED], 'with the reason');
    is($second->{count}, 4, 'what is worth a note is not made again');
    is_deeply(
        $rule->{repeats}[0],
        { elapsed_s => 3, pass_s => 1.6, ahead_s => 0, round_s => 1.6, round => 1 },
        'the rule knows what time is gone, and what will be needed'
    );
    is_deeply($rule->{asked}[0],             [7, 2], 'slices set aside are time of the run, but not of a round');
    is_deeply([@{ $noise->{seen} }[0 .. 2]], [qw(rest before before)], 'looked at before each');

    $noise = Surroundings->new(([\%DISTURBED]) x 9);
    ($runs) = run({ a => [1, 2, 3, 4, 5, 6, 7, 8, 9] }, noise => $noise);
    is_deeply([map { $_->{count} } @{ $runs->[0]{tests}[0]{passes} }], [3, 6, 9], 'the third counts, whatever it is');
    is($runs->[0]{tests}[0]{passes}[0]{tags}[0]{cause}, 'others', 'with its tags');

    $noise = Surroundings->new(([\%DISTURBED]) x 9);
    ($runs) = run({ a => [1, 2, 3] }, noise => $noise, rule => { has_time => 0 });
    is_deeply([map { $_->{count} } @{ $runs->[0]{tests}[0]{passes} }], [1, 2, 3], 'none when time is short');
    ($runs) = run({ a => [failed('x')] }, noise => Surroundings->new(([\%DISTURBED]) x 9));
    is(scalar(events(qr/^make/)), 1, 'what failed is not made again');
};

subtest 'stopped and continued' => sub {
    my $stop = sub { my ($process) = @_; $process->stop; return copy(9) };
    my ($runs, undef, $rule) = run({ a => [$stop, 1, 2, 3] });
    is_deeply([map { $_->{count} } @{ $runs->[0]{tests}[0]{passes} }], [1, 2, 3], 'the slice is made again');
    is_deeply($rule->{asked}[0], [3, 2], 'and its time counts nowhere');
};

subtest 'work that fits is found out once' => sub {
    my %work = (arguments => ['-n', '{loops}'], loops_each => 0.1);
    run({ w => [5000] }, test => { fixed_work => \%work, seconds => 2 }, copies => [1, 2]);
    is_deeply(
        [events(qr/^make/)],
        [(('make /b/w 1'), ('make /b/w -n 1000') x 2) x 2],
        'in each run, from the score of a copy'
    );
    run({ w => [1] }, test => { fixed_work => \%work });
    is((events(qr/-n/))[0], 'make /b/w -n 1', 'at least one loop');
};

subtest 'pages on their way to the disk' => sub {
    my (undef, $process) = run({ f => [1] }, test => { drain_s => 0.5 }, draining => 2);
    is_deeply([splice @{ $process->{done} }, 1], [('pause 0.02') x 2], 'are waited for');
    (undef, $process) = run({ f => [1] }, test => { drain_s => 0.5 }, draining => 1000, rule => { rounds => 1 });
    my $waits = grep { $_ eq 'pause 0.02' } @{ $process->{done} };
    cmp_ok($waits, '>=', 25, 'with patience');
    cmp_ok($waits, '<=', 26, 'that ends');
    (undef, $process) = run({ f => [1] }, draining => 2);
    is_deeply($process->{done}, ['pause 1'], 'but not for other tests');
};

subtest 'interrupted' => sub {
    my $interrupt = sub { my ($process) = @_; $process->interrupt; return copy(1) };
    my ($runs)    = run({ a => [5, 6, $interrupt], b => [7] });
    my %test      = map { $_->{name} => $_ } @{ $runs->[0]{tests} };
    is_deeply([map { $test{$_}{status} } qw(a b)], [qw(measured measured)], 'what there is of slices counts');
    is($test{a}{score},    2.75, 'in the score');
    is($runs->[0]{rounds}, 2,    'rounds that are whole are counted');
    ($runs) = run({ a => [$interrupt] });
    is_deeply(
        [@{ $runs->[0]{tests}[0] }{qw(status reason)}],
        ['interrupted', 'interrupted before its first pass'],
        'and where there is none, it says so'
    );
};

subtest 'gone on with' => sub {
    my $kept =
        sub { { number => $_[0], count => 10, time_s => 2, timebase => 1, unit => 'lps', copies => [copy(10)] } };
    my @kept = ({ started => 5, passes => { a => [map { $kept->($_) } 1, 2], b => [$kept->(1)] } });
    my ($runs, undef, $rule) = run({ a => [20], b => [20] }, kept => \@kept, seed => 9);
    my %test = map {
        $_->{name} => [map { $_->{count} } @{ $_->{passes} }]
    } @{ $runs->[0]{tests} };
    is_deeply(\%test,                                { a => [10, 10, 20], b => [10, 20, 20] }, 'where it was');
    is_deeply([map { $_->[0] } @{ $rule->{asked} }], [9, 13], 'with the time that was spent before');
    ($runs) = run({ a => [20] }, kept => [{ started => 5, passes => { b => [$kept->(1)] } }]);
    is($runs->[0]{rounds}, 3, 'passes of what is not measured any more keep no run going');
    ($runs) = run(
        { a => [20] },
        kept => [{ started => 5, ended => 9, passes => { a => [$kept->(1), $kept->(2)] } }],
        rule => { rounds => 9 }
    );
    is($runs->[0]{rounds},        2,               'a run that had ended stays as it was');
    is((events(qr/^round 2/))[0], 'round 2: kept', 'as is told');
};

done_testing();
