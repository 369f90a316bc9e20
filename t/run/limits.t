use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Fixture  qw(measured result run);
use HostTree qw(host_tree);
use Needs    qw(need_user skip_without);
use TestRun;
use ControlGroup;
use LoadedRun qw(waited);
use Place     qw(text_of);
use UnixBench::Base::Files;
use UnixBench::Base::JSON;
use UnixBench::Compare::Facts;
use UnixBench::Host::Facts;
use UnixBench::Summary;
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording;
use UnixBench::Host::Machine;

# The way Run was started, as far as the measured programs inherit it: recorded, compared, in warnings, and in a message
# before the run.

# Returns the text of /proc/self/stat with a nice value and the number of a scheduling class.
sub stat_with {
    my ($nice, $policy) = @_;
    return join(q{ }, '77 (a) b) R', (1) x 15, $nice, (1) x 21, $policy, 1, 1) . "\n";
}

sub process {
    my ($files, %env) = @_;
    my %nothing = ('/proc/uptime' => "1 1\n");
    return UnixBench::Host::Facts->new(root => host_tree(%nothing, %$files), env => \%env)->process;
}

# Name, files, environment, and the facts that are known.
my $CPUS = '/sys/devices/system/cpu/online';
#<<< a table
my @FACTS = (
    ['no files',        {}, {}, {}],
    ['as usual',        { '/proc/self/stat' => stat_with(0, 0) }, {}, { nice => 0, class => 'SCHED_OTHER' }],
    ['nice',            { '/proc/self/stat' => stat_with(-5, 0) }, {}, { nice => -5, class => 'SCHED_OTHER' }],
    ['real time',       { '/proc/self/stat' => stat_with(0, 1) }, {}, { nice => 0, class => 'SCHED_FIFO' }],
    ['batch',           { '/proc/self/stat' => stat_with(19, 3) }, {}, { nice => 19, class => 'SCHED_BATCH' }],
    ['idle',            { '/proc/self/stat' => stat_with(0, 5) }, {}, { nice => 0, class => 'SCHED_IDLE' }],
    ['unknown class',   { '/proc/self/stat' => stat_with(0, 99) }, {}, { nice => 0 }],
    ['an invalid file', { '/proc/self/stat' => "x) y\n" }, {}, {}],
    ['variables',       {},
        { LD_PRELOAD => '/x/a.so', LD_AUDIT => 'b.so', LD_LIBRARY_PATH => '/x', GLIBC_TUNABLES => 'c=1' },
        { ld_preload => '/x/a.so', ld_audit => 'b.so', ld_library_path => '/x', glibc_tunables => 'c=1' }],
    ['empty variables', {}, { LD_PRELOAD => q{}, LD_AUDIT => q{ } }, {}],
    ['a file',          { '/etc/ld.so.preload' => "/x/a.so # why\n\n/x/b.so:/x/c.so\n" }, {},
        { preload_file => '/x/a.so /x/b.so /x/c.so' }],
    ['an empty file',   { '/etc/ld.so.preload' => "# nothing\n\n" }, {}, {}],
    ['all CPUs',        { '/proc/self/status' => "Cpus_allowed_list:\t0-3\n", $CPUS => "0-3\n" }, {}, {}],
    ['not traced',      { '/proc/self/status' => "TracerPid:\t0\nSeccomp:\t0\n" }, {}, {}],
    ['a tracer',        { '/proc/self/status' => "TracerPid:\t12\n", '/proc/12/comm' => "strace\n" }, {},
        { tracer => 'strace' }],
    ['a hidden tracer', { '/proc/self/status' => "TracerPid:\t12\n" }, {}, { tracer => 'process 12' }],
    ['a filter',        { '/proc/self/status' => "Seccomp:\t2\n" }, {}, { seccomp => 'filter' }],
    ['strict',          { '/proc/self/status' => "Seccomp:\t1\n" }, {}, { seccomp => 'strict' }],
    ['some CPUs', { '/proc/self/status' => "Cpus_allowed_list:\t1-2\n", $CPUS => "0-3\n" }, {}, { cpus => '1-2' }],
);
#>>>

for my $row (@FACTS) {
    my ($name, $files, $env, $expected) = @$row;
    my $found = process($files, %$env);
    is_deeply({ map { $_ => $found->{$_} } grep { defined $found->{$_} } keys %$found }, $expected, "facts: $name");
}

sub result_with {
    my (%process) = @_;
    return result([run(1, measured('pipe', 1, 1000))], facts => { process => \%process });
}

# Facts that differ from a usual start, the kind of the warning, the label in a comparison, and the text of the warning.
my %USUAL = (nice => 0, class => 'SCHED_OTHER');
#<<< a table
my @WARNINGS = (
    [{},                                       undef,     undef],
    [{ ld_preload => '/x/a.so' },              'preload', 'LD_PRELOAD', qr{: LD_PRELOAD [(]/x/a[.]so[)][.]\z}],
    [{ ld_audit => 'b.so' },                   'preload',   'LD_AUDIT',           qr/LD_AUDIT [(]b[.]so[)]/],
    [{ preload_file => '/x/a.so' },            'preload',   '/etc/ld.so.preload', qr{/etc/ld[.]so[.]preload [(]/x/a}],
    [{ ld_library_path => '/x' },              'libraries', 'LD_LIBRARY_PATH',    qr{LD_LIBRARY_PATH [(]/x[)]}],
    [{ glibc_tunables => 'c=1' },              'libraries', 'GLIBC_TUNABLES',     qr/GLIBC_TUNABLES [(]c=1[)]/],
    [{ nice => 19 },                           'nice',      'Nice value',         qr/nice value of the tests is 19[.]/],
    [{ class => 'SCHED_RR' },                  'class',     'Scheduling class',   qr/of the tests is SCHED_RR[.]/],
    [{ cpus => '1-2' },                        undef,       'CPUs it may use'],
    [{ tracer => 'strace' },                   'tracer',    'Tracer',             qr{\ATraced by strace: [.]/Run[.]\z}],
    [{ seccomp => 'filter' },                  undef,       'System call filter'],
);
#>>>

for my $row (@WARNINGS) {
    my ($differs, $kind, $label, $seen) = @$row;
    my ($what) = ((sort keys %$differs), 'nothing');
    my ($usual, $result) = map { result_with(%USUAL, %$_) } {}, $differs;
    my @warnings = UnixBench::Warnings::All::of($result);
    is_deeply([map { $_->{kind} } @warnings], [$kind // ()], "$what: the warning");
    like(UnixBench::Warnings::Wording::of($warnings[0])->{seen}, $seen, "$what: the text of the warning") if $kind;
    my @differences =
        UnixBench::Compare::Facts::differences(map { UnixBench::Summary::of($_) } $usual, $result);
    is_deeply([map { $_->{label} } @differences], [$label // ()], "$what: the differences in a comparison");
}

subtest 'a run under strace' => sub {
    skip_without(Needs::tracing()) if system('strace -o /dev/null true >/dev/null 2>&1') != 0;
    my $test = TestRun->new;
    my $run  = TestRun::waited(
        $test->started_by(qw(strace -f -o /dev/null), $^X, "$TestRun::HOME/Run", qw(-q -c 1 -i 1 pipe)));
    like($run->{err}, qr/^Run: traced by strace: /m, 'the tracer is reported before the run');
    my $result = UnixBench::Base::JSON::decode($test->report('.json'));
    is($result->{facts}{process}{tracer}, 'strace', 'the tracer is in the JSON');
    like($test->report('.html'), qr{Traced by strace: [.]/Run[.]}, 'the page names the tracer');
};

# A program that is traced before it counts. It ends when its report was read.
my $TRACED = <<'END';
strace -o /dev/null -p $$ 2> /dev/null &
while ! grep -q '^TracerPid:.*[1-9]' /proc/$$/status; do :; done
exec "$PERL" -e 'print STDERR "COUNT|5|1|lps\n"; my $left = pack "i", 1;' \
    -e '1 while ioctl(STDERR, 0x541B, $left) && unpack "i", $left;'
END

subtest 'a debugger on a copy' => sub {
    skip_without(Needs::tracing()) if system('strace -o /dev/null true >/dev/null 2>&1') != 0;
    my $test = TestRun->new(programs => { hanoi => $TRACED }, env => { PERL => $^X });
    my $run  = $test->run(qw(-q -c 1 -i 1 hanoi pipe));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds');
    my $result = UnixBench::Base::JSON::decode($test->report('.json'));
    my %tracer = map { $_->{name} => $_->{passes}[0]{copies}[0]{tracer} } @{ $result->{runs}[0]{tests} };
    is_deeply(\%tracer, { hanoi => 'strace', pipe => undef }, 'the traced copy has the name of its tracer');
    is($result->{facts}{process}{tracer}, undef, 'Run was not traced');
    like($test->report('.html'), qr/Traced by strace: Recursion Test -- Tower of Hanoi[.]/, 'the page has both');
};

subtest 'a run started by nice with a preloaded library' => sub {
    my $nice   = getpriority 0, 0;
    my $some   = $nice + 3 > 19 ? 19 : $nice + 3;
    my ($libm) = map { m{ (/\S*/libm[.-]\S*)$} } split /\n/, UnixBench::Base::Files::content('/proc/self/maps') // q{};
    skip_without(machine => 'a library to preload') if !defined $libm;
    my $test = TestRun->new(env => { LD_PRELOAD => $libm, UB_OUTPUT_JSON => 'true' });
    my $run  = TestRun::waited($test->started_by('nice', '-n', 3, $^X, "$TestRun::HOME/Run", qw(-q -c 1 -i 3 pipe)));
    like($run->{err},  qr{^Run: loaded into every measured program: LD_PRELOAD [(]\Q$libm\E[)]\n}m, 'LD_PRELOAD');
    like($run->{said}, qr/^Run: the nice value of the tests is $some\n/m, 'the nice value is reported before the run');
    my $process = UnixBench::Base::JSON::decode($test->report('.json'))->{facts}{process};
    is($process->{nice}, $some, 'the nice value is in the JSON');
    like($test->report('.html'), qr/LD_PRELOAD [(]/, 'the page names LD_PRELOAD');
    unlike($test->report(q{}), qr/LD_PRELOAD/, 'the classic report does not name LD_PRELOAD');
};

# Before it measures, Run reports the limit that is too low for the run, and plans for the CPUs that it may use.

my $PROCESSES = system('sh', '-c', 'ulimit -u >/dev/null 2>&1') == 0 ? '-u' : '-p';    # the option of ulimit in sh
my @RUN       = ($^X, "$TestRun::HOME/Run", '-q', '-i', 1);

# Takes a shell command that sets a limit; returns words that run it and then become Run.
sub limited {
    my ($limit) = @_;
    return ('sh', '-c', qq{$limit && exec "\$0" "\$@"});
}

# Takes a controller, and [file => value, ...] of each version of control groups; returns a group that is limited so, or
# skips the subtest.
sub limited_group {
    my ($controller, @limits) = @_;
    for my $limit (@limits) {
        my $group = ControlGroup->new($controller => $limit->[-2]) or next;
        $group->set(@$limit);
        return $group;
    }
    return skip_without(machine => "a control group with a limit of $controller");
}

# Takes a place, a directory and a size; returns words that mount a file system in memory there, for this run only.
sub mounted {
    my ($test, $directory, $size) = @_;
    my $mount = qq{mount -t tmpfs -o size=$size unixbench-test "\$0" && exec "\$@"};
    return ('unshare', '-m', 'sh', '-c', $mount, $test->place($directory));
}

# Tests that nothing is measured, and that the message matches the pattern.
sub is_refused {
    my ($test, $command, $pattern) = @_;
    my $run = waited($test->started_by(@$command));
    like($run->{err}, qr/\ARun: $pattern\n\z/, 'the limit is reported in one line');
    is_deeply([@$run{qw(status signal out)}], [1, 0, q{}], 'exit status 1, and no output');
    is_deeply([$test->reports, $test->left],  [],          'no report and no scratch file is made');
    return;
}

# Tests that the run succeeds.
sub is_measured {
    my ($test, $command, $why) = @_;
    my $run = waited($test->started_by(@$command));
    is_deeply([@$run{qw(status signal err)}], [0, 0, q{}], $why);
    return;
}

subtest 'open files' => sub {
    my $test = TestRun->new;
    my @few  = limited('ulimit -n 64');
    is_refused(
        $test,
        [@few, @RUN, qw(-c 1 -c 20 syscall)],
        qr/20 copies need ([0-9]+) open files, but the limit is 64: raise it with `ulimit -n \1` as root/
    );
    is_measured($test, [@few, @RUN, qw(-c 1 syscall)], '64 open files are enough for one copy');
    my $hundred = [limited('ulimit -n 64'), @RUN, qw(-c 100 syscall)];
    my ($need) = waited($test->started_by(@$hundred))->{err} =~ /`ulimit -n ([0-9]+)`/;
    is_measured($test, [limited("ulimit -n $need"), @RUN, qw(-c 100 syscall)], 'the limit in the message is enough');
};

subtest 'processes of a user' => sub {
    need_user();
    my $test = TestRun->new;
    chmod 01777, map { $test->place($_) } q{}, qw(tmp results test);
    my @user = ($^X, "$TestRun::BIN/as-nobody", limited("ulimit $PROCESSES 50"));
    is_refused(
        $test,
        [@user, @RUN, qw(-c 45 syscall)],
        qr/45 copies need 53 processes in addition to the ([0-9]+) that this user runs, but the limit is 50: /
            . qr/raise it with `ulimit -u [0-9]+` as root/
    );
    is_refused($test, [@user, @RUN, qw(-c 1 shell16)], qr/1 copy needs 74 processes .*/);
};

subtest 'processes of a control group' => sub {
    my $group = limited_group(pids => ['pids.max' => 20]);
    my $test  = TestRun->new;
    is_refused(
        $test,
        [$group->words(@RUN, qw(-c 20 syscall))],
        qr/20 copies need 28 processes, but the control group allows 19 more: raise its pids.max [(]containers: .*/
    );
    is_measured($test, [$group->words(@RUN, qw(-c 4 syscall))], 'the control group allows fewer copies');
};

subtest 'memory of a control group' => sub {
    my $group = limited_group(memory => map { [$_ => 64 * 1024 * 1024] } qw(memory.limit_in_bytes memory.max));
    my $test  = TestRun->new;
    is_refused(
        $test,
        [$group->words(@RUN, qw(-c 400 syscall))],
        qr/400 copies need about 108 MB of memory, but the control group allows [0-9]+ MB more: run fewer copies .*/
    );
    is_measured($test, [$group->words(@RUN, qw(-c 4 syscall))], 'the memory is enough for fewer copies');
};

subtest 'space for files' => sub {
    my $test = TestRun->new;
    skip_without(machine => 'a file system to mount')
        if system("@{[map { qq{'$_'} } mounted($test, 'tmp', '1m')]} true 2>/dev/null") != 0;
    is_refused(
        $test,
        [mounted($test, 'tmp', '10m'), @RUN, qw(-c 1 fsdisk)],
        qr/files need about 16 MB in UB_TMPDIR [(]\S+\/tmp[)], but 10 MB are free there: /
            . qr/free some space, or set UB_TMPDIR to another directory/
    );
    is_measured(
        $test,
        [mounted($test, 'tmp', '10m'), @RUN, qw(-c 2 fsbuffer fstime-w)],
        'the space is enough for smaller files'
    );
};

# A program that can't open its own modules names the limit, not an internal error. The loader of Perl itself needs
# some.
subtest 'open files of commands that only read' => sub {
    my $json = text_of("$FindBin::Bin/../golden/report/json/partial.json");
    for my $limit (6, 9, 12) {
        for my $command (qw(report compare)) {
            my $test     = TestRun->new(has_true_times => 1);
            my $result   = $test->write('test', 'a.json', $json);
            my @words    = ($command, ($result) x ($command eq 'compare' ? 2 : 1));
            my $run      = waited($test->started_by(limited("ulimit -n $limit"), $^X, "$TestRun::HOME/Run", @words));
            my $said     = $run->{err} =~ s/^Run: also written: .*\n//mgr;
            my $expected = $run->{status} ? "Run: too many open files: raise the limit by ulimit -n 1024\n" : q{};
            is($said,          $expected, "$command with $limit descriptors");
            is($run->{status}, 1,         'fails') if $limit == 6;
        }
    }
};

my @DRY    = ($^X, "$TestRun::HOME/Run", qw(--dry-run pipe));
my $host   = UnixBench::Host::Machine->new;
my $usable = $host->usable_cpus;

# Returns the numbers of copies in a plan, in which each has its own line.
sub copies {
    my ($run) = @_;
    return [$run->{out} =~ /^([0-9]+) parallel cop(?:y|ies) of tests,/mg];
}

subtest 'an affinity mask' => sub {
    skip_without(tool => 'taskset') if !$host->has_program('taskset');
    my ($first) = text_of('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\d+)/m;
    skip_without(machine => 'an affinity mask in /proc') if !defined $first;
    my $run = waited(TestRun->new->started_by('taskset', '-c', $first, @DRY));
    is($run->{status}, 0, 'a plan with an affinity mask succeeds');
    is_deeply(copies($run), [1], 'an affinity mask limits the number of copies');
    $run = TestRun->new->run(qw(--dry-run pipe));
    is_deeply(copies($run), $usable > 1 ? [1, $usable] : [1], 'without an affinity mask all CPUs are used');
};

subtest 'a quota of a control group' => sub {
    my @limits = (['cpu.cfs_period_us' => 100_000, 'cpu.cfs_quota_us' => 50_000], ['cpu.max' => '50000 100000']);
    my $group  = limited_group(cpu => @limits);
    my $line   = "Run: a control group limits CPU time to that of 0.50 of $usable CPUs\n";
    my $run    = waited(TestRun->new->started_by($group->words(@DRY)));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a plan with a quota succeeds');
    like($run->{said}, qr/^\Q$line\E/m, 'a plan with a quota has a warning');
    is_deeply(copies($run), $usable > 1 ? [1, $usable] : [1], 'a quota does not change the number of copies');
    my $test = TestRun->new;
    $run = waited($test->started_by($group->words(@RUN, qw(-c 1 syscall))));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with a quota succeeds');
    like($run->{said},           qr/^\Q$line\E/m,             'a run with a quota has a warning');
    like($test->report('.html'), qr/the time of 0[.]50 CPUs/, 'the page reports the quota');
};

done_testing;
