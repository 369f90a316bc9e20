package UnixBench::Under::Topic;

# The topic of states that were measured in turns: their ratios to the plain machine. It is in the report of the plain
# machine only.

use strict;
use warnings;

use UnixBench::Base::Text     qw(counted);
use UnixBench::Report::Block  qw(document list quiet section);
use UnixBench::Report::Groups ();

use constant PAIRS => 'A ratio is the mean over pairs: passes of a test in both states, one directly after the other. '
    . 'Its interval is Student\'s t over the rounds. Drift of the machine cancels.';
use constant PAIRS_OF_MEANS => 'A ratio is the mean over pairs: in each round, all passes of a test in a state, one '
    . 'after the other, and then those in the other one. Its interval is Student\'s t over the rounds.';

# Takes a view; returns the tables of the ratios, or nothing.
sub before_runs {
    my ($view) = @_;
    my $result = $view->head;
    return section({ id => 'turns', title => 'States measured in turns' }, _blocks($result)) if $result->{experiment};
    return;
}

# Takes a view whose result has several states; returns a report with the same tables, to be printed below the classic
# report.
sub report_of {
    my ($view) = @_;
    return document({ title => 'States measured in turns' }, _blocks($view->result));
}

sub _blocks {
    my ($result)   = @_;
    my $experiment = $result->{experiment};
    my $in_a_row   = $result->{procedure}{turns}{in_a_row} // 1;
    return (
        list(undef, UnixBench::Report::Groups::legend($experiment)),
        UnixBench::Report::Groups::sections_of($experiment),
        quiet(map { _rounds($_, $in_a_row) } @{ $experiment->{tables} }),
        quiet($in_a_row > 1 ? PAIRS_OF_MEANS : PAIRS),
    );
}

sub _rounds {
    my ($table,  $in_a_row) = @_;
    my ($rounds, $left_out) = @$table{qw(rounds left_out)};
    my $copies = counted($table->{copies}, 'copy', 'copies');
    my $more =
        $left_out
        ? ', without ' . counted($left_out, 'round', 'rounds') . ' of an incomplete set of orders'
        : q{};
    my $of_each = $in_a_row > 1 ? ", each with $in_a_row passes of a test in a row" : q{};
    return "$copies: " . counted($rounds, 'round', 'rounds') . " count$of_each$more.";
}

1;
