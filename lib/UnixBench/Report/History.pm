package UnixBench::Report::History;

# The report of a history, see UnixBench::Compare::History: a line for each series on a terminal, a small picture for
# each on a page, and the changes, the latest first. An event may have accepted, the reason why the user accepts it.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Text    qw(counted);
use UnixBench::Report::Block qw(
    column document heading in_detail in_full list not_in_detail paragraphs quiet row section table
);
use UnixBench::Report::Chart            qw(timelines);
use UnixBench::Report::History::Wording qw(
    begun_text change_text date_of drifts event_class event_items event_title headline open_events series_title
);
use UnixBench::Report::Wording qw(copies_title);

use constant {
    CHARTED   => 200,     # the latest runs, which a page shows
    SHOWN     => 10,      # the latest runs in a line of a terminal of 80 columns, and
    SHOWN_AT  => 70,      # the columns that the rest of the line needs
    SHOWN_MAX => 60,
    LEVELS    => 0.05,    # the least range of values that such a line shows, a difference of logarithms
    FEW       => 4,       # values that show their deviation, at least
};
use constant {
    AXES => 'Left to right: the date (UTC). Bottom to top: the score or index of all passes, each chart with its own '
        . 'scale.',
    POINTS => 'A point is a run, with its 95 % interval. A hollow point is shown, but is not evidence: its trust is '
        . 'poor, or it is an outlier. A horizontal line is the mean between two changes, a vertical one a change.',
    SEES   => '"Sees" is the step that three more runs show with a probability of 90 %.',
    BUDGET => 'At most one false alarm is expected in 1,000 runs of the whole suite.',
};

# Takes a history, and perhaps the terminal on which it is shown, see UnixBench::CLI::Console::screen. Returns the
# report.
sub report_of {
    my ($history, $screen) = @_;
    my $shown = $screen ? max(SHOWN, min(SHOWN_MAX, $screen->{columns} - SHOWN_AT)) : SHOWN_MAX;
    my $title = headline($history);
    my @hosts = @{ $history->{hosts} };
    return document(
        { title => $title, block => [_block($history)] },
        in_detail(paragraphs($title)),
        (map { _host($_, $shown, @hosts > 1) } @hosts),
        list('Left out:', map { s/\ALeft out: //r } @{ $history->{notes} }),
        quiet(SEES, BUDGET),
    );
}

# Returns the entries of the block at the end on a terminal.
sub _block {
    my ($history) = @_;
    my ($open)    = map { $_->[0]{runs}[$_->[1]{run}]{word} } open_events($history);
    my $next      = defined $open ? "./Run history --accept REASON --at $open" : './Run history --html history.html';
    return ([Verdict => headline($history)], [Next => $next]);
}

# Takes a host, how many runs a line shows, and whether there are other hosts; returns its section.
sub _host {
    my ($host, $shown, $is_one_of_several) = @_;
    my @runs   = @{ $host->{runs} };
    my $span   = join ' to ', map { date_of($runs[$_]) } 0, $#runs;
    my $about  = counted(scalar @runs, 'run', 'runs') . ", $span";
    my %of     = map { $_ => [] } map { $_->{copies} } @{ $host->{series} };
    my @old    = $host->{is_old} ? 'Text reports: their local time is taken as UTC; their programs are unknown.' : ();
    my @events = map { _event($host, $_) } @{ $host->{events} };
    push @{ $of{ $_->{copies} } }, $_ for @{ $host->{series} };
    my @copies = sort { $a <=> $b } keys %of;
    my %table  = map  { $_ => scalar _table($host, $shown, $_, @{ $of{$_} }) } @copies;
    return section(
        $is_one_of_several ? "$host->{label}: $about" : ucfirst $about,
        ($is_one_of_several ? in_detail(heading("$host->{label}: $about")) : ()),
        paragraphs(@old),
        in_detail(@table{@copies}),
        (@events ? (heading('Changes, the latest first'), @events) : paragraphs('No change was found.')),
        list('Series that begin anew:', map { begun_text($host, $_) } @{ $host->{begun} }),
        list(undef,                     drifts($host)),
        (map { _charts($host, $_, @{ $of{$_} }) } @copies),
        (map { not_in_detail(section(ucfirst(copies_title($_)) . ' in numbers', $table{$_})) } @copies),
    );
}

sub _event {
    my ($host, $event) = @_;
    return list(event_title($host, $event), event_items($host, $event));
}

# Takes a host, how many runs a line shows, a number of copies and series; returns the table of the series that go on.
sub _table {
    my ($host, $shown, $copies, @series) = @_;
    my @rows  = map { _row($host, $shown, $_) } sort { _by_title($a, $b) } grep { !$_->{is_ended} } @series;
    my $title = copies_title($copies);
    return table(
        corner  => ucfirst $title,
        caption => ucfirst $title,
        columns => [
            column('Series',      title     => 'text'),
            column('Latest runs', runs      => 'sparkline', in => 'detail'),
            column('Last',        last      => 'known'),
            column('SD',          deviation => 'share'),
            column('Change',      change    => 'change'),
            column('At',          at        => 'word', spare => 1),
            column('Sees',        sees      => 'share'),
        ],
        rows => \@rows,
    );
}

# Indexes stand after the tests, as in all reports.
sub _by_title {
    my ($first, $second) = @_;
    return $second->{kind} cmp $first->{kind} || series_title($first) cmp series_title($second);
}

sub _row {
    my ($host, $shown, $series) = @_;
    my @known     = grep { defined } @{ $series->{values} };
    my $segment   = $series->{segments}[-1];
    my $deviation = $segment && $segment->{last} - $segment->{first} + 1 >= FEW ? $segment->{deviation} : undef;
    my $change    = $series->{changes}[-1];
    my %item      = (
        runs      => _levels($host, $shown, $series),
        last      => @known ? { value => $known[-1], high => $known[-1] * exp($deviation // 0) } : undef,
        deviation => $deviation,
        change    => $change         ? exp($change->{by}) - 1                : undef,
        at        => $change         ? date_of($host->{runs}[$change->{at}]) : undef,
        sees      => $series->{sees} ? exp($series->{sees}) - 1              : undef,
    );
    return row(series_title($series), \%item);
}

# Returns the levels of the latest runs of a series, see the kind "sparkline" of UnixBench::Report::Cell.
sub _levels {
    my ($host, $shown, $series) = @_;
    my @runs   = @{ $host->{runs} };
    my @latest = max(0, @runs - $shown) .. $#runs;
    my @logs   = map { log } grep { defined } @{ $series->{values} }[grep { $runs[$_]{is_evidence} } @latest];
    my ($low, $high) = @logs ? (min(@logs), max(@logs)) : (0, 0);
    my $room = max(0, LEVELS - ($high - $low)) / 2;
    ($low, $high) = ($low - $room, $high + $room);
    my %level = map { $_ => (log($series->{values}[$_]) - $low) / ($high - $low) }
        grep { defined $series->{values}[$_] } @latest;
    return [map { defined $level{$_} && !$runs[$_]{is_evidence} ? q{?} : $level{$_} } @latest];
}

# Takes a host, a number of copies and its series; returns their charts for a page: a chart for each test, those with
# the largest last change first.
sub _charts {
    my ($host, $copies, @series) = @_;
    my %of;
    push @{ $of{"$_->{kind} $_->{name}"} }, $_ for @series;
    my %size = map {
        $_ => max(map { _last_size($_) } @{ $of{$_} })
    } keys %of;
    my @order  = sort { $size{$b} <=> $size{$a} || _by_title($of{$a}[0], $of{$b}[0]) } keys %of;
    my @runs   = @{ $host->{runs} };
    my $first  = max(0, @runs - CHARTED);
    my @panels = map { _panel($host, $first, @{ $of{$_} }) } @order;
    my @latest = $first ? quiet('The charts show the latest ' . CHARTED . ' runs.') : ();
    my $chart  = timelines(
        axes   => AXES,
        from   => $runs[$first]{started},
        to     => $runs[-1]{started},
        panels => \@panels
    );
    return in_full(section(ucfirst(copies_title($copies)) . ': each series', $chart, quiet(POINTS), @latest));
}

sub _last_size {
    my ($series) = @_;
    return @{ $series->{changes} } ? abs $series->{changes}[-1]{by} : 0;
}

# Takes a host, the first run that is shown, and the series of a test; returns their panel.
sub _panel {
    my ($host, $first, @series) = @_;
    my @runs    = @{ $host->{runs} };
    my $time_of = sub { return $runs[$_[0]]{started} };
    my (@points, @steps);
    for my $series (@series) {
        push @points, map { _point($host, $series, $_) } $first .. $#runs;
        for my $segment (grep { $_->{last} >= $first } @{ $series->{segments} }) {
            my @ends = map { $time_of->(max($first, $_)) } @$segment{qw(first last)};
            push @steps, [$segment->{is_drift} ? 'step drift' : 'step', @ends, exp $segment->{mean}];
        }
    }
    my ($current) = grep { !$_->{is_ended} } @series;
    my $title = series_title($series[0]);
    return {
        title  => $title,
        note   => _note($host, $current),
        words  => "$title by date",
        points => \@points,
        steps  => \@steps,
        marks  => [_marks($host, $first, @series)],
    };
}

sub _point {
    my ($host, $series, $number) = @_;
    my $value = $series->{values}[$number] // return;
    my $half  = $series->{halves}[$number];
    my $run   = $host->{runs}[$number];
    my $class = !$run->{is_evidence} ? ' poor' : $series->{outliers}{$number} ? ' outlier' : q{};
    return [
        "run$class", $run->{started}, $value,
        defined $half ? ($value / exp $half, $value * exp $half) : (undef, undef),
        date_of($run) . ", $run->{word}"
    ];
}

# Returns the vertical lines of a panel: the events of its series, and the runs at which one of these begins.
sub _marks {
    my ($host, $first, @series) = @_;
    my %is_own = map { $_ => 1 } @series;
    my @marks;
    for my $event (grep { $_->{run} >= $first } @{ $host->{events} }) {
        my ($own) = grep { $is_own{ $_->{series} } } @{ $event->{changes} } or next;
        my $run   = $host->{runs}[$event->{run}];
        my $class = event_class($event);
        my ($why) = event_items($host, $event);
        push @marks, ["event $class", $run->{started}, [date_of($run) . ': ', change_text($own), '; ', $why]];
    }
    for my $begun (grep { $_->{run} >= $first } @{ $host->{begun} }) {
        next if !grep { _first_run($_) == $begun->{run} } @series;
        push @marks, ['event other', $host->{runs}[$begun->{run}]{started}, begun_text($host, $begun)];
    }
    return @marks;
}

sub _first_run {
    my ($series) = @_;
    return List::Util::first { defined $series->{values}[$_] } 0 .. $#{ $series->{values} };
}

# Takes a host and the series of a panel that goes on; returns the text below the panel.
sub _note {
    my ($host, $series) = @_;
    my $change = $series->{changes}[-1] or return 'no change';
    return [
        date_of($host->{runs}[$change->{at}]) . ': ',
        change_text({ map { $_ => exp($change->{$_}) - 1 } qw(by low high) })
    ];
}

1;
