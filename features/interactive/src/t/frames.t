use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

# Frames with a simulated clock.
need_compiler();

my $program = driver('frames', qw(frames tasks stats random));

# Takes a policy, what differs from the usual scenario, and stalls and extra work; returns the words of the driver.
sub played {
    my ($policy, $differs, @events) = @_;
    my %of = (period => 10, demand => 4, frames => 10, first => 0, %$differs);
    my ($said) = said_by($program, $policy, @of{qw(period demand frames first)}, map { @$_ } @events);
    return { $said =~ /(\w+) (\S*)/g };
}

my $STALL = [stall => 3, 55];
my @WAKES = map { [stall => $_, 5] } 0 .. 9;
my $LATE  = [extra => 3, 8];
my $LONG  = [extra => 3, 33];

#<<< a table
# Period 10, demand 4, 10 frames. Policy; what is changed; frames on time, late and dropped; work in percent; the
# staleness of each frame that is not censored, the lowest first; the greatest one with those of censored frames.
my @PLAYED = (
    [skip    => {}, [],        [10, 0, 0], 100, [(4) x 10],                       4],
    [catchup => {}, [],        [10, 0, 0], 100, [(4) x 10],                       4],
    [skip    => {}, [$LATE],   [8, 1, 1],  90,  [(4) x 8, 12, 14],                14],
    [catchup => {}, [$LATE],   [9, 1, 0],  100, [(4) x 8, 6, 12],                 12],
    [skip    => {}, [$LONG],   [6, 1, 3],  70,  [(4) x 6, 14, 24, 34, 37],        37],
    [catchup => {}, [$LONG],   [6, 2, 2],  80,  [(4) x 5, 5, 11, 21, 31, 37],     37],
    [skip    => {}, [$STALL],  [4, 0, 6],  40,  [(4) x 4, 14, 24, 34, 44, 54, 64], 64],
    [catchup => {}, [$STALL],  [5, 0, 5],  50,  [(4) x 4, 9, 19, 29, 39, 49, 59], 59],
    [skip    => {}, \@WAKES,   [10, 0, 0], 100, [(9) x 10],                       9],
    [skip    => { demand => 10 }, [], [10, 0, 0], 100, [(10) x 10],               10],

    # The first 5 frames are the warm-up.
    [skip    => { first => 5 }, [],                   [5, 0, 0], 100, [(4) x 5],           4],
    [skip    => { first => 5 }, [[stall => 4, 35]],   [2, 0, 3], 40,  [4, 4, 14, 24, 34],  34],
    [catchup => { first => 5 }, [[stall => 4, 35]],   [3, 0, 2], 60,  [4, 4, 9, 19, 29],   29],
    [catchup => { first => 5 }, [[extra => 4, 33]],   [2, 1, 2], 60,  [4, 5, 11, 21, 31],  31],
    [skip    => { first => 5 }, [[stall => 4, 1000]], [0, 0, 5], 0,   [],                  990],
    [skip    => { first => 5 }, [[extra => 8, 1000]], [3, 1, 1], 80,  [4, 4, 4, 1004],     1004],
    [catchup => { first => 5 }, [[stall => 9, 100]],  [4, 0, 1], 80,  [4, 4, 4, 4],        100],
    [skip    => { first => 10 }, [],                  [0, 0, 0], 'nan', [],                -1],
);
#>>>

subtest 'a stall counts once for each frame in it' => sub {
    for my $case (@PLAYED) {
        my ($policy, $differs, $events, $counts, $work, $staleness, $max) = @$case;
        my $said = played($policy, $differs, @$events);
        my $done = $said->{demand} ? 100 * $said->{done} / $said->{demand} : 'nan';
        my $name = "$policy, frames @$counts, @$staleness";
        is_deeply([@$said{qw(on_time late dropped)}, $done, $said->{stalest}], [@$counts, $work, $max], $name);
        is($said->{staleness}, join(q{}, map { "$_," } @$staleness), "$name: the staleness");
        is_deeply([@$said{qw(burns wrong)}], [$counts->[0] + $counts->[1], 0], "$name: executed frames work once");
    }
    is(played('skip', {}, @WAKES)->{wake}, '5,' x 10, 'each frame has its own wake latency');
};

subtest 'a demand above the period' => sub {
    my ($skip, $catch_up) = map { played($_, { demand => 12, frames => 600 }) } qw(skip catchup);
    is_deeply([@$skip{qw(on_time late dropped)}], [0, 300, 300], 'skip: every second frame is dropped');
    is($skip->{done} / $skip->{demand}, 0.5, 'skip: half of the work is done');
    is_deeply([@$skip{qw(censored censored_max p50 p90 max)}], [1, 2, 12, 22, 22], 'skip: the last frame is censored');
    is_deeply([@$catch_up{qw(on_time late dropped)}], [0, 500, 100], 'catchup: frames on time, late and dropped');
    is($_->{mean}, '16.992', 'the mean of the staleness') for $skip, $catch_up;
};

done_testing;
