# The page of a result: what the reader sees first, and whether its charts agree with its numbers.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases      qw(cases);
use ChartTests qw(are_near);
use Fixture    qw(failed measured quick_run result run sliced tag tagged);
use ReadCharts qw(charts);
use Rendered   qw(rendered);
use UnixBench::Score::Score;
use UnixBench::Trace::Syscalls;

my %CLASS = (stronger => 'bar strong', weaker => 'bar weak');

sub page { return rendered(html => result(@_)) }

# Returns the text of a page, without style and tags.
sub texts_of {
    my ($html) = @_;
    $html =~ s{<style>.*?</style>|<[^>]+>}{}sg;
    return $html =~ s/\s+/ /gr;
}

# Returns the indexes of a test's passes, computed from the data.
sub pass_indexes {
    my ($run, $title) = @_;
    my ($test) = grep { $_->{title} eq $title } @{ $run->{tests} };
    my ($row)  = grep { $_->{title} eq $title } map { @{ $_->{rows} } } @{ $run->{indexes} };
    return map { sprintf '%.6g', 10 * UnixBench::Score::Score::rate($_) / $row->{baseline} } @{ $test->{passes} };
}

# Tests a chart of a run's index: bars from the run's index to those of the tests, the strongest first, their intervals,
# and a dot for each pass.
sub is_true_of_index {
    my ($name, $chart, $run) = @_;
    my @rows = @{ $chart->{rows} };
    my $sum  = pop @rows;
    my $all  = $sum->{cells}[0];
    are_near("$name: ticks",                   $chart->{ticks},     $chart->{shown});
    are_near("$name: line at the run's index", $sum->{lines}{mean}, [$all]);
    is_true_of_test("$name: $_->{title}", $_, $all, $run) for @rows;
    my @values = map { $_->{cells}[0] } @rows;
    is_deeply(\@values, [sort { $b <=> $a } @values], "$name: the strongest test comes first");
    return;
}

sub is_true_of_test {
    my ($name, $row, $all, $run) = @_;
    my ($index, $half) = @{ $row->{cells} };
    are_near("$name: bar",  $row->{bar},         [sort { $a <=> $b } $index, $all]);
    are_near("$name: mean", $row->{lines}{mean}, [$all]);
    my ($interval) = $row->{words} =~ /95 % interval (.*?),/;
    are_near("$name: interval", $row->{interval}, [split / to /, $interval // q{}]);
    is(length $half ? 1 : 0, defined $interval ? 1 : 0, "$name: the interval is shown if it is known");
    are_near("$name: passes", [map { $_->{value} } @{ $row->{dots} }], [pass_indexes($run, $row->{title})]);
    my ($strength) = $row->{words} =~ /(stronger|weaker) than/;
    is($row->{bar_class}, $CLASS{$strength}, "$name: the bar agrees with the words");
    return;
}

# Tests the chart of a gain: bars from 1 to the factor in the table, and a dot for each number of copies.
sub is_true_of_gain {
    my ($name, $chart) = @_;
    are_near("$name: ticks", $chart->{ticks}, $chart->{shown});
    for my $row (@{ $chart->{rows} }) {
        my ($times) = @{ $row->{cells} };
        my @dots = map { $_->{words} =~ /copies ([\d.]+) times/ } @{ $row->{dots} };
        are_near("$name: $row->{title}: bar",    $row->{bar}, [sort { $a <=> $b } 1, $times]);
        are_near("$name: $row->{title}: counts", [map { $_->{value} } @{ $row->{dots} }], \@dots);
        is($dots[-1], $times, "$name: $row->{title}: the last dot is the end of the bar");
    }
    return;
}

use constant THREE_DIGITS => 0.0051;    # largest relative difference to a number rounded to three digits

# Tests the chart of response times: bars from p50 to p95, lines from there to the longest response, which is a dot.
sub is_true_of_responses {
    my ($name, $chart) = @_;
    are_near("$name: ticks", $chart->{ticks}, $chart->{shown});
    for my $row (@{ $chart->{rows} }) {
        my ($p50, $p95, $max) = @{ $row->{cells} };
        are_near("$name: $row->{title}: bar",             $row->{bar},         [$p50, $p95], THREE_DIGITS);
        are_near("$name: $row->{title}: line beyond p95", $row->{spans}{tail}, [$p95, $max], THREE_DIGITS);
        are_near(
            "$name: $row->{title}: longest response",
            [map { $_->{value} } @{ $row->{dots} }],
            [$max], THREE_DIGITS
        );
        is($row->{words}, "p50 $p50 ms, p95 $p95 ms, Max $max ms", "$name: $row->{title}: description of the picture");
    }
    return;
}

# Tests a chart of delays: bars with the range in their words, the highest for the most frequent, the mean and the
# longest.
sub is_true_of_delays {
    my ($name, $chart) = @_;
    are_near("$name: ticks", $chart->{ticks}, $chart->{shown});
    for my $row (@{ $chart->{rows} }) {
        my ($mean, $longest) = @{ $row->{cells} }[2, 3];
        my @said = map { [$_->{words} =~ /\A([0-9]+) to ([0-9]+) ns: ([0-9]+)\z/] } @{ $row->{delays} };
        are_near("$name: $row->{title}: from", [map { $_->{from} } @{ $row->{delays} }], [map { $_->[0] } @said]);
        are_near("$name: $row->{title}: to",   [map { $_->{to} } @{ $row->{delays} }],   [map { $_->[1] } @said]);
        my ($most)  = sort { $b <=> $a } map { $_->[2] } @said;
        my @heights = map  { sprintf '%.1f', 22 * $_->[2] / $most } @said;
        is_deeply(
            [map { 0 + $_->{height} } @{ $row->{delays} }],
            [map { $_ < 1 ? 1 : 0 + $_ } @heights],
            "$name: $row->{title}: heights of bars are proportional to counts"
        );
        my @marks = @said ? ([$mean], [$longest]) : ([], []);
        are_near("$name: $row->{title}: mean", $row->{lines}{mean}, $marks[0], THREE_DIGITS);
        are_near("$name: $row->{title}: longest", [map { $_->{value} } @{ $row->{dots} }], $marks[1]);
    }
    return;
}

# Returns the number of tests of a result that have calls in their loop with known delays.
sub drawn {
    my ($result) = @_;
    my @observed =
        grep { defined } map { UnixBench::Trace::Syscalls::of_test($_) } map { @{ $_->{tests} } } @{ $result->{runs} };
    return scalar grep {
        grep { $_->{delays} }
            @{ $_->{main} }
    } @observed;
}

for my $case (cases()) {
    my ($name, $result) = @$case{qw(name result)};
    my @charts = charts(rendered(html => $result));
    my @delays = grep {
        grep { @{ $_->{delays} } }
            @{ $_->{rows} }
    } @charts;
    is(scalar @delays, drawn($result), "$name: each observed test has a picture");
    is_true_of_delays("$name: $_->{caption}", $_) for @delays;
    my %is_of_delays = map { $_ => 1 } @delays;
    @charts = grep { !$is_of_delays{$_} } @charts;
    is_true_of_responses($name, pop @charts) if $name =~ /\Amultiuser(?:-incidents)?\z/;
    is_true_of_gain($name, shift @charts) if @charts && $charts[0]{caption} =~ /times/;
    my @indexes = map {
        my $run = $_;
        map { [$run, $_] } @{ $run->{indexes} }
    } @{ $result->{runs} };
    is(scalar @charts, scalar @indexes, "$name: each index has a picture");
    is_true_of_index("$name $_", $charts[$_], $indexes[$_][0]) for 0 .. $#charts;
}

subtest 'the first thing seen' => sub {
    my $official =
        texts_of(page([run(1, measured('spawn', 1, 3030, 2985, 3097.5), measured('pipe', 1, 5e6, 5.1e6, 5e6))]));
    like(
        $official,
        qr/ index \(partial\) (\d+[.]\d) \d+[.]\d \S+ \d+[.]\d% with no pass left out 95 % interval /,
        'the index and its interval come first'
    );
    like(
        $official,
        qr/Strongest: Pipe Throughput, \d+[.]\d\s+Weakest: Process Creation, \d/,
        'the strongest and the weakest test are named'
    );
    my $quick = texts_of(page([quick_run(5, 1, sliced('pipe', 1, 1000, 1010, 990, 1000, 1005))]));
    like(
        $quick,
        qr/index \(partial\) (\d+[.]\d) \xc2\xb1 0[.]9% 95 % interval /,
        'a quick run shows one number with its interval'
    );
    like(
        texts_of(page([run(1, measured('pipe', 1, 1000))])),
        qr/Nothing tells how sure that is/,
        'a single pass has no interval'
    );
    like(texts_of(page([run(1, measured('hanoi', 1, 1000))])), qr/1 copy No index/, 'a run without an index says so');
};

subtest 'classic and untrimmed numbers are not mixed' => sub {
    my $run = run(1, measured('pipe', 1, 1e6, 1.3e6, 1.3e6), measured('spawn', 1, 3e4, 3e4, 3e4));
    my ($row) = grep { $_->{name} eq 'pipe' } @{ $run->{indexes}[0]{rows} };
    like(
        texts_of(page([$run])),
        qr/est: Pipe Throughput, @{[sprintf '%.1f', $row->{index}]}\s/,
        'the strongest test is named with its classic index'
    );
};

subtest 'all passes disturbed' => sub {
    my $pipe = tagged(measured('pipe', 1, 1e6, 1e6), { map { $_ => [tag('throttled', 'disturbed', 1)] } 1, 2 });
    like(
        texts_of(page([run(1, $pipe)])),
        qr/Disturbed: Pipe Throughput/,
        'a test whose passes are all disturbed is named'
    );
};

subtest 'a test that failed with the most copies' => sub {
    my @runs =
        map { run($_, measured('pipe', $_, 1e6), $_ < 4 ? measured('spawn', $_, 1e4) : failed('spawn', 'no')) } 1, 2, 4;
    my ($chart) = charts(page(\@runs));
    my %badges = map { $_->{title} => $_->{badges} } @{ $chart->{rows} };
    is_deeply(
        \%badges,
        {
            'Pipe Throughput'                   => [],
            'Process Creation'                  => ['2 copies'],
            'System Benchmarks index (partial)' => ['2 copies']
        },
        'a bar names its number of copies if that is not the largest'
    );
};

subtest 'delays of all runs' => sub {
    my ($case) = grep { $_->{name} eq 'observed' } cases();
    my @charts = grep { $_->{rows}[0] && @{ $_->{rows}[0]{delays} } } charts(page($case->{result}{runs}));
    my %ticks  = map  { join(q{ }, @{ $_->{shown} }) => 1 } @charts;
    cmp_ok(scalar @charts, '>', 10, 'there are more than 10 charts of delays');
    is(scalar keys %ticks, 1, 'all charts of delays have one scale');
};

subtest 'extreme ratios' => sub {
    my @runs = (run(1, measured('pipe', 1, 1e20)), run(2, measured('pipe', 2, 1)));
    like(page(\@runs), qr/Gain from several copies/, 'extreme ratios give a page');
};

subtest 'problems of tests' => sub {
    my $pipe  = tagged(measured('pipe', 1, 1e6, 2e6, 1e6), { 2 => [tag('steal', 'disturbed', 0.3)] });
    my $html  = page([run(1, $pipe, failed('spawn', 'gone'), measured('execl', 1, 1000, 1001, 1000))]);
    my $texts = texts_of($html);
    like(
        $texts,
        qr/Failed: Process Creation\s+Noisy: Pipe Throughput\s+Disturbed: Pipe Throughput/,
        'a card names failed, noisy and disturbed tests'
    );
    my ($chart) = charts($html);
    my %row = map { $_->{title} => $_ } @{ $chart->{rows} };
    is_deeply($row{'Pipe Throughput'}{badges},  ['noisy'], 'the row of a noisy test has a badge');
    is_deeply($row{'Execl Throughput'}{badges}, [],        'rows of other tests have no badge');
    my @disturbed = map { $_->{class} =~ /disturbed/ ? 1 : 0 } @{ $row{'Pipe Throughput'}{dots} };
    is_deeply(\@disturbed, [0, 1, 0], 'the dot of a disturbed pass looks different');
    like($texts, qr/A hollow dot is a pass that something disturbed/, 'the page explains the dots of disturbed passes');
};

subtest 'a page does not change its result' => sub {
    my $with = sub {
        result([run(1, measured('pipe', 1, 1000))], build => {}, host => { name => 'vm', system => 'x', cpus => [] });
    };
    my $result = $with->();
    rendered(html => $result);
    is_deeply($result->{build}, {}, 'the build is unchanged after the page');
};

done_testing;
