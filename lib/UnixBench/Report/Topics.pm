package UnixBench::Report::Topics;

# The report of a result: the blocks of all topics, in their order.
#
# A topic is a module in the folder Report/Topic of any directory in @INC. It need not be mentioned anywhere else. It
# has some of these subs, each of which returns blocks (see UnixBench::Report::Block):
#
#     before_runs($view)     the blocks above the runs
#     of_run($view, $run)    the blocks of a run
#     of_result($view)       the blocks below the runs
#
# The view (see UnixBench::Report::View) has computed all values that a topic needs.

use strict;
use warnings;

use UnixBench::Base::Text       qw(counted);
use UnixBench::Report::Block    qw(document in_full quiet section);
use UnixBench::Report::EndBlock qw(page_title);
use UnixBench::Report::Wording  qw(benchmark_title copies_sentence time_sentence);

use constant FOLDER => 'UnixBench/Report/Topic';

# The order of the topics at each place of a report. A topic that is not in the list comes after those that are.
my %ORDER = (
    before_runs => [qw(Overview Turns Machine SystemCalls Scores)],
    of_run      => [qw(Scores Disturbances Interactivity MultiUser Passes SystemCalls)],
    of_result   => [qw(SystemCalls Scaling Why Warnings Overview Machine)],
);

# Takes a view; returns the report with the blocks of all extents.
sub report_of {
    my ($view) = @_;
    my @runs = $view->runs;
    return document(
        { title => page_title($view), about => benchmark_title($view->result) },
        _said('before_runs', $view),
        (map { _run($view, $runs[$_], "run-$_") } 0 .. $#runs),
        _said('of_result', $view),
    );
}

sub _run {
    my ($view, $run, $id) = @_;
    my $title = counted($run->{copies}, 'parallel copy', 'parallel copies');
    my @about = in_full(quiet(time_sentence($run, $view->result->{utc_offset_s}), copies_sentence($run)));
    return section({ id => $id, title => $title }, @about, _said('of_run', $view, $run));
}

# Takes the name of a sub and its arguments; returns the blocks of all topics with this sub, in their order.
sub _said {
    my ($sub, @of) = @_;
    my @named = map { "UnixBench::Report::Topic::$_" } @{ $ORDER{$sub} };
    my %place = map { $named[$_] => $_ } 0 .. $#named;
    my @topics =
        sort { ($place{$a} // @named) <=> ($place{$b} // @named) || $a cmp $b } grep { $_->can($sub) } topics();
    return map { $_->can($sub)->(@of) } @topics;
}

my @topics;

# Loads the topics, once; returns the names of their packages.
sub topics {
    return @topics if @topics;
    my %found = map { $_ => 1 } map { _modules_in("$_/" . FOLDER) } grep { !ref } @INC;
    for my $file (sort keys %found) {
        my $path = FOLDER . "/$file";
        require $path;
        push @topics, 'UnixBench::Report::Topic::' . $file =~ s/[.]pm\z//r;
    }
    return @topics;
}

sub _modules_in {
    my ($directory) = @_;
    opendir my $entries, $directory or return;
    return grep { /\A\w+[.]pm\z/ } readdir $entries;
}

1;
