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

# The class of a bar, by the verdict at the end of the description of its picture.
my %CLASS = (
    faster         => 'bar strong',
    slower         => 'bar weak',
    inconclusive   => 'bar neutral',
    'no interval'  => 'bar neutral',
    'equal within' => 'bar equal',
);

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
    my ($name, $row, $min_effect) = @_;
    my ($ratio)   = grep { /\A\d+[.]\d{3}\z/ || /\A0[.]0\d+\z/ || /\A\d[\d.]*e-\d+\z/ } @{ $row->{cells} };
    my ($verdict) = @{ $row->{cells} }[-1];
    my @band      = $min_effect ? (1 - $min_effect, 1 + $min_effect) : ();
    my ($of_words, $interval, $short) = $row->{words} =~ /\Aratio (\S+), (?:95 % interval (\S+ to \S+), )?(.*)\z/;
    is($of_words, $ratio, "$name: the description names the ratio");
    are_near("$name: bar",       $row->{bar},         [sort { $a <=> $b } 1, $ratio]);
    are_near("$name: interval",  $row->{interval},    [split / to /, $interval // q{}]);
    are_near("$name: line at 1", $row->{lines}{mean}, [1]);
    are_near("$name: $_->[0]",   $_->[1], \@band) for ['limits', $row->{lines}{limit}], ['band', $row->{spans}{band}];
    is($row->{bar_class}, $CLASS{ $short =~ s/ \d+ %\z//r }, "$name: the bar has the class of the verdict $short");
    my $is_said = $short eq 'no interval' ? qr/, without an interval\z/ : qr/\A(?:.* )?\Q$short\E \(/;
    $is_said = qr/\A(?:.* % $short|[\d.]+ times as fast) \(/ if $short =~ /er\z/;
    like($verdict, $is_said, "$name: the last column has the verdict of the picture");
    return;
}

for my $name (sort keys %recorded) {
    subtest "comparison-$name: pictures" => sub { are_true(recorded($name), 0.02) };
}

subtest 'tests are in the order of verdicts, the sums last' => sub {
    my ($chart) = charts(recorded('worse'));
    my @rows    = @{ $chart->{rows} };
    my @tests   = grep { !$_->{is_sum} } @rows;
    is(scalar @tests, 12, 'the chart has every test');
    is_deeply(
        [map { (split)[-1] } map { $_->{words} } @tests],
        [('slower') x 11, 'inconclusive'],
        'the tests are in the order of verdicts'
    );
    is_deeply(
        [map { $_->{title} } @rows[12, 13]],
        ['System Benchmarks index', 'Geometric mean of the tests'],
        'the index and the mean come last'
    );
    is_deeply(
        [@{ $tests[0]{cells} }[0, 1]],
        ["78132483 \xc2\xb10.8 %", "75007184 \xc2\xb10.8 %"],
        'the values of both sides come before the ratio'
    );
};

subtest 'repeated runs have a column for the deviation between them' => sub {
    my ($one, $four) = charts(recorded('sets'));
    is_deeply([map { $_->{cells}[3] } @{ $one->{rows} }],  [('1.8 %') x 14], 'the deviation of each row, 1 copy');
    is_deeply([map { $_->{cells}[3] } @{ $four->{rows} }], [('0.8 %') x 14], 'the deviation of each row, 4 copies');
    like(recorded('sets'), qr{<th class="number" scope="col">Run to run</th>}, 'the column has a heading');
    unlike(recorded('three'), qr/Run to run/, 'single runs have no such column');
};

subtest 'extreme ratios and intervals' => sub {
    my $html = page_of_one(0, 1.5, 0.01);
    are_true($html, 0);
    like(
        $html,
        qr/it is slower[.] The line across its end is the 95\xc2\xa0% interval[.] A hollow bar is inconclusive/,
        'without a least effect the page explains no band'
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
    like($html, qr/A dashed interval continues beyond the picture[.]/, 'the page explains the dashed line');
    unlike(page_of_one(0.02, 1.1, 0.1), qr/continues beyond/, 'the dashed line is explained only if there is one');
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
    my $html  = recorded('three') =~ s/\xc2\xa0/ /gr;
    my @cards = $html             =~ m{<li class="(\w+)">\n<div class="copies">\n<a href="#(pair-\d)">([^<]*)}g;
    my @pairs = map { "$_->[0] (vm) against A (vm), $_->[1]" } ['B', '1 copy'], ['B', '4 copies'], ['C', '1 copy'],
        ['C', '4 copies'];
    is_deeply([@cards[0, 3, 6, 9]],  [qw(equal slower faster faster)], 'each pair of runs has a card with its verdict');
    is_deeply([@cards[2, 5, 8, 11]], \@pairs,                          'a card names the two runs');
    like($html, qr/<section id="$_">/, "a card links to $_") for @cards[1, 4, 7, 10];
    like($html, $_->[0],               $_->[1])
        for (
        [
            qr{found">equal within 2 %</p>\n<p class="sure">95 % interval: -0[.]7 to [+]1[.]7 %<},
            'the card of an equal index'
        ],
        [qr{found">16 % slower</p>\n<p class="sure">95 % interval: 15 to 17 %<}, 'the card of a slower index'],
        [qr{found">30 % faster</p>\n<p class="sure">95 % interval: 28 to 32 %<}, 'the card of a faster index'],
        [
            qr{<p class="quiet">B: vm, 2026-11-20 02:12:30 \(results/kernel-1[.]json\)</p>},
            'a card names host, date and file of both sides'
        ],
        );
    $html = recorded('sets') =~ s/\xc2\xa0/ /gr;
    like(
        $html,
        qr{"inconclusive">.*?found">inconclusive</p>\n<p [^>]*>95 % interval: -5[.]0 to [+]11 %: measure longer<}s,
        'the card of an inconclusive index says what to do'
    );
    $html = recorded('classic') =~ s/\xc2\xa0/ /gr;
    like(
        $html,
        qr{B \(4-copies\) with 4 copies against A \(1-copy\) with 1 copy</a>},
        'a card names both numbers of copies if they differ'
    );
    like(
        $html,
        qr{<li class="unknown">.*?found">2[.]46 times as fast</p>\n<p class="sure">Without an interval<}s,
        'a card says that the interval is unknown'
    );
    $html = recorded('forced') =~ s/\xc2\xa0/ /gr;
    like(
        $html,
        qr{found">not compared</p>\n<p class="sure">Its tests differ<},
        'a card says why the index is not compared'
    );
    like(
        $html,
        qr{title">Mean of 2 tests in common</p>},
        'the mean of the common tests replaces an index that is not compared'
    );
};

done_testing;
