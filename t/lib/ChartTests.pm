package ChartTests;

# Tests of charts that ReadCharts has read.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

our @EXPORT_OK = qw(are_near);

use constant CLOSE => 0.0006;    # rounding to three decimals, and a little for positions

# Takes a name, expected values, values read from a chart, and the relative difference allowed (default: CLOSE). Tests
# that the values are equal except for rounding.
sub are_near {
    my ($name, $values, $written, $part) = @_;
    $part //= CLOSE;
    my @values = @{ $values || [] };
    my @off =
        grep { !_is_near($values[$_], $written->[$_], $part) } 0 .. (@values > @$written ? $#values : $#{$written});
    ok(!@off, $name) or diag "@values, not @$written";
    return;
}

sub _is_near {
    my ($value, $written, $part) = @_;
    return 0 if !defined $value || !defined $written;
    return abs($value - $written) <= $part * ($written < 1 ? 1 : $written);
}

1;
