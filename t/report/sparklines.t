# Sparklines: levels as characters, in tables for each medium.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use ValidMarkdown              qw(are_valid_markdown);
use ValidPage                  qw(is_valid_page);
use UnixBench::Report::Block   qw(column document paragraphs row table);
use UnixBench::Report::Cell    qw(cell cell_text is_number);
use UnixBench::Report::Formats ();
use UnixBench::Report::Plain   ();
use UnixBench::Report::Cell    qw(in_ascii in_blocks);

use constant { TITLE => 16, BETWEEN => 2 };    # columns that a title needs at least, and between it and a sparkline

# Blocks from the lowest to the highest, as bytes of UTF-8.
my @BLOCKS = map { "\xe2\x96" . chr } 0x81 .. 0x88;

my @LEVELS = (undef, 0, undef, undef, 0.5, 1, '?', undef);    # " _  =#? "

subtest 'levels as characters' => sub {
    is(in_ascii(map { $_ / 7 } 0 .. 7),  '_.:-=+*#', 'eight levels');
    is(in_ascii(0.07, 0.08, 0.92, 0.93), '_.*#',     'a level is the nearest one');
    is(in_ascii(-1, 1.5),                '_#',       'a fraction beyond the ends is at the end');
    is(in_ascii(@LEVELS),                ' _  =#? ', 'gaps, also at the ends, and values that are not evidence');
    is(in_ascii(),                       q{},        'nothing');
    is(in_blocks('_.:-=+*#'),                      join(q{}, @BLOCKS), 'blocks');
    is(in_blocks(' ?'),                            ' ?',               'a gap and a question mark stay');
    is(cell_text(cell(sparkline => \@LEVELS), {}), ' _  =#? ',         'a cell');
    is(is_number('sparkline'),                     0,                  'a sparkline is not a number');
};

my @COLUMNS = (
    column(Machine => title  => 'text'),
    column('#'     => count  => 'count'),
    column(Levels  => levels => 'sparkline'),
    column(Trust   => trust  => 'word', is_level => 1),
);
my @ROWS = (
    row('a #-_ b', { count => 10, levels => \@LEVELS, trust => 'good' }, remark => 'a #-_ b'),
    row('second',  { count => 2,  levels => [(undef) x 7, 0], trust => 'poor' }),
    row('none',    { count => 2,  trust  => 'fair' }),
    row('cause',   undef, reason => 'not _ measured'),
);

# Takes the keys of a terminal, see UnixBench::CLI::Console::screen, or nothing, and perhaps columns and rows; returns
# the lines of a report.
sub lines_of {
    my ($screen, $columns, $rows) = @_;
    my $report = document('x', table(columns => $columns || \@COLUMNS, rows => $rows || \@ROWS), paragraphs('_#_'));
    return [split /\n/, UnixBench::Report::Plain::render($report, 0, $screen)];
}

subtest 'a table as plain text' => sub {
    my $paint = sub { my ($level) = @_; return "<$level>" };
    my @ascii = (
        'Machine   #  Levels    Trust',
        'a #-_ b  10   _  =#?   good',
        '   a #-_ b',
        'second    2         _  poor',
        'none      2            fair',
        'cause',
        '   not _ measured',
        q{},
        '_#_',
    );
    my @blocks = @ascii;
    $blocks[1] = "a #-_ b  10   $BLOCKS[0]  $BLOCKS[4]$BLOCKS[7]?   good";
    $blocks[3] = "second    2         $BLOCKS[0]  poor";
    my @both   = map { $_ eq $blocks[0] ? $_ : s/(good|poor|fair)\z/<$1>/r } @blocks;
    my %screen = (columns => 80);
    is_deeply(lines_of(),                                           \@ascii,  'in a file');
    is_deeply(lines_of({ %screen, is_utf8 => 0 }),                  \@ascii,  'on a terminal without UTF-8');
    is_deeply(lines_of({ %screen, is_utf8 => 1 }),                  \@blocks, 'blocks only in the place of the column');
    is_deeply(lines_of({ %screen, is_utf8 => 1, paint => $paint }), \@both,   'with colours of levels of trust');
    is_deeply([map { s/[<>]//gr } @{ lines_of({ %screen, paint => $paint }) }], \@ascii, 'colours without UTF-8');
};

subtest 'a page and Markdown have ASCII' => sub {
    my $report = document('x', table(caption => 'Levels', columns => \@COLUMNS, rows => \@ROWS, remarks => 'Why'));
    my %text   = map { $_ => UnixBench::Report::Formats::of_blocks($_, $report) } qw(html markdown);
    like($text{html}, qr{<td class="sparkline" data-label="Levels"> _  =\#[?]</td>}, 'a cell of a page is not wrapped');
    like($text{html}, qr{td[.]sparkline \{[^\}]*white-space: pre},                   'its blanks are kept');
    like($text{markdown}, qr{\Q` _  =#?`\E},                                         'a cell in Markdown is code');
    is_valid_page(sparklines => $text{html});
    are_valid_markdown(sparklines => $text{markdown});
};

done_testing;
