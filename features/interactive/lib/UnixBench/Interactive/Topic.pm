package UnixBench::Interactive::Topic;

# The topic of interactive tests: their results besides the scores.

use strict;
use warnings;

use UnixBench::Report::Block qw(column quiet row table);

use constant {
    STALENESS => 'Staleness: time from when a frame was due until it, or a later frame, was done, including '
        . 'its own work. Dropped frames are included. A frame of Video with more than 16700 us (16.7 '
        . 'ms) missed its picture.',
    COLUMNS => 'Work: share of the required work that was done. Load: share of its usual work that the load '
        . 'did. Wake: time from when a frame was due until its work began. A dash: unknown, or too few '
        . 'frames.',
    PASSES => 'With several passes, frames are added, Max is the greatest, and all other values are medians.',
    NOISY  => 'Noisy: the hypervisor took more than 1 % of the CPU time, or other programs more than 5 %.',
    TRIALS => 'Trial: that number of streams with 60 frames a second each, while every CPU has other work. '
        . 'The capacity is the number of frames a second of which 99 % are on time.',
};

# Heading, key and kind of each column.
my @FRAMES = (
    ['Frames',  frames             => 'count'],
    ['On time', on_time_percent    => 'frames'],
    ['Late',    late_percent       => 'frames'],
    ['Dropped', dropped_percent    => 'frames'],
    ['Work',    work_percent       => 'points'],
    ['Load',    throughput_percent => 'points'],
);
my @TIMES = (
    ['p50',      staleness_p50_us  => 'us'],
    ['p95',      staleness_p95_us  => 'us'],
    ['p99',      staleness_p99_us  => 'us'],
    ['p99.9',    staleness_p999_us => 'us'],
    ['Max',      staleness_max_us  => 'us'],
    ['SD',       staleness_sd_us   => 'us'],
    ['Wake p50', wake_p50_us       => 'us'],
    ['Wake p99', wake_p99_us       => 'us'],
);
my @PASSES = (
    ['Passes', passes                 => 'count'],
    ['Least',  staleness_p99_least_us => 'us'],
    ['Most',   staleness_p99_most_us  => 'us'],
);
my @TRIALS = (['Frames on time', on_time_percent => 'frames']);

# Takes a view and a run; returns the tables of its interactive tests with explanations, or nothing without such tests.
sub of_run {
    my ($view, $run) = @_;
    my $known = $view->of_run(interactivity => $run) or return;
    my ($cells, $trials) = @$known{qw(cells trials)};
    my @cells   = map  { row("$_->{task}, $_->{load}" . ($_->{noisy} ? ' (noisy)' : q{}), $_) } @$cells;
    my @several = grep { $_->{item}{passes} > 1 && defined $_->{item}{staleness_p99_least_us} } @cells;
    my @trials  = map  { row($_->{streams}, $_) } @$trials;
    return (
        _table('Interactivity: frames on time',                  'Task, load', \@FRAMES, @cells),
        _table('Interactivity: staleness and wake-ups, in us',   'Task, load', \@TIMES,  @cells),
        _table('Interactivity: staleness, p99 of passes, in us', 'Task, load', \@PASSES, @several),
        _table('Interactive capacity: trials',                   'Streams',    \@TRIALS, @trials),
        quiet(_sentences($cells, $trials)),
    );
}

# Takes a title, the heading of the first column, [heading, key, kind] of the others, and rows; returns the table, or
# nothing without rows.
sub _table {
    my ($title, $first, $others, @rows) = @_;
    my @columns = map { column(@$_, none => q{-}) } [$first, title => 'word'], @$others;
    return @rows ? table(title => $title, columns => \@columns, rows => \@rows) : ();
}

# Returns sentences that explain the tables.
sub _sentences {
    my ($cells, $trials) = @_;
    my @sentences = @$cells ? (STALENESS, COLUMNS) : ();
    push @sentences, NOISY if grep { $_->{noisy} } @$cells;
    push @sentences, TRIALS if @$trials;
    push @sentences, PASSES if grep { $_->{passes} > 1 } @$cells, @$trials;
    return @sentences;
}

1;
