use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually of_environment);
use Needs   qw(need_built skip_without);
use TestRun qw(waited);
use UnixBench::Process::Signals;

my $UNDER_WAY = 'no measured results: interrupted after 2 of 10 passes';

# A Run whose second test has finished two passes of ten, and is in the third, which never ends.
sub in_third_pass {
    my ($copies) = @_;
    my $test = TestRun->new;
    $test->replay(syscall => $_ => ['COUNT|5|1|lps', 'COUNT|5|1|lps']) for 1 .. $copies;
    my $run = $test->started('-c', $copies, '-c', 64, qw(hanoi syscall arithoh));
    eventually(sub { $test->report('.log') =~ /System Call.*^#### Pass 2$/ms });
    ok(eventually(sub { of_environment($test->place) >= $copies + 1 }), 'Run and the copies are there');
    return ($test, $run);
}

for my $signal (qw(INT TERM HUP QUIT USR1 USR2 ALRM VTALRM PROF XCPU)) {
    subtest "SIG$signal" => sub {
        my ($test, $run) = in_third_pass(3);
        kill $signal => $run->{pid};
        my $ended = waited($run);
        is($ended->{signal}, UnixBench::Process::Signals::number($signal), "dies of it");
        is_deeply([of_environment($test->place)], [], 'nothing is left running');
        is_deeply([$test->left],                  [], 'scratch is empty');
        my $report = $test->report(q{});
        like($report, qr/^Recursion Test -- Tower of Hanoi +[0-9.]+ lps /m, 'what was measured is in the report');
        like($report, qr/^System Call Overhead +$UNDER_WAY$/m,              'the test under way too');
        unlike($report, qr/Arithoh|running 64/, 'nothing else');
        like($report,       qr/^ +Note: interrupted by SIG$signal$/m,                                 'it is marked');
        like($ended->{err}, qr{\ARun: what was measured is kept; to go on: [.]/Run --resume \S+\n\z}, 'how to go on');
        like($ended->{out},          qr/\Q$report\E\z/,                    'the report is printed');
        like($test->report('.log'),  qr/^>>>> $UNDER_WAY$/m,               'log');
        like($test->report('.html'), qr/interrupted after 2 of 10 passes/, 'HTML');
    };
}

subtest 'SIGTERM again and again' => sub {
    my ($test, $run) = in_third_pass(2);
    do { kill TERM => $run->{pid} } until waitpid $run->{pid}, POSIX::WNOHANG();
    is($? & 127, POSIX::SIGTERM(), 'dies of it');
    my $ended = waited($run);
    like($ended->{out}, qr/^System Call Overhead +$UNDER_WAY$/m,          'but not before the report is printed');
    like($ended->{err}, qr{^Run: what was measured is kept; to go on: }m, 'and how to go on');
};

subtest 'SIGKILL' => sub {
    my ($test, $run) = in_third_pass(2);
    kill KILL => $run->{pid};
    is(waited($run)->{signal}, POSIX::SIGKILL(), 'dies of it');
    ok(eventually(sub { !of_environment($test->place) }), 'nothing is left running');
    ok(eventually(sub { !$test->left }),                  'scratch is empty');
    my @passes = $test->report('.log') =~ /^#### Pass ([0-9])$/mg;
    is_deeply([@passes[-2, -1]], [1, 2], 'what was finished is in the log');
};

subtest 'SIGKILL of Run and its guardian at once' => sub {
    skip_without(machine => 'Linux') if $^O ne 'linux';
    need_built('spawn');
    my $test    = TestRun->new(programs => { spawn => '../../pgms/spawn' }, env => { UB_TIME_FACTOR => 1 });
    my $run     = $test->started(qw(-q -c 3 spawn));
    my $is_copy = sub { (readlink "/proc/$_[0]/exe" // q{}) =~ m{/pgms/spawn\z} };
    eventually(
        sub {
            3 <= grep { $is_copy->($_) } of_environment($test->place);
        }
    );
    my ($guardian) = qx(ps -A -o pid= -o ppid= -o args=) =~ /^ *([0-9]+) +$run->{pid} +Run: guardian/m;
    kill KILL => $guardian, $run->{pid};
    waited($run);
    ok(eventually(sub { !of_environment($test->place) }), 'the copies end by themselves');
};

subtest 'a reader that goes away' => sub {
    my $test = TestRun->new;
    pipe my $from, my $to or die "pipe: $!\n";
    my $run = do { local $test->{stdout} = $to; $test->started(qw(-c 1 syscall hanoi)) };
    close $to;
    ok(length readline $from, 'one line is read');
    close $from;
    my $ended = waited($run);
    is_deeply([@$ended{qw(status signal err)}], [0, 0, q{}], 'it goes on to its end');
    is_deeply([sort keys %{ $test->scores }],   ['Recursion Test -- Tower of Hanoi', 'System Call Overhead'], 'report');
    is_deeply([$test->left],                    [], 'scratch is empty');
};

done_testing();
