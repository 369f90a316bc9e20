use strict;
use warnings;

use File::Copy qw(copy);
use File::Path qw(make_path);
use Fcntl      qw(F_GETFL F_SETFL O_NONBLOCK);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive       qw(eventually group states);
use Needs       qw(need_built skip_without tracing);
use TestProgram qw(command count_of finish has_ended is_error path_of program run scratch start write_file);

# Programs that start processes: none is left behind, whatever ends them.
need_built(qw(context1 execl looper));

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
    alarm 300;
    my $has_ended = eval {
        my $got = 1;
        $got = sysread $reader, my $bytes, 4096 while $got;
        defined $got;
    };
    alarm 0;
    return $has_ended;
}

# The CPUs that context1 -p binds its two processes to; none where nothing can be traced.
sub bound_to {
    my ($placement) = @_;
    my $strace      = path_of('strace') or return;
    my $trace       = scratch() . '/trace';
    run([$strace, qw(-f -e trace=sched_setaffinity -o), $trace, @{ command('context1', -n => 10, -p => $placement) }]);
    open my $file, '<', $trace or return;
    return map { /sched_setaffinity\(0, \d+, \[(\d+)(?: [.]{3})?\]/ ? $1 : () } <$file>;
}

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
        skip_without(machine => 'Linux', 4) if $^O ne 'linux';
        is_deeply [count_of(run(command('context1', '-n', 100, '-p', 'same')))], [100, 1, 'lps'], 'same CPU';
        my $taskset = path_of('taskset') or skip_without(tool => 'taskset', 3);
        my ($first) = `$taskset -cp $$` =~ /: (\d+)/
            or skip_without(machine => 'a taskset that knows the CPUs', 3);
        is_error(run([$taskset, '-c', $first, @{ command('context1', 1, '-p', 'apart') }]), 1, 'two CPUs', 'one CPU');
    }
SKIP: {
        my $cpus = path_of('nproc') ? `nproc` : 1;
        skip_without(machine => 'two CPUs', 3) if $^O ne 'linux' || $cpus < 2;
        is_deeply [count_of(run(command('context1', '-n', 100, '-p', 'apart')))], [100, 1, 'lps'], 'two CPUs';
        my @same = bound_to('same') or skip_without(tracing(), 2);
        is_deeply \@same, [@same[0, 0]], 'both are bound to one CPU';
        my @apart = bound_to('apart');
        ok @apart == 2 && $apart[0] != $apart[1], "each is bound to its own: @apart";
    }
};

# What was measured while its child stood still is no score: [program, arguments], and how its time is over.
for my $case ([[qw(context1 100)] => 'ALRM'], [[qw(looper 100 sleep 1000)] => undef]) {
    my ($words, $over) = @$case;
    subtest "the child of $words->[0] is stopped and continued" => sub {
        my $running = start(command(@$words));
        my $child   = eventually(
            sub {
                (grep { $_ != $running->{pid} } group($running->{pid}))[0];
            }
        );
        kill STOP => $child;
        eventually(sub { states($child) =~ /\AT?\z/ && states($running->{pid}) =~ /\A[SZ]?\z/ });
        kill CONT  => $child;
        kill $over => $running->{pid} if defined $over;
        is_error(finish($running), 1, 'was stopped', 'no score');
        is_deeply [group($running->{pid})], [], 'nothing is left running';
    };
}

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
    my $cost = qr/[\d.]+ us of user and [\d.]+ us of system time, [\d.]+ page faults, [\d.]+ switches/;
    like $found->{out}, qr/\Aa loop took $cost\n\z/, 'says what a loop took';
    my ($time) = run(command('execl', '0.2'))->{err} =~ /^TIME\|(.*)/m;
    cmp_ok $time, '>=', 0.2, 'TIME is the whole time';
};

subtest looper => sub {
    my $directory = scratch();
    my $text      = write_file("$directory/text", "1 2 + p\n");
    is run(command('looper', '-n', 3, 'cat'), input => $text)->{out}, "1 2 + p\n" x 3, 'standard input is rewound';
    my $slow = run(command('looper', '-w', '0.1', 'sleep', '0.4'));
    is_deeply [$slow->{status}, count_of($slow)], [0, 1, 60, 'lpm'], '-w: the first loop is waited for';
    my ($time) = $slow->{err} =~ /^TIME\|(.*)/m;
    cmp_ok $time, '>=', 0.4, 'with its time';
    is_error(run(command('looper', '-w', '0.1', 'sh', '-c', 'sleep 0.4; exit 3')), 1, 'sh.*status 3', 'it fails late');
    is_deeply [count_of(run(command('looper', '-w', '-n', 3, 'true')))], [3, 60, 'lpm'], 'so many loops';
    is_error(run(command('looper', '-w')),                          2, 'seconds missing',               'nothing else');
    is_error(run(command('looper', 500, 'false')),                  1, 'false.*status 1\b',             'status');
    is_error(run(command('looper', 500, 'sh', '-c', 'exit 127')),   1, 'sh.*status 127',                'status 127');
    is_error(run(command('looper', 500, 'sh', '-c', 'kill -9 $$')), 1, 'sh.*signal 9',                  'signal');
    is_error(run(command('looper', 500, 'no-such-command')),        1, 'no-such-command: No such file', 'no command');
    is_error(run(command('looper', 500, $text)),                    1, 'Permission denied', 'not executable');
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
        skip_without(machine => 'Linux', 4) if $^O ne 'linux';
        my ($reader, $running, $said);
        for my $seconds (1, 10, 100) {    # in which they are there, on a busy machine
            ($reader, my $writer) = witness();
            my $descriptor = fileno $writer;
            my $say        = "echo here >&$descriptor; sleep 1000; sleep 1000";
            my $others     = "setsid sh -c '$say' & (setsid sh -c 'trap \"\" TERM HUP; ($say) & $say' &)";
            my @command    = ('sh', '-c', "$others; sleep 1000; exit 1");
            $running = start(command('looper', $seconds, @command), keep => [$writer]);
            close $writer;
            last if sysread $reader, $said, 5;
        }
        is $said, "here\n", 'descendants live';
        my $result = finish($running);
        ok is_at_end($reader), 'and have ended before looper';
        is_deeply [$result->{status}, count_of($result)], [0, 0, 60, 'lpm'], 'the loop under way does not count';
        is $result->{err} =~ s/^(?:COUNT|TIME)\|.*\n//mgr, '', 'nothing else on standard error';
    }
};

done_testing;
