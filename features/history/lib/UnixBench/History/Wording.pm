package UnixBench::History::Wording;

# The words of a history, see UnixBench::History::Series: what changed, when, and what changed with it.

use strict;
use warnings;

use Exporter 'import';

use List::Util qw(max sum);

use UnixBench::Base::Text                  qw(copies_text counted cut unique);
use UnixBench::Base::Time                  qw(iso_time);
use UnixBench::Call::NextStep              ();
use UnixBench::Catalog                     ();
use UnixBench::Changes::ChangePoints       ();
use UnixBench::Features                    ();
use UnixBench::Report::Block               qw(at_most cell joined name);
use UnixBench::Report::Comparison::Wording qw(fact_text);
use UnixBench::Report::Wording             qw(index_title);
use UnixBench::Warnings::Wording           qw(OTHER_LOAD merged);

our @EXPORT_OK = qw(
    begun_text by_need change_text comparing date_of event_class event_items event_title headline
    is_open lost main_event nothing_shown open_events outcome remedies rest_text series_title slow_text
    span_of unused_text verdict
);

use constant MAY_BE_LOAD => 'not confirmed, because other load may be the reason';
use constant { IN_A_ROW => 3, WHY_MOST => 3, FILES_MOST => 100, OTHERS_MOST => 7, CLOSE => 0.9 };
use constant { TENTH => 0.1, SOON => 4, NEEDS => 4 };

my %CATEGORY = map { $_->{name} => $_ } UnixBench::Catalog::categories();

# Takes a run; returns the date of its start (UTC), with the time of day if others of its host began on that day. If
# the clock was wrong, returns its name.
sub date_of {
    my ($run) = @_;
    return "$run->{word} (no date)" if !$run->{is_dated};
    my ($date, $clock) = iso_time($run->{started}, 0) =~ /\A(.{10})T(.{5})/;
    return $run->{shares_day} ? "$date $clock" : $date;
}

# Takes the first and the last run; returns their dates, each once.
sub span_of {
    my ($first, $last) = @_;
    ($first, $last) = map { date_of($_) } $first, $last;
    my ($day) = $first =~ /\A([-0-9]{10} )/;
    $last =~ s/\A\Q$day\E// if defined $day && $first ne $last;
    return $first eq $last ? $first : "$first to $last";
}

# Takes a series; returns the title of its test or index.
sub series_title {
    my ($series) = @_;
    my $category = $CATEGORY{ $series->{name} };
    return index_title({ %$category, complete => 1 }) if $series->{kind} eq 'index' && $category;
    my $test = UnixBench::Catalog::test($series->{name});
    return $test ? $test->{title} : $series->{name};
}

# Takes an event; returns whether it waits for the user: a confirmed change for the worse that was not accepted.
sub is_open { my ($event) = @_; return $event->{is_worse} && !defined $event->{accepted} }

# Takes a history; returns [host, event] for each of these, the latest first.
sub open_events {
    my ($history) = @_;
    my @open;
    for my $host (@{ $history->{hosts} }) {
        push @open, map { [$host->{runs}[$_->{run}]{started}, $host, $_] } grep { is_open($_) } @{ $host->{events} };
    }
    return map { [@$_[1, 2]] } sort { $b->[0] <=> $a->[0] } @open;
}

# Takes a history; returns "worse" if a change waits for the user, "inconclusive" if no run, or no latest one of a host,
# can be used, or if the order of runs is doubtful, or "done".
sub outcome {
    my ($history) = @_;
    my @hosts = @{ $history->{hosts} };
    return 'worse' if open_events($history) || lost($history);
    return defined(unused_text(@hosts) // _doubtful_text(@hosts)) ? 'inconclusive' : 'done';
}

sub _doubtful_text {
    my (@hosts) = @_;
    my ($host)  = grep { grep({ $_->{is_doubtful} } @{ $_->{events} }) } @hosts or return;
    my $early   = grep { $_->{is_early} } @{ $host->{runs} };
    my $on      = @hosts > 1 ? " on $host->{label}" : q{};
    my $of      = "$early of " . @{ $host->{runs} };
    return "the order of the runs$on is doubtful: $of have a date before the release of the program that measured";
}

# Takes hosts of a history; returns "no run can be used: trust is poor in 3 of 4 (other load), incomplete in 1 of 4" if
# none of their runs is evidence, or such a text about the first host of which the latest runs are not; else undef.
sub unused_text {
    my (@hosts) = @_;
    my ($host, $is_since, @runs) = _unused(@hosts) or return;
    my $on    = @hosts > 1 ? " on $host->{label}"          : q{};
    my $since = $is_since  ? ' since ' . date_of($runs[0]) : q{};
    my %count;
    $count{ $_->{outline}{unused} }++ for @runs;
    return "no run$on$since can be used: trust is " . join ', ',
        map { "$_ in $count{$_} of " . @runs . ($_ eq 'poor' ? ' (' . OTHER_LOAD . ')' : q{}) }
        sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
}

# Takes hosts of a history; returns what is known of the latest run that can't be used, for each reason, and what to do.
sub remedies {
    my (@hosts) = @_;
    my (undef, undef, @runs) = _unused(@hosts);
    my ($loaded)     = map  { $_->{outline}{load} || () } reverse @runs;
    my ($incomplete) = grep { $_->{outline}{unused} eq 'incomplete' } reverse @runs;
    return ($loaded ? merged($loaded) : (),
        $incomplete ? "A test failed, or the run was interrupted: ./Run report $incomplete->{word}" : ());
}

# Returns the first host of which the latest runs, or all, are not evidence, whether earlier ones are, and these runs.
sub _unused {
    my (@hosts) = @_;
    my %unused;
    for my $host (@hosts) {
        my @runs = @{ $host->{runs} };
        my ($last) = grep { $runs[$_]{is_evidence} } reverse 0 .. $#runs;
        $unused{$host} = [@runs[($last // -1) + 1 .. $#runs]];
    }
    my @used = grep { @{ $unused{$_} } < @{ $_->{runs} } } @hosts;
    my ($host) = @used ? grep { @{ $unused{$_} } >= IN_A_ROW } @used : @hosts or return;
    return ($host, scalar @used, @{ $unused{$host} });
}

# Takes hosts of a history; returns why they show no change, or undef if one of them can.
sub nothing_shown {
    my (@hosts) = @_;
    my $unused = unused_text(@hosts);
    return $unused if defined $unused;
    my $least = UnixBench::Changes::ChangePoints::FIRST();
    return if grep { $least <= grep({ $_->{is_evidence} } @{ $_->{runs} }) } @hosts;
    return "too few runs: at least $least show a change";
}

# Takes a history; returns how many of its results have no place in time.
sub lost { my ($history) = @_; return sum(0, map { $_->{lost} // 0 } @{ $history->{notes} }) }

# Takes a history; returns its title: of which hosts it is, and what its user has to know.
sub headline {
    my ($history) = @_;
    my @names     = unique(map { $_->{host} } @{ $history->{hosts} });
    my $which     = @names == 1 ? $names[0] : counted(scalar @names, 'host', 'hosts');
    return ["History of $which: ", verdict($history)];
}

# Takes hosts of a history; returns [those that need their user, the most first], [those without a change], and [those
# with too few runs]. If all are entries of one host, they stay as they are.
sub by_need {
    my (@hosts) = @_;
    return (\@hosts, [], []) if !_are_several(@hosts);
    my %need   = map { $_ => _need($_) } @hosts;
    my @groups = ([], [], []);
    push @{ $groups[max(0, $need{$_}[0] - NEEDS)] }, $_
        for sort { $need{$a}[0] <=> $need{$b}[0] || $need{$a}[1] <=> $need{$b}[1] } @hosts;
    return @groups;
}

sub _are_several { my (@hosts) = @_; return unique(map { $_->{name} // q{} } @hosts) > 1 }

# Takes a host; returns [how urgently it needs its user (from 0, the most, to NEEDS; then come hosts without a change,
# and with too few runs), a number that sorts those that are alike].
sub _need {
    my ($host)   = @_;
    my ($main)   = ((_main($host))[1], @{ $host->{events} });
    my ($change) = $main ? _changes($main) : { by => 0, series => { kind => q{} } };
    my $class    = $main ? event_class($main, $change) : q{};
    my $is_none  = defined(unused_text($host) // _doubtful_text($host));
    my $is_worse = $class eq 'provisional' && $change->{by} < 0;
    my @is = (is_open($main), $is_none, $is_worse, $main, defined slow_text($host), !defined nothing_shown($host), 1);
    my ($need) = grep { $is[$_] } 0 .. $#is;
    return [$need, $change->{by} - ($change->{series}{kind} eq 'index' ? 1 : 0)];
}

# Takes a history; returns what its user has to know, a text: the change that is the main one, and how many others wait.
sub verdict {
    my ($history) = @_;
    my @hosts = @{ $history->{hosts} };
    if (my ($host, $event) = main_event($history)) {
        my @more   = grep { $_->[1] != $event } open_events($history);
        my $on     = @hosts > 1 ? " on $host->{label}" : q{};
        my $others = unique(map { $_->[0]{host} } grep { $_->[0]{host} ne $host->{host} } @more);
        return [
            _loss($host, $event),
            $on,
            $others ? '; worse on ' . counted($others, 'other host', 'other hosts')
            : @more ? '; ' . counted(scalar @more, 'more change', 'more changes') . ' for the worse'
            :         ()
        ];
    }
    my $lost = lost($history);
    return counted($lost, 'result has', 'results have') . ' no place in time, and may be the latest' if $lost;
    my $why_none = nothing_shown(@hosts) // _doubtful_text(@hosts);
    return $why_none if defined $why_none;
    my @worse = grep { $_->{is_worse} } map { @{ $_->{events} } } @hosts;
    return [
        @worse ? 'each change for the worse is accepted' : 'no confirmed change for the worse',
        map { ('; ', slow_text($_) =~ s/[.]\z//r) } grep { defined slow_text($_) } @hosts == 1 ? @hosts : ()
    ];
}

# Takes a host; returns a sentence about the series that are slow now and then, the most runs first, or undef.
sub slow_text {
    my ($host) = @_;
    my @slow =
        sort { @{ $b->{slow} } <=> @{ $a->{slow} } } grep { !$_->{is_ended} && @{ $_->{slow} } } @{ $host->{series} }
        or return;
    my $more = @slow > 1 ? ', and ' . $#slow . ' more series' : q{};
    my $runs = @{ $host->{runs} };
    return @{ $slow[0]{slow} } . " of $runs runs are slow (" . _named($slow[0]) . "$more).";
}

sub _named {
    my ($series) = @_;
    return join ', ', series_title($series), $series->{copies} == 1 ? () : copies_text($series->{copies});
}

# Takes a history; returns host and event of the change that its user has to know first, if one is open: on the worst
# host, the latest one of an index, else the latest one.
sub main_event {
    my ($history) = @_;
    my ($hosts)   = by_need(@{ $history->{hosts} });
    return _main(_are_several(@{ $history->{hosts} }) ? $hosts->[0] // () : @$hosts);
}

sub _main {
    my (@hosts) = @_;
    my @open    = open_events({ hosts => \@hosts });
    my ($main)  = ((grep { (_changes($_->[1]))[0]{series}{kind} eq 'index' } @open), @open);
    return @{ $main || [] };
}

# As "12.0 % slower since 2024-09-03 (index, one copy)".
sub _loss {
    my ($host, $event) = @_;
    my @runs     = @{ $host->{runs} };
    my $since    = 'since ' . date_of($runs[$event->{run}]);
    my ($change) = _changes($event);
    my ($of, $copies) = @{ $change->{series} }{qw(name copies)};
    my $what = $change->{series}{kind} eq 'index' && $of eq 'system' ? 'index' : series_title($change->{series});
    $copies = $copies == 1 ? 'one copy' : copies_text($copies);
    $since  = 'from ' . span_of(@runs[@$change{qw(at last)}]) if defined $change->{last};
    my $worse = _is_of_work($change) ? 'more work' : 'slower';
    return [cell(percent => abs((_size($change))[0])), " $worse $since ($what, $copies)"];
}

# Takes a change; returns its size with its interval: "-19.2 % (-21.0 % to -17.3 %)".
sub change_text {
    my ($change) = @_;
    my ($by, $low, $high) = map { cell(change => $_) } _size($change);
    return [$by, _is_of_work($change) ? ' work' : (), ' (', $low, ' to ', $high, ')'];
}

sub _is_of_work { my ($change) = @_; return $change->{series}{kind} eq 'work' }

# Takes a change; returns its size and both ends of its interval. Those of work are of the cycles of a loop.
sub _size {
    my ($change) = @_;
    return _is_of_work($change) ? map { 1 / (1 + $change->{$_}) - 1 } qw(by high low) : @$change{qw(by low high)};
}

# Takes a host and one of its events; returns the line about the change that matters most.
sub event_title {
    my ($host, $event) = @_;
    my ($first) = _changes($event);
    my @runs    = @{ $host->{runs} };
    my $when    = date_of($runs[$event->{run}]);
    my $until   = defined $first->{last} ? ', to ' . date_of($runs[$first->{last}]) : q{};
    my $doubt   = $event->{is_doubtful}  ? 'in doubt'  : $first->{is_of_load} ? MAY_BE_LOAD : 'provisional';
    my $state   = $event->{is_confirmed} ? 'confirmed' : $doubt;
    my $more    = ", $state, " . counted($event->{since}, 'run', 'runs') . " since$until";
    ($when, $more) = (span_of(@runs[@$first{qw(at last)}]), ", a slow change, $state") if $event->{kind} eq 'drift';
    return [
        "$when  " . series_title($first->{series}) . ', ' . copies_text($first->{series}{copies}) . ': ',
        change_text($first), $more
    ];
}

# Takes an event; returns its changes, the largest first. Before them stands one of an index if there is one, else the
# largest one, for which the user is asked, or that is confirmed.
sub _changes {
    my ($event) = @_;
    my @changes = @{ $event->{changes} };
    my @waiting = grep { $_->{confirmed} && (!$event->{is_worse} || $_->{by} < 0) } @changes;
    @waiting = grep { !defined $_->{accepted} } @waiting if is_open($event);
    my ($first) = ((grep { $_->{series}{kind} eq 'index' } @waiting), @waiting, @changes);
    return ($first, grep { $_ != $first } @changes);
}

# Takes an event and one of its changes; returns "worse", "better", "provisional" or "accepted".
sub event_class {
    my ($event, $change) = @_;
    return 'accepted' if defined($change->{accepted} // $event->{accepted});
    return 'provisional' if !$change->{confirmed};
    return $change->{by} < 0 ? 'worse' : 'better';
}

# Takes an event, which UnixBench::History::Explained::explain() has seen. Returns what differs, why tests changed, the
# other series, and whether the event was accepted.
sub event_items {
    my ($event) = @_;
    my $of      = UnixBench::Features::having(of_comparisons => 'words_of');
    my $facts   = join ', ', map { fact_text($_) } @{ $event->{differs} };
    my @differs = ($facts || (), map { cut($_, FILES_MOST) } @{ $event->{files} });
    my (@reasons, @others);
    for my $change (_changes($event)) {
        my $series = $change->{series};
        my $with   = $series->{copies} == 1 ? q{} : ' (' . copies_text($series->{copies}) . ')';
        push @reasons, map { ["$_$with: ", $of->{$_}->words_of($change->{$_})] } grep { $change->{$_} } sort keys %$of;
        my $name = $series->{kind} eq 'index' ? series_title($series) : $series->{name};
        push @others, ["$name$with ", cell(change => (_size($change))[0]), _is_of_work($change) ? ' work' : ()];
    }
    splice @reasons, WHY_MOST if @reasons > WHY_MOST;
    my @elsewhere = at_most(OTHERS_MOST, sub { return "$_[0] more" }, @others[1 .. $#others]);
    return (
        ['differs: ', joined('; ', @differs ? @differs : 'no known fact')],
        @reasons,
        @elsewhere                 ? ['elsewhere: ', joined(', ', @elsewhere)] : (),
        defined $event->{accepted} ? "accepted: $event->{accepted}"            : ()
    );
}

# Takes a host and one of its events; returns the command that says why the last run before it and its first one, or
# both ends of a drift, differ; or undef if there is none before it.
sub comparing {
    my ($host, $event) = @_;
    my ($change) = _changes($event);
    my @pair = $event->{kind} eq 'drift' ? @$change{qw(at last)} : @$event{qw(before run)};
    return if !defined $pair[0];
    return name(UnixBench::Call::NextStep::comparing(map { $_->{word} } @{ $host->{runs} }[@pair]));
}

# Takes a host, and a run at which series began because programs or the CPU were replaced; returns a sentence.
sub begun_text {
    my ($host, $begun) = @_;
    my @why    = ($begun->{is_other_cpu} ? 'another CPU' : (), $begun->{is_other_program} ? 'other programs' : ());
    my $series = counted(scalar @{ $begun->{series} }, 'series begins', 'series begin') . ' anew';
    return date_of($host->{runs}[$begun->{run}]) . ": $series: " . join('; ', @why) . q{.};
}

# Takes a host, and perhaps what is not changed; returns a sentence about the series that go on and that no event names,
# or nothing.
sub rest_text {
    my ($host, $what) = @_;
    my %is_named = map  { $_->{series} => 1 } map { @{ $_->{changes} } } @{ $host->{events} };
    my @rest     = grep { !$_->{is_ended} && !$is_named{$_} } @{ $host->{series} } or return;
    my @known    = sort { $a->{sees} <=> $b->{sees} } grep { defined $_->{sees} } @rest;
    my $least    = $known[-1];
    my $of       = defined $what ? @known . ' series' : @known < @rest ? @known : 'them';
    my @sees     = $least ? cell(share => $least->{sees}) : ();
    my $half     = $known[$#known / 2];
    @sees = (cell(share => $half->{sees}), " (half of $of) to ", @sees, ' (' . _named($least) . ')')
        if $least && $half->{sees} < CLOSE * $least->{sees};
    unshift @sees, '; three more runs would show steps of ' if $least;
    my @later = @{ $host->{events} } ? () : _seen_after(@rest);
    return [($what // counted(scalar @rest, 'series', 'series')) . ': no change shown', @sees, q{.}, @later];
}

# Takes series without a change; returns a sentence about the index that varies most, or else the test: after how many
# runs a step of 10 % would be seen. Returns nothing if a few are enough.
sub _seen_after {
    my (@series) = @_;
    my @indexes  = grep { $_->{kind} eq 'index' } @series;
    my ($most)   = sort { $b->{spread} <=> $a->{spread} } grep { defined $_->{spread} } @indexes ? @indexes : @series;
    return if !$most || ($most->{sees} // 1) <= TENTH;
    my $runs = UnixBench::Changes::ChangePoints::seen_after(log(1 + TENTH), $most);
    return if defined $runs && $runs <= SOON;
    my $seen = defined $runs ? "is seen within about $runs runs, 4 times of 5" : 'may not be seen in 100 runs';
    return (' Runs differ by ', cell(share => $most->{spread}), ' (' . _named($most) . "): a step of 10 % $seen.");
}

1;
