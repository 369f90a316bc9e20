# How host.sh runs the suite on a host, with each shell that may be /bin/sh there.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes ();

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use FleetHost                      qw(in_each_shell is_refused lines release sha256);
use Needs                          qw(need_tools);
use TestProgram                    qw(content write_file);

need_tools(qw(tar xz sha256sum setsid));

my $archives = tempdir(CLEANUP => 1);
my $FIRST    = release($archives, '1.0');
my $SECOND   = release($archives, '2.0');

# Words that a shell would change.
my @HOSTILE = ('a b', q{it's}, '$(id)', q{`id`}, q{*}, "two\nlines", q{\\}, q{"}, q{});

in_each_shell(\&runs, \&survives);

# A run needs no connection, and its result comes back.
sub runs {
    my ($host) = @_;
    $host->install($FIRST);
    is($host->ask(state => 'a')->{state},                    'none',    'a run that was never started has no state');
    is($host->start('a', 0, 60, @HOSTILE, 'gated')->{state}, 'running', 'the call that starts a run returns at once');
    is($host->ask(state => 'a')->{state},                    'running', 'the run is under way');
    is($host->start('a', 0, 60, 'fast')->{state},            'running', 'a run that is under way is not started again');
    is_refused($host->start('b', 0, 60, 'fast'), qr/another run is under way: a/, 'a second run at the same time');
    is_refused($host->install($SECOND),          qr/a run is under way: a/,       'another release during a run');
    is_refused($host->ask(result => 'a', 17),    qr/has not ended/, 'the result of a run that has not ended');

    $host->open_gate('a');
    my $state = $host->ended('a');
    is(
        lines($state),
        "state=ended\nhow=ended\nsignal=0\nstatus=0\nhas_result=yes\nbytes=17",
        'a run ends with its status'
    );
    cmp_ok($state->{began}, '<=', $state->{ended}, 'it has a time of its begin and of its end');
    is($host->start('a', 0, 60, 'fast')->{state}, 'ended', 'a run that has ended is not started again');
    my $words = content($host->directory('runs/a/results/words'));
    is($words, join(q{}, map { "<$_>" } @HOSTILE, 'gated'), 'Run gets the words as they are');
    my $result = $host->ask(result => 'a', 17);
    is($result->{sha256}, sha256($host->directory('runs/a/results/result.json')), 'a result has its checksum');
    is("$result->{json} $result->{bytes}", '{"words": "two"} 17',                 'a result has its text and its size');

    $host->start('b', 0, 60, 'failing');
    like(
        lines($host->ended('b')),
        qr/^status=1\nhas_result=yes\nbytes=17\nsaid=Run: pipe: killed by SIGSEGV/m,
        'a run with a failed test has a result'
    );
    $host->start('c', 0, 60, 'nothing');
    like(
        lines($host->ended('c')),
        qr/^status=1\nhas_result=no\nsaid=Run: there is no space left\z/m,
        'a run without a result says why'
    );
    is_refused($host->ask(result => 'a', 16), qr/has more than 16 bytes/, 'a result that is too large');
    is_refused($host->ask(result => 'c', 17), qr/has no result/,          'the result of a run that has none');

    my $at = Time::HiRes::time() + 0.7;
    $host->start('d', $at, 60, 'fast');
    cmp_ok($host->ended('d')->{began}, '>=', $at - 0.001, 'a run waits until the clock shows its time');

    like($host->ask(doctor => '-c', 1)->{lines}[1], qr/1 problem/, 'the doctor is asked');
    is($host->ask(doctor => '-c', 1)->{status}, 4, 'the status of the doctor comes back');
    like($host->ask(programs => 1, 'pipe')->{pipe}, qr/\ACOUNT[|]1000[|]/, 'a program runs alone');
    return;
}

# Takes which processes are killed (all, runner, or run: all but the runner), and the numbers of all of them.
sub kill_of {
    my ($which, $runner, @run) = @_;
    kill KILL => $which eq 'run' ? () : $runner, $which eq 'runner' ? () : @run;
    return;
}

# A run is ended after its limit, and resumed after an interruption.
sub survives {
    my ($host) = @_;
    $host->install($FIRST);
    $host->start('a', 0, 1, 'gated');
    like(lines($host->ended('a')), qr/^how=limit\nsignal=15$/m, 'a run is ended after its limit');
    is_deeply([$host->processes], [], 'none of its processes is left');

    $host->patience(GRACE_S => 0.3, REST_S => 0.3);
    $host->start('b', 0, 1, 'stubborn');
    like(lines($host->ended('b')), qr/^how=limit\nsignal=9$/m, 'a run that ignores SIGTERM is killed');
    is_deeply([$host->processes], [], 'a process that has left its group is killed, too');
    $host->patience();

    for my $victims (qw(all runner run)) {
        kill_of($victims, $host->started_gated($victims));
        is($host->ended($victims)->{state}, 'interrupted',             "a run is interrupted by kill -9 ($victims)");
        is($host->start($victims, 0, 60, 'gated')->{state}, 'running', 'it is started again');
        is($host->ended($victims)->{how},                   'ended',   'it ends');
        my ($again) = content($host->directory('runs', $victims, 'results/words')) =~ /<gated>(.*)/;
        is($again, '<-q><--resume><' . $host->directory('runs', $victims, 'results/result') . '>',
            'Run has resumed it');
        is_deeply([$host->processes], [], 'none of its processes is left');
    }

    # After a reboot, another process may have the number of the runner.
    kill_of(all => $host->started_gated('f'));
    write_file($host->directory('runs/f/pid'), "$$\n");
    is($host->ask(state => 'f')->{state}, 'interrupted', 'the number of another process is not that of the runner');

    is($host->ask(stop => 'f')->{state}, 'ended', 'an interrupted run can be stopped');
    $host->start('g', 0, 60, 'gated');
    is($host->ask(stop => 'g')->{state}, 'ended', 'a run is stopped');
    like(lines($host->ask(state => 'g')), qr/^how=stopped$/m, 'it says so');
    return;
}

done_testing;
