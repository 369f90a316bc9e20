# The driver of the multi-user load, with scripts of a few lines.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use MultiUser                      qw(is_clean play);
use Needs                          qw(need_built need_user);
use TestProgram                    qw(command count_of is_error run scratch write_file);

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

done_testing;
