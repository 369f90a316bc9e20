use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../../t/lib);
use Place                          qw(eventually is_alive states);
use Interbench                     qw(begin cells_of children end_of interbench is_clean measured);
use Needs                          qw(need_built need_tools skip_without tracing);
use TestProgram                    qw(command content run scratch waits_at_gate);

# Runs of interbench, a fraction of a second for each cell, and reactions to signals, limits and missing rights.
need_built('interbench');

# A fixed number of loops, because each run would calibrate on a busy machine; few, because no case needs long work.
my @LITTLE = qw(--warmup 0.1 --max-disk 32M --max-mem 32M -l 1000000);
my @BRIEF  = (qw(-t 0.3), @LITTLE);
my @NOBODY = qw(setpriv --reuid 65534 --regid 65534 --clear-groups);

# Takes a result, an exit status, a pattern of the message, and what has happened; tests that there is that message.
sub is_told {
    my ($ended, $status, $message, $what) = @_;
    is($ended->{status}, $status, "$what: exit status $status");
    return like($ended->{err}, qr/^(?:interbench: |ERROR\|)$message$/m, "$what: message");
}

subtest 'frames of every cell are on time, late or dropped' => sub {
    my @left      = qw(None Video X Burn Write Read Ring Compile Memload Hack);
    my %scheduled = (Audio => 4, Video => 12, X => 2, Probe => 200);
    for my $times (1, 3, 15) {    # factor for the duration, until every load gets something done on a busy machine
        my @rows = measured('-t', $times * 0.2, @LITTLE, '--mix', map { ('-w', $_) } @left);
        is(@rows, 4 * @left, 'a row for each task and load');
        for my $row (@rows) {
            my $what = "$row->{task} under $row->{load}";
            is($row->{on_time} + $row->{late} + $row->{dropped}, $row->{frames}, "$what: each frame has one class");
            cmp_ok(abs($row->{frames} - $times * $scheduled{ $row->{task} }), '<=', 1, "$what: the number of frames");
        }
        my %is_idle = map { $_->{load} => 1 } grep { !$_->{throughput} } @rows;
        @left = grep { $is_idle{$_} && $_ ne 'None' } @left or last;
    }
    is("@left",                                               q{},   'each load gets something done');
    is((measured(@BRIEF, qw(-W Gaming -w None)))[0]{on_time}, undef, 'Gaming has no deadlines');
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
    for my $case (['load', 'load Burn'], ['task', 'task']) {
        my ($victim, $named) = @$case;
        my $running  = begin({}, qw(-t 3600 -W Audio -w Burn), @LITTLE);
        my $children = children($running, qw(load task guardian));
        kill KILL => $children->{$victim};
        my $message = qr/$named: its process was killed by signal 9 [(]Killed[)]/;
        is_told(end_of($running), 3, $message, "the $victim is killed");
        is_clean($children, undef, $victim);
    }
};

subtest 'results from before a signal are kept' => sub {
    my $running = begin({}, @BRIEF, qw(-t 0.1 -W Audio -w Video -w None -w X --repeat 500));
    eventually(sub { content("$running->{scratch}/err") =~ /^interbench: 4 of/m });
    cmp_ok(scalar(zombies_of($running->{pid})), '<=', 2, 'at most two ended children are not collected yet');
    kill TERM => $running->{pid};
    my $result = end_of($running);
    is_told($result, 143, qr/interrupted by signal 15 .*/, 'TERM');
    like($result->{out}, qr/^Video .*\d.*^Incomplete: interrupted/ms, 'the table is printed after TERM');
};

subtest 'signals' => sub {
    for my $case ([INT => 130], [TERM => 143], [HUP => 129]) {
        my ($signal, $status) = @$case;
        my $scratch  = scratch();
        my $running  = begin({ scratch => $scratch }, qw(-t 3600 -W Audio -w Compile), @LITTLE);
        my $children = children($running, qw(load task guardian));
        kill $signal => $running->{pid};
        is(end_of($running)->{status}, $status, "$signal: exit status");
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
        my @both       = @$children{qw(load task)};
        my $is_settled = sub { grep({ !is_alive($_) } @both) || states(@both) eq 'T' };
        last if eventually($is_settled) && 2 == grep { is_alive($_) } @both;
        kill CONT => $running->{pid};
        end_of($running);
    }
    is(states(@$children{qw(load task)}), 'T', 'the load and the task are stopped with the program');
    kill CONT => $running->{pid};
    my $again = sub { my $task = children($running, 'task')->{task}; $task && $task != $children->{task} };
    ok(eventually($again), 'the cell is measured again after CONT');
    my $result = end_of($running);
    is($result->{status}, 0, 'exit status 0 after CONT');
    like($result->{out}, qr/^Video .* @{[20 * $seconds]} /m, 'the frames of the cell count once');
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
    cmp_ok($row{Video}{max},     '>=', 500_000, 'Video: the greatest staleness includes the stop');
    cmp_ok($row{Video}{dropped}, '>=', 29,      'Video: the frames during the stop are dropped');
    cmp_ok($row{Probe}{p99_9},   '>=', 450_000, 'Probe: the 99.9th percentile includes the stop');
};

subtest 'as an ordinary user' => sub {
    skip_without(machine => 'root') if $> != 0;
    need_tools('setpriv');
    my $as_nobody = sub { return interbench({ before => \@NOBODY, in => '/' }, @BRIEF, @_) };
    is($as_nobody->(qw(-W Probe -w None))->{status}, 0, 'an ordinary user measures');
    my $nice = getpriority 0, 0;
    is_told($as_nobody->('-r'),      2, qr/-r needs SCHED_FIFO, which is not permitted; run as root.*/, '-r');
    is_told($as_nobody->(qw(-B -5)), 2, qr/nice -5 is not permitted; run as root, or use $nice to 19/,  '-B -5');
    is_told($as_nobody->(qw(-N -1)), 2, qr/nice -1 is not permitted; run as root, or use $nice to 19/,  '-N -1');
    my $no_log = run([@NOBODY, @{ command('interbench', @BRIEF, qw(-W Audio -w None)) }], in => '/proc');
    is_told($no_log, 0, qr/can't write the log \S+[.]log: .*; the run continues without a log, as with -c/, 'no log');
};

# Words of the command line; why a load cannot run, or fails.
my $NO_FILE    = qr/can't create a file in/;
my @IMPOSSIBLE = (
    ['Write',   [qw(--tmpdir /absent)], qr{$NO_FILE /absent: No such file or directory; use another --tmpdir}],
    ['Write',   [qw(--max-disk 15M)],   qr/its file needs 16 MiB; raise --max-disk, or .*/],
    ['Memload', [qw(--max-mem 15M)],    qr/it needs 16 MiB of memory; raise --max-mem/],
    ['Command', [],                     qr/it has no command; use --load-cmd/],
    ['Custom',  [],                     qr/it is not defined; use -C and -I/],
);

# Limits, words, the status and why.
my @LIMITED = (
    ['-n 20',   [qw(-w Hack)],  3, qr/load Hack: can't create sockets: .*; raise the limit of open files .*/],
    ['-f 2048', [qw(-w Write)], 2, qr/load Write can't run here: .*ulimit -f.*/],
);

my $FAILED = 'failed 3 times in a row, the last time';

subtest 'a sandbox that refuses to end processes' => sub {
    my @refusing = qw(strace -o /dev/null -e trace=kill -e inject=kill:error=EPERM);
    my $ended    = interbench({ before => \@refusing }, @BRIEF, qw(-W Audio -w None));
    skip_without(tracing()) if $ended->{err} =~ /^strace: |PTRACE|strace: not found/m;
    is_told($ended, 2, q{can't end \S+: Operation not permitted}, 'kill');
};

subtest 'loads that are impossible or fail' => sub {
    for my $case (@IMPOSSIBLE) {
        my ($load, $words, $why) = @$case;
        my $ended = interbench({}, @BRIEF, qw(-W Audio -w), $load, @$words);
        is_told($ended, 2, qr/load $load can't run here: $why/, "$load @$words");
    }
    my $rest =
        interbench({}, @BRIEF, qw(-W Audio --tmpdir /absent), map { ('-x', $_) } qw(Video X Burn Ring Hack Memload));
    is($rest->{status}, 0, 'impossible loads that were not named are left out');
    like($rest->{out}, qr/^Left out: Write: $NO_FILE/m, 'the report names a load that is left out');
    my %said = ('exit 4' => 'with status 4', 'kill -9 $$' => 'by signal 9 .*');
    for my $command (sort keys %said) {
        my $ended = interbench({}, qw(-t 3600 -W Audio -w Command --load-cmd), $command, @LITTLE);
        is_told($ended, 3, qr/load Command: "\Q$command\E" $FAILED $said{$command}/, $command);
    }
    my $limited = sub {
        my ($limit, @words) = @_;
        return interbench({ before => ['sh', '-c', "ulimit $limit && exec \"\$0\" \"\$@\""] }, @BRIEF, @words);
    };
    is($limited->('-v 400000', qw(-W Audio -w Memload))->{status}, 0, 'Memload stays within RLIMIT_AS');
    is_told($limited->($_->[0], qw(-W Audio), @{ $_->[1] }), @$_[2, 3], "ulimit $_->[0]") for @LIMITED;
};

subtest 'a full file system' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $directory = scratch();
    skip_without(machine => 'a file system to mount')
        if system("mount -t tmpfs -o size=4m none '$directory' 2>/dev/null") != 0;
    my $full = interbench({}, @BRIEF, qw(-W Audio -w Write --tmpdir), $directory);
    system('umount', $directory);
    is_told($full, 2, qr/load Write can't run here: its file needs 16 MiB, and a tenth of .*--tmpdir/, 'no space');
};

subtest 'as a test of UnixBench' => sub {
    my @mix = qw(--mix --fixed --protocol --warmup 0.1 --max-disk 32M);
    my $mix = interbench({}, @mix, qw(-t 1.3 -w None -w Video));
    is($mix->{status}, 0, 'the mix: exit status 0') or diag $mix->{err};
    like($mix->{err}, qr/^cell[.]Video[.]Probe\|1300\|(?:[-\d.]+\|){13}[01]$/m, 'the mix: lines of its cells');
    like($mix->{err}, qr/^COUNT\|[\d.]+\|0\|wps\nTIME\|[\d.]+\n\z/m,            'the mix: its score');
    my $short = qr/Probe had 200 frames under Burn, .* needs 1000: 0[.]2 s are too short; use -t 1[.]5.*/;
    is_told(interbench({}, @mix, qw(-t 0.2 -w None -w Burn)), 2, $short, 'too short a time');
    my $capacity = interbench({}, qw(--capacity --protocol -t 0.3 --warmup 0.1));
    my $is_late  = $capacity->{err} =~ /^trial[.]1[|]0[.]00$/m;                     # on a busy machine
    is($capacity->{status}, $is_late ? 2 : 0, 'the capacity: exit status') or diag $capacity->{err};
    my $score = $is_late ? qr/ERROR[|]no frame was on time, .*\n/ : qr/COUNT[|][\d.]+[|]0[|]fps\nTIME[|][\d.]+\n/;
    like($capacity->{err}, qr/\A(?:trial[.]\d+\|[\d.]+\n)+$score\z/, 'the capacity: its trials and score');
    my $rest = interbench({}, @mix, qw(-t 1 --tmpdir /absent));
    is_told($rest, 2, qr/load Compile can't run here: .*/, 'an impossible load is not left out of the score');
    waits_at_gate('interbench', command('interbench', @mix, qw(-c -t 1.3 -w Burn)));
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
