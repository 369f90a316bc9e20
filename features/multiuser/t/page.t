# The chart of response times on a page, read back and compared with the numbers.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases::Multiuser               ();
use ChartTests                     qw(are_near);
use ReadCharts                     qw(charts);
use Rendered                       qw(rendered);

use constant THREE_DIGITS => 0.0051;    # largest relative difference to a number rounded to three digits

# The columns of the chart of response times.
use constant { P50 => 0, P95 => 1, MAX => 3 };

# Tests the chart of response times: bars from p50 to p95, lines from there to the longest response, which is a dot.
sub is_true_of_responses {
    my ($name, $chart) = @_;
    are_near("$name: ticks", $chart->{ticks}, $chart->{shown});
    for my $row (@{ $chart->{rows} }) {
        my ($p50, $p95, $max) = @{ $row->{cells} }[P50, P95, MAX];
        are_near("$name: $row->{title}: bar",             $row->{bar},         [$p50, $p95], THREE_DIGITS);
        are_near("$name: $row->{title}: line beyond p95", $row->{spans}{tail}, [$p95, $max], THREE_DIGITS);
        are_near(
            "$name: $row->{title}: longest response",
            [map { $_->{value} } @{ $row->{dots} }],
            [$max], THREE_DIGITS
        );
        is($row->{words}, "p50 $p50 ms, p95 $p95 ms, Max $max ms", "$name: $row->{title}: description of the picture");
    }
    return;
}

my ($incidents, $capacity) = map { [charts(rendered(html => $_->{result}))] } Cases::Multiuser::cases();
is(scalar @$incidents, 1, 'a load has a chart');
is_true_of_responses('incidents', $incidents->[0]);
is(scalar @$capacity, 0, 'a search has none');

done_testing;
