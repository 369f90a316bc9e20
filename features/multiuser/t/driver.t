# The driver of the multi-user load, with scripts of a few lines: what it prints and leaves, its meters compared with
# known values, its search for the capacity, and what happens to users when it is ended or stopped.

use strict;
use warnings;

use FindBin;
use Test::More;
use Time::HiRes qw(sleep);

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(eventually group of_environment states);
use CDriver                        qw(plain_program);
use MultiUser                      qw(begin end_of is_clean play);
use Needs                          qw(need_built need_compiler need_user skip_without);
use TestProgram                    qw(command content count_of is_error run scratch write_file);

# Runs a load in which a given number of waits time out. If more time out, because the machine is busy, it is repeated
# with a longer limit. Returns the load and the limit in seconds. The exit status may be 1 if all users hang at once.
sub play_in_vain {
    my ($in_vain, $lines, @words) = @_;
    my @limits_s = (0.5, 5, 50);
    while (defined(my $limit_s = shift @limits_s)) {
        my $load  = play({}, $lines, @words, '--line-limit', $limit_s);
        my $waits = grep { / within \Q$limit_s\E s\z/ } values %{ $load->{said} };
        return ($load, $limit_s) if $waits == $in_vain || !@limits_s;
    }
    return;
}

need_built('multiuser');

subtest 'the environment of a line' => sub {
    my $load = play(
        { env => { ENV => '/nowhere', BASH_ENV => '/nowhere' } },
        [
            '(echo lost; echo found) > told',
            'cat told; rm told',
            'pwd | sed "s,.*/,at ,"; test "$HOME" = "$PWD" && test "$TMPDIR" = "$PWD" && echo at home',
            'ls -a | wc -l | tr -d " "',
            'cat; echo "nothing to read"',
            'word=kept; keep() { echo "$word"; }; mkdir deeper; cd deeper',
            'keep; pwd | sed "s,.*/,in ,"',
            '{ echo answer >&3; } 2>/dev/null || echo "no way to the answers"',
            'echo "${ENV-none} ${BASH_ENV-none}"',
            q{printf 'it'"'"'s "quoted" \\\\ %s | $HOME `x` \n' "100 %"},
            'echo seen >&2',
        ],
        qw(--users 1)
    );
    is $load->{status}, 0, 'exit status 0' or diag $load->{err};
    is $load->{out},
        join("\n",
        '== user 1, 12 lines ==',
        'lost',      'found',     'at user0001', 'at home', '2', 'nothing to read',
        'kept',      'in deeper', 'no way to the answers',
        'none none', q{it's "quoted" \\ 100 % | $HOME `x` },
        'seen',      q{}),
        'the lines print what their environment promises';
    is $load->{said}{'load.incidents'}, 0, 'there is no incident';
    is $load->{said}{'load.finished'},  1, 'the user has finished';
    like $load->{said}{'load.late_s'}, qr/\A[0-9]+[.][0-9]{6}\z/, 'the longest delay of a line is known';
    is_clean($load, 'after the load');
};

subtest 'the data that the driver prints' => sub {
    my ($load, %said);

    # On a machine so busy that a fast line takes as long as a slow one, the slow line is made slower.
    for my $slow_s (0.03, 1, 30) {
        my @lines =
            ('#= class first', 'true', "sleep $slow_s", '', '# no line', '#= class second', 'false #= status 1');
        $load = play({}, \@lines, qw(--users 3));
        %said = %{ $load->{said} };
        last if $said{'response.second.6'} < $said{'response.first.6'};
    }
    my ($score, @unit) = count_of($load);
    is "@unit", '0 lpm', 'the unit of the score is lpm';
    cmp_ok abs($score * $said{TIME} / 60 - 9), '<', 0.01, 'the score is lines a minute';
    is_deeply [@said{ map { "load.$_" } qw(users finished lines incidents) }], [3, 3, 9, 0], 'users and lines';
    is_deeply [grep { defined $said{"response.$_.0"} } qw(all first second)],  [qw(all first second)], 'each class';
    is_deeply [map { $said{"response.$_.0"} } qw(all first second)],           [9, 6, 3], 'responses of each class';
    cmp_ok $said{'response.first.6'},  '>=', 0.03,                      'the longest response includes the slow line';
    cmp_ok $said{'response.first.2'},  '<=', $said{'response.first.3'}, 'a higher percentile is not smaller';
    cmp_ok $said{'response.second.6'}, '<',  $said{'response.first.6'}, 'fast lines are fast';
    is_deeply [sort map { /\Ameter[.]users[.](.*)/ ? $1 : () } keys %said],
        [qw(cpu_system_s cpu_user_s faults_major faults_minor rss_most_kb switches_forced switches_voluntary)],
        'the meters of the users';
    is $said{'meter.finished.lines'}, 9, 'the lines of users that finished';
    cmp_ok $said{TIME}, '>=', 0.03, 'the time includes the slow line';
    is $said{'trial.3.0'}, 9, 'the load has a line as a trial';
};

subtest 'lines that fail, hang, or end their user' => sub {
    my @lines = (
        'echo before',
        'test user$(basename "$PWD") = useruser0002 && false; true | grep -q x || test "${PWD%2}" = "$PWD"',
        'case $PWD in *1) kill -9 $$;; *3) sleep 1000;; *4) exit 5;; esac',
        'echo "a|b%c" | cat',
    );
    my ($load, $limit_s) = play_in_vain(1, \@lines, qw(--users 6));
    is $load->{status}, 0, 'exit status 0' or diag $load->{err};
    my %said = %{ $load->{said} };
    is_deeply [@said{ map { "load.$_" } qw(users finished lines incidents) }], [6, 3, 18, 4], 'the other users go on';
    my %what = map { $said{"incident.$_.0"} => "$said{qq{incident.$_.1}} $said{qq{incident.$_.2}}" } 1 .. 4;
    is_deeply \%what,
        {
        1 => '3 ended: killed by SIGKILL',
        2 => '2 exit status 1 instead of 0',
        3 => "3 no answer within $limit_s s",
        4 => '3 ended: exit status 5',
        },
        'each incident has its line and its cause';
    my ($hung) = grep { $said{"incident.$_.0"} == 3 } 1 .. 4;
    is $said{"incident.$hung.3"},     $lines[2], 'an incident has the text of the line';
    is $said{'meter.finished.lines'}, 12,        'the lines of users that finished';
    like $load->{out}, qr/^== users 2, 5-6, 2 lines ==\nbefore\na\|b%c\n/m, 'the output names the users that finished';
    is_clean($load, 'after failed lines');
    my $never = play({}, ['while :; do :; done'], qw(--users 1 --line-limit 0.1));
    like $never->{err}, qr/^ERROR\|no line was answered; user 1: no answer within 0[.]1 s$/m, 'an endless script';
    is_clean($never, 'after its end');
};

subtest 'processes and files that lines leave' => sub {
    my $load = play(
        {},
        [
            'sleep 1000 &',
            'setsid sh -c "setsid sleep 1000 & sleep 1000" &',
            'mkdir a; touch a/b; chmod 0 a',
            'nohup sleep 1000 >/dev/null 2>&1 &'
        ],
        qw(--users 3)
    );
    is $load->{said}{'load.finished'}, 3, 'all users finish';
    is_clean($load, 'after lines that leave processes and files');
};

subtest 'directories without permissions' => sub {
    need_user();
    my $nobody = [$^X, "$FindBin::Bin/../../../t/bin/as-nobody"];
    my $lines  = [
        'mkdir -p r/s u/v; touch r/s/f u/v/w; chmod 500 r/s r; chmod 0 u/v u',
        'mkdir gone && cd gone && ln -s nowhere link && touch "odd name"; chmod 0 .',
    ];
    my $load = play({ before => $nobody, is_open => 1 }, $lines, qw(--users 2));
    is $load->{said}{'load.finished'}, 2, 'the load of an ordinary user finishes' or diag $load->{err};
    is_clean($load, 'after the load of an ordinary user');
    my $place = scratch();
    chmod 0777, $place or die "$place: $!";
    my $script = write_file("$place/script", "touch ../beside; mkdir ../locked; chmod 0 ../locked\n");
    my $alone  = run([@$nobody, @{ command('multiuser', '--script', $script, qw(--scale 0.001 --users 1)) }],
        env => { TMPDIR => $place });
    is $alone->{status},                    0,        'files next to the homes are allowed' or diag $alone->{err};
    is "@{[TestProgram::entries($place)]}", 'script', 'files next to the homes are removed with their directory';
};

subtest 'users that fail between lines or at their end' => sub {
    my $asleep = 'until ps -o stat= -p $$ | grep -q "^[SI]"; do sleep 0.01; done';
    my $thinking;
    for my $think_s (1, 10, 100) {
        my @lines = ("{ $asleep; kill -9 \$\$; } &", 'true');
        $thinking = play({}, \@lines, qw(--users 1 --scale 1 --think), "$think_s-$think_s");
        last if $thinking->{said}{'load.incidents'};
    }
    is $thinking->{said}{'incident.1.2'}, 'ended before this line: killed by SIGKILL', 'a user killed while thinking';
    my ($leaving, $limit_s) = play_in_vain(2, ['trap "sleep 1000" EXIT', 'true'], qw(--users 2));
    is_deeply [@{ $leaving->{said} }{qw(load.finished load.lines incident.1.1 incident.1.2)}],
        [0, 4, 0, "did not end within $limit_s s"], 'a user that does not end is reported';
    is_clean($leaving, 'after users that do not end');
};

subtest 'incidents before the last load' => sub {
    my $alone = 'test "$(ls .. | grep -c out)" != 1';
    my $load  = play({}, [$alone, 'true', "$alone || kill -9 \$\$"], '--users', '1,2');
    my %said  = %{ $load->{said} };
    is_deeply [@said{ map { "load.$_" } qw(users finished lines incidents users_before finished_before) }],
        [2, 2, 6, 2, 1, 0], 'incidents and users of earlier loads are counted';
    is $said{'incident.1.2'}, 'with 1 user: exit status 1 instead of 0', 'a failed line of an earlier load is reported';
    is $said{'incident.2.2'}, 'with 1 user: ended: killed by SIGKILL',   'a lost user of an earlier load is reported';
    ok !defined play({}, ['true'], qw(--users 2))->{said}{'load.users_before'}, 'no earlier load: no numbers';
};

subtest 'users that cannot be started' => sub {
    my $none = play({}, ['true'], '--shell', '/bin/true');
    is_error($none, 1, qr{the shell /bin/true of user \d+: ended: exit status 0}, 'a shell that ends');
    is_clean($none, 'a shell that ends');
    my $deaf = play({}, ['true'], qw(--users 2 --line-limit 0.2 --shell /bin/cat));
    is_error($deaf, 1, qr{the shell /bin/cat of user \d: no answer}, 'a shell that does not listen');
    is_clean($deaf, 'a shell that does not listen');
    is_error(
        play({}, ['true'], qw(--shell /nowhere/sh)),
        1,
        qr{can't run the shell /nowhere/sh: No such file.*; use another --shell},
        'a missing shell'
    );
    my $many = play({ before => ['sh', '-c', 'ulimit -n 60; exec "$0" "$@"'] }, ['true'], qw(--users 100));
    is_error($many, 1, qr/user \d\d can't be started: Too many open files/, 'too many users');
    is_clean($many, 'too many users');
};

subtest 'wrong usage' => sub {
    my %cases = (
        '--nonsense'                => 'unknown option, or no value: "--nonsense"',
        'word'                      => '"word" is not an option',
        '--users 1,,2'              => '--users needs 1 to 32 whole numbers from 1 to 2000',
        '--think 1-3601'            => '--think needs seconds as MIN-MAX',
        '--users 2 --find-capacity' => '--users and --find-capacity contradict each other; leave out one of them',
    );
    is_error(run(command('multiuser', split q{ })), 2, qr/\Q$cases{$_}\E/, $_) for sort keys %cases;
};

# Meters of a load compared with known values: a program that uses a given CPU time.

use constant { USERS => 3, WITHIN => 0.05 };

subtest 'CPU time' => sub {
    need_compiler();
    skip_without(machine => 'Linux') if $^O ne 'linux';
    my $said  = meters(plain_program('features/multiuser/t/known.c') . ' 0.5');
    my $total = $said->{'users.cpu_user_s'} + $said->{'users.cpu_system_s'};
    is_about($total,                      USERS * 0.5, 'CPU time of the users');
    is_about($said->{'users.cpu_user_s'}, $total,      'user time of the users');
    is_about(total($said, 'finished'),    $total,      'CPU time of users that finished');
    at_least($said->{'machine.cpu_user_s'}, USERS * 0.5, 'CPU time of the machine');
SKIP: {
        skip_without(machine => 'a control group that counts CPU time', 1) if !defined $said->{'group.cpu_user_s'};
        at_least($said->{'group.cpu_user_s'}, USERS * 0.5, 'CPU time of the control group');
    }
    my $time = 0;
    $time += $said->{"machine.cpu_$_"} for qw(user_s system_s irq_s steal_s idle_s iowait_s);
    my $cpus = qx(getconf _NPROCESSORS_ONLN);
    cmp_ok abs($time / ($said->{'machine.elapsed_s'} * $cpus) - 1), '<', 0.1, 'times add up to all CPUs';
};

# Takes a line; runs a load of that line, and returns its meters.
sub meters {
    my ($line) = @_;
    my $load = play({}, [$line], '--users', USERS);
    is $load->{said}{'load.finished'},  USERS, 'all users finish' or diag $load->{err};
    is $load->{said}{'load.incidents'}, 0,     'there is no incident';
    my %meters = map { /\Ameter[.](.*)/ ? ($1 => $load->{said}{$_}) : () } keys %{ $load->{said} };
    return \%meters;
}

sub total { my ($said, $scope) = @_; return $said->{"$scope.cpu_user_s"} + $said->{"$scope.cpu_system_s"} }

sub is_about {
    my ($found, $known, $what) = @_;
    cmp_ok abs($found / $known - 1), '<', WITHIN, "$what: $found, known: $known";
    return;
}

sub at_least {
    my ($found, $known, $what) = @_;
    cmp_ok $found, '>=', $known * (1 - WITHIN), "$what: $found, known: at least $known";
    return;
}

# The search for the capacity. Its users queue for one resource, so the answer depends on the
# number of users and not on the machine.

my $QUEUE      = 'until mkdir ../taken 2>/dev/null; do sleep 0.01; done; sleep 0.01; rmdir ../taken';
my @IN_A_QUEUE = ('#= extract', ($QUEUE) x 5, '#= whole', 'false');
my @PACE       = qw(--find-capacity --think 2-15 --scale 0.006);

subtest 'users in a queue' => sub {
    my $load = play({}, \@IN_A_QUEUE, @PACE);
    is $load->{status}, 0, 'exit status 0' or diag $load->{err};
    my ($users, $timebase, $unit) = count_of($load);
    is "$timebase $unit", '0 users', 'the score is a number of users, not a rate';
    my $within = $load->{said}{'capacity.users'};
    cmp_ok $users, '>=', $within, 'the score is not below the number of users that is served in time';
    my %p95   = map { /\Atrial[.](\d+)[.]4\z/ ? ($1 => $load->{said}{$_}) : () } keys %{ $load->{said} };
    my $alone = $load->{said}{'capacity.alone_p95_s'};
    cmp_ok $p95{$within}, '<=', 2 * $alone, 'p95 is at most twice that of one user' if $within > 1;
    my ($beyond) = sort { $a <=> $b } grep { $_ > $within } keys %p95;
    cmp_ok $beyond - $within, '<=', $within < 32 ? 1 : $within / 16, 'a slightly larger number of users was tried';
    cmp_ok $p95{$beyond},     '>',  2 * $alone,                      'the larger number of users is above the limit';
    cmp_ok $users,            '<=', $beyond, 'the score is not above the larger number of users';
    is scalar(() = $load->{err} =~ /^trial[.]1[.]/mg), 1,   'only one trial of one user is reported';
    is $load->{said}{'trial.1.0'},                     5,   'trials run only the lines of the extract';
    is $load->{said}{'capacity.is_least'},             0,   'the capacity is not a lower bound';
    is $load->{said}{'capacity.limit'},                2,   'the limit is reported';
    is $load->{out},                                   q{}, 'the output of users in trials is not kept';
    is_clean($load, 'after the search');
};

subtest 'a line that fails' => sub {
    my $load = play({}, ['true', 'test "${PWD##*000}" = 1'], @PACE);
    is_error($load, 1, 'user \d+ of \d+, line 2: exit status 1 instead of 0', 'a line fails in a trial');
    is_clean($load, 'after a failed line');
};

# Signals.

my @USERS = qw(--users 3 --line-limit 3600);
my @LINES = ('true', 'sleep 1000 & setsid sleep 1000 & touch here; sleep 1000');

# Time limits of a line in seconds. The longer ones are for a busy machine; a stop lasts longer than the limit.
my @LIMITS_S = (2, 20, 100);

# Starts a load and waits until its users are at the line that touches "here". $has_go: whether there is a file "go"
# next to their homes from the start.
sub under_way {
    my ($lines, $has_go, @words) = @_;
    my $begun = begin({ files => [$has_go ? 'go' : ()] }, $lines, @words);
    my $users = $words[1];
    eventually(sub { return $users == (() = glob "$begun->{home}/user*/here") });
    eventually(sub { return count_groups($begun) == $users });
    return $begun;
}

# Removes the file "go", continues the stopped load, and waits for its end.
sub continued {
    my ($begun) = @_;
    unlink "$begun->{home}/go" or die "go: $!";
    kill CONT => $begun->{running}{pid};
    return end_of($begun);
}

sub processes { return of_environment("UB_MARK=$_[0]{mark}") }

# Returns the shells of the users: processes in a home that lead their process group.
sub groups {
    my ($begun) = @_;
    return grep { is_shell($_) } processes($begun);
}

sub is_shell {
    my ($pid)   = @_;
    my $group   = getpgrp $pid              // return 0;
    my $place   = readlink "/proc/$pid/cwd" // return 0;
    my ($state) = content("/proc/$pid/stat") =~ /[(](?:sleep|setsid)[)]/;
    return $group == $pid && !$state && $place =~ m{/user\d+\z};
}

sub count_groups { return scalar(() = groups(@_)) }

subtest 'signals' => sub {
    skip_without(machine => '/proc') if !-r '/proc/self/environ';

    subtest "the driver is ended by SIG$_->[0]" => sub {
        my ($signal, $number) = @$_;
        my $begun = under_way(\@LINES, 0, @USERS);
        kill $signal => $begun->{running}{pid};
        my $load = end_of($begun);
        is $load->{status}, -$number, 'the driver ends by the signal';
        unlike $load->{err}, qr/COUNT|ERROR/, 'no score and no error is printed';
        is_clean($load, 'after the signal');
        }
        for ['INT', 2], ['TERM', 15], ['HUP', 1];

    subtest 'the driver is killed' => sub {
        my $begun  = under_way(\@LINES, 0, @USERS);
        my @groups = groups($begun);
        is @groups, 3, 'each user is a process group';
        kill KILL => $begun->{running}{pid};
        my $load = end_of($begun);
        ok eventually(sub {
            return !grep { group($_) } @groups;
            }),
            'the processes of the users are ended';
        kill KILL => of_environment("UB_MARK=$load->{mark}");    # orphans in sessions of their own
    };

    subtest 'the driver is stopped and continued' => sub {
        my (@all, $load);
        for my $limit_s (@LIMITS_S) {
            my @lines = ('touch here; while test -e ../go; do i=1; done', 'sleep 0.1');
            my $begun = under_way(\@lines, 1, qw(--users 2 --line-limit), $limit_s);
            @all = processes($begun);
            kill STOP => $begun->{running}{pid};
            ok eventually(sub { return states(groups($begun)) eq 'T' }), 'the users are stopped with the driver';
            sleep $limit_s + 0.5;
            $load = continued($begun);
            last if !$load->{said}{'load.incidents'};
        }
        is $load->{status},                 0, 'a continued load goes on to its end'               or diag $load->{err};
        is $load->{said}{'load.incidents'}, 0, 'the time of the stop does not count for the limit' or diag $load->{err};
        cmp_ok scalar(@all), '>=', 4, 'driver, guardian and users were running';
        is_clean($load, 'after the stop');
    };
};

done_testing;
