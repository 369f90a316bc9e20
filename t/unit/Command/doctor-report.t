use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture;
use Golden qw(is_golden no_golden_left_over);

use UnixBench::Command::Doctor::Text;
use UnixBench::Command::Doctor::Wording;
use UnixBench::Plan::Plan;
use UnixBench::Remarks::Disturbances;

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

# Takes findings and other data for Doctor::Text; returns the text.
sub text {
    my ($findings, %more) = @_;
    my $asked = { asked => [qw(pipe syscall 2d-rects)] };
    return UnixBench::Command::Doctor::Text::render(
        {
            findings  => $findings,
            look      => \%QUIET,
            plan      => plan_of(1),
            result    => Fixture::result([], facts => \%FACTS, %$asked),
            notes     => [],
            has_facts => 0,
            %more,
        }
    );
}

my @OBSTACLES = (
    { kind => 'missing_run',    text => 'missing: make (to build); install by: apt-get install -y make (as root)' },
    { kind => 'missing_tests',  text => 'missing: dc (for dc); install by: apt-get install -y dc (as root)' },
    { kind => 'missing_locale', text => 'missing: the locale en_US.utf8 (for the tests, ...)' },
    { kind => 'other_cpu',      text => 'the programs were built for another CPU (a; this is b)' },
    { kind => 'limit',          text => '9 copies need 90 processes: raise it by `ulimit -u 90`' },
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
my @REMARKS = (
    { kind => 'load', load => 1.5, causes => [], weight => 'little' },
    { kind => 'hypervisor', hypervisor => "kvm\e[1m", weight => 'known' },
);
my @BUSIEST = (
    { pid => 4711, name => "worker \xc3\xa9\n\e[2J", cpus => 1.004, is_by_children => !!0 },
    { pid => 9,    name => 'make',                   cpus => 0.26,  is_by_children => !!1 },
);

is_golden('nothing.txt', text([], has_facts => 1));
is_golden('everything.txt',
    text([@OBSTACLES, @TAGS, @REMARKS], look => { %QUIET, busiest => \@BUSIEST }, plan => plan_of(1, 4)));
is_golden('part-of-perl.txt', UnixBench::Command::Doctor::Text::render({ findings => [$OBSTACLES[0]] }));

# The first line of the text => kinds of findings.
my %VERDICTS = (
    'Nothing was found here that would prevent or disturb this run.'                => [],
    '1 thing here would prevent this run.'                                          => [qw(missing_run)],
    '2 things here would prevent this run and 1 would limit what it tells.'         => [qw(limit procedure other_cpu)],
    '1 thing here would limit what this run tells and 1 would disturb it a little.' => [qw(no_index no_sync)],
);
for my $verdict (sort keys %VERDICTS) {
    my @findings = map { +{ kind => $_, text => 'x' } } @{ $VERDICTS{$verdict} };
    is((split /\n/, text(\@findings))[0], $verdict, "the first line is: $verdict");
}
like(
    text([@TAGS[0, 1]]),
    qr/\A1 thing here would disturb this run and 1 would disturb it a little[.]\n/,
    'disturbances and small disturbances are counted separately'
);
like(
    text([@TAGS[1, 3], $REMARKS[0]]),
    qr/\A1 thing here would disturb this run[.]\n/,
    'findings about load are counted once, by the worst'
);
like(
    text([$REMARKS[1]]),
    qr/\ANothing was found .*^Nothing disturbs now/ms,
    'a known property of the machine is not a disturbance'
);

my $unseen = text([], look => { %QUIET, is_possible => 0 });
like(
    $unseen,
    qr/^What disturbs now [(]looked at for 2[.]5 s[)]\n   What else goes on is not known/m,
    'the text says that nothing is known without /proc'
);
like(
    text([$TAGS[1]]),
    qr/^      None of them is seen from here/m,
    'the text says that the processes of the load are not visible'
);
unlike(text([$REMARKS[0]], look => { %QUIET, busiest => \@BUSIEST }),
    qr/4711/, 'past load is not blamed on the processes that are busy now');

# Every cause has words, and other programs do not take them for a line of a report.
for my $kind (@UnixBench::Remarks::Disturbances::CAUSES) {
    my $words = UnixBench::Command::Doctor::Wording::of({ kind => $kind, worst => 0.5, weight => 'little' });
    is(scalar(grep { defined && /\A[A-Z0-9].*[.]\z/s } @$words{qw(seen why advice)}), 3, "$kind has three sentences");
}
my $all = text([@OBSTACLES, @TAGS, @REMARKS], has_facts => 1, look => { %QUIET, busiest => \@BUSIEST });
is(join("\n", grep { length > 100 } split /\n/, $all), q{}, 'no line is longer than 100 columns');
unlike($all, qr/[^\x20-\x7e\n\xc3\xa9]/, 'all characters are printable');
unlike($all, qr/x(?:73|20)\b/,           'no phrase had to be escaped');

no_golden_left_over();
done_testing;
