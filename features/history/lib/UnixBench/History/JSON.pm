package UnixBench::History::JSON;

# A history as JSON.

use strict;
use warnings;

use UnixBench::Base::Value      ();
use UnixBench::History::Series  ();
use UnixBench::History::Wording qw(headline note_text outcome series_title);
use UnixBench::Report::JSON     ();
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Score::Estimate  ();

# Takes a history, see UnixBench::History::Report; returns the text of the file.
sub render {
    my ($history) = @_;
    return UnixBench::Report::JSON::file_of(
        history => {
            outcome    => outcome($history),
            summary    => in_plain(headline($history)),
            min_effect => $history->{min_effect},
            notes      => [map { note_text($_) } @{ $history->{notes} }],
            hosts      => [map { _host($_) } @{ $history->{hosts} }],
        }
    );
}

sub _host {
    my ($host) = @_;
    return {
        host   => $host->{name},
        label  => $host->{label},
        source => $host->{is_old} ? 'text report' : 'UnixBench',
        runs   => [map { _run($_) } @{ $host->{runs} }],
        series => [map { _series($_) } @{ $host->{series} }],
        begun  => $host->{begun},
        events => [map { _event($_) } @{ $host->{events} }],
    };
}

sub _run {
    my ($run) = @_;
    return {
        file        => $run->{path},
        trust       => $run->{outline}{trust},
        started     => $run->{is_dated} ? $run->{started} : undef,
        is_evidence => $run->{is_evidence},
    };
}

sub _series {
    my ($series) = @_;
    my $values = $series->{values};
    return {
        (map { $_ => $series->{$_} } qw(copies kind name is_ended)),
        title    => series_title($series),
        values   => [map { _value($series, $_) } grep { defined $values->[$_] } 0 .. $#$values],
        segments => [map { _segment($_) } @{ $series->{segments} }],
        sees     => UnixBench::History::Series::sees($series),
    };
}

sub _segment {
    my ($segment) = @_;
    return { (map { $_ => $segment->{$_} } qw(first last is_drift)), mean => exp $segment->{mean} };
}

sub _value {
    my ($series, $run) = @_;
    my $value = $series->{values}[$run];
    my %item  = (run => $run, value => $value, is_outlier => $series->{outliers}{$run} ? 1 : 0);
    @item{qw(low high)} = UnixBench::Score::Estimate::ends($value, $series->{halves}[$run]);
    return \%item;
}

sub _event {
    my ($event) = @_;
    return {
        (map { $_ => $event->{$_} } qw(kind run until since is_confirmed is_worse accepted differs files)),
        causes  => $event->{causes} || [],
        failed  => $event->{failed} || [],
        alike   => [map { +{ _what($_), by => $_->{by} } } @{ $event->{alike} }],
        changes => [map { _change($_) } @{ $event->{changes} }],
    };
}

# Returns what a change is of.
sub _what {
    my ($change) = @_;
    return map { $_ => $change->{series}{$_} } qw(copies kind name);
}

sub _change {
    my ($change) = @_;
    return {
        _what($change),
        (
            map { $_ => $change->{$_} } qw(at last by low high count of),
            keys %{ UnixBench::Base::Value::with('of_pair') }
        ),
        is_confirmed => $change->{confirmed},
    };
}

1;
