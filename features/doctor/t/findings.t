# What doctor finds on machines that are made up, and its text.

use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(result tag);
use Golden                         qw(is_golden no_golden_left_over);
use Place                          qw(place touch write_file);
use PlantedCause                   ();
use QuietMachine                   qw(faults_of pressure stat_of);
use Requested                      qw(context);
use UnixBench::Doctor::Command;
use UnixBench::Doctor::Look;
use UnixBench::Doctor::Text;

my $HOME = "$FindBin::Bin/../../..";

# An invented machine for doctor, which also has the findings of a preparation. It has these properties, all optional:
# facts that replace the default, found, the findings, charmap, and those of Requested::Host.
package DoctoredHost {
    use parent -norequire => 'Requested::Host';

    sub findings { my ($self) = @_; return { missing => {}, %{ $self->{found} || {} } } }
    sub name     { return 'marvin' }
    sub space    { return { device => 1, free_kb => undef } }

    sub language {
        my ($self, $lang) = @_;
        return { lang => $lang, charmap => $self->{charmap} // 'UTF-8', collate => 'UTF-8' };
    }

    sub ask_ahead { return }

    # Return the facts about the host.
    sub head { my ($self) = @_; return $self->facts }

    sub facts {
        my ($self) = @_;
        my %texts = map { $_ => 'x' } qw(system os release version machine platform uptime);
        return { %texts, name => 'marvin', cpus => [{ model => 'x' }, { model => 'x' }], %{ $self->{facts} || {} } };
    }
}

# A fake look that returns the values that were passed to new.
package FakeLook {
    sub new { my ($class, %seen) = @_; return bless {%seen}, $class }
    sub look { my ($self) = @_; return { is_possible => 1, tags => [], busiest => [], %$self } }
}

# Takes properties of a DoctoredHost, words, and properties of a look; returns the doctor for them.
sub doctor {
    my ($is, %look) = @_;
    my $host    = DoctoredHost->new(%$is);
    my $context = context($is->{words} // 'pipe', env => { UB_BINDIR => "$HOME/t/bin" }, %$is, host => $host);
    my %with    = (context => $context, preparation => $host, look => FakeLook->new(%look));
    return UnixBench::Doctor::Command->new(%with);
}

# Takes a kind of finding, and properties for doctor; returns the weights of the findings of that kind.
sub weights {
    my ($kind, @more) = @_;
    return [map { $_->{weight} } grep { $_->{kind} eq $kind } @{ doctor(@more)->seen->{findings} }];
}

# Takes a cause, its level and its value; returns the properties of a look that has seen this disturbance.
sub tagged { return (tags => [tag(@_)]) }
my %SCRATCH = (facts => { scratch => { file_system => 'tmpfs' } });

# [kind of finding, its weight, properties of the host, properties of the look].
my @WEIGHTS = (
    [others   => 'disturbs', {}, tagged(others   => 'disturbed', 0.5)],
    [swap     => 'little',   {}, tagged(swap     => 'note',      2)],
    [affinity => 'disturbs', {}, tagged(affinity => 'disturbed', 1)],
    [affinity => 'known',    {}, tagged(affinity => 'note',      1)],
    [quota    => 'disturbs', { quota => 1.5 }],
    [quota    => 'known',    { quota => 1.5, words => '-c 1 pipe' }],
    [scratch  => 'limits',   { %SCRATCH, words => 'fsdisk' }],
    [scratch  => 'known',    \%SCRATCH],
    [locale   => 'limits',   { charmap => 'ANSI_X3.4-1968' }],
    [load     => 'little',   { facts   => { load => [0.5, 0, 0] } }],
    [governor => 'known',    { facts   => { cpu  => { governor => 'powersave' } } }],
);
for my $case (@WEIGHTS) {
    my ($kind, $weight, @more) = @$case;
    is_deeply(weights($kind, @more), [$weight], "the weight of $kind is $weight");
}
my %found = (missing => { locale => { text => 'missing: the locale' } });
is_deeply(weights(locale => { charmap => 'ASCII', found => \%found }), [], 'a missing locale is reported once');

subtest '--no-identity leaves out names' => sub {
    local @ENV{qw(USER HOME)} = ('zaphod', '/home/zaphod');
    my %is = (
        words => '--no-identity pipe',
        found => { missing   => {}, refusal => "built on marvin by zaphod in /home/zaphod/x for dent" },
        facts => { kernel    => { command_line => 'quiet token=dent' }, process => { ld_preload => '/srv/dent.so' } },
        env   => { UB_BINDIR => "$HOME/t/bin",                          UB_RESULTDIR => '/dev/null/zaphod' },
    );
    my %look = (busiest => [{ pid => 7, name => 'dent-9', cpus => 1 }]);
    my $text = UnixBench::Doctor::Text::render(doctor(\%is, tagged(others => 'disturbed', 1), %look)->seen);
    unlike($text, qr/marvin|zaphod|dent|\Q$HOME\E/, 'no host, user or directory is named');
    like($text, qr/[.]{3}, process 7 /,                      'a process has its number');
    like($text, qr/Can't make directory results: Not a dir/, 'a directory has the last part of its path');
};

# Takes files for the first pause and for the second pause of a look (path => text), and perhaps the number of planned
# copies. Looks at a machine that is quiet except for these files; returns the value of look.
sub look_at {
    my ($before, $meanwhile, $copies) = @_;
    my $machine = QuietMachine->new;
    my @pauses  = (sub { put($machine, $before) }, sub { put($machine, $meanwhile) });
    return UnixBench::Doctor::Look->new(
        clock       => $machine,
        root        => $machine->{root},
        usable_cpus => 2,
        copies      => $copies // 1,
        ours        => sub { (5, 2) },
        pause       => sub { $machine->{now_s} += $_[0]; (shift @pauses)->() },
    )->look;
}

sub put {
    my ($machine, $files) = @_;
    for my $path (map { "$machine->{root}$_" } sort keys %$files) {
        make_path($path =~ s{/[^/]+\z}{}r);
        write_file($path, $files->{ $path =~ s/\A\Q$machine->{root}\E//r });
    }
    return;
}

subtest 'a look reports load and the processes that cause it' => sub {
    my $moves = { '/proc/stat' => stat_of(idle => 300) };
    is_deeply(look_at({}, $_->[1]), { is_possible => $_->[0], tags => [], busiest => [] }, "a quiet machine: $_->[0]")
        for [1, $moves], [0, {}];
    my $bound = { '/proc/self/status' => "Cpus_allowed_list:\t1\n" };
    is_deeply(look_at($bound, {}, $_->[0])->{tags}, [tag(affinity => $_->[1], 1)], "one CPU for $_->[0] copies")
        for [1, 'note'], [2, 'disturbed'];
    is_deeply(look_at({}, { '/proc/self/stat' => faults_of(10, 1020) })->{tags}, [], 'no faults of passes');
    my $stat = "4711 (burner) R 1 1 1 0 -1 0 1 2 3 4 %d 0 0 0 20 0 1 0 77 99 99\n";
    my $busy = look_at(
        {
            '/proc/4711/stat' => sprintf($stat, 1000),
            '/proc/loadavg'   => "0.5 0 0 2/86 12\n",
            pressure(io => 5_500_000)
        },
        { '/proc/4711/stat' => sprintf($stat, 1150), '/proc/stat' => stat_of(user => 150, idle => 150) },
    );
    my $seen = ['others disturbed 0.98', 'run_queue note 1', 'pressure_io disturbed 0.5'];
    is_deeply([map { "@$_{qw(cause level value)}" } @{ $busy->{tags} }], $seen, 'load and earlier pressure');
    is_deeply($busy->{busiest}, [{ pid => 4711, name => 'burner', cpus => 1 }], 'the busiest process is named');
};

# With perl-base alone, doctor can only do the preparation.
subtest 'with perl-base alone, doctor says what is missing' => sub {
    my $script =
          'package P { sub findings { +{ missing => { run => { text => "missing: B" } } } } } '
        . 'require UnixBench::Doctor::Command; require UnixBench::Doctor::Text; '
        . 'print UnixBench::Doctor::Text::render(UnixBench::Doctor::Command->new(preparation => bless {}, "P")->seen)';
    my @perl =
        ($^X, "-I$HOME/lib", (map { "-I$FindBin::Bin/$_" } qw(../lib ../../../t/lib)), qw(-MPerlBase -e), $script);
    open my $from, '-|', @perl or die "perl: $!\n";
    my $said = "This prevents a run:\n   Missing: B.\n\nAll other checks need a complete Perl.\n";
    is(join('', <$from>), $said, 'the missing thing is named');
    close $from;
};

# A tree that has all files for the tests that are asked for here.
my $home = place();
make_path(map { "$home/$_" } qw(pgms testdir src));
touch(map { "$home/$_" } qw(pgms/multi.sh pgms/tst.sh pgms/gfx-x11 testdir/dc.dat testdir/cctest.c src/ubgears.c));
touch(map { "$home/pgms/$_" } qw(pipe looper fstime));
chmod 0755, glob "$home/pgms/*" or die "chmod: $!\n";
system('cp', "$HOME/pgms/index.base", "$home/pgms/index.base") == 0 or die "cp\n";
symlink "$home/nowhere", "$home/link" or die "symlink: $!\n";
mkdir "$home/open" or die "mkdir: $!\n";
chmod 0777, "$home/open";

# Takes words of the command line and properties of a DoctoredHost; returns a text for each obstacle.
sub found {
    my ($words, %is) = @_;
    my $host     = DoctoredHost->new(%is);
    my $context  = context("-c 1 $words", home => "$home", env => {}, %is, host => $host);
    my @findings = UnixBench::Doctor::Command::obstacles_of_context($context, $context->result, $host->findings);
    return [map { said($_) } @findings];
}

sub said {
    my ($finding) = @_;
    chomp(my $text = $finding->{text} =~ s/\Q$home\E/HOME/gr);
    return join ': ', $finding->{kind}, $text, $finding->{variable} // ();
}

my $CANNOT  = "directory: can't make directory HOME";
my $GROUP   = 'but the control group allows 1 more: raise its pids.max (containers: --pids-limit, systemd: TasksMax)';
my $SKIPPED = 'Tests that will be skipped:';
my $X11PERF = "skipped: there is no program x11perf; install it. $SKIPPED 2d-rects";
my $GEARS   = 'skipped: there is no program ubgears; install the graphics package, or build it: ./Run --setup ubgears. '
    . "$SKIPPED ubgears";
my %NO_X11PERF = (display => 'virtual', missing => 'x11perf');
my %ELSEWHERE  = (env     => { UB_BINDIR => "$home/src", UB_TESTDIR => "$home/src" });
my %NAMED      = (missing => { tests     => { things => [{ needed_for => 'for 2d-rects 2d-text' }], text => 'x' } });

# Takes a variable and a path below the tree; returns words and properties of a run with it.
sub with_path { return ('pipe', env => { $_[0] => "$home/$_[1]" }) }

# [what, [obstacles], words, properties].
#<<< a table
my @CASES = (
    ['a complete tree', [], 'pipe shell8 dc fs'],
    ['limits', [
        "limit: 1 copy needs 9 processes, $GROUP", "limit: 9 copies need 17 processes, $GROUP",
        'limit: 9 copies need about 11 MB of memory, but 9999 KB are free: run fewer copies (-c)'
    ], '-c 9 pipe', limits => { memory_kb => 9999, cgroup_processes => 1 }],
    ['new directories', [], with_path(UB_RESULTDIR => 'new/and/newer')],
    ['a file as a directory', ["$CANNOT/pgms/pipe: Not a directory: UB_TMPDIR"], with_path(UB_TMPDIR => 'pgms/pipe')],
    ['one below a file', ["$CANNOT/pgms/pipe/n: Not a directory: UB_TMPDIR"], with_path(UB_TMPDIR => 'pgms/pipe/n')],
    ['a dangling link', ["$CANNOT/link/new: Not a directory: UB_RESULTDIR"], with_path(UB_RESULTDIR => 'link/new')],
    ['a missing input directory', ['directory: there is no directory HOME/link/new: UB_TESTDIR'],
        with_path(UB_TESTDIR => 'link/new')],
    ['an input directory that can only be read', [], 'pipe', env => { UB_TESTDIR => '/proc/self' }],
    ['an unsafe scratch directory',
        ['unsafe: scratch files are not safe in HOME/open/new: HOME/open can be written to by all users: UB_TMPDIR'],
        with_path(UB_TMPDIR => 'open/new')],
    ['missing programs', ['program: missing in HOME/pgms: dhry2reg and syscall, for dhry2reg and syscall'],
        'dhry2reg pipe syscall'],
    ['a program that will be built', [], 'dhry2reg pipe', found => { why_build => 'dhry2reg is not built' }],
    ['a missing text', ['input: missing in HOME/testdir: large.txt, for grep'], 'grep'],
    ['a text that is built', [], 'grep', found => { why_build => 'x', makes => "$home/testdir/large.txt" }],
    ['scripts, input and the baseline', [
        'program: missing in HOME/src: multi.sh, for shell1 and shell8',
        'input: missing in HOME/src: dc.dat, cctest.c and large.txt, for dc, C and grep',
        "no_index: can't read HOME/src/index.base: No such file or directory; there will be scores, but no indexes"
    ], 'shell1 shell8 dc C grep', %ELSEWHERE, found => { why_build => 'x' }],
    ['skipped tests', ["$X11PERF and 2d-text", $GEARS], '2d-rects pipe ubgears 2d-text', %NO_X11PERF],
    ['no display', ["skipped: no X display; set DISPLAY or install xvfb. $SKIPPED 2d-rects"], '2d-rects',
        missing => 'none'],
    ['a skipped test that will be built', [$X11PERF], '2d-rects ubgears', %NO_X11PERF, found => { why_build => 'x' }],
    ['missing software that is already named', [$GEARS], '2d-rects ubgears 2d-text', %NO_X11PERF, found => \%NAMED],
    ['no sync', ["no_sync: there is no program sync: file systems can't be flushed before each pass"], 'pipe',
        missing => 'sync'],
    ['a quick run without sync', [], '--quick pipe', missing => 'sync'],
    ['a changed procedure', ['procedure: the report will have the note "changed procedure: passes and pauses shortened '
        . 'to 0.5 of their length; MULTI_SH_WORK_FACTOR is 2"'], '--quick pipe',
        env => { UB_TIME_FACTOR => 0.5, MULTI_SH_WORK_FACTOR => 2 }],
);
#>>>
for my $case (@CASES) {
    my ($what, $wanted, @given) = @$case;
    is_deeply(found(@given), $wanted, $what);
}
ok(!-e "$home/new", 'no directory is made');
chmod 0777, $home;
is_deeply(found('pipe', env => { UB_TMPDIR => "$home/open/new" }), ['open: all users can write to HOME'], 'one line');

my %missing  = (tests   => { text => 'a' }, run => { text => 'b' }, locale => undef);
my %prepared = (missing => \%missing, refusal => 'c', why_build => 'd');
is_deeply(
    [map { said($_) } UnixBench::Doctor::Command::obstacles_of_preparation(\%prepared)],
    ['missing_run: b', 'missing_tests: a', 'other_cpu: c', 'build: the programs will be built first: d'],
    'the findings of a preparation are obstacles'
);

# The text.

my $COMMAND_LINE = join q{ }, map { "option.number$_=" . 'x' x $_ } 1 .. 10;
my %FACTS        = (
    load    => [0, 0.08, 0.91],
    kernel  => { command_line => $COMMAND_LINE, mitigations => { meltdown => 'Not affected' } },
    memory  => { total_kb     => 16_000_000 },
    scratch => { file_system  => "ext4\e[31m" },
);
my %QUIET = (is_possible => 1, tags => [], busiest => []);

# Takes findings and other data for Doctor::Text, and perhaps columns, the width of a terminal; returns the text.
sub text {
    my ($findings, %more) = @_;
    my $columns = delete $more{columns};
    return UnixBench::Doctor::Text::render({ findings => $findings, look => \%QUIET, %more }, $columns);
}

my %MISSING   = (missing_run => 'make (to build)', missing_tests => 'dc (for dc)', missing_locale => 'en_US.utf8');
my @OBSTACLES = (
    (map { +{ kind => $_, text => "missing: $MISSING{$_}" } } sort keys %MISSING),
    (map { +{ kind => $_, text => "the text of $_\n" } } qw(build input limit no_index no_sync open other_cpu)),
    (map { +{ kind => $_, text => "the text of $_" } } qw(limit procedure program skipped)),
    (map { +{ kind => $_, text => "can't use /r: Permission denied", variable => 'UB_TMPDIR' } } qw(directory unsafe)),
);
my @TAGS = (
    { kind => 'steal',       worst => 0.061, weight => 'disturbs' },
    { kind => 'others',      worst => 0.04,  weight => 'little' },
    { kind => 'swap',        worst => 3,     weight => 'little' },
    { kind => 'run_queue',   worst => 2,     weight => 'disturbs' },
    { kind => 'pressure_io', worst => 0.2,   weight => 'disturbs' },
);
my @WARNINGS = (
    { kind => 'load',     load     => 1.5, causes => [], weight => 'little' },
    { kind => 'governor', governor => "slow\e[1m", weight => 'known' },
);
my @BUSIEST = (
    { pid => 4711, name => "worker \xc3\xa9\n\e[2J", cpus => 1.004 },
    { pid => 9,    name => 'make', cpus => 0.26, is_by_children => !!1 },
);
my %ALL = (look => { %QUIET, busiest => \@BUSIEST }, facts_of => result([], facts => \%FACTS));

my $all = text([@OBSTACLES, @TAGS, @WARNINGS], %ALL);
is_golden('everything.txt', $all);
for my $columns (60, 100) {
    my $text = text([@OBSTACLES, @TAGS, @WARNINGS], %ALL, columns => $columns);
    is_deeply([grep { length > $columns } split /\n/, $text], [], "no line is longer than $columns columns");
}
unlike($all, qr/[^\x20-\x7e\n\xc3\xa9]|x(?:73|20)\b/, 'all characters are printable, and no phrase was escaped');

# [what, text, whether it is a problem, findings, look].
my @TEXTS = (
    ['nothing',               qr/\ANothing disturbs a run[.]\n\z/,                     0, []],
    ['what is worth knowing', qr/\ANothing disturbs a run[.]\n\z/,                     0, [$WARNINGS[1]]],
    ['a minor disturbance',   qr/\AThis disturbs a run a little:\n   Memory is being/, 0, [$TAGS[2]]],
    ['a disturbance',         qr/\AThis disturbs a run:\n.*a little:\n   Memory is/s,  1, [@TAGS[0, 2]]],
    ['a limit',               qr/\AThis limits the result:\n/,                         1, [$OBSTACLES[0]]],
    ['an obstacle',           qr/\AThis prevents a run:\n/,                            1, [$OBSTACLES[1]]],
    [
        'load by the worst',
        qr/\AThis disturbs a run:\n   Other load: 0[.]04 CPUs used, 2 processes waited[.]/,
        1, [@TAGS[1, 3], $WARNINGS[0]]
    ],
    ['hidden processes', qr/^      They could not be identified: they end too soon/m, 0, [$TAGS[1]]],
    ['an earlier load',  qr/\A(?!.*4711).*load average/s, 0, [$WARNINGS[0]], look => $ALL{look}],
    [
        'without /proc/stat',
        qr{a little:\n   Other load is unknown: /proc/stat shows no},
        0, [], look => { %QUIET, is_possible => 0 }
    ],
    [
        'a part of Perl',
        qr/\AThis prevents .*\n\nAll other checks need a complete Perl[.]\n\z/s,
        1, [$OBSTACLES[1]], look => undef
    ],
    [
        'a cause of the table',
        qr/Other load: moonlight 0[.]80 moons[.]\n.*burner, process 4711/s,
        1,
        [{ kind => 'moon', worst => 0.8, weight => 'disturbs' }],
        look => { %QUIET, busiest => [{ pid => 4711, name => 'burner', cpus => 1 }] }
    ],
);
for my $case (@TEXTS) {
    my ($what, $text, $is_problem, $findings, %more) = @$case;
    like(text($findings, %more), $text, $what);
    my $has = UnixBench::Doctor::Text::has_problem({ findings => $findings, look => \%QUIET, %more });
    is(!!$has, !!$is_problem, "$what: whether it is a problem");
}

no_golden_left_over();
done_testing;
