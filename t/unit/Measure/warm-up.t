# Tests of the passes that warm up before the first round of a quick run: they come in the order of the tests, they are
# not counted, they calibrate the passes after them, and a test that can't be measured fails at once.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use RoundsRun qw(copy events failed run);

# Takes the runs; returns { name => test } of the first one.
sub tests_of {
    my ($runs) = @_;
    return { map { $_->{name} => $_ } @{ $runs->[0]{tests} } };
}

subtest 'each test warms up once, in the order of the tests' => sub {
    my ($runs, $process, $rule) = run({ map { $_ => [5] } 'a' .. 'f' }, warm => { map { $_ => 9 } 'a' .. 'f' });
    my @made = events(qr/^make/);
    is_deeply([splice @made, 0, 6], [map { "make /b/$_ warm" } 'a' .. 'f'], 'before the first round');
    is(scalar(grep { /warm/ } @made), 0, 'and in no other');
    isnt("@made[0 .. 5]", join(q{ }, map { "make /b/$_ 1" } 'a' .. 'f'), 'the order of a round is another one');
    my $test = tests_of($runs)->{a};
    is_deeply([map { $_->{count} } @{ $test->{passes} }], [5, 5, 5],                    'its pass is not counted');
    is_deeply([events(qr/^pass/)],                        [events(qr/^pass [123] of/)], 'its pass is not reported');

    # The rest takes 1 s, the warm-up six times 0.5 s, a round six times 2 s.
    is_deeply($rule->{asked}[0], [1 + 3 + 12, 12], 'its time belongs to the run, not to a round');
    is_deeply($process->{done},  ['pause 1'],      'there is no pause before it, other than the rest');
};

subtest 'each number of copies warms up' => sub {
    my @copies;
    my $warm = sub {
        my (undef, $copies) = @_;
        push @copies, $copies;
        return map { copy(1) } 1 .. $copies;
    };
    run({ a => [1] }, warm => { a => $warm }, copies => [1, 3]);
    is_deeply(\@copies, [1, 3], 'with its number of copies');
};

subtest 'a test that takes its own time, or is skipped, does not warm up' => sub {
    run({ a => [1], b => [1] }, warm => { b => 1 });
    is_deeply([events(qr/^make .*warm/)], ['make /b/b warm'], 'a test without such a pass');
    run({ a => [1] }, warm => { a => 1 }, test => { skipped => 'skipped: no display' });
    is_deeply([events(qr/^make/)], [], 'a test that is skipped');
};

# [what is wrong in the warm-up, outcome, reason of the failed test, or undef].
my @WRONG = (
    ['a count of 0',                   failed('a count of 0: "COUNT|0|1|lps"', status => 0)],
    ['an exit status of 3',            failed('exit status 3',                 status => 3)],
    ['no count',                       failed('no COUNT line',                 status => 0)],
    ['a signal',                       failed('killed by SIGSEGV', signal => 11, status => 0), 'killed by SIGSEGV'],
    ['a program that is missing',      failed(q{can't run /b/a: No such file}, status => 127)],
    ['a wrapper that can\'t start it', failed('exit status 126',               status => 126)],
    ['the time limit', failed('out of time: not done after 60 s', elapsed_s => 60), 'out of time: not done after 60 s'],
);

for my $case (@WRONG) {
    my ($what, $outcome, $why) = @$case;
    subtest "in the warm-up: $what" => sub {
        my ($runs) = run({ a => [5], b => [7] }, warm => { a => $outcome, b => 1 });
        my $tests  = tests_of($runs);
        my $failed = ['failed', defined $why ? "$why (warm-up)" : undef, 0];
        is_deeply(
            [@{ $tests->{a} }{qw(status reason)}, scalar @{ $tests->{a}{passes} }],
            defined $why ? $failed               : ['measured', undef, 3],
            defined $why ? 'the test has failed' : 'the test is measured'
        );
        is(scalar(events(qr{^make /b/a 1})), defined $why ? 0 : 3, 'passes of the test');
        is_deeply([@{ $tests->{b} }{qw(status score)}], ['measured', 3.5], 'the other test is measured');
        is(scalar(events(qr/^test_(?:started|done) a/)), 2, 'start and end of the test are reported once');
    };
}

subtest 'all tests fail in the warm-up' => sub {
    my ($runs) = run({ a => [5] }, warm => { a => failed('killed by SIGKILL', signal => 9) });
    is_deeply([events(qr/^round/)], ['round 1: failed'], 'the run ends');
    is($runs->[0]{tests}[0]{status}, 'failed', 'with the failed test');
};

subtest 'an interruption of the warm-up' => sub {
    my ($runs) = run({ a => [5], b => [5] }, warm => { a => sub { $_[0]->interrupt; return copy(1) }, b => 1 });
    is_deeply([events(qr/^make/)], ['make /b/a warm'],                              'nothing else is started');
    is_deeply([@{ $runs->[0] }{qw(rounds)}, scalar @{ $runs->[0]{tests} }], [0, 0], 'the run has no round and no test');
};

subtest 'a pass that warms up is repeated if Run is stopped in it' => sub {
    my $stops = 0;
    my $stop  = sub { my ($process) = @_; $process->stop if !$stops++; return copy(1) };
    my (undef, undef, $rule) = run({ a => [5] }, warm => { a => $stop });
    is(scalar(events(qr/warm/)), 2, 'it is made twice');
    is_deeply($rule->{asked}[0], [1 + 0.5 + 2, 2], 'and the first time is not counted');
};

subtest 'the warm-up calibrates fixed work' => sub {
    my %work = (arguments => ['-n', '{loops}'], loops_each => 0.1);
    my $both = sub {
        map { copy(5000) } 1 .. $_[1];
    };
    run({ w => [5000] }, test => { fixed_work => \%work, seconds => 2 }, warm => { w => $both }, copies => [2]);
    is_deeply(
        [events(qr/^make/)],
        ['make /b/w warm', ('make /b/w -n 1000') x 3],
        'all short passes have it, by the score of one copy'
    );
    run({ w => [5000] }, test => { fixed_work => \%work, seconds => 2 }, warm => { w => failed('a count of 0') });
    is_deeply(
        [events(qr/^make/)],
        ['make /b/w warm', 'make /b/w 1', ('make /b/w -n 1000') x 2],
        'without a count in the warm-up, the first short pass calibrates it'
    );
};

# In the warm-up, 8 loops in 2 s are 4 loops in the short pass of a second.
subtest 'the warm-up tells that loops take too long for the short pass' => sub {
    my %coarse = (command => ['/b/a', 'long'], seconds => 3, asked => undef, pass_s => 3.5, limit_s => 70);
    my %test   = (test    => { coarse => \%coarse });
    my $noise  = Once->new;
    my (undef, undef, $rule) = run({ a => [5] }, %test, warm => { a => 8 }, noise => $noise);
    is_deeply([(events(qr/^make/))[1, 2]], [('make /b/a long') x 2], 'then passes are longer from the first one on');
    is_deeply([@{ $rule->{repeats}[0] }{qw(pass_s round_s)}],
        [3.52, 3.52], 'a repetition is planned with their length');
    run({ a => [5] }, %test, warm => { a => 20 });
    is((events(qr/^make/))[1], 'make /b/a 1', 'a test with ten loops in a short pass keeps its length');
};

# Fake noise: the first pass is disturbed.
{

    package Once;
    sub new                { my ($class) = @_; return bless { made => 0 }, $class }
    sub rest_begins        { return }
    sub before             { return }
    sub round_ends         { return }
    sub after              { return { tags => [], noticed => {} } }
    sub is_worth_repeating { my ($self) = @_; return !$self->{made}++ }
}

done_testing;
