use strict;
use warnings;

use FindBin;
use List::Util qw(min sum);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive        qw(eventually is_alive states);
use ControlGroup ();
use Interbench   qw(allowed_cpus begin children end_of interbench is_clean json_of);
use Needs        qw(need_built need_tools skip_without);
use TestProgram  qw(content scratch);

# The program itself, for a fraction of a second in each cell, and what happens to it.
need_built('interbench');

# A number of loops, as each run would calibrate on a busy machine; a small one, as no case needs long work.
my @LITTLE      = qw(--warmup 0.1 --max-disk 32M --max-mem 32M -l 1000000);
my @BRIEF       = (qw(-t 0.3), @LITTLE);
my @SHORT       = (qw(-t 0.1), @LITTLE);
my @NOBODY      = qw(setpriv --reuid 65534 --regid 65534 --clear-groups);
my ($first_cpu) = allowed_cpus();

subtest 'frames of every cell are on time, late or dropped' => sub {
    my @left      = qw(None Video X Burn Write Read Ring Compile Memload Hack Net);
    my %scheduled = (Audio => 4, Video => 12, X => 2, Probe => 200);
    for my $times (1, 3, 15) {    # times as long, for loads that get nothing done on a busy machine
        my $found = json_of({}, '-t', $times * 0.2, @LITTLE, '--mix', map { ('-w', $_) } @left);
        is $found->{result}{status}, 0,         'status' or diag $found->{result}{err};
        is @{ $found->{rows} },      4 * @left, 'rows';
        for my $row (@{ $found->{rows} }) {
            my $what = "$row->{task} under $row->{load}";
            is $row->{on_time} + $row->{late} + $row->{dropped}, $row->{frames}, "$what: conserved";
            cmp_ok abs($row->{frames} - $times * $scheduled{ $row->{task} }), '<=', 1,
                "$what: as many as were scheduled";
        }
        my %is_idle = map { $_->{load} => 1 } grep { !$_->{throughput_percent} } @{ $found->{rows} };
        @left = grep { $is_idle{$_} && $_ ne 'None' } @left or last;
    }
    is "@left", q{}, 'each load got something done';
};

subtest 'jobs without deadlines' => sub {
    my ($row) = @{ json_of({}, @BRIEF, qw(-W Gaming -w None))->{rows} };
    cmp_ok $row->{jobs_per_s}, '>', 0, 'jobs a second';
    is $row->{on_time_percent}, undef, 'no deadlines';
};

subtest 'the program is killed' => sub {
    for my $load (qw(Compile Hack Command)) {
        my $scratch  = scratch();
        my @command  = $load eq 'Command' ? ('--load-cmd', 'sleep 100 & sleep 100') : ();
        my $running  = begin({ scratch => $scratch }, qw(-t 3600 -W Audio), @LITTLE, '-w', $load, @command);
        my $children = children($running, qw(load task guardian));
        kill KILL => $running->{pid};
        end_of($running);
        is_clean($children, $scratch, $load);
    }
};

subtest 'the load or the task is killed' => sub {
    for my $case (
        ['load', qr/load Burn: its process was killed by signal 9 [(]Killed[)]/],
        ['task', qr/task: its process was killed by signal 9 [(]Killed[)]/]
        )
    {
        my ($victim, $message) = @$case;
        my $running  = begin({}, qw(-t 3600 -W Audio -w Burn), @LITTLE);
        my $children = children($running, qw(load task guardian));
        kill KILL => $children->{$victim};
        my $result = end_of($running);
        is $result->{status}, 3, "$victim: status";
        like $result->{err}, qr/^interbench: $message$/m, "$victim: message";
        is_clean($children, undef, $victim);
    }
};

subtest 'what was measured before is kept' => sub {
    my $running = begin({}, @BRIEF, qw(-t 0.1 -W Audio -w Video -w None -w X --repeat 500));
    eventually(sub { content("$running->{scratch}/err") =~ /^interbench: 4 of/m });
    cmp_ok scalar(zombies_of($running->{pid})), '<=', 2, 'children that ended do not stay';
    kill TERM => $running->{pid};
    my $result = end_of($running);
    is $result->{status}, 143, 'status';
    like $result->{out}, qr/^Video .*\d/m,                           'the table';
    like $result->{err}, qr/^interbench: interrupted by signal 15/m, 'message';
};

subtest 'signals' => sub {
    for my $case ([INT => 130], [TERM => 143], [HUP => 129]) {
        my ($signal, $status) = @$case;
        my $scratch  = scratch();
        my $running  = begin({ scratch => $scratch }, qw(-t 3600 -W Audio -w Compile), @LITTLE);
        my $children = children($running, qw(load task guardian));
        kill $signal => $running->{pid};
        is end_of($running)->{status}, $status, "$signal: status";
        is_clean($children, $scratch, $signal);
    }
};

subtest 'the program is stopped and goes on' => sub {
    my ($running, $children, $seconds);
    for (1, 10, 100) {    # a cell may be over before a busy machine stops the program
        $seconds  = $_;
        $running  = begin({}, '-t', $seconds, @LITTLE, qw(--warmup 0 -W Audio -w Video --raw), scratch() . '/raw');
        $children = children($running, qw(load task guardian));
        kill STOP => $running->{pid};
        my @both = @$children{qw(load task)};
        last if eventually(
            sub {
                grep({ !is_alive($_) } @both) || states(@both) eq 'T';
            }
        ) && 2 == grep { is_alive($_) } @both;
        kill CONT => $running->{pid};
        end_of($running);
    }
    is states(@$children{qw(load task)}), 'T', 'load and task are stopped, too';
    kill CONT => $running->{pid};
    my $again = sub { my $task = children($running, 'task')->{task}; $task && $task != $children->{task} };
    ok eventually($again), 'the cell is measured again';
    my $result = end_of($running);
    is $result->{status}, 0, 'status';
    like $result->{out}, qr/^Video .* @{[20 * $seconds]} /m, 'and its frames count once';
};

# A 99.9th percentile needs 10,000 frames of Probe; a second more, as the last frame of ten may be missing.
subtest 'the task stands still for half a second' => sub {
    my $running  = begin({}, qw(-t 11), @LITTLE, qw(--mix -w None --json), my $file = scratch() . '/json');
    my $children = children($running, qw(task guardian));
    eventually(sub { voluntary_switches($children->{task}) > 1000 }) or diag 'the task does not play';
    kill STOP => $children->{task};
    select undef, undef, undef, 0.5;
    kill CONT => $children->{task};
    is end_of($running)->{status}, 0, 'status';
    my %row = map { $_->{task} => $_ } @{ JSON::PP->new->decode(content($file))->{rows} };
    cmp_ok $row{Video}{staleness_us}{ max },   '>=', 500_000, 'Video: the greatest staleness';
    cmp_ok $row{Video}{dropped},               '>=', 29,      'Video: dropped frames';
    cmp_ok $row{Probe}{staleness_us}{ p99_9 }, '>=', 450_000, 'Probe: 99.9 %';
    cmp_ok $row{Probe}{staleness_us}{ p99 },   '>=', 350_000, 'Probe: 99 %';
};

# On one CPU: of a thread that is moved between two the kernel was seen to count more than its frames waited.
subtest 'waiting on run queues is part of the responses' => sub {
    my $raw = scratch() . '/raw';
    my ($row) = @{ json_of({}, @LITTLE, qw(-u -t 0.5 -W Audio -w Burn -L 4 --raw), $raw)->{rows} };
    skip_without(machine => 'a kernel that keeps schedstat') if !defined $row->{run_delay_ms};
    my @frames     = map { [(split /,/)[6, 8]] } grep { /,(?:on time|late),/ } split /\n/, content($raw);
    my $waited_ms  = sum(0, map { ($_->[1] - $_->[0]) / 1e6 } @frames) - $row->{cpu_ms};
    my $stalled_ms = 50 * ($row->{dropped} + 1);
    cmp_ok $row->{run_delay_ms}, '<=', $waited_ms + $stalled_ms, 'no more than the frames waited';
    is scalar(@frames) + $row->{dropped}, $row->{frames}, 'each frame is in the raw file';
};

subtest 'as an ordinary user' => sub {
    skip_without(machine => 'root') if $> != 0;
    need_tools('setpriv');
    my $found = json_of({ before => [], in => '/' }, @BRIEF, qw(-W Probe -w None));
    is $found->{missing_privileges} // '', '', 'root: nothing is missing' if can_everything();
    my $result = interbench({ before => \@NOBODY, in => '/' }, @BRIEF, qw(-W Probe -w None));
    is $result->{status}, 0, 'status' or diag $result->{err};
    like $result->{out}, qr/^Not permitted here: .*SCHED_FIFO.*nice below 0/m, 'what is missing is named';
    like $result->{out}, qr/^None .* 300 /m,                                   'and the numbers are there';

    for my $case (
        ['-r',      qr/-r needs SCHED_FIFO/],
        ['-B -5',   qr/nice -5 is not permitted/],
        ['-N -1',   qr/nice -1 is not permitted/],
        ['--awake', qr/--awake: .*: Permission denied; be root/]
        )
    {
        my ($words, $message) = @$case;
        my $refused = interbench({ before => \@NOBODY, in => '/' }, @BRIEF, split ' ', $words);
        is $refused->{status}, 2, "$words: status";
        like $refused->{err}, qr/\Ainterbench: $message.*\n\z/, "$words: one line";
    }
};

subtest 'CPUs' => sub {
    my $one = json_of({ before => ['taskset', '-c', $first_cpu] }, @SHORT, qw(--mix -w Burn));
    is $one->{result}{status}, 0, 'one CPU' or diag $one->{result}{err};
    is $one->{cpus},           1, 'counted';
    my $last_cpu = (allowed_cpus())[-1];
    my $last     = json_of({ before => ['taskset', '-c', $last_cpu] }, qw(-t 0.1 --warmup 0.1 -b -u -W Audio -w Burn));
    is $last->{result}{status}, 0, 'the last CPU alone, calibrated there and bound to the first that is allowed';
    my $none = interbench({}, @BRIEF, '--pin', 65_000);
    is $none->{status}, 2, 'a CPU that is not here: status';
    like $none->{err}, qr/\Ainterbench: CPU 65000 can't be used here; the first that can is $first_cpu\n\z/, 'message';
    is interbench({}, @SHORT, '--pin', $last_cpu, qw(-W Video -w Burn))->{status}, 0, '--pin';
    is interbench({}, @SHORT, qw(--spread -n 3 -W Video -w Burn))->{status}, 0, '--spread';
};

subtest 'half a CPU' => sub {
    my $group = ControlGroup->new(cpu => 'cpu.max') || ControlGroup->new(cpu => 'cpu.cfs_quota_us');
    skip_without(machine => 'a control group of CPU time') if !$group;
    if (-e "$group->{directory}/cpu.max") { $group->set('cpu.max' => '50000 100000') }
    else                                  { $group->set('cpu.cfs_period_us' => 100_000, 'cpu.cfs_quota_us' => 50_000) }
    my $file = scratch() . '/json';
    my $words =
        TestProgram::command('interbench', '-c', qw(-t 2 --warmup 0.1 -l 4000000 -W Audio -w Burn --json), $file);
    my $result = TestProgram::run([$group->words(@$words)]);
    is $result->{status}, 0, 'status' or diag $result->{err};
    my ($row) = @{ JSON::PP->new->decode(content($file))->{rows} };
    is $row->{on_time} + $row->{late} + $row->{dropped}, 40, 'every frame is in the books';
    cmp_ok $row->{staleness_us}{max}, '>', 20_000, 'that the group stood still is seen';
};

subtest 'places' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $directory = scratch();
    my @quick     = (@BRIEF, qw(-W Audio -w None));
    my $no_log =
        TestProgram::run([@NOBODY, @{ TestProgram::command('interbench', @quick) }], in => '/proc');
    is $no_log->{status}, 0, 'a directory that can not be written' or diag $no_log->{err};
    like $no_log->{err}, qr/^interbench: cannot write \S+[.]log here: .*it goes on without a log/m, 'is named';

SKIP: {
        skip_without(machine => 'a file system to mount', 4)
            if system("mount -t tmpfs -o size=4m none '$directory' 2>/dev/null") != 0;
        my $full = interbench({}, @BRIEF, qw(-W Audio -w Write --tmpdir), $directory);
        is $full->{status}, 2, 'no room for files: status';
        like $full->{err}, qr/\Ainterbench: load Write can't run here: .*--tmpdir.*\n\z/, 'one line';
        my $rest = interbench({}, @BRIEF, qw(-W Audio), map({ ('-x', $_) } qw(Video X Burn Ring Hack Memload)),
            '--tmpdir', $directory);
        is $rest->{status}, 0, 'loads that nobody named are left out';
        like $rest->{out}, qr/^Left out: Write: /m, 'and said to be';
        system('umount', $directory);
    }
    my $nowhere = interbench({}, @BRIEF, qw(-W Audio -w Read --tmpdir /no/such/directory));
    is $nowhere->{status}, 2, 'a directory that is not there: status';
    my $out = interbench({}, @quick, '--json', '/no/such/directory/json');
    is $out->{status}, 2, 'an output that can not be written: status';
    like $out->{err}, qr{\Ainterbench: cannot write /no/such/directory/json: No such file or directory\n\z}, 'message';
};

subtest 'limits' => sub {
    my $limited = sub {
        my ($limit, @words) = @_;
        return interbench({ before => ['sh', '-c', "ulimit $limit && exec \"\$0\" \"\$@\""] }, @BRIEF, @words);
    };
    my $memory = $limited->('-v 400000', qw(-W Audio -w Memload -w None));
    is $memory->{status}, 0, 'an address space of 400 MB' or diag $memory->{err};
    like $memory->{out}, qr/^Memload /m, 'Memload stays below it';
    my $less = $limited->('-v 60000', qw(-W Audio -n 2000 -w None));
    is $less->{status}, 2, 'one of 60 MB is too little for 2,000 streams' or diag $less->{err};
    like $less->{err}, qr/^interbench: cannot get \d+ KiB of memory/m, 'message';
    my $handles = $limited->('-n 20', qw(-W Audio -w Hack));
    is $handles->{status}, 3, 'too few handles for Hack';
    like $handles->{err}, qr/^interbench: load Hack: .+/m, 'message';
};

subtest 'as a test of the suite' => sub {
    my $mix = interbench({}, qw(--mix --fixed --protocol -t 1.3 --warmup 0.1 --max-disk 32M -w None -w Video));
    is $mix->{status}, 0, 'mix: status' or diag $mix->{err};
    like $mix->{err}, qr/^cell[.]Video[.]Probe\|1300\|(?:[-\d.]+\|){13}[01]$/m, 'its cells';
    like $mix->{err}, qr/^COUNT\|[\d.]+\|0\|wps\nTIME\|[\d.]+\n\z/m,            'its score';
    my $short = interbench({}, qw(--mix --fixed --protocol -t 0.2 --warmup 0.1 -w None -w Burn));
    is $short->{status}, 2, 'too short: status';
    like $short->{err}, qr/^ERROR\|.*1000 frames under each load, not 200; use -t 1[.]5$/m, 'message';
    my $none = interbench({}, qw(--mix --fixed --protocol -t 0.2 --warmup 0.1 -w None));
    like $none->{err}, qr/^ERROR\|.*give a load besides None/m, 'nor without a load';
    my $capacity = interbench({}, qw(--capacity --protocol -t 0.3 --warmup 0.1));
    my $is_late  = $capacity->{err} =~ /^trial[.]1[|]0[.]00$/m;    # on a machine that is busy with something else
    is $capacity->{status}, $is_late ? 2 : 0, 'capacity: status' or diag $capacity->{err};
    my $score = $is_late ? qr/ERROR[|]nothing was on time\n/ : qr/COUNT[|][\d.]+[|]0[|]fps\nTIME[|][\d.]+\n/;
    like $capacity->{err}, qr/\A(?:machine[.]\w+\|.*\n)+(?:trial[.]\d+\|[\d.]+\n)+$score\z/, 'its trials and score';
    my $rest = interbench({}, qw(--mix --fixed --protocol -t 1 --tmpdir /no/such/directory));
    is $rest->{status}, 2, 'a load that can not run: status';
    like $rest->{err}, qr/\AERROR\|load Compile can't run here: .*\n\z/, 'it is not left out of the score';
};

done_testing;

# The children of a process that have ended and were not waited for.
sub zombies_of {
    my ($pid) = @_;
    return grep { /[)] Z $pid / } map { content($_) } glob '/proc/[0-9]*/stat';
}

# How often the threads of a process have slept.
sub voluntary_switches {
    my ($pid) = @_;
    return sum(0, map { content($_) =~ /^voluntary_ctxt_switches:\s*(\d+)/m } glob "/proc/$pid/task/*/status");
}

# Whether root is what it is elsewhere.
sub can_everything { return -w '/dev/cpu_dma_latency' && system('chrt -f 1 true 2>/dev/null') == 0 }
