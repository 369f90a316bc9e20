package UnixBench::Report::Topic::Scaling;

# The topic of scaling: the speed-up of several copies compared with the fewest, in one table.

use strict;
use warnings;

use UnixBench::Base::Text      qw(listed);
use UnixBench::Report::Block   qw(column quiet row section table);
use UnixBench::Report::Wording qw(copies_title title_of);

use constant FEW => 2;    # numbers of copies: the gain says it all

# Takes a view; returns the scaling of its result, or nothing.
sub of_result {
    my ($view) = @_;
    my $gain = $view->scaling or return;
    my ($of_gain, $efficiency) = _sentences($gain);
    my @of_several = @{ $gain->{copies} } > FEW ? ($efficiency // ()) : ();
    return section({ id => 'scaling', title => 'Scaling' },
        _table($gain), quiet($of_gain // (), @of_several, _floors($view)));
}

# Returns the table of tests and indexes.
sub _table {
    my ($gain) = @_;
    my ($first, @others) = @{ $gain->{copies} };
    my %optional   = (is_optional => 1);
    my @efficiency = @others > 1 ? column('Efficiency', efficiency => 'whole_percent', %optional) : ();
    my @copies     = map { [$_, $_ == $first || $_ == $others[-1] ? () : (spare => 1)] } $first, @others;
    return table(
        caption => 'Index and speed-up',
        corner  => 'Index and speed-up',
        columns => [
            column('Test', title => 'word'),
            (map { column(copies_title($_->[0]), "index $_->[0]" => 'rate', none => '---', @$_[1 .. $#$_]) } @copies),
            column('Gain', gain => 'whole_percent', %optional), @efficiency,
        ],
        rows => [map { _row($_) } @{ $gain->{tests} }],
        foot => [map { _row($_) } @{ $gain->{indexes} }],
    );
}

# Takes a test or an index; returns its row.
sub _row {
    my ($line) = @_;
    my @at     = @{ $line->{at} };
    my %index  = map { ("index $_->{copies}" => $_->{index}) } @at;
    return row(title_of($line), { %index, map { $_ => $at[-1]{$_} } qw(gain efficiency) });
}

# Returns the sentences that define gain and efficiency, if the table has them. A disturbed test or index has none.
sub _sentences {
    my ($gain) = @_;
    return if !grep { defined $_->{at}[-1]{times} } map { @$_ } @$gain{qw(tests indexes)};
    my ($fewest, @others) = @{ $gain->{copies} };
    my ($one,    $each)   = $fewest == 1 ? ('a single one') x 2 : ("$fewest of them", "each of $fewest");
    return (
        "Gain: how much more $others[-1] copies do together than $one.",
        "Efficiency: how much a copy does, as a part of what $each does."
    );
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

1;
