# To record the reports again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Golden    qw(is_golden no_golden_left_over);
use Machines  qw(classic side spread_rates);
use ValidPage qw(is_valid_page);
use UnixBench::Compare::Fleet;
use UnixBench::Report::Fleet::HTML;
use UnixBench::Report::Fleet::Text;
use UnixBench::Store::ClassicReport;

# Machines that differ a little; odd: { number => { factor, noise, and parts of a summary } }.
sub machines {
    my ($count, %odd) = @_;
    return map { _machine($_, %{ $odd{$_} || {} }) } 1 .. $count;
}

sub _machine {
    my ($number, %odd) = @_;
    my ($factor, $noise, $label) = map { delete $odd{$_} } qw(factor noise label);
    my $rate = ($factor || 1) * (1 + 0.001 * ($number * 7 % 11 - 5));
    my $step = ($noise  || 1) * (0.005 + 0.0005 * ($number % 5));
    my %run  = (pipe => spread_rates(1_635_960 * $rate, $step), spawn => spread_rates(8238 * $rate, $step));
    my $name = sprintf 'm%03d', $number;
    return side($label || "$name.json", runs => { 1 => \%run }, name => $name, %odd);
}

sub of {
    my ($machines, %with) = @_;
    return UnixBench::Compare::Fleet::of($machines, %with);
}

sub nasty { return qq{<b>"&'\t\e[31m\n\xff System Benchmarks Index Score 9 } . '-' x 20 }

sub forced {
    my %hostile  = (label => nasty(), name => nasty(), flags => nasty(), factor => 0.5, facts => { Kernel => nasty() });
    my @machines = machines(12, 3 => \%hostile);
    my @classic  = map {
        { %$_, summary => classic($_->{summary}) }
    } splice @machines, 10;
    splice @{ $machines[5]{summary}{runs}[0]{tests} }, 1;
    $machines[7]{summary}{runs} = [];
    return of([@machines, @classic], is_forced => 1);
}

# Twelve with the whole index, one of them noisy, the first of them given twice; runs that few have, or have twice.
sub omitted {
    my @machines = map { _of_all($_) } 1 .. 12;
    $machines[11] = _of_all(12, 9);
    $_->{summary}{name} = 'twin' for @machines;
    my ($more) = map { @{ $_->{summary}{runs} } } side('x', runs => { 4 => { pipe => spread_rates(1, 0.01) } });
    push @{ $machines[$_]{summary}{runs} }, $more                           for 2, 3;
    push @{ $machines[$_]{summary}{runs} }, $machines[$_]{summary}{runs}[0] for 3, 5;
    $machines[11]{summary}{facts} = { 'Program pipe' => 'b', 'Input sort.src' => 'b', 'Program dc' => 'b' };
    return of([@machines, $machines[0]]);
}

sub _of_all {
    my ($number, $noise) = @_;
    my @names = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);
    my $step  = ($noise || 1) * (0.005 + 0.0005 * ($number % 5));
    my %facts = ('Program pipe' => 'a', 'Input sort.src' => 'a');
    return side("m$number.json", runs => { 1 => { map { $_ => spread_rates(1000, $step) } @names } }, facts => \%facts);
}

my %old   = (facts => { Kernel => '5.4.0', CPU => '2 x AMD EPYC' });
my %fleet = (
    odd     => of([machines(100, 17 => { factor => 0.85, %old }, 44 => { factor => 1.2 }, 71 => { noise => 9 })]),
    quiet   => of([machines(8)]),
    forced  => forced(),
    omitted => omitted(),
);

for my $name (sort keys %fleet) {
    my $text = UnixBench::Report::Fleet::Text::render($fleet{$name});
    is_golden("fleet-$name.txt", $text);
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters, no blanks in vain");
    unlike(
        $text,
        qr/Index Score|Benchmark Run|of tests|parallel cop|lps/,
        "$name: nothing that scripts take for a report"
    );
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: nor do we");
    my $html = UnixBench::Report::Fleet::HTML::render($fleet{$name});
    is_golden("fleet-$name.html", $html);
    is_valid_page($name, $html);
}

my %begins = (
    odd   => qr/\A100 machines: 1 slow, 1 fast, 1 noisy\n\nm017[.]json [(]m017[)]\n   slow: System .* index [(]partial/,
    quiet => qr/\A8 machines: nothing stands out\n\n1 copy /,
    omitted =>
        qr/\A13 machines: 1 noisy\n\nm12[.]json [(]twin[)]\n   noisy: System Benchmarks index, 1 copy: passes vary /,
    forced => qr/\ACompared all the same [(]--force[)]: compiler flags: .*\n\n12 machines: 1 slow\n/,
);
like(UnixBench::Report::Fleet::Text::render($fleet{$_}), $begins{$_}, "$_: what is said first") for sort keys %begins;

subtest 'what is not compared' => sub {
    my $text = UnixBench::Report::Fleet::Text::render($fleet{omitted});
    like($text, qr/^Not compared:\n   4 copies: only m3[.]json and m4[.]json have such a run; it takes 8 machines$/m,
        'few have it');
    like($text, qr/^   1 copy: m4[.]json and m6[.]json have several such runs, of which the first counts$/m,
        'second runs');
    like(
        $text,
        qr/^   Programs that differ from most: pipe\n   Inputs that differ from most: sort[.]src$/m,
        'other programs'
    );
};

no_golden_left_over();
done_testing();
