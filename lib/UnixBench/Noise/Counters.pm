package UnixBench::Noise::Counters;

# What the counters of the kernel say about the time between two looks at them.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(TICK_S growth);

use constant TICK_S => 0.01;    # the unit of CPU times: USER_HZ, see proc(5)

# Takes two hashes of counters, see UnixBench::Noise::Watch, and the name of a counter. Returns its growth, or undef
# if one value is missing or the counter went backwards.
sub growth {
    my ($from, $to, $counter) = @_;
    my ($first, $last) = map { $_->{$counter} } $from, $to;
    return defined $first && defined $last && $last >= $first ? $last - $first : undef;
}

1;
