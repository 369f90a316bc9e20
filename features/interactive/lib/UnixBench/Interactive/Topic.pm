package UnixBench::Interactive::Topic;

# The topic of interactive tests: whether a desktop is sluggish, and the results besides the scores.

use strict;
use warnings;

use UnixBench::Interactive::Results ();
use UnixBench::Noise::Disturbances  ();
use UnixBench::Report::Block        qw(cell column fold in_full joined paragraphs quiet row strong table);
use UnixBench::Report::Chart        qw(bars bars_column);
use UnixBench::Warnings::Wording    qw(load_text);

# A desktop is smooth if no task misses more frames than the capacity allows, and if a key waits for less than a picture
# of a screen with 60 a second.
use constant { MISSED_PERCENT => 1, PICTURE_US => 1e6 / 60, US_IN_S => 1e6, KEY => 'Probe', ALONE => 'None' };

# The loads in words.
my %UNDER = (
    None    => 'without a load',
    Burn    => 'while all CPUs compute (Burn)',
    Compile => 'during a build (Compile)',
    Hack    => 'while many processes send messages (Hack)',
);

use constant {
    STALENESS => 'Staleness: time from when a frame was due until it, or a later frame, was done, including '
        . 'its own work. Dropped frames are included. A frame of Video with more than 16700 us (16.7 '
        . 'ms) missed its picture.',
    COLUMNS => 'Work: share of the required work that was done. Load: share of its usual work that the load '
        . 'did. Wake: time from when a frame was due until its work began. A dash: unknown, or too few '
        . 'frames.',
    PASSES => 'With several passes, frames are added, Max is the greatest, and all other values are medians.',
    NOISY  => 'Noisy: the hypervisor took more than 1 % of the CPU time, or other programs more than 5 %.',
    MISSED => 'Missed: frames that were not done before the next one was due. Audio has 20 frames a second, Video 60, '
        . 'and X, the drawing of windows, 10. The times are those until a frame is done: of Probe, how long a key '
        . 'waits. A picture of a screen lasts 16.7 ms.',
    COLOURS => 'Orange: more than 1 % missed; red: the worst.',
    SCORES  => 'Interactive Capacity, in frames a second (fps): how many are on time while every CPU has other work. '
        . 'Interactive Response, in wake-ups a second (wps): 1000 are a wait of 1 ms for 99 of 100 keys under load.',
    TRIALS => 'Trial: that number of streams with 60 frames a second each, while every CPU has other work. '
        . 'The capacity is the number of frames a second of which 99 % are on time.',
};

# Heading, key and kind of each column.
my @BRIEF = (
    ['Missed',      missed => 'share'],
    ['Median, ms',  p50_s  => 'ms'],
    ['p99, ms',     p99_s  => 'ms'],
    ['Longest, ms', max_s  => 'ms'],
);
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

# Takes a view; returns the entry of the block, see UnixBench::Report::EndBlock.
sub block_entries {
    my ($view) = @_;
    my @runs   = grep { $view->with_passes($_) } $view->runs;
    return map { [Desktop => $_] } map { _answer($view->with_passes($_), $view->of_run(interactivity => $_)) } @runs;
}

# Takes a view; returns the same for the page.
sub before_runs {
    my ($view) = @_;
    return in_full(paragraphs(map { strong(joined(': ', @$_)) } block_entries($view)));
}

# Beside other load, only passes without that load decide.
sub _answer {
    my ($run, $known) = @_;
    my @cells  = @{ ($known || {})->{cells} || [] };
    my @passes = map { @{ $_->{passes} } } @{ $run->{tests} };
    my $load   = UnixBench::Noise::Disturbances::load_of(@passes);
    return _verdict(@cells) if !$load || !$load->{badly} || !grep { defined && _is_bad($_) } _worst(@cells);
    @passes = grep { !UnixBench::Noise::Disturbances::is_disturbed_by_other_load($_) } @passes;
    my %quiet = (category => 'interactive', passes => \@passes);
    my $quiet = UnixBench::Interactive::Results->of_run({ tests => [\%quiet] }) || { cells => [] };
    return _verdict(@{ $quiet->{cells} }) if @{ $quiet->{cells} };
    my ($what) = map { load_text({ %$_, by => $load->{by} }) } grep { $_->{badly} } @{ $load->{causes} };
    return "not known, because of other load: $what. Repeat without it: ./Run interactive";
}

# Takes cells; returns whether the desktop is sluggish: under which load which task missed how many frames, and how long
# a key waits at most. One that is so without a load needs none. Returns nothing without these tasks.
sub _verdict {
    my (@cells) = @_;
    my @alone   = grep { $_->{load} eq ALONE } @cells;
    @cells = @alone if grep { defined && _is_bad($_) } _worst(@alone);
    my ($missed, $wait) = _worst(@cells);
    my @worst   = grep { defined } $missed, $wait or return;
    my ($bad)   = grep { _is_bad($_) } @worst;
    my $even    = $bad && $bad->{load} eq ALONE ? ' even'                                            : q{};
    my $verdict = $bad                          ? ["sluggish$even", _under($bad)]                    : 'smooth';
    my $noisy   = (grep { $_->{noisy} } @worst) ? '. Other programs or the hypervisor took CPU time' : q{};
    my @seen;
    push @seen, ["$missed->{task} missed ", _part($missed), ' of its frames', _under($missed, $bad)] if $missed;
    push @seen,
        ['99 of 100 keys wait at most ', cell(ms => $wait->{staleness_p99_us} / US_IN_S), ' ms', _under($wait, $bad)]
        if $wait;
    return [$verdict, ': at worst, ', joined('; ', @seen), "$noisy."];
}

sub _under {
    my ($cell, $named) = @_;
    my $load = $cell->{load};
    return $named && $named->{load} eq $load ? q{} : q{ } . ($UNDER{$load} // "under $load");
}

sub _missed { my ($cell) = @_; return $cell->{late_percent} + $cell->{dropped_percent} }
sub _part   { my ($cell) = @_; return cell(share => _missed($cell) / 100) }

# Returns the one of Audio, Video and X with the most missed frames, and that of Probe whose keys wait longest.
sub _worst {
    my (@cells)  = @_;
    my ($missed) = sort { _missed($b) <=> _missed($a) } grep { $_->{task} ne KEY } @cells;
    my ($wait)   = sort { $b->{staleness_p99_us} <=> $a->{staleness_p99_us} }
        grep { $_->{task} eq KEY && defined $_->{staleness_p99_us} } @cells;
    return ($missed, $wait);
}

sub _is_bad {
    my ($cell) = @_;
    return $cell->{task} eq KEY ? ($cell->{staleness_p99_us} // 0) > PICTURE_US : _missed($cell) > MISSED_PERCENT;
}

sub _brief {
    my (@cells) = @_;
    my %worst   = map  { $_ => 1 } grep { defined && _is_bad($_) } _worst(@cells);
    my @frames  = grep { $_->{task} ne KEY } @cells;
    my @columns = map  { column(@$_, none => q{-}) } ['Task, load', title => 'word'], @BRIEF;
    splice @columns, 1, 0, bars_column('Missed frames, %', map { _missed($_) } @frames) if @frames;
    return if !@cells;
    return table(
        title   => 'Interactivity: who missed frames, and how long they take',
        columns => \@columns,
        rows    => [map { _row($_, $worst{$_}) } @cells],
        remarks => 'Remarks',
        legend  => [@frames ? COLOURS : ()]
    );
}

# Frames of Probe, of a millisecond each, are not missed by anyone: their waits count.
sub _row {
    my ($cell, $is_worst) = @_;
    my %us     = map { $_ => $cell->{"staleness_${_}_us"} } qw(p50 p99 max);
    my %item   = map { ("${_}_s" => $us{$_} / US_IN_S) } grep { defined $us{$_} } keys %us;
    my @remark = $is_worst ? (remark => strong($cell->{task} eq KEY ? 'the longest wait' : 'the worst')) : ();
    return row(_title($cell), \%item, @remark) if $cell->{task} eq KEY;
    my ($missed, $class) = (_missed($cell), $is_worst ? 'worst' : _is_bad($cell) ? 'slower' : 'usual');
    return row(
        _title($cell), { %item, missed => $missed / 100 }, @remark,
        shapes => [bars($class, $missed)],
        words  => ['missed ', _part($cell)]
    );
}

sub _title { my ($cell) = @_; return "$cell->{task}, $cell->{load}" . ($cell->{noisy} ? ' (noisy)' : q{}) }

# Takes a view and a run; returns the tables of its interactive tests with explanations, or nothing without such tests.
sub of_run {
    my ($view, $run) = @_;
    my $known = $view->of_run(interactivity => $run) or return;
    my ($cells, $trials) = @$known{qw(cells trials)};
    my @cells   = map  { row(_title($_), $_) } @$cells;
    my @several = grep { $_->{item}{passes} > 1 && defined $_->{item}{staleness_p99_least_us} } @cells;
    my @trials  = map  { row($_->{streams}, $_) } @$trials;
    return (
        _brief(@$cells),
        quiet(@$cells ? MISSED : (), SCORES),
        fold(
            'All values of interactivity',
            _table('Interactivity: frames on time',                  'Task, load', \@FRAMES, @cells),
            _table('Interactivity: staleness and wake-ups, in us',   'Task, load', \@TIMES,  @cells),
            _table('Interactivity: staleness, p99 of passes, in us', 'Task, load', \@PASSES, @several),
            _table('Interactive capacity: trials',                   'Streams',    \@TRIALS, @trials),
            quiet(_sentences($cells, $trials))
        ),
    );
}

sub _table {
    my ($title, $first, $others, @rows) = @_;
    my @columns = map { column(@$_, none => q{-}) } [$first, title => 'word'], @$others;
    return @rows ? table(title => $title, columns => \@columns, rows => \@rows) : ();
}

sub _sentences {
    my ($cells, $trials) = @_;
    my @sentences = @$cells ? (STALENESS, COLUMNS) : ();
    push @sentences, NOISY if grep { $_->{noisy} } @$cells;
    push @sentences, TRIALS if @$trials;
    push @sentences, PASSES if grep { $_->{passes} > 1 } @$cells, @$trials;
    return @sentences;
}

1;
