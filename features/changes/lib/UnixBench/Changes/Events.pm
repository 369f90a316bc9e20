package UnixBench::Changes::Events;

# The runs at which series changed, from the changes of each.

use strict;
use warnings;

use constant BACK => 0.25;    # the part of a change that may be left when it is over

# Takes [series, ...], each with what UnixBench::Changes::ChangePoints::of() found, and with is_of_load for each change
# and drift (whether other load may be the reason); and their runs, each { is_evidence, is_early (whether its date may
# be wrong) }. Returns the events, the latest one first:
#   kind          "step": series changed; "drift": series began to change slowly
#   run, before   the run, and the last run that is evidence before it
#   since         how many runs are evidence from it on
#   is_doubtful   whether runs before it may have been measured after it: then none of its changes is confirmed
#   is_confirmed  whether a change is confirmed
#   is_worse      whether a change for the worse is confirmed
#   changes       [{ series, is_of_load (whether other load may be the reason: then it is not confirmed), at (its run),
#                 last (of a drift: the last run; of a step that is over: the last run on the new level), by, low, high
#                 (parts of 1), confirmed }, ...], the largest first
sub of {
    my ($series, @runs) = @_;
    my @events =
        sort { $b->{run} <=> $a->{run} || $a->{kind} cmp $b->{kind} } _steps($series, @runs), _drifts($series, @runs);
    return @events;
}

# Noise may move a change by one run; then it belongs to the event of the run at which most series changed.
sub _steps {
    my ($series, @runs) = @_;
    my %changes;
    for my $of (@$series) {
        for my $number (0 .. $#{ $of->{changes} }) {
            my $change = $of->{changes}[$number];
            push @{ $changes{ $change->{at} } }, { %{ _change($of, $change) }, _until($of, $number) };
        }
    }
    for my $run (sort { @{ $changes{$b} } <=> @{ $changes{$a} } || $a <=> $b } keys %changes) {
        my $own = $changes{$run} or next;
        push @$own, map { @{ delete $changes{$_} || [] } } $run - 1, $run + 1;
    }
    return map { _event('step', $_, $changes{$_}, @runs) } keys %changes;
}

# Returns the key last, the last run before the level was again what it had been before, or nothing.
sub _until {
    my ($series, $number) = @_;
    my ($old, $new, @later) = @{ $series->{segments} }[$number .. $#{ $series->{segments} }];
    my $near   = BACK * abs($new->{mean} - $old->{mean});
    my ($back) = grep         { abs($_->{mean} - $old->{mean}) < $near } @later or return;
    my ($last) = reverse grep { $_->{last} < $back->{first} } @{ $series->{segments} };
    return (last => $last->{last});
}

sub _drifts {
    my ($series, @runs) = @_;
    my %changes;
    for my $of (@$series) {
        for my $drift (map { $_->{drift} || () } @{ $of->{segments} }) {
            push @{ $changes{ $drift->{at} } }, { %{ _change($of, $drift) }, last => $drift->{last} };
        }
    }
    return map { _event('drift', $_, $changes{$_}, @runs) } keys %changes;
}

sub _change {
    my ($series, $change) = @_;
    return {
        series => $series,
        at     => $change->{at},
        (map { $_ => exp($change->{$_}) - 1 } qw(by low high)),
        is_of_load => $change->{is_of_load},
        confirmed  => defined $change->{confirmed} && !$change->{is_of_load} ? 1 : 0,
    };
}

sub _event {
    my ($kind, $run, $changes, @runs) = @_;
    my @changes = sort { abs log(1 + $b->{by}) <=> abs log(1 + $a->{by}) } @$changes;
    my $is_doubtful =
           grep({ $_->{confirmed} } @changes)
        && grep({ $_->{is_early} } @runs[0 .. $run - 1])
        && grep { !$_->{is_early} } @runs[$run .. $#runs];
    if ($is_doubtful) { $_->{confirmed} = 0 for @changes }
    my ($before) = grep { $runs[$_]{is_evidence} } reverse 0 .. $run - 1;
    my @confirmed = grep { $_->{confirmed} } @changes;
    return {
        kind         => $kind,
        run          => $run,
        before       => $before,
        since        => scalar(grep { $runs[$_]{is_evidence} } $run .. $#runs),
        is_doubtful  => $is_doubtful                    ? 1 : 0,
        is_confirmed => @confirmed                      ? 1 : 0,
        is_worse     => worse({ changes => \@changes }) ? 1 : 0,
        changes      => \@changes,
    };
}

# Takes an event; returns its confirmed changes for the worse.
sub worse {
    my ($event) = @_;
    return grep { $_->{confirmed} && $_->{by} < 0 } @{ $event->{changes} };
}

1;
