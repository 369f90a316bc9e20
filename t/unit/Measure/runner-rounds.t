use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use RoundsRun qw(copy events failed run);

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

subtest 'a quick run is made in rounds' => sub {
    my ($runs, $process, $rule) = run({ a => [10, 20, 60], b => [5], c => [7] }, copies => [1, 2]);
    my ($run) = @$runs;
    is_deeply([map { $_->{rounds} } @$runs], [3, 3], 'rounds are made until the rule ends the run');
    is_deeply([map { $_->{name} } @{ $run->{tests} }],
        [qw(a b c)], 'the tests are in the order of the words, whatever ran first');
    my %test = map { $_->{name} => $_ } @{ $run->{tests} };
    is_deeply([map { $_->{number} } @{ $test{$_}{passes} }], [1, 2, 3], "$_ has a pass in each round, with its number")
        for qw(a b c);
    is_deeply(
        [@{ $test{a} }{qw(status score samples time_s unit)}],
        ['measured', 15, 3, 2, 'lps'],
        'the score is the sum of the counts by the sum of the times'
    );
    is_deeply([@{ $test{a} }{qw(dropped kept passes_wanted)}], [[], [10, 20, 60], undef], 'no pass is dropped');
    is_deeply($rule->{asked}[1], [13, 6], 'the rule gets the seconds of the run, with its rest, and of a round');
    is_deeply($process->{done}, [('pause 1') x 2], 'there is a rest before each run, and no pause before a short pass');
    is(scalar(events(qr/^test_started/)), 6, 'the start of each test is reported once in a run');
    is_deeply(
        [map { s/ .*//r } (events(q{}))[-3 .. -1]],
        [('test_done') x 3],
        'the end of each test is reported at the end'
    );
    is_deeply([events(qr/^round/)], [('round 1', 'round 2', 'round 3: reached') x 2], 'each round is reported');
};

subtest 'a short pass that fails ends its test' => sub {
    my ($runs) = run({ a => [1, failed('no COUNT line')], b => [4] });
    my %test = map { $_->{name} => $_ } @{ $runs->[0]{tests} };
    is_deeply(
        [@{ $test{a} }{qw(status reason score)}],
        ['failed', 'no COUNT line (pass 2, copy 1)', undef],
        'the test has failed'
    );
    is(scalar @{ $test{b}{passes} },  3, 'the other test is measured');
    is(scalar(events(qr{make /b/a})), 2, 'the failed test is not run again');
    my ($none) = run({ a => [failed('x')], b => [failed('y')] });
    is($none->[0]{rounds}, 1, 'there is one round if all tests fail');
    is_deeply([events(qr/^round/)], ['round 1: failed'], 'the end of that round is reported');
};

subtest 'disturbed short passes are repeated' => sub {
    my $noise = Surroundings->new([\%DISTURBED], [\%DISTURBED], [], [{ %DISTURBED, level => 'note' }]);
    my ($runs, undef, $rule) = run({ a => [1, 2, 3, 4, 5] }, noise => $noise);
    my ($first, $second) = @{ $runs->[0]{tests}[0]{passes} };
    is($first->{count}, 3, 'a disturbed short pass is repeated, twice at most');
    is_deeply([map { $_->{count} } @{ $first->{set_aside} }], [1, 2], 'the disturbed short passes are set aside');
    is_deeply($first->{set_aside}[0]{tags}, [\%DISTURBED],            'the passes set aside have their disturbances');
    is($second->{count}, 4, 'a short pass with a note is not repeated');
    is_deeply(
        $rule->{repeats}[0],
        { elapsed_s => 3, pass_s => 1.52, ahead_s => 0, round_s => 1.52, round => 1 },
        'the rule gets the time that is spent and the time that is needed'
    );
    is_deeply($rule->{asked}[0], [7, 2], 'the time of repeated passes belongs to the run, not to a round');
    is_deeply(
        $noise->{seen},
        [qw(rest before before before end before end before end)],
        'the noise is looked at before each short pass, and after each round'
    );

    $noise = Surroundings->new(([\%DISTURBED]) x 9);
    ($runs) = run({ a => [1, 2, 3, 4, 5, 6, 7, 8, 9] }, noise => $noise);
    is_deeply(
        [map { $_->{count} } @{ $runs->[0]{tests}[0]{passes} }],
        [3, 6, 9],
        'the third short pass counts, even if it is disturbed'
    );
    is($runs->[0]{tests}[0]{passes}[0]{tags}[0]{cause}, 'others', 'the third short pass has its disturbances');

    $noise = Surroundings->new(([\%DISTURBED]) x 9);
    ($runs) = run({ a => [1, 2, 3] }, noise => $noise, rule => { has_time => 0 });
    is_deeply(
        [map { $_->{count} } @{ $runs->[0]{tests}[0]{passes} }],
        [1, 2, 3],
        'no short pass is repeated if time is short'
    );
    ($runs) = run({ a => [failed('x')] }, noise => Surroundings->new(([\%DISTURBED]) x 9));
    is(scalar(events(qr/^make/)), 1, 'a failed short pass is not repeated');
};

subtest 'a short pass that was stopped is repeated' => sub {
    my $stop = sub { my ($process) = @_; $process->stop; return copy(9) };
    my ($runs, undef, $rule) = run({ a => [$stop, 1, 2, 3] });
    is_deeply(
        [map { $_->{count} } @{ $runs->[0]{tests}[0]{passes} }],
        [1, 2, 3],
        'the stopped short pass does not count'
    );
    is_deeply($rule->{asked}[0], [3, 2], 'the time of the stopped short pass does not count');
};

subtest 'a short pass that ended far too late is repeated at most twice' => sub {
    my $made = sub {
        my $noise = Surroundings->new;
        $noise->{late} = $_[0];
        my ($runs, undef, $rule) = run({ a => [1 .. 9] }, noise => $noise);
        return ($runs->[0]{tests}[0]{passes}, $rule);
    };
    my ($passes, $rule) = $made->(2);
    is_deeply([map { $_->{count} } @$passes], [3, 4, 5], 'the late short passes do not count');
    is_deeply($rule->{asked}[0],              [3, 2],    'their time does not count, either');
    is_deeply([grep { exists $_->{is_too_late} || $_->{set_aside} } @$passes], [], 'nothing of them is left');
    ($passes) = $made->(3);
    is_deeply([map { $_->{count} } @$passes], [3, 4, 5], 'the third short pass counts, even if it is late');
};

subtest 'passes that took far longer than the others are marked, if a test takes its own time' => sub {
    my $slow   = sub { my %copy = %{ copy(3) }; return { %copy, elapsed_s => 20 } };
    my $marked = sub {
        my ($runs) = run({ a => [1, $slow, 2] }, noise => Surroundings->new, @_);
        return [
            map {
                [map { "$_->{cause} $_->{value}" } @{ $_->{tags} }]
            } @{ $runs->[0]{tests}[0]{passes} }
        ];
    };
    is_deeply($marked->(), [[], ['late 14'], []], 'one of three passes is marked');
    my %asked = (asked => { seconds => 2, of => 'elapsed_s', loops_at_once => 1 });
    is_deeply($marked->(test => \%asked), [[], [], []], 'a test that has a duration is not judged by its other passes');
};

subtest 'fixed work is calibrated once in a run' => sub {
    my %work = (arguments => ['-n', '{loops}'], loops_each => 0.1);
    run({ w => [5000] }, test => { fixed_work => \%work, seconds => 2 }, copies => [1, 2]);
    is_deeply(
        [events(qr/^make/)],
        [(('make /b/w 1'), ('make /b/w -n 1000') x 2) x 2],
        'each run is calibrated by the score of one copy'
    );
    run({ w => [1] }, test => { fixed_work => \%work });
    is((events(qr/-n/))[0], 'make /b/w -n 1', 'the work is at least one loop');
};

subtest 'file tests wait for pages that are written to the disk' => sub {
    my (undef, $process) = run({ f => [1] }, test => { drain_s => 0.5 }, draining => 2);
    is_deeply([splice @{ $process->{done} }, 1], [('pause 0.02') x 2], 'file tests wait until all pages are written');
    (undef, $process) = run({ f => [1] }, test => { drain_s => 0.5 }, draining => 1000, rule => { rounds => 1 });
    my $waits = grep { $_ eq 'pause 0.02' } @{ $process->{done} };
    cmp_ok($waits, '>=', 25, 'file tests wait for half a second');
    cmp_ok($waits, '<=', 26, 'file tests do not wait longer');
    (undef, $process) = run({ f => [1] }, draining => 2);
    is_deeply($process->{done}, ['pause 1'], 'other tests do not wait');
};

subtest 'an interruption ends a quick run' => sub {
    my $interrupt = sub { my ($process) = @_; $process->interrupt; return copy(1) };
    my ($runs)    = run({ a => [5, 6, $interrupt], b => [7] });
    my %test      = map { $_->{name} => $_ } @{ $runs->[0]{tests} };
    is_deeply([map { $test{$_}{status} } qw(a b)], [qw(measured measured)], 'tests with short passes are measured');
    is($test{a}{score},    2.75, 'the short passes make the score');
    is($runs->[0]{rounds}, 2,    'only whole rounds are counted');
    ($runs) = run({ a => [$interrupt] });
    is_deeply(
        [@{ $runs->[0]{tests}[0] }{qw(status reason)}],
        ['interrupted', 'interrupted before its first pass'],
        'a test without a short pass is interrupted'
    );
};

subtest 'a resumed quick run continues its rounds' => sub {
    my $kept =
        sub { { number => $_[0], count => 10, time_s => 2, timebase => 1, unit => 'lps', copies => [copy(10)] } };
    my @kept = ({ started => 5, passes => { a => [map { $kept->($_) } 1, 2], b => [$kept->(1)] } });
    my ($runs, undef, $rule) = run({ a => [20], b => [20] }, kept => \@kept, seed => 9);
    my %test = map {
        $_->{name} => [map { $_->{count} } @{ $_->{passes} }]
    } @{ $runs->[0]{tests} };
    is_deeply(\%test, { a => [10, 10, 20], b => [10, 20, 20] }, 'kept short passes are used');
    is_deeply([map { $_->[0] } @{ $rule->{asked} }], [9, 13],   'the time of kept short passes counts as spent');
    ($runs) = run({ a => [20] }, kept => [{ started => 5, passes => { b => [$kept->(1)] } }]);
    is($runs->[0]{rounds}, 3, 'passes of other tests do not matter');
    ($runs) = run(
        { a => [20] },
        kept => [{ started => 5, ended => 9, passes => { a => [$kept->(1), $kept->(2)] } }],
        rule => { rounds => 9 }
    );
    is($runs->[0]{rounds},        2,               'a run that had ended stays as it was');
    is((events(qr/^round 2/))[0], 'round 2: kept', 'the last round of a run that had ended is reported as kept');
};

done_testing();
