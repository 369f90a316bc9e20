use strict;
use warnings;

use File::Temp ();
use FindBin;
use List::Util qw(sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use FreshMachine;
use Needs   qw(is_user_possible);
use Planned qw(make planned);
use Place   qw(place text_of write_program);
use UnixBench::Base::Clock;
use UnixBench::Base::Halt;
use UnixBench::Catalog;
use UnixBench::Measure::PassSandbox;
use UnixBench::Measure::Scratch;
use UnixBench::Observe::ExtraPass;
use UnixBench::Observe::Observer;
use UnixBench::Plan;
use UnixBench::Plan::ResourceCheck;
use UnixBench::Process;
use UnixBench::Observe::Bpftrace;
use UnixBench::Observe::Strace;

# Observed passes: their plan, and their measurement.

my @OBSERVE =
    (extras => [UnixBench::Observe::ExtraPass->extra_pass(options => {}, has_program => sub { 1 })]);

# The tests with a load, which features may have. They have no short passes.
my @LOADS = map { $_->{name} } grep { $_->{load} } UnixBench::Catalog::tests();

subtest 'a test may have an observed pass' => sub {
    my $observed = sub { return planned(shift, @OBSERVE, @_)->{observed} };
    my $pipe     = planned('pipe', @OBSERVE);
    is_deeply([@$pipe{qw(command passes_wanted)}], [['/b in/pipe', 10], 10], 'the other passes stay the same');
    ok(exists $pipe->{unobserved} && !defined $pipe->{unobserved}, 'nothing prevents the observed pass');
    my $slice = $pipe->{observed};
    my $short = ['pipe', 'Pipe Throughput', ['/b in/pipe', '0.3'], 0.3, 0.3, 60.45, undef];
    is_deeply([@$slice{qw(name title command seconds pass_s limit_s first)}], $short,              'it takes 0.3 s');
    is_deeply($observed->('shell8')->{command}, ['/b in/looper', qw(-w 0.6), '/b in/multi.sh', 8], 'shell tests');
    is_deeply($observed->('whetstone-double')->{command}, ['/b in/whetstone-double', qw(-t 0.3)],  'whetstone-double');

    for my $name (@LOADS) {
        my $planned = planned($name, @OBSERVE);
        is_deeply([@$planned{qw(observed unobserved)}], [undef, 'it has no short passes'], "$name: no observed pass");
    }
    my @tests = map { $_->{name} } grep { !$_->{load} } UnixBench::Catalog::tests();
    is_deeply([grep { !$observed->($_) } @tests], [], 'all tests without a load have an observed pass');
    ok(!exists planned('pipe')->{observed}, 'there is no observed pass unless asked for');
};

subtest 'observed file tests read from a file that is filled first' => sub {
    my @sizes = ([fstime => 1024, 2000], [fsbuffer => 256, 500], [fsdisk => 4096, 8000]);
    for my $case (['fsdisk', '-c', 4096, 8000], ['fsbuffer-r', '-r', 256, 500]) {
        my ($name, $flag, $size, $blocks) = @$case;
        my $slice = planned($name, @OBSERVE)->{observed};
        is_deeply(
            $slice->{command},
            ['/b in/fstime', $flag, qw(-t 0.3 -d /t), '-b', $size, '-m', $blocks, qw(-p 0 -s 0 -f {scratch}/filled)],
            "$name: it reads from that file, without pauses"
        );
        my $fills = ['/b in/fstime', qw(-w -n 2000), '-b', $size, '-m', $blocks, qw(-d {scratch} -f {scratch}/filled)];
        is_deeply($slice->{first}, $fills, "$name: the file is filled first");
    }
    my $writing = planned('fsdisk-w', @OBSERVE)->{observed};
    my $writes  = [['/b in/fstime', qw(-w -t 0.3 -d /t -b 4096 -m 8000 -p 0 -s 0)], undef];
    is_deeply([@$writing{qw(command first)}], $writes, 'a test that only writes needs no prepared file');
};

subtest 'the seconds of observed passes' => sub {
    my @two = (tests => [qw(pipe shell1), @LOADS], copies => [1, 2]);
    my ($plan, $observed) = (make(@two), make(@two, @OBSERVE));
    cmp_ok(abs($observed->{duration_s} - $plan->{duration_s} - 2 * (2 * (1 + 0.02) + 0.3 + 0.6)),
        '<', 1e-9, 'observed passes take their time');
    is(UnixBench::Plan::run_s($observed, 2), UnixBench::Plan::run_s($plan, 2), 'observed passes come after the run');
    is(UnixBench::Plan::extra_s(make(tests => ['ubgears'], copies => [2], @OBSERVE)), 0, 'skipped ones take none');
};

subtest 'the plan in words' => sub {
    my @observed = (tests => [qw(pipe ubgears), @LOADS], copies => [1, 2], @OBSERVE);
    my $seen     = UnixBench::Plan::describe(make(@observed));
    my $listed   = "  + each test once more, observed: 5 s\n  + each test once more, observed: 1 s\n";
    is(join(q{}, $seen =~ /^(  [+] .*\n)/mg), $listed, 'observed passes are listed after each run');
    like($seen, qr/^  $_ is not observed: it has no short passes$/m, "$_ has its reason") for @LOADS;
};

subtest 'observed passes need a tracer' => sub {
    my $plan =
        make(tests => [qw(fsdisk pipe 2d-rects), @LOADS], iterations => 1, copies => [2], display => undef, @OBSERVE);
    is(UnixBench::Plan::ResourceCheck::demand($plan, 2, 1)->{processes}, 12, 'the demand has the tracer');
};

subtest 'what is said about the tracer' => sub {
    my $said = sub { return UnixBench::Observe::ExtraPass->announcement({ observing => {@_} }) };
    is($said->(tracer  => 'bpftrace'), undef,                                       'nothing about bpftrace');
    is($said->(why_not => 'no luck'),  "system calls can't be observed: no luck\n", 'why there is none');
    my $by_strace = "system calls are observed by strace, which makes them slow: no luck\n";
    is($said->(tracer => 'strace', why_not => 'no luck'), $by_strace, 'why it is strace');
};

# A fake tracer that notes how it is called, and dies in the methods for which new was given an error.
package FakeTracer {
    sub new     { my ($class, %with) = @_; return bless { %with, said => [] }, $class }
    sub begin   { return $_[0]->_say('begin') }
    sub wrapped { my ($self, $words) = @_; $self->_say('wrapped'); return $words }
    sub traced  { return $_[0]->_say('traced') && { calls => [] } }
    sub finish  { return $_[0]->_say('finish') }

    sub _say {
        my ($self, $what) = @_;
        push @{ $self->{said} }, $what;
        die "$self->{$what}\n" if defined $self->{$what};
        return 1;
    }
}

# Takes a shell script and options; makes an observed pass of it.
#   first    a shell script that is run before the copies
#   copies   number of copies
#   dies     { method of the tracer => the error that it dies of }
#   is_full  whether the disk is full
# Returns the pass, the calls of the tracer and the error that was thrown.
sub pass_of {
    my ($text, %with) = @_;
    my $place   = File::Temp->newdir;
    my $clock   = UnixBench::Base::Clock->new;
    my $process = UnixBench::Process->new(clock => $clock);
    my $tracer  = FakeTracer->new(%{ $with{dies} || {} });
    my $first   = defined $with{first} ? ['/bin/sh', '-c', $with{first}, 'sh', '{scratch}'] : undef;
    my $test    = { command => ['/bin/sh', '-c', $text, 'sh', '{scratch}'], limit_s => 600, first => $first };
    my $sandbox = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => $clock,
        scratch => UnixBench::Measure::Scratch->new(parent => "$place"),
        testdir => q{/}
    );
    no warnings 'redefine';
    local *UnixBench::Measure::Scratch::is_full = sub { return $with{is_full} };
    my $pass = eval {
        UnixBench::Observe::Observer->new(
            process  => $process,
            clock    => $clock,
            one_pass => sub { $sandbox->one_pass(@_) },
            tracer   => $tracer,
        )->traced($test, $with{copies} || 1);
    };
    my $thrown = $@;
    $process->release;
    return ($pass, "@{ $tracer->{said} }", $thrown);
}

my $GOOD = 'echo "COUNT|7|1|lps" >&2';

my ($pass, $asked) = pass_of($GOOD);
is($pass->{copies}[0]{count}, 7, 'an observed pass has a count');
is_deeply($pass->{traced}, { calls => [] }, 'an observed pass has what the tracer found');
is($asked, 'begin wrapped traced finish', 'the tracer is called around the copies');

($pass, $asked) = pass_of('cat "$1/filled" >&2', copies => 2, first => 'echo "COUNT|8|1|lps" >"$1/filled"');
is_deeply([map { $_->{count} } @{ $pass->{copies} }], [8, 8], 'each copy finds what was prepared for it');
is($asked, 'begin wrapped wrapped traced finish', 'the preparation is not followed');

my @WRONG = (
    ['the program fails'                  => [q{echo 'ERROR|no luck' >&2}], 'no luck'],
    ['the tracer fails before the copies' => [$GOOD, dies => { begin  => 'not here' }], 'not here'],
    ['the tracer fails after the copies'  => [$GOOD, dies => { traced => 'killed' }],   'killed'],
    [
        'the preparation fails' => [$GOOD, first => q{echo 'ERROR|no room' >&2; exit 1}],
        'the preparation of a copy failed: /bin/sh: no room'
    ],
);

for my $case (@WRONG) {
    my ($what, $how, $why) = @$case;
    is_deeply((pass_of(@$how))[0], { error => $why }, "error of the pass: $what");
}

(undef, undef, my $thrown) = pass_of($GOOD, is_full => 1);
ok(UnixBench::Base::Halt::is_no_space($thrown), 'a full disk ends the run, as the output of the tracer may be cut');

subtest 'a fresh machine' => sub {
    my %has     = (programs => [qw(apk cc make)], things => [qw(locale stdio.h)]);
    my $machine = FreshMachine->new(%has, user => is_user_possible());
    my $run     = $machine->run(qw(-i 1 -c 1 --observe syscalls pipe));
    like($run->{err}, qr/\ARun: missing: .*Perl's B .*, (?:bpf|s)trace [(]for --observe[)];/, 'what is missing');
};

# The output of bpftrace and of strace, and the search for one that works.

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

# Takes the name of a tracer, and shell commands as its program, or undef for none; returns "found", or why it is not
# used. Tests that no process is left.
sub tried {
    my ($name, $script) = @_;
    my $class = "UnixBench::Observe::$name";
    my $place = place();
    write_program("$place/" . $class->NAME, "#!/bin/sh\n$script\n") if defined $script;
    local $ENV{PATH} = "$place:$ENV{PATH}";
    my $clock   = UnixBench::Base::Clock->new;
    my $process = UnixBench::Process->new(clock => $clock);
    my %with    = (process => $process, clock => $clock, dir => "$place", has_program => sub { defined $script });
    my $said    = eval { $class->found(%with) && 'found' } // $@;
    is_deeply([keys %{ $process->_groups }], [], 'no process is left');
    $process->release;
    return $said;
}

# What bpftrace 0.17 on Linux 6.18, x86_64, printed for "spawn -n 4" with rows.
my $PRINTED = text_of("$FindBin::Bin/data/bpftrace.txt");
my $NAME_OF = UnixBench::Observe::Bpftrace::names(<<'END');
#define __NR_clone 56
#define __NR_execve 59
#define __NR_exit_group 231
#define __NR_wait4 61
#define __NR_set_robust_list 273
#define __NR_syscalls 450
#define __NR_of_other_abi (0x40000000 + 512)
#define SYS_execve __NR_execve
END
is($NAME_OF->{59}, 'execve', 'the macros of C tell the names of calls');
ok(!grep({ !/\A[0-9]+\z/ } keys %$NAME_OF), 'by their numbers');

# Takes maps, and what replaces some of them; returns what is made of them.
sub of_maps {
    my ($maps, %instead) = @_;
    return UnixBench::Observe::Bpftrace::of_maps({ %$maps, %instead }, $NAME_OF, 1e9);
}

my $MAPS = UnixBench::Observe::Bpftrace::maps($PRINTED);
my $SUMS = of_maps($MAPS);

subtest 'sums are read' => sub {
    is(scalar @{ $SUMS->{calls} }, 21, 'all calls are listed');
    my %call   = map { $_->{name} => $_ } @{ $SUMS->{calls} };
    my %robust = (name => 'set_robust_list', count => 5, returned => 5, total_ns => 1891, max_ns => 420);
    is_deeply($call{set_robust_list}, \%robust, 'a call, with its longest delay');
    is($SUMS->{calls}[0]{name}, 'wait4', 'the call with the most time comes first');
    is_deeply([@{ $call{exit_group} }{qw(count returned max_ns)}], [5, 0, undef], 'a call that never returns');
    ok($call{'#257'}, 'a call without a name has its number');
    is_deeply([keys %{ of_maps($MAPS, '@f' => undef) }], ['calls'], 'without rows, there are none');
    is(eval { of_maps($MAPS, '@d' => undef, '@x' => undef) } // $@, "bpftrace printed nothing\n", 'nothing was called');
    is(eval { of_maps($MAPS, $_ => { 3 => [5] }) } // $@, "the output of bpftrace is malformed\n", "$_ is damaged")
        for qw(@d @p);
};

subtest 'each process has a row' => sub {
    my @rows = @{ $SUMS->{rows} };
    is($SUMS->{processes},             5,                                            'the number of processes');
    is(sum(map { $_->{count} } @rows), sum(map { $_->{count} } @{ $SUMS->{calls} }), 'the rows have all calls');
    is_deeply([map { $_->{pid} } @rows], [sort map { $_->{pid} } @rows], 'in the order of time');
    is(sprintf('%.3f', $rows[0]{at}), '1000034256.778', 'a moment since 1970');
    is_deeply([map { $_->{name} } @{ $rows[1]{top} }], [qw(exit_group set_robust_list)], 'the calls of a child');
    my $lost = of_maps($MAPS, '@n' => 9);
    is_deeply([@$lost{qw(processes unlisted)}], [9, { processes => 4, count => 0 }], 'processes that had no room');
};

subtest 'a bpftrace that can not be used' => sub {
    my $text = "$FindBin::Bin/data/bpftrace.txt";
    my $work = "cat $text; while :; do sleep 0.01; done";
    my $good = "trap 'exit 0' TERM; $work";
    my $deaf = "trap 'trap \"exit 0\" TERM' TERM; $work";
    my $obstacle;
    no warnings 'redefine';
    local *UnixBench::Observe::Bpftrace::obstacle = sub { $obstacle };
    is(tried(Bpftrace => $good), 'found',                       'one that works');
    is(tried(Bpftrace => $deaf), 'found',                       'one that misses a signal');
    is(tried(Bpftrace => undef), "bpftrace is not installed\n", 'none');
    is(
        tried(Bpftrace => "echo 'ERROR: no tracepoints here' >&2; exit 1"),
        "bpftrace: no tracepoints here\n",
        'one that refuses'
    );
    is(tried(Bpftrace => "cat $text; kill -9 \$\$"), "bpftrace: killed by SIGKILL\n", 'one that dies');
    my $cut = qq(exec perl -e '\$SIG{TERM} = sub { exit 0 }; \$| = 1; print shift; sleep 60' "\$(head -c 999 $text)");
    is(
        tried(Bpftrace => $cut),
        "the output of bpftrace is cut off: it was killed, or the disk is full\n",
        'a full disk'
    );
    $obstacle = 'bpftrace needs root';
    is(tried(Bpftrace => $good), "$obstacle\n", 'a machine on which it can not run');
};

sub of_traces { return UnixBench::Observe::Strace::of_traces(@_) }

# Takes sums and a name; returns the call of that name.
sub call {
    my ($sums, $name) = @_;
    my ($call) = grep { $_->{name} eq $name } @{ $sums->{calls} };
    return $call;
}

# Takes the numbers of a call; returns it as it is in sums.
sub found {
    my ($name, $count, $returned, $total_ns, $max_ns) = @_;
    return { name => $name, count => $count, returned => $returned, total_ns => $total_ns, max_ns => $max_ns };
}

# Takes a function; returns its error message without the line end, or undef if it did not die. Other than one printable
# line, the message is marked "no line".
sub refusal {
    my ($try) = @_;
    return if eval { $try->(); 1 };
    my $why = $@;
    return $why =~ /\A[\x20-\x7e]{1,300}\n\z/ ? $why =~ s/\n\z//r : "no line: $why";
}

# Takes lines that strace wrote about one process; returns their sums.
sub of_lines {
    my (@lines) = @_;
    return of_traces({ 7 => join q{}, map { "$_\n" } @lines });
}

# Recorded output of strace 6.1 on Linux 6.18, x86_64, for "spawn -n 4": { process => text }.
my %TRACES = map { $_ => text_of("$FindBin::Bin/data/traces/t.$_") } 18_800 .. 18_804;

subtest 'traces are summed up' => sub {
    my $sums = of_traces(\%TRACES);
    is_deeply([sort keys %$sums], [qw(calls processes rows)], 'the sums have these keys');
    is($sums->{processes},                           5,  'the number of processes');
    is(sum(map { $_->{count} } @{ $sums->{calls} }), 48, 'the number of all calls');
    is_deeply($sums->{calls}[0], found('wait4', 4, 4, 310_720, 82_060), 'the call with the most time comes first');
    is_deeply(call($sums, 'write'),      found('write',      2, 2, 25_550,  14_420),  'no call within a text');
    is_deeply(call($sums, 'exit_group'), found('exit_group', 5, 0, 0,       undef),   'a call that never returns');
    is_deeply(call($sums, 'execve'),     found('execve',     1, 1, 118_790, 118_790), 'the first call');
};

subtest 'rows have the calls of each process' => sub {
    my $sums = of_traces(\%TRACES);
    is_deeply([map { $_->{pid} } @{ $sums->{rows} }], [18_800 .. 18_804], 'rows are in order of their start');
    my %row = %{ $sums->{rows}[0] };
    is(sprintf('%.6f', delete $row{at}), '1795242820.025192', 'a row has the start of its process');
    my @top   = ({ name => 'mmap', count => 8 }, { name => 'clone', count => 4 }, { name => 'wait4', count => 4 });
    my %times = (count => 40, returned => 39, total_ns => 989_970, max_ns => 118_790);
    is_deeply(\%row, { pid => 18_800, %times, top => \@top }, 'a row has its calls');
    ok(!exists $sums->{unlisted}, 'no process is left out');
};

# A line => [name of the call, whether it returned, nanoseconds].
my %LINE = (
    '1.5 read(3, "", 832) = 0 <0.000000001>'                                   => ['read',       1, 1],
    '1.5 read(3, 0x7ffc, 832)        = -1 EAGAIN (Resource ...) <12.5>'        => ['read',       1, 12_500_000_000],
    '1.5 futex(0x7f, FUTEX_WAIT) = ? ERESTARTSYS (To be restarted) <0.000001>' => ['futex',      1, 1_000],
    '1.5 getpid()                            = 18800 <0>'                      => ['getpid',     0, 0],
    '1.5 write(2, ") = 3 <0.5>", 11) = 11 <0.25>'                              => ['write',      1, 250_000_000],
    '1.5 write(2, "\") = 3 <0.5>", 12)          = ?'                           => ['write',      0, 0],
    '1.5 write(2, "\\\\", 1) = 1 <0.5>'                                        => ['write',      1, 500_000_000],
    '1.5 write(2, ") = 3 <0.5>'                                                => ['write',      0, 0],
    '1.5 read(3, "a'                                                           => ['read',       0, 0],
    '1.5 read(3, "", 1) = ? <unavailable>'                                     => ['read',       0, 0],
    '1.5 read(3,  <unfinished ...>'                                            => ['read',       0, 0],
    '1.5 <... read resumed>"", 1) = 0 <0.5>'                                   => ['read',       1, 500_000_000],
    '1.5 syscall_0x1d3(0x1, 0x2) = -1 ENOSYS (Function not implemented) <0.5>' => ['#467',       1, 500_000_000],
    '1.5 exit_group(0)         = ?'                                            => ['exit_group', 0, 0],
);
my @NO_CALLS = (
    '1.5 --- SIGCHLD {si_signo=SIGCHLD, si_pid=1} ---',
    '1.5 +++ exited with 0 +++',
    '1.5 re',
    'read(3) = 0 <0.5>',
    '99999999999999 read(3) = 0 <0.5>',
    "\0\xff\e[31m",
);
subtest 'lines of a trace are read' => sub {
    for my $line (sort keys %LINE) {
        my ($name, $returned, $ns) = @{ $LINE{$line} };
        my @found = map { [@$_{qw(name count returned total_ns)}] } @{ of_lines($line)->{calls} };
        is_deeply(\@found, [[$name, 1, $returned, $ns]], "call: $line");
    }
    for my $line (@NO_CALLS) {
        my $calls = of_lines('1.2 brk(0) = 0 <0.5>', $line)->{calls};
        is_deeply($calls, [found('brk', 1, 1, 500_000_000, 500_000_000)], "no call: $line");
    }
    my @halves = ('1.5 read(3,  <unfinished ...>', '1.6 --- SIGALRM {} ---', '1.7 <... read resumed>"", 1) = 0 <0.25>');
    is_deeply(of_lines(@halves)->{calls}[0], found('read', 1, 1, 250_000_000, 250_000_000), 'a call in two halves');
    $halves[2] =~ s/read/poll/;
    is(sum(map { $_->{count} } @{ of_lines(@halves)->{calls} }), 2, 'halves of two calls');
};

subtest 'traces without calls are refused, and those that are cut off' => sub {
    is(refusal(sub { of_traces({}) }),                          'strace printed nothing', 'no process');
    is(refusal(sub { of_traces({ 7 => q{}, 8 => "junk\n" }) }), 'strace printed nothing', 'processes without calls');
    my $cut = refusal(sub { of_traces({ %TRACES, 18_800 => substr $TRACES{18_800}, 0, 4096 }) });
    is($cut, 'the output of strace is cut off: it was killed, or the disk is full', 'a trace without its end');
};

subtest 'a strace that works is found' => sub {
    my $refused = 'ptrace(PTRACE_TRACEME): Operation not permitted';
    is(tried(Strace => 'exit 0'),                              'found',                     'it can follow a program');
    is(tried(Strace => undef),                                 "strace is not installed\n", 'it is not installed');
    is(tried(Strace => "echo 'strace: $refused' >&2; exit 1"), "strace: $refused\n", 'it is not allowed to trace');
};

done_testing;
