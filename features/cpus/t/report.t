use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../lib ../../../t/lib);
use Golden                         qw(is_golden no_golden_left_over);
use MadeUpCpus                     qw(found_of topology_of);
use UnixBench::Base::ResultSchema  ();
use UnixBench::Base::JSON          ();
use UnixBench::Base::Shape         ();
use UnixBench::Cpus::Report        ();
use ValidMarkdown                  qw(are_valid_markdown);
use ValidPage                      qw(is_valid_page);
use Validator                      qw(are_valid_json);

# The report of machines that are made up, as text, page, Markdown and JSON.

srand 1;
$ENV{TZ} = 'UTC';

my $THREADS = topology_of([map { +{ core => $_ % 4 } } 0 .. 7]);
my $CORES   = topology_of([map { +{} } 0 .. 7]);
my @FOUR    = (core_of => sub { $_[0] % 4 });
my @TAKEN   = (taken   => [[0.01, 0.003], [0.05, 0.0032], [0.12, 0.008]]);

# Takes a topology and what the machine is in truth; returns the report.
sub report_of {
    my ($topology, %truth) = @_;
    my $found = found_of($topology, %truth);
    $_->{index}   = $_->{rate}{value} / 4000 * 10 for @{ $found->{places} };
    $found->{own} = $truth{own};
    return {
        host    => 'vm',
        model   => 'CPU',
        started => 1_796_083_200,
        seconds => 55,
        page    => 'results/vm.html',
        cpus    => $found
    };
}

my %OWN = (result => 'vm{02}', index => 128, place => 'two cores', system => 1545, other => 'same CPU', would => 1840);
my @MIXED  = ((map { +{ capacity => 1024 } } 0 .. 3), map { +{ capacity => 500 } } 4 .. 7);
my %REPORT = (
    threads => report_of($THREADS, @FOUR, @TAKEN, own => \%OWN, speed_of => sub { $_[0] == 3 ? 0.97 : 1 }),
    cores   => report_of($CORES),
    hidden  => report_of($CORES, @FOUR),
    false   => report_of($THREADS,             turbo    => 1.2),
    kinds   => report_of(topology_of(\@MIXED), speed_of => sub { $_[0] < 4 ? 1 : 0.6 }),
    two   => report_of(topology_of([{}, {}])),
    one   => report_of(topology_of([({ core => 0 }) x 2]), core_of => sub { 0 }),
    four  => report_of(topology_of([({ core => 0 }) x 4]), core_of => sub { 0 }),
    three => report_of(topology_of([map { +{ core => int($_ / 2) } } 0 .. 5]), core_of => sub { int($_[0] / 2) }),
    limit => report_of($CORES, most => 2, taken => [[0, 0.1]], quota => { quota_run_s => 0.2, quota_period_s => 0.1 }),
    turbo => report_of($THREADS, @FOUR, turbo => 1.2),
    noisy => report_of($THREADS, noise => sub { $_[0] % 2 ? 2 : 0.5 }),
    quota => report_of(
        topology_of([{}, {}]),
        taken => [[0.005, 0.075], [0.085, 0.075], [0.165, 0.03]],
        quota => { quota_run_s => 0.005, quota_period_s => 0.08 }
    ),
);
my (%markdown, %json);
my $shape = UnixBench::Base::ResultSchema::shape('cpus');
for my $name (sort keys %REPORT) {
    is_valid_page($name, UnixBench::Cpus::Report::in_format($REPORT{$name}, 'html'));
    $markdown{$name} = UnixBench::Cpus::Report::in_format($REPORT{$name}, 'markdown');
    $json{$name}     = UnixBench::Cpus::Report::in_format($REPORT{$name}, 'json');
    is(UnixBench::Base::Shape::difference(UnixBench::Base::JSON::decode($json{$name}), $shape), undef, "$name: JSON");
}
are_valid_json(cpus => %json);
are_valid_markdown(%markdown);

# A report whose lines are recorded as a whole, and of each other what only it says. Places are measured in all alike.
my %seen;
my $said = q{};
for my $name (sort { ($b eq 'threads') <=> ($a eq 'threads') || $a cmp $b } keys %REPORT) {
    my $text = UnixBench::Cpus::Report::in_format($REPORT{$name}, 'text');
    $text =~ s/^Switching .*?(?=^\w)//ms if $name !~ /threads|noisy/;
    $said .= join q{}, "$name\n", grep { !$seen{$_}++ } $text =~ /^\w.*\n(?: .*\n)*/mg;
}
is_golden('machines.txt', $said);
is_golden('narrow.txt',   UnixBench::Cpus::Report::in_format($REPORT{threads}, 'text', { columns => 60 }));

# Other processes that used most of the CPUs leave the kinds open, and no requirement follows.
my $loud = report_of(topology_of(\@MIXED), speed_of => sub { $_[0] < 4 ? 1 : 0.6 });
for my $case ([0.25 => qr/^Kinds +2; .*^Next +\S*Run --require /ms],
    [0.26 => qr/^Kinds +not determined: .*Run doctor$/ms])
{
    my ($others, $says) = @$case;
    $loud->{cpus}{taken}{others} = $others;
    like(UnixBench::Cpus::Report::in_format($loud, 'text'), $says, "other processes used $others of the time");
}
@{ $loud->{cpus}{taken} }{qw(stolen rest)} = (0.1, 0.3);
my $warning = qr/^Warning +the host took 40[.]0 % of the time: /m;
like(UnixBench::Cpus::Report::in_format($loud, 'text'), $warning,                   'steal, and what is unexplained');
like(UnixBench::Cpus::Report::in_format($loud, 'text'), qr/^Next +\S*Run doctor$/m, 'nor of those that all cause');
$loud->{cpus}{taken}{others} = 0;
like(UnixBench::Cpus::Report::in_format($loud, 'text'), qr/^Next +\S*Run --over 24h$/m, 'which needs a day');

$loud->{cpus}{taken}{others} = undef;
my $of_unknown = qr/^Warning +the host or other processes took 30[.]0 % of the time: /m;
like(UnixBench::Cpus::Report::in_format($loud, 'text'),
    $of_unknown, 'without /proc, what is unexplained has no culprit');

subtest 'the page' => sub {
    my $page = UnixBench::Cpus::Report::in_format($REPORT{threads}, 'html');
    like($page, qr/<h2>$_/, "the section: $_")
        for 'Each CPU alone', 'Times against copies', 'Context switches', 'Taken time';
    is(scalar(() = $page =~ /<th scope="row">CPU [0-7]</g), 8, 'a row for each CPU');
    like($page, qr/vertical line is vm[{]02[}]/, 'the newest result is a line');
    my $kinds = UnixBench::Cpus::Report::in_format($REPORT{kinds}, 'html');
    is(scalar(() = $kinds =~ /class="point slower"/g), 4, 'the CPUs of another kind have another colour');
    unlike(UnixBench::Cpus::Report::in_format($REPORT{cores}, 'html'), qr/<h2>Taken/, 'pieces alone have one');
};

no_golden_left_over();
done_testing;
