use strict;
use warnings;

use Test::More;

use UnixBench::Progress::Terminal qw(columns_of cut dim flexible red usual);

# What a line becomes: the texts of its pieces in one.
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

subtest 'cut' => sub {
    is(cut('Pipe Throughput', 15),    'Pipe Throughput',           'it has room');
    is(cut('Pipe Throughput', 14),    'Pipe Throug...',            'one column less');
    is(cut('Pipe Throughput', 4),     'P...',                      'hardly anything left');
    is(cut('Pipe Throughput', 3),     'Pip',                       'no room for dots');
    is(cut('Pipe Throughput', 0),     q{},                         'no room');
    is(cut("$WIDE$WIDE", 7),          substr($WIDE, 0, 6) . '...', 'two columns each');
    is(cut("$WIDE$WIDE", 6),          substr($WIDE, 0, 3) . '...', 'there is no half of one');
    is(cut("${ACCENT}s and more", 8), "${ACCENT}s...",             'an accent takes none');
};

subtest 'the first that fits' => sub {
    my ($long, $short) = ([usual('1 x Pipe'), dim('pass 2 of 10')], [usual('1 x Pipe'), dim('2/10')]);
    is(fitted(22, $long, $short),                                 '1 x Pipe  pass 2 of 10', 'the longest');
    is(fitted(21, $long, $short),                                 '1 x Pipe  2/10',         'the next');
    is(fitted(13, $long, $short),                                 q{},                      'none');
    is(fitted(12, $long, [flexible('1 x Pipe', 6), dim('2/10')]), '1 x...  2/10',           'one that can be cut');
    is(fitted(14, $long, [flexible('1 x Pipe', 6), dim('2/10')]), '1 x Pipe  2/10', 'no more than there is need to');
    is(fitted(11, $long, [flexible('1 x Pipe', 6), dim('2/10')]), q{},              'but not below what it needs');
    is(fitted(80, [flexible('no', 6), dim('2/10')]), 'no  2/10', 'what is shorter than that anyway');
    is(fitted(0, [flexible('2/10', 0)]),             q{},        'no columns at all');
    is(fitted(9, []),                                q{},        'no parts');
};

is_deeply(
    [UnixBench::Progress::Terminal::whole(usual('a'), red('b'))],
    [usual('a'), usual(q{  }), red('b')],
    'parts with blanks between them'
);

done_testing();
