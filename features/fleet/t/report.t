# The reports of a fleet. To record them again: UB_RECORD=1 prove -Ilib features/fleet/t/report.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fleets                         qw(fleet_as fleets);
use Golden                         qw(is_golden no_golden_left_over);
use ValidPage                      qw(is_valid_page);
use Machines                       qw(side spread_rates);
use ValidMarkdown                  qw(are_valid_markdown);
use UnixBench::Fleet::Machines;
use UnixBench::Fleet::Report;
use UnixBench::Store::ClassicReport;

my %fleet = fleets();

for my $name (sort keys %fleet) {
    my $text = fleet_as(text => $fleet{$name});
    is_golden("fleet-$name.txt", $text) if $name =~ /\A(?:kinds|odd)\z/;
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    unlike(
        $text,
        qr/Index Score|Benchmark Run|of tests|parallel cop|lps/,
        "$name: no text that scripts take for a report"
    );
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    is_valid_page($name, fleet_as(html => $fleet{$name}));
}

my $kinds  = qr/\n\nKinds of hosts\nKind .*\n(?:\S.*\n)+\n/;
my $title  = qr/System Benchmarks index(?: [(]partial[)])?, 1 copy\nMachine .*\n1[.]/;
my %begins = (
    odd     => qr/\A20 machines: 1 slow, 1 fast, 1 noisy$kinds$title m007 /,
    quiet   => qr/\A8 machines: none stands out$kinds$title m003 /,
    omitted => qr/\A13 machines: 1 noisy$kinds$title twin [(]m1[.]json[)] /,
    forced  => qr/\AThe procedures differ [(]--force[)]: compiler flags: .*\n\n12 machines of 2 kinds: 1 slow, 2 not /,
    kinds   => qr/\A14 machines of 3 kinds: 1 slow, 1 not compared\n/,
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
    like($text, qr/^   Inputs that differ from most: sort[.]src$/m, 'inputs that differ');
};

sub nasty { return qq{<b>"&'\t\e[31m\n\xff \@all #1 | `x` } . '-' x 80 }

# Takes a name and a factor of speed; returns a machine.
sub machine {
    my ($label, $factor, %with) = @_;
    my %tests = (pipe => spread_rates(1000 * $factor, 0.01), spawn => spread_rates(50 * $factor, 0.02));
    return side($label, runs => { 1 => { %tests, %{ delete $with{tests} || {} } } }, %with);
}

subtest 'Markdown' => sub {
    my @machines = map { machine("m$_.json", 1 + 0.001 * $_) } 1 .. 9;
    my @slow     = machine(nasty(), 0.5, name => nasty(), facts => { Kernel => nasty(), CPU => '2 x AMD EPYC' });
    my %seen     = (quiet => \@machines, hostile => [@machines, @slow]);
    my %text =
        map { $_ => fleet_as(markdown => UnixBench::Fleet::Machines::of($seen{$_})) } keys %seen;
    are_valid_markdown(%text);
    for my $name (sort keys %text) {
        is_golden("fleet-$name.md", $text{$name}) if $name eq 'hostile';
        like($text{$name}, qr/^[|] Pipe Throughput +[|] +\d+ [|] +[\d.]+ [|] /m, "$name: the row of a test");
    }
    like($text{quiet}, qr/\A## UnixBench fleet, 9 machines: none stands out\n/,
        'a quiet fleet begins with its verdict');
    like(
        $text{hostile},
        qr/\A## UnixBench fleet, 10 machines: 1 slow\n\n(?:.*\n){8}[*]{2}System .*\n\n[|] Machine (?:.+\n){12}\n### `/,
        'a fleet has the ranking of all machines, then those that stand out'
    );
};

no_golden_left_over();
done_testing();
