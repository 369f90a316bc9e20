use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Planned qw(make planned);
use Place   qw(content);
use UnixBench::Catalog;
use UnixBench::Plan;
use UnixBench::Plan::Test;
use UnixBench::Plan::Baseline;
use UnixBench::Plan::ResourceCheck;

my @QUICK = (quick => { seed => 1, precision => 0.02, max_time_s => 60 });

# [test, arguments of the plan, its command].
my @COMMANDS = (
    ['pipe',             [],                   'pipe 10'],
    ['whetstone-double', [],                   'whetstone-double'],
    ['fsdisk-r',         [],                   'fstime -r -t 30 -d /t -b 4096 -m 8000'],
    ['shell8',           [],                   'looper 60 /b in/multi.sh 8'],
    ['C',                [],                   'looper 60 gcc -o {scratch}/cctest cctest.c'],
    ['pipe',             [factor => 0.001],    'pipe 0.01'],
    ['pipe',             [factor => 0.000001], 'pipe 0.01'],
    ['whetstone-double', [factor => 0.5],      'whetstone-double -t 5'],
    ['fstime',           [factor => 0.01],     'fstime -c -t 0.3 -d /t -b 1024 -m 2000 -p 0.02 -s 0.01'],
    ['shell8',           \@QUICK,              'looper -w 0.6 /b in/multi.sh 8'],
    ['fstime',           \@QUICK,              'fstime -c -t 0.3 -d /t -b 1024 -m 2000 -p 0.1 -s 0'],
    ['2d-text',          \@QUICK,              'gfx-x11 text 1 0.3 -s'],
);
for my $case (@COMMANDS) {
    my ($name, $how, $command) = @$case;
    is("@{ planned($name, @$how)->{command} }", "/b in/$command", "$name @$how[grep { !ref $how->[$_] } 0 .. $#$how]");
}
is(planned('shell8')->{command}[2], '/b in/multi.sh', 'a path with a blank stays one word');
is(planned('dc')->{input},          'dc.dat',         'a test has its input');
my $braces = make(tests => ['shell1'], words => { bindir => '/{seconds}', tmpdir => '/t' })->{tests}[0]{command};
is("@$braces", '/{seconds}/looper 60 /{seconds}/multi.sh 1', 'braces in the name of a directory are not filled in');

my @pauses = map { [@{ make(@$_) }{qw(settle_s rest_s)}] } [], [factor => 0.01], \@QUICK;
is_deeply(\@pauses, [[[1, 2], 0], [[0.01, 0.02], 0], [[], 1]], 'pauses of official, shortened and quick runs');

# [test, arguments of the plan, passes, time limit].
for my $case (
    ['pipe',   [],                10,    75],
    ['spawn',  [],                3,     105],
    ['pipe',   [iterations => 1], 1,     75],
    ['spawn',  [iterations => 8], 3,     105],
    ['shell1', [],                3,     150],
    ['pipe',   [timeout_s => 7],  10,    7],
    ['pipe',   \@QUICK,           undef, 60.45]
    )
{
    my ($name, $how, @expected) = @$case;
    is_deeply([@{ planned($name, @$how) }{qw(passes_wanted limit_s)}], \@expected, "passes and limit: $name @$how");
}

subtest 'usual_copies returns the numbers of copies if none are asked for' => sub {
    my $copies = sub { return [UnixBench::Plan::usual_copies(@_)] };
    is_deeply($copies->(4, 'pipe'),              [1, 4], 'one copy, and one for each CPU');
    is_deeply($copies->(1, 'pipe'),              [1],    'one copy on one CPU');
    is_deeply($copies->(4, qw(ubgears 2d-text)), [1],    'one copy for graphics tests alone');
    is_deeply($copies->(4, qw(ubgears pipe)),    [1, 4], 'both if one of the tests can run as several copies');
};

# [CPUs, cores, numbers of copies].
my @SWEEPS = (
    [1,   1,     [1]],
    [2,   undef, [1, 2]],
    [6,   3,     [1, 2, 3, 4, 6]],
    [8,   64,    [1, 2, 4, 8]],
    [24,  12,    [1, 2, 4, 8,  12, 16, 24]],
    [96,  undef, [1, 2, 4, 8,  16, 32, 48,  64,  96]],
    [576, 288,   [1, 4, 8, 16, 32, 64, 128, 288, 576]],
);
is_deeply([UnixBench::Plan::sweep(@$_[0, 1])], $_->[2], "a sweep of $_->[0] CPUs") for @SWEEPS;

# [test, arguments of the plan, copies, why it is skipped].
for my $case (
    ['ubgears', [],                                        1,    undef],
    ['ubgears', [],                                        2,    'graphics tests run as one copy'],
    ['pipe',    [display => undef, is_there => sub { 0 }], 1024, undef],
    [
        'ubgears', [is_there => sub { $_[0] ne '/b in/ubgears' }],
        1,         'there is no program ubgears; install the graphics package, or build it: ./Run --setup ubgears'
    ],
    ['2d-text', [is_there => sub { $_[0] ne 'x11perf' }], 1, 'there is no program x11perf; install it'],
    ['2d-text', [display  => undef],                      1, 'no X display; set DISPLAY or install xvfb'],
    )
{
    my ($name, $how, $copies, $why) = @$case;
    my $said = UnixBench::Plan::skipped(planned($name, @$how), $copies);
    is($said, defined $why ? "skipped: $why" : undef, "$name, $copies copies: " . ($why // 'measured'));
}

# [arguments of the plan, its display].
for my $case (
    [[tests => [qw(pipe ubgears)]],                      'given'],
    [[tests => ['2d-text'], display => 'virtual'],       'virtual'],
    [[tests => ['pipe']],                                undef],
    [[tests => ['ubgears'], copies => [2]],              undef],
    [[tests => ['ubgears'], copies => [2, 1]],           'given'],
    [[tests => ['ubgears'], is_there => sub { return }], undef]
    )
{
    my ($how, $display) = @$case;
    is(make(@$how)->{display}, $display, "the display that is needed: @{ $how->[1] }");
}

subtest 'a plan has its duration' => sub {
    my @index   = UnixBench::Catalog::expand('index');
    my $index_s = make(tests => \@index)->{duration_s};
    cmp_ok($index_s, '>=', 27 * 60, 'the index takes at least 27 minutes') or diag $index_s;
    cmp_ok($index_s, '<=', 29 * 60, 'the index takes at most 29 minutes')  or diag $index_s;
    is(make(tests => \@index,     copies => [1, 4])->{duration_s}, 2 * $index_s, 'two runs take twice as long');
    is(make(tests => ['ubgears'], copies => [2])->{duration_s},    0,            'tests that are skipped take no time');
    is(make(@QUICK, copies => [1, 2])->{duration_s}, 120, 'two quick runs: their maximum');
    cmp_ok(make(tests => \@index, factor => 0.001)->{duration_s}, '<', 20, 'shortened passes take seconds');
};

subtest 'a plan of several states has a lane for each test in each state' => sub {
    my @under = map { { command => $_, words => [$_] } } qw(env nice);
    my $plan  = make(@QUICK, tests => [qw(pipe spawn)], states => \@under);
    my @lanes = UnixBench::Plan::lanes($plan);
    is_deeply(
        [map { "$_->{lane}: $_->{name} $_->{state}" } @lanes],
        [map { ("$_: $_ 0", "$_ in state 1: $_ 1", "$_ in state 2: $_ 2") } qw(pipe spawn)],
        'states follow each other; that of the plain machine has the name of the test'
    );
    is_deeply([map { @{ $_->{asked} }{qw(of is_alone)} } @lanes[0, 1]], ['elapsed_s', 1, 'time_s', 0], 'the seconds');
    is(sprintf('%.2f', UnixBench::Plan::round_s($plan, 1)),   1.92, 'a round has all lanes');
    is(sprintf('%.2f', UnixBench::Plan::warm_up_s($plan, 1)), 0.72, 'and so has the warm-up');
    is(scalar UnixBench::Plan::lanes(make()), 1, 'a plan without states has one lane each');
    is_deeply([map { $_->{words} } @{ $plan->{states} }], [[], ['env'], ['nice']], 'the states have their words');
    my @rounds = map { make(@QUICK, states => [({}) x $_]) } 0 .. 5;
    is_deeply([map { UnixBench::Plan::rounds_least($_) } @rounds],   [3, 4, 6, 4, 10, 6], 'the least rounds');
    is_deeply([map { UnixBench::Plan::rounds_allowed($_) } @rounds], [8, 8, 8, 8, 10, 8], 'the allowed rounds');
    my $text  = UnixBench::Plan::describe($plan);
    my $begin = qr/\AEach test in turns .*:\n  A  the plain machine\n  B  under env\n  C  under nice\nUnder a command /;
    like($text, $begin, 'the description begins with the states');
    like($text, qr/, rounds of 1[.]9 s until each ratio is \+-2 %, 50 s to 60 s$/m, 'and has the goal');
};

is(UnixBench::Plan::describe(make(tests => [qw(pipe ubgears)], copies => [1, 2])), <<'END', 'describe');
1 parallel copy of tests, 4 min
  pipe                 Pipe Throughput                          10 x 10 s
  ubgears              3D graphics: gears                        3 x 25 s
2 parallel copies of tests, 2 min
  pipe                 Pipe Throughput                          10 x 10 s
  ubgears              3D graphics: gears                       skipped: graphics tests run as one copy
In all about 6 min
END

# The orders in which the states of a machine are measured in turns.

# By hand, from the first column of Williams: 0, 1, k - 1, 2, ...
my %ORDERS = (1 => '0', 2 => '01 10', 3 => '012 210 120 021 201 102', 4 => '0132 2310 1203 3021');
for my $states (sort keys %ORDERS) {
    my @orders = map { join q{}, @$_ } @{ UnixBench::Plan::orders($states) };
    is("@orders", $ORDERS{$states}, "the orders of $states states");
}

for my $states (1 .. 6) {
    my @orders = @{ UnixBench::Plan::orders($states) };
    my (%placed, %next_to);
    for my $order (@orders) {
        $placed{"$_ $order->[$_]"}++                for 0 .. $#$order;
        $next_to{"$order->[$_ - 1] $order->[$_]"}++ for 1 .. $#$order;
    }
    my $times = @orders / $states;
    is(scalar @orders, $states > 1 && $states % 2 ? 2 * $states : $states, "$states states: the number of orders");
    is(scalar(grep { $_ == $times } values %placed), $states**2, "$states states: each is as often at each place");
    is(
        scalar(grep { $_ == $times } values %next_to),
        $states * ($states - 1),
        "$states states: each comes equally often after each other one"
    );
    my @turned =
        grep { "@{ $orders[2 * $_] }" eq join q{ }, reverse @{ $orders[2 * $_ + 1] } } 0 .. int(@orders / 2) - 1;
    is(scalar @turned, int @orders / 2, "$states states: each order is followed by its reverse");
}

my %COMPLETE = ('0 2' => 0, '1 2' => 0, '7 2' => 6, '8 2' => 8, '11 3' => 6, '11 4' => 8, '3 4' => 0, '9 1' => 9);
is(UnixBench::Plan::complete_rounds(split q{ }), $COMPLETE{$_}, "complete rounds and states: $_")
    for sort keys %COMPLETE;
my %COMPLETED = ('3 1' => 3, '3 2' => 4, '3 3' => 6, '3 4' => 4, '3 5' => 10, '3 6' => 6, '8 3' => 12);
is(UnixBench::Plan::completed_rounds(split q{ }), $COMPLETED{$_}, "completed rounds and states: $_")
    for sort keys %COMPLETED;
is(join(q{}, map { UnixBench::Plan::letter($_) } 0 .. 5), 'ABCDEF', 'the letters of states');

# The plan of a test in a quick run: the pass that warms up, and the longer passes that replace the short one.

# Takes a count, copies and further keys of copies; returns a pass of 0.1 s.
sub made {
    my ($count, $copies, %with) = @_;
    return { count => $count, time_s => 0.1, copies => [map { +{ gated => 1, %with } } 1 .. $copies] };
}

sub calibrated { return UnixBench::Plan::Test::calibrated(@_) }

subtest 'the pass that warms up takes 0.1 s' => sub {
    my $warm_up = sub { return planned(shift, @QUICK, @_)->{warm_up} };
    my @of_pipe = (['/b in/pipe', '0.1'], 0.1, 0.1, 60.15, 0, undef);
    is_deeply([@{ $warm_up->('pipe') }{qw(command seconds pass_s limit_s drain_s fixed_work)}], \@of_pipe, 'a program');
    my @primes = ('/b in/fstime', qw(-c -t 0.1 -d /t -b 1024 -m 2000 -p 0.1 -s 0));
    is_deeply($warm_up->('fstime')->{command}, \@primes, 'a file test primes as in a short pass');
    is($warm_up->('fsdisk')->{drain_s}, 0, 'a file test does not wait for the disk');
    is_deeply($warm_up->('whetstone-double')->{command}, ['/b in/whetstone-double', qw(-t 0.1)],  'whetstone-double');
    is_deeply($warm_up->('shell8')->{command}, ['/b in/looper', qw(-w 0.1), '/b in/multi.sh', 8], 'a shell test');
    is_deeply($warm_up->('pipe', factor => 0.2)->{command}, ['/b in/pipe', '0.02'], 'UB_TIME_FACTOR shortens it');
    is($warm_up->('2d-text'), undef, 'a test that takes its own time has none');
    ok(!exists planned('pipe')->{warm_up}, 'an official run has none');
};

# A loop takes more than a tenth of the short pass if fewer than ten fit into it.
subtest 'a test with few loops in a short pass has longer ones' => sub {
    my $shell    = planned('shell8', @QUICK);
    my $few      = calibrated($shell, made(2 * 1.6, 2));    # of a copy: 16 loops a second, 9.6 in 0.6 s
    my @of_shell = (['/b in/looper', qw(-w 2), '/b in/multi.sh', 8], 2, 2, 63);
    is_deeply([@$few{qw(command seconds pass_s limit_s)}], \@of_shell, 'a shell test: 2 s');
    is($few->{asked}{seconds}, 2, 'its copies are expected to take them');
    my $many = calibrated($shell, made(2 * 1.7, 2));        # 17 loops a second, 10.2 in 0.6 s
    is_deeply([@$many{qw(command seconds)}], [@$shell{qw(command seconds)}], 'with ten loops it keeps its length');
    is(calibrated(planned('spawn', @QUICK),  made(1, 1))->{seconds},    3,   'spawn: a tenth of the official seconds');
    is(calibrated(planned('pipe', @QUICK),   made(1, 1))->{seconds},    1,   'pipe: a second');
    is(calibrated(planned('C', @QUICK),      made(1, 1))->{seconds},    6,   'C keeps its 6 s');
    is(calibrated($few,                      made(1000, 1))->{seconds}, 2,   'this is decided once');
    is(calibrated(planned('fstime', @QUICK), made(1, 1))->{seconds},    0.3, 'file tests count blocks');
    is(calibrated(planned('pipe'),           made(1, 1))->{seconds},    10,  'an official pass keeps its length');
};

subtest 'copies that do not know the start gate have passes of 2 s' => sub {
    my $lane = sub { my ($name, $state) = @_; return { %{ planned($name, @QUICK) }, state => $state } };
    my ($plain, $under) =
        map { calibrated($lane->('pipe', $_), made(1e6, 2, gated => 0)) } 0, 1;
    is_deeply([@$under{qw(command seconds pass_s)}], [['/b in/pipe', 2], 2, 2], 'under a command');
    is($plain->{seconds}, 0.3, 'but not in the state without one');
    is(calibrated($lane->('pipe', 1), made(1e6, 2))->{seconds}, 0.3, 'nor if they know the gate');
    is(calibrated($lane->('C', 1), made(1, 1, gated => 0))->{seconds}, 6, 'a longer short pass keeps its length');
};

subtest 'fixed work is calibrated by the first pass' => sub {
    my $whetstone = planned('whetstone-double', @QUICK);

    # 10,000 MWIPS of a copy, a tenth of a loop for each in a second: 1000 loops a second, 300 in 0.3 s.
    my $fixed = calibrated($whetstone, made(20_000, 2));
    is_deeply($fixed->{command}, ['/b in/whetstone-double', '-n', 300], 'the work that fits, of one copy');
    is_deeply(calibrated($fixed,     made(1,   1)),            $fixed, 'it is calibrated once');
    is_deeply(calibrated($whetstone, made(0.1, 1))->{command}, ['/b in/whetstone-double', '-n', 1], 'at least a loop');
};

my $official = UnixBench::Plan::Baseline::parse(content("$FindBin::Bin/../../../pgms/index.base"));
is_deeply($official->{shell1}, { score => 42.4, unit => 'lpm', seconds => 60, iterations => 1 }, 'all its values');
ok(UnixBench::Plan::Baseline::is_official($official), 'the official baseline is official');

my $lenient =
    UnixBench::Plan::Baseline::parse(
    "# comment\n\n  pipe | 10 |lps| |12440|2 # George\r\n \t\ngrep|||||\n" =~ s/grep.*\n//r);
is_deeply([map { @{$_}{qw(score unit)} } $lenient->{pipe}], [12440, 'lps'], 'comments, blanks and CR LF are accepted');
is_deeply(UnixBench::Plan::Baseline::parse(''),             {},             'an empty file is an empty baseline');
is(UnixBench::Plan::Baseline::parse("a|1|lps|1|1|1\na|1|lps|2|2|1\n")->{a}{score}, 2,   'the last line is used');
is(UnixBench::Plan::Baseline::parse('a|1|lps|1|.5')->{a}{score},                   0.5, 'five fields are enough');

my %EDITS = (
    'a score'       => sub { $_[0]{pipe} = { score => 12441 } },
    'one test less' => sub { delete $_[0]{pipe} },
    'another test'  => sub { $_[0]{hanoi} = delete $_[0]{pipe} },
);
for my $what (sort keys %EDITS) {
    my %edited = %{$official};
    $EDITS{$what}->(\%edited);
    ok(!UnixBench::Plan::Baseline::is_official(\%edited), "an edited baseline is not official: $what");
}
my %notes = (%{$official}, pipe => { score => 12440, unit => 'loops' });
ok(UnixBench::Plan::Baseline::is_official(\%notes), 'only names and scores make a baseline official');

my @broken = (
    ["a|1|lps|1",                    qr/line 1: expected test\|seconds/,                'too few fields'],
    ["a|1|lps|1|zero|1",             qr/line 1: the score of a, "zero", is/,            'a score that is a word'],
    ["a|1|lps|1|0|1",                qr/line 1: the score of a, "0", is/,               'a score of 0'],
    ["a|1|lps|1|nan|1",              qr/"nan"/,                                         'a score of nan'],
    ["a|1|lps|1|1e999|1",            qr/"1e999"/,                                       'an infinite score'],
    ["a|1|lps|1|\xff\t9|1",          qr/"\\xff\\t9"/,                                   'a binary score'],
    ["a b|1|lps|1|1|1",              qr/line 1: "a b" is not a test/,                   'a name with a blank'],
    ["a|1|lps|1|" . '9' x 5000,      qr/line 1: the score of a, "9{60}[.]{3}", is/,     'a long score'],
    ['a' x 5000 . '|1|lps|1|0',      qr/line 1: the score of a{60}[.]{3}, "0", is/,     'a long name'],
    ["\e[31m\xe2\x80\xae|1|lps|1|0", qr/line 1: "\\x1b\[31m\\x[{]202e}" is not a test/, 'control characters'],
);
for my $case (@broken) {
    my ($text, $message, $what) = @{$case};
    ok(!eval { UnixBench::Plan::Baseline::parse($text); 1 }, "refused: $what");
    like($@, $message,                                      "refused: $what: the error gives the reason");
    like($@, qr/\Aindex[.]base line \d+: [ -~]{1,200}\n\z/, "refused: $what: the error is one short line");
}

# [tests, copies, work factor of the shell tests, processes, memory in KB, scratch files in KB].
my @CASES = (
    ['pipe',                 1,    1,    9,    8448,      4],
    ['pipe',                 1024, 1,    1032, 270336,    4096],
    ['context1',             2,    1,    12,   9216,      8],
    ['fsdisk',               2,    1,    10,   8704,      32_008],
    ['fsdisk-w fsbuffer',    1,    1,    9,    8448,      8004],
    ['shell1',               1,    1,    14,   9472,      68],
    ['shell8',               2,    1,    76,   19712,     1032],
    ['shell16',              1,    1,    74,   19072,     1028],
    ['shell16',              1,    1000, 74,   2_065_024, 1_024_004],
    ['C',                    1,    1,    12,   20_480,    260],
    ['pipe fsdisk shell1 C', 4,    1,    32,   57_344,    64_016],
    ['2d-rects pipe',        2,    1,    10,   8704,      8],
    ['2d-rects',             2,    1,    8,    8192,      8],
);

for my $case (@CASES) {
    my ($tests, $copies, $factor, @expected) = @$case;
    my $plan   = make(tests => [split q{ }, $tests], copies => [$copies]);
    my $demand = UnixBench::Plan::ResourceCheck::demand($plan, $copies, $factor);
    is_deeply([@$demand{qw(processes memory_kb scratch_kb)}], \@expected, "$copies x $tests, factor $factor");
    is($demand->{copies}, $copies, "copies of $copies x $tests");
}

for my $test (UnixBench::Catalog::tests()) {
    my $needs = $test->{needs};
    ok($needs->{processes} > 0 && $needs->{memory_kb} > 0, "$test->{name} needs processes and memory");
}

# Takes a number of copies, the limits of a system, and changes of the demand of these copies; returns the problems.
sub problems {
    my ($copies, $limits, %other) = @_;
    my %demand = (copies => $copies, processes => $copies + 8, memory_kb => $copies * 1024, %other);
    return [UnixBench::Plan::ResourceCheck::problems_of_limits(\%demand, $limits)];
}

is_deeply(problems(100_000, {}), [], 'without limits there are no problems');
my %plenty = (
    open_files       => 622,
    open_files_max   => 4096,
    processes        => 540,
    processes_max    => 1000,
    user_processes   => 20,
    cgroup_processes => 520,
    memory_kb        => 524_288,
    cgroup_memory_kb => 524_288,
);
is_deeply(problems(512, \%plenty), [], 'limits that are just high enough are not a problem');
is_deeply(
    problems(513, \%plenty),
    [
        map { "513 copies need $_" } '623 open files, but the limit is 622: raise it with `ulimit -n 623`',
        '521 processes in addition to the 20 that this user runs, but the limit is 540: raise it with `ulimit -u 541`',
        '521 processes, but the control group allows 520 more: raise its pids.max '
            . '(containers: --pids-limit, systemd: TasksMax)',
        'about 513 MB of memory, but 512 MB are free: run fewer copies (-c)',
        'about 513 MB of memory, but the control group allows 512 MB more: run fewer copies (-c) or raise its limit '
            . '(containers: --memory, systemd: MemoryMax)',
    ],
    'one copy more exceeds each limit'
);
is_deeply(
    problems(1030, { open_files => 1024, open_files_max => 1024, descriptors => 12 }),
    ['1030 copies need 1146 open files, but the limit is 1024: raise it with `ulimit -n 1146` as root'],
    'the hard limit of open files is raised by root, and open files add to the need'
);
is_deeply(problems(10, { open_files => 66 }), [], 'few copies need few files');
is_deeply(
    problems(1, { processes => 70, processes_max => 70 }, processes => 73),
    ['1 copy needs 73 processes, but the limit is 70: raise it with `ulimit -u 73` as root'],
    'the hard limit of processes is raised by root'
);
is_deeply(
    problems(
        1, { processes => 70, memory_kb => 1000, cgroup_memory_kb => 1000 },
        processes => 73,
        load      => { who => '20 users need', fewer => 'use fewer users (--users)' }
    ),
    [
        map { "20 users need $_" } '73 processes, but the limit is 70: raise it with `ulimit -u 73`',
        'about 1024 KB of memory, but 1000 KB are free: use fewer users (--users)',
        'about 1024 KB of memory, but the control group allows 1000 KB more: use fewer users (--users) '
            . 'or raise its limit (containers: --memory, systemd: MemoryMax)',
    ],
    'problems of a load of users name the users'
);
like(problems(1, { cgroup_processes => 0 })->[0], qr/allows 0 more/, 'a full control group is a problem');

my @DEMANDS = map { { scratch_kb => $_ } } 4, 16_000;
sub space { return UnixBench::Plan::ResourceCheck::problem_of_space({ path => '/t', free_kb => $_[0] }, @DEMANDS) }
is(space(16_000), undef, 'space that is just enough is not a problem');
is(space(undef),  undef, 'unknown space is not a problem');
is(
    space(15_999),
    'files need about 16 MB in UB_TMPDIR (/t), but 15 MB are free there: free some space, or set UB_TMPDIR '
        . 'to another directory',
    'too little space'
);

done_testing;
