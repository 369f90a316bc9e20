use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(eventually of_environment);
use Needs                          qw(need_mount_namespaces skip_without);
use ObservedRun                    qw(made_by_hold path_without real_run tests_of why_not_bpftrace why_not_strace);
use TestProgram                    qw(content);
use TestRun                        qw(waited);
use UnixBench::Base::JSON;

# A shell makes its background commands ignore some signals; these tests need their default effect.
$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP TSTP);

my @PIPE   = qw(-q -i 1 -c 1 --observe syscalls pipe);
my @TWO    = qw(-q -i 1 -c 1 --observe syscalls hanoi pipe);
my $SCORED = qr/^Pipe Throughput +[0-9.]+ lps /m;
my $HERE   = why_not_bpftrace();
my $STRACE = why_not_strace();

sub mounts {
    open my $file, '<', '/proc/self/mounts' or return q{};
    return join q{}, readline $file;
}
my $MOUNTS = mounts();

# Tests that a run was observed by strace, and that it has the reason why not by bpftrace.
sub is_by_strace {
    my ($test, $run, $why) = @_;
    is($run->{status}, 0, 'the run succeeds');
    like($run->{err}, qr/^Run: system calls will be observed by strace: \Q$why\E/m, 'the message has the reason');
    like($test->report(q{}), $SCORED,                                               'the report has the score');
    like($test->report(q{}), qr/^ +strace: delays include the tracer$/m,            'the report warns about delays');
    is(tests_of($test)->{pipe}{observed}{tracer}, 'strace', 'the test was observed by strace');
    $test->all_gone;
    return;
}

# Takes a place and a mount command; starts Run below a shell that mounts something first, in its own namespace.
sub behind {
    my ($test, $mount) = @_;
    return waited(
        $test->started_by(
            'unshare', '-m', 'sh', '-c', "$mount && exec \"\$0\" \"\$@\"",
            $^X,       "$TestRun::HOME/Run", @PIPE
        )
    );
}

subtest 'not root' => sub {
    skip_without(machine => 'root') if $> != 0;
    skip_without(@$STRACE) if $STRACE;
    my $test = real_run();
    chmod 01777, map { $test->place($_) } q{}, qw(tmp results);
    chmod 0755, $test->place;
    my $run = waited($test->started_by($^X, "$TestRun::BIN/as-nobody", $^X, "$TestRun::HOME/Run", @PIPE));
    is_by_strace($test, $run, 'bpftrace ' . (-x '/usr/bin/bpftrace' ? 'needs root' : 'is not installed'));
};

subtest 'no bpftrace' => sub {
    skip_without(@$STRACE) if $STRACE;
    my $test = real_run();
    $test->{env}{PATH} = path_without($test, 'bpftrace');
    is_by_strace($test, $test->run(@PIPE), 'bpftrace is not installed');
};

subtest 'neither bpftrace nor strace' => sub {
    my $test = real_run();
    $test->{env}{PATH} = path_without($test, qw(bpftrace strace));
    my $run     = $test->run(@PIPE);
    my $why_not = 'bpftrace is not installed; strace is not installed';
    is($run->{status}, 1, 'no tracer: exit status 1');
    like($run->{err}, qr/^Run: system calls can't be observed: $why_not$/m,   'no tracer: the message has the reason');
    like($test->report(q{}), $SCORED,                                         'no tracer: the report has the score');
    like($test->report(q{}), qr/^System calls were not observed: $why_not$/m, 'no tracer: the report has the reason');
    is(tests_of($test)->{pipe}{observed}, undef, 'nothing was observed');
    $test->all_gone;
};

subtest 'a kernel without BTF or tracefs' => sub {
    need_mount_namespaces();
    skip_without(@$HERE) if $HERE;
    skip_without(@$STRACE) if $STRACE;
    my $test = real_run();
    is_by_strace($test, behind($test, 'mount -t tmpfs none /sys/kernel/btf'), 'bpftrace needs BTF');
    $test = real_run();
    my $without = $test->write('test', 'filesystems', "nodev\tproc\n");
    my $hide    = 'if [ -e /sys/kernel/tracing/events ]; then mount -t tmpfs none /sys/kernel/tracing; fi';
    is_by_strace($test, behind($test, "$hide; mount --bind $without /proc/filesystems"), 'bpftrace needs tracefs');
};

subtest 'mounts that are shared' => sub {
    need_mount_namespaces();
    skip_without(@$HERE) if $HERE;
    skip_without(machine => 'a tracefs that is not mounted') if -e '/sys/kernel/tracing/events';
    my $test  = real_run();
    my $shell = 'mount --make-rshared / && "$0" "$@"; status=$?; grep tracefs /proc/self/mounts >&2; exit $status';
    my $run   = waited($test->started_by(qw(unshare -m sh -c), $shell, $^X, "$TestRun::HOME/Run", @PIPE));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'tracefs is not visible outside of the run');
    is(tests_of($test)->{pipe}{observed}{tracer}, 'bpftrace', 'the test was observed by bpftrace');
    $test->all_gone;
};

subtest 'no right to mount' => sub {
    skip_without(@$HERE) if $HERE;
    skip_without(@$STRACE) if $STRACE;
    skip_without(machine => 'a tracefs that is not mounted') if -e '/sys/kernel/tracing/events';
    my @without = qw(setpriv --bounding-set -sys_admin --inh-caps -sys_admin);
    skip_without(tool => 'setpriv') if system "@without true 2>/dev/null";
    my $test = real_run();
    my $run  = waited($test->started_by(@without, $^X, "$TestRun::HOME/Run", @PIPE));
    is_by_strace($test, $run, 'bpftrace: unshare: unshare failed: Operation not permitted');
};

subtest 'bpftrace is killed during a pass' => sub {
    skip_without(@$HERE) if $HERE;
    my $test = made_by_hold([2]);
    my $run  = $test->started(@TWO);
    ok($test->is_held(1), 'the short pass has started');
    my $tracer = $test->tracer;
    kill KILL => $tracer;
    my ($copy) = grep { (readlink "/proc/$_/exe" // q{}) =~ /perl/ && $_ != $run->{pid} && _is_hold($_) }
        of_environment($test->place);
    kill KILL => $copy;
    my $ended = waited($run);
    is($ended->{status}, 1, 'bpftrace is killed: exit status 1');
    my $why = 'killed by SIGKILL; bpftrace: killed by SIGKILL';
    is(
        $ended->{err},
        qq{Run: "Pipe Throughput": system calls were not observed: $why\n},
        'bpftrace is killed: one line of message'
    );
    like($test->report(q{}), $SCORED, 'bpftrace is killed: the report has the score');
    like(
        $test->report(q{}),
        qr/^ +Pipe Throughput: .*not observed: $why$/m,
        'bpftrace is killed: the report has the reason'
    );
    ok(!defined tests_of($test)->{hanoi}{observed}{error}, 'the other test was observed');
    $test->all_gone;
};

sub _is_hold {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/cmdline" or return;
    return readline($file) =~ m{bin/pipe};
}

# Returns the kinds of lines in the journal of a run, in order.
sub lines_of_journal {
    my ($test) = @_;
    my @lines  = map { UnixBench::Base::JSON::decode($_) } split /\n/, $test->report('.journal');
    delete $_->{sha256} for @lines;
    return map { join q{}, keys %$_ } @lines;
}

for my $signal (qw(INT TERM)) {
    subtest "SIG$signal while a test is observed" => sub {
        skip_without(@$HERE) if $HERE;
        my $test = made_by_hold([2]);
        my $run  = $test->started(@TWO);
        ok($test->is_held(1), 'the short pass has started');
        ok($test->tracer,     'the tracer is running');
        kill $signal => $run->{pid};
        my $ended = waited($run);
        is($ended->{signal}, POSIX->can("SIG$signal")->(), "SIG$signal ends the run");
        like(
            $ended->{err},
            qr{\ARun: the finished passes are kept; to resume: [.]/Run --resume \S+\n\z},
            'the message says how to resume the run'
        );
        like($test->report(q{}), $SCORED,                                  'the report has the scores');
        like($test->report(q{}), qr/^ +Note: interrupted by SIG$signal$/m, 'the report has a note');
        like(
            $test->report(q{}),
            qr/^ +Recursion Test -- Tower of Hanoi: .*observed /m,
            'the report has the tests that were observed'
        );
        is_deeply(
            [lines_of_journal($test)],
            [qw(head run pass pass ended observed)],
            'observations follow the passes in the journal'
        );
        $test->all_gone;
        my ($name) = $test->reports;
        my $resumed = $test->run('-q', '--resume', $name);
        is_deeply([@$resumed{qw(status err)}], [0, q{}], 'the run can be resumed');
        ok(!grep({ defined $_->{observed}{error} || !$_->{observed} } values %{ tests_of($test) }),
            'all tests of the resumed run are observed');
        is(scalar(grep { /start/ } split /^/m, content($test->place('hold', 1))),
            3, 'the resumed run measures no pass again');
        $test->all_gone;
    };
}

for my $signal (qw(INT KILL)) {
    subtest "SIG$signal while the tracer is tried" => sub {
        skip_without(@$HERE) if $HERE;
        my $test   = real_run(BPFTRACE_PLAYS => 'mute', PATH => "$FindBin::Bin/bin/tracers:$ENV{PATH}");
        my $starts = $test->{env}{BPFTRACE_STARTS} = $test->place('starts');
        my $run    = $test->started(@PIPE);
        ok(eventually(sub { -s $starts }), 'the tracer is being tried');
        kill $signal => $run->{pid};
        my $ended = waited($run);
        is($ended->{signal}, POSIX->can("SIG$signal")->(), "SIG$signal ends the run");
        unlike($ended->{err}, qr/strace|observed/, 'the message does not blame the tracer');
        $test->all_gone;
    };
}

subtest 'kill -9 while a test is observed' => sub {
    skip_without(@$HERE) if $HERE;
    my $test = made_by_hold([2]);
    my $run  = $test->started(@TWO);
    ok($test->is_held(1), 'the short pass has started');
    kill KILL => $run->{pid};
    waited($run);
    $test->all_gone;
};

subtest 'Ctrl-Z and fg while a test is observed' => sub {
    skip_without(@$HERE) if $HERE;
    my $test = made_by_hold([2]);
    my $run  = $test->started(@TWO);
    ok($test->is_held(1), 'the short pass has started');
    kill TSTP => $run->{pid};
    waitpid $run->{pid}, POSIX::WUNTRACED();
    ok(POSIX::WIFSTOPPED(${^CHILD_ERROR_NATIVE}), 'the run stops');
    kill CONT => $run->{pid};
    my $ended = waited($run);
    is_deeply([@$ended{qw(status err)}], [0, q{}], 'the continued run succeeds');
    ok(!defined tests_of($test)->{pipe}{observed}{error}, 'the short pass was made again');
    $test->all_gone;
};

is(mounts(), $MOUNTS, 'the mounts are the same as before');

done_testing;
