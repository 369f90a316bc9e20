package UnixBench::Report::Topic::Scaling;

# The topic of scaling: the speed-up of several copies compared with the fewest. A page has it as charts, all others as
# tables.

use strict;
use warnings;

use UnixBench::Base::Text      qw(listed);
use UnixBench::Report::Block   qw(cell column in_full joined not_in_full quiet row section table);
use UnixBench::Report::Chart   qw(dots dots_column multiples);
use UnixBench::Report::Wording qw(copies_title title_of);

use constant LEGEND =>
    'A dot is a speed-up; the numbers are those of the most copies. The dashed line is perfect scaling.';
use constant EFFICIENCY   => 'Efficiency: how much each copy does, as a part of what each of the fewest does.';
use constant COLUMNS_MOST => 5;    # columns of numbers that fit next to a title

# Takes a view; returns the section. Returns nothing if no test was measured with two numbers of copies.
sub of_result {
    my ($view) = @_;
    my $gain = $view->scaling or return;
    return section(
        { id => 'scaling', title => 'Scaling' },
        in_full(sub { _charts($gain) }),
        not_in_full(sub { (_tables($gain), quiet(_sentences($gain), _floors($view))) }),
    );
}

# Returns the table of indexes and gain. For more than two numbers of copies, also returns the table of efficiency.
sub _tables {
    my ($gain) = @_;
    my ($first, @others) = @{ $gain->{copies} };
    my @indexes = map { column(copies_title($_), "index $_" => 'rate', none => '---') } $first, @others;
    my @tables =
        _table('Indexes and gain', $gain, @indexes, _has_gain($gain) ? column(Gain => 'gain', 'whole_percent') : ());
    push @tables,
        _table('Efficiency', $gain, map { column(copies_title($_), "efficiency $_" => 'whole_percent') } @others)
        if @others > 1;
    return @tables;
}

sub _table {
    my ($title, $gain, @columns) = @_;
    my ($rows, $sums) = map {
        [map { row(title_of($_), _values(@{ $_->{at} })) } @$_]
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
    my ($one,    $each)   = $fewest == 1 ? ('a single one') x 2 : ("$fewest of them", "each of $fewest");
    return if !_has_gain($gain);
    my $gain_is = "Gain: how much more $others[-1] copies do together than $one.";
    return @others == 1 ? $gain_is : ($gain_is, "Efficiency: how much a copy does, as a part of what $each does.");
}

# Returns whether a test or an index has a gain. A disturbed one has none.
sub _has_gain {
    my ($gain) = @_;
    return scalar grep { defined $_->{at}[-1]{gain} } map { @$_ } @$gain{qw(tests indexes)};
}

# Takes a view; returns a sentence about the indexes that are only floors, or nothing.
sub _floors {
    my ($view) = @_;
    my @runs = grep {
        my $run = $_;
        grep { $view->floor_of($run, $_) } @{ $run->{indexes} }, $view->measured($run)
    } $view->runs;
    return if !@runs;
    return
        'Disturbed by other load, so that indexes are too low: '
        . listed(map { copies_title($_->{copies}) } @runs) . q{.};
}

# Returns the charts: how the speed-up grows with the number of copies or, with two numbers of copies, a point for each
# test.
sub _charts {
    my ($gain) = @_;
    my ($first, @others) = @{ $gain->{copies} };
    return if !grep { _known($_) } @{ $gain->{tests} };
    return _table_of_two($gain) if @others == 1;
    my $ideal  = [ideal => [$first, 1], [$others[-1], $others[-1] / $first]];
    my @panels = map { _panel($_, $gain->{copies}, $ideal) } grep { _known($_) } map { @$_ } @$gain{qw(indexes tests)};
    my $axes   = 'from left to right more copies; upwards times as much as ' . copies_title($first);
    return (multiples($axes, @panels), quiet(LEGEND, EFFICIENCY));
}

# Returns the panel of a test or an index: its speed-up at each number of copies, and that of the most copies in
# numbers. If it is not known for the most copies, the note says for how many.
sub _panel {
    my ($line, $copies, $ideal) = @_;
    my @known = _known($line);
    my $last  = $known[-1];
    my @only  = $last->{copies} == $copies->[-1] ? () : ' with ' . copies_title($last->{copies});
    return {
        title => title_of($line),
        note  =>
            [cell(times => $last->{times}), ' times, efficiency ', cell(whole_percent => $last->{efficiency}), @only],
        words  => joined(', ', map { _words($_) } @known),
        lines  => [$ideal, [curve => [$copies->[0], 1], map { [@$_{qw(copies times)}] } @known]],
        points => [map { [point => @$_{qw(copies times)}, _words($_)] } @known],
    };
}

sub _table_of_two {
    my ($gain) = @_;
    my ($first, $most) = @{ $gain->{copies} };
    my $ideal = $most / $first;
    my ($rows, $foot) = map {
        [map { _drawn($_, $ideal) } grep { _known($_) } @$_]
    } @$gain{qw(tests indexes)};
    my @values = (1, $ideal, map { $_->{item}{times} } @$rows, @$foot);
    return table(
        title   => 'How many times as much as ' . copies_title($first),
        columns => [
            column('Test', title => 'word'),
            dots_column(copies_title($most), @values),
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

sub _drawn {
    my ($line, $ideal) = @_;
    my ($known) = _known($line);
    my @points  = ({ value => $known->{times}, class => $known->{times} < 1 ? 'slower' : 'faster' });
    my @shapes  = dots(rules => { mean => 1, ideal => $ideal }, points => \@points);
    return row(title_of($line), $known, shapes => \@shapes, words => _words($known));
}

sub _words {
    my ($at) = @_;
    return [copies_title($at->{copies}) . q{ }, cell(times => $at->{times}), ' times'];
}

1;
