use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(eventually of_environment);
use Needs                          qw(need_built skip_without);
use TestRun                        qw(waited);
use Validator                      qw(complaints why_no_validator);
use UnixBench::Base::JSON;

# Whole runs of the multi-user test, with its real program and real shells.
need_built('multiuser');

my $WHY_NOT = why_no_validator();
my $count   = 0;

# Returns a place for a script with these lines, the mark in the environment of its processes, and the path of the
# script.
sub place_for {
    my (@lines) = @_;
    my $mark    = "run-multiuser-$$-" . ++$count;
    my $test    = TestRun->new(env => { UB_TIME_FACTOR => '0.01', UB_MARK => $mark, UB_OUTPUT_JSON => 'true' });
    $test->put('multiuser', '../../pgms/multiuser');
    my $script = $test->write('test', 'multiuser.script', join q{}, map { "$_\n" } @lines);
    return ($test, $mark, $script);
}

sub json { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json')) }

sub is_clean {
    my ($test, $mark) = @_;
    ok(eventually(sub { return !(() = of_environment("UB_MARK=$mark")) }), 'no process is left');
    ok(eventually(sub { return !glob $test->place('tmp') . '/*' }),        'no file is left');
    return;
}

subtest 'the script itself' => sub {
    my ($test, $mark) = place_for();
    open my $script, '<', "$TestRun::HOME/testdir/multiuser.script" or die "script: $!\n";
    $test->write('test', 'multiuser.script', join q{}, <$script>);
    my $run = $test->run(qw(-q --details multiuser --users 1));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with the real script succeeds');
    like($run->{out}, qr/^Multi-User Script +[0-9.]+ lpm +[(][0-9.]+ s, 1 samples[)]$/m, 'the report has the score');
    like($run->{out}, qr/1\s+of\s+1\s+users?\s+finished/,                                'the user finishes');
    like($run->{out}, qr/^compile +\d+(?: +[0-9.]+){6}$/m, 'the details have the responses of a class');
    like($test->report('.log'), qr/^== users? 1, (1[5-9]|2[0-4])\d\d lines ==$/m, 'the log has the output of the user');
    my $told = json($test)->{runs}[0]{multiuser};
    is_deeply([@$told{qw(users finished incident_count)}], [1, 1, 0], 'JSON: users');
    my %meter = map { $_->{name} => $_ } @{ $told->{meters} };
    ok($meter{cpu_user_s}{users} > 0,             'JSON: CPU time of the users');
    ok($meter{faults_minor}{per_finished} > 1000, 'JSON: page faults per user');
SKIP: {
        skip_without(machine => 'Linux', 1) if $^O ne 'linux';
        my @unknown = grep { !defined $meter{$_}{machine} }
            qw(cpu_user_s cpu_system_s faults_minor faults_major switches forks interrupts memory_most_kb);
        is("@unknown", q{}, 'JSON: all meters of the machine');
    }
SKIP: {
        skip_without(@$WHY_NOT, 1) if $WHY_NOT;
        my ($json) = grep { /json\z/ } $test->reports;
        is_deeply([complaints($test->place('results', $json))], [q{}], 'the JSON is valid');
    }
    is_clean($test, $mark);
};

subtest 'two loads' => sub {
    my ($test, $mark) = place_for('echo one', 'echo two');
    my $run = $test->run(qw(-q multiuser --users 1 --users 2));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with two loads succeeds');
    like($test->report('.log'), qr/^== users 1-2, 2 lines ==$/m, 'the log has the output of the users once');
    ok(json($test)->{runs}[0]{multiuser}{stretch} > 0, 'JSON: the stretch');
    is_clean($test, $mark);
};

subtest 'users that fail, hang and die' => sub {
    my ($test, $mark) = place_for(
        'echo begun',
        'test "${PWD##*000}" != 1',
        'test "${PWD##*000}" != 2 || kill -9 $$',
        'sleep 1000 & setsid sleep 1000 & true'
    );
    my $run = $test->run(qw(-q multiuser --users 3));
    is($run->{status}, 1, 'incidents: exit status 1');
    is(
        join(q{}, sort split /^/m, $run->{err}),
        qq{Run: "Multi-User Script": user 1, line 2: exit status 1 instead of 0: "test "\${PWD##*000}" != 1"\n}
            . qq{Run: "Multi-User Script": user 2, line 3: ended: killed by SIGKILL: }
            . qq{"test "\${PWD##*000}" != 2 || kill -9 \$\$"\n},
        'each incident is printed in one line'
    );
    like($run->{out}, qr/^Multi-User Script +[0-9.]+ lpm /m, 'a load with incidents has a score');
    my $told = json($test)->{runs}[0]{multiuser};
    is_deeply([@$told{qw(users finished lines)}], [3, 2, 10], 'JSON: users that finished, and lines');
    is_clean($test, $mark);
};

subtest 'a load before the last' => sub {
    my ($test, $mark) = place_for('true', 'test "$(ls .. | grep -c out)" != 1 || kill -9 $$');
    my $run = $test->run(qw(-q --details multiuser --users 1 --users 2));
    is($run->{status}, 1, 'an incident before the last load: exit status 1');
    like(
        $run->{err},
        qr/: user 1, line 2: with 1 user: ended: killed by SIGKILL: "test /,
        'an incident before the last load is printed'
    );
    my $told = json($test)->{runs}[0]{multiuser};
    is($told->{shortfall}, '1 of 3 users did not finish', 'the shortfall counts the users of all loads');
    is($told->{stretch},   undef,                         'there is no stretch if the single user did not finish');
    is_clean($test, $mark);
};

for my $signal (qw(INT TERM KILL)) {
    subtest "SIG$signal" => sub {
        my ($test, $mark) = place_for('true', 'sleep 1000 & sleep 1000');
        my $run = $test->started(qw(-q multiuser --users 3));
        ok(eventually(sub { return 6 <= (() = sleeping($mark)) }), 'the users are running');
        kill $signal => $run->{pid};
        isnt(waited($run)->{signal}, 0, "SIG$signal ends the run");
        is_clean($test, $mark);
    };
}

subtest 'the capacity' => sub {
    my $queue = 'until mkdir ../taken 2>/dev/null; do sleep 0.01; done; sleep 0.01; rmdir ../taken';
    my ($test, $mark) = place_for('#= extract', ($queue) x 4);
    my $run = $test->run(qw(-q --details multiuser --find-capacity --scale 0.6 -i 2));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a search succeeds');
    like(
        $run->{out},
        qr/^Multi-User Capacity +[0-9.]+ users +[(][0-9.]+ s, \d samples[)]$/m,
        'the report has the capacity'
    );
    my $capacity = json($test)->{runs}[0]{multiuser}{capacity};
    ok($capacity->{low} <= $capacity->{value} && $capacity->{value} <= $capacity->{high},
        'JSON: the interval of the capacity');
    is_clean($test, $mark);
};

done_testing;

sub sleeping {
    my ($mark) = @_;
    return grep { (readlink "/proc/$_/exe" // q{}) =~ /sleep|coreutils|busybox/ } of_environment("UB_MARK=$mark");
}
