# Reports on a terminal: lines and tables have its width, and a block is at the end.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons              qw(comparisons);
use UnixBench::Report::Block qw(column row table);
use UnixBench::Report::Comparison;
use UnixBench::Report::Plain qw(table_lines);

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

done_testing;
