use strict;
use warnings;

use FindBin;
use List::Util qw(min sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../../t/lib);
use Alive                          qw(eventually is_alive states);
use ControlGroup                   ();
use Gate                           qw(waits_at_gate);
use Interbench                     qw(allowed_cpus begin cells_of children end_of interbench is_clean measured);
use Needs                          qw(need_built need_tools skip_without);
use TestProgram                    qw(command content run scratch);

# Runs of interbench, a fraction of a second for each cell, and reactions to signals, limits and missing rights.
need_built('interbench');

# A fixed number of loops, because each run would calibrate again on a busy machine; few, because no case needs long
# work.
my @LITTLE      = qw(--warmup 0.1 --max-disk 32M --max-mem 32M -l 1000000);
my @BRIEF       = (qw(-t 0.3), @LITTLE);
my @SHORT       = (qw(-t 0.1), @LITTLE);
my @NOBODY      = qw(setpriv --reuid 65534 --regid 65534 --clear-groups);
my ($first_cpu) = allowed_cpus();

subtest 'frames of every cell are on time, late or dropped' => sub {
    my @left      = qw(None Video X Burn Write Read Ring Compile Memload Hack);
    my %scheduled = (Audio => 4, Video => 12, X => 2, Probe => 200);
    for my $times (1, 3, 15) {    # factor for the duration, until every load gets something done on a busy machine
        my @rows = measured('-t', $times * 0.2, @LITTLE, '--mix', map { ('-w', $_) } @left);
        is @rows, 4 * @left, 'a row for each task and load';
        for my $row (@rows) {
            my $what = "$row->{task} under $row->{load}";
            is $row->{on_time} + $row->{late} + $row->{dropped}, $row->{frames},
                "$what: each frame is on time, late or dropped";
            cmp_ok abs($row->{frames} - $times * $scheduled{ $row->{task} }), '<=', 1,
                "$what: the number of scheduled frames";
        }
        my %is_idle = map { $_->{load} => 1 } grep { !$_->{throughput} } @rows;
        @left = grep { $is_idle{$_} && $_ ne 'None' } @left or last;
    }
    is "@left", q{}, 'each load gets something done';
};

subtest 'jobs without deadlines' => sub {
    my @words = (@BRIEF, qw(-W Gaming -w None));
    like interbench({}, @words)->{out}, qr/^None(?: [*])? +[1-9]\d* +[\d.]*[1-9]/m, 'Gaming has jobs per second';
    is((measured(@words))[0]{on_time}, undef, 'Gaming has no deadlines');
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
        is $result->{status}, 3, "the $victim is killed: exit status 3";
        like $result->{err}, qr/^interbench: $message$/m, "the $victim is killed: message";
        is_clean($children, undef, $victim);
    }
};

subtest 'results from before a signal are kept' => sub {
    my $running = begin({}, @BRIEF, qw(-t 0.1 -W Audio -w Video -w None -w X --repeat 500));
    eventually(sub { content("$running->{scratch}/err") =~ /^interbench: 4 of/m });
    cmp_ok scalar(zombies_of($running->{pid})), '<=', 2, 'at most two ended children are not collected yet';
    kill TERM => $running->{pid};
    my $result = end_of($running);
    is $result->{status}, 143, 'TERM gives exit status 143';
    like $result->{out}, qr/^Video .*\d/m,                           'the table is printed after TERM';
    like $result->{err}, qr/^interbench: interrupted by signal 15/m, 'the message names the signal';
};

subtest 'signals' => sub {
    for my $case ([INT => 130], [TERM => 143], [HUP => 129]) {
        my ($signal, $status) = @$case;
        my $scratch  = scratch();
        my $running  = begin({ scratch => $scratch }, qw(-t 3600 -W Audio -w Compile), @LITTLE);
        my $children = children($running, qw(load task guardian));
        kill $signal => $running->{pid};
        is end_of($running)->{status}, $status, "$signal: exit status";
        is_clean($children, $scratch, $signal);
    }
};

subtest 'the program is stopped and goes on' => sub {
    my ($running, $children, $seconds);
    for (1, 10, 100) {    # on a busy machine a cell may end before the program stops
        $seconds  = $_;
        $running  = begin({}, '-t', $seconds, @LITTLE, qw(--warmup 0 -W Audio -w Video));
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
    is states(@$children{qw(load task)}), 'T', 'the load and the task are stopped with the program';
    kill CONT => $running->{pid};
    my $again = sub { my $task = children($running, 'task')->{task}; $task && $task != $children->{task} };
    ok eventually($again), 'the cell is measured again after CONT';
    my $result = end_of($running);
    is $result->{status}, 0, 'exit status 0 after CONT';
    like $result->{out}, qr/^Video .* @{[20 * $seconds]} /m, 'the frames of the cell count once';
};

# A 99.9th percentile needs 10,000 frames of Probe. One second is added, because the last of ten may miss a frame.
subtest 'the task stands still for half a second' => sub {
    my $running  = begin({}, qw(-t 11), @LITTLE, qw(--mix -w None --protocol));
    my $children = children($running, qw(task guardian));
    eventually(sub { voluntary_switches($children->{task}) > 1000 }) or diag 'the task does not run';
    kill STOP => $children->{task};
    select undef, undef, undef, 0.5;
    kill CONT => $children->{task};
    my %row = map { $_->{task} => $_ } cells_of(end_of($running));
    cmp_ok $row{Video}{max},     '>=', 500_000, 'Video: the greatest staleness includes the stop';
    cmp_ok $row{Video}{dropped}, '>=', 29,      'Video: the frames during the stop are dropped';
    cmp_ok $row{Probe}{p99_9},   '>=', 450_000, 'Probe: the 99.9th percentile includes the stop';
    cmp_ok $row{Probe}{p99},     '>=', 350_000, 'Probe: the 99th percentile includes the stop';
};

subtest 'as an ordinary user' => sub {
    skip_without(machine => 'root') if $> != 0;
    need_tools('setpriv');
    my $result = interbench({ before => \@NOBODY, in => '/' }, @BRIEF, qw(-W Probe -w None));
    is $result->{status}, 0, 'an ordinary user: exit status 0' or diag $result->{err};
    like $result->{out}, qr/^None .* 300 /m, 'an ordinary user gets the numbers';

    my $nice = getpriority 0, 0;
    for my $case (
        ['-r',      qr/-r needs SCHED_FIFO, which is not permitted; run as root/],
        ['-B -5',   qr/nice -5 is not permitted; run as root, or use $nice to 19/],
        ['-N -1',   qr/nice -1 is not permitted; run as root, or use $nice to 19/]
        )
    {
        my ($words, $message) = @$case;
        my $refused = interbench({ before => \@NOBODY, in => '/' }, @BRIEF, split ' ', $words);
        is $refused->{status}, 2, "$words as an ordinary user: exit status 2";
        like $refused->{err}, qr/\Ainterbench: $message.*\n\z/, "$words as an ordinary user: one line of message";
    }
};

subtest 'CPUs' => sub {
    my $one = interbench({ before => ['taskset', '-c', $first_cpu] }, @SHORT, qw(--mix -w Burn));
    is $one->{status}, 0, 'a run on one CPU succeeds' or diag $one->{err};
    like $one->{out}, qr/, 1 CPU, /, 'the report has one CPU';
    my $last_cpu = (allowed_cpus())[-1];
    my $last = interbench({ before => ['taskset', '-c', $last_cpu] }, qw(-t 0.1 --warmup 0.1 -b -u -W Audio -w Burn));
    is $last->{status}, 0, 'a run on the last CPU alone calibrates there and succeeds';
    my $none = interbench({}, @BRIEF, '--pin', 65_000);
    is $none->{status}, 2, 'a missing CPU: exit status 2';
    like $none->{err},
        qr/\Ainterbench: CPU 65000 is not available to this process; the first available CPU is $first_cpu\n\z/,
        'a missing CPU: message';
    is interbench({}, @SHORT, '--pin', $last_cpu, qw(-W Video -w Burn))->{status}, 0,
        '--pin with an existing CPU succeeds';
};

subtest 'half a CPU' => sub {
    my $group = ControlGroup->new(cpu => 'cpu.max') || ControlGroup->new(cpu => 'cpu.cfs_quota_us');
    skip_without(machine => 'a control group of CPU time') if !$group;
    if (-e "$group->{directory}/cpu.max") { $group->set('cpu.max' => '50000 100000') }
    else                                  { $group->set('cpu.cfs_period_us' => 100_000, 'cpu.cfs_quota_us' => 50_000) }
    my $words  = TestProgram::command('interbench', qw(-c -t 2 --warmup 0.1 -l 4000000 -W Audio -w Burn --protocol));
    my $result = TestProgram::run([$group->words(@$words)]);
    my ($row)  = cells_of($result) or diag $result->{err};
    is $row->{on_time} + $row->{late} + $row->{dropped}, 40, 'half a CPU: every frame is counted';
    cmp_ok $row->{max}, '>', 20_000, 'half a CPU: the pauses of the group are measured';
};

subtest 'directories and outputs' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $directory = scratch();
    my @quick     = (@BRIEF, qw(-W Audio -w None));
    my $no_log =
        TestProgram::run([@NOBODY, @{ TestProgram::command('interbench', @quick) }], in => '/proc');
    is $no_log->{status}, 0, 'a run in a read-only directory succeeds' or diag $no_log->{err};
    like $no_log->{err},
        qr/^interbench: can't write the log \S+[.]log: .*; the run continues without a log, as with -c$/m,
        'the missing log is reported';

SKIP: {
        skip_without(machine => 'a file system to mount', 4)
            if system("mount -t tmpfs -o size=4m none '$directory' 2>/dev/null") != 0;
        my $full = interbench({}, @BRIEF, qw(-W Audio -w Write --tmpdir), $directory);
        is $full->{status}, 2, 'no space for files: exit status 2';
        like $full->{err}, qr/\Ainterbench: load Write can't run here: .*--tmpdir.*\n\z/,
            'no space for files: one line of message';
        my $rest = interbench({}, @BRIEF, qw(-W Audio), map({ ('-x', $_) } qw(Video X Burn Ring Hack Memload)),
            '--tmpdir', $directory);
        is $rest->{status}, 0, 'impossible loads that were not named are left out';
        like $rest->{out}, qr/^Left out: Write: /m, 'the report names a load that is left out';
        system('umount', $directory);
    }
    my $nowhere = interbench({}, @BRIEF, qw(-W Audio -w Read --tmpdir /no/such/directory));
    is $nowhere->{status}, 2, 'a missing directory: exit status 2';
};

subtest 'limits' => sub {
    my $limited = sub {
        my ($limit, @words) = @_;
        return interbench({ before => ['sh', '-c', "ulimit $limit && exec \"\$0\" \"\$@\""] }, @BRIEF, @words);
    };
    my $memory = $limited->('-v 400000', qw(-W Audio -w Memload -w None));
    is $memory->{status}, 0, 'a run with an address space of 400 MB succeeds' or diag $memory->{err};
    like $memory->{out}, qr/^Memload /m, 'Memload stays below the limit of the address space';
    my $less = $limited->('-v 60000', qw(-W Audio -n 2000 -w None));
    is $less->{status}, 2, 'an address space of 60 MB is too small for 2,000 streams' or diag $less->{err};
    like $less->{err}, qr/^interbench: can't get \d+ KiB of memory: .*; use a smaller -n$/m,
        'too little memory: message';
    my $handles = $limited->('-n 20', qw(-W Audio -w Hack));
    is $handles->{status}, 3, 'too few file descriptors for Hack: exit status 3';
    like $handles->{err}, qr/^interbench: load Hack: .+/m, 'too few file descriptors for Hack: message';
};

subtest 'the gate, and the time of the work' => sub {
    my $mix = command('interbench', qw(--mix --fixed --protocol -c -t 1.3 --warmup 0 -w Burn));
    waits_at_gate('interbench', $mix);
    my $timed = run($mix, in => scratch(), env => { UB_TIME => 1 });
    is(scalar(() = $timed->{err} =~ /^TIME\|/mg), 1, 'interbench reports its time once');
};

subtest 'as a test of UnixBench' => sub {
    my $mix = interbench({}, qw(--mix --fixed --protocol -t 1.3 --warmup 0.1 --max-disk 32M -w None -w Video));
    is $mix->{status}, 0, 'the mix: exit status 0' or diag $mix->{err};
    like $mix->{err}, qr/^cell[.]Video[.]Probe\|1300\|(?:[-\d.]+\|){13}[01]$/m, 'the mix: lines of its cells';
    like $mix->{err}, qr/^COUNT\|[\d.]+\|0\|wps\nTIME\|[\d.]+\n\z/m,            'the mix: its score';
    my $short = interbench({}, qw(--mix --fixed --protocol -t 0.2 --warmup 0.1 -w None -w Burn));
    is $short->{status}, 2, 'too short a time for the mix: exit status 2';
    like $short->{err},
        qr/^ERROR\|Probe had 200 frames under Burn, .* needs 1000: 0[.]2 s are too short; use -t 1[.]5/m,
        'too short a time for the mix: message';
    my $none = interbench({}, qw(--mix --fixed --protocol -t 0.2 --warmup 0.1 -w None));
    like $none->{err}, qr/^ERROR\|the score needs Probe under a load; use -w with a load other than None$/m,
        'the mix without a load is refused';
    my $capacity = interbench({}, qw(--capacity --protocol -t 0.3 --warmup 0.1));
    my $is_late  = $capacity->{err} =~ /^trial[.]1[|]0[.]00$/m;                     # on a busy machine
    is $capacity->{status}, $is_late ? 2 : 0, 'the capacity: exit status' or diag $capacity->{err};
    my $score = $is_late ? qr/ERROR[|]no frame was on time, .*\n/ : qr/COUNT[|][\d.]+[|]0[|]fps\nTIME[|][\d.]+\n/;
    like $capacity->{err}, qr/\A(?:trial[.]\d+\|[\d.]+\n)+$score\z/,
        'the capacity: its trials and score';
    my $rest = interbench({}, qw(--mix --fixed --protocol -t 1 --tmpdir /no/such/directory));
    is $rest->{status}, 2, 'a load of the mix is impossible: exit status 2';
    like $rest->{err}, qr/\AERROR\|load Compile can't run here: .*\n\z/,
        'a load of the mix is impossible: it is not left out of the score';
};

done_testing;

# Takes the number of a process; returns the stat lines of its children that have ended and were not waited for.
sub zombies_of {
    my ($pid) = @_;
    return grep { /[)] Z $pid / } map { content($_) } glob '/proc/[0-9]*/stat';
}

# Returns how often the threads of a process have slept.
sub voluntary_switches {
    my ($pid) = @_;
    return sum(0, map { content($_) =~ /^voluntary_ctxt_switches:\s*(\d+)/m } glob "/proc/$pid/task/*/status");
}
