use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun    qw(eventually of_environment states waited);
use Needs        qw(need_built skip_without);
use ControlGroup ();
use Place        qw(write_program);
use UnixBench::Process::Signals;
use UnixBench::Process::LostTime;

my $UNDER_WAY = 'no measured results: interrupted after 2 of 10 passes';

# Starts a run whose second test has finished two passes of ten and is in the third, which never ends.
sub in_third_pass {
    my ($copies) = @_;
    my $test = TestRun->new;
    $test->replay(syscall => $_ => ['COUNT|5|1|lps', 'COUNT|5|1|lps']) for 1 .. $copies;
    my $run = $test->started('-c', $copies, '-c', 64, qw(hanoi syscall arithoh));
    eventually(sub { $test->report('.log') =~ /System Call.*^#### Pass 2$/ms });
    ok(eventually(sub { of_environment($test->place) >= $copies + 1 }), 'Run and the copies are running');
    return ($test, $run);
}

for my $signal (qw(INT TERM HUP QUIT USR1 XCPU)) {
    subtest "SIG$signal" => sub {
        my ($test, $run) = in_third_pass(3);
        kill $signal => $run->{pid};
        my $ended = waited($run);
        is($ended->{signal}, UnixBench::Process::Signals::number($signal), "SIG$signal ends Run");
        is_deeply([of_environment($test->place), $test->left], [], 'no process and no scratch file is left');
        my $report = $test->report(q{});
        like($report, qr/^Recursion Test -- Tower of Hanoi +[0-9.]+ lps /m, 'measured tests are in the report');
        like($report, qr/^System Call Overhead +$UNDER_WAY$/m, "SIG$signal: the interrupted test is in the report");
        unlike($report, qr/Arithoh|running 64/, "SIG$signal: later tests are not in the report");
        like($report,       qr/^ +Note: interrupted by SIG$signal$/m, "SIG$signal: the report has a note");
        like($ended->{err}, qr{\ARun: the finished passes are kept; to resume: [.]/Run --resume \S+\n\z}, 'to resume');
        like($ended->{out},          qr/\Q$report\E\z/,                    "SIG$signal: the report is printed");
        like($test->report('.log'),  qr/^>>>> $UNDER_WAY$/m,               "SIG$signal: the log has the reason");
        like($test->report('.html'), qr/interrupted after 2 of 10 passes/, "SIG$signal: the page has the reason");
    };
}

# Perl ends a program in which 120 signals arrive between two of its operations. A pause between two signals keeps their
# number below that.
use constant BETWEEN_SIGNALS_S => 0.001;

subtest 'SIGTERM again and again' => sub {
    my ($test, $run) = in_third_pass(2);
    do {
        kill TERM => $run->{pid};
        select undef, undef, undef, BETWEEN_SIGNALS_S;
    } until waitpid $run->{pid}, POSIX::WNOHANG();
    is($? & 127, POSIX::SIGTERM(), 'SIGTERM ends Run');
    my $ended = waited($run);
    like($ended->{out}, qr/^System Call Overhead +$UNDER_WAY$/m,              'the report is printed before the end');
    like($ended->{err}, qr{^Run: the finished passes are kept; to resume: }m, 'the message says how to resume');
};

subtest 'SIGKILL' => sub {
    my ($test, $run) = in_third_pass(2);
    kill KILL => $run->{pid};
    is(waited($run)->{signal}, POSIX::SIGKILL(), 'SIGKILL ends Run');
    ok(eventually(sub { !of_environment($test->place) }), 'SIGKILL: no process is left');
    ok(eventually(sub { !$test->left }),                  'SIGKILL: the scratch directory is empty');
    my @passes = $test->report('.log') =~ /^#### Pass ([0-9])$/mg;
    is_deeply([@passes[-2, -1]], [1, 2], 'SIGKILL: finished passes are in the log');
};

subtest 'SIGKILL of Run and its guardian at once' => sub {
    skip_without(machine => 'Linux') if $^O ne 'linux';
    need_built('spawn');
    my $test    = TestRun->new(programs => { spawn => '../../pgms/spawn' }, env => { UB_TIME_FACTOR => 1 });
    my $run     = $test->started(qw(-q -c 3 spawn));
    my $is_copy = sub { (readlink "/proc/$_[0]/exe" // q{}) =~ m{/pgms/spawn\z} };
    eventually(sub {
        3 <= grep { $is_copy->($_) } of_environment($test->place);
    });
    my ($guardian) = qx(ps -A -o pid= -o ppid= -o args=) =~ /^ *([0-9]+) +$run->{pid} +Run: guardian/m;
    kill KILL => $guardian, $run->{pid};
    waited($run);
    ok(eventually(sub { !of_environment($test->place) }), 'the copies end by themselves');
};

subtest 'standard output is a closed pipe' => sub {
    my $test = TestRun->new;
    pipe my $from, my $to or die "pipe: $!\n";
    my $run = do { local $test->{stdout} = $to; $test->started(qw(-c 1 -i 2 syscall hanoi)) };
    close $to;
    ok(length readline $from, 'one line of output is read');
    close $from;
    my $ended = waited($run);
    is_deeply([@$ended{qw(status signal err)}], [0, 0, q{}], 'a run with closed output succeeds');
    is_deeply([sort keys %{ $test->scores }],   ['Recursion Test -- Tower of Hanoi', 'System Call Overhead'], 'scores');
    is_deeply([$test->left],                    [], 'the scratch directory is empty');
};

# Runs that are stopped, frozen and continued. A pass whose copies were stopped, or during which the whole run was
# stopped, does not count and is made again. So is a pass that ended far too late, for whatever reason.

# A pass is too late to be valid after a second and its own seconds, which are few here.
use constant TOO_LATE_S => 2;

# A shell makes its background commands ignore some signals; these tests need their default effect.
$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP TSTP);

# The file of a control group that freezes it => its controller, the values for frozen and thawed, and the file that
# reports the state.
my %FREEZERS = (
    'freezer.state' => { controller => 'freezer', FROZEN => 'FROZEN', THAWED => 'THAWED', says => 'freezer.state' },
    'cgroup.freeze' => { controller => q{},       FROZEN => 1,        THAWED => 0,        says => 'cgroup.events' },
);

my $TITLE = 'System Call Overhead';
my $SCORE = '1000.0';                   # 1000 loops in 2 s, twice
my @WORDS = qw(-q -c 2 -i 5 syscall);

# If UB_HOLD has the file stop-parent, removes it and stops the parent as Ctrl-Z does.
my $SYNC = qq{#!/bin/sh\nif rm "\$UB_HOLD/stop-parent" 2>/dev/null; then kill -TSTP \$PPID; fi\n};

# Returns a place whose "syscall" stops at these starts, in two copies, each with its own notes.
sub held_at {
    my (@starts) = @_;
    my $test = TestRun->new(programs => { syscall => 'hold' }, own_group => 1);
    mkdir $test->place($_) or die "mkdir: $!\n" for qw(hold path);
    write_program($test->place('path', 'sync'), $SYNC);
    $test->{env} = {
        UB_HOLD    => $test->place('hold'),
        UB_HOLD_AT => "@starts",
        PATH       => $test->place('path') . ":$ENV{PATH}",
    };
    return $test;
}

# Returns how often both copies together have noted that word.
sub noted {
    my ($test, $word) = @_;
    return scalar grep { $_ eq $word } map { $test->notes($_) } 1, 2;
}

# Waits until both copies are held for that number of times.
sub in_pass {
    my ($test, $times) = @_;
    return ok(eventually(sub { noted($test, 'held') == 2 * ($times // 1) }), 'both copies are in their pass');
}

# Sends a run a signal that stops it; tests that it does.
sub stops {
    my ($run, $signal) = @_;
    kill $signal => $run->{pid};
    return is(signal_that_stopped($run), POSIX->can("SIG$signal")->(), "SIG$signal stops Run");
}

sub signal_that_stopped {
    my ($run) = @_;
    waitpid $run->{pid}, POSIX::WUNTRACED();
    my $status = ${^CHILD_ERROR_NATIVE};
    return POSIX::WIFSTOPPED($status) ? POSIX::WSTOPSIG($status) : "ended: $status";
}

# Tests that no process of a run and no scratch file is left, perhaps after a while.
sub is_clean {
    my ($test) = @_;
    ok(eventually(sub { !of_environment($test->place) }), 'no process is left');
    ok(eventually(sub { !$test->left }),                  'the scratch directory is empty');
    return;
}

# Tests that the run ends normally, with each pass in the log once, after one of these numbers of starts of each copy.
sub is_undisturbed {
    my ($test, $ended, @starts) = @_;
    is_deeply([@$ended{qw(status signal err)}], [0, 0, q{}], 'the continued run succeeds') or diag $ended->{said};
    is_deeply($test->scores,                    { $TITLE => $SCORE }, 'the score is that of an undisturbed run');
    like($test->report(q{}), qr/^\Q$TITLE\E .* 4 samples\)$/m, 'the score is from four passes');
    is_deeply([$test->report('.log') =~ /^#### Pass ([0-9]+)$/mg], [1 .. 5], 'each pass is in the log once');
    my $starts = noted($test, 'start') / 2;
    ok(scalar(grep { $_ == $starts } @starts), 'repeated passes were started again') or diag "$starts starts";
    is_clean($test);
    return;
}

# Tests the same of a run of which one pass stood still. If copies also waited for CPUs, that load may explain why they
# stood still, and then the pass is not late.
sub is_made_again {
    my ($test, $run) = @_;
    my $ended = waited($run);
    is_undisturbed($test, $ended, 6, $test->data =~ /"cause":"run_queue"/ ? 5 : ());
    return;
}

# A signal => the states of all processes then. A signal that can't be caught stops only Run.
for my $case ([TSTP => 'T'], [STOP => 'ST'], [TTOU => 'ST']) {
    my ($signal, $state) = @$case;
    subtest "SIG$signal in two passes" => sub {
        my $test = held_at(3, 5);
        my $run  = $test->started(@WORDS);
        for my $times (1, 2) {
            in_pass($test, $times);
            stops($run, $signal);
            my @processes = of_environment($test->place);
            is(scalar @processes, 3, 'Run and two copies are running');
            ok(eventually(sub { states(@processes) eq $state }), "all processes are in state $state")
                or diag states(@processes);
            kill CONT => $run->{pid};
        }
        is_undisturbed($test, waited($run), 7);
    };
}

subtest 'between two passes' => sub {
    my $test = held_at(0);
    $test->write('hold', 'stop-parent', q{});
    my $run = $test->started(@WORDS);
    is(signal_that_stopped($run), POSIX::SIGTSTP(), 'Run is stopped while sync runs');
    kill CONT => $run->{pid};
    is_undisturbed($test, waited($run), 5, 6);
};

# Returns a place and a run whose copies are in their second pass.
sub held {
    my $test = held_at(2);
    my $run  = $test->started(@WORDS);
    in_pass($test);
    return ($test, $run);
}

subtest 'interrupted while it is stopped' => sub {
    my ($test, $run) = held();
    stops($run, 'TSTP');
    kill $_ => $run->{pid} for qw(TERM CONT);
    is(waited($run)->{signal}, POSIX::SIGTERM(), 'the signal ends Run when it is continued');
    is_deeply([of_environment($test->place), $test->left], [], 'no process and no scratch file is left');
    like($test->report(q{}), qr/no measured results: interrupted after 1 of 5 passes/, 'the report has the test');
};

subtest 'killed while it is stopped' => sub {
    my ($test, $run) = held();
    stops($run, 'TSTP');
    kill KILL => $run->{pid};
    is(waited($run)->{signal}, POSIX::SIGKILL(), 'SIGKILL ends Run');
    is_clean($test);
};

# Takes the names of such files; returns a control group and the first name that this machine has. Skips the subtest if
# it has none.
sub group_with {
    my (@files) = @_;
    for my $file (UnixBench::Process::LostTime::is_known() ? @files : ()) {
        my $group = ControlGroup->new($FREEZERS{$file}{controller} => $file) or next;
        return ($group, $file);
    }
    return skip_without(machine => "a control group with @files, and a count of switches");
}

# Takes a place, a group and the name of its freezer. Freezes the processes in it, which are held in a pass, for that
# number of seconds.
sub freeze {
    my ($test, $group, $file, $seconds) = @_;
    my $freezer = $FREEZERS{$file};
    $group->set($file => $freezer->{FROZEN});
    ok(eventually(sub { $group->get($freezer->{says}) =~ /^FROZEN$|^frozen 1$/m }), 'the control group is frozen');
    $test->write('hold', 'go-on', q{}) if $seconds;
    select undef, undef, undef, $seconds;
    $group->set($file => $freezer->{THAWED});
    $test->write('hold', 'go-on', q{});
    return;
}

for my $file (sort keys %FREEZERS) {
    subtest "a run whose control group is frozen and thawed by $file" => sub {
        my ($group) = group_with($file);
        my $test    = held_at(2);
        my $run     = $test->started_by($group->words($^X, "$TestRun::HOME/Run", @WORDS));
        in_pass($test);
        freeze($test, $group, $file, 0);
        is_made_again($test, $run);
    };
}

subtest 'a run of which one copy is stopped and continued' => sub {
    my ($test, $run) = held();
    my ($copy) = $test->copies($run);
    kill STOP => $copy;
    ok(eventually(sub { states($copy) =~ /\AT?\z/ }), 'the copy is stopped');
    kill CONT => $copy;
    is_made_again($test, $run);
};

subtest 'only the copies are frozen by a control group, until they are too late' => sub {
    my ($group, $file) = group_with(sort keys %FREEZERS);
    my ($test,  $run)  = held();
    for my $pid ($test->copies($run)) {
        next if eval { $group->set('cgroup.procs' => $pid); 1 };
        die $@ if states($pid) ne q{};    # it may have ended meanwhile
    }
    freeze($test, $group, $file, TOO_LATE_S);
    is_made_again($test, $run);
};

done_testing;
