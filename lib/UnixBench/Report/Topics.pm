package UnixBench::Report::Topics;

# The report of a result: the blocks of all topics, in their order.
#
# A topic is a module in the folder Report/Topic, or one that a feature declares. It has some of these subs, each of
# which returns blocks (see UnixBench::Report::Block):
#
#     before_runs($view)     the blocks above the runs
#     of_run($view, $run)    the blocks of a run
#     of_result($view)       the blocks below the runs
#     of_scaling($view)      the blocks of the scaling, above its table
#
# The topic of a feature may have three more: one for the block at the end of a run, and two for the classic report:
#
#     block_entries($view)             entries of the block, see UnixBench::Report::EndBlock; declared by in_block
#     below_classic_run($view, $run)   groups of blocks below a run, each a list
#     below_classic_report($view)      texts at the end
#
# The view (see UnixBench::Report::View) has computed all values that a topic needs.
#
# Each is declared as { topic => its module, and for each of its subs => a number: its place among the topics there }.
# It may have part, the only part of results about which it has something to say, see UnixBench::Base::Result.

use strict;
use warnings;

use UnixBench::Features        qw(loaded);
use UnixBench::Report::Block   qw(cell document in_full quiet section);
use UnixBench::Report::Title   qw(result_titles);
use UnixBench::Report::Wording qw(run_title time_in_brief);

my @OWN = (
    { topic => 'Report::Topic::Overview', before_runs => 10, of_result => 30 },
    { topic => 'Report::Topic::Scores',   before_runs => 30, of_result => 10, of_run => 10 },
);

# How to read the page of a result: what the indexes of some categories are compared with, and the rest.
my @REFERENCES = (
    [qr/system/ => 'An index of system tests compares this machine with a SPARCstation of 1995, whose index is 10.'],
    [qr/2d|3d/  => 'The indexes of graphics compare this machine with the reference of release 6, whose index is 10.'],
    [qr/./      => 'Twice the index is twice as fast.'],
);
my @HOW = (
    'Post the first number: it has an interval, and no pass is left out. '
        . 'Use the index in the classic report to compare with reports of UnixBench 5.',
    [cell('sign'), ' is how far the next run of this machine may be, with 95 %.'],
    'Trust says how far all numbers hold.',
    'With several copies, a score is that of all copies together. Compare results with the same number of copies.',
    'docs/trust.md explains trust and warnings. What a test does: ./Run explain TEST.',
);

# Takes a view; returns the report with the blocks of all extents.
sub report_of {
    my ($view)  = @_;
    my @runs    = $view->runs;
    my $indexes = join q{ }, map { $_->{category} } map { @{ $_->{indexes} } } @runs;
    return document(
        { result_titles($view), how => [(map { $_->[1] } grep { $indexes =~ $_->[0] } @REFERENCES), @HOW] },
        said('before_runs', $view),
        (map { _run($view, $runs[$_], "run-$_") } 0 .. $#runs),
        said('of_result', $view),
    );
}

sub _run {
    my ($view, $run, $id) = @_;
    my @about = in_full(quiet(defined $run->{started} ? time_in_brief($run, $view->head) : ()));
    return section({ id => $id, title => run_title($run) }, @about, said('of_run', $view, $run));
}

# Takes the name of a place, and the arguments of its sub, of which the view is the first; returns what all topics there
# return, in their order.
sub said {
    my ($place, @of) = @_;
    my @topics = grep { defined $_->{$place} } _topics($of[0]->parts);
    return map { loaded($_->{topic})->can($place)->(@of) } sort { $a->{$place} <=> $b->{$place} } @topics;
}

sub _topics {
    my ($parts) = @_;
    my @own = grep { !$parts || !defined $_->{part} || $parts->{ $_->{part} } } @OWN;
    return (@own, UnixBench::Features::list('topics', $parts));
}

# Takes the parts of a plan; loads the topics of its result, and what features compute for it.
sub load {
    my ($parts) = @_;
    loaded($_) for $parts && !$parts->{scaling} ? () : 'Score::Scaling', map { $_->{topic} } _topics($parts);
    UnixBench::Features::having(of_results => of_run => $parts);
    return;
}

1;
