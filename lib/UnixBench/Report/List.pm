package UnixBench::Report::List;

# The list of the reports in a text, such as a log of many runs.

use strict;
use warnings;

use UnixBench::Base::Time    qw(iso_date);
use UnixBench::Report::Block qw(column document row table);

# Takes the path of a file, and the summaries of the reports in it; returns the list of them, a report of blocks.
sub of {
    my ($path, @summaries) = @_;
    my @rows;
    for my $number (1 .. @summaries) {
        my $summary = $summaries[$number - 1];
        my $date    = iso_date($summary->{date} // q{}) // $summary->{date};
        for my $run (@{ $summary->{runs} }) {
            my ($index) = grep { defined } map { $_->{index} } @{ $run->{indexes} };
            my %row = (date => $date, index => $index, copies => $run->{copies}, cpus => $run->{cpu_count});
            push @rows, row("#$number", { %row, map { $_ => $summary->{$_} } qw(name version) });
        }
    }
    my %unknown = (none => 'unknown');
    return document(
        "Reports in $path",
        table(
            columns => [
                column('Report',  title   => 'text'),
                column('Machine', name    => 'text',   %unknown),
                column('Version', version => 'word',   %unknown),
                column('Date',    date    => 'word',   %unknown),
                column('Copies',  copies  => 'count',  %unknown),
                column('CPUs',    cpus    => 'count',  %unknown),
                column('Index',   index   => 'tenths', none => 'none'),
            ],
            rows => \@rows
        ),
    );
}

1;
