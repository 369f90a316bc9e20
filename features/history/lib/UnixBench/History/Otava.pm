package UnixBench::History::Otava;

# The series of hosts as files for Apache Otava: for each host a CSV file with a column for each series, and otava.yaml,
# which describes them. Otava can't read gaps, so a run is left out if a series has no value there.

use strict;
use warnings;

use UnixBench::Base::Time       qw(iso_time);
use UnixBench::History::Wording qw(series_name);

use constant CONFIG => 'otava.yaml';

# Takes a history, see UnixBench::History::Report, and the path of the directory; returns { name of a file => text }.
sub files {
    my ($history, $directory) = @_;
    my (%files, @tests);
    for my $host (@{ $history->{hosts} }) {
        my $name = $host->{label} =~ s/[^\w.-]+/-/gr =~ s/\A[.-]+//r;
        $name = 'host' if !length $name;
        $name .= '-' . (1 + @tests) if $files{"$name.csv"};
        my @series = grep { !$_->{is_ended} } @{ $host->{series} };
        $files{"$name.csv"} = join q{}, map { "$_\n" } join(q{,}, 'time', map { _quoted(_column($_)) } @series),
            _rows($host, @series);
        push @tests, _test($name, "$directory/$name.csv", @series);
    }
    $files{ CONFIG() } = join q{}, "tests:\n", @tests;
    return \%files;
}

# Returns the rows of the runs that are evidence and have a value of each series.
sub _rows {
    my ($host, @series) = @_;
    my @rows;
    for my $run (grep { $host->{runs}[$_]{is_evidence} } 0 .. $#{ $host->{runs} }) {
        my @values = grep { defined } map { $_->{values}[$run] } @series;
        push @rows, join q{,}, iso_time($host->{runs}[$run]{started}, 0), @values if @values == @series;
    }
    return @rows;
}

# Returns the name of a column. Otava takes commas and dots for other things.
sub _column {
    my ($series) = @_;
    return series_name($series) =~ s/,//gr;
}

sub _quoted { my ($text) = @_; return q{"} . $text =~ s/"/""/gr . q{"} }

# Returns the lines of otava.yaml for a host.
sub _test {
    my ($name, $path, @series) = @_;
    return join q{}, map { "  $_\n" } _yaml($name) . ':', '  type: csv', '  file: ' . _yaml($path),
        '  time_column: time', '  metrics:', map { '    ' . _yaml(_column($_)) . ': {direction: 1}' } @series;
}

# Returns a text in quotation marks for YAML.
sub _yaml { my ($text) = @_; return q{"} . $text =~ s/(["\\])/\\$1/gr . q{"} }

1;
