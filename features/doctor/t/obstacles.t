use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use DoctoredHost;
use Place qw(place touch);
use UnixBench::Doctor::Command;

# A tree that has all files for the tests that are asked for here.
my $home = place();
make_path(map { "$home/$_" } qw(pgms testdir src));
touch(map { "$home/$_" } qw(pgms/multi.sh pgms/tst.sh pgms/gfx-x11 testdir/dc.dat testdir/cctest.c src/ubgears.c));
touch(map { "$home/pgms/$_" } qw(pipe looper fstime));
chmod 0755, glob "$home/pgms/*" or die "chmod: $!\n";
system('cp', "$FindBin::Bin/../../../pgms/index.base", "$home/pgms/index.base") == 0 or die "cp\n";

# Takes words of the command line and properties of a DoctoredHost; returns a text for each obstacle.
sub found {
    my ($words, %is) = @_;
    my $host     = DoctoredHost->new("$home", words => "-c 1 $words", %is);
    my $context  = $host->context;
    my @findings = UnixBench::Doctor::Command::obstacles_of_context($context, $context->result, $host->findings);
    return [map { said($_) } @findings];
}

sub said {
    my ($finding) = @_;
    chomp(my $text = $finding->{text} =~ s/\Q$home\E/HOME/gr);
    return join ': ', $finding->{kind}, $text, join(q{ }, @{ $finding->{tests} || [] }) || (),
        $finding->{variable} // ();
}

is_deeply(found('pipe shell8 dc fs'), [], 'a complete tree has no obstacles');
is_deeply(
    found('-c 9 pipe', limits => { memory_kb => 9999, cgroup_processes => 1 }),
    [
        'limit: 1 copy needs 9 processes, but the control group allows 1 more: raise its pids.max '
            . '(containers: --pids-limit, systemd: TasksMax)',
        'limit: 9 copies need 17 processes, but the control group allows 1 more: raise its pids.max '
            . '(containers: --pids-limit, systemd: TasksMax)',
        'limit: 9 copies need about 11 MB of memory, but 9999 KB are free: run fewer copies (-c)'
    ],
    'each limit that is exceeded is an obstacle'
);

subtest 'directories are checked, but not made' => sub {
    symlink "$home/nowhere", "$home/link" or die "symlink: $!\n";
    my %cases = (
        "$home/new/and/newer"       => [],
        "$home/pgms/pipe"           => ["can't make directory HOME/pgms/pipe: Not a directory"],
        "$home/pgms/pipe/new/newer" => ["can't make directory HOME/pgms/pipe/new/newer: Not a directory"],
        "$home/link"                => ["can't make directory HOME/link: Not a directory"],
        "$home/link/new"            => ["can't make directory HOME/link/new: Not a directory"],
    );
    for my $path (sort keys %cases) {
        for my $variable (qw(UB_RESULTDIR UB_TMPDIR)) {
            my @expected = map { "directory: $_: $variable" } @{ $cases{$path} };
            is_deeply(found('pipe', env => { $variable => $path }), \@expected, "obstacles for $variable=$path");
        }
    }
    my $why = 'directory: there is no directory HOME/link/new: UB_TESTDIR';
    is_deeply(found('pipe', env => { UB_TESTDIR => "$home/link/new" }),
        [$why], 'a missing input directory is an obstacle');
    mkdir "$home/open" or die "mkdir: $!\n";
    chmod 0777, "$home/open";
    $why = 'unsafe: scratch files are not safe in HOME/open/new: HOME/open can be written to by all users: UB_TMPDIR';
    is_deeply(found('pipe', env => { UB_TMPDIR => "$home/open/new" }),
        [$why], 'an unsafe scratch directory is an obstacle');
    chmod 0777, $home;
    is_deeply(
        found('pipe', env => { UB_TMPDIR => "$home/open/new" }),
        ['open: all users can write to HOME'],
        'a suite that all users can write to is worth a line'
    );
    chmod 0755, $home;
    is_deeply(found('pipe', env => { UB_TESTDIR => '/proc/self' }), [], 'an input directory need not be writable');
    ok(!-e "$home/new", 'no directory is made');
};

subtest 'missing files are obstacles' => sub {
    is_deeply(
        found('dhry2reg pipe syscall'),
        ['program: missing in HOME/pgms: dhry2reg and syscall: dhry2reg syscall'],
        'missing programs are named with their tests'
    );
    is_deeply(found('dhry2reg pipe', found => { why_build => 'dhry2reg is not built' }),
        [], 'a program that will be built is not an obstacle');
    is_deeply(
        found('grep'),
        ['input: missing in HOME/testdir: large.txt: grep'],
        'the text of grep is missing where nothing is built'
    );
    is_deeply(found('grep', found => { why_build => 'x', makes => "$home/testdir/large.txt" }),
        [], 'the build makes the text');
    my %elsewhere = (env => { UB_BINDIR => "$home/src", UB_TESTDIR => "$home/src" });
    is_deeply(
        found('shell1 shell8 dc C grep', %elsewhere, found => { why_build => 'x' }),
        [
            'program: missing in HOME/src: multi.sh: shell1 shell8',
            'input: missing in HOME/src: dc.dat, cctest.c and large.txt: dc C grep',
            "no_index: can't read HOME/src/index.base: No such file or directory; "
                . 'there will be scores, but no indexes'
        ],
        'scripts, input files and the baseline are never built'
    );
};

subtest 'tests that will be skipped are listed by reason' => sub {
    my %no_x11perf = (display => 'virtual', missing => 'x11perf');
    my @skipped    = (
        'skipped: there is no program x11perf; install it: 2d-rects 2d-text',
        'skipped: there is no program ubgears; install the graphics package, or build it: ./Run --setup ubgears:'
            . ' ubgears'
    );
    is_deeply(found('2d-rects pipe ubgears 2d-text', %no_x11perf), \@skipped, 'each reason is listed once');
    is_deeply(
        found('2d-rects', display => undef, missing => 'none'),
        ['skipped: no X display; set DISPLAY or install xvfb: 2d-rects'],
        'graphics tests are skipped without a display'
    );
    is_deeply(
        found('2d-rects ubgears', %no_x11perf, found => { why_build => 'x' }),
        [$skipped[0] =~ s/ 2d-text//r],
        'ubgears is not skipped if it will be built'
    );
    my %named = (missing => { tests => { things => [{ needed_for => 'for 2d-rects 2d-text' }], text => 'x' } });
    is_deeply(found('2d-rects ubgears 2d-text', %no_x11perf, found => \%named),
        [$skipped[1]], 'a program that is already reported as missing is not listed again');
};

is_deeply(
    found('pipe', missing => 'sync'),
    ["no_sync: there is no program sync: file systems can't be flushed before each pass"],
    'a missing sync is an obstacle'
);
is_deeply(found('--quick pipe', missing => 'sync'), [], 'a quick run does not need sync');
is_deeply(
    found('--quick pipe', env => { UB_TIME_FACTOR => 0.5, MULTI_SH_WORK_FACTOR => 2 }),
    ['procedure: changed procedure: passes and pauses shortened to 0.5 of their length; MULTI_SH_WORK_FACTOR is 2'],
    'a changed procedure is an obstacle'
);

my %missing = (tests => { text => 'a' }, run => { text => 'b' }, locale => undef);
is_deeply(
    [
        map { said($_) } UnixBench::Doctor::Command::obstacles_of_preparation(
            { missing => \%missing, refusal => 'c', why_build => 'd' }
        )
    ],
    ['missing_run: b', 'missing_tests: a', 'other_cpu: c', 'build: d'],
    'the findings of a preparation are obstacles'
);

done_testing;
