package UnixBench::History::CSV;

# The series of hosts as CSV, for spreadsheets and other programs: a row for each run, a column for each series that
# goes on. A run that has no value of a series has an empty cell. At the end, a series with two modes has a column that
# tells in which one each run is.

use strict;
use warnings;

use UnixBench::Base::Time       qw(iso_time);
use UnixBench::History::Wording qw(series_name);
use UnixBench::Report::CSV      ();

# Takes a history, see UnixBench::History::Report; returns the text.
sub render {
    my ($history) = @_;
    my (@titles, %seen, %has_modes);
    for my $series (map { _series($_) } @{ $history->{hosts} }) {
        my $title = series_name($series);
        push @titles, $title if !$seen{$title}++;
        $has_modes{$title} = 1 if $series->{modes};
    }
    my @modes = grep { $has_modes{$_} } @titles;
    return join q{},
        map { UnixBench::Report::CSV::line(@$_) } [qw(host time file evidence), @titles, map { "$_, mode" } @modes],
        map { _rows($_, \@titles, \@modes) } @{ $history->{hosts} };
}

# Returns the series that go on.
sub _series {
    my ($host) = @_;
    return grep { !$_->{is_ended} } @{ $host->{series} };
}

# Takes a host, the names of all series and those of series with modes; returns [cells] of each run. The time of a run
# whose clock was wrong is empty.
sub _rows {
    my ($host, $titles, $modes) = @_;
    my %series = map { series_name($_) => $_ } _series($host);
    my @rows;
    for my $number (0 .. $#{ $host->{runs} }) {
        my $run    = $host->{runs}[$number];
        my $time   = $run->{is_dated} ? iso_time($run->{started}, 0) : q{};
        my @values = map { $series{$_} ? $series{$_}{values}[$number] // q{} : q{} } @$titles;
        my @modes  = map { $series{$_} ? _mode($series{$_}, $run, $number)   : 'none' } @$modes;
        push @rows, [$host->{label}, $time, $run->{path}, $run->{is_evidence} ? 'yes' : 'no', @values, @modes];
    }
    return @rows;
}

# Takes a series, a run and its number; returns in which mode this run is, "lower" or "upper". It is "none" before the
# last change, and for a run that is not evidence.
sub _mode {
    my ($series, $run, $number) = @_;
    my ($value, $modes) = ($series->{values}[$number], $series->{modes});
    return 'none' if !$modes || !defined $value || !$run->{is_evidence} || $number < $series->{segments}[-1]{first};
    return $value**2 < $modes->[0]{value} * $modes->[1]{value} ? 'lower' : 'upper';
}

1;
