package UnixBench::Report::Topic::Scaling;

# The topic of scaling: the speed-up of several copies compared with the fewest. In the chart, each test is a bar from 1
# to the speed-up of the most copies, with a dot for each number of copies.

use strict;
use warnings;

use UnixBench::Base::Number    qw(fixed);
use UnixBench::Report::Block   qw(bar chart dot drawn grid in_full quiet row rule section table);
use UnixBench::Report::Wording qw(copies_title index_title);

use constant PLACE => 90;

use constant LEGEND =>
    'A bar shows how many times as much the most copies do together as the fewest; each dot is a number of '
    . 'copies. The dashed line is perfect scaling.';
use constant { HEIGHT => 26, BAR_AT => 7, BAR_HEIGHT => 12, DOTS_AT => 13 };
use constant COLUMNS_MOST => 5;    # columns of numbers that fit next to a title

# Takes a view; returns the section. Returns nothing if no test was measured with two numbers of copies.
sub of_result {
    my ($view) = @_;
    my $gain = $view->scaling or return;
    return section('Scaling', in_full(sub { _chart($gain) }), _tables($gain), quiet(_sentences($gain)));
}

# Returns the table of indexes and gain. For more than two numbers of copies, also returns the table of efficiency.
sub _tables {
    my ($gain) = @_;
    my ($first, @others) = map { copies_title($_) } @{ $gain->{copies} };
    my @tables = _table('Indexes and gain', $gain, [$first, @others, 'Gain'], \&_indexes);
    push @tables, _table('Efficiency', $gain, \@others, \&_efficiencies) if @others > 1;
    return @tables;
}

sub _table {
    my ($title, $gain, $headings, $cells) = @_;
    my ($rows, $sums) = map {
        [map { row(_title($_), [$cells->(@{ $_->{at} })]) } @$_]
    } @$gain{qw(tests indexes)};
    return table(
        caption => $title,
        corner  => $title,
        columns => [word => 'Test', map { (number => $_) } @$headings],
        rows    => $rows,
        foot    => $sums,
        split   => COLUMNS_MOST,
    );
}

sub _title {
    my ($line) = @_;
    return defined $line->{complete} ? index_title($line) : $line->{title};
}

sub _indexes {
    my (@at) = @_;
    my $gain = $at[-1]{gain};
    return ((map { defined $_->{index} ? fixed($_->{index}) : '---' } @at), defined $gain ? _percent($gain) : q{});
}

sub _efficiencies {
    my (undef, @at) = @_;
    return map { defined $_->{efficiency} ? _percent($_->{efficiency}) : q{} } @at;
}

# Takes a part of 1; returns it in percent, such as "97 %" or "-22 %".
sub _percent {
    my ($part)  = @_;
    my $percent = sprintf '%.0f', 100 * $part;
    return ($percent eq '-0' ? 0 : $percent) . ' %';
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
    return chart(
        title   => 'How many times as much as ' . copies_title($copies[0]),
        axis    => 'the bar: ' . copies_title($copies[-1]),
        values  => [1, $ideal, map { $_->{times} } map { _known($_) } @lines, @sums],
        height  => HEIGHT,
        columns => [word => 'Test', number => 'Times'],
        rows    => $rows,
        foot    => $foot,
        legend  => [LEGEND],
    );
}

sub _known {
    my ($line) = @_;
    return grep { defined $_->{gain} } @{ $line->{at} };
}

# Returns a row of the chart. The bar is for the largest number of copies with a known speed-up. If the result has more
# copies, a badge shows the number of the bar.
sub _drawn {
    my ($line, $ideal, $most) = @_;
    my @known  = _known($line);
    my $times  = $known[-1]{times};
    my @shapes = (
        grid(),
        bar($times < 1 ? 'bar weak' : 'bar strong', 1, $times, BAR_AT, BAR_HEIGHT),
        rule('mean',  1),
        rule('ideal', $ideal),
        (map { dot('count', $_->{times}, DOTS_AT, _words($_)) } @known),
    );
    my @badges = $known[-1]{copies} == $most ? () : copies_title($known[-1]{copies});
    my $words  = join ', ', map { _words($_) } @known;
    return drawn(_title($line), \@shapes, $words, [sprintf '%.2f', $times], badges => \@badges);
}

sub _words {
    my ($at) = @_;
    return copies_title($at->{copies}) . sprintf ' %.2f times', $at->{times};
}

1;
