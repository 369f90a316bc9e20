use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use LateModules                    qw(loads_nothing_late);
use LoadedRun                      qw(eventually waited);
use Needs                          qw(need_built skip_without);
use UnixBench::Base::JSON;

# Without disturbances by other processes, which would make requirements inconclusive.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my $FAKE = "$FindBin::Bin/bin/like-multiuser";

# Takes lines of a script, and settings of the environment; returns a place with a fake of the program.
sub with_fake {
    my ($lines, %env) = @_;
    my $test = TestRun->new(programs => { multiuser => $FAKE, syscall => 'count' }, env => \%env);
    $test->write('test', 'multiuser.script', join q{}, map { "$_\n" } @$lines);
    return $test;
}

my @LINES = ('# a script', '#= class tour', "echo 'a|b'", q{}, '#= class compile', 'false #= status 1', 'true');

subtest 'the arguments of the program, and the note about another load' => sub {
    my $test  = with_fake(\@LINES);
    my $other = $test->write('test', 'other', "true\n");
    my @words = (qw(--users 3 --users 1 --think 0.50-1 --script), $other);
    my $run   = $test->run(qw(-q multiuser), @words);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds');
    my $called = qr{^called: --users 3,1 --think 0[.]5-1 --scale 0[.]00002 --script \Q$other\E --home }m;
    like($test->report('.log'), $called, 'the program gets the load');
    like($test->report(q{}),
        qr/; multi-user: 3 users, then 1 user, 1 line, pauses of 0[.]00001 to 0[.]00002 s, another script$/m,
        'the note');
    my $searched = with_fake(\@LINES);
    $searched->run(qw(-q multiuser --find-capacity --limit 3 -i 1));
    is_deeply([@{ json($searched)->{procedure}{multiuser} }{qw(users limit)}], [[], 3], 'the limit of a search');
    like($searched->report(q{}), qr/^Multi-User Capacity +5[.]1 users/m, 'the result of a search');
};

subtest 'without the usual script' => sub {
    my $test = with_fake(\@LINES);
    unlink $test->place('test', 'multiuser.script');
    is($test->run(qw(-q multiuser))->{status}, 1, 'exit status 1');
    my $reason = qr/^Multi-User Script +no measured results: skipped: can't read \S+: No such file/m;
    like($test->report(q{}), $reason, 'the report has the reason');
    is(json($test)->{procedure}{multiuser}, undef, 'the JSON has no load');
    my $run = with_fake(\@LINES)->run(qw(-q multiuser --script /dev/null));
    is_deeply([@$run{qw(status err)}], [2, "Run: can't read /dev/null: it is not a plain file\n"], 'is checked');
};

subtest 'a report that is read again' => sub {
    my $test = with_fake(\@LINES, LIKE_MULTIUSER => 'dead');
    is($test->run(qw(-q --users 3 multiuser))->{status}, 1, 'a load with missing users: exit status 1');
    my ($file) = grep { /[.]html\z/ } $test->reports;
    my $again = $test->run('report', $test->place('results', $file), '--details');
    is($again->{status}, 1, 'report has the same');
    like($again->{out}, qr/^ *Note: multi-user load: 1 of 3 users did not finish$/m, 'its note');
    like($again->{out}, qr/^ *user 3, line 7: ended: killed by SIGKILL/m,            'and the incident in the details');
};

subtest 'a requirement relative to another load' => sub {
    my $first = with_fake(\@LINES);
    $first->run(qw(-q -i 2 multiuser));
    my ($name) = grep { /[.]html\z/ } $first->reports;
    my $file   = $first->place('results', $name);
    my @words  = (qw(-q -i 2 multiuser --require), "multiuser>=0.1*$file");
    my $run    = with_fake(\@LINES)->run(@words, qw(--users 5));
    is($run->{status}, 2, 'it is refused');
    like($run->{err}, qr/: users of the multi-user load: 5 in this run, 20 in \Q$file\E; use --force/, 'why');
    is(with_fake(\@LINES)->run(@words)->{status}, 0, 'a requirement relative to the same load is accepted');
};

subtest 'resumed' => sub {
    my $test  = with_fake(\@LINES, LIKE_MULTIUSER => 'slow');
    my $begun = $test->started(qw(-q -i 2 multiuser --users 7 --users 3));
    ok(eventually(sub { $test->report('.journal') =~ /"test":"multiuser"/ }), 'a pass is finished');
    kill TERM => $begun->{pid};
    waited($begun);
    my ($journal) = map { $test->place('results', $_) } grep { /[.]journal\z/ } $test->reports;
    my $script    = join q{}, map { "$_\n" } @LINES;
    $test->write('test', 'multiuser.script', "${script}true\n");
    my $refusal = "Run: can't resume $journal: script of the users has changed\n";
    is($test->run(qw(-q --resume), $journal)->{err}, $refusal, 'not with another script');
    $test->write('test', 'multiuser.script', $script);
    my $run = $test->run(qw(-q --resume), $journal);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'with its own script');
    is(scalar(() = $test->report('.log') =~ /^called: --users 7,3 /mg), 2, 'all passes have its load');
};

subtest 'without names' => sub {
    my $test  = with_fake([], LIKE_MULTIUSER => 'failing', HOME => "/home/j\xc3\xb6rg");
    my $place = $test->place('secret');
    mkdir $place or die "mkdir: $!\n";
    my $script = $test->write('secret', 'night.script', "ls /home/j\xc3\xb6rg/data | wc; ls $place/x\n");
    $test->run(qw(-q --no-identity multiuser --script), $script);
    is(json($test)->{runs}[0]{multiuser}{incidents}[0]{text}, '... wc; ...', 'only words without names');
    like($test->report('.log'), qr{ --script [.]{3} }, 'the log does not have the name of the script');
    is_deeply([grep { $test->text($_) =~ /secret|rg.data/ } $test->reports], [], 'no report has a name');
};

loads_nothing_late('users', { multiuser => $FAKE }, qw(-q -c 1 -i 1 --users 2 --script S multiuser));

# Now with the real program and real shells.
need_built('multiuser');

# Returns a place for a script with these lines.
sub place_for {
    my (@lines) = @_;
    my $test = TestRun->new(env => { UB_TIME_FACTOR => '0.01', UB_OUTPUT_JSON => 'true' });
    $test->put('multiuser', '../../pgms/multiuser');
    $test->write('test', 'multiuser.script', join q{}, map { "$_\n" } @lines);
    return $test;
}

sub json { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json')) }

subtest 'the script itself' => sub {
    my $test = place_for();
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
    $test->is_clean;
};

subtest 'users that fail, hang and die' => sub {
    my $test = place_for(
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
    $test->is_clean;
};

done_testing;
