# Reports on a terminal: lines have its width, and a block is at the end.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use FleetLists                     qw(fleet_lists);
use Fleets                         qw(fleets);
use UnixBench::Fleet::Report;
use UnixBench::Report::Plain;

my %fleet  = fleets();
my %list   = fleet_lists();
my %report = (
    (map { ; "fleet $_" => UnixBench::Fleet::Report::report_of({ fleet => $fleet{$_} }) } keys %fleet),
    (map { ; "list $_"  => UnixBench::Fleet::Report::report_of($list{$_}) } keys %list),
);

# Takes a report and a number of columns; returns its lines on such a terminal.
sub on_terminal {
    my ($report, $columns) = @_;
    return split /\n/, UnixBench::Report::Plain::render($report, 0, { columns => $columns }), -1;
}

for my $columns (40, 60, 80, 100, 132) {
    for my $name (sort keys %report) {
        my @lines = on_terminal($report{$name}, $columns);
        is_deeply([grep { length > $columns && / \S/ } @lines], [], "$name: no line is longer than $columns columns");
        my ($block) = join("\n", @lines) =~ /\n\n(UnixBench .*)\z/s;
        like(
            $block // q{},
            qr/\AUnixBench \S+, fleet\nVerdict +\S.*^Next +\S[^\n]*\n(?: [^\n]*\n)*\z/ms,
            "$name: a block is at the end"
        );
        is_deeply([grep { length > 72 } split /\n/, $block // q{}], [], "$name: it has at most 72 columns");
    }
}

subtest 'the block of a fleet' => sub {
    my $odd = join "\n", on_terminal($report{'fleet odd'}, 80);
    like(
        $odd,
        qr/^Verdict    20 machines: 1 slow, 1 fast, 1 noisy\nHosts      m004: slow: /m,
        'the slow host comes first'
    );
    like($odd, qr{^Next       ./Run compare m[0-9]+[.]json m004[.]json\n\z}m, 'it is compared with a usual one');
    like(
        join("\n", on_terminal($report{'fleet quiet'}, 80)),
        qr/^Next       add --html fleet[.]html for a page /m,
        'no outlier'
    );
    like(
        join("\n", on_terminal($report{'list mixed'}, 80)),
        qr/^Next       measure node3, broken, gone and [0-9]+ others$/m,
        'hosts that were not measured'
    );
};

done_testing;
