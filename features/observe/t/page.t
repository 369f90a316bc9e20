# The pictures of delays on the page of a result agree with its numbers.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases                          qw(cases);
use ChartTests                     qw(are_near);
use ReadCharts                     qw(charts);
use Rendered                       qw(rendered);
use UnixBench::Observe::Values;

use constant THREE_DIGITS => 0.0051;    # largest relative difference to a number rounded to three digits

my %RESULT = map { $_->{name} => $_->{result} } grep { $_->{result}{observing} } cases();

# Tests a chart of delays: bars with the range in their words, the highest for the most frequent, the mean and the
# longest.
sub is_true_of_delays {
    my ($name, $chart) = @_;
    are_near("$name: ticks", $chart->{ticks}, $chart->{shown});
    for my $row (@{ $chart->{rows} }) {
        my ($mean, $longest) = @{ $row->{cells} }[2, 3];
        my @said = map { [$_->{words} =~ /\A([0-9]+) to ([0-9]+) ns: ([0-9]+)\z/] } @{ $row->{delays} };
        are_near("$name: $row->{title}: from", [map { $_->{from} } @{ $row->{delays} }], [map { $_->[0] } @said]);
        are_near("$name: $row->{title}: to",   [map { $_->{to} } @{ $row->{delays} }],   [map { $_->[1] } @said]);
        my ($most)  = sort { $b <=> $a } map { $_->[2] } @said;
        my @heights = map  { sprintf '%.1f', 22 * $_->[2] / $most } @said;
        is_deeply(
            [map { 0 + $_->{height} } @{ $row->{delays} }],
            [map { $_ < 1 ? 1 : 0 + $_ } @heights],
            "$name: $row->{title}: heights of bars are proportional to counts"
        );
        my @marks = @said ? ([$mean], [$longest]) : ([], []);
        are_near("$name: $row->{title}: mean", $row->{lines}{mean}, $marks[0], THREE_DIGITS);
        are_near("$name: $row->{title}: longest", [map { $_->{value} } @{ $row->{dots} }], $marks[1]);
    }
    return;
}

# Returns the number of tests of a result that have calls in their loop with known delays.
sub drawn {
    my ($result) = @_;
    my @observed =
        grep { defined } map { UnixBench::Observe::Values::of_test($_) } map { @{ $_->{tests} } } @{ $result->{runs} };
    return scalar grep {
        grep { @{ $_->{delays} } }
            @{ $_->{main} }
    } @observed;
}

for my $name (sort keys %RESULT) {
    my @delays = grep {
        grep { @{ $_->{delays} } }
            @{ $_->{rows} }
    } charts(rendered(html => $RESULT{$name}));
    is(scalar @delays, drawn($RESULT{$name}), "$name: each observed test has a picture");
    is_true_of_delays("$name: $_->{caption}", $_) for @delays;
}

subtest 'delays of all runs' => sub {
    my @charts = grep { $_->{rows}[0] && @{ $_->{rows}[0]{delays} } } charts(rendered(html => $RESULT{observed}));
    my %ticks  = map  { join(q{ }, @{ $_->{shown} }) => 1 } @charts;
    cmp_ok(scalar @charts, '>', 10, 'there are more than 10 charts of delays');
    is(scalar keys %ticks, 1, 'all charts of delays have one scale');
};

done_testing();
