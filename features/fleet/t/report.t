# The reports of a fleet. To record them again: UB_RECORD=1 prove -Ilib features/fleet/t/report.t

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../accept/lib ../../accept/t/lib ../../../t/lib);
use Gallery::Fleets                qw(fleet_lists host_of hosts_of list_of measured);
use Golden                         qw(is_golden no_golden_left_over);
use Machines                       qw(hostile);
use Fixture                        qw(unstyled);
use Validator                      qw(are_valid_json);
use ValidMarkdown                  qw(are_valid_markdown);
use ValidPage                      qw(is_valid_page);
use UnixBench::Check::VerdictFile;
use UnixBench::Fleet::Report;
use UnixBench::Fleet::Wording qw(headline);
use UnixBench::Report::Plain;
use UnixBench::Store::ClassicReport;

my %list = fleet_lists();

# Takes the name of a list and a kind; returns the report.
sub report { my ($name, $kind) = @_; return UnixBench::Fleet::Report::in_format($list{$name}, $kind) }

# Takes the name of a list and a number of columns; returns the lines on such a terminal.
sub on_terminal {
    my ($name, $columns) = @_;
    my $report = UnixBench::Fleet::Report::report_of($list{$name});
    return split /\n/, UnixBench::Report::Plain::render($report, 0, { columns => $columns }), -1;
}

is_golden('mixed.txt',  report('mixed', 'text'));
is_golden('mixed.json', report('mixed', 'json'));
like(report('kinds', 'text'), qr/^A[.] 4 x AMD EPYC 7763 .*, official +8 +930[.]5  928[.]2 to 933[.]8$/m, 'kinds');
like(report('kinds', 'text'), qr/^a8 +788[.]2 +1[.]2 % +-15[.]3 %  A +slow /m, 'a slow host of one');

# The page and Markdown have the same blocks, and titles instead of the first line.
my $page     = unstyled(report('mixed', 'html'));
my @SECTIONS = ('Kinds of hosts', 'Not accepted', 'System Benchmarks index (partial), 1 copy');
my @HOSTS    = qw(slow crashed broken gone small open busy later fast node3 node2 node1);
my $titles   = qr{<title>UnixBench fleet, 12 hosts: 4 PASS, .*<h1>UnixBench fleet, 12 hosts: 4 PASS, }s;
like($page, $titles, 'a page has a title');
is_deeply([$page =~ m{<h2>(.*?)</h2>}g],             \@SECTIONS, '... sections');
is_deeply([$page =~ m{<th scope="row">(\w+)(?=<)}g], \@HOSTS,    '... a row for each host');
my $legend = qr{<summary>How to read this page</summary>\n<p>[+]-: .*</p>\n<p>slow, fast: .*</p>\n<p>z: };
like($page, $legend, '... and how to read it');
like(report('mixed', 'markdown'),
    qr/\A## UnixBench fleet, 12 hosts: 4 PASS, .*\n\nUnixBench \S+, fleet\n\n[*][*]Kinds of hosts[*][*]\n/, 'Markdown');
are_valid_markdown(map { $_ => report($_, 'markdown') } qw(mixed hostile));

for my $name (sort keys %list) {
    my $text = report($name, 'text');
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters");
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    is_valid_page($name, report($name, 'html'));
    for my $columns (40, 80, 132) {
        my @lines = on_terminal($name, $columns);
        is_deeply([grep { length > $columns && / \S/ && !m{^Next +[.]/Run } } @lines], [], "$name: the columns");
        my ($block) = join("\n", @lines) =~ /\n\n(UnixBench .*)\z/s;
        like($block // q{}, qr/\AUnixBench \S+, fleet\nVerdict +\S.*^Next +\S[^\n]*\n(?: [^\n]*\n)*\z/ms, "the block");
    }
}

subtest 'the first line' => sub {
    my @hosts  = map { host_of($_ => $_) } qw(PASS FAIL INCONCLUSIVE failed unreachable refused running untried);
    my %of     = map { $_->{host} => { is => 'slow' } } @hosts[0 .. 2];
    my $counts = '8 hosts: 1 PASS, 1 FAIL, 1 INCONCLUSIVE, 5 not measured; 3 slow';
    is(headline({ hosts => \@hosts, of => \%of, is_compared => 1 }), $counts, 'has the number of each outcome');
};

subtest 'the next step' => sub {
    my $loaded = measured(loaded => 0.5);
    $loaded->{readings}{1}{is_disturbed} = 1;
    my @usual = hosts_of(m => [1, 1.001, 1.003]);
    my %step  = (
        './Run compare node1.json slow.json'              => $list{mixed},
        './Run compare a1.json a8.json'                   => $list{kinds},
        'stop other load there, and measure again'        => list_of(@usual, $loaded),
        'add --html fleet.html for a page with all hosts' => list_of(@usual),
        q{./Run compare m1.json 'a b'}                    => list_of(@usual, measured(slow => 0.5, file => 'a b')),
    );
    for my $next (sort keys %step) {
        local $list{this} = $step{$next};
        is((map { /^Next +(.*)/ ? $1 : () } on_terminal('this', 80))[0], $next, $next);
    }
};

subtest 'JSON' => sub {
    my ($slow) = grep { $_->{host} eq 'slow' } @{ JSON::PP->new->decode(report('mixed', 'json'))->{hosts} };
    is($slow->{is}, 'slow', 'a host that is slow');
    my $lost = JSON::PP->new->latin1->decode(report('lost', 'json'));
    is($lost->{hosts}[0]{reason}, hostile() =~ s/\xff/\\xff/r, 'a hostile text is read back');
    are_valid_json(fleet => map { $_ => report($_, 'json') } keys %list);
};

subtest 'a file of verdicts has a block for each host' => sub {
    my @blocks = UnixBench::Check::VerdictFile::blocks(report('mixed', 'verdict'));
    my $why    = 'pipe>=900000 (1 copy): ';
    my @wanted = (
        (map { ["node$_" => 'pass', qr/\Aall requirements are met\z/] } 1 .. 3),
        [slow    => 'fail',         qr/\A\Q$why\E.*, at most [\d.]+\z/],
        [open    => 'inconclusive', qr/\A\Q$why\E/],
        [fast    => 'pass',         qr/\Aall requirements are met\z/],
        [broken  => 'unknown',      qr/\Afailed: "Pipe Throughput": exit status 3\z/],
        [gone    => 'unknown',      qr/\Aunreachable: No route to host[.]\z/],
        [small   => 'unknown',      qr/\Arefused: no reason is given\z/],
        [later   => 'unknown',      qr/\Auntried: The machine was not tried[.]\z/],
        [busy    => 'unknown',      qr/\Arunning: the run has not ended yet\z/],
        [crashed => 'fail',         qr/\A"Pipe Throughput": killed by SIGSEGV\z/],
    );
    is_deeply([map { [@$_{qw(host state)}] } @blocks], [map { [@$_[0, 1]] } @wanted], 'each has its state');
    like($blocks[$_]{reason}, $wanted[$_][2], "$wanted[$_][0]: the reason") for 0 .. $#wanted;
    is($blocks[0]{ended}, 1_795_140_750, 'a measured host has the time of its run');
    cmp_ok(abs($blocks[-1]{ended} - time), '<', 60, 'a host without a result has the time of the report');
    my ($one) = UnixBench::Check::VerdictFile::blocks(report('one', 'verdict'));
    is_deeply([@$one{qw(state reason)}], ['unknown', 'there is no requirement'], 'without requirements no host passes');
};

no_golden_left_over();
done_testing();
