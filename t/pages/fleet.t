# The page of a fleet: its cards, and whether its pictures say what its numbers say.

use strict;
use warnings;

use FindBin;
use List::Util qw(max min);
use Test::More;

use lib "$FindBin::Bin/../lib";
use ChartTests qw(are_near);
use Fleets     qw(fleets);
use Machines   qw(side spread_rates);
use ReadCharts qw(charts);
use ValidPage  qw(is_valid_page);
use Rendered   qw(fleet_as);
use UnixBench::Compare::Fleet;
use UnixBench::Report::HTML::Chart;

use constant { SLOW => 0.7, FAST => 1.5 };

my %recorded = fleets();

# The page of the one of that name.
sub recorded {
    my ($name) = @_;
    return fleet_as(html => $recorded{$name});
}

# Machines m1 and so on that differ a little, the first slow, the second fast, the third noisy.
sub fleet {
    my ($count) = @_;
    my @factors = (SLOW, FAST, map { 1 + 0.0005 * ($_ % 20 - 10) } 3 .. $count);
    return UnixBench::Compare::Fleet::of([map { _machine($_, $factors[$_ - 1], $_ == 3 ? 0.09 : 0.01) } 1 .. $count]);
}

sub _machine {
    my ($number, $factor, $step) = @_;
    my %run = map { $_ => spread_rates(1000 * $factor, $step) } qw(pipe spawn);
    return side("m$number", name => undef, runs => { 1 => \%run });
}

# Tests that pictures say what the numbers say: a dot for each machine, those that stand out as many and of such a class
# as the columns say, slow ones alone before the first limit, fast ones alone beyond the second.
sub are_true {
    my ($html) = @_;
    for my $chart (charts($html)) {
        are_near("$chart->{caption}: ticks", $chart->{ticks}, $chart->{shown});
        is_true("$chart->{caption}: $_->{title}", $_) for @{ $chart->{rows} };
    }
    return;
}

sub is_true {
    my ($name, $row) = @_;
    my ($machines, undef, @counts) = @{ $row->{cells} };
    my @dots   = @{ $row->{dots} };
    my @values = map { $_->{value} } @dots;
    is(scalar @dots,                   $machines,     "$name: each machine is a dot");
    is(scalar @{ of_class($row, $_) }, shift @counts, "$name: $_") for qw(slow fast noisy);
    are_near("$name: dots", \@values,            [map { $_->{words} =~ /: (\d[\d.]*) times the median/ } @dots]);
    are_near("$name: one",  $row->{lines}{mean}, [1]);
    my ($least, $most) = $row->{words} =~ /\Afrom ([\d.]+) to ([\d.]+) times/;
    are_near("$name: the least and the greatest in words", [min(@values), max(@values)], [$least, $most]);
    my ($low, $high) = @{ $row->{lines}{limit} || [0, 1e9] };
    is_deeply([grep { $_->{value} < $low } @dots],  of_class($row, 'slow'), "$name: below the first limit the slow");
    is_deeply([grep { $_->{value} > $high } @dots], of_class($row, 'fast'), "$name: above the second the fast");
    return;
}

sub of_class {
    my ($row, $class) = @_;
    return [grep { $_->{class} =~ /\b$class\b/ } @{ $row->{dots} }];
}

for my $name (qw(forced odd omitted quiet)) {
    subtest "fleet-$name: pictures" => sub { are_true(recorded($name)) };
}

subtest 'each machine is at its own value' => sub {
    my $fleet   = fleet(30);
    my ($chart) = charts(fleet_as(html => $fleet));
    my %row     = map { $_->{title} => $_ } @{ $chart->{rows} };
    is_deeply(
        [map { $_->{title} } @{ $chart->{rows} }],
        ['Pipe Throughput', 'Process Creation', 'System Benchmarks index (partial)'],
        'tests, then indexes'
    );
    for my $measure (@{ $fleet->{runs}[0]{measures} }) {
        my $title  = $measure->{title} =~ s/\A(System Benchmarks)\z/$1 index (partial)/r;
        my %times  = map { $_->{words} =~ /\A(m\d+):/ ? ($1 => $_->{value}) : () } @{ $row{$title}{dots} };
        my @wanted = map { sprintf '%.4f', $_->{value} / $measure->{median} } @{ $measure->{readings} };
        are_near("$title: dots", [map { $times{ $_->{label} } } @{ $measure->{readings} }], \@wanted);
        my ($noisy) = @{ of_class($row{$title}, 'noisy') };
        like($noisy->{words},     qr/\Am3: .*, noisy\z/,                 "$title: the noisy one");
        like($row{$title}{words}, qr/; slow: m1; fast: m2; noisy: m3\z/, "$title: in words");
    }
    my @limits = map { sprintf '%.3f %.3f', @{ $_->{lines}{limit} } } @{ $chart->{rows} };
    is_deeply(\@limits, ['0.900 1.100', '0.900 1.100', '0.950 1.050'], 'limits of tests and indexes');
};

subtest 'more machines than can be told apart' => sub {
    is(scalar @{ (charts(fleet_as(html => fleet(200))))[0]{rows}[0]{dots} }, 200, '200 are dots');
    my $html = fleet_as(html => fleet(201));
    is_valid_page('201 machines', $html);
    my ($chart) = charts($html);
    for my $row (@{ $chart->{rows} }) {
        is_deeply(
            [sort map { $_->{class} } @{ $row->{dots} }],
            ['machine fast', 'machine noisy', 'machine slow'],
            "$row->{title}: of 201 those that stand out"
        );
        are_near("$row->{title}: the others from the least to the greatest", $row->{spans}{range}, [0.995, 1.0045]);
        are_near(
            "$row->{title}: what stands out",
            [sort { $a <=> $b } map { $_->{value} } @{ $row->{dots} }],
            [SLOW, 0.9965, FAST]
        );
        are_near("$row->{title}: the median", $row->{lines}{mean}, [1]);
    }
    like($html, qr/With more than 200 machines a line goes/, 'that is said');
    unlike($html,           qr/Each dot is a machine/, 'and nothing of dots');
    unlike(recorded('odd'), qr/More than 200/,         'but only where it is so');
};

subtest 'a machine that is out of all proportion' => sub {
    my @machines = map { _machine($_, 1 + $_ / 1000, 0.01) } 1 .. 9;
    my $fleet    = UnixBench::Compare::Fleet::of([@machines, _machine(10, 1e-6, 0.01), _machine(11, 1e6, 0.01)]);
    my ($chart)  = charts(fleet_as(html => $fleet));
    my @values   = sort { $a <=> $b } map { $_->{value} } @{ $chart->{rows}[0]{dots} };
    are_near('is drawn as far off as there is room', [@values[0, -1]], [0.001, 1000]);
    my @wide = map { _machine($_, 3**$_, 0.01) } 1 .. 9;
    ($chart) = charts(fleet_as(html => UnixBench::Compare::Fleet::of(\@wide)));
    is(scalar(grep { $_ <= 0.001 } @{ $chart->{rows}[0]{lines}{limit} }), 0, 'a limit below 0 is not drawn');
};

subtest 'room for dots' => sub {
    my @cases = (
        [[],               [],                     'none'],
        [[50],             [0],                    'one on the line'],
        [[10, 20, 30],     [0, 0, 0],              'several that are apart'],
        [[50, 50.5, 51],   [0, -5, 5],             'several that are close'],
        [[51, 50.5, 50],   [5, -5, 0],             'in any order'],
        [[50, 50.5, 51.5], [0, -5, 0],             'back on the line where there is room'],
        [[(50) x 6],       [0, -5, 5, -10, 10, 0], 'more than there is room for'],
    );
    is_deeply([UnixBench::Report::HTML::Chart::off_the_line(@{ $_->[0] })], $_->[1], $_->[2]) for @cases;
};

subtest 'cards' => sub {
    my $html = recorded('odd');
    my @cards =
        $html =~ m{<li class="(\w+)">\n<div class="copies">\n?([^<\n]*)\n?</div>\n<p class="found">\n?([^<\n]*)}g;
    is_deeply(
        \@cards,
        ['slow', 'm017.json (m017)', 'slow', 'fast', 'm044.json (m044)', 'fast', 'noisy', 'm071.json (m071)', 'noisy'],
        'one for each machine that stands out'
    );
    like($html, qr{<p>System Benchmarks index \(partial\), 1 copy: 791[.]3, 14[.]7 % below the median}, 'how');
    like($html, qr{<p class="quiet">Kernel: 5[.]4[.]0; most have}, 'and what else is unusual');
    my ($shown, $folded) = recorded('omitted') =~ m{<p class="found">noisy</p>\n(.*?)<details>(.*?)</details>}s;
    is(scalar(() = $shown =~ /<p>/g), 4, 'of many findings four are shown');
    like($shown,  qr/\A<p>System Benchmarks index/, 'that of the index first');
    like($folded, qr/9 more findings/,              'the others are a click away');
    is(scalar(() = $folded =~ /<p>/g), 9, 'all of them');
    unlike(recorded('quiet'), qr/class="cards"/, 'none when nothing stands out');
    my @both = map { _machine($_, $_ == 1 ? SLOW : 1, $_ == 1 ? 0.2 : 0.01) } 1 .. 9;
    like(
        fleet_as(html => UnixBench::Compare::Fleet::of(\@both)),
        qr{<li class="slow">.*?found">slow, noisy</p>\n<p>slow: System}s,
        'a machine that is slow and noisy'
    );
};

done_testing();
