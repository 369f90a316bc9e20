package ChartTests;

# Tests of pictures that ReadCharts has read.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

our @EXPORT_OK = qw(are_near);

use constant CLOSE => 0.0006;    # three decimals, rounded, and a little for the places

# Takes a name, values, how they are written, and, where it is more than usual, by which part they may differ; tests
# that they are the same but for the rounding.
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
