use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use POSIX      ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../../t/lib);
use Alive                          qw(eventually);
use Interbench                     qw(allowed_cpus begin children end_of interbench measured);
use Needs                          qw(need_built skip_without);
use TestProgram                    qw(command content entries run scratch write_file);

# Each option has the effect that the manual page describes, seen from outside.
need_built('interbench');

# A fixed number of loops, because each run would calibrate again on a busy machine.
my @LOOPS   = qw(-l 1000000);
my @PLAIN   = qw(-t 0.3 --warmup 0);
my @BRIEF   = (@PLAIN, @LOOPS);
my $IS_ROOT = $> == 0;
my %seen    = (h => 1, help => 1, list => 1, version => 1);

# Takes words of the command line, a function and names of child processes. Starts interbench, calls the function with {
# name => number of the child } and the running program, and ends the program.
sub look {
    my ($words, $function, @children) = @_;
    note_options(@$words);
    my $running  = begin({}, qw(-t 3600), @LOOPS, @$words);
    my $children = children($running, @children);
    $function->($children, $running);
    kill TERM => $running->{pid};
    end_of($running);
    return;
}

# Takes milliseconds and words of the command line; returns whether an executed frame uses that CPU time, within 0.5 ms.
# A busy machine drops some frames or all; dropped frames do not count. In a virtual machine, CPU time includes the time
# in which the host ran something else. The program itself needs about 10 ms.
sub takes_ms {
    my ($wanted_ms, @words) = @_;
    my $cpu_s = -sum((times)[2, 3]);
    my ($row) = cells(qw(--warmup 0 -w None), @words);
    $cpu_s += sum((times)[2, 3]);
    my $executed = $row->{on_time} + $row->{late};
    return $executed && abs((1000 * $cpu_s - 10) / $executed - $wanted_ms) < 0.5;
}

# Takes words of the command line; returns the cells that interbench measures.
sub cells {
    my (@words) = @_;
    note_options(@words);
    return measured(@words);
}

# Takes words of the command line; returns what interbench prints.
sub report {
    my (@words) = @_;
    note_options(@words);
    return interbench({}, @words)->{out};
}

# Takes a report; returns the loops of a millisecond.
sub loops_in { my ($report) = @_; return ($report =~ /, (\d+) loops per ms/)[0] }

# Returns the values without repetitions, in their order.
sub uniq {
    my (@values) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @values;
}

sub note_options {
    my (@words) = @_;
    $seen{$_} = 1 for map { /\A--?([\w-]+)/ ? $1 : () } @words;
    return;
}

subtest 'duration and warm-up' => sub {
    my @words = (@LOOPS, qw(-t 0.45 --warmup 0.2 -W Audio -w None));
    my ($cell) = cells(@words);
    is $cell->{frames}, 9, '-t sets the exact duration, without the warm-up';
    like report(@words), qr/^0[.]45 s for each load after 0[.]2 s of warm-up/m, 'the report names both';
};

subtest 'nice, threads, CPUs' => sub {
    my $cpu = (allowed_cpus())[-1];
    look(
        [qw(-W Audio -n 3 -w Burn -L 5 -B 4 -N 6 --pin), $cpu],
        sub {
            my ($children, $running) = @_;
            my ($task,     $load)    = @$children{qw(task load)};
            ok eventually(sub { count_of_threads($load) == 6 }),
                '-L sets the number of threads, in addition to the one that waits';
            ok eventually(sub { count_of_threads($task) == 4 }), '-n starts a thread for each stream';
            my $nices = sub {
                join ' ', uniq(map { field($_[0], $_, 19) } tasks($_[0]));
            };
            ok eventually(sub { $nices->($task) eq '4' }), '-B sets the nice value of the task';
            ok eventually(sub { $nices->($load) eq '6' }), '-N sets the nice value of the load';
            is_deeply [[allowed_cpus($task)], [allowed_cpus($load)]], [[$cpu], [$cpu]],
                '--pin binds the task and the load to one CPU';
        },
        qw(task load)
    );
    look(
        [qw(-W Audio -w Ring -L 3)],
        sub {
            my ($load) = $_[0]{load};
            ok eventually(sub { count_of_threads($load) == 7 }), 'Ring has two threads for each token';
        },
        'load'
    );
    look(
        [qw(-W Audio -w Burn -u)],
        sub {
            my ($first) = allowed_cpus();
            is_deeply [allowed_cpus($_[0]{$_})], [$first], "-u binds the $_ to the first CPU" for qw(task load);
        },
        qw(task load)
    );
};

subtest 'real time' => sub {
    skip_without(machine => 'the right to SCHED_FIFO') if system('chrt -f 1 true 2>/dev/null') != 0;
    look(
        [qw(-r --waker -W Audio -w Burn)],
        sub {
            my ($children) = @_;
            my $classes = sub {
                my %class = map { join(q{ }, field($children->{task}, $_, 41, 40)) => 1 } tasks($children->{task});
                return join ', ', sort keys %class;
            };
            ok eventually(sub { $classes->() eq '0 0, 1 95, 1 96' }),
                '-r runs the stream at priority 95, and --waker runs the waker at 96';
            is_deeply [uniq(map { field($children->{load}, $_, 41) } tasks($children->{load}))], [0],
                '-r does not give the load a real-time priority';
            ok eventually(sub { content("/proc/$children->{task}/status") =~ /^VmLck:\s+[1-9]/m }),
                '-r locks the memory of the task';
        },
        qw(task load)
    );
    is_deeply [uniq(map { $_->{task} } cells(@BRIEF, qw(-r -w None)))], [qw(Audio Video Probe)],
        '-r measures Audio, Video and Probe only';
};

subtest 'work of frames' => sub {
    my @words     = (@PLAIN, qw(-W Audio -w None));
    my $first     = interbench({}, @words, '-b');
    my $again     = report(@words);
    my $is_steady = $first->{err} !~ /varies/;
    note_options('-b');
    like $first->{out}, qr/ loops per ms [(]spread at calibration /, '-b calibrates';
    is $again !~ /spread at calibration/, $is_steady,
        'without -b a kept calibration is used again only if it was steady';
    is loops_in($again), loops_in($first->{out}), 'the kept calibration is used again' if $is_steady;
    is loops_in(report(@words, qw(-l 12345))), 12_345,    '-l sets the number of loops';
    is loops_in(report(@words, '--fixed')),    4_214_517, '--fixed uses the loops of the reference machine';
    my ($custom) = cells(@BRIEF, qw(-C 10 -I 20000 -W Custom -w None));
    is $custom->{frames}, 15, '-I sets the time between frames of Custom';
    ok eventually(sub { takes_ms(2, @BRIEF, qw(-C 10 -I 20000 -W Custom)) }),
        '-C sets the work of the frames of Custom';
};

subtest 'what is measured' => sub {
    my $cells = sub {
        return join ' ', sort map { "$_->{task}/$_->{load}" } cells(@BRIEF, qw(-t 0.1), @_);
    };
    is $cells->(qw(-W audio -W VIDEO -w none -w video)), 'Audio/None Audio/Video Video/None',
        '-W and -w choose tasks and loads';
    is $cells->(qw(-X Audio -X X -X Gaming -X Probe -w None -w Burn -x Burn)), 'Video/None',
        '-X and -x leave out tasks and loads';
    is $cells->(qw(--mix -w None)), 'Audio/None Probe/None Video/None X/None',
        '--mix measures Audio, Probe, Video and X';
    my $repeated = report(@BRIEF, qw(-W Audio -w None --repeat 3 --policy catchup --seed 9 -m), 'a comment');
    like $repeated, qr/, seed 9, 3 repeats$/m, '--seed sets the seed, and --repeat the repeats';
    like $repeated, qr/^None(?: [*])? +18 /m,  '--repeat reports all repeats together';
    like $repeated, qr/^.*a comment$/m,        '-m adds a comment to the report';
    my $order = sub {
        my $result = interbench({}, @BRIEF, qw(-t 0.05 -W Audio -W Video -W Probe -W X -w None --seed), @_);
        return join ' ', $result->{err} =~ /left: (\w+ under \w+)$/mg;
    };
    my $first = $order->(1);
    is $order->(1),                                    $first, 'the same seed gives the same order';
    isnt join(',', uniq(map { $order->($_) } 2 .. 6)), $first, 'other seeds give other orders';
};

subtest 'files, memory, commands' => sub {
    my $directory = scratch();
    look(
        [qw(-W Audio -w Write --max-disk 20M --tmpdir), $directory],
        sub {
            my ($load) = $_[0]{load};
            my $file = sub {
                return (grep { (readlink($_) // q{}) =~ /\A\Q$directory\E/ } glob "/proc/$load/fd/*")[0];
            };
            ok eventually(sub { $file->() && (-s $file->() // 0) >= 20 << 20 }),
                '--tmpdir sets the directory of the file';
            is -s $file->(),                   20 << 20, '--max-disk limits the size of the file';
            is join(' ', entries($directory)), '',       'the file has no name';
        },
        'load'
    );
    look(
        [qw(-W Audio -w Memload --max-mem 48M)],
        sub {
            my ($load) = $_[0]{load};
            my $resident = sub { (content("/proc/$load/status") =~ /^VmRSS:\s+(\d+)/m)[0] // 0 };
            ok eventually(sub { $resident->() >= 48 << 10 }), '--max-mem sets the memory that is touched';
            cmp_ok $resident->(), '<', 64 << 10, '--max-mem limits the memory that is touched';
        },
        'load'
    );
    my $row;
    for my $seconds (0.3, 3, 30, 300) {    # until the command has run often enough, on a busy machine
        ($row) = cells('-t', $seconds, @LOOPS, qw(--warmup 0 -W Audio -w Command --load-cmd), "echo >> $directory/ran");
        last if content("$directory/ran") =~ tr/\n// > 10;
    }
    cmp_ok content("$directory/ran") =~ tr/\n//, '>', 10, '--load-cmd runs the command again and again';
    cmp_ok $row->{throughput},                   '>', 0,  '--load-cmd counts how often the command has run';
    like report(@BRIEF, qw(-W Audio -w Memload --swap --max-mem 32M)), qr/^Memload /m, '--swap is accepted';
};

subtest 'results' => sub {
    my @words = (@BRIEF, qw(-W Audio -w None));
    like report(@words, '--legacy'),
        qr/^Load\tLatency \+\/- SD \(ms\)  Max Latency   % Desired CPU  % Deadlines Met\n/m,
        '--legacy prints the headings of the old program';
    unlike interbench({}, @words)->{err}, qr/[.]log/, '-c writes no log';
    note_options('-c', '--protocol', '--capacity');    # these are tested in features/interactive/src/t/run.t
};

subtest 'the log' => sub {
    my $directory = scratch();
    my $command   = command('interbench', @BRIEF, qw(-W Audio -w None -m), 'a comment');
    my @ended     = map { run($command, in => $directory) } 1 .. 2;
    my ($log)     = entries($directory);
    chomp(my $release = qx(uname -r));
    is $log, "$release.log",                                            'the log is named after the kernel';
    is scalar(() = content("$directory/$log") =~ /^.*a comment$/mg), 2, 'each run adds to the log';

    my $announced = qr/interbench: the report is appended to \Q$log\E; -c writes no log\n/;
    like $_->{err}, qr/\A${announced}interbench: 1 of 1, /, 'the log is announced before the first measurement'
        for @ended;
    my %quiet = map { ("@$_" => run([@$command, @$_], in => scratch())) } ['-c'], ['-c', '--protocol'];
    unlike $quiet{$_}{err} . $quiet{$_}{out}, qr/[.]log/, "$_: no log is announced" for sort keys %quiet;
    my $place  = scratch();
    my $in_run = run([@$command, '--protocol'], in => $place);
    is_deeply [entries($place)], [$log], '--protocol alone writes a log';
    like $in_run->{out},   qr/\A$announced/, '--protocol alone announces the log on standard output';
    unlike $in_run->{err}, qr/[.]log/,       '--protocol alone leaves standard error to the protocol';

    my $theirs  = scratch() . '/victim';
    my %planted = (
        'a link'        => sub { symlink $theirs,          $_[0] },
        'a second name' => sub { link $theirs,             $_[0] },
        'a lost link'   => sub { symlink "$theirs.absent", $_[0] },
        'a pipe'        => sub { POSIX::mkfifo($_[0], 0600) },
        'a device'      => sub { symlink '/dev/null', $_[0] },
    );
    $planted{'a file of another user'} = sub { write_file($_[0], 'old'); chown 12_345, -1, $_[0] }

        if $IS_ROOT;
    for my $what (sort keys %planted) {
        my $place = scratch();
        write_file($theirs, 'old');
        $planted{$what}->("$place/$log") or die "$what: $!";
        my $ended = run($command, in => $place);
        is $ended->{status}, 2, "$what instead of the log: exit status 2";
        like $ended->{err},
            qr/\Ainterbench: \Q$log\E is not a regular file of this user with a single name; remove it, or .*\n\z/,
            "$what instead of the log: message";
        is_deeply [content($theirs), -e "$theirs.absent"], ['old', undef],
            "$what instead of the log: nothing is written";
    }
};

subtest 'options that only print something' => sub {
    my %said = map { $_ => run(command('interbench', $_)) } qw(--help --list --version);
    is $said{$_}{status}, 0, "$_: exit status 0" for sort keys %said;
    like $said{'--list'}{out}, qr/^\s+$_ /m, "--list names $_" for qw(Audio Video X Gaming Probe Burn Write Hack);
    my @unseen = grep { !$seen{$_} } map { /\A--?(.*)/ } uniq($said{'--help'}{out} =~ /(?<![\w-])(--?[A-Za-z][\w-]*)/g);
    is "@unseen", '', 'every option of --help has been tested';
};

done_testing;

# Returns the numbers of a process's threads.
sub tasks {
    my ($pid) = @_;
    return map { m{/(\d+)\z} } glob "/proc/$pid/task/*";
}

sub count_of_threads { return scalar(my @all = tasks($_[0])) }

# Takes the numbers of a process and of a thread, and numbers of fields, from 1 as in proc(5); returns these fields of
# the thread's stat.
sub field {
    my ($pid, $thread, @fields) = @_;
    my ($rest) = content("/proc/$pid/task/$thread/stat") =~ /\A\d+ \(.*\) (.*)/s or return;
    my @found  = split ' ', $rest;
    return @found[map { $_ - 3 } @fields];
}
