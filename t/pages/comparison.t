# The page of a comparison: what is seen first, and whether its charts agree with its numbers.

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

# Tests that the charts of a page agree with its numbers: a point at the ratio, a line along the interval, a band of
# ratios that count as equal, and words besides the colours. All charts have one scale.
sub are_true {
    my ($html, $min_effect) = @_;
    my %ticks;
    for my $chart (charts($html)) {
        are_near("$chart->{caption}: ticks", $chart->{ticks}, $chart->{shown});
        $ticks{ join q{ }, @{ $chart->{shown} } } = 1;
        is_true("$chart->{caption}: $_->{title}", $_, $min_effect) for @{ $chart->{rows} };
    }
    cmp_ok(scalar keys %ticks, '<=', 1, 'all charts have one scale');
    return;
}

sub is_true {
    my ($name, $row, $min_effect) = @_;
    my ($verdict) = @{ $row->{cells} }[-1];
    my @band = $min_effect ? (1 - $min_effect, 1 + $min_effect) : ();
    my ($ratio, $interval, $short) = $row->{words} =~ /\Aratio (\S+), (?:95 % interval (\S+ to \S+), )?(.*)\z/;
    $short =~ s/ within .*//;
    my ($point, @others) = @{ $row->{points} };
    is(scalar @others, 0, "$name: one point");
    are_near("$name: point", [$point->{value}], [$ratio]);
    is_around_point($name, $row);
    are_near("$name: interval",  $row->{interval},    [split / to /, $interval // q{}]);
    are_near("$name: line at 1", $row->{lines}{mean}, [1]);
    are_near("$name: band",      $row->{spans}{band}, \@band);
    is($point->{class}, 'point ' . ($short =~ s/no interval/unknown/r),
        "$name: the point has the class of the verdict");
    return like($verdict, qr/ (?:faster|slower)\z|as fast\z/, "$name: the last column has no interval")
        if $short eq 'no interval';
    like(
        $verdict,
        $short =~ /er\z/ ? qr/\A(?:.* % $short|[\d.]+ times as fast) \(/ : qr/\A$short(?: \(|\z)/,
        "$name: the last column has the verdict of the picture"
    );
    return;
}

# Tests that the interval of the runs has its point in the middle.
sub is_around_point {
    my ($name, $row) = @_;
    return if !$row->{interval} || ($row->{class_of}{interval} // q{}) =~ /open/;
    my ($low, $high) = @{ $row->{interval} };
    are_near("$name: middle of the interval", [sqrt $low * $high], [$row->{points}[0]{value}]);
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
    is_deeply([map { $_->{title} } @rows[12 .. $#rows]], ['System Benchmarks index'], 'the index comes last');
    is_deeply(
        [@{ $tests[0]{cells} }[0, 1]],
        ["78.13 M \xc2\xb10.8 %", "75.01 M \xc2\xb10.8 %"],
        'the values of both sides come before the verdict'
    );
};

subtest 'a single test has one row' => sub {
    my ($chart) = charts(page_of_one(0.02, 1.1, 0.01));
    is_deeply([map { $_->{title} } @{ $chart->{rows} }], ['Pipe Throughput'], 'its index and mean would be the same');
};

subtest 'each repeated run is a dot' => sub {
    my ($chart) = charts(recorded('sets'));
    my ($row)   = @{ $chart->{rows} };
    my @dots    = @{ $row->{dots} };
    is_deeply([map { $_->{class} } @dots], [('run') x @dots], 'with a class of its own');
    are_near(
        'at its value divided by the mean of the first side',
        [map { $_->{value} } @dots],
        [map { $_->{words} } @dots]
    );
    my %at = map { $_ => 1 } recorded('sets') =~ /<circle class="run" [^>]*cy="(\d+)"/g;
    is(scalar keys %at, 2, 'the runs of one side are above the point, those of the other side below');
    my ($single) = charts(recorded('three'));
    is_deeply([map { @{ $_->{dots} } } @{ $single->{rows} }], [], 'single runs have no dots');
};

subtest 'extreme ratios and intervals' => sub {
    my $html = page_of_one(0, 1.5, 0.01);
    are_true($html, 0);
    unlike($html, qr/pale band/, 'without a least effect the page explains no band');
    are_true(page_of_one(0.02, $_), 0.02) for 1, 1e9, 1e-9;
    $html = page_of_one(0.02, 1.1, 2);
    my ($chart) = charts($html);
    my $row = $chart->{rows}[0];
    is($row->{class_of}{interval}, 'interval open', 'a very wide interval is cut');
    are_near(
        'the interval is cut at four times the least and the greatest value',
        [map { sprintf '%.3f', $_ } @{ $row->{interval} }],
        [1 / 4, 1.1 * 4]
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

# Takes a page; returns the numbers of its headline as texts: "VERDICT | PRECISION | WHAT | LINK".
sub numbers {
    my ($html) = @_;
    my ($list) = $html =~ m{<ul class="numbers">(.*?)</ul>}s;
    my @numbers;
    for my $item ($list =~ m{<li>(.*?)</li>}sg) {
        my ($verdict) = $item =~ m{<h1 class="verdict[^"]*">.*?<strong>(.*?)</strong>}s;
        ($verdict) = $item =~ m{<div class="value verdict[^"]*">(.*?)<} if !defined $verdict;
        my ($sure, $link, $what) = $item =~ m{<(?:span|p) class="sure">(.*?)</.*<a href="#(.*?)">(.*?)</a>}s;
        push @numbers, join ' | ', map { s/\xc2\xa0/ /gr =~ s/\A\s+|\s+\z//gr } $verdict, $sure, $what, $link;
    }
    return @numbers;
}

subtest 'the program is named above the verdict' => sub {
    my ($main) = recorded('sets') =~ m{<main>\s*(.*?)<section}s;
    like($main =~ s/<[^>]*>//gr, qr/\A\s*UnixBench [0-9.]+\s*\z/, 'with its version');
};

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
    like(recorded('three'), qr{<h2>All against kernel-0, 4\xc2\xa0copies</h2>.*$_}s, "$_ is among all")
        for 'B: kernel-1', 'C: kernel-2';
    unlike(recorded('worse'), qr/All against/, 'two sides have no such list');
    like(recorded('three'), qr/<section id="pair-$_">/, "section $_") for 0 .. 3;
    like(
        recorded('three'),
        qr{<h1>.* 3 results: kernel-2 first, kernel-0 last \(1\xc2\xa0copy\)</h1>}s,
        'the title has the order'
    );
    like((numbers(recorded('classic')))[0], qr/\A2[.]46 times as fast [|] Without an interval /, 'without an interval');
    my @forced = numbers(recorded('forced'));
    like($forced[0], qr/\Anot compared [|] Its tests differ /,        'the reason why the index is not compared');
    like($forced[1], qr/ [|] Mean of 2 tests in common, 1 copy [|] /, 'the mean replaces it');
};

subtest 'the trust in each side is beside the verdicts, if it is limited' => sub {
    my $page = sub {
        my (@levels) = @_;
        my @sides    = map { side("$_.json", runs => { 1 => { pipe => spread_rates(1000, 0.01) } }) } 0, 1;
        $sides[$_]{summary}{trust}{level} = $levels[$_] for 0, 1;
        return comparison_as(html => UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02));
    };
    my @chips = $page->('good', 'poor') =~ m{<span class="chip ([^"]*)">(.*?)</span>}g;
    is_deeply(\@chips, ['trust poor', 'B: poor'], 'a poor side');
    unlike($page->('good', 'good'), qr/class="chip/, 'two good sides');
};

done_testing;
