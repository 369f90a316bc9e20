package UnixBench::Report::Comparison::Advice;

# The sentences about how far a comparison reaches: that procedures differ, and how many runs could decide what is open.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text                  qw(listed);
use UnixBench::Report::Block               qw(cell);
use UnixBench::Report::Comparison::Wording qw(forced pair_title);
use UnixBench::Report::Wording             qw(index_title);
use UnixBench::Score::Procedure            ();
use UnixBench::Score::RunsNeeded           ();

our @EXPORT_OK = qw(first_lines runs_needed);

use constant {
    ONE    => 'A quick estimate against an official result',
    MIXED  => 'Quick estimates against official results',
    REPEAT =>
        'Repeat both sides, in turns: ./Run compare A1 A2 -- B1 B2. Four runs of each side show how many are needed.',
};

# Takes a comparison or a fleet; returns its first lines: that it was forced, and that it has quick estimates and
# official results.
sub first_lines {
    my ($view) = @_;
    my $is_mixed = grep { $_->{is_mixed} } @{ $view->{pairs} };
    my ($before, $after) = $view->{is_mixed} ? _mixed_fleet($view) : $is_mixed ? _mixed(@{ $view->{sides} }) : ();
    my $apart = cell(limit => UnixBench::Score::Procedure::APART);
    return (forced($view), defined $before ? [$before, $apart, $after] : ());
}

# Returns a sentence in two parts. Between them is how far the procedures may be apart.
sub _mixed {
    my (@sides) = @_;
    my @quick   = map { $_->{letter} } grep { ($_->{summary}{procedure}{kind} // q{}) eq 'quick' } @sides;
    my $which   = '(' . listed(@quick) . (@quick == 1 ? ' is' : ' are') . ' quick)';
    return (ONE . " $which: intervals are ",         ' wider, and the exit status is never 3.') if @sides == 2;
    return (MIXED . " $which: their intervals are ", ' wider, and they never make the exit status 3.');
}

# Returns such a sentence about a fleet.
sub _mixed_fleet {
    my ($fleet) = @_;
    my $which = "($fleet->{quick} of $fleet->{count} are quick)";
    return (MIXED . " $which: slow, fast and unusual machines have to be ",
        ' further off, and the exit status is never 3.');
}

# Takes a comparison; returns sentences about the number of runs that can show the least difference that matters, for
# each decisive row that is inconclusive because of the scatter.
sub runs_needed {
    my ($comparison) = @_;
    my @pairs = grep { !$_->{is_mixed} } @{ $comparison->{pairs} };
    my (@texts, $is_unknown);
    for my $pair (@pairs) {
        my @rows =
            grep { $_->{verdict} eq 'inconclusive' && !$_->{load} && $_->{min_effect} > 0 } @{ $pair->{decisive} };
        $is_unknown ||= grep { !$_->{runs_needed} } @rows;
        for my $row (grep { $_->{runs_needed} } @rows) {
            my $is_one = @{ $pair->{decisive} } == 1 && !defined $row->{name};
            my @about  = (@pairs > 1 ? pair_title($pair) : (), $is_one ? () : _title($row));
            push @texts, [@about ? join(', ', @about) . ': to' : 'To', _needed($row)];
        }
    }
    return (@texts, $is_unknown ? REPEAT : ());
}

sub _title {
    my ($row) = @_;
    return defined $row->{category} ? index_title($row) : $row->{title};
}

# Takes a row; returns the end of its sentence. A ratio near the limit may stay inconclusive with any number of runs.
sub _needed {
    my ($row)     = @_;
    my %needed    = %{ $row->{runs_needed} };
    my $most      = UnixBench::Score::RunsNeeded::MOST;
    my $is_enough = !grep { $_ < $needed{most} } @{ $row->{runs} };
    my $number =
          $needed{least} >= $most         ? "$most runs or more"
        : $needed{most} >= $most          ? "$needed{least} to more than $most runs"
        : $needed{least} == $needed{most} ? "$needed{least} runs"
        :                                   "$needed{least} to $needed{most} runs";
    return [
        ' show a difference of ',
        cell(limit => $row->{min_effect}),
        " with this scatter, about $number of each side are needed",
        $is_enough ? '. Each side has as many: the ratio is near the limit.' : q{.},
    ];
}

1;
