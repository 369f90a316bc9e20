# The reports of all hosts of a fleet. To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use File::Temp ();
use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../accept/lib ../../accept/t/lib ../../../t/lib);
use FleetLists                     qw(fleet_lists hostile);
use Golden                         qw(is_golden no_golden_left_over);
use Needs                          qw(skip_without);
use ReadJUnit                      qw(is_valid);
use Rendered                       qw(unstyled);
use Validator                      qw(complaints_about why_no_validator);
use ValidPage                      qw(is_valid_page);
use UnixBench::Base::Files;
use UnixBench::Accept::VerdictFile;
use UnixBench::Fleet::Report;
use UnixBench::Store::ClassicReport;

my %list   = fleet_lists();
my %SUFFIX = (text => 'txt', html => 'html', markdown => 'md', json => 'json', junit => 'xml');

# Takes the name of a list and a kind; returns the report.
sub report {
    my ($name, $kind) = @_;
    return UnixBench::Fleet::Report::in_format($kind, $list{$name});
}

for my $name (sort keys %list) {
    my $text = report($name, 'text');
    is_golden("$name.txt", $text) if $name ne 'bare';
    if ($name eq 'mixed') {
        is_golden("$name.$SUFFIX{$_}", report($name, $_)) for qw(markdown json junit);
        is_golden("$name.html",        unstyled(report($name, 'html')));
    }
    is_valid_page($name, report($name, 'html'));
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    unlike($text, qr/Index Score/,                           "$name: no line of the text is taken for a score");
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
}

subtest 'hosts that are not accepted come first, and each host once' => sub {
    my ($hosts) = split /^More than one try$/m, report('mixed', 'text');
    my @titles  = ('Not accepted', 'System Benchmarks index (partial), 1 copy', 'Not measured yet');
    is_deeply(
        [
            grep {
                my $line = $_;
                grep { $_ eq $line } @titles
            } split /\n/,
            $hosts
        ],
        \@titles,
        'the tables'
    );
    for my $host (map { $_->{name} } @{ $list{mixed}{hosts} }) {
        is(scalar(() = $hosts =~ /^(?:[0-9]+[.] )?$host /mg), 1, "$host has one row");
    }
};

subtest 'a host without a value is at the end of the ranking' => sub {
    my %more = (%{ $list{mixed} }, hosts => [map { @{ $list{$_}{hosts} } } qw(mixed bare)]);
    like(
        UnixBench::Fleet::Report::in_format('text', \%more),
        qr/^3[.] node1 .*\nbare +measured\n   it has no index\n\nNot measured yet$/m,
        'it has its outcome and the reason'
    );
};

subtest 'a long ranking ends with the number of the other machines' => sub {
    my %long = (%{ $list{mixed} }, rest => 'in fleet.txt');
    my $cut  = UnixBench::Fleet::Report::in_format('text', { %long, most => 1 });
    like(
        $cut,
        qr/^2[.] node2 .*\n\n1 more machine: in fleet[.]txt\n\nNot measured yet$/m,
        'the second of two is left out'
    );
    like($cut, qr/^busy .*\n.*\n\n1 more machine: in fleet[.]txt\n/m,            'and one of two that are due');
    like($cut, qr/^Not accepted\n(?:.*\n)*5[.] again .*\n(?:.*\n)*1[.] node3 /m, 'failures are not left out');
    is(UnixBench::Fleet::Report::in_format('text', { %long, most => 2 }), report('mixed', 'text'), 'two of two');
    is(UnixBench::Fleet::Report::in_format('html', { %long, most => 1 }), report('mixed', 'html'), 'a page has all');
};

subtest 'the JSON of every fleet is valid' => sub {
    my $why_not = why_no_validator();
    skip_without(@$why_not) if $why_not;
    my $place = File::Temp->newdir;
    my @names = sort keys %list;
    UnixBench::Base::Files::write_whole("$place/$_.json", report($_, 'json')) for @names;
    my @complaints = complaints_about('fleet', map { "$place/$_.json" } @names);
    is($complaints[$_], q{}, "$names[$_]: valid") for 0 .. $#names;
};

subtest 'JSON has all hosts' => sub {
    my $mixed = JSON::PP->new->decode(report('mixed', 'json'));
    is_deeply([@$mixed{qw(format schema)}], ['unixbench-fleet', 1], 'the format is named');
    is_deeply(
        [
            map { join q{ }, $_->{host}, $_->{verdict} // $_->{outcome}, $_->{accepted} ? 'accepted' : () }
                @{ $mixed->{hosts} }
        ],
        [
            'node1 PASS accepted',
            'node2 PASS accepted',
            'node3 PASS',
            'slow FAIL',
            'again FAIL',
            'open INCONCLUSIVE',
            'broken failed',
            'gone unreachable',
            'small refused',
            'later untried',
            'busy running',
            'crashed FAIL',
        ],
        'each host has its outcome'
    );
    local $list{mixed}{fleet}{named}[0]{findings}[0]{is} = 'doubtful';
    my ($slow) = grep { $_->{host} eq 'slow' } @{ JSON::PP->new->decode(report('mixed', 'json'))->{hosts} };
    is_deeply([map { $_->{is} } @{ $slow->{findings} }], ['not reliable'], 'a finding has the word of the report');
    my $lost = JSON::PP->new->latin1->decode(report('lost', 'json'));
    is($lost->{hosts}[0]{reason}, hostile() =~ s/\xff/\\xff/r, 'a hostile text is read back');
};

subtest 'JUnit has a suite for each host' => sub {
    is_valid(report($_, 'junit'), $_) for sort keys %list;
    my $xml = report('mixed', 'junit');
    is_deeply(
        [$xml =~ /<testsuite [^>]*name="([^"]+)"/g],
        [qw(node1 node2 node3 slow again open broken gone small later busy crashed)],
        'in the order of the report'
    );
    my %seen;
    my @twice = grep { $seen{$_}++ } $xml =~ /<testcase (classname="[^"]*" name="[^"]*")/g;
    is_deeply(\@twice, [], 'no two cases have the same class and name');
};

subtest 'a file of verdicts has a block for each host' => sub {
    my @blocks = UnixBench::Accept::VerdictFile::blocks(report('mixed', 'verdict'));
    my $why    = 'pipe>=900000 (1 copy): ';
    my %wanted = (
        (map { $_ => ['pass', qr/\Aall requirements are met\z/] } qw(node1 node2)),
        node3   => ['inconclusive', qr/\Anot measured together, failed: The time limit is over[.]\z/],
        slow    => ['fail',         qr/\A\Q$why\E.*; below the limit; slow\z/],
        again   => ['fail',         qr/\A\Q$why\E.*; below the limit\z/],
        open    => ['inconclusive', qr/\A\Q$why\E/],
        broken  => ['unknown',      qr/\Afailed: "Pipe Throughput": exit status 3\z/],
        gone    => ['unknown',      qr/\Aunreachable: No route to host[.]\z/],
        small   => ['unknown',      qr/\Arefused: no reason is given\z/],
        later   => ['unknown',      qr/\Auntried: The machine was not tried[.]\z/],
        busy    => ['unknown',      qr/\Arunning: the run has not ended yet\z/],
        crashed => ['fail',         qr/\A"Pipe Throughput": killed by SIGSEGV\z/],
    );
    is_deeply(
        [map { $_->{host} } @blocks],
        [qw(node1 node2 node3 slow again open broken gone small later busy crashed)],
        'all hosts'
    );
    for my $block (@blocks) {
        my ($state, $reason) = @{ $wanted{ $block->{host} } };
        is($block->{state}, $state, "$block->{host}: the state");
        like($block->{reason}, $reason, "$block->{host}: the reason");
    }
    is($blocks[0]{ended}, 1_795_140_750, 'a measured host has the time of its run');
    cmp_ok(abs($blocks[-1]{ended} - time), '<', 60, 'a host without a result has the time of the report');
    my ($one) = UnixBench::Accept::VerdictFile::blocks(report('one', 'verdict'));
    is_deeply([@$one{qw(state reason)}], ['unknown', 'there is no requirement'], 'without requirements no host passes');
};

no_golden_left_over();
done_testing();
