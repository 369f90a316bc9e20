package UnixBench::Report::Topic::Scaling;

# The topic of scaling: the speed-up of several copies compared with the fewest, in one table. A page also has it as a
# picture in each row.

use strict;
use warnings;

use UnixBench::Base::Text      qw(listed);
use UnixBench::Report::Block   qw(cell column in_full joined not_in_full quiet row section table);
use UnixBench::Report::Chart   qw(dots dots_column);
use UnixBench::Report::Wording qw(copies_title title_of);

use constant LEGEND => 'The large dot is the speed-up of the most copies, small ones are those of fewer. '
    . 'The dashed line is perfect scaling.';

use constant FEW => 2;    # numbers of copies: the gain says it all

# Takes a view; returns the scaling of its result, or nothing.
sub of_result {
    my ($view) = @_;
    my $gain = $view->scaling or return;
    my ($of_gain, $efficiency) = _sentences($gain);
    my @of_several = @{ $gain->{copies} } > FEW ? ($efficiency // ()) : ();
    return section(
        { id => 'scaling', title => 'Scaling' },
        _table($gain),
        in_full(quiet($efficiency  // ())),
        not_in_full(quiet($of_gain // (), @of_several, _floors($view)))
    );
}

# Returns the table of tests and indexes.
sub _table {
    my ($gain) = @_;
    my ($first, @others) = @{ $gain->{copies} };
    my $most   = $others[-1];
    my $ideal  = $most / $first;
    my @lines  = map  { @$_ } @$gain{qw(tests indexes)};
    my @values = grep { defined } map { $_->{times} } map { @{ $_->{at} } } @lines;
    my ($rows, $foot) = map {
        [map { _row($_, $ideal) } @$_]
    } @$gain{qw(tests indexes)};
    return table(
        caption => 'How many times as much as ' . copies_title($first),
        corner  => 'Index and speed-up',
        columns => [
            column('Test', title => 'word'),
            dots_column(copies_title($most), 1, $ideal, @values),
            (
                map {
                    column(
                        copies_title($_),
                        "index $_" => 'rate',
                        none       => '---',
                        in         => 'detail brief',
                        $_ == $first || $_ == $most ? () : (spare => 1)
                    )
                } $first,
                @others
            ),
            column('Times', times => 'times',         is_optional => 1, in => 'full'),
            column('Gain',  gain  => 'whole_percent', is_optional => 1, in => 'detail brief'),
            column(
                'Efficiency',
                efficiency  => 'whole_percent',
                is_optional => 1,
                in          => @others > 1 ? 'full detail brief' : 'full'
            ),
        ],
        rows   => $rows,
        foot   => $foot,
        legend => [LEGEND],
    );
}

# Takes a test or an index, and the speed-up of perfect scaling; returns its row.
sub _row {
    my ($line, $ideal) = @_;
    my @at    = @{ $line->{at} };
    my $most  = $at[-1];
    my %index = map { ("index $_->{copies}" => $_->{index}) } @at;
    my %item  = (%index, map { $_ => $most->{$_} } qw(times gain efficiency));
    my @known = grep { defined $_->{times} } @at;
    my @large = map  { { value => $_->{times}, class => $_->{times} < 1 ? 'slower' : 'faster' } }
        grep { $_ == $most } @known;
    my @small  = map { ['pass', $_->{times}, _words($_)] } grep { $_ != $most } @known;
    my @shapes = dots(rules => { mean => 1, ideal => $ideal }, points => \@large, below => \@small);
    return row(title_of($line), \%item,
        @known ? (shapes => \@shapes, words => joined(', ', map { _words($_) } @known)) : ());
}

sub _words {
    my ($at) = @_;
    return [copies_title($at->{copies}) . q{ }, cell(times => $at->{times}), ' times'];
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
