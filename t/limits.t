use strict;
use warnings;

use Test::More;

use UnixBench::Limits;

# Takes what differs from a machine with plenty of everything; returns the problems.
sub problems {
    my ($copies, $limits, %other) = @_;
    return [UnixBench::Limits::problems(copies => $copies, limits => $limits, %other)];
}

is_deeply(problems(100_000, {}), [], 'no limits');
my %plenty = (
    open_files       => 622,
    open_files_max   => 4096,
    processes        => 520,
    cgroup_processes => 520,
    memory_kb        => 524_288,
);
is_deeply(problems(512, \%plenty), [], 'just enough');
is_deeply(
    problems(513, \%plenty),
    [
        '513 copies need 623 open files, but the limit is 622: raise it by `ulimit -n 623`',
        '513 copies need 521 processes, but the limit is 520: raise it by `ulimit -u 521`',
        '513 copies need 521 processes, but the control group allows 520 more: raise its pids.max '
            . '(containers: --pids-limit, systemd: TasksMax)',
        '513 copies need about 513 MB of memory, but 512 MB are free: run fewer copies (-c)',
    ],
    'one too many'
);
is_deeply(
    problems(1030, { open_files => 1024, open_files_max => 1024 }),
    ['1030 copies need 1140 open files, but the limit is 1024: raise it by `ulimit -n 1140` as root'],
    'hard limit'
);
is_deeply(
    problems(1, { processes => 70 }, processes_per_copy => 65),
    ['1 copy needs 73 processes, but the limit is 70: raise it by `ulimit -u 73`'],
    'processes of a copy'
);
is_deeply(problems(1000, { processes => 70 }, is_root => 1), [], 'root may start any number of processes');
is_deeply(problems(1, { cgroup_processes => 0 })->[0] =~ /allows 0 more/, 1, 'a full control group');

done_testing;
