package UnixBench::History::Wording;

# The words of a history, see UnixBench::History::Series: what changed, when, and what changed with it.

use strict;
use warnings;

use Exporter 'import';

use List::Util qw(sum);

use UnixBench::Base::Text                  qw(copies_text counted cut);
use UnixBench::Base::Time                  qw(iso_time);
use UnixBench::Call::NextStep              ();
use UnixBench::Catalog                     ();
use UnixBench::Changes::ChangePoints       ();
use UnixBench::Features                    ();
use UnixBench::Report::Block               qw(at_most cell joined name);
use UnixBench::Report::Comparison::Wording qw(fact_text);
use UnixBench::Report::Wording             qw(index_title);
use UnixBench::Score::Estimate             ();
use UnixBench::Warnings::Wording           qw(OTHER_LOAD merged);

our @EXPORT_OK = qw(
    begun_text change_text comparing date_of event_class event_items event_title headline
    is_open lost main_event nothing_shown open_events outcome point_text remedies rest_text series_title slow_text
    span_of unused_text verdict
);

use constant MAY_BE_LOAD => 'not confirmed, because other load may be the reason';
use constant { IN_A_ROW => 3, WHY_MOST => 3, FILES_MOST => 100, OTHERS_MOST => 7, CLOSE => 0.9 };

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

# Takes a run, its value in a series, half of the interval or undef, and whether it is evidence, and an outlier; returns
# a line about the point in a chart.
sub point_text {
    my ($run, $value, $half, $is_evidence, $is_outlier) = @_;
    my %known = (value => $value);
    @known{qw(low high)} = UnixBench::Score::Estimate::ends($value, $half);
    my $trust  = $run->{outline}{unused};
    my $why    = defined $trust ? " (trust: $trust)"   : q{};
    my $remark = !$is_evidence  ? ", not evidence$why" : $is_outlier ? ', an outlier' : q{};
    return [date_of($run) . ': ', cell(brief => \%known), ", $run->{word}$remark"];
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
sub is_open {
    my ($event) = @_;
    return $event->{is_worse} && !defined $event->{accepted};
}

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

# Takes hosts of a history; returns why a change of one is not confirmed although later runs agree, or undef.
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

# Takes hosts; returns the first one of which the latest runs, or all, are not evidence, whether earlier ones are, and
# these runs; or nothing.
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
sub lost {
    my ($history) = @_;
    return sum(0, map { $_->{lost} // 0 } @{ $history->{notes} });
}

# Takes a history; returns its title: of which hosts it is, and what its user has to know.
sub headline {
    my ($history) = @_;
    my @hosts     = @{ $history->{hosts} };
    my %names     = map { $_->{host} => 1 } @hosts;
    my $which     = keys %names == 1 ? $hosts[0]{host} : counted(scalar keys %names, 'host', 'hosts');
    return ["History of $which: ", verdict($history)];
}

# Takes a history; returns what its user has to know, a text: the change that is the main one, and how many others wait.
sub verdict {
    my ($history) = @_;
    my @hosts = @{ $history->{hosts} };
    if (my ($host, $event) = main_event($history)) {
        my $more = open_events($history) - 1;
        my $on   = @hosts > 1 ? " on $host->{label}" : q{};
        return [
            _loss($host, $event),
            $on, $more ? ('; ', counted($more, 'more change', 'more changes'), ' for the worse') : ()
        ];
    }
    my $lost = lost($history);
    return counted($lost, 'result has', 'results have') . ' no place in time, and may be the latest' if $lost;
    my $why_none = nothing_shown(@hosts);
    return $why_none if defined $why_none;
    my $doubt = _doubtful_text(@hosts);
    return $doubt if defined $doubt;
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

# Takes a series; returns its title, with its number of copies if that is not one.
sub _named {
    my ($series) = @_;
    return join ', ', series_title($series), $series->{copies} == 1 ? () : copies_text($series->{copies});
}

# Takes a history; returns host and event of the change that its user has to know first, if one is open: the latest
# one of an index, else the latest one.
sub main_event {
    my ($history) = @_;
    my @open      = open_events($history);
    my ($main)    = ((grep { (_changes($_->[1]))[0]{series}{kind} eq 'index' } @open), @open);
    return @{ $main || [] };
}

# Takes a host and one of its open events; returns the event in words, as "12.0 % slower since 2024-09-03 (index, one
# copy)".
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
    my ($event)  = @_;
    my @changes  = _changes($event);
    my @reasons  = map { _reasons($_) } @changes;
    my @accepted = defined $event->{accepted} ? "accepted: $event->{accepted}" : ();
    splice @reasons, WHY_MOST if @reasons > WHY_MOST;
    return (_differs($event), @reasons, _elsewhere(@changes[1 .. $#changes]), @accepted);
}

# Returns the item with the facts and the measured files that differ.
sub _differs {
    my ($event) = @_;
    my $facts   = join ', ', map { fact_text($_) } @{ $event->{differs} };
    my @differs = ($facts || (), map { cut($_, FILES_MOST) } @{ $event->{files} });
    return ['differs: ', joined('; ', @differs ? @differs : 'no known fact')];
}

# Takes a change, which UnixBench::History::Explained::explain() has seen; returns an item for each thing that features
# found about it.
sub _reasons {
    my ($change) = @_;
    my $with     = _with($change->{series});
    my $of       = UnixBench::Features::having(of_comparisons => 'words_of');
    return map { ["$_$with: ", $of->{$_}->words_of($change->{$_})] } grep { $change->{$_} } sort keys %$of;
}

# Returns the item about the other series that changed, or nothing.
sub _elsewhere {
    my (@others) = @_;
    my $more     = sub { return "$_[0] more" };
    my $name     = sub { return $_[0]{kind} eq 'index' ? series_title($_[0]) : $_[0]{name} };
    my $by       = sub { return (cell(change => (_size($_[0]))[0]), _is_of_work($_[0]) ? ' work' : ()) };
    my @texts    = map { [$name->($_->{series}) . _with($_->{series}) . q{ }, $by->($_)] } @others;
    my @parts    = at_most(OTHERS_MOST, $more, @texts);
    return @parts ? ['elsewhere: ', joined(', ', @parts)] : ();
}

# Returns the number of copies of a series in parentheses, if it is not one.
sub _with {
    my ($series) = @_;
    return $series->{copies} == 1 ? q{} : ' (' . copies_text($series->{copies}) . ')';
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

# Takes a host; returns a sentence about the series that go on and that no event names, or nothing.
sub rest_text {
    my ($host)   = @_;
    my %is_named = map  { $_->{series} => 1 } map { @{ $_->{changes} } } @{ $host->{events} };
    my @rest     = grep { !$_->{is_ended} && !$is_named{$_} } @{ $host->{series} } or return;
    my @known    = sort { $a->{sees} <=> $b->{sees} } grep { defined $_->{sees} } @rest;
    my $least    = $known[-1];
    my $of       = @known < @rest ? scalar @known : 'them';
    my $half     = $known[$#known / 2];
    my @half =
        $least && $half->{sees} < CLOSE * $least->{sees} ? (cell(share => $half->{sees}), " (half of $of) to ") : ();
    return [
        counted(scalar @rest, 'series', 'series') . ': no change shown',
        $least
        ? (
            '; three more runs would show steps of ',
            @half,
            cell(share => $least->{sees}),
            @half ? ' (' . _named($least) . ')' : ()
            )
        : (),
        q{.}
    ];
}

1;
