# The reports of histories. To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Golden                         qw(is_golden no_golden_left_over);
use Place                          qw(text_of);
use Gallery::Histories             qw(histories history_of many_weeks);
use ReadCharts                     qw(timelines);
use Fixture                        qw(unstyled);
use Validator                      qw(are_valid_json);
use ValidMarkdown                  qw(are_valid_markdown);
use ValidPage                      qw(is_valid_page);
use UnixBench::History::JSON;
use UnixBench::History::Report;
use UnixBench::Report::Formats;
use UnixBench::Report::Plain qw(in_plain);
use UnixBench::Store::ClassicReport;

my %history = histories();

# Takes a history or the name of one, a kind, and perhaps the columns of a terminal; returns the report.
sub report {
    my ($of, $kind, $columns) = @_;
    my $history = ref $of ? $of : $history{$of};
    return UnixBench::History::JSON::render($history) if $kind eq 'json';
    my $report = UnixBench::History::Report::report_of($history);
    return UnixBench::Report::Formats::of_blocks($kind, $report, $columns && { columns => $columns });
}

is_golden('eventful.txt', report('eventful', 'text'));
is_golden('hostile.md',   report('hostile',  'markdown'));
is_golden('single.json',  report('single',   'json'));
is_golden('step.txt',     report('step',     'text'));
for my $name (sort keys %history) {
    my $text = report($name, 'text');
    is_valid_page($name, report($name, 'html'));
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    my @wide = grep { length > 80 && !m{^Next +[.]/Run } } split /\n/, report($name, 'text', 80);
    is_deeply(\@wide, [], "$name: no line is longer than 80 columns");
}
are_valid_markdown(map { $_ => report($_, 'markdown') } sort keys %history);

subtest 'the index is first' => sub {
    my @measures = (measures => [qw(pipe spawn system)], copies => [1, 4]);
    my @results =
        (many_weeks([0, 9], @measures), many_weeks([10, 19], @measures, factor => { spawn => 0.5, system => 0.88 }));
    my $history = history_of(@results);
    my $loss    = '12[.]\d % slower since 2026-02-09 [(]index, (?:one copy|4 copies)[)]';
    my ($text, $page) = map { report($history, $_) } qw(text html);
    like($text, qr/\AHistory of vm: $loss\n\n20 runs, 2025-12-01 to 2026-04-13\n/, 'in the first line');
    like($text, qr/^2026-02-09  System Benchmarks index, \N*: -1[12]/m, 'in the list, though a test has lost more');
    like($page =~ s/\xc2\xa0/ /gr, qr{<h1>.*: $loss</h1>}s,             'in the title of the page');
    my $series = [('System Benchmarks index', 'Pipe Throughput', 'Process Creation') x 2];
    is_deeply([map { $_->{title} } timelines($page)], $series, 'and among the pictures');
    is(scalar(() = $page =~ m{<li class="whole">\n<p>System Benchmarks index}g), 2, 'they are as wide as the page');
    is(scalar(() = $page =~ /"whole"/g),                                         2, '... and no other');
    my $block = UnixBench::History::Report::report_of($history)->{block};
    like(in_plain($block->[0][1]), qr/\A$loss\z/, 'the block at the end has the same verdict');
    is(in_plain($block->[1][1]), './Run compare week-09 week-10 --why', 'and the command that says why');
    $_->{accepted} = 'known' for grep { $_->{series}{kind} eq 'index' } @{ $history->{hosts}[0]{events}[0]{changes} };
    my $of_test = qr/\AHistory of vm: [45]\d[.]\d % slower since 2026-02-09 [(]Process Creation, /;
    like(report($history, 'text'), $of_test, 'if the loss of the index is accepted, that of a test is named');
};

subtest 'an event is headed by the change that waits for the user' => sub {
    my ($later, $earlier) = report('hostile', 'text') =~ /^(2026-\d\d-\d\d  .*)/mg;
    like($earlier, qr/ Process Creation, 1 copy: -19/, 'one for the worse, though another one is larger');
    my $page = report('hostile', 'html');
    my ($other, $spawn) = sort { $a->{title} cmp $b->{title} } timelines($page);
    my $marks = sub { [map { $_->{class} } grep { $_->{class} =~ /event/ } @{ $_[0]{lines} }] };
    is_deeply($marks->($other), ['event better'],                  'a vertical line has the colour of its own change');
    is_deeply($marks->($spawn), ['event accepted', 'event worse'], 'in each chart');
};

subtest 'of several hosts, the worst is first' => sub {
    my %differs = map { $_ => [] } qw(a g);
    $differs{c}         = [outline => { programs => {} }];
    $differs{d}         = [outline => { unused   => 'poor' }];
    $differs{ $_->[0] } = [factor  => { $_->[1]  => $_->[2] }]
        for [b => pipe => 1.2], [e => spawn => 0.7], [f => spawn => 0.6], [h => pipe => 0.8];
    my %since   = (h => 18, f => 12);
    my @results = many_weeks([16, 19], name => 'i');
    for my $name (sort keys %differs) {
        my $since = $since{$name} // 14;
        push @results, many_weeks([0, $since - 1], name => $name);
        push @results, many_weeks([$since, 19], name => $name, @{ $differs{$name} });
    }
    my $history = history_of(@results);
    my ($text, $page, $json) = map { report($history, $_) } qw(text html json);
    my $worst = qr/(?:39|40)[.]\d % slower since 2026-02-23 [(].*[)] on f; worse on 1 other host/;
    like($text, qr/\AHistory of 9 hosts: $worst\n/, 'the first line');
    my $same  = qr/3 hosts [(]a, c and g[)]: no change shown; three more runs would .*\ni: too few runs: .*/;
    my $begun = qr/Series that begin anew:\n   2026-03-09: 3 series begin anew: other programs [(]c[)][.]/;
    like($text, qr/^$same\n\n$begun\n/m, 'one line for all that did not change');

    for my $places ([$text =~ /^(\w): 20 runs/mg], [$page =~ m{<h2>(\w): 20 runs}g]) {
        is_deeply($places, [qw(f e d h b)], 'before it those without a usable run, and with other changes');
    }
    like($page, qr{<summary>The charts of these hosts</summary>.*<h2>a: 1.{1,6}copy, by date}s, 'with all charts');
    is(join(q{}, $json =~ /"label":"(\w)"/g), 'abcdefghi', 'the JSON has all hosts');
};

subtest 'runs that differ much' => sub {
    my $of = sub {
        my ($runs, $by) = @_;
        my $vary = sub { (measures => ['pipe'], factor => { pipe => exp($by * sin(2.4 * $_**2)) }) };
        return report(history_of(map { many_weeks([$_, $_], $vary->()) } 0 .. $runs - 1), 'text');
    };
    my $seen = qr/[.] Runs differ by 3[.]\d % [(]Pipe Throughput[)]: a step of 10 % /;
    like($of->(20, 0.06), qr/${seen}is seen within about 2\d runs, 4 times of 5[.]$/m, 'say how soon a step is seen');
    like($of->(9,  0.06), qr/${seen}may not be seen in 100 runs[.]$/m,                 'or that it may not be');
    unlike($of->(20, 0.01), qr/Runs differ/, 'others do not');
};

# The sample of docs/history.md is the report of these weeks: another kernel from week 30 on.
subtest 'the sample of the guide' => sub {
    my @measures = (measures => [qw(context1 pipe spawn syscall)]);
    my @results  = many_weeks([0, 29], @measures);
    push @results, many_weeks([30, 39], @measures, factor => { spawn => 0.8 }, facts => { Kernel => '6.19.1' });
    $_->{outline}{values}{'1 test context1'} *= 0.7 for @results[grep { $_ * 7 % 5 < 2 } 0 .. 39];
    my ($printed) = report(history_of(@results), 'text')              =~ /\A(.*?)^At most one false alarm /ms;
    my ($sample)  = text_of("$FindBin::Bin/../../../docs/history.md") =~ /^```text\n(History of .*?)^```$/ms;
    is($sample, $printed, 'is what the program prints');
};

subtest 'losses in plain words' => sub {
    my $test  = 'Process Creation';
    my %slow  = (factor => { spawn => 0.8 });
    my $month = report(history_of(many_weeks([0, 9]), many_weeks([10, 13], %slow), many_weeks([14, 18])), 'text');
    like($month,
        qr/\AHistory of vm: (?:20|19[.]\d|20[.]\d) % slower from 2026-02-09 to 2026-03-02 [(]$test, one copy[)]$/m,
        'a month');
    like($month, qr/^2026-02-09  .*, confirmed, 9 runs since, to 2026-03-02$/m, 'in the list, too');
};

# Takes a line of a chart; returns its class and ends, the time in millions of seconds.
sub ends_of {
    my ($line) = @_;
    return join q{ }, $line->{class}, map {
        sprintf('%.0f', $_->[0] / 1e6), map { sprintf '%.0f', $_ }
            grep { defined }
            $_->[1]
    } @{ $line->{ends} };
}

subtest 'a page' => sub {
    my ($page, $step) = map { unstyled(report($_, 'html')) } qw(eventful step);
    my @panels = timelines($page);
    my ($pipe) = grep { $_->{title} eq 'Pipe Throughput' } @panels;
    is(scalar @panels, 17, 'has a chart for each series of a host');
    like($pipe->{points}[0]{words},  qr/\A2025-12-01: 1[.]\d+ M \xc2\xb11[.]0 %, week-00\z/, 'a point has its value');
    like($pipe->{points}[10]{words}, qr/, week-10, not evidence [(]trust: poor[)]\z/,        'a poor one says so');
    like($pipe->{points}[25]{words}, qr/, week-25, an outlier\z/,                            'so does an outlier');
    like($page, qr{<text class="tick up" data-value="1600000"[^>]*>1[.]6 M</text>}, 'ticks are in millions');
    like($page, qr{<h2>beta, version 5[.]1[.]3: 1 copy, by date</h2>},              'titles name one of several hosts');
    my ($of_pipe, $of_spawn) = map { [grep { $_->{class} ne 'interval' } @{ $_->{lines} }] } timelines($step);
    is_deeply([map { ends_of($_) } @$of_pipe], ['step 1765 1600196 1774 1600196'], 'a mean between changes is a line');
    my @lines = ('event accepted 1771 1771', 'step 1765 7961 1770 7961', 'step 1771 6428 1774 6428');
    is_deeply([map { ends_of($_) } @$of_spawn], \@lines, 'so is an event');
    my $words = '2026-02-09: -19.3 % (-19.7 % to -18.8 %); differs: Kernel (6.18.44 -> 6.19.1)';
    is($of_spawn->[0]{words}, $words, 'which says what has changed');
    my $caption = 'Left to right: the time (UTC). Bottom to top: the score or index of all passes.';
    my $points =
          'A point is a run, with its 95 % interval. A hollow point is not evidence: its trust is poor, or it is '
        . 'an outlier. A horizontal line is the mean between two changes, a dashed one a drift. A vertical line is a '
        . 'change. A dashed one is provisional; at a dotted one other programs, or another CPU, begin a new series.';
    my $end     = qr{<figcaption>\Q$caption\E</figcaption>\n</figure>\n<p class="quiet">\Q$points\E</p>};
    my $section = qr{<h2>1 copy, by date</h2>.*$end}s;
    like($step, $section, 'with how to read it');
};

subtest 'a table has a row for each value of each run' => sub {
    for my $name (sort keys %history) {
        my ($columns, @rows) = UnixBench::History::JSON::table($history{$name});
        my $values = grep { defined } map { @{ $_->{values} } } map { @{ $_->{series} } } @{ $history{$name}{hosts} };
        is(scalar @rows, $values, "$name: the number of rows");
        my @strange =
            grep { ($_->{started} // '1970') !~ /\A[0-9]{4}(?:-[0-9]{2}-[0-9]{2}T[0-9:]{8}[+]00:00)?\z/ } @rows;
        is_deeply(\@strange,                                 [], "$name: dates are those of ISO 8601");
        is_deeply([grep { !exists $rows[0]{$_} } @$columns], [], "$name: each column has values");
    }
};

are_valid_json(history => map { $_ => report($_, 'json') } keys %history);

no_golden_left_over();
done_testing();
