use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../$_" } qw(../lib lib);
use Needs                             qw(need_built);
use Programs                          qw(programs protocol_faults);
use TestProgram                       qw(command count_of finish is_built is_error run scratch start waits_at_gate);
use UnixBench::Base::Clock            ();
use VirtualDisplay                    ();

my $PROGRAM = programs();
my @ALL     = sort keys %$PROGRAM;
need_built(@ALL);

# ubgears is tested too, if it is built and a display can be started.
my $display = is_built('ubgears') ? VirtualDisplay->new : undef;
if ($display) {
    $ENV{DISPLAY} = $display->name;
    push @ALL, 'ubgears';
    $PROGRAM->{ubgears} =
        { fixed => ['-n', 3], count => 3, unit => '1|fps', timed => [qw(-time 0.1 -warmup 0)] };
}

# Returns the command of a program's fixed work.
sub fixed {
    my ($name) = @_;
    return command($name, @{ $PROGRAM->{$name}{fixed} });
}

subtest 'fixed work' => sub {
    for my $name (@ALL) {
        is_deeply [protocol_faults($name, run(fixed($name), in => scratch()))], [], "$name reports its work";
    }
};

# The result of each program that did timed work without any variable of the environment.
my %plain;

subtest 'timed work' => sub {
    for my $name (@ALL) {
        my ($result, $count, $timebase, $label);

        # On a busy machine the first loop may not end in time; then it gets ten times as long.
        for my $longer (1, 10, 100) {
            my @arguments = map { /\A[0-9.]+\z/ ? $_ * $longer : $_ } @{ $PROGRAM->{$name}{timed} };
            $result = run(command($name, @arguments), in => scratch());
            ($count, $timebase, $label) = count_of($result);
            last if $result->{status} != 0 || $count;
        }
        $plain{$name} = $result;
        is $result->{status}, 0, "$name: exit status" or diag $result->{err};
        cmp_ok $count // 0, '>', 0, "$name: COUNT";
        is "$timebase|$label", $PROGRAM->{$name}{unit}, "$name: timebase and label";
    }
};

subtest 'wrong arguments' => sub {
    my @wrong =
        (['x'], ['0'], ['-1'], ['nan'], ['inf'], ['3601'], ['-n'], ['-n', '0'], ['-n', 'x'], ['-n', '1.5']);
    my %also = (
        'hanoi'    => [[], ['1', '0'], ['1', '10', '1']],
        'context1' => [[], map { ['1', '-p', @$_] } [], ['near'], ['1'], ['0,1,2'], ['0,x'], ['-1,0'], ['0,8192']],
        'execl'    => [[], ['0', '1', 'x', '1'], ['0', '1', '1', 'x'], ['1', '1']],
        'looper'   => [[], ['1'], ['-n', '1']],
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
        'ubgears' => [['-time'], ['-time', '0'], ['-warmup', '-1'], ['-display'], ['-time', '1', '-n', '1'], ['-x']],
    );
    for my $name (@ALL) {
        for my $arguments (@wrong, @{ $also{$name} || [[], ['1', 'x']] }) {
            next if $name eq 'whetstone-double' && "@$arguments" =~ /\A\d+\z/;    # is accepted and ignored
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
    waits_at_gate($_, fixed($_), $_ eq 'fstime') for @ALL;
    local $^F = 1000;
    pipe my $ready,  my $ready_end or die "pipe: $!";
    pipe my $go_end, my $go        or die "pipe: $!";
    close $go or die "close: $!";
    my $result = run(
        command('looper', '-n', 1, 'sh', '-c', 'echo "${UB_GATE-none}"; : <&' . fileno $go_end),
        env => { UB_GATE => join ',', map { fileno $_ } $ready_end, $go_end },
    );
    like $result->{out}, qr/\Anone$/m, 'a command has no UB_GATE';
    isnt $result->{status}, 0, 'a command has not inherited the gate';
};

subtest 'broken gates' => sub {
    for my $gate ('', ',', 'x', '7', '7,', '-7,-8', '1,2', '7,8,9', '7,8x', '9' x 20 . ',8', '7' x 5000) {
        my $result = run(command('pipe', '-n', 1), env => { UB_GATE => $gate });
        is_error($result, 2, 'UB_GATE must be READY,GO', 'UB_GATE=' . substr $gate, 0, 30);
    }
};

subtest 'a command that has closed the gate, or opened other files in its places' => sub {
    local $^F = 1000;
    pipe my $ready,  my $ready_end or die "pipe: $!";
    pipe my $go_end, my $go        or die "pipe: $!";
    pipe my $other,  my $other_end or die "pipe: $!";
    my $pipes = join q{,}, map { (stat)[1] } $ready_end, $go_end;
    my $file  = scratch() . '/file';
    my ($to, $from) = map { fileno $_ } $ready_end, $go_end;
    my @redirected = (
        "$to>&-",
        "$from<&-",
        "$to>&- $from<&-",
        "$to>>$file",
        "$from<>$file",
        "$to>/dev/null $from</dev/null",
        "$to>&$from $from<&$to",
        "$to>/dev/fd/" . fileno $other_end,
        "$from</dev/fd/" . fileno $other
    );

    for my $name (@ALL) {
        for my $redirections (@redirected) {
            my $result = run(
                ['/bin/sh', '-c', "exec \"\$0\" \"\$\@\" $redirections", @{ fixed($name) }],
                in  => scratch(),
                env => { UB_GATE => "$to,$from", UB_GATE_PIPES => $pipes }
            );
            is_deeply([$result->{status}, count_of($result) ? 1 : 0], [0, 1], "$name, $redirections: it starts at once")
                or diag $result->{err};
        }
    }
    ok(!-s $file, 'nothing was written to a file of the command');
    for ($ready, $other) {
        my $readable = q{};
        vec($readable, fileno $_, 1) = 1;
        is(select($readable, undef, undef, 0), 0, 'nothing was written to a pipe');
    }
    my $result = run(command('pipe', '-n', 1), env => { UB_GATE => '900,901' });
    ok(count_of($result), 'without the inodes: closed descriptors are not the gate') or diag $result->{err};
};

# Takes the name of a program and redirections; runs its fixed work with them.
sub redirected {
    my ($name, $redirections) = @_;
    my $script = "exec \"\$0\" \"\$\@\" $redirections";
    return run(['/bin/sh', '-c', $script, @{ fixed($name) }], in => scratch());
}

subtest 'standard handles' => sub {
    for my $name (@ALL) {
        my $result = redirected($name, '<&- >&-');
        is $result->{status}, 0, "$name, standard input and output closed: exit status 0" or diag $result->{err};
        ok count_of($result), "$name, standard input and output closed: counts";
        is redirected($name, '2>/dev/full')->{status}, 1, "$name: fails if it cannot report" if -e '/dev/full';
    }
};

# Programs that always report the time of timed work.
my %IS_TIMED = map { $_ => 1 } qw(execl fstime looper ubgears whetstone-double);

# Programs whose timer, not their speed, ends timed work: all but this one.
my %IS_ESTIMATED = ('whetstone-double' => 1);

my $CLOCK = UnixBench::Base::Clock->new;

# Returns the values of the TIME lines in the output of a program, or their number.
sub times_of {
    my ($result) = @_;
    my @times = $result->{err} =~ /^TIME\|(.*)$/mg;
    return @times;
}

# Takes a command and UB_TIME; returns its result, with elapsed_s.
sub clocked {
    my ($command, $ub_time) = @_;
    my $start_s = $CLOCK->monotonic_s;
    my $result  = run($command, in => scratch(), env => { UB_TIME => $ub_time });
    return { %$result, elapsed_s => $CLOCK->monotonic_s - $start_s };
}

# Tests that a program reports the time of its work once, as a decimal number in the range that is possible.
sub has_time {
    my ($result, $least_s, $name) = @_;
    my @times = times_of($result);
    is scalar @times, 1, "$name: one TIME line" or return;
    like $times[0], qr/\A\d+[.]\d{9}\z/, "$name: a decimal number of nine places";
    cmp_ok $times[0], '>=', $least_s,             "$name: not shorter than the work" or diag $result->{err};
    cmp_ok $times[0], '<=', $result->{elapsed_s}, "$name: not longer than the process";
    return;
}

subtest 'UB_TIME=1: the time of the work' => sub {
    for my $name (@ALL) {
        my $command   = command($name, @{ $PROGRAM->{$name}{timed} });
        my ($asked_s) = grep { /\A0[.]\d+\z/ } @$command;
        my $result    = clocked($command, 1);
        is $result->{status}, 0, "$name: exit status";
        has_time($result, $IS_ESTIMATED{$name} ? 0 : $asked_s, $name);
        is scalar(times_of($plain{$name})), $IS_TIMED{$name} ? 1 : 0, "$name: without UB_TIME, as usual";
        has_time(clocked(fixed($name), 1), 0, "$name with fixed work");
    }
    is scalar(times_of(clocked(command('pipe', '0.1'), $_))), 0, "UB_TIME=$_ does not ask for it" for q{}, '0', '11';
};

# Takes a command, and the shell's lines before it; returns the values of its line USED, as named numbers.
sub used_by {
    my ($command, $before) = @_;
    my $shell  = ['/bin/sh', '-c', ($before // q{}) . q{ exec "$0" "$@"}, @$command];
    my $result = run($shell, in => scratch(), env => { UB_USED => 1 });
    my @lines  = $result->{err} =~ /^USED[|](.*)$/mg;
    is(scalar @lines, 1, "@$command[0, 1]: one line USED") or diag $result->{err};
    like($lines[0] // q{}, qr/\A[0-9]+(?:[|][0-9]+){7,8}\z/, 'with whole numbers');
    my %used;
    @used{qw(clock time user kernel minor major switches forced waited)} = split /[|]/, $lines[0] // q{};
    return \%used;
}

subtest 'UB_USED=1: what the work has used' => sub {
    for my $name (@ALL) {
        for my $command (command($name, @{ $PROGRAM->{$name}{timed} }), fixed($name)) {
            my $used = used_by($command);
            cmp_ok(abs $used->{clock} - $used->{time}, '<',  1000,                        "$name: both clocks agree");
            cmp_ok($used->{user} + $used->{kernel},    '<=', 16 * $used->{time} + 10_000, "$name: possible CPU time");
        }
        unlike($plain{$name}{err}, qr/USED/, "$name: only if it is asked");
    }
    my $load = run(command('looper', '-n', 2, '/bin/sh', '-c', '[ -z "${UB_USED+is_set}" ]'), env => { UB_USED => 1 });
    is($load->{status}, 0, 'a command that looper runs does not have the variable') or diag $load->{err};
};

subtest 'UB_TIME=1: the time begins at the gate' => sub {
    local $^F = 1000;
    pipe my $ready,  my $ready_end or die "pipe: $!";
    pipe my $go_end, my $go        or die "pipe: $!";
    fcntl $_, Fcntl::F_SETFD(), Fcntl::FD_CLOEXEC() or die "fcntl: $!" for $ready, $go;
    my $gate    = join ',', map { fileno $_ } $ready_end, $go_end;
    my $running = start(command('pipe', '0.1'), env => { UB_GATE => $gate, UB_TIME => 1 });
    close $_ or die "close: $!" for $ready_end, $go_end;
    sysread $ready, my $byte, 1;
    select undef, undef, undef, 0.5;
    my $start_s = $CLOCK->monotonic_s;
    close $go or die "close: $!";
    my $result = finish($running);
    has_time({ %$result, elapsed_s => $CLOCK->monotonic_s - $start_s }, 0.1, 'pipe');
};

subtest 'dhry, whetstone, hanoi' => sub {
    my $whetstone = run(command('whetstone-double', '-n', 3));
    like $whetstone->{out}, qr/N1.*N8/s,     'whetstone-double prints the table of modules';
    like $whetstone->{err}, qr/^LOOPS\|3$/m, 'whetstone-double reports its loops';
    is_deeply [count_of(run(command('hanoi', '-n', 7, 3)))], [7, 1, 'lps'], 'hanoi runs with three disks';
};

done_testing;
