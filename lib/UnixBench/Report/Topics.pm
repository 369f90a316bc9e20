package UnixBench::Report::Topics;

# The report of a result: the blocks of all topics, in their order.
#
# A topic is a module in the folder Report/Topic, or one that a feature declares. It has some of these subs, each of
# which returns blocks (see UnixBench::Report::Block):
#
#     before_runs($view)     the blocks above the runs
#     of_run($view, $run)    the blocks of a run
#     of_result($view)       the blocks below the runs
#
# The topic of a feature may have two more, for the classic report:
#
#     below_classic_run($view, $run)   groups of blocks below a run, each a list
#     below_classic_report($view)      texts at the end
#
# The view (see UnixBench::Report::View) has computed all values that a topic needs.
#
# A feature declares { topic => its module, and for each of these subs => the topic of the core after which it stands
# there, or an empty text for the first place }. Several at one place are in the order of the features.

use strict;
use warnings;

use UnixBench::Base::Text       qw(counted);
use UnixBench::Features         qw(loaded);
use UnixBench::Report::Block    qw(document in_full quiet section);
use UnixBench::Report::EndBlock qw(page_title);
use UnixBench::Report::Wording  qw(benchmark_title copies_sentence time_sentence);

# The order of the topics at each place of a report.
my %ORDER = (
    before_runs => [_of_core(qw(Overview Turns Machine Scores))],
    of_run      => [_of_core(qw(Scores Disturbances Passes))],
    of_result   => [_of_core(qw(Scaling Why Warnings Overview Machine))],
    map { $_ => [] } qw(below_classic_run below_classic_report)
);
_place($_) for UnixBench::Features::list('topics');

sub _of_core {
    return map { "Report::Topic::$_" } @_;
}

# Takes the topic of a feature; puts it in its places.
sub _place {
    my ($declared) = @_;
    for my $place (grep { defined $declared->{$_} } keys %ORDER) {
        my ($before) = _of_core($declared->{$place});
        my @after = @{ $ORDER{$place} };
        my @first;
        push @first, shift @after while @after && length $declared->{$place} && ($first[-1] // q{}) ne $before;
        push @first, shift @after while @after && $after[0] !~ /\AReport::Topic::/;
        $ORDER{$place} = [@first, $declared->{topic}, @after];
    }
    return;
}

# Takes a view; returns the report with the blocks of all extents.
sub report_of {
    my ($view) = @_;
    my @runs = $view->runs;
    return document(
        { title => page_title($view), about => benchmark_title($view->result) },
        said('before_runs', $view),
        (map { _run($view, $runs[$_], "run-$_") } 0 .. $#runs),
        said('of_result', $view),
    );
}

sub _run {
    my ($view, $run, $id) = @_;
    my $title = counted($run->{copies}, 'parallel copy', 'parallel copies');
    my @about = in_full(quiet(time_sentence($run, $view->result->{utc_offset_s}), copies_sentence($run)));
    return section({ id => $id, title => $title }, @about, said('of_run', $view, $run));
}

# Takes the name of a place and the arguments of its sub; returns what all topics there return, in their order.
sub said {
    my ($place, @of) = @_;
    return map { loaded($_)->can($place)->(@of) } @{ $ORDER{$place} };
}

# Loads the topics.
sub load {
    loaded($_) for map { @$_ } values %ORDER;
    return;
}

1;
