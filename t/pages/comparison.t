# The page of a comparison: what is seen first, and its charts.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons qw(comparisons);
use Machines    qw(side spread_rates);
use ValidPage   qw(is_valid_page);
use Rendered    qw(comparison_as);
use UnixBench::Compare::Comparison;

my %recorded = comparisons();

# Returns the page of the recorded comparison of that name.
sub recorded {
    my ($name) = @_;
    return comparison_as(html => $recorded{$name});
}

# Takes the least effect and the sides, each the rates of its tests by number of copies; returns the page.
sub page {
    my ($min_effect, @runs) = @_;
    my @sides      = map { side("$_.json", runs => $runs[$_]) } 0 .. $#runs;
    my $comparison = UnixBench::Compare::Comparison::of(\@sides, min_effect => $min_effect);
    return comparison_as(html => $comparison);
}

# Takes the least effect, the factor of one test, and the step between its passes; returns the page.
sub page_of_one {
    my ($min_effect, $factor, @step) = @_;
    return page($min_effect, map { { 1 => { pipe => @step ? spread_rates($_, @step) : [$_] } } } 1000, 1000 * $factor);
}

# Takes a page; returns the rows of its first chart.
sub rows {
    my ($html)  = @_;
    my ($table) = $html =~ m{<table class="chart">(.*?)</table>}s;
    return $table =~ m{<tr>(.*?)</tr>}sg;
}

# Takes rows; returns the descriptions of their pictures.
sub words {
    my (@rows) = @_;
    return map { s/\xc2\xa0/ /gr } map { /aria-label="(ratio [^"]*)"/ } @rows;
}

subtest 'tests are in the order of verdicts, the sums last' => sub {
    my @words = words(rows(recorded('worse')));
    is_deeply([map { (split)[-1] } @words], [('slower') x 11, 'inconclusive', 'slower'], 'by verdicts, index last');
    is($words[0], 'ratio 0.960, 95 % interval 0.951 to 0.969, slower', 'the description of a picture');
};

subtest 'the marks of a picture' => sub {
    my $html  = page_of_one(0.02, 1.1, 2);
    my ($row) = grep { /<circle/ } rows($html);
    my ($one, @others) = map { [split q{ }] }
        grep { !/\A0/ } map { s/" x="/ /r } $html =~ m{<text class="tick" data-value="([\d.]+" x="[\d.]+)%"}g;
    my $at =
        sub { $one->[1] + ($others[-1][1] - $one->[1]) * log($_[0] / $one->[0]) / log($others[-1][0] / $one->[0]) };
    my ($point) = $row =~ m{<circle class="point [^"]*" cx="([\d.]+)%"};
    my @line    = $row =~ m{<line class="interval" x1="([\d.]+)%" x2="([\d.]+)%"};
    my ($band)  = $row =~ m{<rect class="band"[^>]* x="([\d.]+)%"};
    my ($mean)  = $row =~ m{<line class="mean" x1="([\d.]+)%"};
    is(
        join(q{ }, map { sprintf '%.2f', $_ } $point,     @line, $band, $mean),
        join(q{ }, map { sprintf '%.2f', $at->($_) } 1.1, 1 / 4, 4.4,   0.98, 1),
        'a point at the ratio, a line of the interval that is cut at four times all values, a band and a line at 1'
    );
    unlike(page_of_one(0, 1.5, 0.01), qr/pale band/, 'without a least effect the page explains no band');
    is_valid_page("a ratio of $_", page_of_one(0.02, $_)) for 1e9, 1e-9;
};

# Takes a page; returns the numbers of its headline as texts: "VERDICT | PRECISION | WHAT | LINK".
sub numbers {
    my ($html) = @_;
    my $list = $html =~ m{<ul class="numbers">(.*?)</ul>}s ? $1 : q{};
    my @numbers;
    for my $item ($list =~ m{<li>(.*?)</li>}sg) {
        my ($verdict) = $item =~ m{<div class="value verdict[^"]*">(.*?)<};
        my ($sure, $link, $what) = $item =~ m{<(?:span|p) class="sure">(.*?)</.*<a href="#(.*?)">(.*?)</a>}s;
        push @numbers, join ' | ', map { ($_ // q{}) =~ s/\xc2\xa0/ /gr =~ s/\A\s+|\s+\z//gr } $verdict, $sure, $what,
            $link;
    }
    return @numbers;
}

subtest 'the verdicts are seen first' => sub {
    is_deeply(
        [numbers(recorded('sets'))],
        [
            'inconclusive | 95 % interval -5.0 to +10 % | System Benchmarks index, 1 copy | pair-0',
            '9.0 % faster | 95 % interval 5.3 to 13 % | System Benchmarks index, 4 copies | pair-1',
        ],
        'each pair of runs has a verdict, which leads to its section'
    );
    is_deeply([numbers(recorded('three'))], [], 'several results have their table instead');
    like(recorded('three'), qr{<h2>All against kernel-0, 4 copies</h2>.*$_}s, "$_ is among all")
        for 'B: kernel-1', 'C: kernel-2';
    like(recorded('three'), qr/<section id="pair-$_">/, "section $_") for 0 .. 3;
    my @forced = numbers(recorded('forced'));
    like($forced[0], qr/\Anot compared [|] Its tests differ /,        'the reason why the index is not compared');
    like($forced[1], qr/ [|] Mean of 2 tests in common, 1 copy [|] /, 'the mean replaces it');
};

done_testing;
