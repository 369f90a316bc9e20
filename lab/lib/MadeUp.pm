package MadeUp;

# Made-up noise, by rand: normal, or that of real machines, which is skewed and has outliers; and tables that may be
# compressed by gzip.

use 5.014;
use strict;
use warnings;

use Exporter 'import';
use IO::Uncompress::Gunzip ();
use List::Util             qw(max min);

use UnixBench::Score::Stats qw(mean median standard_deviation);

our @EXPORT_OK = qw(noise_of normal speeds table);

use constant { AROUND => 10, LEAST => 200, PI => 4 * atan2 1, 1 };

# Returns a random number of the standard normal distribution (G. Box and M. Muller, 1958).
sub normal { return sqrt(-2 * log(1 - rand)) * cos(2 * PI * rand) }

# Takes the path of a CSV file; returns its rows as hashes.
sub table {
    my ($path) = @_;
    my $file = IO::Uncompress::Gunzip->new($path) or die "can't read $path\n";
    my ($head, @lines) = map { s/\n\z//r } $file->getlines;
    my @columns = split /,/, $head;
    return map {
        my %row;
        @row{@columns} = map { s/"//gr } /("[^"]*"|[^,]*)(?:,|\z)/g;
        \%row
    } @lines;
}

# Takes the path of a table with the columns test, unit, vm, hours and value. Returns the speeds of its machines:
# { machine => { test => [[hours, logarithm], ...] } }, in the order of time.
sub speeds {
    my ($path) = @_;
    my %speeds;
    for my $row (table($path)) {
        my $sign = $row->{unit} =~ /\A[mun]?s\z/ ? -1 : 1;
        push @{ $speeds{ $row->{vm} }{ $row->{test} } }, [$row->{hours}, $sign * log $row->{value}];
    }
    @$_ = sort { $a->[0] <=> $b->[0] } @$_ for map { values %$_ } values %speeds;
    return \%speeds;
}

# Takes a standard deviation, and perhaps the path of a table with the columns test, vm, hours and value. Returns a
# function. Each call returns the noise of a machine: a function that returns a factor. Without a table it is normal,
# else it is that of a series of the table around its running median, scaled to that deviation.
sub noise_of {
    my ($deviation, $path) = @_;
    return sub { sub { exp $deviation * normal() } }
        if !defined $path;
    my @series = _series($path);
    return sub {
        my $series = $series[rand @series];
        return sub { exp $deviation * $series->[rand @$series] };
    };
}

sub _series {
    my ($path) = @_;
    my %values;
    push @{ $values{"$_->{test} $_->{vm}"} }, [@$_{qw(hours value)}] for table($path);
    return map { _standardized(map { log $_->[1] } sort { $a->[0] <=> $b->[0] } @{ $values{$_} }) }
        grep { @{ $values{$_} } >= LEAST } sort keys %values;
}

# Takes a series; returns [its differences from the running median, with a mean of 0 and a deviation of 1].
sub _standardized {
    my (@values) = @_;
    my @off = map { $values[$_] - median(@values[max(0, $_ - AROUND) .. min($#values, $_ + AROUND)]) } 0 .. $#values;
    my ($mean, $deviation) = (mean(@off), standard_deviation(@off));
    return $deviation > 0 ? [map { ($_ - $mean) / $deviation } @off] : ();
}

1;
