use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../../t/lib);
use Alive                          qw(eventually);
use Interbench                     qw(allowed_cpus begin children end_of interbench measured);
use Needs                          qw(need_built skip_without);
use TestProgram                    qw(command content entries run scratch write_file);

# Options have the effect that the manual page describes, seen from outside.
need_built('interbench');

# A fixed number of loops, because each run would calibrate on a busy machine.
my @LOOPS = qw(-l 1000000);
my @BRIEF = (qw(-t 0.3 --warmup 0), @LOOPS);

# Takes words of the command line, a function and names of child processes. Starts interbench, calls the function with {
# name => number of the child }, and ends the program.
sub look {
    my ($words, $function, @children) = @_;
    my $running = begin({}, qw(-t 3600), @LOOPS, @$words);
    $function->(children($running, @children));
    kill TERM => $running->{pid};
    end_of($running);
    return;
}

sub report { return interbench({}, @_)->{out} }

# Returns the values without repetitions, sorted.
sub uniq {
    my %seen = map { $_ => 1 } @_;
    return join q{ }, sort keys %seen;
}

# Returns the numbers of a process's threads.
sub threads {
    return map { m{/(\d+)\z} } glob "/proc/$_[0]/task/*";
}

# Takes the number of a process and of a field, from 1 as in proc(5); returns that field of the stat of each thread.
sub fields {
    my ($pid, $number) = @_;
    my @stats = map { content("/proc/$pid/task/$_/stat") } threads($pid);
    return uniq(map { (split q{ }, s/\A\d+ \(.*\) //sr)[$number - 3] } @stats);
}

subtest 'duration and warm-up' => sub {
    my ($cell) = measured(@LOOPS, qw(-t 0.45 --warmup 0.2 -W Audio -w None));
    is($cell->{frames}, 9, '-t sets the exact duration, without the warm-up');
};

subtest 'nice, threads, CPUs' => sub {
    my $cpu  = (allowed_cpus())[-1];
    my $look = sub {
        my ($task, $load) = @{ $_[0] }{qw(task load)};
        ok(eventually(sub { threads($load) == 6 }), '-L sets the number of threads, in addition to the one that waits');
        ok(eventually(sub { threads($task) == 4 }), '-n starts a thread for each stream');
        ok(eventually(sub { fields($task, 19) eq '4' }), '-B sets the nice value of the task');
        ok(eventually(sub { fields($load, 19) eq '6' }), '-N sets the nice value of the load');
        is_deeply([map { allowed_cpus($_) } $task, $load], [$cpu, $cpu], '--pin binds both to one CPU');
    };
    look([qw(-W Audio -n 3 -w Burn -L 5 -B 4 -N 6 --pin), $cpu], $look, qw(task load));
    look(
        [qw(-W Audio -w Burn -u)],
        sub {
            is_deeply([map { allowed_cpus($_) } @{ $_[0] }{qw(task load)}], [(allowed_cpus())[0, 0]], '-u: one CPU');
        },
        qw(task load)
    );
};

subtest 'real time' => sub {
    skip_without(machine => 'the right to SCHED_FIFO') if system('chrt -f 1 true 2>/dev/null') != 0;
    my $look = sub {
        my ($task, $load) = @{ $_[0] }{qw(task load)};
        ok(eventually(sub { fields($task, 41) eq '0 1' }),  '-r gives streams SCHED_FIFO');
        ok(eventually(sub { fields($task, 40) eq '0 95' }), '-r gives streams the priority 95');
        is(fields($load, 41), '0', '-r does not give the load a real-time priority');
        ok(eventually(sub { content("/proc/$task/status") =~ /^VmLck:\s+[1-9]/m }), '-r locks the memory of the task');
    };
    look([qw(-r -W Audio -w Burn)], $look, qw(task load));
    is(uniq(map { $_->{task} } measured(@BRIEF, qw(-r -w None))), 'Audio Probe Video', '-r: three tasks');
};

subtest 'work of frames' => sub {
    my $loops = sub { return (report(qw(-t 0.1 --warmup 0 -W Audio -w None), @_) =~ /, (\d+) loops per ms/)[0] };
    is($loops->(qw(-l 12345)), 12_345,    '-l sets the number of loops');
    is($loops->('--fixed'),    4_214_517, '--fixed uses the loops of the reference machine');
    cmp_ok($loops->(qw(-l 12345 -b)), '>', 20_000, '-b calibrates in spite of -l');
    my ($custom) = measured(@BRIEF, qw(-C 10 -I 20000 -W Custom -w None));
    is($custom->{frames}, 15, '-I sets the time between frames of Custom');
};

subtest 'what is measured' => sub {
    my $cells = sub { return join q{ }, sort map { "$_->{task}/$_->{load}" } measured(@BRIEF, qw(-t 0.1), @_) };
    is($cells->(qw(-W audio -W VIDEO -w none -w video)), 'Audio/None Audio/Video Video/None', '-W and -w choose');
    is($cells->(qw(-X Audio -X X -X Gaming -X Probe -w None -w Burn -x Burn)), 'Video/None',  '-X and -x leave out');
    is($cells->(qw(--mix -w None)), 'Audio/None Probe/None Video/None X/None', '--mix measures Audio, Probe, Video, X');
    is($cells->(qw(-W Audio -w None --load-cmd true)), 'Audio/Command Audio/None', '--load-cmd is measured, too');
    is((measured(@BRIEF, qw(-W Audio -w None --repeat 3 -n 2 --policy catchup)))[0]{frames}, 36, 'all together');
};

subtest 'files' => sub {
    my $directory = scratch();
    my $is_file   = sub {
        my ($load) = $_[0]{load};
        my $file   = sub { return (grep { (readlink($_) // q{}) =~ /\A\Q$directory\E/ } glob "/proc/$load/fd/*")[0] };
        ok(eventually(sub { $file->() && (-s $file->() // 0) >= 20 << 20 }), '--tmpdir sets the directory of the file');
        is(-s $file->(),                    20 << 20, '--max-disk limits the size of the file');
        is(join(q{ }, entries($directory)), q{},      'the file has no name');
    };
    look([qw(-W Audio -w Write --max-disk 20M --tmpdir), $directory], $is_file, 'load');
    my $is_read = sub {
        my ($load) = $_[0]{load};
        my @flags = map { content($_) =~ /^flags:\s+0?(\d+)/m } glob "/proc/$load/fdinfo/*";
        ok((grep { oct($_) & oct '40000' } @flags), 'Read bypasses the cache');
    };
    my $said = interbench({}, @BRIEF, qw(-W Audio -w Read --max-disk 16M --tmpdir), $directory);
SKIP: {
        skip_without(machine => 'files that do not stay in memory', 1) if $said->{err} =~ /keeps files in memory/;
        look([qw(-W Audio -w Read --max-disk 16M --tmpdir), $directory], $is_read, 'load');
    }
};

subtest 'the log' => sub {
    my $command = command('interbench', @BRIEF, qw(-W Audio -w None -m), 'a comment');
    my $place   = scratch();
    my @ended   = map { run($command, in => $place) } 1 .. 2;
    my ($log)   = entries($place);
    is($log, (POSIX::uname())[2] . '.log',                          'the log is named after the kernel');
    is(scalar(() = content("$place/$log") =~ /^.*a comment$/mg), 2, 'each run adds to the log');
    my $announced = qr/interbench: the report is appended to \Q$log\E; -c writes no log\n/;
    like($_->{err}, qr/\A${announced}interbench: 1 of 1, /, 'the log is announced before the measurement') for @ended;
    my $quiet = run([@$command, '-c'], in => scratch());
    unlike($quiet->{err} . $quiet->{out}, qr/[.]log/, '-c writes no log');
    my $in_run = run([@$command, '--protocol'], in => scratch());
    like($in_run->{out}, qr/\A$announced/, '--protocol leaves standard error to the protocol');

    my $theirs = write_file(scratch() . '/victim', 'old');
    my $there  = scratch();
    symlink $theirs, "$there/$log" or die "symlink: $!";
    my $ended = run($command, in => $there);
    is_deeply([$ended->{status}, content($theirs)], [2, 'old'], 'a link instead of the log: nothing is written');
    like($ended->{err}, qr/\Ainterbench: \Q$log\E is not a regular file of this user .*\n\z/, 'and why');
};

done_testing;
