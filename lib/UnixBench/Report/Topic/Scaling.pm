package UnixBench::Report::Topic::Scaling;

# The topic of scaling: the speed-up of several copies compared with the fewest. A page has it as a chart, all others as
# tables.

use strict;
use warnings;

use UnixBench::Report::Block   qw(cell column in_full joined not_in_full quiet row section table);
use UnixBench::Report::Chart   qw(dots dots_column);
use UnixBench::Report::Wording qw(copies_title index_title);

use constant LEGEND =>
    'A large dot is the speed-up of the most copies, small dots are those of fewer copies. The dashed '
    . 'line is perfect scaling.';
use constant EFFICIENCY   => 'Efficiency: how much each copy does, as a part of what each of the fewest does.';
use constant COLUMNS_MOST => 5;    # columns of numbers that fit next to a title

# Takes a view; returns the section. Returns nothing if no test was measured with two numbers of copies.
sub of_result {
    my ($view) = @_;
    my $gain = $view->scaling or return;
    return section(
        { id => 'scaling', title => 'Scaling' },
        in_full(sub { _chart($gain) }),
        not_in_full(sub { (_tables($gain), quiet(_sentences($gain))) }),
    );
}

# Returns the table of indexes and gain. For more than two numbers of copies, also returns the table of efficiency.
sub _tables {
    my ($gain) = @_;
    my ($first, @others) = @{ $gain->{copies} };
    my @indexes = map { column(copies_title($_), "index $_" => 'rate', none => '---') } $first, @others;
    my @tables  = _table('Indexes and gain', $gain, @indexes, column(Gain => 'gain', 'whole_percent'));
    push @tables,
        _table('Efficiency', $gain, map { column(copies_title($_), "efficiency $_" => 'whole_percent') } @others)
        if @others > 1;
    return @tables;
}

sub _table {
    my ($title, $gain, @columns) = @_;
    my ($rows, $sums) = map {
        [map { row(_title($_), _values(@{ $_->{at} })) } @$_]
    } @$gain{qw(tests indexes)};
    return table(
        caption => $title,
        corner  => $title,
        columns => [column('Test', title => 'word'), @columns],
        rows    => $rows,
        foot    => $sums,
        split   => COLUMNS_MOST,
    );
}

sub _title {
    my ($line) = @_;
    return defined $line->{complete} ? index_title($line) : $line->{title};
}

# Returns the values of a test or an index for each number of copies, and the gain of the most copies.
sub _values {
    my (@at) = @_;
    return {
        gain => $at[-1]{gain},
        map { ("index $_->{copies}" => $_->{index}, "efficiency $_->{copies}" => $_->{efficiency}) } @at,
    };
}

# Returns sentences that define gain and, if there is a table of it, efficiency.
sub _sentences {
    my ($gain) = @_;
    my ($fewest, @others) = @{ $gain->{copies} };
    my ($one, $each)      = $fewest == 1 ? ('a single one') x 2 : ("$fewest of them", "each of $fewest");
    my $gain_is = "Gain: how much more $others[-1] copies do together than $one.";
    return @others == 1 ? $gain_is : ($gain_is, "Efficiency: how much a copy does, as a part of what $each does.");
}

sub _chart {
    my ($gain) = @_;
    my @copies = @{ $gain->{copies} };
    my $ideal  = $copies[-1] / $copies[0];
    my @lines  = grep { _known($_) } @{ $gain->{tests} } or return;
    my @sums   = grep { _known($_) } @{ $gain->{indexes} };
    my ($rows, $foot) = map {
        [map { _drawn($_, $ideal, $copies[-1]) } @$_]
    } \@lines, \@sums;
    my @values = (1, $ideal, map { $_->{times} } map { _known($_) } @lines, @sums);
    return table(
        title   => 'How many times as much as ' . copies_title($copies[0]),
        columns => [
            column('Test', title => 'word'),
            dots_column(copies_title($copies[-1]), @values),
            column('Times',      times      => 'times'),
            column('Efficiency', efficiency => 'whole_percent'),
        ],
        rows   => $rows,
        foot   => $foot,
        legend => [LEGEND, EFFICIENCY],
    );
}

sub _known {
    my ($line) = @_;
    return grep { defined $_->{gain} } @{ $line->{at} };
}

# Returns a row of the chart: for the largest number of copies with a known speed-up. If the result has more copies, a
# badge shows that number.
sub _drawn {
    my ($line, $ideal, $most) = @_;
    my @known  = _known($line);
    my $last   = $known[-1];
    my @points = ({ value => $last->{times}, class => $last->{times} < 1 ? 'slower' : 'faster' });
    my @others = map { ['run', $_->{times}, _words($_)] } @known[0 .. $#known - 1];
    my @shapes = dots(rules => { mean => 1, ideal => $ideal }, points => \@points, below => \@others);
    my @badges = $last->{copies} == $most ? () : copies_title($last->{copies});
    my $words  = joined(', ', map { _words($_) } @known);
    return row(_title($line), $last, shapes => \@shapes, words => $words, badges => \@badges);
}

sub _words {
    my ($at) = @_;
    return [copies_title($at->{copies}) . q{ }, cell(times => $at->{times}), ' times'];
}

1;
