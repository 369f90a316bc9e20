use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use ControlGroup;
use LoadedRun qw(waited);
use Needs     qw(need_user skip_without);
use Place     qw(text_of);
use UnixBench::Host::Machine;

# Before it measures, Run reports the limit that is too low for the run, and plans for the CPUs that it may use.

my $PROCESSES = system('sh', '-c', 'ulimit -u >/dev/null 2>&1') == 0 ? '-u' : '-p';    # the option of ulimit in sh
my @RUN       = ($^X, "$TestRun::HOME/Run", '-q', '-i', 1);

# Takes a shell command that sets a limit; returns words that run it and then become Run.
sub limited {
    my ($limit) = @_;
    return ('sh', '-c', qq{$limit && exec "\$0" "\$@"});
}

# Takes a controller, and [file => value, ...] of each version of control groups; returns a group that is limited so, or
# skips the subtest.
sub limited_group {
    my ($controller, @limits) = @_;
    for my $limit (@limits) {
        my $group = ControlGroup->new($controller => $limit->[-2]) or next;
        $group->set(@$limit);
        return $group;
    }
    return skip_without(machine => "a control group with a limit of $controller");
}

# Takes a place, a directory and a size; returns words that mount a file system in memory there, for this run only.
sub mounted {
    my ($test, $directory, $size) = @_;
    my $mount = qq{mount -t tmpfs -o size=$size unixbench-test "\$0" && exec "\$@"};
    return ('unshare', '-m', 'sh', '-c', $mount, $test->place($directory));
}

# Tests that nothing is measured, and that the message matches the pattern.
sub is_refused {
    my ($test, $command, $pattern) = @_;
    my $run = waited($test->started_by(@$command));
    like($run->{err}, qr/\ARun: $pattern\n\z/, 'the limit is reported in one line');
    is_deeply([@$run{qw(status signal out)}], [1, 0, q{}], 'exit status 1, and no output');
    is_deeply([$test->reports, $test->left],  [],          'no report and no scratch file is made');
    return;
}

# Tests that the run succeeds.
sub is_measured {
    my ($test, $command, $why) = @_;
    my $run = waited($test->started_by(@$command));
    is_deeply([@$run{qw(status signal err)}], [0, 0, q{}], $why);
    return;
}

subtest 'open files' => sub {
    my $test = TestRun->new;
    my @few  = limited('ulimit -n 64');
    is_refused(
        $test,
        [@few, @RUN, qw(-c 1 -c 20 syscall)],
        qr/20 copies need ([0-9]+) open files, but the limit is 64: raise it with `ulimit -n \1` as root/
    );
    is_measured($test, [@few, @RUN, qw(-c 1 syscall)], '64 open files are enough for one copy');
    my $hundred = [limited('ulimit -n 64'), @RUN, qw(-c 100 syscall)];
    my ($need) = waited($test->started_by(@$hundred))->{err} =~ /`ulimit -n ([0-9]+)`/;
    is_measured($test, [limited("ulimit -n $need"), @RUN, qw(-c 100 syscall)], 'the limit in the message is enough');
};

subtest 'processes of a user' => sub {
    need_user();
    my $test = TestRun->new;
    chmod 01777, map { $test->place($_) } q{}, qw(tmp results test);
    my @user = ($^X, "$TestRun::BIN/as-nobody", limited("ulimit $PROCESSES 50"));
    is_refused(
        $test,
        [@user, @RUN, qw(-c 45 syscall)],
        qr/45 copies need 53 processes in addition to the ([0-9]+) that this user runs, but the limit is 50: /
            . qr/raise it with `ulimit -u [0-9]+` as root/
    );
    is_refused($test, [@user, @RUN, qw(-c 1 shell16)], qr/1 copy needs 74 processes .*/);
};

subtest 'processes of a control group' => sub {
    my $group = limited_group(pids => ['pids.max' => 20]);
    my $test  = TestRun->new;
    is_refused(
        $test,
        [$group->words(@RUN, qw(-c 20 syscall))],
        qr/20 copies need 28 processes, but the control group allows 19 more: raise its pids.max [(]containers: .*/
    );
    is_measured($test, [$group->words(@RUN, qw(-c 4 syscall))], 'the control group allows fewer copies');
};

subtest 'memory of a control group' => sub {
    my $group = limited_group(memory => map { [$_ => 64 * 1024 * 1024] } qw(memory.limit_in_bytes memory.max));
    my $test  = TestRun->new;
    is_refused(
        $test,
        [$group->words(@RUN, qw(-c 400 syscall))],
        qr/400 copies need about 108 MB of memory, but the control group allows [0-9]+ MB more: run fewer copies .*/
    );
    is_measured($test, [$group->words(@RUN, qw(-c 4 syscall))], 'the memory is enough for fewer copies');
};

subtest 'space for files' => sub {
    my $test = TestRun->new;
    skip_without(machine => 'a file system to mount')
        if system("@{[map { qq{'$_'} } mounted($test, 'tmp', '1m')]} true 2>/dev/null") != 0;
    is_refused(
        $test,
        [mounted($test, 'tmp', '10m'), @RUN, qw(-c 1 fsdisk)],
        qr/files need about 16 MB in UB_TMPDIR [(]\S+\/tmp[)], but 10 MB are free there: /
            . qr/free some space, or set UB_TMPDIR to another directory/
    );
    is_measured(
        $test,
        [mounted($test, 'tmp', '10m'), @RUN, qw(-c 2 fsbuffer fstime-w)],
        'the space is enough for smaller files'
    );
};

# A program that can't open its own modules names the limit, not an internal error. The loader of Perl itself needs
# some.
subtest 'open files of commands that only read' => sub {
    my $json = text_of("$FindBin::Bin/../golden/report/json/partial.json");
    for my $limit (6, 9, 12) {
        for my $command (qw(report compare)) {
            my $test     = TestRun->new(has_true_times => 1);
            my $result   = $test->write('test', 'a.json', $json);
            my @words    = ($command, ($result) x ($command eq 'compare' ? 2 : 1));
            my $run      = waited($test->started_by(limited("ulimit -n $limit"), $^X, "$TestRun::HOME/Run", @words));
            my $said     = $run->{err} =~ s/^Run: also written: .*\n//mgr;
            my $expected = $run->{status} ? "Run: too many open files: raise the limit by ulimit -n 1024\n" : q{};
            is($said,          $expected, "$command with $limit descriptors");
            is($run->{status}, 1,         'fails') if $limit == 6;
        }
    }
};

my @DRY    = ($^X, "$TestRun::HOME/Run", qw(--dry-run pipe));
my $host   = UnixBench::Host::Machine->new;
my $usable = $host->usable_cpus;

# Returns the numbers of copies in a plan, in which each has its own line.
sub copies {
    my ($run) = @_;
    return [$run->{out} =~ /^([0-9]+) parallel cop(?:y|ies) of tests,/mg];
}

subtest 'an affinity mask' => sub {
    skip_without(tool => 'taskset') if !$host->has_program('taskset');
    my ($first) = text_of('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\d+)/m;
    skip_without(machine => 'an affinity mask in /proc') if !defined $first;
    my $run = waited(TestRun->new->started_by('taskset', '-c', $first, @DRY));
    is($run->{status}, 0, 'a plan with an affinity mask succeeds');
    is_deeply(copies($run), [1], 'an affinity mask limits the number of copies');
    $run = TestRun->new->run(qw(--dry-run pipe));
    is_deeply(copies($run), $usable > 1 ? [1, $usable] : [1], 'without an affinity mask all CPUs are used');
};

subtest 'a quota of a control group' => sub {
    my @limits = (['cpu.cfs_period_us' => 100_000, 'cpu.cfs_quota_us' => 50_000], ['cpu.max' => '50000 100000']);
    my $group  = limited_group(cpu => @limits);
    my $line   = "Run: a control group limits CPU time to that of 0.50 of $usable CPUs\n";
    my $run    = waited(TestRun->new->started_by($group->words(@DRY)));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a plan with a quota succeeds');
    like($run->{said}, qr/^\Q$line\E/m, 'a plan with a quota has a warning');
    is_deeply(copies($run), $usable > 1 ? [1, $usable] : [1], 'a quota does not change the number of copies');
    my $test = TestRun->new;
    $run = waited($test->started_by($group->words(@RUN, qw(-c 1 syscall))));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with a quota succeeds');
    like($run->{said},           qr/^\Q$line\E/m,             'a run with a quota has a warning');
    like($test->report('.html'), qr/the time of 0[.]50 CPUs/, 'the page reports the quota');
};

done_testing;
