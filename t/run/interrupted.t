use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive qw(eventually of_environment);
use LoadedRun;
use Needs   qw(need_built skip_without);
use TestRun qw(waited);
use UnixBench::Process::Signals;

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

done_testing();
