package SeriesNoise;

# The noise of real series of virtual machines: the deviation of each value from the median of the eleven around it. The
# file is a table of vm, test, hours and value, as features/history/lab/real-series reads it, too.

use strict;
use warnings;

use Exporter 'import';
use IO::Uncompress::Gunzip ();
use List::Util             qw(max min);

use UnixBench::Catalog      ();
use UnixBench::Score::Stats qw(median);

our @EXPORT_OK = qw(noise_of_series);

use constant AROUND => 5;

# Takes the path of the CSV file, and the name of a machine in it, or undef for all of them. Returns { test =>
# [deviations, logarithms] }: its tests, in the order of their names, stand for those of the index, in theirs.
sub noise_of_series {
    my ($path, $vm) = @_;
    my $file = IO::Uncompress::Gunzip->new($path) or die "can't read $path\n";
    my (%of, %noise);
    chomp(my $header = $file->getline);
    my @columns = split /,/, $header;
    while (defined(my $line = $file->getline)) {
        chomp $line;
        my %row;
        @row{@columns} = split /,/, $line;
        push @{ $of{ $row{test} }{ $row{vm} } }, [@row{qw(hours value)}] if ($vm // $row{vm}) eq $row{vm};
    }
    my @names = UnixBench::Catalog::expand('index');
    for my $name (sort keys %of) {
        my $test = shift @names // last;
        push @{ $noise{$test} }, map { around(@$_) } @{ $of{$name} }{ sort keys %{ $of{$name} } };
    }
    return \%noise;
}

# Takes [hours, value] of a series; returns the deviations of values from the median around each, logarithms.
sub around {
    my (@series) = @_;
    my @logs     = map { log $_->[1] } sort { $a->[0] <=> $b->[0] } @series;
    return map { $logs[$_] - median(@logs[max(0, $_ - AROUND) .. min($#logs, $_ + AROUND)]) } 0 .. $#logs;
}

1;
