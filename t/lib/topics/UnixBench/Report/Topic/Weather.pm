package UnixBench::Report::Topic::Weather;

# The weather during the run: a minimal topic with made-up numbers, for the test of topics.

use strict;
use warnings;

use UnixBench::Report::Block qw(bar chart drawn grid paragraphs row section table);

# Takes a view and a run; returns a chart of temperatures.
sub of_run {
    my ($view, $run) = @_;
    my @rows =
        map { drawn("Hour $_", [grid(), bar('bar strong', 1, 10 + $_, 7, 12)], 10 + $_ . ' degrees', [10 + $_]) } 1, 2;
    return chart(
        title   => 'Weather: degrees',
        axis    => 'degrees',
        values  => [1, 12],
        height  => 26,
        columns => [word => 'When', number => 'Degrees'],
        rows    => \@rows,
    );
}

# Takes a view; returns a section with a table of rain and snow.
sub of_result {
    my ($view) = @_;
    my @rows = (row('Rain', ['0.3', 'mm']), row('Snow', undef, reason => 'there was none'));
    my $table =
        table(title => 'Weather: water', columns => [word => 'What', number => 'Much', word => 'Unit'], rows => \@rows);
    return section('The weather', paragraphs('It was mild.'), $table);
}

1;
