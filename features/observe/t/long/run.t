# Whole runs that observe system calls.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../lib ../../../../t/lib);
use InTurns                        ();
use Needs                          qw(need_built note_without path_of skip_without tracing);
use Place                          qw(content);
use LoadedRun                      qw(eventually of_environment waited);
use UnixBench::Base::JSON          ();
use UnixBench::Catalog             ();
use UnixBench::Observe::Bpftrace;

# A shell makes its background commands ignore some signals; these tests need their default effect.
$SIG{$_} = 'DEFAULT' for qw(INT TSTP);

need_built('dhry2reg');

my @PIPE   = qw(-q -i 1 -c 1 --observe syscalls pipe);
my @TWO    = qw(-q -i 1 -c 1 --observe syscalls hanoi pipe);
my $SCORED = qr/^Pipe Throughput +[0-9.]+ lps /m;

# Directories for PATH: without any tracer, and with one of them only. Links lead to all other programs.
my %PATH_WITH;

# Takes the name of a tracer, or an empty text; returns a value of PATH where it is the only one.
sub path_with {
    my ($tracer) = @_;
    my $path     = $PATH_WITH{$tracer} ||= File::Temp->newdir;
    for my $program (map { glob "\Q$_\E/*" } split /:/, $ENV{PATH}) {
        my ($name) = $program =~ m{([^/]+)\z};
        symlink $program, "$path/$name" if $name eq $tracer || $name !~ /\A(?:strace|bpftrace)\z/;
    }
    return "$path";
}

# Takes settings of the environment; returns a place with the real programs, which run for a part of their time.
sub real_run {
    my (%env) = @_;
    my %real = map { ("UB_\U$_\EDIR" => "$TestRun::HOME/" . ($_ eq 'bin' ? 'pgms' : 'testdir')) } qw(bin test);
    return TestRun->new(env => { %real, UB_TIME_FACTOR => 0.1, %env });
}

# Takes arguments; returns such a place and the ended run. On a busy machine, short passes count nothing under strace:
# then the passes take ten times as long, and a quick run a minute.
sub observed_run {
    my (@arguments) = @_;
    my $test        = real_run();
    my $run         = $test->run(@arguments);
    return ($test, $run) if $run->{err} !~ /: counted nothing/;
    $test = real_run(UB_TIME_FACTOR => 1);
    return ($test, $test->run(map { $_ eq '1s' ? '1m' : $_ } @arguments));
}

# Returns the tests of the first run in the result, by name.
sub tests_of {
    my ($test) = @_;
    my $result = UnixBench::Base::JSON::decode($test->report('.json'));
    return { map { $_->{name} => $_ } @{ $result->{runs}[0]{tests} } };
}

subtest 'without a tracer' => sub {
    my $test    = real_run(PATH => path_with(q{}));
    my $run     = $test->run(@PIPE);
    my $why_not = qr/bpftrace [^;\n]+; strace is not installed/;
    is($run->{status}, 1, 'exit status 1');
    like($run->{err},        qr/^Run: system calls can't be observed: $why_not$/m, 'the message has the reason');
    like($test->report(q{}), $SCORED,                                              'the report has the score');
    like($test->report(q{}), qr/^System calls were not observed: $why_not$/m,      'and the reason');
    is(tests_of($test)->{pipe}{observed}, undef, 'nothing was observed');
    $test->is_clean;
};

subtest 'a signal while a tracer is tried' => sub {
    my $test = real_run();
    my $mark = $test->place('tried');
    InTurns::wrapper($test, $_, "echo >$mark; sleep 100") for qw(bpftrace strace);
    $test->{env}{PATH} = $test->place('bin') . ":$ENV{PATH}";
    my $run = $test->started(@PIPE);
    ok(eventually(sub { -e $mark }), 'it is being tried');
    kill INT => $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, POSIX::SIGINT(), 'the signal ends the run');
    unlike($ended->{err}, qr/trace|observed/, 'the message does not blame the tracer');
    $test->is_clean;
};

my $why_not = system('strace -qq -o /dev/null true 2>/dev/null') ? [tracing()] : undef;
skip_without(@$why_not) if $why_not;

my @TRACERS = 'strace';
if    (defined(my $obstacle = UnixBench::Observe::Bpftrace::obstacle())) { note_without(machine => $obstacle) }
elsif (!path_of('bpftrace'))                                             { note_without(tool => 'bpftrace') }
else                                                                     { unshift @TRACERS, 'bpftrace' }

# What Run says about strace.
my $INSTEAD = qr/Run: system calls are observed by strace, which makes them slow: bpftrace [^\n]+\n/;

# Takes a run; returns its status, and its messages without that.
sub ended_with { my ($run) = @_; return [$run->{status}, $run->{err} =~ s/\A$INSTEAD//r] }

# Calls in each loop; fork and wait have several names. In addition, each program makes calls at its start and end.
# File tests read nothing at the end of a file, once in 2000 blocks.
my %MIX = (
    syscall  => { map { $_ => 1 } qw(dup close getpid getuid|getuid32 umask) },
    pipe     => { write                     => 1, read           => 1 },
    context1 => { write                     => 2, read           => 2 },
    fstime   => { write                     => 1, read           => 1 },
    fsbuffer => { write                     => 1, read           => 1 },
    fsdisk   => { write                     => 1, read           => 1 },
    spawn    => { 'clone|clone3|fork|vfork' => 1, 'wait4|waitid' => 1 },
    execl    => { execve                    => 1 },
);
my $BESIDE  = 60;
my $AT_ENDS = 0.002;

for my $tracer (@TRACERS) {
    local $ENV{PATH} = path_with($tracer);
    subtest "$tracer: the index"                                  => sub { follows_index($tracer) };
    subtest "$tracer: several copies, and a row for each process" => \&has_rows;
}

# Tests the calls of all tests of the index.
sub follows_index {
    my ($tracer) = @_;
    my @index = UnixBench::Catalog::expand('index');
    my ($test, $run) = observed_run(qw(-q --quick -c 1 --max-time 1s --details --observe syscalls index));
    is_deeply(ended_with($run), [0, q{}], 'exit status 0, no other message');
    is($run->{err} =~ $INSTEAD ? 'strace' : 'bpftrace', $tracer, 'strace has its reason');
    like($test->report(q{}), qr/^System calls, observed by $tracer\b/m, 'the report names the tracer');
    my $known = tests_of($test);
    my ($html, $text) = map { $test->report($_) } '.html', q{};

    for my $name (@index) {
        my $observed = $known->{$name}{observed};
        cmp_ok(scalar @{ $observed->{calls} }, '>=', 10, "$name: at least 10 different calls");
        cmp_ok($observed->{slowdown},          '>',  0,  "$name: the slowdown is known");
        like($text, qr/^ +\Q$known->{$name}{title}\E: .*, observed /m, "$name: the report has a line");
    }
    for my $name (sort keys %MIX) {
        my $observed = $known->{$name}{observed};
        my %count    = map { $_->{name} => $_->{count} } @{ $observed->{calls} };
        for my $call (sort keys %{ $MIX{$name} }) {
            my ($count) = grep { defined } map { $count{$_} } split /[|]/, $call;
            my $wanted  = $MIX{$name}{$call} * $observed->{loops};
            ok($count >= $wanted && $count <= $wanted * (1 + $AT_ENDS) + $BESIDE, "$name: $call in each loop")
                or diag "$count in $observed->{loops} loops";
        }
    }
    like($html,       qr/>getpid</,            'the page has a call');
    like($run->{out}, qr/^ +getpid +[0-9]+ /m, 'the details have it, too');
    $test->is_clean;
    return;
}

# Tests the rows of processes.
sub has_rows {
    my ($test, $run) = observed_run(qw(-q -i 1 -c 2 --observe syscalls --rows context1 pipe));
    is($run->{status}, 0, 'exit status 0') or diag $run->{err};
    my $known     = tests_of($test);
    my %processes = (context1 => 4, pipe => 2);
    for my $name (sort keys %processes) {
        my $observed = $known->{$name}{observed};
        my @rows     = @{ $observed->{rows} };
        is(scalar keys %{ { map { $_->{pid} => 1 } @rows } }, $processes{$name}, "$name: each process has a row");
        my ($in_rows, $all) = (0, 0);
        $in_rows += $_->{count} for @rows;
        $all     += $_->{count} for @{ $observed->{calls} };
        is($in_rows, $all, "$name: the rows have all calls");
        my ($busiest) = sort { $b->{count} <=> $a->{count} } @rows;
        is_deeply([sort map { $_->{name} } @{ $busiest->{top} }[0, 1]], [qw(read write)], "$name: read and write");
        like($test->report(q{}), qr/^ *[0-9:]{8} +$_->{pid} +(?:\w+[(][0-9]+[)] +){3}/m, "$name: a row") for @rows;
    }
    return;
}

subtest 'both tracers count the same calls' => sub {
    skip_without(machine => 'bpftrace') if @TRACERS == 1;
    my %counts;
    for my $tracer (@TRACERS) {
        local $ENV{PATH} = path_with($tracer);
        my $test = TestRun->new(programs => { syscall => qq{exec "$TestRun::HOME/pgms/syscall" -n 1000 mix} });
        $test->run(qw(-q -i 1 -c 1 --observe syscalls syscall));
        $counts{$tracer} = { map { $_->{name} => $_->{count} } @{ tests_of($test)->{syscall}{observed}{calls} } };
    }
    cmp_ok($counts{strace}{getpid}, '>=', 1000, 'each of 1000 loops');
    is_deeply($counts{bpftrace}, $counts{strace}, 'to the last call');
};

subtest 'the calls of two states' => sub {
    my $test = real_run(UB_OUTPUT_FILE_NAME => 'turns');
    my $run  = $test->run(qw(-q -c 1 --max-time 2s --observe syscalls --under), 'nice -n 1', 'pipe');
    is($run->{status}, 0, 'exit status 0') or diag $run->{said};
    like($run->{out}, qr/^1 copy +A +B\/A /m, 'the ratios are printed');
    my %per_loop;
    for my $letter (qw(A B)) {
        my $observed = InTurns::test_of($test, $letter => 'pipe')->{observed};
        $per_loop{$letter}{ $_->{name} } = $_->{count} / $observed->{loops} for @{ $observed->{calls} };
        cmp_ok(abs($per_loop{$letter}{write} - 1), '<', 0.1, "$letter: write is made once in each loop");
    }
    ok(!$per_loop{A}{setpriority} && $per_loop{B}{setpriority}, 'only B makes the call of nice');
};

subtest 'a command under which nothing can be traced' => sub {
    local $ENV{PATH} = path_with('strace');
    my $test = real_run(UB_OUTPUT_FILE_NAME => 'turns');
    my $lines =
        qq([ "\$(sed -n 's/^TracerPid:\t//p' /proc/\$\$/status)" = 0 ] || { echo 'traced' >&2; exit 9; }\nexec "\$@");
    my $under = InTurns::wrapper($test, 'untraced', $lines);
    my $run   = $test->run(qw(-q -c 1 --max-time 2s --observe syscalls --under), $under, 'pipe');
    is($run->{status}, 1, 'exit status 1');
    my $message = qr/^Run: "Pipe Throughput" in B: system calls were not observed: traced/m;
    like($run->{err}, $message, 'the message names the state');
    ok(InTurns::ratio_of($test, 'Pipe Throughput', 'B'), 'the ratio is there');
};

# Returns a place and a run of it whose second pass of "pipe", the observed one, is held.
sub held {
    my $test = TestRun->new(programs => { pipe => 'hold' }, own_group => 1);
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env} = { UB_HOLD => $test->place('hold'), UB_HOLD_AT => 2 };
    my $run = $test->started(@TWO);
    ok(eventually(sub { content($test->place('hold', 1)) =~ /held/ }), 'the short pass has started');
    return ($test, $run);
}

my %KILLED = (
    strace   => 'killed by SIGKILL; the output of strace is cut off: it was killed, or the disk is full',
    bpftrace => 'bpftrace: killed by SIGKILL',
);

# Takes a tracer; tests a run of which it is killed.
sub is_killed {
    my ($tracer) = @_;
    my ($test, $run) = held();
    kill KILL => grep { (readlink "/proc/$_/exe" // q{}) =~ m{/$tracer\z} } of_environment($test->place);
    $test->write('hold', 'go-on', q{});
    my $ended   = waited($run);
    my $why     = $KILLED{$tracer};
    my $message = [1, qq{Run: "Pipe Throughput": system calls were not observed: $why\n}];
    is_deeply(ended_with($ended), $message, 'the run ends with a message');
    my $report = $test->report(q{}) =~ s/\n +(?=\S)/ /gr;
    like($report, qr/ Pipe Throughput: .*not observed: $why$/m, 'the report has the reason');
    ok(!defined tests_of($test)->{hanoi}{observed}{error}, 'the other test was observed');
    $test->is_clean;
    return;
}

# Tests a run that is killed.
sub is_ended {
    my ($test, $run) = held();
    kill KILL => $run->{pid};
    waited($run);
    $test->is_clean;
    return;
}

for my $tracer (@TRACERS) {
    local $ENV{PATH} = path_with($tracer);
    subtest "$tracer: it is killed during a pass"              => sub { is_killed($tracer) };
    subtest "$tracer: kill -9 of Run while a test is observed" => \&is_ended;
}

subtest 'Ctrl-C while a test is observed' => sub {
    my ($test, $run) = held();
    kill INT => $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, POSIX::SIGINT(), 'the signal ends the run');
    like($ended->{err},      qr{to resume: [.]/Run --resume \S+\n\z}, 'the message says how to resume it');
    like($test->report(q{}), $SCORED,                                 'the report has the scores');
    like($test->report(q{}), qr/^ +Recursion Test -- Tower of Hanoi: .*observed /m, 'and the test that was observed');
    my @lines = map { UnixBench::Base::JSON::decode($_) } split /\n/, $test->report('.journal');
    my @kinds = map { (grep { $_ ne 'sha256' } keys %$_)[0] } @lines;
    is_deeply(\@kinds, [qw(head run pass pass ended observed)], 'the journal has it after the passes');
    $test->is_clean;
    my $resumed = $test->run('-q', '--resume', ($test->reports)[0]);
    is_deeply(ended_with($resumed), [0, q{}], 'the run can be resumed');
    ok(!grep({ !$_->{observed} } values %{ tests_of($test) }), 'then all tests are observed');
    is(scalar(grep { /start/ } split /^/m, content($test->place('hold', 1))), 3, 'and no pass is measured again');
};

subtest 'Ctrl-Z and fg while a test is observed' => sub {
    my ($test, $run) = held();
    kill TSTP => $run->{pid};
    waitpid $run->{pid}, POSIX::WUNTRACED();
    ok(POSIX::WIFSTOPPED(${^CHILD_ERROR_NATIVE}), 'the run stops');
    kill CONT => $run->{pid};
    my $ended = waited($run);
    is_deeply(ended_with($ended), [0, q{}], 'the continued run succeeds');
    ok(!defined tests_of($test)->{pipe}{observed}{error}, 'the short pass was made again');
    $test->is_clean;
};

done_testing;
