use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeProcess;
use RoundsRun qw(copy events failed run);
use UnixBench::Base::Clock;
use UnixBench::Measure::Rounds;
use UnixBench::Measure::Run;

my @NAMES = 'a' .. 'l';

# Takes the name of a test and a state; returns the lane.
sub lane { my ($name, $state) = @_; return { name => $name, state => $state // 0, lane => "$name$state" } }

my @LANES = map { lane($_, 0) } @NAMES;

sub names {
    return map { $_->{name} } @_;
}

sub rounds {
    my ($order, $count) = @_;
    return map { join q{}, names($order->begin_round(@LANES)) } 1 .. $count;
}

sub order {
    my ($seed, $run, @lanes) = @_;
    my $clock = UnixBench::Base::Clock->new;
    return UnixBench::Measure::Rounds->new(
        clock => $clock,
        lanes => @lanes ? \@lanes : \@LANES,
        seed  => $seed,
        run   => $run
    );
}

my @rounds = rounds(order(7, 0), 200);
is(join(q{}, sort split //, $_), join(q{}, @NAMES), "each test is in a round once: $_") for @rounds[0 .. 3];
is_deeply([rounds(order(7, 0), 200)], \@rounds, 'the same seed has the same rounds');
my %seen = map { $_ => 1 } @rounds, rounds(order(8, 0), 200), rounds(order(7, 2), 200),
    rounds(order(999_999_999, 0), 200);
is(keys %seen, 800, 'rounds, seeds and runs have different orders');

# In 6,000 rounds, each of 12 letters should be in each of 12 places 500 times. Chi-square with 121 degrees of freedom
# is above 200 once in 100,000.
my @count;
for my $round (rounds(order(1995, 0), 6000)) {
    my $place = 0;
    $count[$place++]{$_}++ for split //, $round;
}
my $chi_square = 0;
$chi_square += ($_ - 500)**2 / 500 for map {
    my $at = $_;
    map { $at->{$_} || 0 } @NAMES
} @count;
cmp_ok($chi_square, '<', 200, 'each letter is about as often in each place');
cmp_ok($chi_square, '>', 60,  'the places are not too regular');

is_deeply([order(1, 0)->begin_round],                   [],    'a round of no test');
is_deeply([names(order(1, 0)->begin_round($LANES[7]))], ['h'], 'a round of one test');

# The check that Park and Miller have published: seed 1 gives 1043618065 after 10,000 numbers.
my $plain = bless { random => 1 }, 'UnixBench::Measure::Rounds';
$plain->_next for 1 .. 10_000;
is($plain->{random}, 1_043_618_065, 'the generator is the published one');

subtest 'the moments of rounds are those of a time of day that is not set' => sub {
    my $clock  = bless { now_s => 7100, set_s => 0 }, 'StandingClock';
    my $rounds = UnixBench::Measure::Rounds->new(clock => $clock, lanes => \@LANES, seed => 7, run => 0);
    @$clock{qw(now_s set_s)} = (7200, -3600);
    is($rounds->wall_s, 7200, 'an hour back');
};

# The clock stands still between these steps.
subtest 'the seconds of short passes are those of the lanes of the round' => sub {
    my $clock  = bless { now_s => 0, set_s => 0 }, 'StandingClock';
    my @short  = map { { %{ lane($_, 0) }, pass_s => 0.48 } } qw(a b);
    my $rounds = UnixBench::Measure::Rounds->new(clock => $clock, lanes => \@short, seed => 1, run => 0);
    my @longer = ({ %{ $short[0] }, pass_s => 1.98 }, $short[1]);
    $rounds->begin_round(@longer);
    my $ended = $rounds->begin_short_pass($longer[0]);
    $clock->{now_s} += 3;
    $ended->();

    # Planned were 2 s, so passes take half as long again: 0.75 s for the other test.
    cmp_ok(abs($rounds->short_passes_s($longer[1]) - 0.75), '<', 1e-9, 'a lane without passes');
    cmp_ok(abs($rounds->short_passes_s(@longer) - 3.75),    '<', 1e-9, 'and one with a pass');
};

{

    package StandingClock;
    sub monotonic_s  { return $_[0]{now_s} }
    sub wall_s       { return $_[0]{now_s} + $_[0]{set_s} }
    sub wall_ahead_s { return $_[0]{set_s} }
}

# Tests of official runs, and of what the runs of both kinds have in common.

# Takes name => outcomes of its passes in turn; makes an official run. Returns its runs and the process.
sub official { return run(@_, official => 1) }

subtest 'an official run measures all tests' => sub {
    my ($runs, $process) = official({ a => [10, 30, 20], b => [5] }, copies => [1, 2]);
    is_deeply([map { $_->{copies} } @$runs], [1, 2], 'there is a run for each number of copies');
    my ($test) = @{ $runs->[0]{tests} };
    my @values = ('a', 'A', 'measured', sqrt(15 * 10), 'lps', 2);
    is_deeply([@$test{qw(name title status score unit samples)}], \@values, 'a test has these values');
    is_deeply($test->{dropped},                                   [10],     'and the passes that were dropped');
    my @counts = map { [map { $_->{count} } @{ $_->{tests}[0]{passes} }] } @$runs;
    is_deeply(\@counts, [[10, 30, 20], [20, 60, 40]], 'a test has its passes; the counts of two copies are added');
    is($runs->[0]{cpu_count}, 3, 'a run has the number of CPUs');
    cmp_ok($runs->[0]{started}, '<',  $runs->[0]{ended},   'a run ends after its start');
    cmp_ok($runs->[0]{ended},   '<=', $runs->[1]{started}, 'a run starts after the end of the run before');
    my @once = map {
        my $name = $_;
        ("test_started $name", (map { "pass $_ of $name" } 1 .. 3), "test_done $name")
    } qw(a b);
    is_deeply([events(qr/^(?:test|pass)/)], [(@once) x 2], 'events are reported in order');
    my @flushed = ('sync', 'pause 1', 'sync', 'pause 2');
    is_deeply($process->{done}, [(@flushed) x 12], 'disks are flushed before each pass');
};

subtest 'a pass that fails ends its test' => sub {
    my $second = sub { return (copy(1), failed('killed by SIGSEGV')->(), failed('no COUNT line')->()) };
    my ($runs) = official({ a => [7, $second], b => [5] }, copies => [3]);
    my ($failed, $next) = @{ $runs->[0]{tests} };
    is_deeply([@$failed{qw(status reason score)}], ['failed', 'killed by SIGSEGV (pass 2, copy 2)', undef], 'copy 2');
    is_deeply([map { scalar @{ $_->{copies} } } @{ $failed->{passes} }], [3, 3], 'both passes keep their copies');
    is($next->{status}, 'measured', 'the next test is measured');
    ($runs) = official({ a => [sub { die "can't start a process: too many\n" }], b => [5] });
    ($failed, $next) = @{ $runs->[0]{tests} };
    is($failed->{reason}, q{can't start a process: too many (pass 1)}, "a pass that can't be started");
    is($next->{status},   'measured',                                  'does not end the run either');
};

subtest 'an interruption ends the run' => sub {
    my $interrupt =
        sub { my ($process, $copies) = @_; $process->interrupt; return (failed('out of time')->()) x $copies };
    my ($runs) = official({ a => [5], b => [5, $interrupt], c => [5] }, copies => [1, 2]);
    is(scalar @$runs, 1, 'there is no further run');
    my ($before, $under_way, @later) = @{ $runs->[0]{tests} };
    is($before->{status}, 'measured', 'a test before the interruption is measured');
    is_deeply(
        [@$under_way{qw(status reason)}, scalar @{ $under_way->{passes} }],
        ['interrupted', 'interrupted after 1 of 3 passes', 1],
        'the test under way is interrupted, and keeps its finished pass'
    );
    is_deeply(\@later, [], 'there is no later test');
    is((events(q{}))[-1], 'test_done b', 'the interruption is reported');
    ok(defined $runs->[0]{ended}, 'the run has an end');
    my ($one) = official({ a => [$interrupt] }, test => { passes_wanted => 1 });
    is($one->[0]{tests}[0]{reason}, 'interrupted after 0 of 1 pass', 'the reason for a single pass');
    local $FakeProcess::INTERRUPT_AT = 1;
    ($one) = official({ a => [1] });
    is_deeply([$one->[0]{tests}[0]{status}, events(qr/make/)], ['interrupted'], 'nothing is started after a pause');
};

subtest 'a pass that was stopped is repeated' => sub {
    my $stop   = sub { my ($process, $copies) = @_; $process->stop; return (copy(99)) x $copies };
    my ($runs) = official({ a => [5, $stop, $stop, 6, 7] });
    my @passes = map { [@$_{qw(number count)}] } @{ $runs->[0]{tests}[0]{passes} };
    is_deeply(\@passes, [[1, 5], [2, 6], [3, 7]], 'the stopped passes do not count, and have no number');
    is(scalar(events(qr/^pass 2/)), 1, 'the pass is reported once');
    ($runs) = official({ a => [$stop] });
    is(scalar(events(qr/^make/)),    10, 'there are ten tries');
    is($runs->[0]{tests}[0]{reason}, 'it was stopped, frozen or suspended in each of 10 tries (pass 1)', 'ten tries');
};

# Takes a number and a count; returns a pass as a journal has it.
sub kept {
    my ($number, $count) = @_;
    return { number => $number, count => $count, time_s => 2, timebase => 1, unit => 'lps', copies => [] };
}

subtest 'a resumed run continues after its kept passes' => sub {
    my %failed = (%{ kept(2, 0) }, error => 'x', where => 'pass 2, copy 1');
    my @kept   = (
        { started => 5,  ended  => 9, passes => { a => [map { kept($_, $_) } 1 .. 3], b => [kept(1, 4), \%failed] } },
        { started => 10, passes => { a => [kept(1, 30), kept(2, 20)] } },
    );
    my ($runs) = official({ a => [10], b => [7] }, copies => [1, 2], kept => \@kept);
    is_deeply([map { $_->{count} } map { @{ $_->{tests}[0]{passes} } } @$runs], [1, 2, 3, 30, 20, 20], 'kept passes');
    is_deeply([@{ $runs->[0] }{qw(started ended)}], [5, 9], 'a run that had ended keeps its times');
    is($runs->[1]{started}, 10, 'a run under way keeps its start');
    cmp_ok($runs->[1]{ended}, '>', 10, 'and ends now');
    is_deeply(
        [map { "$_->{status} " . ($_->{reason} // q{}) } map { @{ $_->{tests} } } @$runs],
        ['measured ', 'failed x (pass 2, copy 1)', ('measured ') x 2],
        'a test that failed is not tried again'
    );
    my @all = events(qr/^pass/);
    is_deeply([@all[0 .. 4]], [(map { "pass $_ of a" } 1 .. 3), 'pass 1 of b', 'pass 2 of b'], 'they are reported');
    is(scalar(events(qr/^make/)), 4, 'only the others are made');
};

subtest 'a skipped test has no pass' => sub {
    my ($runs) = official({ a => [5] }, copies => [1, 2], test => { copies_max => 1, kind => 'graphics' });
    is_deeply([map { $_->{tests}[0]{status} } @$runs], [qw(measured skipped)], 'a graphics test with two copies');
    is($runs->[1]{tests}[0]{reason}, 'skipped: graphics tests run as one copy', 'the reason is given');
    official({ a => [5] }, test => { skipped => 'skipped: no display' });
    is_deeply([events(q{})], ['test_started a', 'test_done a'], 'a test may be skipped by the plan');
};

subtest 'a time of day that was set' => sub {
    my $ended = sub {
        my ($started, $end, $set_s) = @_;
        my %run = (started => $started);
        UnixBench::Measure::Run::end_at(\%run, $end, $set_s);
        return [@run{qw(ended clock_set_s)}];
    };
    is_deeply($ended->(1000, 1600, 0.01),  [1600, undef], 'a little');
    is_deeply($ended->(1000, 1600, -3600), [1600, -3600], 'during the run');
    is_deeply($ended->(9000, 1600, 10),    [1600, -7400], 'a run that ends before it began');
};

done_testing;
