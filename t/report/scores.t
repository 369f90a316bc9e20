# The topic of scores: the table of all tests of a run on a page, and the sentences of a ticket.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use BlockDump                     qw(row_texts);
use Fixture                       qw(failed measured quick_run result run skipped sliced tag tagged);
use UnixBench::Report::Block      qw(within);
use UnixBench::Report::HTML::Text qw(string_of);
use UnixBench::Report::Plain      qw(in_plain);
use UnixBench::Report::Topic::Scores;
use UnixBench::Report::View;

# Takes an extent and a run; returns the blocks about it.
sub blocks {
    my ($extent, $run) = @_;
    my $view = UnixBench::Report::View->new(result => result([$run]));
    return within($extent, UnixBench::Report::Topic::Scores::of_run($view, $run));
}

# Takes tests of a run; returns the only block of their page.
sub table_of {
    my ($table, @others) = grep { $_->{kind} eq 'table' } blocks(full => run(1, @_));
    is(scalar @others, 0, 'a run has one table');
    return $table;
}

# Takes a table; returns its rows, or those of its foot, as texts: title, badges in parentheses, cells, reason.
sub rows {
    my ($table, $part) = @_;
    return map {
        join q{ | }, join(q{ }, $_->{title}, map { "($_)" } @{ $_->{badges} }),
            row_texts($table, $_, sub { string_of($_[0]) =~ s/\xc2\xa0/ /r }),
            $_->{reason} // ()
    } @{ $table->{ $part // 'rows' } };
}

# Takes a row; returns its shapes as texts: "bar CLASS FROM TO", "interval FROM TO", "pass AT (WORDS)" and so on.
sub shapes {
    my ($row) = @_;
    my %text_of = (
        grid => sub { 'grid' },
        bar  => sub { sprintf '%s %.1f %.1f', @$_{qw(class from to)} },
        span => sub { sprintf '%s %.1f %.1f', @$_{qw(class from to)} },
        rule => sub { sprintf '%s %.1f',      @$_{qw(class at)} },
        dot  => sub { sprintf '%s %.1f (%s)', @$_{qw(class at)}, in_plain($_->{words}) },
    );
    return map { $text_of{ $_->{shape} }->() } @{ $row->{shapes} };
}

my @STEADY = (1e6, 1.01e6, 0.99e6);

# The end of the legend that every chart has.
my $LEGEND = qr/ Scores include all passes[.]/;

subtest 'all tests of a run are in one table, the highest index first' => sub {
    my $table = table_of(
        measured('spawn', 1, map { $_ / 40 } @STEADY),
        measured('hanoi', 1, @STEADY),
        measured('pipe',  1, @STEADY),
        failed('execl', 'gone'),
        skipped('2d-rects', 'no display'),
        measured('arithoh', 1, 2e6),
    );
    ok((grep { $_->{kind} eq 'picture' } @{ $table->{columns} }), 'it has pictures');
    is_deeply(
        [map { in_plain($_->{heading}) } @{ $table->{columns} }],
        [qw(Test Index Score Unit Baseline Index +- Variation)],
        'the columns'
    );
    is_deeply(
        [rows($table)],
        [
            'Pipe Throughput | 99,977 | lps | 12,440 | 80.4 | 2.5 % | 1.0 %',
            'Process Creation | 833.2 | lps | 126.0 | 66.1 | 2.5 % | 1.0 %',
            '2D graphics: rectangles | no measured results: no display',
            'Arithoh | 199,980 | lps |  |  |  | ',
            'Execl Throughput | no measured results: gone',
            'Recursion Test -- Tower of Hanoi | 49,993 | lps |  |  | 2.5 % | 1.0 %',
        ],
        'tests without an index follow by title'
    );
    is_deeply(
        [rows($table, 'foot')],
        ['System, mean of the other 2 tests |  |  |  | 72.9 | 1.1 % | '],
        'the mean replaces an index that a test lacks'
    );
    is_deeply(
        [map { scalar shapes($_) ? 1 : 0 } @{ $table->{rows} }],
        [1, 1, 0, 0, 0, 0],
        'only tests with an index have a picture'
    );
};

subtest 'a picture shows index, interval and passes' => sub {
    my $table = table_of(measured('pipe', 1, @STEADY), measured('spawn', 1, 25_000));
    my ($pipe, $spawn) = @{ $table->{rows} };
    is_deeply(
        [shapes($pipe)],
        [
            'grid',
            'bar 72.9 80.4',
            'mean 72.9',
            'interval 78.4 82.4',
            'pass 80.4 (pass 1: 80.4)',
            'pass 81.2 (pass 2: 81.2)',
            'pass 79.6 (pass 3: 79.6)'
        ],
        'a bar from the index of all tests, a line for the interval, and a dot for each pass'
    );
    is(
        in_plain($pipe->{words}),
        'index 80.4, 95 % interval 78.4 to 82.4, 3 passes from 79.6 to 81.2',
        'the description'
    );
    is_deeply([shapes($spawn)], ['grid', 'bar 72.9 66.1', 'mean 72.9', 'pass 66.1 (pass 1: 66.1)'], 'a single pass');
    is(in_plain($spawn->{words}), 'index 66.1, 1 pass', 'its description has no interval');
    my ($whole) = @{ $table->{foot} };
    is_deeply([shapes($whole)], ['mean 72.9'], 'an index of which one test has no interval has none');
    is(in_plain($whole->{words}), 'index 72.9', 'its description');
    like($table->{legend}[0], qr/$LEGEND\z/, 'the legend explains no more than there is');
    my $steady = table_of(measured('pipe', 1, @STEADY));
    is_deeply([shapes($steady->{foot}[0])], ['mean 80.4', 'interval 78.4 82.4'], 'an index with an interval');
    is(
        in_plain($steady->{foot}[0]{words}),
        'index 80.4, 95 % interval 78.4 to 82.4',
        'its description has the interval'
    );
    is_deeply(
        [sort map { sprintf '%.1f', $_ } map { @{ $_->{values} || [] } } @{ $steady->{columns} }],
        [sort qw(80.4 78.4 82.4), qw(80.4 78.4 82.4), qw(80.4 81.2 79.6)],
        'all of it is on the scale'
    );
};

subtest 'colour is for noisy tests and disturbed passes only' => sub {
    my $noisy = measured('pipe', 1, 0.9e6, 1.1e6, 1e6);
    my $table = table_of(tagged($noisy, { 2 => [tag('steal', 'disturbed', 0.3)], 3 => [tag('steal', 'note', 0.01)] }),
        measured('spawn', 1, 25_000));
    my ($pipe, $spawn) = @{ $table->{rows} };
    is_deeply($pipe->{badges},  ['noisy'], 'a noisy test has a badge');
    is_deeply($spawn->{badges}, [],        'other tests have none');
    my ($bar, @dots) = grep { /bar|pass/ } shapes($pipe);
    like($bar, qr/\Abar noisy /, 'its bar has another class');
    is_deeply([map { /\A(.*?) \d/ } @dots], ['pass', 'pass disturbed', 'pass'],
        'the dot of a disturbed pass is hollow');
    like(
        $table->{legend}[0],
        qr/$LEGEND A hollow dot is a disturbed pass[.] Noisy: the passes vary by more than 5 %[.]\z/,
        'the legend explains both'
    );
    my ($only) = @{ table_of(measured('hanoi', 1, 9e5, 2e6))->{rows} };
    is_deeply($only->{badges}, ['noisy'], 'a test without an index has a badge, too');
};

subtest 'each index has its own line' => sub {
    my @drawing = map { measured("2d-$_", 1, 5000) } qw(rects ellipse aashapes text blit window);
    my $table   = table_of(measured('pipe', 1, @STEADY), @drawing);
    is_deeply(
        [rows($table, 'foot')],
        [
            'System Benchmarks index (partial) |  |  |  | 80.4 | 2.5 % | ',
            '2D Graphics Benchmarks index |  |  |  | 3333 |  | '
        ],
        'the indexes are at the foot'
    );
    my %mean = map {
        $_->{title} => (grep { /\Amean/ } shapes($_))[0]
    } @{ $table->{rows} };
    is($mean{'Pipe Throughput'},         'mean 80.4',   'a bar begins at the index that its test belongs to');
    is($mean{'2D graphics: rectangles'}, 'mean 3333.3', 'a bar of another index begins there');
};

subtest 'a run without an index has a table without pictures' => sub {
    my $table = table_of(measured('hanoi', 1, @STEADY));
    is($table->{kind}, 'table', 'it is not a chart');
    is_deeply([rows($table)], ['Recursion Test -- Tower of Hanoi | 49,993 | lps | 2.5 % | 1.0 %'], 'it has the scores');
    is_deeply($table->{foot}, [],                                                                  'it has no foot');
};

subtest 'a ticket has a sentence for each index' => sub {
    my $sentences = sub {
        return [
            map {
                map { in_plain($_) }
                    @{ $_->{texts} }
            } grep { ($_->{style} // q{}) eq 'plain' } blocks(brief => @_)
        ];
    };
    my $partial = 'System Benchmarks index (partial)';
    is_deeply(
        $sentences->(run(1, measured('pipe', 1, @STEADY))),
        ["$partial: 80.8, the classic one; untrimmed 80.4, 95 % interval 78.4 to 82.4 (+-2.5 %)"],
        'an official run has two numbers'
    );
    is_deeply(
        $sentences->(quick_run(3, 1, sliced('pipe', 1, 1e5, 1.01e5, 0.99e5))),
        ["$partial: 80.2, an estimate after 3 rounds, 95 % interval 78.2 to 82.4 (+-2.6 %)"],
        'a quick run has one'
    );
    is_deeply(
        $sentences->(run(1, measured('pipe', 1, 1e6))),
        ["$partial: 80.4, the classic one; untrimmed 80.4, without an interval"],
        'a single pass'
    );
    is_deeply(
        $sentences->(run(1, measured('pipe', 1, @STEADY), failed('spawn', 'no'))),
        [
            'System Benchmarks index: none, 1 test failed; mean of the other test 80.8, the classic one; untrimmed '
                . '80.4, 95 % interval 78.4 to 82.4 (+-2.5 %)'
        ],
        'a failed test'
    );
    my $pipe = tagged(measured('pipe', 1, @STEADY, 0.5e6), { 4 => [tag('steal', 'disturbed', 0.3)] });
    like(
        $sentences->(run(1, $pipe))->[0],
        qr/; undisturbed 80[.]4, 95 % interval 78[.]4 to 82[.]4 /,
        'a disturbed pass'
    );
};

done_testing;
