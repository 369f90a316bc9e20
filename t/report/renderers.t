use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib/topics", "$FindBin::Bin/../lib";
use Golden                     qw(is_golden no_golden_left_over);
use TextTable                  qw(text_columns text_row);
use ValidMarkdown              qw(are_valid_markdown);
use ValidPage                  qw(is_valid_page);
use Comparisons                qw(comparisons);
use Fixture                    qw(measured rendered result run unstyled);
use UnixBench::Report::Block   qw(:all column row table);
use UnixBench::Report::Cell    qw(cell);
use UnixBench::Report::Chart   qw(bar dot dots dots_column grid picture rule span strip timelines);
use UnixBench::Report::Formats ();
use UnixBench::Report::Markup  qw(string_of);
use UnixBench::Report::Comparison;
use UnixBench::Report::Plain qw(table_lines);
use UnixBench::Features;

# Every kind of block, printed by each renderer.

my $NASTY = qq{<b>"&'\t|*a* Index Score 9};

sub texts {
    return (
        paragraphs('A paragraph.', ['Parts: ', strong('first'), ', ', name('a_b c'), '.']),
        quiet('An explanation.', 'Another one.'),
        notices('A notice.', 'Another one.'),
        group(paragraphs('Two blocks', 'that are read as one.'), explained('This explains them. ' . 'Words. ' x 20)),
        heading(['A heading ', aside('and what stands apart')]),
        list('A list:', 'an item', list('a list in it', 'one', $NASTY), 'the last'),
        list(undef,     'a list without a head', ['with ', strong('parts')]),
        in_full(facts('Facts', ['Label', 'text'], [$NASTY, $NASTY])),
        screen('A line of 12 copies', q{  indented,  with blanks}, $NASTY, '```', 'x ````'),
    );
}

sub tables {
    my @rows = (
        text_row('one',  ['1.5', 'lps', 'some text']),
        text_row('two',  [cell(count => 100_000), 'lps', $NASTY], remark => 'it varied'),
        text_row($NASTY, undef, reason => 'not measured', remark => 'nor tried'),
    );
    my $columns = text_columns(word => 'Test', number => 'Score', word => 'Unit', text => 'Text');
    my @sums    = (text_row('sum', [undef, undef, 'all']), text_row('mean', ['2', q{}, undef]));
    my @narrow  = map { text_row("row $_", [map { $_ . '.0' } 1 .. 5]) } 1, 2;
    my @numbers = map { (number => "C$_") } 1 .. 5;
    return (
        table(title => 'A table', columns => $columns, rows => \@rows, foot => \@sums, remarks => 'Remarks'),
        table(
            caption => 'Said by a page',
            corner  => 'A corner',
            columns => text_columns(text => 'Row', @numbers),
            rows    => \@narrow
        ),
        table(columns => text_columns(word => 'A', number => cell('sign')), rows => [], caption => 'Without rows'),
    );
}

sub a_chart {
    my @shapes = (
        grid(),
        bar('bar strong', 1, 20, 3, 12, 'a bar'),
        bar('bar weak',   5, 2,  3, 12),
        span('interval', 2, 30, 9),
        rule('mean', 10),
        dot('pass', 7, 23, 'a dot'),
    );
    my ($first, @others) = @{ text_columns(word => 'Test', number => 'Times', word => 'Verdict') };
    return table(
        title   => 'A chart',
        columns => [$first, picture('slow to fast', [1, 40], 30), @others],
        rows    => [text_row('one', ['20.0', 'fast'], shapes => \@shapes, words => 'in words')],
        foot    => [text_row('sum', ['10.0', 'none shown'], shapes => [rule('mean', 10)], words => $NASTY)],
        legend  => ['How to read it.'],
    );
}

# Returns a chart of each other kind.
sub charts {
    my %point  = (value => 10, low => 5, high => 50, class => 'slower', is_open => 1);
    my @shapes = dots(
        band   => [2, 20],
        rules  => { mean => 1 },
        points => [\%point],
        above  => [['run', 3]],
        below  => [['run', 4, $NASTY]]
    );
    my ($first) = @{ text_columns(word => 'Test') };
    return (
        table(
            caption => 'Dots',
            columns => [$first, dots_column('slow to fast', 1, 50)],
            rows    => [text_row('one', [], shapes => \@shapes, words => 'in words')]
        ),
        in_full(
            strip(
                axis   => 'values',
                values => [[1, 'one'], [9, $NASTY]],
                names  => [[1, 'A name'], [1.1, 'Its neighbour'], [9, $NASTY]],
                owns   => [{ value => 5, low => 4, high => 6, class => 'sure' }],
                words  => $NASTY
            ),
            timelines(
                axes   => $NASTY,
                from   => 1_795_132_800,
                to     => 1_795_478_400,
                panels => [{
                    title  => $NASTY,
                    words  => $NASTY,
                    points => [['run poor', 1_795_132_800, 10, 9, 11, $NASTY]],
                    steps  => [[step => 1_795_132_800, 1_795_478_400, 10]],
                    marks  => [['event worse', 1_795_300_000, $NASTY]]
                }]
            ),
        ),
    );
}

sub arranged {
    my %number = (title => $NASTY, copies => '1 copy', link => 'part');
    return (
        in_full(headline(
            numbers => [
                { %number, number => cell(rate => 1609.2), sure => '+-1 %' },
                { %number, number => 'none', sure => 'a reason that needs a line', class => 'vague' },
                \%number
            ],
            blocks => [quiet('but')],
        )),
        section(
            { id => 'part', title => 'A section' },
            paragraphs('It has an id.'),
            section('Within', paragraphs('It stands below.')),
            in_full(fold('Folded', quiet('shown on request'))),
        ),
        section('Nothing', in_brief(), fold('empty'), group()),
        section('Only on a page', in_full(sub { paragraphs('made when it is shown') })),
    );
}

sub extents {
    return (
        in_full(paragraphs('full')),   in_detail(paragraphs('detail')),
        in_brief(paragraphs('brief')), not_in_full(paragraphs('not full')),
        not_in_brief(paragraphs('not brief')),
    );
}

my @blocks = (texts(), tables(), a_chart(), charts(), arranged(), extents());
my $report = document("All blocks $NASTY", @blocks);
my %text   = map { $_ => UnixBench::Report::Formats::of_blocks($_, $report) } qw(text html markdown);
is_golden('blocks.txt',  $text{text});
is_golden('blocks.html', unstyled($text{html}));
is_golden('blocks.md',   $text{markdown});
is_valid_page(blocks => $text{html});
are_valid_markdown(blocks => $text{markdown});

subtest 'blocks that are made only when they are shown' => sub {
    my $made   = 0;
    my $lazy   = document('t', in_full(sub { $made++; paragraphs('x') }));
    my @unlike = map { UnixBench::Report::Formats::of_blocks($_, $lazy) } qw(text markdown);
    is($made, 0, 'a block is not made for reports that do not show it');
    like(UnixBench::Report::Formats::of_blocks(html => $lazy), qr{<p>x</p>}, 'made for a report that shows it');
};

subtest 'the digits of large numbers on pages are in groups' => sub {
    my %shown = (
        48_194_208 => '48,194,208',
        12_345     => '12,345',
        9999       => '9999',
        -12_345    => '-12,345',
    );
    is(string_of(cell(count    => $_)), $shown{$_}, "a cell with '$_'") for sort keys %shown;
    is(string_of(cell(interval => { value => 5e4, low => 12_345, high => 67_890 })), '12,345 to 67,890', 'an interval');
};

# Reports on a terminal: lines and tables have its width, and a block is at the end.

my %comparison = comparisons();
my %report     = map { $_ => UnixBench::Report::Comparison::report_of($comparison{$_}) } keys %comparison;

# Takes a report and a number of columns; returns its lines on such a terminal.
sub on_terminal {
    my ($report, $columns, %more) = @_;
    return split /\n/, UnixBench::Report::Plain::render($report, 0, { columns => $columns, %more }), -1;
}

for my $columns (40, 100) {
    for my $name (sort keys %report) {
        my @lines = on_terminal($report{$name}, $columns);
        is_deeply([grep { length > $columns && / \S/ } @lines], [], "$name: no line is longer than $columns columns");
        my ($block) = join("\n", @lines) =~ /\n\n(UnixBench .*)\z/s;
        like($block // q{}, qr/\AUnixBench \S+, comparison\nNext +\S[^\n]*\n(?: [^\n]*\n)*\z/ms, "$name: its block");
        is_deeply([grep { length > 72 } split /\n/, $block // q{}], [], "$name: it has at most 72 columns");
    }
}

subtest 'columns without room are left out' => sub {
    my $rows = [row('a title', { one => '1.0', two => '22.0', three => 'word', four => 'a few words' })];
    my @wide = map { column(@$_) } (
        [Title => title => 'word'],
        [One   => one   => 'text', spare => 2],
        [Two   => two   => 'text', spare => 1],
        [Three => three => 'text', spare => 2],
        [Four  => four  => 'text'],
    );
    my $table = table(columns => \@wide, rows => $rows);
    my $lines = sub { return [table_lines($table, sub { $_[0] // q{} }, $_[0])] };
    my $all   = ['Title    One  Two   Three  Four', 'a title  1.0  22.0  word   a few words'];
    is_deeply([table_lines($table, sub { $_[0] // q{} })], $all, 'a file has all');
    is_deeply($lines->(40),                                $all, 'a terminal that is wide enough has all');
    my @named = (
        'Title    Two   Four',
        'a title  22.0  a few words',
        'A wider terminal, or a file, also',
        '  has One, Three.'
    );
    is_deeply($lines->(37), \@named, 'columns with the highest number are left out together, and named');
    is_deeply([@{ $lines->(25) }[0, 1]], ['Title    Four', 'a title  a few words'], 'then the next lower number');
    is_deeply([@{ $lines->(20) }[0, 1]], ['Title    Four', 'a title  a few words'], 'a column without a number stays');
};

subtest 'long texts are broken at blanks, in their column' => sub {
    my @columns = (column(Title => title => 'word'), column(Text => text => 'text'), column(End => end => 'word'));
    my $long    = 'one two three four five six seven eight';
    my $table   = table(
        columns => \@columns,
        rows    => [row('a', { text => $long, end => 'x' }, remark => 'why'), row('b', { text => 'short', end => 'y' })]
    );
    is_deeply(
        [table_lines($table, sub { $_[0] // q{} }, 40)],
        [
            'Title  Text                         End',
            'a      one two three four five six  x',
            '       seven eight',
            '   why',
            'b      short                        y',
        ],
        'the remark is below the whole row'
    );
    my $titles =
        table(columns => [@columns[0, 1]], rows => [row('a title of many words, and more of them', { text => $long })]);
    my @narrow = table_lines($titles, sub { $_[0] // q{} }, 40);
    is_deeply([grep { length > 40 } @narrow], [], 'a long title is broken, too');
    like("@narrow", qr/ seven/, 'no word is lost');
};

# A topic is written once, in one file, and appears in all reports of a result.

# A feature declares the topic: of_run at the end, and of_result before the others.
BEGIN {
    no warnings 'redefine';
    my $list    = \&UnixBench::Features::list;
    my $weather = { topic => 'Report::Topic::Weather', of_run => 99, of_result => 1 };
    *UnixBench::Features::list = sub { return ($list->(@_), $_[0] eq 'topics' ? $weather : ()) };
}

my $topic   = "$FindBin::Bin/../lib/topics/UnixBench/Report/Topic/Weather.pm";
my $result  = result([map { run($_, measured('pipe', $_, 1000, 1010, 1005)) } 1, 2]);
my %of_form = map { $_ => rendered($_, $result) } qw(details html);
$of_form{markdown} = rendered('markdown details' => $result);

open my $file, '<', $topic or die "$topic: $!\n";
cmp_ok(scalar(() = readline $file), '<=', 40, 'a topic with a table and a chart has at most 40 lines');

subtest 'the topic in the details' => sub {
    is(scalar(() = $of_form{details} =~ /^Weather: degrees\nWhen +Degrees\nHour 1 +11\nHour 2 +12\n\n/mg),
        2, 'the details show the chart as a table in each run');
    my $in_place = qr/^1 copy .*^Weather: degrees.*^2 copies .*^Weather: degrees.*^Index and speed-up/ms;
    like($of_form{details}, $in_place, 'the details show the chart in its place');
    my $as_table = qr/^It was mild[.]\n\nWeather: water\nWhat +Much +Unit\nRain +0[.]3 +mm\nSnow\n   there was none\n/m;
    like($of_form{details}, $as_table, 'the details show the table');
};

subtest 'the topic in Markdown' => sub {
    is(
        scalar(
            () =
                $of_form{markdown} =~
                /^[*]{2}Weather: degrees[*]{2}\n\n[|] When [|] Degrees [|]\n[^\n]*\n[|] Hour 1 [|] 11 [|]\n/mg
        ),
        2,
        'Markdown shows the chart as a table in each run'
    );
    my $as_section =
        qr/^### The weather\n\nIt was mild[.]\n\n[*]{2}Weather: water[*]{2}\n\n[|] What [|] Much [|] Unit [|]/m;
    like($of_form{markdown}, $as_section,                                      'Markdown shows the section');
    like($of_form{markdown}, qr/^[|] Snow [|] +[|] +[|] there was none [|]$/m, 'the reason of a missing value');
    are_valid_markdown(weather => $of_form{markdown});
};

subtest 'the topic on the page' => sub {
    is(scalar(() = $of_form{html} =~ m{<table class="chart">\n<caption>Weather: degrees</caption>}g),
        2, 'the page draws the chart in each run');
    like($of_form{html}, qr{<svg aria-label="11 degrees" height="26" role="img">}, 'pictures on the page have words');
    like($of_form{html}, qr{<h2>The weather</h2>\n<p>It was mild[.]</p>},          'the page shows the section');
    like($of_form{html}, qr{<th scope="row">Snow</th>\n<td class="missing" colspan="2">there was none</td>},
        'a reason');
    is_valid_page(weather => $of_form{html});
};

no_golden_left_over();
done_testing;
