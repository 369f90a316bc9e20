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

# Takes a view; returns the tables of the ratios, or nothing.
sub before_runs {
    my ($view) = @_;
    my $experiment = $view->result->{experiment} or return;
    return section({ id => 'turns', title => 'States measured in turns' }, _blocks($experiment));
}

# Takes a view whose result has several states; returns a report with the same tables, to be printed below the classic
# report.
sub report_of {
    my ($view) = @_;
    return document({ title => 'States measured in turns' }, _blocks($view->result->{experiment}));
}

sub _blocks {
    my ($experiment) = @_;
    return (
        list(undef, UnixBench::Report::Groups::legend($experiment)),
        UnixBench::Report::Groups::sections_of($experiment),
        quiet(map { _rounds($_) } @{ $experiment->{tables} }),
        quiet(PAIRS),
    );
}

sub _rounds {
    my ($table) = @_;
    my ($rounds, $left_out) = @$table{qw(rounds left_out)};
    my $copies = counted($table->{copies}, 'copy', 'copies');
    my $more =
        $left_out
        ? ', without ' . counted($left_out, 'round', 'rounds') . ' of an incomplete set of orders'
        : q{};
    return "$copies: " . counted($rounds, 'round', 'rounds') . " count$more.";
}

1;
