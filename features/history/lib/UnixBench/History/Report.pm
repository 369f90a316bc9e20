package UnixBench::History::Report;

# The report of a history, see UnixBench::History::Series: the changes, the latest first, and on a page a chart of each
# series. An event may have accepted, the reason why the user accepts it.

use strict;
use warnings;

use List::Util qw(max);

use UnixBench::Base::Text      qw(copies_text counted listed);
use UnixBench::Call::NextStep  ();
use UnixBench::History::Series ();
use UnixBench::Report::Block   qw(
    cell document fold heading in_detail in_full list not_in_full paragraphs quiet section
);
use UnixBench::Report::Chart    qw(timelines);
use UnixBench::History::Wording qw(
    begun_text by_need change_text comparing date_of event_class event_items event_title headline
    is_open main_event nothing_shown remedies rest_text series_title slow_text span_of unused_text
    verdict
);
use UnixBench::Report::Title   qw(titles);
use UnixBench::Score::Estimate ();

use constant CHARTED => 200;    # the latest runs, which a page shows
use constant {
    AXES   => 'Left to right: the time (UTC). Bottom to top: the score or index of all passes.',
    POINTS => 'A point is a run, with its 95 % interval. A hollow point is not evidence: its trust is poor, or it is '
        . 'an outlier. A horizontal line is the mean between two changes, a dashed one a drift. A vertical line is a '
        . 'change. A dashed one is provisional; at a dotted one other programs, or another CPU, begin a new series.',
    OF_TEXTS => 'Text reports: their local time is taken as UTC; their programs are unknown.',
    ACCEPT   => 'To accept the changes for the worse, add --accept REASON to this command.',
    BUDGET   => 'At most one false alarm is expected in 1,000 runs of the whole suite if their noise is normal.',
};

# Takes a history; returns the report.
sub report_of {
    my ($history) = @_;
    my $title     = headline($history);
    my @hosts     = @{ $history->{hosts} };
    my @open      = grep { is_open($_) } map { @{ $_->{events} } } @hosts;
    my @legend    = (@open ? ACCEPT : (), BUDGET);
    my %about     = (
        titles(history => $title),
        how   => \@legend,
        block => [[Verdict => verdict($history)], [Next => _next($history)]]
    );
    return document(
        \%about,
        in_detail(paragraphs($title)),
        _hosts(@hosts),
        list('Notes:', (grep { !$_->{has_passes} } @hosts) ? OF_TEXTS : (), map { $_->{text} } @{ $history->{notes} }),
        not_in_full(quiet(@legend))
    );
}

sub _next {
    my ($history)  = @_;
    my @main       = main_event($history);
    my $comparison = @main ? comparing(@main) : undef;
    return $comparison if $comparison;
    return UnixBench::Call::NextStep::after_poor(map { +{ name => $_->{name} } } @{ $history->{hosts} })
        if @main || defined unused_text(@{ $history->{hosts} });
    return 'measure again' if defined nothing_shown(@{ $history->{hosts} });
    return 'add --html history.html for a page with charts';
}

# Takes the hosts; returns the sections of those that need their user, the most first, and one for all others.
sub _hosts {
    my (@hosts) = @_;
    my ($first, $same, $few) = by_need(@hosts);
    my $named = sub { @_ == 1 ? $_[0]{label} : @_ . ' hosts (' . listed(map { $_->{label} } @_) . ')' };
    my %begun;
    for my $host (@$same, @$few) {
        push @{ $begun{ begun_text($host, $_) } }, $host->{label} for @{ $host->{begun} };
    }
    my %all    = (events => [], series => [map { @{ $_->{series} } } @$same]);
    my @others = (
        paragraphs(
            @$same ? rest_text(\%all, $named->(@$same))                   : (),
            @$few  ? $named->(@$few) . ': ' . nothing_shown(@$few) . q{.} : ()
        ),
        list('Series that begin anew:', map { s/[.]\z//r . ' (' . listed(@{ $begun{$_} }) . ').' } sort keys %begun),
        in_full(sub {
            fold('The charts of these hosts', map { _charts($_) } @$same, @$few);
        }),
    );
    my @sections = map { _host({ %$_, is_alone => @hosts == 1 }) } @$first;
    return (@sections, @$same || @$few ? section('Hosts without a change', @others) : ());
}

sub _host {
    my ($host) = @_;
    my @runs   = @{ $host->{runs} };
    my $about  = counted(scalar @runs, 'run', 'runs') . ', ' . span_of(@runs[0, -1]);
    my @events = map { list(event_title($host, $_), event_items($_)) } @{ $host->{events} };
    my $none   = nothing_shown($host);
    return section(
        _of_host($host, $about),
        in_detail(heading(_of_host($host, $about))),
        (@events ? (heading('Changes, the latest first'), @events) : ()),
        paragraphs(defined $none ? (ucfirst "$none.", remedies($host)) : (rest_text($host), slow_text($host))),
        list('Series that begin anew:', map { begun_text($host, $_) } @{ $host->{begun} }),
        in_full(sub { _charts($host) }),
    );
}

sub _of_host { my ($host, $text) = @_; return $host->{is_alone} ? ucfirst $text : "$host->{label}: $text" }

# For each number of copies: a wide one for each index, then one for each test.
sub _charts {
    my ($host) = @_;
    my @runs   = @{ $host->{runs} };
    my $first  = max(0, @runs - CHARTED);
    my (%of, @sections);
    push @{ $of{ $_->{copies} }{"$_->{kind} $_->{name}"} }, $_ for @{ $host->{series} };
    for my $copies (sort { $a <=> $b } grep({ $_->{is_dated} } @runs) ? keys %of : ()) {
        my @order = values %{ $of{$copies} };
        @order = sort { $a->[0]{kind} cmp $b->[0]{kind} || series_title($a->[0]) cmp series_title($b->[0]) } @order;
        my @panels = grep { @{ $_->{points} } } map { _panel($host, $first, @$_) } @order or next;
        push @sections,
            section(
            _of_host($host, copies_text($copies) . ', by date'),
            timelines(axes => AXES, from => $runs[$first]{started}, to => $runs[-1]{started}, panels => \@panels),
            quiet(POINTS, $first ? 'The charts show the latest ' . CHARTED . ' runs.' : ()),
            );
    }
    return @sections;
}

sub _panel {
    my ($host, $first, @series) = @_;
    my @runs = @{ $host->{runs} };
    my (@points, @steps);
    for my $series (@series) {
        push @points, map { _point($host, $series, $_) } $first .. $#runs;
        for my $segment (grep { $_->{last} >= $first } @{ $series->{segments} }) {
            my @ends = map { $runs[max($first, $_)]{started} } @$segment{qw(first last)};
            push @steps, [$segment->{is_drift} ? 'step drift' : 'step', @ends, exp($series->{sign} * $segment->{mean})];
        }
    }
    my $title = join ', ', series_title($series[0]), $series[0]{kind} eq 'work' ? 'cycles of a loop' : ();
    return {
        title   => $title,
        words   => "$title by date",
        is_wide => $series[0]{kind} eq 'index' ? 1 : 0,
        points  => \@points,
        steps   => \@steps,
        marks   => [_marks($host, $first, @series)],
    };
}

sub _point {
    my ($host, $series, $number) = @_;
    my $value = $series->{values}[$number] // return;
    my $half  = $series->{halves}[$number];
    my $run   = $host->{runs}[$number];
    my $trust = $run->{outline}{unused};
    my $why   = defined $trust ? " (trust: $trust)" : q{};
    my ($class, $remark) =
          !UnixBench::History::Series::is_evidence($series, $number) ? (' poor',    ", not evidence$why")
        : $series->{outliers}{$number}                               ? (' outlier', ', an outlier')
        :                                                              (q{}, q{});
    my %known = (value => $value);
    @known{qw(low high)} = UnixBench::Score::Estimate::ends($value, $half);
    my $text = [date_of($run) . ': ', cell(brief => \%known), ", $run->{word}$remark"];
    return ["run$class", $run->{started}, @known{qw(value low high)}, $text];
}

# Returns the vertical lines of a panel: the changes of its series, and the runs at which one of these begins.
sub _marks {
    my ($host, $first, @series) = @_;
    my %is_own = map { $_ => 1 } @series;
    my @marks;
    for my $event (grep { $_->{run} >= $first } @{ $host->{events} }) {
        my $run = $host->{runs}[$event->{run}];
        my ($why) = event_items($event);
        push @marks, map {
            ['event ' . event_class($event, $_), $run->{started}, [date_of($run) . ': ', change_text($_), '; ', $why]]
        } grep { $is_own{ $_->{series} } } @{ $event->{changes} };
    }
    for my $begun (grep { $_->{run} >= $first } @{ $host->{begun} }) {
        next if !grep { $is_own{$_} } @{ $begun->{series} };
        push @marks, ['event other', $host->{runs}[$begun->{run}]{started}, begun_text($host, $begun)];
    }
    return @marks;
}

1;
