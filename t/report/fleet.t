# The reports of a fleet. blocks.t records the blocks of its page.
# To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fleets    qw(fleets);
use Golden    qw(is_golden no_golden_left_over);
use ValidPage qw(is_valid_page);
use Rendered  qw(fleet_as);
use UnixBench::Store::ClassicReport;

my %fleet = fleets();

for my $name (sort keys %fleet) {
    my $text = fleet_as(text => $fleet{$name});
    is_golden("fleet-$name.txt", $text);
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    unlike(
        $text,
        qr/Index Score|Benchmark Run|of tests|parallel cop|lps/,
        "$name: no text that scripts take for a report"
    );
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    is_valid_page($name, fleet_as(html => $fleet{$name}));
}

my %begins = (
    odd => qr/\A20 machines: 1 slow, 1 fast, 1 noisy\n\nSystem .* index [(]partial[)], 1 copy\nMachine .*\n1[.] m007 /,
    quiet => qr/\A8 machines: none stands out\n\nSystem Benchmarks index [(]partial[)], 1 copy\nMachine .*\n1[.] m003 /,
    omitted => qr/\A13 machines: 1 noisy\n\nSystem Benchmarks index, 1 copy\nMachine .*\n1[.] twin [(]m1[.]json[)] /,
    forced  => qr/\AThe procedures differ [(]--force[)]: compiler flags: .*\n\n12 machines: 1 slow\n\nSystem /,
);
like(fleet_as(text => $fleet{$_}), $begins{$_}, "$_: the first lines") for sort keys %begins;

subtest 'parts that are not compared' => sub {
    my $text = fleet_as(text => $fleet{omitted});
    like(
        $text,
        qr/^Not compared:\n   4 copies: only m3[.]json and m4[.]json have such a run; 8 machines are needed$/m,
        'a run that only a few machines have'
    );
    like(
        $text,
        qr/^   1 copy: m4[.]json and m6[.]json have several such runs, of which only the first is used$/m,
        'a second run of the same kind'
    );
    like(
        $text,
        qr/^   Programs that differ from most: pipe\n   Inputs that differ from most: sort[.]src$/m,
        'programs and inputs that differ'
    );
};

no_golden_left_over();
done_testing();
