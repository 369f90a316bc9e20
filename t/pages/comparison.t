# The page of a comparison: its cards, and whether its charts agree with its numbers.

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

# Tests that the charts of a page agree with its numbers: a bar from 1 to the ratio, a line along the interval, a band
# of ratios that count as equal, and words besides the colours.
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
    are_near("$name: bar",       $row->{bar},         [sort { $a <=> $b } 1, $ratio]);
    are_near("$name: interval",  $row->{interval},    [split /-/, $interval]);
    are_near("$name: line at 1", $row->{lines}{mean}, [1]);
    are_near("$name: $_->[0]",   $_->[1], \@band) for ['limits', $row->{lines}{limit}], ['band', $row->{spans}{band}];
    is($row->{bar_class}, $CLASS{$difference}, "$name: the bar is strong if it is better, weak if it is worse");
    my $sure = length $interval ? "95 % interval $interval, " : q{};
    is($row->{words}, "ratio $ratio, ${sure}difference: $difference", "$name: description of the picture");
    return;
}

for my $name (qw(classic forced mixed omitted three worse)) {
    subtest "comparison-$name: pictures" => sub { are_true(recorded($name), 0.02) };
}

subtest 'the fastest tests come first, the sums last' => sub {
    my ($chart) = charts(recorded('worse'));
    my @rows    = @{ $chart->{rows} };
    my @tests   = grep { !$_->{is_sum} } @rows;
    my @ratios  = map  { $_->{cells}[0] } @tests;
    is(scalar @tests, 12, 'the chart has every test');
    is_deeply(\@ratios, [sort { $b <=> $a } @ratios], 'the fastest tests come first');
    is_deeply(
        [map { $_->{title} } @rows[12, 13]],
        ['System Benchmarks index', 'Geometric mean of the tests'],
        'the index and the mean come last'
    );
};

subtest 'extreme ratios and intervals' => sub {
    my $html = page_of_one(0, 1.5, 0.01);
    are_true($html, 0);
    like(
        $html,
        qr/where it holds 1, no difference is shown/,
        'without a least effect the page explains that there is no band'
    );
    are_true(page_of_one(0.02, $_), 0.02) for 1, 1e9, 1e-9;
    $html = page_of_one(0.02, 1.1, 2);
    my ($chart) = charts($html);
    my $row = $chart->{rows}[0];
    is($row->{class_of}{interval}, 'interval open', 'a very wide interval is cut');
    are_near(
        'the interval is cut at four times the ratio',
        [map { sprintf '%.3f', $_ } @{ $row->{interval} }],
        [1.1 / 4, 1.1 * 4]
    );
    like($html, qr/Where that line is dashed it goes on beyond the picture/, 'the page explains the dashed line');
    unlike(page_of_one(0.02, 1.1, 0.1), qr/goes on beyond/, 'the dashed line is explained only if there is one');
};

subtest 'a pair of runs that share no test' => sub {
    my @rates = map { spread_rates($_, 0.01) } 1000, 1100;
    my $html  = page(
        0.02,
        { 1 => { pipe => $rates[0] }, 2 => { pipe  => $rates[0] } },
        { 1 => { pipe => $rates[1] }, 2 => { spawn => $rates[1] } }
    );
    is(scalar(() = charts($html)), 1, 'a pair of runs without a common test has no chart');
    like($html, qr/They have no measured test in common/, 'the page explains why there is no chart');
    is_valid_page('no test in common', $html);
};

subtest 'cards' => sub {
    my $html  = recorded('three');
    my @cards = $html =~ m{<li class="(\w+)">\n<div class="copies">\n<a href="#(pair-\d)">([^<]*)}g;
    my @pairs = ('B against A, 1 copy', 'B against A, 4 copies', 'C against A, 1 copy', 'C against A, 4 copies');
    is_deeply([@cards[0, 3, 6, 9]],  [qw(same worse better better)], 'each pair of runs has a card with its finding');
    is_deeply([@cards[2, 5, 8, 11]], \@pairs,                        'a card names the two runs');
    like($html, qr/<section id="$_">/, "a card links to $_") for @cards[1, 4, 7, 10];
    like(
        $html,
        qr{found">30[.]0 % faster</p>\n<p class="sure">95 % interval: 28[.]\d to 31[.]\d % faster<},
        'a card has the difference and its interval in words'
    );
    $html = recorded('classic');
    like($html, qr{B \(4 copies\) against A \(1 copy\)</a>}, 'a card names both numbers of copies if they differ');
    like(
        $html,
        qr{found">2[.]46 times as fast</p>\n<p class="sure">Nothing tells how sure that is<},
        'a card says that the interval is unknown'
    );
    $html = recorded('forced');
    like(
        $html,
        qr{found">not compared</p>\n<p class="sure">It is of other tests<},
        'a card says why the index is not compared'
    );
    like(
        $html,
        qr{title">Mean of 2 tests in common</p>},
        'the mean of the common tests replaces an index that is not compared'
    );
};

done_testing();
