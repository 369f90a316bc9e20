use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Alive       qw(eventually of_environment);
use Needs       qw(skip_without);
use ObservedRun qw(made_by_hold path_without real_run tests_of why_not_bpftrace why_not_strace);
use TestProgram qw(content);
use TestRun     qw(waited);
use UnixBench::Base::JSONReader;

# A shell lets a command in the background ignore some signals; these tests are about what they do.
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

# Tests that a run was observed by strace, and that it was said why not by bpftrace.
sub is_by_strace {
    my ($test, $run, $why) = @_;
    is($run->{status}, 0, 'status');
    like($run->{err},        qr/^Run: system calls will be observed by strace: \Q$why\E/m, 'the reason');
    like($test->report(q{}), $SCORED,                                                      'the score');
    like($test->report(q{}), qr/^ +strace: delays include the tracer$/m,                   'the report warns');
    is(tests_of($test)->{pipe}{observed}{tracer}, 'strace', 'who observed it');
    $test->all_gone;
    return;
}

# Starts Run below a shell that mounts something first, where nobody else sees it.
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
    is($run->{status}, 1, 'status');
    like($run->{err},        qr/^Run: system calls can't be observed: $why_not$/m, 'the reason');
    like($test->report(q{}), $SCORED,                                              'the score');
    like($test->report(q{}), qr/^System calls were not observed: $why_not$/m,      'the report has the reason');
    is(tests_of($test)->{pipe}{observed}, undef, 'nothing was observed');
    $test->all_gone;
};

subtest 'what the kernel lacks' => sub {
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
    skip_without(@$HERE) if $HERE;
    skip_without(machine => 'a tracefs that is not mounted') if -e '/sys/kernel/tracing/events';
    my $test  = real_run();
    my $shell = 'mount --make-rshared / && "$0" "$@"; status=$?; grep tracefs /proc/self/mounts >&2; exit $status';
    my $run   = waited($test->started_by(qw(unshare -m sh -c), $shell, $^X, "$TestRun::HOME/Run", @PIPE));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'nobody gets to see tracefs');
    is(tests_of($test)->{pipe}{observed}{tracer}, 'bpftrace', 'who observed it');
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

subtest 'it is killed in the middle' => sub {
    skip_without(@$HERE) if $HERE;
    my $test = made_by_hold([2]);
    my $run  = $test->started(@TWO);
    ok($test->is_held(1), 'the slice is under way');
    my $tracer = $test->tracer;
    kill KILL => $tracer;
    my ($copy) = grep { (readlink "/proc/$_/exe" // q{}) =~ /perl/ && $_ != $run->{pid} && _is_hold($_) }
        of_environment($test->place);
    kill KILL => $copy;
    my $ended = waited($run);
    is($ended->{status}, 1, 'status');
    my $why = 'killed by SIGKILL; bpftrace: killed by SIGKILL';
    is($ended->{err}, qq{Run: "Pipe Throughput": system calls were not observed: $why\n}, 'a line');
    like($test->report(q{}), $SCORED,                                        'the score');
    like($test->report(q{}), qr/^ +Pipe Throughput: .*not observed: $why$/m, 'the report has the reason');
    ok(!defined tests_of($test)->{hanoi}{observed}{error}, 'the other test was observed');
    $test->all_gone;
};

sub _is_hold {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/cmdline" or return;
    return readline($file) =~ m{bin/pipe};
}

# The kinds of lines in its journal, in order.
sub lines_of_journal {
    my ($test) = @_;
    return map { join q{}, keys %{ UnixBench::Base::JSONReader::decode($_) } } split /\n/, $test->report('.journal');
}

for my $signal (qw(INT TERM)) {
    subtest "SIG$signal while a test is observed" => sub {
        skip_without(@$HERE) if $HERE;
        my $test = made_by_hold([2]);
        my $run  = $test->started(@TWO);
        ok($test->is_held(1), 'the slice is under way');
        ok($test->tracer,     'so is the tracer');
        kill $signal => $run->{pid};
        my $ended = waited($run);
        is($ended->{signal}, POSIX->can("SIG$signal")->(), 'dies of it');
        like($ended->{err}, qr{\ARun: what was measured is kept; to go on: [.]/Run --resume \S+\n\z}, 'how to go on');
        like($test->report(q{}), $SCORED,                                               'the scores are there');
        like($test->report(q{}), qr/^ +Note: interrupted by SIG$signal$/m,              'it is marked');
        like($test->report(q{}), qr/^ +Recursion Test -- Tower of Hanoi: .*observed /m, 'what was observed is there');
        is_deeply(
            [lines_of_journal($test)],
            [qw(head run pass pass ended observed)],
            'in the journal what is observed comes behind all that counts'
        );
        $test->all_gone;
        my ($name) = $test->reports;
        my $resumed = $test->run('-q', '--resume', $name);
        is_deeply([@$resumed{qw(status err)}], [0, q{}], 'it can be gone on with');
        ok(!grep({ defined $_->{observed}{error} || !$_->{observed} } values %{ tests_of($test) }), 'all is observed');
        is(scalar(grep { /start/ } split /^/m, content($test->place('hold', 1))), 3, 'and nothing measured again');
        $test->all_gone;
    };
}

for my $signal (qw(INT KILL)) {
    subtest "SIG$signal while the tracer is tried" => sub {
        skip_without(@$HERE) if $HERE;
        my $test   = real_run(BPFTRACE_PLAYS => 'mute', PATH => "$TestRun::BIN/tracers:$ENV{PATH}");
        my $starts = $test->{env}{BPFTRACE_STARTS} = $test->place('starts');
        my $run    = $test->started(@PIPE);
        ok(eventually(sub { -s $starts }), 'it is under way');
        kill $signal => $run->{pid};
        my $ended = waited($run);
        is($ended->{signal}, POSIX->can("SIG$signal")->(), 'dies of it');
        unlike($ended->{err}, qr/strace|observed/, 'and finds no fault with the tracer');
        $test->all_gone;
    };
}

subtest 'kill -9 while a test is observed' => sub {
    skip_without(@$HERE) if $HERE;
    my $test = made_by_hold([2]);
    my $run  = $test->started(@TWO);
    ok($test->is_held(1), 'the slice is under way');
    kill KILL => $run->{pid};
    waited($run);
    $test->all_gone;
};

subtest 'Ctrl-Z and fg while a test is observed' => sub {
    skip_without(@$HERE) if $HERE;
    my $test = made_by_hold([2]);
    my $run  = $test->started(@TWO);
    ok($test->is_held(1), 'the slice is under way');
    kill TSTP => $run->{pid};
    waitpid $run->{pid}, POSIX::WUNTRACED();
    ok(POSIX::WIFSTOPPED(${^CHILD_ERROR_NATIVE}), 'it stops');
    kill CONT => $run->{pid};
    my $ended = waited($run);
    is_deeply([@$ended{qw(status err)}], [0, q{}], 'it goes on');
    ok(!defined tests_of($test)->{pipe}{observed}{error}, 'the slice was made again');
    $test->all_gone;
};

is(mounts(), $MOUNTS, 'what is mounted is as before');

done_testing;
