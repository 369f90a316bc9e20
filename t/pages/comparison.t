# The page of a comparison: its cards, and whether its pictures say what its numbers say.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use ChartTests  qw(are_near);
use Comparisons qw(comparisons);
use Machines    qw(side spread_rates);
use ReadCharts  qw(charts);
use ValidPage   qw(is_valid_page);
use Rendered    qw(comparison_as);
use UnixBench::Compare::Comparison;

my %CLASS = (better => 'bar strong', worse => 'bar weak', 'none shown' => 'bar neutral', 'not known' => 'bar neutral');

my %recorded = comparisons();

# The page of the one of that name.
sub recorded {
    my ($name) = @_;
    return comparison_as(html => $recorded{$name});
}

# The page of two sides, each the rates of its tests by number of copies.
sub page {
    my ($min_effect, @runs) = @_;
    my @sides      = map { side("$_.json", runs => $runs[$_]) } 0 .. $#runs;
    my $comparison = UnixBench::Compare::Comparison::of(\@sides, min_effect => $min_effect);
    return comparison_as(html => $comparison);
}

# The same of one test that is so many times as fast, its passes so far apart.
sub page_of_one {
    my ($min_effect, $factor, @step) = @_;
    return page($min_effect, map { { 1 => { pipe => @step ? spread_rates($_, @step) : [$_] } } } 1000, 1000 * $factor);
}

# Tests that pictures say what the numbers say: a bar from 1 to the ratio, a line from end to end of the interval, a
# band of what is taken for no difference, and words instead of colours.
sub are_true {
    my ($html, $min_effect) = @_;
    for my $chart (charts($html)) {
        are_near("$chart->{caption}: ticks", $chart->{ticks}, $chart->{shown});
        is_true("$chart->{caption}: $_->{title}", $_, $min_effect) for @{ $chart->{rows} };
    }
    return;
}

sub is_true {
    my ($name,  $row,      $min_effect) = @_;
    my ($ratio, $interval, $difference) = @{ $row->{cells} };
    my @band = $min_effect ? (1 - $min_effect, 1 + $min_effect) : ();
    are_near("$name: bar",      $row->{bar},         [sort { $a <=> $b } 1, $ratio]);
    are_near("$name: interval", $row->{interval},    [split /-/, $interval]);
    are_near("$name: one",      $row->{lines}{mean}, [1]);
    are_near("$name: $_->[0]",  $_->[1], \@band) for ['limits', $row->{lines}{limit}], ['band', $row->{spans}{band}];
    is($row->{bar_class}, $CLASS{$difference}, "$name: strong where it is better, weak where it is worse");
    my $sure = length $interval ? "95 % interval $interval, " : q{};
    is($row->{words}, "ratio $ratio, ${sure}difference: $difference", "$name: in words");
    return;
}

for my $name (qw(classic forced mixed omitted three worse)) {
    subtest "comparison-$name: pictures" => sub { are_true(recorded($name), 0.02) };
}

subtest 'the fastest first, what sums up last' => sub {
    my ($chart) = charts(recorded('worse'));
    my @rows    = @{ $chart->{rows} };
    my @tests   = grep { !$_->{is_sum} } @rows;
    my @ratios  = map  { $_->{cells}[0] } @tests;
    is(scalar @tests, 12, 'every test');
    is_deeply(\@ratios, [sort { $b <=> $a } @ratios], 'the fastest first');
    is_deeply(
        [map { $_->{title} } @rows[12, 13]],
        ['System Benchmarks index', 'Geometric mean of the tests'],
        'the sums'
    );
};

subtest 'ratios and intervals that hardly ever happen' => sub {
    my $html = page_of_one(0, 1.5, 0.01);
    are_true($html, 0);
    like($html, qr/where it holds 1, no difference is shown/, 'without a least effect there is no band');
    are_true(page_of_one(0.02, $_), 0.02) for 1, 1e9, 1e-9;
    $html = page_of_one(0.02, 1.1, 2);
    my ($chart) = charts($html);
    my $row = $chart->{rows}[0];
    is($row->{class_of}{interval}, 'interval open', 'an interval that would make all else small is cut');
    are_near('at four times the ratio', [map { sprintf '%.3f', $_ } @{ $row->{interval} }], [1.1 / 4, 1.1 * 4]);
    like($html, qr/Where that line is dashed it goes on beyond the picture/, 'and that is said');
    unlike(page_of_one(0.02, 1.1, 0.1), qr/goes on beyond/, 'but only where it is so');
};

subtest 'a pair of runs that share no test' => sub {
    my @rates = map { spread_rates($_, 0.01) } 1000, 1100;
    my $html  = page(
        0.02,
        { 1 => { pipe => $rates[0] }, 2 => { pipe  => $rates[0] } },
        { 1 => { pipe => $rates[1] }, 2 => { spawn => $rates[1] } }
    );
    is(scalar(() = charts($html)), 1, 'no picture');
    like($html, qr/They have no measured test in common/, 'but why');
    is_valid_page('no test in common', $html);
};

subtest 'cards' => sub {
    my $html  = recorded('three');
    my @cards = $html =~ m{<li class="(\w+)">\n<div class="copies">\n<a href="#(pair-\d)">([^<]*)}g;
    my @pairs = ('B against A, 1 copy', 'B against A, 4 copies', 'C against A, 1 copy', 'C against A, 4 copies');
    is_deeply([@cards[0, 3, 6, 9]],  [qw(same worse better better)], 'one for each pair of runs, by what was found');
    is_deeply([@cards[2, 5, 8, 11]], \@pairs,                        'with what is held against what');
    like($html, qr/<section id="$_">/, "it leads to $_") for @cards[1, 4, 7, 10];
    like($html, qr{found">30[.]0 % faster</p>\n<p class="sure">95 % interval: 28[.]\d to 31[.]\d % faster<},
        'in words');
    $html = recorded('classic');
    like($html, qr{B \(4 copies\) against A \(1 copy\)</a>}, 'whose copies are how many');
    like(
        $html,
        qr{found">2[.]46 times as fast</p>\n<p class="sure">Nothing tells how sure that is<},
        'without an interval'
    );
    $html = recorded('forced');
    like($html, qr{found">not compared</p>\n<p class="sure">It is of other tests<}, 'what is not compared');
    like($html, qr{title">Mean of 2 tests in common</p>},                           'and what is in its place');
};

done_testing();
