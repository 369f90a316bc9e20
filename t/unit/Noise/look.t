use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree);
use UnixBench::Noise::Look;

# A fake clock that shows the time that is passed to new.
package FakeClock {
    sub new { my ($class, $now_s) = @_; return bless { now_s => $now_s }, $class }
    sub monotonic_s { my ($self) = @_; return $self->{now_s} }
}

# Takes the time, and { pid => [name, parent, own ticks, ticks of its children, start] }; returns the processes of a
# look. Process 10 is this program.
sub look {
    my ($at_s, $processes) = @_;
    my %text = map { ("/proc/$_/stat" => stat_of($_, @{ $processes->{$_} })) } keys %$processes;
    return look_at($at_s, '/proc/self/stat' => stat_of(10, 'perl', 1, 0, 0, 1), %text);
}

sub look_at {
    my ($at_s, %text) = @_;
    return UnixBench::Noise::Look->new(
        root        => host_tree(%text),
        clock       => FakeClock->new($at_s),
        usable_cpus => 2
    )->processes;
}

# Takes the values of a process; returns its stat file. Half of the ticks are user time, half kernel time.
sub stat_of {
    my ($pid, $name, $parent, $own, $children, $started) = @_;
    my @ticks = map { (int $_ / 2, $_ - int $_ / 2) } $own, $children;
    return "$pid ($name) S $parent 1 1 0 -1 0 1 2 3 4 @ticks 20 0 1 0 $started 99 99\n";
}

# Takes the processes of two looks that are 2 s apart; returns the busiest ones, each as text.
sub busiest {
    my ($before, $after) = @_;
    my @busiest = UnixBench::Noise::Look::busiest(look(100, $before), look(102, $after));
    return [map { join q{ }, $_->{pid}, $_->{name}, $_->{cpus}, $_->{is_by_children} ? 'children' : () } @busiest];
}

# [name, processes before, processes after, the busiest ones].
my @CASES = (
    ['no process was busy', { 7 => ['a', 1, 500, 0, 5] }, { 7 => ['a', 1, 500, 0, 5] }],
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
        'the time of children that came and went is counted',
        { 7 => ['make', 1, 10, 300, 5] },
        { 7 => ['make', 1, 20, 400, 5] },
        '7 make 0.55 children'
    ],
    [
        'only the new time of a child is counted',
        { 7 => ['sh', 1, 0, 300,  5], 9 => ['cc', 7, 1000, 0, 6] },
        { 7 => ['sh', 1, 0, 1320, 5] },
        '7 sh 0.1 children'
    ],
    [
        'only the new time of a grandchild is counted',
        { 7 => ['sh', 1, 0, 0,   5], 8 => ['make', 7, 3, 10, 6], 9 => ['cc', 8, 100, 0, 7] },
        { 7 => ['sh', 1, 0, 213, 5] },
        '7 sh 0.5 children'
    ],
    [
        'the time of a child that was not waited for is ignored',
        { 7 => ['sh', 1, 0, 0, 5], 9 => ['cc', 7, 100, 0, 7] },
        { 7 => ['sh', 1, 8, 0, 5] },
        '7 sh 0.04'
    ],
    [
        'five processes are listed at most',
        { map { $_ => ['a', 1, 0,             0, 5] } 1 .. 7 },
        { map { $_ => ['a', 1, 10 * ($_ % 4), 0, 5] } 1 .. 7 },
        '3 a 0.15', '7 a 0.15', '2 a 0.1', '6 a 0.1', '1 a 0.05'
    ],
    ['a name may have any characters', {}, { 7 => [") R 1 (\n", 1, 100, 0, 5] }, "7 ) R 1 (\n 0.5"],
    ['two processes may be the parents of each other', { 7 => ['a', 8, 1, 0, 5], 8 => ['b', 7, 1, 0, 5] }, {}],
);
for my $case (@CASES) {
    my ($what, $before, $after, @expected) = @$case;
    is_deeply(busiest($before, $after), \@expected, $what);
}

is_deeply([UnixBench::Noise::Look::busiest(map { look(7, { 7 => ['a', 1, $_, 0, 5] }) } 0, 9)],
    [], 'two looks at the same time list no process');
my %none = map { $_ => {} } qw(processes);
is_deeply(look_at(5),                                    { at_s => 5, %none }, 'without /proc there are no processes');
is_deeply(look_at(5, '/proc/7/stat' => $_)->{processes}, {},                   'a damaged stat file is ignored')
    for q{}, "7 a\n", '7 (a) S 1 2', stat_of(7, 'a', 1, 0, 0, -5), stat_of(7, 'a', 1, 0, 0, '9' x 16);

done_testing;
