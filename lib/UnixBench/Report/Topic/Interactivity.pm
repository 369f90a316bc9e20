package UnixBench::Report::Topic::Interactivity;

# The topic of interactive tests: their results besides the scores.

use strict;
use warnings;

use UnixBench::Report::Block qw(quiet row table);

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

# Heading, key and formatting function of each column.
my @FRAMES = (
    ['Frames',    frames             => \&_plain],
    ['On time %', on_time_percent    => \&_percent],
    ['Late %',    late_percent       => \&_percent],
    ['Dropped %', dropped_percent    => \&_percent],
    ['Work %',    work_percent       => \&_tenths],
    ['Load %',    throughput_percent => \&_tenths],
);
my @TIMES = (
    ['p50',      staleness_p50_us  => \&_us],
    ['p95',      staleness_p95_us  => \&_us],
    ['p99',      staleness_p99_us  => \&_us],
    ['p99.9',    staleness_p999_us => \&_us],
    ['Max',      staleness_max_us  => \&_us],
    ['SD',       staleness_sd_us   => \&_us],
    ['Wake p50', wake_p50_us       => \&_us],
    ['Wake p99', wake_p99_us       => \&_us],
);
my @PASSES = (
    ['Passes', passes                 => \&_plain],
    ['Least',  staleness_p99_least_us => \&_us],
    ['Most',   staleness_p99_most_us  => \&_us],
);
my @TRIALS = (['Frames on time %', on_time_percent => \&_percent]);

# Takes a view and a run; returns the tables of its interactive tests with explanations, or nothing without such tests.
sub of_run {
    my ($view, $run) = @_;
    my $known = $view->interactivity($run) or return;
    return (_tables($known), quiet(_sentences($known)));
}

sub _tables {
    my ($known) = @_;
    my ($cells, $trials) = @$known{qw(cells trials)};
    my @tables = (
        _table('Interactivity: frames on time',                  'Task, load', $cells,              @FRAMES),
        _table('Interactivity: staleness and wake-ups, in us',   'Task, load', $cells,              @TIMES),
        _table('Interactivity: staleness, p99 of passes, in us', 'Task, load', [_several(@$cells)], @PASSES),
        _table('Interactive capacity: trials',                   'Streams',    $trials,             @TRIALS),
    );
    return grep { @{ $_->{rows} } } @tables;
}

sub _several {
    my (@cells) = @_;
    return grep { $_->{passes} > 1 && defined $_->{staleness_p99_least_us} } @cells;
}

sub _table {
    my ($title, $about, $items, @columns) = @_;
    return table(
        title   => $title,
        columns => [word => $about, map { (number => $_->[0]) } @columns],
        rows    => [map { _row($_, @columns) } @$items],
    );
}

sub _row {
    my ($item, @columns) = @_;
    my $title = defined $item->{streams} ? $item->{streams} : "$item->{task}, $item->{load}";
    return row($title, [_texts($item, @columns)], badges => [$item->{noisy} ? 'noisy' : ()]);
}

sub _texts {
    my ($item, @columns) = @_;
    my @texts;
    for my $column (@columns) {
        my (undef, $key, $form) = @$column;
        push @texts, defined $item->{$key} ? $form->($item->{$key}) : q{-};
    }
    return @texts;
}

sub _plain { my ($number) = @_; return $number }

sub _tenths { my ($number) = @_; return sprintf '%.1f', $number }

# Takes percent; returns them with two decimals. Only exactly 100 and 0 are printed as "100.00" and "0.00".
sub _percent {
    my ($number) = @_;
    my $text     = sprintf '%.2f', $number;
    return '>99.99' if $text eq '100.00' && $number < 100;
    return '<0.01' if $text eq '0.00'    && $number > 0;
    return $text;
}

# Takes a number; returns it with three significant digits and without an exponent.
sub _us {
    my ($number) = @_;
    return sprintf '%.15g', sprintf '%.2e', $number;
}

# Returns sentences that explain the tables.
sub _sentences {
    my ($known) = @_;
    my ($cells, $trials) = @$known{qw(cells trials)};
    my @sentences = @$cells ? (STALENESS, COLUMNS) : ();
    push @sentences, NOISY if grep { $_->{noisy} } @$cells;
    push @sentences, TRIALS if @$trials;
    push @sentences, PASSES if grep { $_->{passes} > 1 } @$cells, @$trials;
    return @sentences;
}

1;
