package UnixBench::Report::Fleet::Ranking;

# The table of all machines of a fleet, the fastest first.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Number           qw(fixed percent_fixed);
use UnixBench::Base::Text             qw(counted);
use UnixBench::Report::Block          qw(in_full not_in_full paragraphs row section table);
use UnixBench::Report::Fleet::Wording qw(measure_title verdict_of);
use UnixBench::Report::Wording        qw(copies_title);

our @EXPORT_OK = qw(columns places ranking shortened);

# Takes a fleet (see UnixBench::Compare::Fleet), a run of it, and perhaps
#   outcomes  { label => outcome of that machine }, for a column of their own
#   apart     { label => 1 } for machines that are in another table
#   others    [rows of the table about machines without a place]
#   most      how many machines are printed; a page has all
#   rest      where the others are, a text
# Returns the table in the order of the index. Without an index, it is in the order of the only test. Without both, it
# has only the outcomes.
sub ranking {
    my ($fleet, $run, %with) = @_;
    my $apart  = $with{apart} || {};
    my @places = grep { !$apart->{ $_->{label} } } places($fleet, $run, $with{outcomes});
    my @rows   = ((map { row(@$_{qw(title cells)}) } @places), @{ $with{others} || [] });
    return if !@rows;
    my ($measure, $copies) = (ranked_measure($run), copies_title($run->{copies}));
    my $title   = $measure ? measure_title($measure) . ", $copies" : "All machines, $copies";
    my $caption = $measure ? 'All machines, the fastest first'     : $title;
    $caption = 'The accepted machines, the fastest first' if $measure && %$apart;
    my %table = (caption => $caption, columns => [columns($run, $with{outcomes})], rows => \@rows);
    return (in_full(section($title, table(%table))), not_in_full(shortened($title, \%with, %table)));
}

# Takes a title, { most, rest } as above, and a table, see UnixBench::Report::Block; returns it as it is printed: the
# first rows, and the number of the others.
sub shortened {
    my ($title, $with, %table) = @_;
    my @shown = @{ $table{rows} };
    my @rest  = splice @shown, defined $with->{most} && $with->{most} < @shown ? $with->{most} : @shown;
    my @more  = @rest ? paragraphs(counted(scalar @rest, 'more machine', 'more machines') . ": $with->{rest}") : ();
    return (table(%table, rows => \@shown, title => $title), @more);
}

# Takes a run of a fleet, and whether outcomes are known; returns the columns of its ranking, see
# UnixBench::Report::Block::table.
sub columns {
    my ($run, $has_outcomes) = @_;
    my $measure = ranked_measure($run);
    my $value   = $measure && $measure->{kind} eq 'index' ? 'Index' : 'Score';
    return (
        text => 'Machine',
        $measure ? (number => $value, number => '+-', number => 'of median', word => 'Verdict') : (),
        $measure && _is_trust_known($measure) ? (word => 'Trust')                               : (),
        $has_outcomes                         ? (word => 'Outcome')                             : (),
    );
}

# Returns whether the trust of a machine is known. That of text reports is not.
sub _is_trust_known {
    my ($measure) = @_;
    return scalar grep { defined $_->{trust} } @{ $measure->{readings} };
}

# Takes a fleet, a run of it, and perhaps { label => outcome }; returns its machines in the order of the ranking, each {
# label, title, cells (in the order of the columns) }. Without a measure and without outcomes there is none.
sub places {
    my ($fleet, $run, $outcomes) = @_;
    my $measure = ranked_measure($run) or return $outcomes ? _unranked($fleet, $run, $outcomes) : ();
    my @ranked  = sort { _rounded($b) <=> _rounded($a) || $a->{label} cmp $b->{label} } @{ $measure->{readings} };
    return map { _ranked($fleet, $run, $measure, $ranked[$_], $_ + 1, $outcomes) } 0 .. $#ranked;
}

# Takes a run of a fleet; returns the measure by which it is ranked, or undef.
sub ranked_measure {
    my ($run)    = @_;
    my @measures = @{ $run->{measures} };
    my ($ranked) = ((grep { $_->{kind} eq 'index' } @measures), @measures == 1 ? @measures : ());
    return $ranked;
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
    my $percent = percent_fixed($reading->{value} / $measure->{median} - 1, 1, q{+}) =~ s/\A-(?=0[.]0 )/+/r;
    my @cells   = (fixed($reading->{value}), defined $half ? percent_fixed($half, 1) : q{}, $percent);
    my $verdict = @{ $measure->{limits} }   ? verdict_of($label, $fleet, $run) : q{};
    my @trust   = _is_trust_known($measure) ? $reading->{trust} // q{}         : ();
    return {
        label => $label,
        title => "$place. $fleet->{names}{$label}",
        cells => [@cells, $verdict, @trust, $outcomes ? $outcomes->{$label} : ()],
    };
}

sub _unranked {
    my ($fleet, $run, $outcomes) = @_;
    my %is_run = map { $_ => 1 } map { $_->{label} } map { @{ $_->{readings} } } @{ $run->{measures} };
    return map { +{ label => $_, title => $fleet->{names}{$_}, cells => [$outcomes->{$_}] } } sort keys %is_run;
}

1;
