# The text of doctor. To record it again: UB_RECORD=1 prove -Ilib features/doctor/t/report.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        ();
use Golden                         qw(is_golden no_golden_left_over);
use PlantedCause                   ();
use UnixBench::Doctor::Text;

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
my %ALL = (look => { %QUIET, busiest => \@BUSIEST }, facts_of => Fixture::result([], facts => \%FACTS));

my $all = text([@OBSTACLES, @TAGS, @WARNINGS], %ALL);
is_golden('everything.txt', $all);
for my $columns (60, 100) {
    my $text = text([@OBSTACLES, @TAGS, @WARNINGS], %ALL, columns => $columns);
    is_deeply([grep { length > $columns } split /\n/, $text], [], "no line is longer than $columns columns");
}
unlike($all, qr/[^\x20-\x7e\n\xc3\xa9]|x(?:73|20)\b/, 'all characters are printable, and no phrase was escaped');

# [what, text, whether it is a problem, findings, look].
my @CASES = (
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
for my $case (@CASES) {
    my ($what, $text, $is_problem, $findings, %more) = @$case;
    like(text($findings, %more), $text, $what);
    my $has = UnixBench::Doctor::Text::has_problem({ findings => $findings, look => \%QUIET, %more });
    is(!!$has, !!$is_problem, "$what: whether it is a problem");
}

no_golden_left_over();
done_testing;
