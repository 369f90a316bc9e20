use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TextTable                   qw(text_columns text_row);
use UnixBench::Report::Block    qw(document list notices paragraphs section strong table);
use UnixBench::Report::Markdown ();
use UnixBench::Report::Markdown qw(fact source);

subtest 'special texts are quoted' => sub {
    my %made = (
        'Shell Scripts (1 concurrent)'             => undef,
        'Recursion Test -- Tower of Hanoi'         => undef,
        'Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz'  => undef,
        '95 %, 0.8%, -22 %, +- 3; 02:12:30: A/B'   => undef,
        'precision is +-1.9 % (wanted +-1 %)'      => undef,
        '+-x and -+1'                              => '`+-x` and `-+1`',
        q{the "tests'" load (4.5)... is?}          => undef,
        '6.1.0-13-amd64 #1 SMP PREEMPT_DYNAMIC'    => '6.1.0-13-amd64 `#1` SMP `PREEMPT_DYNAMIC`',
        'see (--max-time), or f(x_y).'             => 'see (`--max-time`), or `f(x_y)`.',
        '<b> | [x]'                                => '`<b> | [x]`',
        'a  b   '                                  => 'a b',
        "\t\xff"                                   => '`\t\xff`',
        'a`b'                                      => '`a\x60b`',
        'a\\|b \\'                                 => '`a\x5c|b \x5c`',
        "caf\xc3\xa9"                              => "`caf\xc3\xa9`",
        '1:2 x 1:100'                              => '`1:2` x `1:100`',
        '@all & co, @ all'                         => '`@all` & co, @ all',
        'x-GH-1 www.x.y user@host index.base www.' => '`x-GH-1 www.x.y user@host index.base www`.',
        q{}                                        => q{},
    );
    is(source($_),            $made{$_} // $_,              "quoted: $_") for sort keys %made;
    is(source(undef),         q{},                          'an undefined text is empty');
    is(source('x ' x 99_999), substr('x ' x 99_999, 0, -1), 'a text of many words is unchanged');
    is(source('a-' x 99_999), q{`} . 'a-' x 99_999 . q{`},  'a long special word is quoted');
    is(fact('6.1 #1 SMP'),    '`6.1 #1 SMP`',               'a fact is quoted as a whole');
    is(fact('2 x AMD EPYC'),  '2 x AMD EPYC',               'a fact is quoted only if necessary');
};

subtest 'a command after a colon is one code' => sub {
    my %made = (
        'Names: ./Run doctor.'                    => 'Names: `./Run doctor`.',
        'a: ./Run compare A1 A2 -- B1 B2. Four x' => 'a: `./Run compare A1 A2 -- B1 B2`. Four x',
        'a: ./Run explain TEST'                   => 'a: `./Run explain TEST`',
        'a: ./Run report x.json, and b'           => 'a: `./Run report x.json`, and b',
        'it (a: ./Run --setup ubgears).'          => 'it (a: `./Run --setup ubgears`).',
        'As root: cpupower frequency-set -g x, y' => 'As root: `cpupower frequency-set -g x`, y',
        'the limit: ulimit -u.'                   => 'the limit: `ulimit -u`.',
        'a: pgms/context1 10 -p x. b: pgms/x 1.'  => 'a: `pgms/context1 10 -p x`. b: `pgms/x 1`.',
        '1 copy: ./Run was traced by x.'          => '1 copy: `./Run` was traced by x.',
        'start ./Run without nice'                => 'start `./Run` without nice',
        'a: ./Run doctor `x` | \\|.'              => 'a: `./Run doctor \x60x\x60 | \x5c|`.',
    );
    is(source($_), $made{$_}, $_) for sort keys %made;
};

# Takes blocks; returns them as Markdown, without the title of a report.
sub printed {
    my (@blocks) = @_;
    return UnixBench::Report::Markdown::render(document('Title', @blocks)) =~ s/\A## Title\n\n?//r;
}

subtest 'blocks' => sub {
    my @begins = ('1. x', '12) x', '- x', '+ x', ' - x', '---', '-- --', '-');
    for my $begin (@begins) {
        my ($mark, $rest) = $begin =~ /\A *(\S+)(.*)/;
        is(printed(list(undef, $begin)) =~ s/\A- +//r, "`$mark`$rest\n", "an item does not begin another list: $begin");
    }
    is(
        UnixBench::Report::Markdown::render(document('a_b', notices('x', '# y'))),
        "## `a_b`\n\n> x\n>\n> `#` y\n",
        'notices are quotations'
    );
    is(printed(list('x:', 'y', 'z')),               "x:\n\n- y\n- z\n", 'a list has its head and items');
    is(printed(list('x:'), notices(), list(undef)), q{},                'empty lists and notices print nothing');
    is(printed(paragraphs('<b>')),                  "`<b>`\n",          'special texts of a paragraph are quoted');
    is(printed(paragraphs(['*', strong(' *x*')])), "`*`**`*x*`**\n",
        'and those in bold, but not the mark of bold type');
    is(printed(section('a', list('b', list('c', 'd')))), "### a\n\nb\n\n- c\n  - d\n", 'a list in a list is indented');
    my @rows  = (text_row("caf\xc3\xa9", ['1.5']), text_row('x|y', ['10.5', '`']), text_row('z' x 50, [1, 2]));
    my $table = printed(table(columns => text_columns(word => 'a', number => 'b|', word => 'c'), rows => \@rows));
    my @lines = (
        '| a | `b\|` | c |',
        '|---|---:|---|',
        "| `caf\xc3\xa9` | 1.5 |  |",
        '| `x\|y` | 10.5 | `\x60` |',
        '| ' . 'z' x 50 . ' | 1 | 2 |',
    );
    is($table, join(q{}, map { "$_\n" } @lines), 'a table');
};

done_testing();
