use strict;
use warnings;

use Test::More;

use UnixBench::Progress::Terminal qw(cut dim flexible red usual);
use UnixBench::Report::Lines      qw(columns_of);

# Takes columns and lines; returns the text of the line that fits.
sub fitted {
    my ($columns, @lines) = @_;
    return join q{}, map { $_->{text} } UnixBench::Progress::Terminal::fitted($columns, @lines);
}

my $WIDE     = "\xe4\xb8\xad\xe6\x96\x87";    # two ideographs
my $ACCENT   = "caf\x65\xcc\x81";             # e and an acute accent above it
my $FULL     = "\xef\xbc\xa1";                # A, fullwidth
my @COLUMNS  = (q{} => 0, 'abc' => 3, "\xc3\xa9t\xc3\xa9" => 3, $WIDE => 4, $ACCENT => 4, $FULL => 2);
my %EXPECTED = @COLUMNS;
is(columns_of($_), $EXPECTED{$_}, "columns of \"$_\"") for sort keys %EXPECTED;

subtest 'cut shortens a text to a number of columns' => sub {
    is(cut('Pipe Throughput', 15),    'Pipe Throughput',           'a text that fits is not cut');
    is(cut('Pipe Throughput', 14),    'Pipe Throug...',            'a text that is one column too long is cut');
    is(cut('Pipe Throughput', 4),     'P...',                      'one character and three dots');
    is(cut('Pipe Throughput', 3),     'Pip',                       'three columns have no dots');
    is(cut('Pipe Throughput', 0),     q{},                         'a text in no columns is empty');
    is(cut("$WIDE$WIDE", 7),          substr($WIDE, 0, 6) . '...', 'a wide character takes two columns');
    is(cut("$WIDE$WIDE", 6),          substr($WIDE, 0, 3) . '...', 'a wide character is not halved');
    is(cut("${ACCENT}s and more", 8), "${ACCENT}s...",             'an accent takes no column');
};

subtest 'fitted returns the first line that fits' => sub {
    my ($long, $short) = ([usual('1 x Pipe'), dim('pass 2 of 10')], [usual('1 x Pipe'), dim('2/10')]);
    is(fitted(22, $long, $short),                                 '1 x Pipe  pass 2 of 10', 'the longest line fits');
    is(fitted(21, $long, $short),                                 '1 x Pipe  2/10',         'the next line fits');
    is(fitted(13, $long, $short),                                 q{},                      'no line fits');
    is(fitted(12, $long, [flexible('1 x Pipe', 6), dim('2/10')]), '1 x...  2/10',           'a flexible part is cut');
    is(
        fitted(14, $long, [flexible('1 x Pipe', 6), dim('2/10')]),
        '1 x Pipe  2/10',
        'a flexible part is not cut more than needed'
    );
    is(fitted(11, $long, [flexible('1 x Pipe', 6), dim('2/10')]),
        q{}, 'a flexible part is not cut below its least width');
    is(fitted(80, [flexible('no', 6), dim('2/10')]), 'no  2/10', 'a flexible part may be shorter than its least width');
    is(fitted(0,  [flexible('2/10', 0)]),            q{},        'nothing fits in no columns');
    is(fitted(9,  []), q{}, 'a line without parts is empty');
};

is_deeply(
    [UnixBench::Progress::Terminal::whole(usual('a'), red('b'))],
    [usual('a'), usual(q{  }), red('b')],
    'two blanks separate the parts of a line'
);

done_testing();
