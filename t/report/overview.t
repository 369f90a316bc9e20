use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture                   qw(@INDEX failed measured quick_run result run skipped sliced tag tagged);
use Cases                     qw(whole);
use TextTable                 qw(row_texts);
use UnixBench::Report::Block  qw(within);
use UnixBench::Report::Markup qw(string_of);
use UnixBench::Report::Topic::Overview;
use UnixBench::Report::View;
use UnixBench::Report::Plain qw(in_plain);
use UnixBench::Report::Topic::Scores;
use UnixBench::Score;

# The topic at the top of a page and of a ticket: UnixBench::Report::Topic::Overview.

my %BOX       = (machine => 'Box', kind => 'PC', copies => 1, cpu => 'Xeon', known_as => 'a box');
my @PUBLISHED = map { +{ %BOX, index => $_ } } 500, 1500, 4000;

# Takes runs; returns the view of their result.
sub view {
    return UnixBench::Report::View->new(result => result([@_]), published => sub { @PUBLISHED });
}

# Takes a text; returns it as a page shows it, with blanks that may break.
sub seen { my ($text) = @_; return string_of($text) =~ s/\xc2\xa0/ /gr }

# Takes runs; returns the headline.
sub headline {
    my ($headline) = within(full => UnixBench::Report::Topic::Overview::before_runs(view(@_)));
    return $headline;
}

# Takes runs; returns the numbers of the headline as texts: "NUMBER PRECISION: TITLE, COPIES, LINK". One that the title
# of the page has is in brackets.
sub numbers {
    my @texts;
    my @items = @{ headline(@_)->{numbers} };
    for my $item (@items) {
        my $number = join q{ }, map { seen($_) } grep { defined } @$item{qw(number sure)};
        push @texts, join ': ', (@items == 1 && $item->{is_known} ? "[$number]" : length $number ? $number : ()),
            join ', ', @$item{qw(title copies link)};
    }
    return @texts;
}

# Takes runs; returns the paragraphs of the headline.
sub lines {
    return map { seen($_) } map { @{ $_->{texts} } } grep { $_->{kind} eq 'paragraphs' } @{ headline(@_)->{blocks} };
}

my $PARTIAL = 'System Benchmarks index (partial)';
my @UNEVEN  = (0.9e6, 1.1e6, 1e6);
my %LOUD    = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;

# [what, numbers, runs].
my @CASES = (
    [
        'two runs',
        ["80.4 \xc2\xb112 %: $PARTIAL, 1 copy, run-0", "321 \xc2\xb112 %: $PARTIAL, 4 copies, run-1"],
        map { run($_, measured('pipe', $_, 1e6, 1.01e6, 0.99e6)) } 1, 4
    ],
    ['a poor result', ["[62 to 100]: $PARTIAL, 1 copy, run-0"], run(1, measured('pipe', 1, @UNEVEN))],
    [
        'beside other load',
        ["[at least 67 (disturbed)]: $PARTIAL, 1 copy, run-0"],
        run(1, tagged(measured('pipe', 1, @UNEVEN), \%LOUD))
    ],
    [
        'without an index',
        ['[50.00 lps]: Recursion Test -- Tower of Hanoi, 1 copy, run-0'],
        run(1, measured('hanoi', 1, 1000))
    ],
    [
        'many tests without an index',
        ['No index, 1 copy, run-0'],
        run(1, map { measured($_, 1, 1000) } qw(hanoi arithoh short int))
    ],
    [
        'a failed test',
        ['none 1 test failed; mean of the other test 80.38: System Benchmarks index, 1 copy, run-0'],
        run(1, measured('pipe', 1, 1e6), failed('spawn', 'no'))
    ],
);
for my $case (@CASES) {
    my ($what, $numbers, @runs) = @$case;
    is_deeply([numbers(@runs)], $numbers, "the numbers: $what");
}
subtest 'place among published results' => sub {
    my @sentences =
        ('Faster than 2 of 3 published results (2nd of 3).', 'Trust: good: none of 71 passes was disturbed.');
    is_deeply([lines(whole(1))], \@sentences, 'place and trust are sentences');
    my ($strip) = grep { $_->{kind} eq 'chart' } @{ headline(whole(1))->{blocks} };
    is(scalar(grep { $_->{shape} eq 'dot' } @{ $strip->{shapes} }), 4, 'the strip has a dot for each result');
    is_deeply([map { @{ $_->{labels} } } grep { $_->{labels} } @{ $strip->{shapes} }], [[1500, 'a box']], 'its name');
    my $shaky = run(1, map { measured($_, 1, 0.5e6, 1.5e6, 1e6) } @INDEX);
    my ($poor) = grep { $_->{kind} eq 'chart' } @{ headline($shaky)->{blocks} };
    is_deeply([map { $_->{class} } grep { $_->{shape} eq 'bar' } @{ $poor->{shapes} }],
        ['own doubtful'], 'a poor result has the interval of the run alone');
};

# The topic of scores: the table of all tests of a run on a page, and the sentences of a ticket.

# Takes an extent and a run; returns the blocks about it.
sub blocks {
    my ($extent, $run) = @_;
    my $view = UnixBench::Report::View->new(result => result([$run]));
    return within($extent, UnixBench::Report::Topic::Scores::of_run($view, $view->runs));
}

# Takes tests of a run; returns the tables of their page.
sub tables_of {
    return grep { $_->{kind} eq 'table' } blocks(full => run(1, @_));
}

# Takes the same; returns the first table.
sub table_of { return (tables_of(@_))[0] }

# Takes a table; returns its rows, or those of its foot, as texts: title, cells, reason.
sub rows {
    my ($table, $part) = @_;
    return map {
        join q{ | }, $_->{title},
            row_texts($table, $_, sub { string_of($_[0]) =~ s/\xc2\xa0/ /gr }),
            $_->{reason} // ()
    } @{ $table->{ $part // 'rows' } };
}

# Takes a row; returns its shapes as texts: "band FROM TO", "interval FROM TO", "pass AT (WORDS)" and so on.
sub shapes {
    my ($row) = @_;
    my %text_of = (
        grid => sub { 'grid' },
        bar  => sub { sprintf '%s %.1f %.1f', @$_{qw(class from to)} },
        span => sub { sprintf '%s %.1f %.1f', @$_{qw(class from to)} },
        rule => sub { sprintf '%s %.1f',      @$_{qw(class at)} },
        dot  => sub { sprintf '%s %.1f%s', @$_{qw(class at)}, $_->{words} ? ' (' . in_plain($_->{words}) . ')' : q{} },
    );
    return map { $text_of{ $_->{shape} }->() } @{ $row->{shapes} };
}

my @STEADY = (1e6, 1.01e6, 0.99e6);

subtest 'a score that is a floor' => sub {
    my %loud  = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 4;
    my $wild  = tagged(measured('pipe', 1, map { 10 * $_ } 545_000, 900_000, 1_200_000, 1_580_000), \%loud);
    my $table = table_of($wild);
    for my $row ($table->{rows}[0], $table->{foot}[0]) {
        is_deeply([grep { /\Ainterval/ } shapes($row)], [], 'no interval');
        is(scalar(grep { /\Apoint / } shapes($row)), 1, 'one point');
    }
    like(in_plain($table->{rows}[0]{words}), qr/\Aindex at least \S+, 4 passes from /, 'its description');
    my $view     = UnixBench::Report::View->new(result => result([run(1, $wild)]));
    my ($run)    = $view->runs;
    my ($lowest) = sort { $a <=> $b } map { UnixBench::Score::rate($_) * 10 / 12_440 } @{ $wild->{passes} };
    my ($least)  = sort { $a <=> $b } UnixBench::Report::Topic::Scores::_values_on_axis($view, $run, { pipe => 1 });
    cmp_ok($least, '>=', $lowest, 'passes that differ wildly do not stretch the axis');
};

subtest 'each category has a table, the highest index first' => sub {
    my @tables = tables_of(
        measured('spawn', 1, map { $_ / 40 } @STEADY),
        measured('hanoi', 1, @STEADY),
        measured('pipe',  1, @STEADY),
        failed('execl', 'gone'),
        skipped('2d-rects', 'no display'),
        measured('arithoh', 1, 2e6),
    );
    my ($table) = @tables;
    my @heads = (qw(Test Index Index +- Score Unit Variation Classic));
    is_deeply([map { in_plain($_->{heading}) } @{ $table->{columns} }], \@heads, 'the columns');
    is_deeply(
        [map { [rows($_)] } @tables],
        [
            [
                'Pipe Throughput | 80.4 | 12 % | 100,000 | lps | 1.0 % | 80.8',
                'Process Creation | 66.1 | 7 % | 833 | lps | 1.0 % | 66.5',
                'Execl Throughput | no measured results: gone',
            ],
            ['Arithoh |  | 200,000 | lps | ', 'Recursion Test -- Tower of Hanoi | 7 % | 50,000 | lps | 1.0 %',],
            ['2D graphics: rectangles | no measured results: no display'],
        ],
        'tests without an index follow by title, and numbers have the digits that are known'
    );
    is_deeply([rows($table, 'foot')], ['System, mean of the other 2 tests | 72.9 | 1.1 % |  |  |  | 73.3'], 'a mean');
    is_deeply([map { scalar shapes($_) ? 1 : 0 } @{ $table->{rows} }], [1, 1, 0], 'only those with an index');
};

subtest 'a picture shows index, interval and passes' => sub {
    my $table = table_of(measured('pipe', 1, @STEADY), measured('spawn', 1, 25_000));
    my ($pipe, $spawn) = @{ $table->{rows} };
    my @passes = map { "pass $_->[1] (pass $_->[0]: $_->[1])" } [1, 80.4], [2, 81.2], [3, 79.6];
    is_deeply(
        [shapes($pipe)],
        ['grid', @passes, 'interval 78.4 82.4', 'point 80.4'],
        'a dot for each pass, and a large one with the interval'
    );
    is(in_plain($pipe->{words}), 'index 80.4, 95 % interval 78.4 to 82.4, 3 passes from 79.6 to 81.2', 'in words');
    is_deeply([shapes($spawn)], ['grid', 'pass 66.1 (pass 1: 66.1)', 'point 66.1'], 'a single pass');
    is(in_plain($spawn->{words}), 'index 66.1, 1 pass', 'its description has no interval');
    my ($whole) = @{ $table->{foot} };
    is_deeply([shapes($whole)], ['grid', 'point 72.9'], 'an index of which one test has no interval has none');
    is(in_plain($whole->{words}), 'index 72.9', 'its description');
    my $steady = table_of(measured('pipe', 1, @STEADY));
    is_deeply([shapes($steady->{foot}[0])], ['grid', 'interval 78.4 82.4', 'point 80.4'], 'an index with an interval');
    is_deeply(
        [sort map { sprintf '%.1f', $_ } map { @{ $_->{values} || [] } } @{ $steady->{columns} }],
        [sort qw(80.4 78.4 82.4 80.4 78.4 82.4 80.4 81.2 79.6)],
        'all of it is on the scale'
    );
};

subtest 'a test with two modes has two points and no mean' => sub {
    my $table = table_of(measured('pipe', 1, (1e6) x 4, (2e6) x 6), measured('spawn', 1, 25_000));
    my ($pipe) = @{ $table->{rows} };
    like(join(q{|}, shapes($pipe)), qr/[|]point 80[.]4[|]point 160[.]7\z/, 'the picture has a point for each');
    is((rows($table))[0], 'Pipe Throughput |  |  |  | 32.3 %, noisy | 145.5', 'there is no score and no index');
};

subtest 'noisy tests and disturbed passes are marked' => sub {
    my $noisy = measured('pipe', 1, 0.9e6, 1.1e6, 1e6);
    my $table = table_of(tagged($noisy, { 2 => [tag('steal', 'disturbed', 0.3)], 3 => [tag('steal', 'note', 0.01)] }),
        measured('spawn', 1, 25_000));
    is((rows($table))[0], 'Pipe Throughput | 80.1 | 42 % | 99,600 | lps | 10.0 %, noisy | 84.3',
        'beside the variation');
    my @dots = grep { /pass/ } shapes($table->{rows}[0]);
    is_deeply([map { /\A(.*?) \d/ } @dots], ['pass', 'pass disturbed', 'pass'], 'a disturbed pass is hollow');
};

is_deeply(
    [
        map { rows($_, 'foot') } tables_of(
            map { measured($_, 1, 5000) } 'pipe', map { "2d-$_" } qw(rects ellipse aashapes text blit window)
        )
    ],
    ['System Benchmarks index (partial) | 0.4019 |  |  | 0.4', '2D Graphics Benchmarks index | 3333 |  |  | 3333'],
    'each index has its own line'
);

my $table = table_of(measured('hanoi', 1, @STEADY));
is_deeply([rows($table)], ['Recursion Test -- Tower of Hanoi | 7 % | 50,000 | lps | 1.0 %'], 'a run without an index');

subtest 'a terminal has the same table' => sub {
    my $run = run(1, measured('pipe', 1, @STEADY), failed('spawn', 'no'), measured('hanoi', 1, @STEADY));
    is_deeply(
        [map { rows($_) } grep { $_->{kind} eq 'table' } blocks(detail => $run)],
        [
            'Pipe Throughput | 80.4 | 12 % | 100,000 | 1.0 % | 3 | 80.8',
            'Process Creation | no measured results: no',
            'Recursion Test -- Tower of Hanoi | 7 % | 50,000 | 1.0 % | 3',
        ],
        'with the passes and the classic index, and without units, which scripts search for'
    );
    my ($quick) =
        grep { $_->{kind} eq 'table' } blocks(detail => quick_run(3, 1, sliced('pipe', 1, 1e5, 1.01e5, 0.99e5)));
    is((rows($quick))[0], 'Pipe Throughput | 80.2 | 12 % | 99,800 | 1.1 % | 3', 'a quick run has no other index');
};

for my $case ([1.1, undef], [5, 'one copy lets CPUs sleep between its switches; several keep them awake']) {
    my ($times, $remark) = @$case;
    my $of      = sub { my ($copies, $rate) = @_; return run($copies, measured('context1', $copies, ($rate) x 3)) };
    my $view    = UnixBench::Report::View->new(result => result([$of->(1, 4e5), $of->(2, $times * 4e5)]));
    my ($table) = map { @{ $_->{blocks} } } UnixBench::Report::Topic::Scores::of_result($view);
    is($table->{rows}[0]{remark}, $remark, "two copies of context1 do $times times as much each");
}

done_testing;
