# The page of a fleet: what is seen first, and whether its charts agree with its numbers.

use strict;
use warnings;

use FindBin;
use List::Util qw(max min);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use ChartTests                     qw(are_near);
use Fleets                         qw(fleet_as fleets);
use Machines                       qw(side spread_rates);
use ReadCharts                     qw(charts);
use ValidPage                      qw(is_valid_page);
use UnixBench::Base::Text          qw(listed);
use UnixBench::Fleet::Machines;
use UnixBench::Fleet::Hosts;
use UnixBench::Fleet::Report;
use UnixBench::Fleet::Wording qw(measure_title);

use constant { SLOW => 0.7, FAST => 1.5 };

my %recorded = fleets();

# Returns the page of the recorded fleet of that name.
sub recorded {
    my ($name) = @_;
    return fleet_as(html => $recorded{$name});
}

# Takes a number; returns a fleet of that many machines, m1 and so on, which differ a little: the first is slow, the
# second fast, the third noisy.
sub fleet {
    my ($count) = @_;
    my @factors = (SLOW, FAST, map { 1 + 0.0005 * ($_ % 20 - 10) } 3 .. $count);
    return UnixBench::Fleet::Machines::of([map { _machine($_, $factors[$_ - 1], $_ == 3 ? 0.09 : 0.01) } 1 .. $count]);
}

sub _machine {
    my ($number, $factor, $step) = @_;
    my %run = map { $_ => spread_rates(1000 * $factor, $step) } qw(pipe spawn);
    return side("m$number", name => undef, runs => { 1 => \%run });
}

# Tests that the charts of a page agree with the fleet. Each machine is a dot. The dots of each class are those of the
# machines that the description names, and the last column counts them. Only slow machines are below the band, and only
# fast ones above it. For a test, both are called unusual.
sub are_true {
    my ($fleet, $html) = @_;
    my @runs   = @{ $fleet->{runs} };
    my @charts = charts($html);
    for my $at (0 .. $#runs) {
        my ($chart, $run) = ($charts[$at], $runs[$at]);
        my %measure = map { measure_title($_) => $_ } @{ $run->{measures} };
        are_near("$chart->{caption}: ticks", $chart->{ticks}, $chart->{shown});
        is_true("$chart->{caption}: $_->{title}", $_, $measure{ $_->{title} }) for @{ $chart->{rows} };
    }
    return;
}

sub is_true {
    my ($name, $row, $measure) = @_;
    my ($median, $standing_out) = @{ $row->{cells} };
    my @dots   = @{ $row->{dots} };
    my @values = map { $_->{value} } @dots;
    is(scalar @dots, $measure->{count}, "$name: each machine is a dot");
    is($median,      sprintf($measure->{median} < 1000 ? '%.1f' : '%.0f', $measure->{median}), "$name: the median");
    my (@said, @numbers);
    for my $kind (qw(slow fast noisy unusual)) {
        my @names = map { $_->{words} =~ /\A(.*): [\d.]+ times/ } @{ of_class($row, $kind) };
        push @said,    "$kind: " . listed(@names) if @names;
        push @numbers, @names . " $kind" if @names;
    }
    is($row->{words} =~ s/\A[^;]*(?:; |\z)//r, join('; ', @said), "$name: the description names those that stand out");
    is($standing_out,                          join(', ', @numbers), "$name: the last column counts them");
    are_near("$name: dots",      \@values,            [map { $_->{words} =~ /: (\d[\d.]*) times the median/ } @dots]);
    are_near("$name: line at 1", $row->{lines}{mean}, [1]);
    my ($least, $most) = $row->{words} =~ /\Afrom ([\d.]+) to ([\d.]+) times/;
    are_near("$name: the words name the least and the greatest value", [min(@values), max(@values)], [$least, $most]);
    my ($low, $high) = @{ $row->{spans}{band} || [0, 1e9] };
    my @below = grep { $_->{value} < $low } @dots;
    my @above = grep { $_->{value} > $high } @dots;
    my %of    = map  { $_ => of_class($row, $_) } qw(slow fast unusual);
    is_deeply(
        [\@below, \@above, []],
        [@of{qw(slow fast unusual)}],
        "$name: slow and fast machines are beyond the limits"
    ) if $measure->{kind} eq 'index';
    is_deeply([[@below, @above], [], []], [@of{qw(unusual slow fast)}], "$name: unusual machines are beyond the limits")
        if $measure->{kind} eq 'test';
    return;
}

sub of_class {
    my ($row, $class) = @_;
    return [grep { $_->{class} =~ /\b$class\b/ } @{ $row->{dots} }];
}

for my $name (qw(forced odd omitted quiet)) {
    subtest "fleet-$name: pictures" => sub { are_true($recorded{$name}, recorded($name)) };
}

subtest 'each machine is at its own value' => sub {
    my $fleet   = fleet(30);
    my ($chart) = charts(fleet_as(html => $fleet));
    my %row     = map { $_->{title} => $_ } @{ $chart->{rows} };
    is_deeply(
        [map { $_->{title} } @{ $chart->{rows} }],
        ['System Benchmarks index (partial)', 'Pipe Throughput', 'Process Creation'],
        'a chart has the indexes, then the tests'
    );
    for my $measure (@{ $fleet->{runs}[0]{measures} }) {
        my $title  = $measure->{title} =~ s/\A(System Benchmarks)\z/$1 index (partial)/r;
        my %times  = map { $_->{words} =~ /\A(m\d+):/ ? ($1 => $_->{value}) : () } @{ $row{$title}{dots} };
        my @wanted = map { sprintf '%.4f', $_->{value} / $measure->{median} } @{ $measure->{readings} };
        are_near("$title: dots", [map { $times{ $_->{label} } } @{ $measure->{readings} }], \@wanted);
        my ($noisy) = @{ of_class($row{$title}, 'noisy') };
        like($noisy->{words}, qr/\Am3: .*, noisy\z/, "$title: the noisy machine");
        my $words = $measure->{kind} eq 'test' ? 'noisy: m3; unusual: m1 and m2' : 'slow: m1; fast: m2; noisy: m3';
        like($row{$title}{words}, qr/; $words\z/, "$title: description of the picture");
    }
    my @limits = map { sprintf '%.3f %.3f', @{ $_->{spans}{band} } } @{ $chart->{rows} };
    is_deeply(\@limits, ['0.950 1.050', '0.850 1.177', '0.850 1.177'], 'tests and indexes have their band');
};

subtest 'too many machines for dots' => sub {
    is(scalar @{ (charts(fleet_as(html => fleet(200))))[0]{rows}[0]{dots} }, 200, '200 machines are 200 dots');
    my $html = fleet_as(html => fleet(201));
    is_valid_page('201 machines', $html);
    my ($chart) = charts($html);
    for my $row (@{ $chart->{rows} }) {
        my @classes = $row->{title} =~ /index/ ? qw(fast noisy slow) : qw(noisy unusual unusual);
        is_deeply(
            [sort map { $_->{class} } @{ $row->{dots} }],
            [map { "machine $_" } @classes],
            "$row->{title}: of 201 machines, those that stand out are dots"
        );
        are_near(
            "$row->{title}: a line goes from the least to the greatest of the other machines",
            $row->{spans}{range},
            [0.995, 1.0045]
        );
        are_near(
            "$row->{title}: values of the machines that stand out",
            [sort { $a <=> $b } map { $_->{value} } @{ $row->{dots} }],
            [SLOW, 0.9965, FAST]
        );
        are_near("$row->{title}: line at the median", $row->{lines}{mean}, [1]);
    }
    like($html, qr/With more than 200 machines a line goes/, 'the page explains the line');
    unlike($html,           qr/Each dot is a machine/, 'the page does not explain dots');
    unlike(recorded('odd'), qr/More than 200/,         'with fewer machines the page does not explain the line');
};

subtest 'an extreme machine' => sub {
    my @machines = map { _machine($_, 1 + $_ / 1000, 0.01) } 1 .. 9;
    my $fleet    = UnixBench::Fleet::Machines::of([@machines, _machine(10, 1e-6, 0.01), _machine(11, 1e6, 0.01)]);
    my ($chart)  = charts(fleet_as(html => $fleet));
    my @values   = sort { $a <=> $b } map { $_->{value} } @{ $chart->{rows}[0]{dots} };
    are_near('an extreme machine is drawn at the edge', [@values[0, -1]], [0.001, 1000]);
    my @wide = map { _machine($_, 3**$_, 0.01) } 1 .. 9;
    ($chart) = charts(fleet_as(html => UnixBench::Fleet::Machines::of(\@wide)));
    is_within(
        [map { $_->{value} } @{ $chart->{rows}[0]{dots} }],
        $chart->{rows}[0]{spans}{band},
        'a band with limits beyond the axis goes to its ends'
    );
};

subtest 'machines that are too uneven' => sub {
    my @uneven  = map { _machine($_, 1.5**($_ % 3 - 1), 0.01) } 1 .. 39;
    my $fleet   = UnixBench::Fleet::Machines::of(\@uneven);
    my ($chart) = charts(fleet_as(html => $fleet));
    my ($index) = grep { $_->{kind} eq 'index' } @{ $fleet->{runs}[0]{measures} };
    is(scalar @{ $index->{limits} }, 1, 'have no upper limit');
    my $row = $chart->{rows}[0];
    is(
        sprintf('%.3f', $row->{spans}{band}[0]),
        sprintf('%.3f', $index->{limits}[0]),
        'the band begins at the lower one'
    );
    is_within([map { $_->{value} } @{ $row->{dots} }], $row->{spans}{band}, 'and goes to the end of the axis');
};

# Takes [values], the ends of a band or undef, and a name; tests that all values are within the band.
sub is_within {
    my ($values, $band, $name) = @_;
    my ($low, $high) = @{ $band || [] };
    ok(defined $low && !(grep { $_ < $low || $_ > $high } @$values), $name) or diag explain [$values, $band];
    return;
}

subtest 'dots are on one line' => sub {
    my $html    = fleet_as(html => fleet(30));
    my %heights = map { $_ => 1 } $html =~ /<circle [^>]*\bcy="(\d+)"/g;
    is(scalar keys %heights, 1, 'all dots have the same height');
};

# Takes a page; returns [title, table] of its sections with a table.
sub sections {
    my ($html) = @_;
    $html =~ s/\xc2\xa0/ /g;
    return map { [/<h2>(.*?)<\/h2>/s, m{<table [^>]*>(.*?)</table>}s] } $html =~ m{<section[^>]*>(.*?)</section>}sg;
}

# Takes a table; returns its rows as texts.
sub rows {
    my ($table) = @_;
    return
        map { join q{ }, split q{ }, s/<svg.*?<\/svg>|<[^>]*>/ /gsr }
        $table =~ m{<tr>\n<th[^>]*scope="row">(.*?)</tr>}sg;
}

subtest 'one sentence, the outcomes, and the pictures come first' => sub {
    my $html = recorded('odd') =~ s/\xc2\xa0/ /gr;
    like($html, qr{<h1>.* 20 machines: 1 slow, 1 fast, 1 noisy</h1>\n<figure>\n}s, 'the sentence is the title');
    my @parts = $html =~ m{<li class="key (\w+)">(.*?)</li>}g;
    is_deeply(\@parts, ['usual', '17 usual', slow => '1 slow', fast => '1 fast', noisy => '1 noisy'], 'the outcomes');
    my @widths = $html =~ m{<rect class="part [^>]* width="([\d.]+)%"}g;
    is_deeply([map { 0 + $_ } @widths], [85, 5, 5, 5], 'each has its share of the bar');
    my ($kinds, $pictures, $ranking, $odd) = sections($html);
    is_deeply(
        [map { $_->[0] } $kinds, $pictures, $ranking,                                    $odd],
        ['Kinds of hosts',       '1 copy',  'System Benchmarks index (partial), 1 copy', 'Standing out'],
        'the sections'
    );
    is_deeply([rows($kinds->[1])], ['AMD EPYC 20 927.7 922.6 to 931.9'], 'a kind has its row');
    my @rows = rows($ranking->[1]);
    is(scalar @rows, 20, 'the ranking has all machines');
    is_deeply(
        [@rows[0, 1, -1]],
        ['1. m007 1113 0.7 % +19.9 % fast', '2. m003 931.9 0.7 % +0.4 % usual', '20. m004 789.0 0.8 % -15.0 % slow'],
        'they are in the order of the index'
    );
    my (undef, $chart) = charts($html);
    are_near('the bar of a machine', $chart->{rows}[0]{bar}, [1, 1.199]);
};

subtest 'each machine that stands out has a row' => sub {
    my ($odd) = map { $_->[1] } grep { $_->[0] eq 'Standing out' } sections(recorded('odd'));
    my @rows = rows($odd);
    is_deeply([map { /\A(\S+ \S+)/ } @rows], ['m004 slow', 'm007 fast', 'm017 noisy'], 'with its verdict');
    like(
        $rows[0],
        qr/\Am004 slow slow: System Benchmarks index \(partial\), 15 % below the median /,
        'how it stands out'
    );
    like($rows[0], qr/; Kernel: 5[.]4[.]0 [(]most: /, 'and other unusual facts about it');
    is_deeply([grep { $_->[0] eq 'Standing out' } sections(recorded('quiet'))],
        [], 'without such machines, there is none');
};

subtest 'hosts with the same reason are together' => sub {
    my @tries = map {
        { host => "h$_", shares => undef, phase => 'alone', try => 1, outcome => 'unreachable', reason => 'No route.' }
    } 1 .. 4;
    my $page = sub {
        my @hosts = UnixBench::Fleet::Hosts::of(@tries[0 .. $_[0] - 1]);
        return UnixBench::Fleet::Report::in_format(html => { hosts => \@hosts, sharing => [] });
    };
    my ($fold) = $page->(4) =~ m{<details>(.*?)</details>}s;
    like(
        $fold =~ s/\xc2\xa0/ /gr,
        qr{<summary>4 hosts: unreachable: No route[.]</summary>\n<p>h1, h2, h3, h4</p>},
        'four hosts'
    );
    is(scalar rows((sections($page->(3)))[0][1]), 3, 'three hosts have a row each');
};

subtest 'hosts with the same cause are together, whatever their numbers are' => sub {
    my %case = (kind => 'requirement', verdict => 'FAIL', title => 'index>=1500', name => 'index', copies => 1);
    my @tries;
    for my $number (1 .. 4) {
        my @value = (value => 1000 + $number, low => 990 + $number, high => 1010 + $number, limit => 1500);
        my %try   = (host  => "h$number", shares => undef, phase => 'alone', try => 1, verdict => 'FAIL');
        push @tries, { %try, outcome => 'measured', reason => undef, cases => [{ %case, @value }] };
    }
    my @hosts  = UnixBench::Fleet::Hosts::of(@tries);
    my $list   = { hosts => \@hosts, sharing => [] };
    my ($fold) = UnixBench::Fleet::Report::in_format(html => $list) =~ m{<details>(.*?)</details>}s;
    like(
        $fold =~ s/\xc2\xa0/ /gr,
        qr{<summary>4 hosts: FAIL: index&gt;=1500 [(]1 copy[)]: below the limit</summary>\n<p>h1, h2, h3, h4</p>},
        'four hosts'
    );
    my @blocks = split /\n\n/, UnixBench::Fleet::Report::in_format(verdict => $list);
    like($blocks[0], qr/^reason=index>=1500 [(]1 copy[)]: 1001[.]0 [(]991[.]0 to 1011[.]0[)]; below the limit$/m,
        'a reason');
    is(scalar(() = "@blocks" =~ /^cause=index>=1500 [(]1 copy[)]: below the limit$/gm), 4, 'the cause of all');
};

done_testing;
