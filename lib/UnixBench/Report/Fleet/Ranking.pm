package UnixBench::Report::Fleet::Ranking;

# The table of all machines of a fleet, the fastest first.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format           qw(fixed);
use UnixBench::Report::Block          qw(in_full not_in_full row section table);
use UnixBench::Report::Fleet::Wording qw(measure_title verdict_of);
use UnixBench::Report::Wording        qw(copies_title);

our @EXPORT_OK = qw(ranked_measure ranking);

# Takes a fleet (see UnixBench::Compare::Fleet), a run of it, and perhaps
#   outcomes  { label => outcome of that machine }, for a column of their own
#   others    [rows of the table about machines without a place]
# Returns the table in the order of the index. Without an index, it is in the order of the only test. Without both, it
# has only the outcomes.
sub ranking {
    my ($fleet, $run, %with) = @_;
    my $measure = ranked_measure($run);
    return $measure ? _ranking($fleet, $run, $measure, %with) : $with{outcomes} ? _unranked($fleet, $run, %with) : ();
}

# Takes a run of a fleet; returns the measure by which it is ranked, or undef.
sub ranked_measure {
    my ($run)    = @_;
    my @measures = @{ $run->{measures} };
    my ($ranked) = ((grep { $_->{kind} eq 'index' } @measures), @measures == 1 ? @measures : ());
    return $ranked;
}

sub _ranking {
    my ($fleet, $run, $measure, %with) = @_;
    my $title   = measure_title($measure) . ', ' . copies_title($run->{copies});
    my @ranked  = sort { _rounded($b) <=> _rounded($a) || $a->{label} cmp $b->{label} } @{ $measure->{readings} };
    my @columns = (number => $measure->{kind} eq 'index' ? 'Index' : 'Score', number => '+-', number => 'of median');
    my @outcome = $with{outcomes} ? (word => 'Outcome') : ();
    my @rows    = map { _ranked($fleet, $run, $measure, $ranked[$_], $_ + 1, $with{outcomes}) } 0 .. $#ranked;
    return _table(
        $title,
        caption => 'All machines, the fastest first',
        columns => [text => 'Machine', @columns, word => 'Verdict', @outcome],
        rows    => [@rows, @{ $with{others} || [] }]
    );
}

# Returns the value of a reading. Values that differ by a rounding error become equal.
sub _rounded {
    my ($reading) = @_;
    return sprintf '%.9g', $reading->{value};
}

sub _ranked {
    my ($fleet, $run, $measure, $reading, $place, $outcomes) = @_;
    my $label   = $reading->{label};
    my $half    = $reading->{half_width};
    my $percent = sprintf('%+.1f%%', 100 * ($reading->{value} / $measure->{median} - 1)) =~ s/\A-(?=0[.]0%)/+/r;
    my @cells   = (fixed($reading->{value}), defined $half ? sprintf('%.1f%%', 100 * $half) : q{}, $percent);
    my $verdict = @{ $measure->{limits} } ? verdict_of($label, $fleet, $run) : q{};
    return row("$place. $fleet->{names}{$label}", [@cells, $verdict, $outcomes ? $outcomes->{$label} : ()]);
}

sub _unranked {
    my ($fleet, $run, %with) = @_;
    my $outcomes = $with{outcomes};
    my %is_run   = map { $_ => 1 } map { $_->{label} } map { @{ $_->{readings} } } @{ $run->{measures} };
    my @rows     = map { row($fleet->{names}{$_}, [$outcomes->{$_}]) } sort keys %is_run;
    return _table(
        'All machines, ' . copies_title($run->{copies}),
        columns => [text => 'Machine', word => 'Outcome'],
        rows    => [@rows, @{ $with{others} || [] }]
    );
}

sub _table {
    my ($title, %table) = @_;
    return (in_full(section($title, table(caption => $title, %table))), not_in_full(table(%table, title => $title)));
}

1;
