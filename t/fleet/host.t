# What host.sh does on a host, with each shell that may be /bin/sh there.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes ();

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Alive       qw(eventually is_alive);
use FleetHost   qw(release sha256);
use InPath      qw(path_of);
use Needs       qw(need_tools skip_without);
use TestProgram qw(content write_file);

need_tools(qw(tar xz sha256sum setsid));

my $archives = tempdir(CLEANUP => 1);
my $FIRST    = release($archives, '1.0');
my $SECOND   = release($archives, '2.0');

# Words that a shell would change.
my @HOSTILE = ('a b', q{it's}, '$(id)', q{`id`}, q{*}, "two\nlines", q{\\}, q{"}, q{});

# Returns the answer without what differs between machines and moments.
sub lines {
    my ($answer) = @_;
    return join "\n", grep { !/\A(?:clock|began|ended)=/ } @{ $answer->{lines} };
}

# Tests that an answer ends with a problem that the pattern matches.
sub is_refused {
    my ($answer, $pattern, $name) = @_;
    like($answer->{problem},   $pattern,       $name);
    like($answer->{lines}[-1], qr/\Aproblem=/, "$name ends the answer");
    is($answer->{exit}, 1, "$name is an error");
    return;
}

for my $words ([qw(dash)], [qw(bash --posix)], [qw(busybox sh)], [qw(mksh)]) {
SKIP: {
        my ($name, @options) = @$words;
        my $path = path_of($name) or skip_without(tool => $name, 1);
        subtest "@$words" => sub { tests($path, @options) };
    }
}

sub tests {
    my @shell = @_;
    installs(FleetHost->new(@shell));
    runs(FleetHost->new(@shell));
    survives(FleetHost->new(@shell));
    cleans_up(FleetHost->new(@shell));
    keeps_off(FleetHost->new(@shell));
    return;
}

# A release is installed whole, or not at all.
sub installs {
    my ($host) = @_;
    my $look = $host->ask('look');
    ok($look->{is_whole} && !exists $look->{release}, 'a host without a release says so');
    ok(!-e $host->directory,                          'looking makes no directory');
    is($look->{architecture}, (POSIX::uname())[4], 'the architecture is that of uname');
    like($look->{perl}, qr/\A5[.][0-9.]+ 1\z/, 'the version of Perl is new enough');

    my $torn = $host->place('torn');
    write_file($torn, substr content($FIRST), 0, 200);
    is_refused($host->ask_with($torn, 'install', sha256($FIRST), 'xz', sha256($FIRST)), qr/torn/, 'a torn archive');
    is_refused(
        $host->ask_with($torn, 'install', sha256($torn), 'xz', sha256($torn)),
        qr/can't unpack/,
        'half an archive'
    );
    is(
        join(q{ }, glob q{'} . $host->directory . q{'/*}),
        $host->directory('unixbench-fleet'),
        'nothing of a torn archive is left'
    );

    my $installed = $host->install($FIRST);
    is($installed->{exit}, 0, 'a release is installed') or diag explain $installed;
    $look = $host->ask('look');
    is($look->{release}, sha256($FIRST),      'its checksum is known afterwards');
    is($look->{files},   $installed->{files}, 'its files are as they were');
    ok(!exists $look->{changed}, 'none of them is named as changed');

    my $file = $host->directory('release/lib/Version.pm');
    write_file($file, "3.0\n");
    $look = $host->ask('look');
    isnt($look->{files}, $installed->{files}, 'a changed file changes the checksum of all files');
    is($look->{changed}, './lib/Version.pm', 'a changed file is named');
    is_refused($host->start('a', 0, 60, 'fast'), qr/was changed: .*Version/, 'a run of changed files');
    unlink $file;
    is($host->ask('look')->{changed}, './lib/Version.pm', 'a removed file is named');

    is($host->install($SECOND)->{exit}, 0,       'another release replaces it');
    is(content($file),                  "2.0\n", 'its files are the new ones');
    return;
}

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
    is_refused($host->ask(result => 'a'),        qr/has not ended/, 'the result of a run that has not ended');

    $host->open_gate('a');
    my $state = $host->ended('a');
    is(lines($state), "state=ended\nhow=ended\nsignal=0\nstatus=0\nhas_result=yes", 'a run ends with its status');
    cmp_ok($state->{began}, '<=', $state->{ended}, 'it has a time of its begin and of its end');
    is($host->start('a', 0, 60, 'fast')->{state}, 'ended', 'a run that has ended is not started again');
    my $words = content($host->directory('runs/a/results/words'));
    is($words, join(q{}, map { "<$_>" } @HOSTILE, 'gated'), 'Run gets the words as they are');
    my $result = $host->ask(result => 'a');
    is($result->{sha256}, sha256($host->directory('runs/a/results/result.json')), 'a result has its checksum');
    is("$result->{json} $result->{bytes}", '{"words": "two"} 17',                 'a result has its text and its size');

    $host->start('b', 0, 60, 'failing');
    like(
        lines($host->ended('b')),
        qr/^status=1\nhas_result=yes\nsaid=Run: pipe: killed by SIGSEGV/m,
        'a run with a failed test has a result'
    );
    $host->start('c', 0, 60, 'nothing');
    like(
        lines($host->ended('c')),
        qr/^status=1\nhas_result=no\nsaid=Run: there is no space left\z/m,
        'a run without a result says why'
    );
    is_refused($host->ask(result => 'c'), qr/has no result/, 'the result of a run that has none');

    my $at = Time::HiRes::time() + 1.5;
    $host->start('d', $at, 60, 'fast');
    cmp_ok($host->ended('d')->{began}, '>=', $at - 0.001, 'a run waits until the clock shows its time');

    like($host->ask(doctor => '-c', 1)->{lines}[1], qr/1 problem/, 'the doctor is asked');
    is($host->ask(doctor => '-c', 1)->{status}, 4, 'the status of the doctor comes back');
    like($host->ask(programs => 1, 'pipe')->{pipe}, qr/\ACOUNT[|]1000[|]/, 'a program runs alone');
    return;
}

# Starts a run that waits, and waits for its journal; returns the numbers of its processes, that of the runner first.
sub started_gated {
    my ($host, $name) = @_;
    $host->start($name, 0, 60, 'gated');
    eventually(sub { -e $host->directory('runs', $name, 'results/result.journal') });
    my $runner = content($host->directory('runs', $name, 'pid')) + 0;
    return [$runner, grep { $_ != $runner } $host->processes];
}

# Takes these numbers, and which processes are killed: all, runner, or run (all but the runner).
sub kill_of {
    my ($pids,   $which) = @_;
    my ($runner, @run)   = @$pids;
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
        kill_of(started_gated($host, $victims), $victims);
        is($host->ended($victims)->{state}, 'interrupted',             "a run is interrupted by kill -9 ($victims)");
        is($host->start($victims, 0, 60, 'gated')->{state}, 'running', 'it is started again');
        is($host->ended($victims)->{how},                   'ended',   'it ends');
        my ($again) = content($host->directory('runs', $victims, 'results/words')) =~ /<gated>(.*)/;
        is($again, '<-q><--resume><' . $host->directory('runs', $victims, 'results/result') . '>',
            'Run has resumed it');
        is_deeply([$host->processes], [], 'none of its processes is left');
    }

    # After a reboot, another process may have the number of the runner.
    kill_of(started_gated($host, 'f'), 'all');
    write_file($host->directory('runs/f/pid'), "$$\n");
    is($host->ask(state => 'f')->{state}, 'interrupted', 'the number of another process is not that of the runner');

    is($host->ask(stop => 'f')->{state}, 'ended', 'an interrupted run can be stopped');
    $host->start('g', 0, 60, 'gated');
    is($host->ask(stop => 'g')->{state}, 'ended', 'a run is stopped');
    like(lines($host->ask(state => 'g')), qr/^how=stopped$/m, 'it says so');
    return;
}

# Nothing is left in the end.
sub cleans_up {
    my ($host) = @_;
    is(lines($host->ask('cleanup')), 'removed=no', 'without a directory, there is nothing to clean up');
    $host->install($FIRST);
    $host->patience(GRACE_S => 0.3, REST_S => 0.3);
    $host->start('a', 0, 60, 'stubborn');
    eventually(sub { $host->processes > 4 });
    is(lines($host->ask('cleanup')), 'removed=yes', 'the directory is removed during a run');
    is_deeply([$host->processes], [], 'no process is left');
    ok(!-e $host->directory, 'no file is left');

    $host->install($FIRST);
    kill_of(started_gated($host, 'a'), 'runner');
    is(lines($host->ask('cleanup')), 'removed=yes', 'the directory is removed although a runner was killed');
    is_deeply([$host->processes], [], 'no process of that run is left');
    return;
}

# A directory of another program or another user is left alone.
sub keeps_off {
    my ($host) = @_;
    my %make = (
        'a directory with other files'         => sub { mkdir $_[0], 0700; write_file("$_[0]/precious", 'x') },
        'a directory that others can write to' => sub { mkdir $_[0]; chmod 0777, $_[0] },
        'a link to a directory'                => sub { symlink $host->place, $_[0] },
        'a dangling link'                      => sub { symlink '/nowhere',   $_[0] },
        'a file'                               => sub { write_file($_[0], 'x') },
    );
    for my $what (sort keys %make) {
        $make{$what}->($host->directory);
        my @before  = lstat $host->directory;
        my @answers = ($host->ask('look'), $host->install($FIRST), $host->ask('cleanup'));
        is_refused($_, qr/set unixbench_directory to another path/, "$what is refused") for @answers;
        is(join(q{ }, (lstat $host->directory)[0 .. 5]), join(q{ }, @before[0 .. 5]), "$what is left alone");
        system 'rm', '-rf', $host->directory;
    }
    mkdir $host->directory, 0700;
    is($host->install($FIRST)->{exit}, 0, 'an empty directory of this user is taken');
    return;
}

done_testing;
