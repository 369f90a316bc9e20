use strict;
use warnings;

use Fcntl      qw(F_GETFL F_SETFL O_NONBLOCK);
use File::Copy qw(copy);
use File::Path qw(make_path);
use FindBin;
use POSIX qw(SIGALRM SIGCHLD SIG_BLOCK SIG_SETMASK);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Place       qw(eventually group states);
use Needs       qw(need_built skip_without tracing);
use TestProgram qw(command count_of entries finish has_ended is_error path_of program run scratch start write_file);
use Programs    qw(programs);

# Programs that start processes: however they end, they leave no orphan.
need_built(qw(context1 execl looper));

# Returns both ends of a pipe for the program and its descendants: a read reaches the end when all of them have ended.
sub witness {
    pipe my $reader, my $writer or die "pipe: $!";
    return ($reader, $writer);
}

sub is_at_end {
    my ($reader) = @_;
    fcntl $reader, F_SETFL, fcntl($reader, F_GETFL, 0) | O_NONBLOCK
        or die "fcntl: $!";
    my $got = 1;
    $got = sysread $reader, my $bytes, 4096 while $got;
    return defined $got;
}

sub ends_soon {
    my ($reader) = @_;
    local $SIG{ALRM} = sub { die "still alive\n" };
    alarm 300;
    my $has_ended = eval {
        my $got = 1;
        $got = sysread $reader, my $bytes, 4096 while $got;
        defined $got;
    };
    alarm 0;
    return $has_ended;
}

subtest context1 => sub {
    for my $how (['-n', 100], ['0.1'], [qw(0.1 -l 0.1)]) {
        my ($reader, $writer) = witness();
        my $running = start(command('context1', @$how), keep => [$writer]);
        close $writer;
        is finish($running)->{err} =~ s/^(?:COUNT|TIME)\|.*\n//mgr, '', "@$how: standard error has only COUNT and TIME";
        ok ends_soon($reader), "@$how: the child has ended";
    }
    my ($reader, $writer) = witness();
    my $running = start(command('context1', 100), keep => [$writer]);
    close $writer;
    kill KILL => $running->{pid};
    is finish($running)->{status}, -9, 'context1 is killed';
    ok ends_soon($reader), 'a child whose parent was killed ends';

    my $lead = run(command('context1', qw(0.2 -l 0.3)));
    my ($time_s) = $lead->{err} =~ /^TIME[|]([0-9.]+)$/m;
    cmp_ok $time_s // 0, '>=', 0.2, 'after a lead, only the time of the counted loops is reported';
    my @failed = grep { $_->{status} != 0 } map { run(command('context1', qw(0.02 -l 0.02))) } 1 .. 30;
    is scalar @failed, 0, 'the end of the lead interrupts no round trip' or diag $failed[0]{err};
    like run(command('context1', qw(0.1 -l 0)))->{err}, qr/\ACOUNT[|][1-9]\d*[|]1[|]lps\n\z/, 'a lead of 0 is none';
    is_error(run(command('context1', @$_)), 2, 'usage', "context1 @$_") for [qw(-n 5 -l 1)], [qw(1 -l x)], [qw(1 -l)];

SKIP: {
        skip_without(machine => 'Linux', 8) if $^O ne 'linux';
        is_deeply [count_of(run(command('context1', '-n', 100, '-p', 'same')))], [100, 1, 'lps'],
            'context1 runs on the same CPU';
        my $taskset = path_of('taskset') or skip_without(tool => 'taskset', 7);
        my ($first) = `$taskset -cp $$` =~ /: (\d+)/
            or skip_without(machine => 'a taskset that knows the CPUs', 7);
        is_error(run([$taskset, '-c', $first, @{ command('context1', 1, '-p', 'apart') }]),
            1, 'two CPUs', 'context1 -p apart with one CPU');
        is_deeply [count_of(run(command('context1', '-n', 100, '-p', "$first,$first")))], [100, 1, 'lps'],
            'context1 runs on the given CPU';
        is_error(
            run(command('context1', 1, '-p', "$first,8000")),
            1,
            'Invalid argument',
            'context1 -p with a CPU that is not there'
        );
    }
SKIP: {
        my $cpus = path_of('nproc') ? `nproc` : 1;
        skip_without(machine => 'two CPUs', 1) if $^O ne 'linux' || $cpus < 2;
        is_deeply [count_of(run(command('context1', '-n', 100, '-p', 'apart')))], [100, 1, 'lps'],
            'context1 runs on two CPUs';
    }
};

# A measurement during which the child was stopped gives no score: [program, arguments], and the signal that ends its
# time.
for my $case ([[qw(context1 100)] => 'ALRM'], [[qw(looper 100 sleep 1000)] => undef]) {
    my ($words, $over) = @$case;
    subtest "the child of $words->[0] is stopped and continued" => sub {
        my $running = start(command(@$words));
        my $child   = eventually(sub {
            (grep { $_ != $running->{pid} } group($running->{pid}))[0];
        });
        kill STOP => $child;
        eventually(sub { states($child) =~ /\AT?\z/ && states($running->{pid}) =~ /\A[SZ]?\z/ });
        kill CONT  => $child;
        kill $over => $running->{pid} if defined $over;
        is_error(finish($running), 1, 'was stopped', 'a stopped child');
        is_deeply [group($running->{pid})], [], 'no process is left';
    };
}

subtest execl => sub {
    my $deep = scratch() . "/it's \"quoted\"" . ('/' . 'd' x 200) x 8;
    make_path($deep);
    copy(program('execl'), "$deep/execl") or die "copy: $!";
    chmod 0755, "$deep/execl";
    for my $case (["$deep/execl", $deep, 'a long path with blanks and quotes'], ['./execl', $deep, 'a relative path']) {
        my ($path, $in, $what) = @$case;
        is_deeply [count_of(run([$path, '-n', 3], in => $in))], [3, 1, 'lps'], "execl runs with $what";
    }
    my $found = run(
        ['/bin/sh', '-c', 'execl -n 3'],
        in  => '/',
        env => { PATH => "$deep:$ENV{PATH}" }
    );
    is_deeply [count_of($found)], [3, 1, 'lps'], 'execl finds itself in PATH';
    my $cost = qr/[\d.]+ us of user and [\d.]+ us of system time, [\d.]+ page faults, [\d.]+ switches/;
    like $found->{out}, qr/\Aa loop took $cost\n\z/, 'execl prints the costs of a loop';
    my ($time) = run(command('execl', '0.2'))->{err} =~ /^TIME\|(.*)/m;
    cmp_ok $time, '>=', 0.2, 'TIME of execl is the whole time';
};

subtest looper => sub {
    my $directory = scratch();
    my $text      = write_file("$directory/text", "1 2 + p\n");
    is run(command('looper', '-n', 3, 'cat'), input => $text)->{out}, "1 2 + p\n" x 3, 'standard input is rewound';
    my $slow = run(command('looper', '-w', '0.1', 'sleep', '0.4'));
    is_deeply [$slow->{status}, count_of($slow)], [0, 1, 60, 'lpm'], '-w: looper waits for the first loop';
    my ($time) = $slow->{err} =~ /^TIME\|(.*)/m;
    cmp_ok $time, '>=', 0.4, '-w: the time of the first loop counts';
    is_error(run(command('looper', '-w', '0.1', 'sh', '-c', 'sleep 0.4; exit 3')),
        1, 'sh.*status 3', '-w: the first loop fails late');
    is_deeply [count_of(run(command('looper', '-w', '-n', 3, 'true')))], [3, 60, 'lpm'], '-w with -n counts the loops';
    is_error(run(command('looper', '-w')), 2, 'seconds missing', '-w without seconds');
    is_error(run(command('looper', 500, 'false')), 1, 'false.*status 1\b', 'a command with exit status 1');
    is_error(run(command('looper', 500, 'sh', '-c', 'exit 127')), 1, 'sh.*status 127',
        'a command with exit status 127');
    is_error(run(command('looper', 500, 'sh', '-c', 'kill -9 $$')), 1, 'sh.*signal 9', 'a command that a signal ends');
    is_error(run(command('looper', 500, 'no-such-command')), 1, 'no-such-command: No such file', 'a missing command');
    is_error(run(command('looper', 500, $text)), 1, 'Permission denied', 'a command that is not executable');
    is_error(
        run(
            command(
                'looper',
                -n => 5,
                'sh', '-c', 'test -e mark && exit 3; : > mark'
            ),
            in => $directory
        ),
        1,
        'sh.*status 3',
        'a command that fails in the second loop'
    );

SKIP: {
        skip_without(machine => 'Linux', 8) if $^O ne 'linux';
        my ($reader, $running, $said);
        for my $seconds (1, 10, 100) {    # until the descendants have started, on a busy machine
            ($reader, my $writer) = witness();
            my $descriptor = fileno $writer;
            my $say        = "echo here >&$descriptor; sleep 1000; sleep 1000";
            my $others     = "setsid sh -c '$say' & (setsid sh -c 'trap \"\" TERM HUP; ($say) & $say' &)";
            my @command    = ('sh', '-c', "$others; sleep 1000; exit 1");
            $running = start(command('looper', $seconds, @command), keep => [$writer]);
            close $writer;
            last if sysread $reader, $said, 5;
        }
        is $said, "here\n", 'the descendants are running';
        my $result = finish($running);
        ok is_at_end($reader), 'the descendants have ended before looper';
        is_deeply [$result->{status}, count_of($result)], [0, 0, 60, 'lpm'], 'the unfinished loop does not count';
        is $result->{err} =~ s/^(?:COUNT|TIME)\|.*\n//mgr, '', 'standard error has only COUNT and TIME';
    }
};

# The programs work with signals that their caller has blocked or ignored, and leave no files when a signal ends them.
my %COMMANDS = (
    (map { $_ => programs()->{$_}{timed} } keys %{ programs() }),
    'whetstone-double' => [qw(3000000 -t 0.1)],
    fstime             => [qw(-c -t 0.1 -p 0.05 -s 0.01 -m 4)],
);
need_built(keys %COMMANDS);

# Starts a command with some signals blocked and others ignored.
sub start_with {
    my ($command, $blocked, @ignored) = @_;
    my $before = POSIX::SigSet->new;
    POSIX::sigprocmask(SIG_BLOCK, POSIX::SigSet->new(@$blocked), $before) or die "sigprocmask: $!";
    local @SIG{@ignored} = ('IGNORE') x @ignored;
    my $running = start($command);
    POSIX::sigprocmask(SIG_SETMASK, $before) or die "sigprocmask: $!";
    return $running;
}

my $directory = scratch();
for my $name (sort keys %COMMANDS) {
    my $command = command($name, @{ $COMMANDS{$name} }, $name eq 'fstime' ? ('-d', $directory) : ());
    my $blocked = finish(start_with($command, [SIGALRM, SIGCHLD]));
    is $blocked->{status}, 0, "$name ends with SIGALRM and SIGCHLD blocked" or diag $blocked->{err};
    my $ignored = finish(start_with($command, [], qw(ALRM CHLD)));
    is $ignored->{status}, 0, "$name ends with SIGALRM and SIGCHLD ignored" or diag $ignored->{err};
    is scalar(() = $ignored->{err} =~ /^COUNT\|/mg), 1, "$name prints one count";
}

subtest 'the scratch directory of looper' => sub {
    my $place  = scratch();
    my $tell   = 'echo "$UB_SCRATCH"; test -O "$UB_SCRATCH" && : > "$UB_SCRATCH/file" && mkdir "$UB_SCRATCH/d$$"';
    my $run_in = sub { return run(command('looper', @_), env => { UB_SCRATCH => undef, UB_TMPDIR => $place }) };
    my $ended  = $run_in->('-n', 2, 'sh', '-c', $tell);
    my ($first, @others) = split /\n/, $ended->{out};
    is $ended->{status}, 0, 'a command has a scratch directory' or diag $ended->{err};
    like $first, qr{\A\Q$place\E/looper-\w+\z}, 'the scratch directory is in UB_TMPDIR';
    is_deeply [@others, entries($place)], [$first], 'all loops have the same scratch directory, which is removed';
    $run_in->('-n', 1, 'sh', '-c', "$tell; exit 3");
    is_deeply [entries($place)], [], 'the scratch directory is removed if a command fails';
    is run(command('looper', '-n', 1, 'sh', '-c', $tell), env => { UB_SCRATCH => $place })->{out}, "$place\n",
        'a given scratch directory is used';
    is_deeply [grep { /looper/ } entries($place)], [], 'no other scratch directory is made';
    my @silent = ('sh', '-c', 'exec "$0" "$@" 2> /dev/full', @{ command('looper', '-n', 1, 'true') });
    is run(\@silent, env => { UB_SCRATCH => undef, UB_TMPDIR => $place })->{status}, 1, 'a report that is lost';
    is_deeply [grep { /looper/ } entries($place)], [], 'no scratch directory is left after a failure';

    my $empty = scratch();
    pipe my $reader, my $writer or die "pipe: $!";
    for my $signal (qw(HUP INT TERM)) {
        my $running = start(
            command('looper', 100, 'sh', '-c', 'echo >&' . fileno($writer) . '; exec sleep 100'),
            env  => { UB_SCRATCH => undef, UB_TMPDIR => $empty },
            keep => [$writer]
        );
        sysread $reader, my $line, 1;
        kill $signal => $running->{pid};
        cmp_ok finish($running)->{status}, '<', 0, "SIG$signal ends looper";
        is_deeply [entries($empty)], [], "SIG$signal: the scratch directory is removed";
    }
};

# strace answers some calls like a kernel that cannot start another process, or like a sandbox. A limit of processes
# does not apply to root.
subtest 'refused calls' => sub {
    my $strace = TestProgram::path_of('strace') or skip_without(tool => 'strace');
    my $with   = sub {
        my ($call, $error, @command) = @_;
        my @refusing = ($strace, qw(-o /dev/null -e), "trace=$call", '-e', "inject=$call:error=$error");
        return run([@refusing, @{ command(@command) }], env => { UB_USED => 1 });
    };
    my $refused = sub { return $with->(clone => $_[0], 'spawn', '-n', 5) };
    my $ended   = $refused->('EAGAIN:when=2+2');
    skip_without(tracing()) if $ended->{err} !~ /^COUNT/m;
    is_deeply [count_of($ended)],                   [5, 1, 'lps'], 'refused processes are tried again';
    is_deeply [$ended->{err} =~ /^(REFUSED.*)$/mg], ['REFUSED|4'], 'refused processes are reported';
    unlike run(command('spawn', '-n', 5))->{err}, qr/REFUSED/, 'without refused processes none are reported';
    like $refused->('ENOMEM:when=2')->{err},      qr/\AERROR\|spawn: fork: /, 'another error ends the program';
    my $unknown = $with->(getrusage => 'EPERM', 'hanoi', '-n', 3);
    is $unknown->{status}, 0, 'a program measures if it may not know what it uses';
    unlike $unknown->{err}, qr/USED/, 'and does not report it';
    is_deeply [(count_of($with->(kill => 'EPERM', 'context1', 1)))[1, 2]], [1, 'lps'],
        'context1 ends if it may not kill';
};

done_testing;
