use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Planned qw(make);
use UnixBench::Catalog;
use UnixBench::Plan::ResourceCheck;

# [tests, copies, work factor of the shell tests, processes, memory in KB, scratch files in KB].
my @CASES = (
    ['pipe',                 1,    1,    9,    8448,      4],
    ['pipe',                 1024, 1,    1032, 270336,    4096],
    ['context1',             2,    1,    12,   9216,      8],
    ['fsdisk',               2,    1,    10,   8704,      32_008],
    ['fsdisk-w fsbuffer',    1,    1,    9,    8448,      8004],
    ['shell1',               1,    1,    14,   9472,      68],
    ['shell8',               2,    1,    76,   19712,     1032],
    ['shell16',              1,    1,    74,   19072,     1028],
    ['shell16',              1,    1000, 74,   2_065_024, 1_024_004],
    ['C',                    1,    1,    12,   20_480,    260],
    ['pipe fsdisk shell1 C', 4,    1,    32,   57_344,    64_016],
    ['2d-rects pipe',        2,    1,    10,   8704,      8],
    ['2d-rects',             2,    1,    8,    8192,      8],
);

for my $case (@CASES) {
    my ($tests, $copies, $factor, @expected) = @$case;
    my $plan   = make(tests => [split q{ }, $tests], copies => [$copies]);
    my $demand = UnixBench::Plan::ResourceCheck::demand($plan, $copies, $factor);
    is_deeply([@$demand{qw(processes memory_kb scratch_kb)}], \@expected, "$copies x $tests, factor $factor");
    is($demand->{copies}, $copies, "copies of $copies x $tests");
}

for my $test (UnixBench::Catalog::tests()) {
    my $needs = $test->{needs};
    ok($needs->{processes} > 0 && $needs->{memory_kb} > 0, "$test->{name} needs processes and memory");
}

# Takes a number of copies, the limits of a system, and changes of the demand of these copies; returns the problems.
sub problems {
    my ($copies, $limits, %other) = @_;
    my %demand = (copies => $copies, processes => $copies + 8, memory_kb => $copies * 1024, %other);
    return [UnixBench::Plan::ResourceCheck::problems_of_limits(\%demand, $limits)];
}

is_deeply(problems(100_000, {}), [], 'without limits there are no problems');
my %plenty = (
    open_files       => 622,
    open_files_max   => 4096,
    processes        => 540,
    processes_max    => 1000,
    user_processes   => 20,
    cgroup_processes => 520,
    memory_kb        => 524_288,
    cgroup_memory_kb => 524_288,
);
is_deeply(problems(512, \%plenty), [], 'limits that are just high enough are not a problem');
is_deeply(
    problems(513, \%plenty),
    [
        map { "513 copies need $_" } '623 open files, but the limit is 622: raise it with `ulimit -n 623`',
        '521 processes in addition to the 20 that this user runs, but the limit is 540: raise it with `ulimit -u 541`',
        '521 processes, but the control group allows 520 more: raise its pids.max '
            . '(containers: --pids-limit, systemd: TasksMax)',
        'about 513 MB of memory, but 512 MB are free: run fewer copies (-c)',
        'about 513 MB of memory, but the control group allows 512 MB more: run fewer copies (-c) or raise its limit '
            . '(containers: --memory, systemd: MemoryMax)',
    ],
    'one copy more exceeds each limit'
);
is_deeply(
    problems(1030, { open_files => 1024, open_files_max => 1024, descriptors => 12 }),
    ['1030 copies need 1146 open files, but the limit is 1024: raise it with `ulimit -n 1146` as root'],
    'the hard limit of open files is raised by root, and open files add to the need'
);
is_deeply(problems(10, { open_files => 66 }), [], 'few copies need few files');
is_deeply(
    problems(1, { processes => 70, processes_max => 70 }, processes => 73),
    ['1 copy needs 73 processes, but the limit is 70: raise it with `ulimit -u 73` as root'],
    'the hard limit of processes is raised by root'
);
is_deeply(
    problems(
        1, { processes => 70, memory_kb => 1000, cgroup_memory_kb => 1000 },
        processes => 73,
        load      => { who => '20 users need', fewer => 'use fewer users (--users)' }
    ),
    [
        map { "20 users need $_" } '73 processes, but the limit is 70: raise it with `ulimit -u 73`',
        'about 1024 KB of memory, but 1000 KB are free: use fewer users (--users)',
        'about 1024 KB of memory, but the control group allows 1000 KB more: use fewer users (--users) '
            . 'or raise its limit (containers: --memory, systemd: MemoryMax)',
    ],
    'problems of a load of users name the users'
);
like(problems(1, { cgroup_processes => 0 })->[0], qr/allows 0 more/, 'a full control group is a problem');

my @DEMANDS = map { { scratch_kb => $_ } } 4, 16_000;
sub space { return UnixBench::Plan::ResourceCheck::problem_of_space({ path => '/t', free_kb => $_[0] }, @DEMANDS) }
is(space(16_000), undef, 'space that is just enough is not a problem');
is(space(undef),  undef, 'unknown space is not a problem');
is(
    space(15_999),
    'files need about 16 MB in UB_TMPDIR (/t), but 15 MB are free there: free some space, or set UB_TMPDIR '
        . 'to another directory',
    'too little space'
);

done_testing;
