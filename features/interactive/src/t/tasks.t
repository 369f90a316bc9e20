use strict;
use warnings;

use FindBin    qw($Bin);
use List::Util qw(sum);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('tasks', qw(tasks random));

# Name, period, demand of a frame in nanoseconds; its properties.
my @TASKS = (
    'Audio 1000000000/20 2500000 spread=0 varying=0 default=1 real_time=1 mixed=1 periodic=1',
    'Video 1000000000/60 6666666 spread=0 varying=0 default=1 real_time=1 mixed=1 periodic=1',
    'X 1000000000/10 0 spread=0 varying=1 default=1 real_time=0 mixed=1 periodic=1',
    'Gaming 0/1 10000000 spread=0 varying=0 default=1 real_time=0 mixed=0 periodic=0',
    'Probe 1000000000/1000 20000 spread=20 varying=0 default=1 real_time=1 mixed=1 periodic=1',
    'Video120 1000000000/120 3333333 spread=0 varying=0 default=0 real_time=0 mixed=0 periodic=1',
    'Video144 1000000000/144 2777777 spread=0 varying=0 default=0 real_time=0 mixed=0 periodic=1',
);
my $CUSTOM = 'Custom 7000000/1 2310000 spread=0 varying=0 default=1 real_time=1 mixed=0 periodic=1';

is_deeply([said_by($program, 'list')], \@TASKS, 'the list of tasks');
is_deeply([said_by($program, 'list', 33, 7000)], [@TASKS, $CUSTOM], 'the list has Custom if it is defined');

my %FOUND = (x => 'X', PROBE => 'Probe', Video120 => 'Video120', custom => 'none', Vid => 'none', q{} => 'none');
is((said_by($program, 'find', $_))[0], $FOUND{$_}, "the task of the name '$_'") for sort keys %FOUND;

sub stream {
    my (@words) = @_;
    my ($said)  = said_by($program, 'schedule', @words);
    return { period => (split ' ', $said)[0], demand => (split ' ', $said)[1], $said =~ /(\w+)=(\S*)/g };
}

my $audio = stream('Audio', 1, 0, 1);
is_deeply(
    [@$audio{qw(period demand spread phase shares)}],
    ['1000000000/20', 2_500_000, 0, 0, ''],
    'the schedule of Audio'
);
is(stream('Probe', 1, 0, 1)->{spread}, 200_000, 'releases of Probe are up to a fifth of its period late');

# Task, number of streams; their phases.
for my $case (['Video', 1, 0], ['Video', 3, 0, 5_555_555, 11_111_111], ['X', 4, 0, 25_000_000, 50_000_000, 75_000_000])
{
    my ($name, $count, @phases) = @$case;
    is_deeply([map { stream($name, 1, $_, $count)->{phase} } 0 .. $count - 1], \@phases, "phases of $count $name");
}
is(stream('Video', 1, 16_383, 16_384)->{phase}, 16_665_649, 'the phase of the last of 16,384 streams');

my %seeds = map { (stream('Probe', 1, $_, 100)->{seed} => 1) } 0 .. 99;
is(scalar keys %seeds,               100,                              'each stream has a seed of its own');
is(stream('Probe', 7, 3, 9)->{seed}, stream('Probe', 7, 3, 9)->{seed}, 'a stream has the same seed each time');
isnt(
    stream('Probe', 7, 3, 9)->{seed},
    stream('Probe', 8, 3, 9)->{seed},
    'a stream has another seed if the seed of the run differs'
);

my @shares = split /,/, stream('X', 1, 0, 1)->{shares};
is_deeply([sort { $a <=> $b } @shares], [0 .. 94, (95) x 5], 'X demands 0 .. 99 %, at most 95 (D7)');
my @rises = grep { $shares[$_] == $shares[$_ - 1] + 1 } 1 .. $#shares;
cmp_ok(scalar @rises, '<', 10, 'the demands of X are not a ramp');
is(sum(@shares), 4940, 'X demands about half a CPU on average');
isnt(stream('X', 2, 0, 1)->{shares}, join(',', @shares), 'another seed gives X another order');
isnt(stream('X', 1, 1, 2)->{shares}, join(',', @shares), 'another stream of X has another order');

done_testing;
