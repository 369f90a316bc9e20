package UnixBench::History::CSV;

# The series of hosts as CSV, for spreadsheets and other programs: a row for each run, a column for each series that
# goes on. A run that has no value of a series has an empty cell.

use strict;
use warnings;

use UnixBench::Base::Time       qw(iso_time);
use UnixBench::History::Wording qw(series_name);
use UnixBench::Report::CSV      ();

# Takes a history, see UnixBench::History::Report; returns the text.
sub render {
    my ($history) = @_;
    my (@titles, %seen);
    for my $series (map { _series($_) } @{ $history->{hosts} }) {
        my $title = series_name($series);
        push @titles, $title if !$seen{$title}++;
    }
    return join q{},
        map { UnixBench::Report::CSV::line(@$_) } [qw(host time file evidence), @titles],
        map { _rows($_, \@titles) } @{ $history->{hosts} };
}

# Returns the series that go on.
sub _series {
    my ($host) = @_;
    return grep { !$_->{is_ended} } @{ $host->{series} };
}

# Takes a host, and the names of all series; returns [cells] of each run. The time of a run
# whose clock was wrong is empty.
sub _rows {
    my ($host, $titles) = @_;
    my %series = map { series_name($_) => $_ } _series($host);
    my @rows;
    for my $number (0 .. $#{ $host->{runs} }) {
        my $run    = $host->{runs}[$number];
        my $time   = $run->{is_dated} ? iso_time($run->{started}, 0) : q{};
        my @values = map { $series{$_} ? $series{$_}{values}[$number] // q{} : q{} } @$titles;
        push @rows, [$host->{label}, $time, $run->{path}, $run->{is_evidence} ? 'yes' : 'no', @values];
    }
    return @rows;
}

1;
