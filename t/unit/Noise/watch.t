use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree     qw(host_tree);
use Needs        qw(skip_without);
use QuietMachine qw(every_number_is everything_is faults_of pressure stat_of thermal vmstat_of);
use Place        qw(write_file);
use UnixBench::Base::Clock;
use UnixBench::Host::Cgroup;
use UnixBench::Host::KernelFiles;
use UnixBench::Noise::Watch;
use UnixBench::Noise::Processes;

my $ONLINE = '/sys/devices/system/cpu/online';

sub seen { my ($changes, @more) = @_; return QuietMachine->new->seen($changes, @more) }

sub tags {
    my ($seen) = @_;
    return map { "@$_{qw(cause level value)}" } @{ $seen->{tags} || [] };
}

# [name, when the files change (rest: before the rest, before: in it, after: in the pass), the files, tags].
my @CASES = (
    ['a quiet machine', rest => {}],
    ['5 % steal', after => { '/proc/stat' => stat_of(user => 900, idle => 999, steal => 101) }, 'steal disturbed 0.05'],
    ['other processes', after => { '/proc/stat' => stat_of(user => 1103, idle => 897) }, 'others disturbed 0.1'],
    [
        'other processes with a nice value',
        after => { '/proc/stat' => stat_of(user => 1000, nice => 43, idle => 957) },
        'others note 0.04'
    ],
    [
        'other kernel time',
        after => { '/proc/stat' => stat_of(user => 1000, system => 43, idle => 957) },
        'others note 0.04'
    ],
    ['interrupts', after => { '/proc/stat' => stat_of(user => 1000, idle => 900, irq => 50, softirq => 50) }],
    ['waiting for disks', after => { '/proc/stat' => stat_of(user => 1000, idle => 200, iowait => 800) }],
    [
        'guests, which are user time already',
        after => { '/proc/stat' => stat_of(user => 1000, idle => 1000, guest => 900) }
    ],
    ['a quota, version 1',        after => { '/v1/a/b/cpu.stat' => "nr_throttled 6\n" },     'throttled disturbed 2'],
    ['a quota of a parent group', after => { '/v1/cpu.stat' => "nr_throttled 1\n" },         'throttled disturbed 1'],
    ['a quota, version 2',        after => { '/v2/c/cpu.stat' => "nr_throttled 6\n" },       'throttled disturbed 1'],
    ['a hot core',                after => { thermal(1, core => 2) },                        'thermal disturbed 1'],
    ['a hot package',             after => { map { thermal($_, package => 3) } 0, 1 },       'thermal disturbed 2'],
    ['swapping', after => { '/proc/vmstat' => vmstat_of(pswpin => 500, pswpout => 500) },    'swap disturbed 100'],
    ['major faults of the copies',     after => { '/proc/self/stat' => faults_of(10, 130) }, 'major_faults note 11'],
    ['major faults of this program',   after => { '/proc/self/stat' => faults_of(999, 20) }],
    ['major faults of other programs', after => { '/proc/vmstat'    => vmstat_of(pgmajfault => 1000) }],
    ['two processes wait for a CPU', before => { '/proc/loadavg' => "0.0 0.1 0.5 3/86 12\n" }, 'run_queue disturbed 2'],
    ['processes of the pass wait',   after  => { '/proc/loadavg' => "0.0 0.1 0.5 9/86 12\n" }],
    ['pressure in the rest',         before => { pressure(io  => 5_020_000) }, 'pressure_io note 0.02'],
    ['pressure before the rest',     rest   => { pressure(cpu => 9_000_000) }],
    ['pressure in the pass',         after  => { pressure(cpu => 9_000_000) }],
    ['an affinity mask',      before => { '/proc/self/status' => "Cpus_allowed_list:\t1\n" }, 'affinity disturbed 1'],
    ['a CPU that is offline', before => { $ONLINE => "0\n" }],
);
for my $case (@CASES) {
    my ($what, $from, $changes, @tags) = @$case;
    is_deeply([tags(seen({ $from => $changes }))], \@tags, "tags of: $what");
}

# Copies that were moved to groups in which this program is not.
my $moved  = QuietMachine->new;
my $copies = sub {
    [{ gated => 1, elapsed_s => 10, cpu_stats => { '/v2/other/cpu.stat' => [map { "nr_throttled $_\n" } @_] } }]
};
is_deeply([tags($moved->seen({}, $copies->(7, 9)))], ['throttled disturbed 2'], 'copies that were moved to a group');
is_deeply([tags($moved->seen({}, $copies->(12)))],   ['throttled disturbed 3'], 'the next pass');
is_deeply([tags($moved->seen({}, $copies->(12)))],   [],                        'a pass that was not stopped');
my %groups = (
    '/proc/self/cgroup'    => "1:cpu:/a\n0::/c\n",
    '/proc/9/cgroup'       => "1:cpu:/a/b\n0::/d\n",
    '/proc/self/mountinfo' => "1 0 0:1 / /v1 rw - cgroup x rw,cpu\n2 0 0:2 / /v2 rw - cgroup2 x rw\n",
    map { ("$_/cpu.stat" => "of $_\n") } qw(/v1 /v1/a /v1/a/b /v2/c /v2/d)
);
my $cgroup = UnixBench::Host::Cgroup->new(files => UnixBench::Host::KernelFiles->new(recorded => \%groups));
my %beyond = map { ("$_/cpu.stat" => "of $_\n") } qw(/v1/a/b /v2/d);
is_deeply($cgroup->cpu_stats_beyond(9), \%beyond, 'the groups of another process, without those of this program');
is_deeply($cgroup->cpu_stats_beyond($_), {}, "none of process $_") for 'self', 10;

my $spread = QuietMachine->new;
$spread->noise->round_begins;
my %cpu_time = %{ $spread->seen({})->{noticed}{cpu_time} };
my @times    = map { sprintf '%.2f', $_ } @cpu_time{qw(all_s idle_s steal_s)};
is("@times",                     '1401.78 900.70 10.00', 'the first pass of a round has the CPU time of the system');
is(seen({})->{steal},            0,     'each pass has the part of the CPU time that the hypervisor gave to others');
is($spread->seen({})->{noticed}, undef, 'and the next pass does not');

# Texts that can't be read or understood, for all files; and numbers that are wrong or absurd, for all numbers.
my @TEXTS   = (undef, q{}, "\0\xff\n", "some text\n", "-1\n", '9' x 400);
my @NUMBERS = ('9' x 16, '-5', 'nan', '0x7f', "\xfe");
my $NOTHING = { tags => undef, is_too_late => 0, noticed => undef, steal => undef };
my @warnings;
{
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    is_nothing("text $_",   everything_is($TEXTS[$_]))     for 0 .. $#TEXTS;
    is_nothing("number $_", every_number_is($NUMBERS[$_])) for 0 .. $#NUMBERS;
    for my $path (sort keys %{ everything_is(undef) }) {
        my $seen = seen({ rest => { $path => undef } });
        is_deeply([tags($seen)], [], "no tags without $path");
        is(defined $seen->{tags}, $path ne '/proc/stat', "whether the pass is watched without $path");
    }
}
is("@warnings", '', 'Perl prints no warnings');

my %idle    = map { $_ => 0 } qw(span_s kernel_s minor_faults major_faults);
my @of_slow = map { seen({}, undef, {}, [{ %idle, user_s => $_ }])->{tags} } 19, 20;
is_deeply(\@of_slow, [[], undef], 'other load is not known if own CPU time is half of what the copies report');

my @apart = map { { gated => 1, elapsed_s => $_ } } 1, 0.9;
my $judge = QuietMachine->new(is_overlap_judged => 1);
is_deeply([tags(seen({}, \@apart))], [], 'the overlap is not judged by default');
is_deeply([tags($judge->seen({}, \@apart))], ['overlap disturbed 0.9'],           'the overlap is judged if asked for');
is_deeply([tags($judge->seen({}, [@apart, { gated => 0, elapsed_s => 1 }]))], [], 'unknown, if a copy knows no gate');

# Takes the number of a state, and whether its copies know the gate. Returns the causes that disturbed a pass in which
# other work used CPU time, and whose copy was 7 seconds late.
sub causes_in_state {
    my ($state, $is_gated) = @_;
    my $copy = { pid => 7, gated => $is_gated, count => 1e9, timebase => 1, time_s => 10, elapsed_s => 17, data => {} };
    my %asked   = (seconds => 10, of => 'elapsed_s', loops_at_once => 1, is_alone => 0);
    my %busy    = (after   => { '/proc/stat' => stat_of(user => 1103, idle => 897) });
    my $machine = QuietMachine->new;
    return join q{ },
        map { $_->{cause} } @{ $machine->seen(\%busy, [$copy], { is_under => $state, asked => \%asked })->{tags} };
}
is(causes_in_state(@$_), 'others late', "other work in state $_->[0] with gate $_->[1]") for [0, 1], [0, 0], [1, 1];
is(causes_in_state(1, 0), 'late', 'the load of copies that a daemon may have started does not count');

my %asked = (asked => { seconds => 10, of => 'elapsed_s', loops_at_once => 1, is_alone => 1 });
my $late  = { pid => 7, gated => 1, count => 1e9, timebase => 1, time_s => 10, elapsed_s => 16, data => {} };

sub _used { my ($waited_s) = @_; return defined $waited_s ? { ran_s => 10, waited_s => $waited_s } : undef }

# [name, seconds for which each copy waited for a CPU, whether the pass is too late]. The first one ends last.
for my $case (
    ['unknown',                         [undef],    1],
    ['a wait',                          [4],        0],
    ['a wait of another copy',          [0, 4],     1],
    ['that of a copy if it is unknown', [undef, 4], 0]
    )
{
    my ($what, $waited_s, $is_too_late) = @$case;
    my @copies = map { +{ %$late, pid => $_, used => _used($waited_s->[$_]) } } 0 .. $#$waited_s;
    my $other  = QuietMachine->new;
    $other->noise->before;
    my $after = $other->noise->after(\@copies, \%asked);
    is_deeply([grep { /late/ } tags($after)], ['late disturbed 6'], "$what: the pass is marked");
    is($after->{is_too_late}, $is_too_late, "$what: whether it is too late");
}

# [name, the test, its state, what the program has reported, what the kernel knows of the process, its disturbances].
for my $case (
    ['a program that worked all the time', 'pipe', 0, [10, 8, 2], undef],
    ['a program that did not',               'pipe',     0, [10, 6, 2], [10, 0], 'waited disturbed 0.2'],
    ['a process that did not',               'pipe',     0, undef,      [8, 0], 'waited disturbed 0.2'],
    ['a process that waited',                'pipe',     0, undef,      [8, 2], 'waited disturbed 0.2'],
    ['nothing is known',                     'pipe',     0, undef,      undef],
    ['nothing was counted',                  'pipe',     0, [10, 0, 0], undef],
    ['a program that ends at once',          'pipe',     0, undef,      [0.002, 0.001, 0.1]],
    ['a test that waits for something else', 'context1', 0, [10, 6, 2], undef],
    ['a command may be why it waits',        'pipe',     1, [10, 6, 2], undef],
    )
{
    my ($what, $name, $state, $reported, $known, @tags) = @$case;
    my $other = QuietMachine->new;
    $other->noise->before;
    my %work = map { $_ => 0 } qw(minor_faults major_faults);
    @work{qw(span_s user_s kernel_s)} = @$reported if $reported;
    my %used;
    @used{qw(ran_s waited_s)} = @$known if $known;
    my %copy = (%$late, elapsed_s => ($known || [])->[2] // 10, used => $known && \%used);
    my $seen = $other->noise->after([\%copy], { %asked, name => $name, is_under => $state }, [$reported && \%work]);
    is_deeply([tags($seen)], \@tags, "waiting: $what");
}

# A copy that stood still for 6 of its 10 seconds.
my $still = QuietMachine->new;
$still->noise->before;
my %stood = (%$late, elapsed_s => 10, used => { ran_s => 4, waited_s => 0 });
my $pass  = $still->noise->after([\%stood], { %asked, name => 'pipe' });
is_deeply([tags($pass), $pass->{is_too_late}], ['waited disturbed 0.6', 1], 'a copy that stood still for too long');

my $machine = QuietMachine->new;
$machine->rest(1, {}, { pressure(io => 6_000_000) });
my @seen = map { $machine->noise->before; [tags($machine->noise->after([{ gated => 1, elapsed_s => 0 }]))] } 1, 2;
is_deeply(\@seen, [['pressure_io disturbed 1'], []], 'the pressure of a rest is a tag of the next pass only');

# Starts a process that uses half a second of CPU time, writes a dot, and stays as long as this program. Returns its
# number and a handle to read from.
sub start_burner {
    my $us  = $$;
    my $pid = open(my $output, '-|') // die "fork: $!\n";
    return ($pid, $output) if $pid;
    1 while (times)[0] + (times)[1] < 0.5;
    syswrite STDOUT, '.';
    sleep 1 while getppid == $us;
    exit;
}

# The process is a child, but its CPU time is added to that of this program only when it has ended.
subtest 'the load of another process is seen on this machine' => sub {
    my $stat = UnixBench::Host::KernelFiles->new->text('/proc/stat');
    skip_without(machine => 'CPU times in /proc/stat') if ($stat // q{}) !~ /^cpu +[1-9]/;

    my $noise = UnixBench::Noise::Watch->new(clock => UnixBench::Base::Clock->new, usable_cpus => 1);

    $noise->before;
    my ($burner, $from) = start_burner();
    sysread $from, my $said, 1;
    my $seen = $noise->after([{ gated => 1, elapsed_s => 1 }]);
    kill 'KILL', $burner;
    waitpid $burner, 0;

    is($said, '.',                                                     'the child has used half a second of CPU time');
    is(scalar(grep { $_->{cause} eq 'others' } @{ $seen->{tags} }), 1, 'the load is that of other processes');
};

my %WRITEBACK = (
    "Dirty:   900 kB\nWriteback:             4 kB\nWritebackTmp:   0 kB\n" => 1,
    "Dirty:   900 kB\nWriteback:             0 kB\nWritebackTmp:   5 kB\n" => 0,
    map { $_ => 0 } q{}, "Writeback: kB\n", 'Writeback: ' . '9' x 40 . " kB\n",
);
for my $meminfo (sort keys %WRITEBACK) {
    my $files = UnixBench::Host::KernelFiles->new(root => host_tree('/proc/meminfo' => $meminfo));
    is(UnixBench::Noise::Watch->new(files => $files)->is_writing_back ? 1 : 0, $WRITEBACK{$meminfo},
        "writes: $meminfo");
}

subtest 'what the copies used' => sub {
    my $after = faults_of(10, 50) =~ s/ 5000 / 5040 /r;
    my $used  = seen({ before => { '/proc/self/stat' => faults_of(10, 20) }, after => { '/proc/self/stat' => $after } })
        ->{used};
    is($used->{major_faults},                                                           30, 'major faults of children');
    is($used->{minor_faults},                                                           40, 'minor faults of children');
    is($machine->seen({}, [{ gated => 0, elapsed_s => 0 }], { is_under => 1 })->{used}, undef, 'unknown of a daemon');
};

sub is_nothing {
    my ($what, $files) = @_;
    my $seen = seen({ map { $_ => $files } qw(rest before after) });
    delete $seen->{used};
    is_deeply($seen,                             $NOTHING, "$what at all times: nothing is seen");
    is_deeply([tags(seen({ after => $files }))], [],       "$what after the pass: no tags");
    return;
}

# Which processes used CPU time during a pass: when the watch looks at them, and which disturbance names them.

use constant { PASS_S => 10, REST_S => 2 };

# Takes a PID, a name and ticks; returns a path and a text.
sub process {
    my ($pid, $name, $ticks, $parent) = @_;
    $parent //= 1;
    return ("/proc/$pid/stat" => "$pid ($name) S $parent 1 1 0 -1 0 1 2 3 4 $ticks 0 0 0 20 0 1 0 77 99 99\n");
}

# The looks of the processes that are made now, and how long each takes.
my ($looks, $look_s) = (0, 0);
my $look = \&UnixBench::Noise::Processes::look;
{
    no warnings 'redefine';
    *UnixBench::Noise::Processes::look = sub {
        $looks++;
        my $seen = $look->(@_);
        return { %$seen, took_s => $look_s };
    };
}

sub show {
    my ($machine, %files) = @_;
    for my $path (sort keys %files) {
        make_path("$machine->{root}$path" =~ s{/[^/]+\z}{}r);
        unlink "$machine->{root}$path";
        write_file("$machine->{root}$path", $files{$path});
    }
    return;
}

# Rests, then makes a pass of ten seconds. Takes files that change during both, and perhaps the test of the plan.
# Returns the disturbances.
sub seen_in_pass {
    my ($machine, $in_rest, $in_pass, $planned) = @_;
    my ($noise, $number) = ($machine->noise, $machine->{passes}++);
    my @busy = (user => 1000 * $number, idle => 1000 * $number);
    $noise->rest_begins;
    $machine->{now_s} += REST_S;
    show($machine, '/proc/stat' => stat_of(@busy), %$in_rest);
    $noise->before;
    my $before = $looks;
    $machine->{$_} += PASS_S for qw(now_s ours_s);
    show($machine, '/proc/stat' => stat_of(user => 1000 * ($number + 1), idle => 1000 * ($number + 1)), %$in_pass);
    is($looks, $before, 'nothing is looked at during a pass');
    return $noise->after([map { { gated => 1, elapsed_s => PASS_S } } 1, 2], $planned)->{tags};
}

# Takes disturbances; returns [each "cause: process CPUs, ..."].
sub texts {
    my ($tags) = @_;
    return [
        map {
            "$_->{cause}: " . join ', ',
                map { "$_->{name} $_->{cpus}" }
                @{ $_->{by} || [] }
        } @$tags
    ];
}

sub machine {
    my (%with) = @_;
    ($looks, $look_s) = (0, delete $with{look_s} // 0);
    my $machine = QuietMachine->new(%with);
    show($machine, process(4711, 'yes', 0), process(20, 'Run', 0), process(21, 'cc', 0));
    return $machine;
}

my %LOADED = ('/proc/stat' => stat_of(user => 2000, idle => 0));

subtest 'a pass that other processes disturbed' => sub {
    my $machine = machine();
    my $tags    = seen_in_pass($machine, {}, { %LOADED, process(4711, 'yes', 900), process(21, 'cc', 100) });
    is_deeply(texts($tags), ['others: yes 0.9, cc 0.1'], 'the first pass begins with a look of its own');
    is($tags->[0]{seen}, 1, 'all that are seen');
    is($looks,           2, 'one look before, one after');
    $machine->{passes} = 2;
    is_deeply(texts(seen_in_pass($machine, { process(21, 'cc', 200) }, { process(21, 'cc', 300) })),
        [], 'a pass without a disturbance names no process');
    is($looks, 3, 'a look is the end of a pass, and the beginning of the next');
};

subtest 'processes that ran in the pause before a pass' => sub {
    my $machine = machine();
    seen_in_pass($machine, {}, {});
    is_deeply(texts(seen_in_pass($machine, { pressure(cpu => 6_000_000), process(21, 'cc', 240) }, {})),
        ['pressure_cpu: cc 0.2'], 'the time since the pass before counts');
};

subtest 'the first disturbance by CPU time has the processes' => sub {
    my $machine = machine();
    my %rest    = (pressure(cpu => 6_000_000), pressure(io => 6_000_000), '/proc/loadavg' => "0 0 0 3/86 1\n");
    is_deeply(texts(seen_in_pass($machine, \%rest, { %LOADED, process(4711, 'yes', 900) })),
        ['others: yes 0.9', 'run_queue: ', 'pressure_cpu: ', 'pressure_io: '], 'others');
    $machine = machine();
    is_deeply(texts(seen_in_pass($machine, { pressure(io => 6_000_000) }, { process(4711, 'yes', 900) })),
        ['pressure_io: '], 'a disturbance on disks has none');
};

subtest 'the X server that works for a graphics test' => sub {
    my %busy = (process(30, 'Xorg', 800), process(31, 'Xwayland', 700), process(21, 'cc', 240));
    for my $case ([1, 'cc 0.24'], [0, 'Xorg 0.8, Xwayland 0.7, cc 0.24']) {
        for my $look_s (0, 0.006) {
            my $machine = machine(x_server => 30, look_s => $look_s, has_rounds => 1);
            my $tags    = seen_in_pass($machine, { pressure(cpu => 6_000_000) }, \%busy, { is_graphics => $case->[0] });
            $machine->noise->round_ends;
            is_deeply(texts($tags), ["pressure_cpu: $case->[1]"], "graphics: $case->[0], looks of $look_s s");
        }
    }
};

subtest 'looks that take long' => sub {
    my $machine = machine(look_s => 0.006);
    my $tags    = seen_in_pass($machine, {}, { %LOADED, process(4711, 'yes', 900) });
    is_deeply([texts($tags), $looks], [['others: yes 0.9'], 2], 'an official run looks after each pass');
    $machine->noise->round_ends;
    is($looks, 2, 'and not after a round');

    $machine = machine(look_s => 0.006, has_rounds => 1);
    my @tags = seen_in_pass($machine, {}, { %LOADED, process(4711, 'yes', 900) });
    is_deeply([texts($tags[0]), $looks], [['others: '], 1], 'a quick run does not look after a pass');
    $machine->{passes} = 2;
    push @tags, seen_in_pass($machine, {}, {});
    $machine->{passes} = 3;
    push @tags, seen_in_pass($machine, { pressure(cpu => 6_000_000) }, { process(4711, 'yes', 1800) });
    $machine->noise->round_ends;
    is($looks, 2, 'it looks after each round');
    is_deeply([map { texts($_) } @tags], [['others: yes 0.8'], [], ['pressure_cpu: yes 0.53']], 'all its passes');
    is($tags[0][0]{seen}, 0.8, 'as if the load was there only in disturbed ones, two of three');
    $machine->noise->round_ends;
    is_deeply(texts($tags[2]), ['pressure_cpu: yes 0.53'], 'but only those of its own passes');

    $look_s = 0.005;
    $machine->noise->round_ends;
    $machine->{passes} = 4;
    is_deeply(texts(seen_in_pass($machine, { pressure(cpu => 9_000_000) }, { process(21, 'cc', 240) })),
        ['pressure_cpu: cc 0.2'], 'when looks take less time, it looks after each pass again');
};

subtest 'another Run on this machine' => sub {
    my $machine = machine();
    my %run     = process(22, 'Run: guardian', 0, 20);
    is_deeply([$machine->noise->other_runs],            [],                'there is none');
    is_deeply(texts(seen_in_pass($machine, {}, \%run)), ['another_run: '], 'it began during the pass');
    is_deeply([$machine->noise->other_runs],            [20],              'its PID');
    is_deeply(texts(seen_in_pass($machine, {}, {})),    ['another_run: '], 'it goes on');
    unlink "$machine->{root}/proc/22/stat";
    my $tags = seen_in_pass($machine, {}, {});
    is_deeply(texts($tags),                          ['another_run: '], 'it has ended since the pass before');
    is_deeply([@{ $tags->[0] }{qw(level value)}],    ['note', 1], 'what it used decides whether the pass is disturbed');
    is_deeply(texts(seen_in_pass($machine, {}, {})), [],          'it has ended');
};

done_testing;
