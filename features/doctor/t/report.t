use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture;
use Golden qw(is_golden no_golden_left_over);

use UnixBench::Doctor::Text;
use UnixBench::Plan::Plan;

my $COMMAND_LINE = join q{ }, map { "option.number$_=" . 'x' x $_ } 1 .. 20;
my %FACTS        = (
    load    => [0, 0.08, 0.91],
    kernel  => { command_line => $COMMAND_LINE, mitigations => { meltdown => 'Not affected' } },
    memory  => { total_kb     => 16_000_000 },
    scratch => { file_system  => "ext4\e[31m" },
);
my %QUIET = (looked_s => 2.504, is_possible => 1, tags => [], busiest => []);

sub plan_of {
    my (@copies) = @_;
    return UnixBench::Plan::Plan::make(
        copies   => \@copies,
        tests    => [qw(pipe syscall 2d-rects)],
        factor   => 1,
        words    => { bindir => '/b', tmpdir => '/t' },
        is_there => sub { $_[0] ne 'x11perf' },
        display  => undef,
    );
}

# Takes findings and other data for Doctor::Text, and perhaps columns, the width of a terminal; returns the text.
sub text {
    my ($findings, %more) = @_;
    my $columns = delete $more{columns};
    my $asked   = { asked => [qw(pipe syscall 2d-rects)] };
    return UnixBench::Doctor::Text::render(
        {
            findings  => $findings,
            look      => \%QUIET,
            plan      => plan_of(1),
            result    => Fixture::result([], facts => \%FACTS, %$asked),
            notes     => [],
            has_facts => 0,
            %more,
        },
        $columns
    );
}

my @OBSTACLES = (
    { kind => 'missing_run',    text => 'missing: make (to build); install with: apt-get install -y make (as root)' },
    { kind => 'missing_tests',  text => 'missing: dc (for dc); install with: apt-get install -y dc (as root)' },
    { kind => 'missing_locale', text => 'the locale en_US.utf8 is missing: the shell tests will run in ASCII' },
    { kind => 'other_cpu',      text => 'the programs were built for another CPU (a; this is b)' },
    { kind => 'limit',          text => '9 copies need 90 processes: raise it with `ulimit -u 90`' },
    { kind => 'limit',          text => 'files need about 16 MB in UB_TMPDIR (/t)' },
    { kind => 'directory',      text => "can't make directory /r: Permission denied", variable => 'UB_RESULTDIR' },
    { kind => 'program',        text => 'missing in /b: pipe and syscall',            tests    => [qw(pipe syscall)] },
    { kind => 'input',          text => 'missing in /i: dc.dat',                      tests    => ['dc'] },
    { kind => 'skipped',        text => 'there is no program x11perf; install it',    tests    => [qw(a b c d e)] },
    { kind => 'no_index',  text => "can't read /b/index.base: No such file; there will be scores, but no indexes\n" },
    { kind => 'no_sync',   text => "there is no program sync\n" },
    { kind => 'procedure', text => 'changed procedure: index.base is edited' },
    { kind => 'build',     text => 'pipe is not built' },
);
my @TAGS = (
    { kind => 'steal',       worst => 0.061, weight => 'disturbs' },
    { kind => 'others',      worst => 0.04,  weight => 'little' },
    { kind => 'swap',        worst => 3,     weight => 'little' },
    { kind => 'run_queue',   worst => 2,     weight => 'disturbs' },
    { kind => 'pressure_io', worst => 0.2,   weight => 'disturbs' },
);
my @WARNINGS = (
    { kind => 'load', load => 1.5, causes => [], weight => 'little' },
    { kind => 'hypervisor', hypervisor => "kvm\e[1m", weight => 'known' },
);
my @BUSIEST = (
    { pid => 4711, name => "worker \xc3\xa9\n\e[2J", cpus => 1.004, is_by_children => !!0 },
    { pid => 9,    name => 'make',                   cpus => 0.26,  is_by_children => !!1 },
);

is_golden('nothing.txt', text([], has_facts => 1));
is_golden('everything.txt',
    text([@OBSTACLES, @TAGS, @WARNINGS], look => { %QUIET, busiest => \@BUSIEST }, plan => plan_of(1, 4)));
is_golden('part-of-perl.txt', UnixBench::Doctor::Text::render({ findings => [$OBSTACLES[0]] }));

# The last line of the text => kinds of findings.
my %VERDICTS = (
    'No problem was found.'                                     => [],
    '1 problem: missing software, which prevents the run.'      => [qw(missing_run)],
    '2 problems: no index, changed procedure.'                  => [qw(no_index procedure)],
    '2 problems: limits of the system, which prevents the run.' => [qw(limit limit)],
    '1 problem: no index. Minor: no program sync.'              => [qw(no_index no_sync)],
    'No problem was found. Minor: no program sync.'             => [qw(no_sync)],
    '3 problems: limits of the system, programs of another CPU, which prevent the run; changed procedure.' =>
        [qw(limit procedure other_cpu)],
);
for my $verdict (sort keys %VERDICTS) {
    my @findings = map { +{ kind => $_, text => 'x' } } @{ $VERDICTS{$verdict} };
    is((split /\n/, text(\@findings) =~ s/\n {2}(?=\S)/ /gr)[-1], $verdict, "the last line is: $verdict");
}
like(text([@TAGS[0, 1]]), qr/^1 problem: steal[.] Minor: other load[.]\n\z/m, 'a small disturbance is minor');
like(
    text([@TAGS[1, 3], $WARNINGS[0]]),
    qr/^   Other load: load average 1[.]50, 0[.]04 CPUs used, 2 processes waited[.]\n.*^1 problem: other load[.]\n\z/ms,
    'findings about load are counted once, by the worst'
);
like(
    text([$WARNINGS[1]]),
    qr/^No disturbance [(]observed for 2[.]5 s[)][.]\n\nNo problem was found[.]\n\z/m,
    'a known property of the machine is not a disturbance'
);

my $unseen = text([], look => { %QUIET, is_possible => 0 });
like(
    $unseen,
    qr/^Disturbances [(]observed for 2[.]5 s[)]\n   Other load is unknown: this system has no \/proc\/stat[.]\n/m,
    'the text says that other load is unknown without /proc/stat'
);
like(
    text([$TAGS[1]]),
    qr/^      They could not be identified: they end too soon, or are hidden[.]$/m,
    'the text says that the processes of the load could not be identified'
);
unlike(text([$WARNINGS[0]], look => { %QUIET, busiest => \@BUSIEST }),
    qr/4711/, 'past load is not blamed on the processes that are busy now');

# [weights of findings, whether they are a problem].
my @PROBLEMS = (
    [[]                          => 0, 'no finding'],
    [['known']                   => 0, 'a known property of the machine'],
    [['little']                  => 0, 'a minor disturbance'],
    [[qw(little known)]          => 0, 'both of them'],
    [['prevents']                => 1, 'a finding that prevents the run'],
    [['limits']                  => 1, 'a finding that limits the result'],
    [['disturbs']                => 1, 'a disturbance'],
    [[qw(known little disturbs)] => 1, 'a disturbance after others'],
);
subtest 'a terminal has its own width' => sub {
    my $whole = text(\@OBSTACLES, has_facts => 1);
    for my $columns (60, 80, 100) {
        my $text = text(\@OBSTACLES, has_facts => 1, columns => $columns);
        is_deeply([grep { length > $columns } split /\n/, $text], [], "no line is longer than $columns columns");
        next if $columns < 80;    # a fact has longer words
        my @words = map { join q{ }, split } $text, $whole;
        is($words[0], $words[1], "$columns columns: no word is lost or broken");
    }
};

subtest 'has_problem returns whether a finding is more than a minor disturbance' => sub {
    for my $case (@PROBLEMS) {
        my ($weights, $is_problem, $what) = @$case;
        my @findings = map { +{ kind => 'steal', worst => 0.1, weight => $_ } } @$weights;
        my $seen     = { findings => \@findings, look => \%QUIET };
        is(!!UnixBench::Doctor::Text::has_problem($seen), !!$is_problem, $what);
    }
    my %of_kind = (missing_run => 1, missing_tests => 1, build => q{}, no_sync => q{});
    is(!!UnixBench::Doctor::Text::has_problem({ findings => [{ kind => $_, text => 'x' }] }),
        !!$of_kind{$_}, "an obstacle of the kind $_")
        for sort keys %of_kind;
    my $load = { findings => [@TAGS[1, 3], $WARNINGS[0]], look => \%QUIET };
    ok(UnixBench::Doctor::Text::has_problem($load), 'several findings about load weigh as the worst of them');
    ok(!UnixBench::Doctor::Text::has_problem({ %$load, findings => [$TAGS[1], $WARNINGS[0]] }),
        'without the worst of them, they are a minor disturbance');
};

my $all = text([@OBSTACLES, @TAGS, @WARNINGS], has_facts => 1, look => { %QUIET, busiest => \@BUSIEST });
is(join("\n", grep { length > 100 } split /\n/, $all), q{}, 'no line is longer than 100 columns');
unlike($all, qr/[^\x20-\x7e\n\xc3\xa9]/, 'all characters are printable');
unlike($all, qr/x(?:73|20)\b/,           'no phrase had to be escaped');

no_golden_left_over();
done_testing;
