use strict;
use warnings;

use Test::More;

use UnixBench::Plan::ResourceCheck;

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
    kernel           =>
        { 'kernel.pid_max' => { limit => 1000, used => 480 }, 'kernel.threads-max' => { limit => undef, used => 480 } },
    memory_kb        => 524_288,
    cgroup_memory_kb => 524_288,
);
is_deeply(problems(512, \%plenty), [], 'limits that are just high enough are not a problem');
is_deeply(
    problems(513, \%plenty),
    [
        map { "513 copies need $_" } '623 open files, but the limit is 622: raise it with `ulimit -n 623`',
        '521 processes in addition to the 20 that this user runs, but the limit is 540: raise it with `ulimit -u 541`',
        '521 processes, but kernel.pid_max is 1000 and 480 are in use: '
            . 'raise it with `sysctl kernel.pid_max=1001` as root',
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

# Takes changes of the scratch directory and of the results directory; returns the problems with their free space.
sub space {
    my ($scratch, $reports) = @_;
    my @places = (
        { name => 'UB_TMPDIR',    path => '/t', need_kb => 16_000, device => 1, free_kb => 16_100, %$scratch },
        { name => 'UB_RESULTDIR', path => '/r', need_kb => 100,    device => 2, free_kb => 100,    %$reports },
    );
    return [UnixBench::Plan::ResourceCheck::problems_of_space(@places)];
}

is_deeply(space({},                   {}), [], 'space that is just enough is not a problem');
is_deeply(space({ free_kb => undef }, { device => 1, free_kb => undef }), [], 'unknown space is not a problem');
is_deeply(
    space({ free_kb => 15_999 }, { free_kb => 99 }),
    [
        'files need about 16 MB in UB_TMPDIR (/t), but 15 MB are free there: free some space, or set UB_TMPDIR '
            . 'to another directory',
        'files need about 100 KB in UB_RESULTDIR (/r), but 99 KB are free there: free some space, or set '
            . 'UB_RESULTDIR to another directory',
    ],
    'too little space in both directories'
);
is_deeply(space({ device => 2 }, { free_kb => 16_100 }), [], 'enough space for both on one device');
is_deeply(
    space({ free_kb => 16_050 }, { free_kb => 16_050, device => 1 }),
    [
              'files need about 16 MB in UB_TMPDIR (/t) and 100 KB in UB_RESULTDIR (/r), but 15 MB are free there: '
            . 'free some space, or set UB_TMPDIR or UB_RESULTDIR to another directory'
    ],
    'too little space for both on one device'
);

done_testing;
