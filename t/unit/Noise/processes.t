use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree);
use UnixBench::Host::KernelFiles;
use UnixBench::Noise::Processes;

# A fake clock that shows the time that is passed to new.
package FakeClock {
    sub new { my ($class, $now_s) = @_; return bless { now_s => $now_s }, $class }
    sub monotonic_s { my ($self) = @_; return $self->{now_s} }
}

# Takes the time, and { pid => [name, parent, own ticks, ticks of its children, start, perhaps flags, perhaps state]
# }; returns a look at these processes. Process 10 is this program.
sub look {
    my ($at_s, $processes) = @_;
    my %text = map { ("/proc/$_/stat" => stat_of($_, @{ $processes->{$_} })) } keys %$processes;
    return look_at(
        $at_s,
        '/proc/stat'      => "cpu  1\ncpu0 1\ncpu1 1\n",
        '/proc/self/stat' => stat_of(10, 'perl', 1, 0, 0, 1),
        %text
    );
}

sub look_at {
    my ($at_s, %text) = @_;
    return UnixBench::Noise::Processes->new(
        files => UnixBench::Host::KernelFiles->new(root => host_tree(%text)),
        clock => FakeClock->new($at_s),
    )->look;
}

# Takes the values of a process; returns its stat file. Half of the ticks are user time, half kernel time.
sub stat_of {
    my ($pid, $name, $parent, $own, $children, $started, $flags, $state) = @_;
    $_ //= 0 for $flags, $own, $children, $started;
    my @ticks = map { (int $_ / 2, $_ - int $_ / 2) } $own, $children;
    $_ //= 'S' for $state;
    return "$pid ($name) $state $parent 1 1 0 -1 $flags 1 2 3 4 @ticks 20 0 1 0 $started 99 99\n";
}

# Takes the processes of two looks that are 2 s apart; returns the busiest ones, each as text.
sub busiest {
    my ($before, $after) = @_;
    my @busiest = UnixBench::Noise::Processes::busiest(look(100, $before), look(102, $after));
    return [map { "$_->{pid} $_->{name} $_->{cpus}" } @busiest];
}

# [name, processes before, processes after, the busiest ones].
my @CASES = (
    ['no process was busy', { 7 => ['a', 1, 500, 0, 5] }, { 7 => ['a', 1, 500, 0, 5] }],
    [
        'another Run has its name',
        { 7 => ['perl', 1, 0,   0,   5], 8 => ['Run: guardian', 7, 0, 0, 5] },
        { 7 => ['perl', 1, 100, 200, 5], 8 => ['Run: guardian', 7, 0, 0, 5] },
        '7 Run 1.5'
    ],
    [
        'the busiest process comes first',
        { 7 => ['a', 1, 500, 0, 5], 8 => ['b', 1, 0,   0, 5] },
        { 7 => ['a', 1, 550, 0, 5], 8 => ['b', 1, 200, 0, 5] },
        '8 b 1', '7 a 0.25'
    ],
    ['a process below 2 % of a CPU is left out', { 7 => ['a', 1, 500, 0, 5] }, { 7 => ['a', 1, 503, 0, 5] }],
    ['a process with 2 % of a CPU is listed',  { 7 => ['a', 1, 500, 0, 5] }, { 7 => ['a', 1, 504, 0, 5] }, '7 a 0.02'],
    ['a new process is listed',                {},                           { 7 => ['a', 1, 100, 0, 5] }, '7 a 0.5'],
    ['a number may belong to another process', { 7 => ['a', 1, 500, 0, 5] }, { 7 => ['b', 1, 20, 0, 6] },  '7 b 0.1'],
    ['a process that ended is left out',       { 7 => ['a', 1, 500, 0, 5] }, {}],
    ['this program is left out',               { 10 => ['perl', 1,  0, 0, 1] }, { 10 => ['perl', 1,  90, 90, 1] }],
    ['a child of this program is left out',    { 11 => ['x',    10, 0, 0, 9] }, { 11 => ['x',    10, 90, 0,  9] }],
    [
        'all descendants of this program are left out',
        {},
        {
            10 => ['perl', 1,  0,  0, 1],
            11 => ['sh',   10, 9,  9, 2],
            12 => ['sh',   11, 9,  9, 3],
            13 => ['cc',   12, 90, 9, 4]
        }
    ],
    [
        'an orphan of this program is left out',
        { 10 => ['perl', 1, 0, 0, 1], 11 => ['sh', 10, 9,  9, 2], 12 => ['cc', 11, 0, 0, 3] },
        { 10 => ['perl', 1, 0, 0, 1], 12 => ['cc', 1,  90, 9, 3] }
    ],
    [
        'a kernel thread is left out',
        {}, { 8 => ['kworker/0:1', 2, 90, 0, 1, 0x0420_8060], 9 => ['a', 2, 100, 0, 1, 0x0040_0100] },
        '9 a 0.5'
    ],
    [
        'children that must be older are ignored',
        { 7 => ['sh', 1, 10, 0,   5], 8 => ['make', 1, 0, 0,   5] },
        { 7 => ['sh', 1, 20, 401, 5], 8 => ['make', 1, 0, 400, 5] },
        '8 make 2'
    ],
    [
        'the first process is not blamed for orphans',
        { 1 => ['init', 0, 0,  0,   0] },
        { 1 => ['init', 0, 20, 100, 0] },
        '1 init 0.1'
    ],
    [
        'the time of children that came and went is counted',
        { 7 => ['make', 1, 10, 300, 5] },
        { 7 => ['make', 1, 20, 400, 5] },
        '7 make 0.55'
    ],
    [
        'only the new time of a child is counted',
        { 7 => ['sh', 1, 0, 300,  5], 9 => ['cc', 7, 1000, 0, 6] },
        { 7 => ['sh', 1, 0, 1320, 5] },
        '7 sh 0.1'
    ],
    [
        'only the new time of a grandchild is counted',
        { 7 => ['sh', 1, 0, 0,   5], 8 => ['make', 7, 3, 10, 6], 9 => ['cc', 8, 100, 0, 7] },
        { 7 => ['sh', 1, 0, 213, 5] },
        '7 sh 0.5'
    ],
    [
        'the time of a child that was not waited for is ignored',
        { 7 => ['sh', 1, 0, 0, 5], 9 => ['cc', 7, 100, 0, 7] },
        { 7 => ['sh', 1, 8, 0, 5] },
        '7 sh 0.04'
    ],
    [
        'three processes are named at most',
        { map { $_ => ['a', 1, 0,             0, 5] } 1 .. 7 },
        { map { $_ => ['a', 1, 10 * ($_ % 4), 0, 5] } 1 .. 7 },
        '3 a 0.15', '7 a 0.15', '2 a 0.1'
    ],
    ['a name may have any characters', {}, { 7 => [") R 1 (\n", 1, 100, 0, 5] }, '7 ) R 1 (\n 0.5'],
    ['two processes may be the parents of each other', { 7 => ['a', 8, 1, 0, 5], 8 => ['b', 7, 1, 0, 5] }, {}],
);
for my $case (@CASES) {
    my ($what, $before, $after, @expected) = @$case;
    is_deeply(busiest($before, $after), \@expected, $what);
}

is_deeply([UnixBench::Noise::Processes::busiest(map { look(7, { 7 => ['a', 1, $_, 0, 5] }) } 0, 9)],
    [], 'two looks at the same time list no process');

# [what is between two looks, the processes of the second one, who is named].
#<<< a table
my @NAMED = (
    ['no process is busy',       {}],
    ['numbers have two digits',  { 7 => ['yes', 1, 33, 34, 5] }, [yes => 7, 0.34]],
    [
        'the three busiest are named, if they used a tenth of the time of the first',
        { map { $_ => ["p$_", 1, 10 * $_, 0, 5] } 1 .. 5 }, ['p5', 5, 0.25], ['p4', 4, 0.2], ['p3', 3, 0.15]
    ],
    ['the second one used little', { 7 => ['a', 1, 200, 0, 5], 8 => ['b', 1, 19, 0, 5] }, [a => 7, 1]],
    ['a name is made printable', { 7 => ["\e[31m<b>\n\xff", 1, 100, 0, 5] }, ['\x1b[31m<b>\n\xff', 7, 0.5]],
);
#>>>
for my $case (@NAMED) {
    my ($what, $after, @expected) = @$case;
    my @named = UnixBench::Noise::Processes::busiest(look(100, {}), look(102, $after));
    is_deeply([map { [@$_{qw(name pid cpus)}] } @named], \@expected, "named: $what");
}

# [what is there, processes, PIDs of other Runs].
my @RUNS = (
    ['another Run',               { 20 => ['Run', 1, 0, 0, 1], 21 => ['Run: guardian', 20, 0, 0, 1] }, 20],
    ['two others',                { map { 20 + $_ => ['Run: guardian', 30 + $_, 0, 0, 1] } 1, 2 }, 31, 32],
    ['our own guardian',          { 11 => ['Run: guardian', 10, 0, 0, 1] }],
    ['a build',                   { 20 => ['Run',           1,  0, 0, 1], 21 => ['Run: build', 20, 0, 0, 1] }],
    ['a guardian that has ended', { 21 => ['Run: guardian', 20, 0, 0, 1, 0, 'Z'] }],
    ['a Run that is stopped',     { 20 => ['Run', 1, 0, 0, 1, 0, 'T'], 21 => ['Run: guardian', 20, 0, 0, 1] }],
    ['a similar name',            { 21 => ['Run: guardian2', 20, 0, 0, 1], 22 => ['x Run: guardian', 20, 0, 0, 1] }],
);
is_deeply(look(5, $_->[1])->{other_runs}, [@$_[2 .. $#$_]], "other Runs: $_->[0]") for @RUNS;

is_deeply([@{ look_at(5) }{qw(at_s took_s own other_runs)}], [5, 0, undef, []], 'without /proc nothing is known');
my $none = [UnixBench::Noise::Processes::busiest(look_at(5), look_at(6))];
is_deeply($none, [], 'without /proc there are no processes');
for my $text (q{}, "7 a\n", '7 (a) S 1 2', stat_of(7, 'a', 1, 0, 0, -5), stat_of(7, 'a', 1, 0, 0, '9' x 16)) {
    my @looks = (look_at(5), look_at(6, '/proc/7/stat' => $text, '/proc/8/stat' => stat_of(8, 'b', 1, 9, 9, 5)));
    is_deeply([map { $_->{pid} } UnixBench::Noise::Processes::busiest(@looks)], [8], 'a damaged stat file is ignored');
}

done_testing;
