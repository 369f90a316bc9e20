#!/usr/bin/perl
# The measured programs and the shell scripts, in pgms or in the directory that UB_TEST_PROGRAMS names.
use strict;
use warnings;

use Cwd        qw(abs_path);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Fcntl      qw(F_GETFL F_SETFL O_NONBLOCK);
use Test::More;

use lib 't/lib';
use TestProgram qw(program is_built run start finish has_ended count_of);

my @CPU    = qw(dhry2reg dhry2 arithoh short int long float double register hanoi);
my @KERNEL = qw(syscall pipe context1 spawn execl);
my @ALL    = (@CPU, @KERNEL, qw(whetstone-double fstime looper));
plan skip_all => 'the programs are not built: make' if !is_built(@ALL);

my $NUMBER = qr/\d+(?:[.]\d+)?/;
my $TIME   = qr/^TIME\|$NUMBER$/m;

# What each takes to do a fixed work, and what it counts then.
my %FIXED = (
    (map { $_ => [[$_, '-n', 1000], 1000, '1|lps'] } @CPU, qw(syscall pipe context1)),
    (map { $_ => [[$_, '-n', 50],   50,   '1|lps'] } qw(spawn execl)),
    'whetstone-double' => [['whetstone-double', '-n', 1], $NUMBER, '0|MWIPS'],
    'fstime'           => [['fstime', '-w', '-n', 100],    $NUMBER, '0|KBps'],
    'looper'           => [['looper', '-n', 5,    'true'], 5,       '60|lpm'],
);

my %TIMED = (
    (map { $_ => [$_, '0.1'] } @CPU, @KERNEL),
    'whetstone-double' => ['whetstone-double', '-t', '0.1'],
    'fstime'           => ['fstime', '-w',  '-t', '0.1', '-p', 0, '-s', 0],
    'looper'           => ['looper', '0.2', 'true'],
);

sub scratch { return tempdir(CLEANUP => 1) }

sub entries {
    my ($directory) = @_;
    opendir my $handle, $directory or die "$directory: $!";
    my @names = sort grep { !/\A[.][.]?\z/ } readdir $handle;
    return @names;
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print {$file} $text;
    close $file or die "$path: $!";
    return $path;
}

sub command {
    my ($name, @arguments) = @_;
    return [program($name), @arguments];
}

sub is_error {
    my ($result, $status, $pattern, $what) = @_;
    is $result->{status}, $status, "$what: exit status $status";
    like $result->{err},   qr/^ERROR\|.*$pattern/m, "$what: message";
    unlike $result->{err}, qr/^COUNT/m,             "$what: no score";
    return;
}

# A pipe's end for the program and its descendants: a read hits the end once all of them have ended.
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
    alarm 10;
    my $has_ended = eval {
        my $got = 1;
        $got = sysread $reader, my $bytes, 4096 while $got;
        defined $got;
    };
    alarm 0;
    return $has_ended;
}

sub path_of {
    my ($name)  = @_;
    my ($found) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    return $found;
}

subtest 'fixed work' => sub {
    for my $name (sort keys %FIXED) {
        my ($command, $count, $unit) = @{ $FIXED{$name} };
        my $result = run(command(@$command), in => scratch());
        is $result->{status}, 0, "$name: exit status" or diag $result->{err};
        like $result->{err},   qr/^COUNT\|$count\|\Q$unit\E$/m, "$name: COUNT";
        like $result->{err},   $TIME,                           "$name: TIME";
        unlike $result->{err}, qr/^ERROR/m,                     "$name: no error";
    }
};

subtest 'timed work' => sub {
    for my $name (sort keys %TIMED) {
        my $result = run(command(@{ $TIMED{$name} }), in => scratch());
        my ($count, $timebase, $label) = count_of($result);
        is $result->{status}, 0, "$name: exit status" or diag $result->{err};
        cmp_ok $count // 0, '>', 0, "$name: COUNT";
        is "$timebase|$label", $FIXED{$name}[2], "$name: timebase and label";
    }
};

subtest 'wrong arguments' => sub {
    my @wrong =
        (['x'], ['0'], ['-1'], ['nan'], ['inf'], ['3601'], ['-n'], ['-n', '0'], ['-n', 'x'], ['-n', '1.5']);
    my %also = (
        (map { $_ => [[], ['1', 'x']] } @CPU, @KERNEL),
        'hanoi'            => [[], ['1', '0'], ['1', '10', '1']],
        'context1'         => [[], ['1', '-p'], ['1', '-p', 'near']],
        'execl'            => [[], ['0', '1', 'x', '1'], ['1', '1']],
        'looper'           => [[], ['1'], ['-n', '1']],
        'whetstone-double' => [['-t', '0'], ['10', '10']],
        'fstime'           => [
            ['-x'],
            ['-t'],
            ['-t', '0'],
            ['-t', 'nan'],
            ['-b', '255'],
            ['-b', '8193'],
            ['-m', '0'],
            ['-m', '1048577'],
            ['-p', '-1'],
            ['-s', 'x'],
            ['-d']
        ],
    );
    for my $name (@ALL) {
        for my $arguments (@wrong, @{ $also{$name} }) {
            my @true =
                   $name eq 'looper'
                && @$arguments
                && $arguments->[-1] !~ /\A1?\z/ ? 'true' : ();
            my $result =
                run(command($name, @$arguments, @true), in => scratch());
            is $result->{status}, 2, "$name @$arguments: exit status";
            like $result->{err}, qr/\AERROR\|.*usage: /, "$name @$arguments: message";
        }
    }
};

subtest 'gate' => sub {
    local $^F = 1000;
    for my $name (sort keys %FIXED) {
        pipe my $ready,  my $ready_end or die "pipe: $!";
        pipe my $go_end, my $go        or die "pipe: $!";
        my $gate      = join ',', map { fileno $_ } $ready_end, $go_end;
        my $directory = scratch();
        fcntl $_, Fcntl::F_SETFD(), Fcntl::FD_CLOEXEC()
            or die "fcntl: $!"
            for $ready, $go;
        my $running = start(
            command(@{ $FIXED{$name}[0] }),
            in  => $directory,
            env => { UB_GATE => $gate }
        );
        close $_ or die "close: $!" for $ready_end, $go_end;
        is sysread($ready, my $byte, 10), 1, "$name: says that it is ready";
        is sysread($ready, $byte,    10), 0, "$name: and that only once";
        is_deeply [entries($directory)], [], "$name: has left no file"
            if $name eq 'fstime';
        ok !has_ended($running), "$name: waits";
        close $go or die "close: $!";
        my $result = finish($running);
        is $result->{status}, 0, "$name: goes" or diag $result->{err};
        ok count_of($result), "$name: counts";
    }
    is_error(run(command('pipe', '-n', 1), env => { UB_GATE => 'x' }), 2, 'UB_GATE', 'broken gate');

    pipe my $ready,  my $ready_end or die "pipe: $!";
    pipe my $go_end, my $go        or die "pipe: $!";
    close $go or die "close: $!";
    my $result = run(
        command('looper', '-n', 1, 'sh', '-c', 'echo "${UB_GATE-none}"; : <&' . fileno $go_end),
        env => { UB_GATE => join ',', map { fileno $_ } $ready_end, $go_end },
    );
    like $result->{out}, qr/\Anone$/m, 'a command knows nothing of the gate';
    isnt $result->{status}, 0, 'and has not inherited it';
};

subtest syscall => sub {
    for my $mode (qw(mix close getpid exec)) {
        my $fixed = run(command('syscall', '-n', 20, $mode));
        is_deeply [$fixed->{status}, count_of($fixed)], [0, 20, 1, 'lps'], "$mode: fixed work";
        my $timed = run(command('syscall', '0.1', $mode));
        cmp_ok + (count_of($timed))[0] // 0, '>', 0, "$mode: timed work";
    }
    is_error(run(command('syscall', 1, 'open')), 2, 'open', 'unknown mode');
};

subtest 'dhry, whetstone, hanoi' => sub {
    like run(command('whetstone-double', '-n', 1))->{out}, qr/N1.*N8/s, 'table of modules';
    is_deeply [count_of(run(command('hanoi', '-n', 7, 3)))], [7, 1, 'lps'], 'three disks';
};

subtest context1 => sub {
    for my $how (['-n', 100], ['0.1']) {
        my ($reader, $writer) = witness();
        my $running = start(command('context1', @$how), keep => [$writer]);
        close $writer;
        is finish($running)->{err} =~ s/^(?:COUNT|TIME)\|.*\n//mgr, '', "@$how: nothing else on standard error";
        ok ends_soon($reader), "@$how: the child has gone too";
    }
    my ($reader, $writer) = witness();
    my $running = start(command('context1', 100), keep => [$writer]);
    close $writer;
    kill KILL => $running->{pid};
    is finish($running)->{status}, -9, 'killed';
    ok ends_soon($reader), 'a child whose parent was killed goes too';

SKIP: {
        skip 'binding to CPUs works on Linux only', 4 if $^O ne 'linux';
        is_deeply [count_of(run(command('context1', '-n', 100, '-p', 'same')))], [100, 1, 'lps'], 'same CPU';
        my $taskset = path_of('taskset') or skip 'no taskset', 3;
        my ($first) = `$taskset -cp $$` =~ /: (\d+)/
            or skip 'taskset does not know the CPUs', 3;
        is_error(run([$taskset, '-c', $first, @{ command('context1', 1, '-p', 'apart') }]), 1, 'two CPUs', 'one CPU');
    }
SKIP: {
        my $cpus = path_of('nproc') ? `nproc` : 1;
        skip 'one CPU only', 1 if $^O ne 'linux' || $cpus < 2;
        is_deeply [count_of(run(command('context1', '-n', 100, '-p', 'apart')))], [100, 1, 'lps'], 'two CPUs';
    }
};

subtest execl => sub {
    my $deep = scratch() . "/it's \"quoted\"" . ('/' . 'd' x 200) x 8;
    make_path($deep);
    copy(program('execl'), "$deep/execl") or die "copy: $!";
    chmod 0755, "$deep/execl";
    for my $case (["$deep/execl", $deep, 'a long path with blanks and quotes'], ['./execl', $deep, 'a relative path']) {
        my ($path, $in, $what) = @$case;
        is_deeply [count_of(run([$path, '-n', 3], in => $in))], [3, 1, 'lps'], $what;
    }
    my $found = run(
        ['/bin/sh', '-c', 'execl -n 3'],
        in  => '/',
        env => { PATH => "$deep:$ENV{PATH}" }
    );
    is_deeply [count_of($found)], [3, 1, 'lps'], 'found in PATH';
    like $found->{out}, qr/\Q$deep\E.*text \d+/s, 'says what the program file is';
    my ($time) = run(command('execl', '0.2'))->{err} =~ /^TIME\|(.*)/m;
    cmp_ok $time, '>=', 0.2, 'TIME is the whole time';
};

subtest fstime => sub {
    for my $part (qw(c r w)) {
        for my $case ([5, '-m', 10], [25, '-m', 10], [100, '-b', 256, '-m', 5], [3, '-b', 8192, '-m', 1]) {
            my ($blocks, @size) = @$case;
            my $directory = scratch();
            my $result    = run(command('fstime', "-$part", '-n', $blocks, '-d', $directory, @size));
            is $result->{status}, 0, "-$part @$case" or diag $result->{err};
            like $result->{err}, qr/^LOOPS\|$blocks$/m, "-$part @$case: LOOPS";
            is_deeply [entries($directory)], [], "-$part @$case: leaves nothing";
        }
        my $directory = scratch();
        my $result    = run(command('fstime', "-$part", '-t', '0.1', '-p', '0.1', '-s', '0.01', '-d', $directory));
        my ($kb, $timebase, $label) = count_of($result);
        my ($time)   = $result->{err} =~ /^TIME\|(.*)/m;
        my ($blocks) = $result->{err} =~ /^LOOPS\|(.*)/m;
        is "$timebase $label", '0 KBps', "-$part: timed work";
        cmp_ok abs($kb - $blocks / $time), '<=', 1,   "-$part: KB a second are blocks by time";
        cmp_ok $time,                      '>=', 0.1, "-$part: TIME is the whole time";
        is_deeply [entries($directory)], [], "-$part: leaves nothing";
    }
    my $directory = scratch();
    is_error(run(command('fstime', '-w', '-n', 1, '-d', "$directory/absent")), 1, 'No such file', 'no directory');
    is_error(
        run(['/bin/sh', '-c', 'ulimit -f 16 && exec "$0" -w -n 1000 -d "$1"', program('fstime'), $directory]),
        1,
        'fstime: write: File too large',
        'file too large'
    );
    is_deeply [entries($directory)], [], 'no file is left behind by an error';

SKIP: {
        my $unshare = path_of('unshare') or skip 'no unshare', 4;
        my @inside  = ($unshare, $> == 0 ? '-m' : '-rm', '/bin/sh', '-c');
        my $tmpfs   = 'mount -t tmpfs -o size=256k none "$1"';
        skip 'no file system can be mounted here', 4
            if run([@inside, $tmpfs, 'sh', $directory])->{status} != 0;
        my $full = run(
            [
                @inside,           "$tmpfs && \"\$0\" -c -t 1 -p 1 -s 0 -d \"\$1\"; s=\$?; ls -A \"\$1\"; exit \$s",
                program('fstime'), $directory
            ]
        );
        is_error($full, 1, 'fstime: write: No space left on device', 'full disk');
        is $full->{out}, '', 'full disk: nothing is left behind';
    }
};

subtest looper => sub {
    my $directory = scratch();
    my $text      = write_file("$directory/text", "1 2 + p\n");
    is run(command('looper', '-n', 3, 'cat'), input => $text)->{out}, "1 2 + p\n" x 3, 'standard input is rewound';
    is_error(run(command('looper', 1, 'false')),                  1, 'false.*status 1\b',             'status');
    is_error(run(command('looper', 1, 'sh', '-c', 'exit 127')),   1, 'sh.*status 127',                'status 127');
    is_error(run(command('looper', 1, 'sh', '-c', 'kill -9 $$')), 1, 'sh.*signal 9',                  'signal');
    is_error(run(command('looper', 1, 'no-such-command')),        1, 'no-such-command: No such file', 'no command');
    is_error(run(command('looper', 1, $text)),                    1, 'Permission denied',             'not executable');
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
        'second loop'
    );

SKIP: {
        skip 'descendants are known on Linux only', 4 if $^O ne 'linux';
        my ($reader, $writer) = witness();
        my $descriptor = fileno $writer;
        my $say        = "echo here >&$descriptor; sleep 100; sleep 100";
        my $family  = "setsid sh -c '$say' & (setsid sh -c 'trap \"\" TERM HUP; ($say) & $say' &); sleep 100; exit 1";
        my $running = start(command('looper', 1, 'sh', '-c', $family), keep => [$writer]);
        close $writer;
        sysread $reader, my $said, 5;
        is $said, "here\n", 'descendants live';
        my $result = finish($running);
        ok is_at_end($reader), 'and have ended before looper';
        is_deeply [$result->{status}, count_of($result)], [0, 0, 60, 'lpm'], 'the loop under way does not count';
        is $result->{err} =~ s/^(?:COUNT|TIME)\|.*\n//mgr, '', 'nothing else on standard error';
    }
};

subtest 'multi.sh and tst.sh' => sub {
    my $home = scratch() . "/it's a \"home\"";
    make_path("$home/bin", "$home/testdir", "$home/scratch", "$home/elsewhere");
    for my $script (qw(multi.sh tst.sh)) {
        copy("pgms/$script", "$home/bin/$script") or die "copy: $!";
        chmod 0755, "$home/bin/$script";
    }
    copy('testdir/sort.src', "$home/testdir/sort.src") or die "copy: $!";
    my %plain = (
        UB_TESTDIR           => undef,
        UB_BINDIR            => undef,
        UB_TMPDIR            => undef,
        MULTI_SH_WORK_FACTOR => undef
    );
    my @shells = grep { defined } path_of('dash'), path_of('bash'), path_of('busybox');
    for my $shell (@shells) {
        my @shell = ($shell, $shell =~ /busybox/ ? 'sh' : ());
        for my $case (
            ['multi.sh', [3], 'testdir',   {}],
            ['multi.sh', [2], 'elsewhere', { UB_TESTDIR => "$home/testdir" }],
            [
                'multi.sh',
                [2],
                'elsewhere',
                {
                    UB_BINDIR  => "$home/bin",
                    UB_SCRATCH => undef,
                    UB_TMPDIR  => "$home/scratch"
                }
            ],
            ['multi.sh', [2], 'elsewhere', { MULTI_SH_WORK_FACTOR => 3 }],
            ['tst.sh',   [],  'testdir',   {}],
            )
        {
            my ($script, $arguments, $in, $environment) = @$case;
            my $result = run(
                [@shell, "$home/bin/$script", @$arguments],
                in  => "$home/$in",
                env => { %plain, UB_SCRATCH => "$home/scratch", %$environment }
            );
            my $what = join ' ', @shell, $script, @$arguments, sort keys %$environment;
            is_deeply $result, { status => 0, out => '', err => '' }, $what;
            is_deeply [entries("$home/scratch"), entries("$home/elsewhere")], [], "$what: leaves nothing";
        }
        for my $wrong ([], ['x'], ['0'], ['1', '2']) {
            is_error(run([@shell, "$home/bin/multi.sh", @$wrong]), 2, 'usage', "@shell multi.sh @$wrong");
        }
        my $absent = run(
            [@shell, "$home/bin/multi.sh", 1],
            in  => "$home/elsewhere",
            env => { %plain, UB_SCRATCH => "$home/absent" }
        );
        is_error($absent, 1, 'tst.sh: sort', "@shell: no scratch directory");
    }

    my $log = "$home/log";
    make_path("$home/wrappers");
    for my $name (qw(sort od grep tee wc rm cat)) {
        my $real = path_of($name) or next;
        write_file("$home/wrappers/$name", "#!/bin/sh\necho $name >> \"\$LOG\"\nexec $real \"\$\@\"\n");
        chmod 0755, "$home/wrappers/$name";
    }
    run(
        ["$home/bin/tst.sh"],
        in  => "$home/testdir",
        env => {
            %plain,
            UB_SCRATCH => "$home/scratch",
            LOG        => $log,
            PATH       => "$home/wrappers:$ENV{PATH}"
        }
    );
    open my $file, '<', $log or die "$log: $!";
    is join(' ', sort map { chomp; $_ } <$file>), 'grep od rm sort sort tee wc', 'tst.sh: seven processes';
};

done_testing;
