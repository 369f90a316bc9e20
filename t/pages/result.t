# The page of a result: what the reader sees first, and whether its charts agree with its numbers.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases      qw(cases);
use ChartTests qw(are_near);
use Fixture    qw(failed measured result run tag tagged);
use ReadCharts qw(charts);
use Rendered   qw(rendered);
use UnixBench::Score::Score;

sub page { return rendered(html => result(@_)) }

# Returns the text of a page, without its data, style and tags. No-break spaces become blanks.
sub texts_of {
    my ($html) = @_;
    $html        =~ s{<(style|script)\b.*?</\1>|<[^>]+>}{}sg;
    $html        =~ s/\xc2\xa0/ /g;
    return $html =~ s/\s+/ /gr;
}

# Returns the indexes of a test's passes, computed from the data.
sub pass_indexes {
    my ($run, $title) = @_;
    my ($test) = grep { $_->{title} eq $title } @{ $run->{tests} };
    my ($row)  = grep { $_->{title} eq $title } map { @{ $_->{rows} } } @{ $run->{indexes} };
    return map { sprintf '%.6g', 10 * UnixBench::Score::Score::rate($_) / $row->{baseline} } @{ $test->{passes} };
}

# Tests that values read from a picture are those in texts, which have one decimal below 1000 and none above.
sub are_shown {
    my ($name, $values, $texts) = @_;
    my ($least) = sort { $a <=> $b } @$texts, 1000;
    return are_near($name, $values, $texts, 0.0006 + 0.051 / $least);
}

# The columns of the chart of a run.
use constant INDEX => 0;

use constant THREE_KNOWN => 0.0051;    # largest relative difference to a number with three digits or more

# Takes a text such as "1.29 M"; returns the number.
sub number_of {
    my ($text) = @_;
    my ($number, $unit) = $text =~ /\A([\d.e+-]+)(?: ([MG]))?/ or return;
    return $number * { M => 1e6, G => 1e9 }->{ $unit // q{} } if defined $unit;
    return $number;
}

# Tests the chart of a run: a point for the index of each test, the highest first, with its interval, and a dot for each
# pass. The other tests have no picture.
sub is_true_of_run {
    my ($name, $chart, $run) = @_;
    my @rows = grep { !$_->{is_sum} } @{ $chart->{rows} };
    my @sums = grep { $_->{is_sum} } @{ $chart->{rows} };
    are_near("$name: ticks", $chart->{ticks}, $chart->{shown});
    is(scalar @sums, scalar @{ $run->{indexes} }, "$name: each index has a row at the foot");
    for my $sum (@sums) {
        my $index = number_of($sum->{cells}[INDEX]);
        are_near("$name: $sum->{title}: point", [map { $_->{value} } @{ $sum->{points} }], [$index], THREE_KNOWN);
    }
    is_true_of_test("$name: $_->{title}", $_, $run) for @rows;
    my @values = map { number_of($_->{words} =~ s/\Aindex //r) } @rows;
    is_deeply(\@values, [sort { $b <=> $a } @values], "$name: the test with the highest index comes first");
    my %is_drawn = map { $_->{title} => 1 } @rows;
    is_deeply(
        [sort @{ $chart->{bare} }],
        [sort grep { !$is_drawn{$_} } map { $_->{title} } @{ $run->{tests} }],
        "$name: all other tests have a row without a picture"
    );
    return;
}

sub is_true_of_test {
    my ($name, $row, $run) = @_;
    my ($index, $half, $score) = map { $row->{labelled}{$_} // q{} } 'Index', "\xc2\xb1", 'Score';
    $index =~ tr/,//d;
    my @points     = map { $_->{value} } @{ $row->{points} };
    my ($of_words) = $row->{words} =~ /\Aindex ([\d.e+-]+)/;
    my ($interval) = $row->{words} =~ /95 % interval (.*?),/;
    my ($machine)  = $row->{words} =~ /of the machine (.*?),/;
    are_near("$name: passes", [map { $_->{value} } @{ $row->{dots} }], [pass_indexes($run, $row->{title})]);

    if (!length $score) {
        is(scalar @points, 2,   "$name: two modes are two points");
        is("$index$half",  q{}, "$name: they have no mean");
        return;
    }
    are_near("$name: point", \@points, [number_of($index)], THREE_KNOWN);
    are_near("$name: the description names the index",
        [$of_words], [number_of($index)], THREE_KNOWN + 0.051 / $of_words);
    are_shown("$name: interval",                $row->{interval},    [split / to /, $interval // q{}]);
    are_shown("$name: interval of the machine", $row->{spans}{pale}, [split / to /, $machine  // q{}]);
    is(length $half ? 1 : 0, defined $interval ? 1 : 0, "$name: the interval is shown if it is known");
    return;
}

# Tests the chart of a gain: a point at the factor in the table, and a dot for each smaller number of copies.
sub is_true_of_gain {
    my ($name, $chart) = @_;
    are_near("$name: ticks", $chart->{ticks}, $chart->{shown});
    for my $row (@{ $chart->{rows} }) {
        my ($times) = @{ $row->{cells} };
        are_near("$name: $row->{title}: point", [map { $_->{value} } @{ $row->{points} }], [$times]);
        are_near("$name: $row->{title}: none",  $row->{lines}{mean},                       [1]);
    }
    return;
}

for my $case (grep { !$_->{is_of_feature} } cases()) {
    my ($name, $result) = @$case{qw(name result)};
    my $html   = rendered(html => $result);
    my @charts = charts($html);
    my @gain   = grep { $_->{caption} =~ /times/ } @charts;
    is_true_of_gain($name, $_) for @gain;
    my @of_runs = grep { $_->{caption} !~ /times/ } @charts;
    my @indexed = grep { @{ $_->{indexes} } } @{ $result->{runs} };
    is(scalar @of_runs, scalar @indexed, "$name: each run with an index has a picture");
    is_true_of_run("$name $_", $of_runs[$_], $indexed[$_]) for 0 .. $#of_runs;
}

subtest 'the first thing seen' => sub {
    my $official =
        texts_of(page([run(1, measured('spawn', 1, 3030, 2985, 3097.5), measured('pipe', 1, 5e6, 5.1e6, 5e6))]));
    like(
        $official,
        qr{\A UnixBench partial index 57[.]0 .* UnixBench 8[.]0[.]0, 2026-11-20, vm / GNU/Linux UnixBench partial },
        'the title is in the headline'
    );
    like(
        $official,
        qr/ index 57[.]0 \xc2\xb17 %, AMD EPYC, 2 CPUs System .*, 1 copy trust: good official The pale .* Trust: /,
        'it has the number with its interval, and then comes the trust'
    );
    like(
        $official,
        qr/ CPU 2 CPUs AMD EPYC System Linux 6[.]18 Compiler gcc 12[.]2[.]0 -O3 -ffast-math .* 1 copy 02:12:30 /,
        'the facts about the machine come next'
    );
    like(
        texts_of(page([run(1, measured('hanoi', 1, 1000))])),
        qr/ UnixBench Recursion Test -- Tower of Hanoi 50[.]00 lps, AMD EPYC, 2 CPUs 1 copy trust/,
        'a run without an index shows its score'
    );
};

subtest 'all passes disturbed' => sub {
    my $pipe = tagged(measured('pipe', 1, 1e6, 1e6), { map { $_ => [tag('throttled', 'disturbed', 1)] } 1, 2 });
    like(texts_of(page([run(1, $pipe)])), qr/trust: poor .* 2 of 2 passes were disturbed /, 'the headline has it');
};

subtest 'extreme ratios' => sub {
    my @runs = (run(1, measured('pipe', 1, 1e20)), run(2, measured('pipe', 2, 1)));
    like(page(\@runs), qr{<h2>Scaling</h2>}, 'extreme ratios give a page');
};

subtest 'problems of tests' => sub {
    my $pipe  = tagged(measured('pipe', 1, 1e6, 2e6, 1e6), { 2 => [tag('steal', 'disturbed', 0.3)] });
    my $html  = page([run(1, $pipe, failed('spawn', 'gone'), measured('execl', 1, 1000, 1001, 1000))]);
    my $texts = texts_of($html);
    like(
        $texts,
        qr/ none\s+1 test failed; mean .* 1 test failed, 1 of 7 passes was disturbed .* 1 of 2 scores varies /s,
        'the headline counts failed tests, disturbed passes and noisy tests'
    );
    my ($chart) = charts($html);
    my %row = map { $_->{title} => $_ } @{ $chart->{rows} };
    like($row{'Pipe Throughput'}{labelled}{Variation}, qr/ %, noisy\z/, 'the variation of a noisy test is marked');
    unlike($row{'Execl Throughput'}{labelled}{Variation}, qr/noisy/, 'that of others is not');
    my @disturbed = map { $_->{class} =~ /disturbed/ ? 1 : 0 } @{ $row{'Pipe Throughput'}{dots} };
    is_deeply(\@disturbed, [0, 1, 0], 'the dot of a disturbed pass looks different');
    like($texts, qr/ A hollow dot is a disturbed pass[.] /, 'the page explains the dots of disturbed passes');
    is_deeply($chart->{bare}, ['Process Creation'], 'the row of a failed test has no picture');
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
