# The Markdown reports.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases         qw(cases);
use Fixture       qw(comparison_as failed host measured rendered result run);
use Golden        qw(is_golden no_golden_left_over);
use Machines      qw(side spread_rates);
use TextTable     qw(text_columns text_row);
use ValidMarkdown qw(are_valid_markdown);
use UnixBench::Catalog;
use UnixBench::Compare::Comparison;
use UnixBench::Report::Block    qw(document list notices paragraphs section strong table);
use UnixBench::Report::Markdown qw(fact source);

# Words with a meaning in Markdown, with harmless ones between them.
our @WORDS = split q{ }, <<'END';
| || \| \\| \ ` `` ``` `x` **x** __x__ *a* _b_ ~~x~~ ~x~ [a](http://x.y) ![a](b) [^1] [[x]] [ ] {{x}} {% $x^2$
<b> </td> <script>alert(1)</script> <!-- --> <http://x.y> &amp; &#64;all & @all @org/team (@x) "@x", user@host.org
#1 a/b#2 GH-3 x/gh-3 !4 $5 %6 ~label &7 :smile: :100: :) #
http://x.y HTTPS://X.Y www.x.y www. x.com ftp://a.b mailto:a@b.c //x /close ::: > - + * 1. 1) ## == === --- +- -- --all
-x -1 1.2 12:34:56 1:2 a:b (x) (a_b) "x_y" foo( f(x_y) `foo' x' a. b.c. ... @ /a/b C:\x word another 12.5 it's Recursion
END
push @WORDS, "\0", "\n", "\e[31m", "\xff", "caf\xc3\xa9", "\xe2\x80\xae", q{  }, map { $_ x 90 } qw(x - ` |-);

my %result_of = map { $_->{name} => $_->{result} } cases();
my %text_of   = map { $_         => rendered('markdown details' => $result_of{$_}) } keys %result_of;
are_valid_markdown(%text_of);
is_golden('hostile.md', $text_of{hostile});

subtest 'the short form has at most 30 lines' => sub {
    my %ticket = map { $_ => rendered(markdown => $result_of{$_}) } keys %result_of;
    are_valid_markdown(%ticket);
    for my $name (sort keys %ticket) {
        cmp_ok(scalar(() = $ticket{$name} =~ /\n/g), '<=', 30, "$name: lines");
        is_golden("$name-short.md", $ticket{$name}) if $name eq 'several-copies';
    }
    my @tests = map { measured($_->{name}, 1, 1000, 1010) } grep { !$_->{load} } UnixBench::Catalog::tests();
    my $many  = rendered(markdown => result([run(1, @tests)]));
    cmp_ok(scalar(() = $many =~ /\n/g), '<=', 30, 'many tests');
    like($many, qr{^[|] [0-9]+ more tests in the long form: `--details` [|]}m, 'the rest is counted, and where it is');
};

# Takes a text; returns a result that has it in every place where a text may come from outside.
sub hostile_result {
    my ($text) = @_;
    my $test   = { %{ measured('pipe', 1, 1000, 1300) }, title => "$text x", unit => $text };
    my $failed = { %{ failed('spawn', $text) }, title => "y $text" };
    my %host   = map { $_ => $text } qw(name system os release);
    my $host   = host(%host, cpus => [{ id => 0, model => $text }]);
    my $build  = { map { $_ => $text } qw(compiler version flags) };
    return result([run(1, $test, $failed)], host => $host, notes => [$text, "$text x"], build => $build);
}

subtest 'hostile machines' => sub {
    are_valid_markdown(machines => join "\n", map { rendered('markdown details' => hostile_result($_)) } @WORDS);
};

sub nasty { return qq{<b>"&'\t\e[31m\n\xff \@all #1 | `x` } . '-' x 80 }

# Takes a name and a factor of speed; returns a machine.
sub machine {
    my ($label, $factor, %with) = @_;
    my %tests = (pipe => spread_rates(1000 * $factor, 0.01), spawn => spread_rates(50 * $factor, 0.02));
    return side($label, runs => { 1 => { %tests, %{ delete $with{tests} || {} } } }, %with);
}

subtest 'comparisons' => sub {
    my %odd = (name => nasty(), notes => [nasty()], facts => { nasty() => nasty(), Kernel => '6.1 #1 SMP' });
    my @sides =
        (machine('a.json', 1), machine('b.json', 0.9), machine(nasty(), 1, %odd, tests => { execl => nasty() }));
    my %seen = (worse => [@sides[0, 1]], hostile => \@sides);
    my %text;
    for my $name (keys %seen) {
        my $comparison = UnixBench::Compare::Comparison::of($seen{$name}, min_effect => 0.02);
        $text{$name} = comparison_as(markdown => $comparison);
    }
    are_valid_markdown(%text);
    for my $name (sort keys %text) {
        is_golden("comparison-$name.md", $text{$name}) if $name eq 'hostile';
        my $title =
            $name eq 'hostile'
            ? qr/^## UnixBench comparison, 3 results: a first, b last$/m
            : qr/^## UnixBench comparison, 10 % slower: b against a; slower: spawn, pipe$/m;
        like($text{$name}, $title, "$name: the title has the verdict, and names the sides");
        like($text{$name}, qr/^[|] .*1[.]6 [|] +(?:2[.]0 % [|] +)?0[.]900 [|] 10 % slower [(]/m, "$name: the index");
    }
};

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
    my $quoted = "## `a_b`\n\n> x\n>\n> `#` y\n";
    is(UnixBench::Report::Markdown::render(document('a_b', notices('x', '# y'))), $quoted, 'notices are quotations');
    is(printed(list('x:', 'y', 'z')),                    "x:\n\n- y\n- z\n", 'a list has its head and items');
    is(printed(list('x:'), notices(), list(undef)),      q{},                'empty lists and notices print nothing');
    is(printed(paragraphs('<b>')),                       "`<b>`\n",          'special texts of a paragraph are quoted');
    is(printed(paragraphs(['*', strong(' *x*')])),       "`*`**`*x*`**\n",   'and those in bold, but not its mark');
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

no_golden_left_over();
done_testing();
